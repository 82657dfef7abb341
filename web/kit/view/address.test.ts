import { expect, test } from 'vitest'
import { sameAddress, withoutPage } from '#web/kit/view/address.ts'

test('a view keeps everything but the page', () => {
  expect(withoutPage(new URLSearchParams('page=3&status=paused&status=stopped&search=a%26b'))).toBe(
    'status=paused&status=stopped&search=a%26b',
  )
})

test('the order of the parts makes no difference, that of the values of one does', () => {
  expect(sameAddress('a=1&b=2', 'b=2&a=1')).toBe(true)
  expect(sameAddress('group=offer&group=day', 'group=day&group=offer')).toBe(false)
  expect(sameAddress('a=1', 'a=1&b=2')).toBe(false)
})
