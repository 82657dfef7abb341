import { expect, test } from 'vitest'
import { calledBack } from '#web/features/traffic/dialect/goal-addresses.tsx'

test('an address another system calls back is one value, in which only our click id is a macro of ours', () => {
  const address = 'https://trk.example.com/postback?click_id={click_id}&goal={event_name}&token=a+b'
  const value = calledBack(address)
  expect(value.match(/\{[^}]*\}/g)).toEqual(['{click_id}'])
  expect(new URLSearchParams(`install_callback=${value.replace('{click_id}', 'CLICK')}`).get('install_callback')).toBe(
    address.replace('{click_id}', 'CLICK'),
  )
})
