import { expect, it } from 'vitest'
import { deviceName } from '#web/shell/layout/device-name.ts'

it('names the browser and the system of a session', () => {
  expect(deviceName('Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36')).toBe(
    'Chrome 147 · Linux',
  )
  expect(
    deviceName(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
    ),
  ).toBe('Safari 19 · iOS · iPhone')
})

it('leaves what is no browser as it is', () => {
  expect(deviceName('node')).toBe('node')
  expect(deviceName('')).toBe('')
})
