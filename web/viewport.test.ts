import { expect, test } from 'vitest'
import { viewportOf } from '#web/viewport.ts'

test.each([
  [320, 'mobile'],
  [767, 'mobile'],
  [768, 'tablet'],
  [1023, 'tablet'],
  [1024, 'laptop'],
  [1439, 'laptop'],
  [1440, 'laptopL'],
  [1919, 'laptopL'],
  [1920, 'desktop'],
  [3840, 'desktop'],
])('a window %d pixels wide is %s', (width, viewport) => {
  expect(viewportOf(width)).toBe(viewport)
})
