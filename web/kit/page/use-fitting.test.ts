import { expect, test } from 'vitest'
import { fitting } from '#web/kit/page/use-fitting.ts'

test('a row shows all that fits side by side; where something does not, there is room for the button of the rest; a phone scrolls all', () => {
  const widths = [200, 200, 200, 200]
  expect(fitting(widths, 860, 20)).toBe(4)
  expect(fitting(widths, 859, 20)).toBe(3)
  expect(fitting(widths, 749, 20)).toBe(2)
  expect(fitting([900, 10], 700, 20)).toBe(1)
  expect(fitting(widths, 390, 20)).toBe(4)
})
