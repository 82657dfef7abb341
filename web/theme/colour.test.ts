import { DEFAULT_THEME } from '@mantine/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, textOn } from '#contract/network/contrast.ts'
import { readableOn, shadesOf, visibleShade } from '#web/theme/colour.ts'
import { cssVariables } from '#web/theme/theme.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`)

test('contrast is that of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
  expect(contrast('#767676', '#ffffff')).toBeCloseTo(4.54, 2)
})

test('whatever the accent, its text and the text on it can be read', () => {
  fc.assert(
    fc.property(hex, (accent) => {
      expect(contrast(textOn(accent), accent)).toBeGreaterThanOrEqual(4.5)
      for (const surface of ['#ffffff', '#17191f', '#fbfbfc', '#121418'])
        expect(contrast(readableOn(accent, surface), surface)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('an accent that can be read already stays as it is', () => {
  expect(readableOn('#1d4ed8', '#ffffff')).toBe('#1d4ed8')
  expect(shadesOf('#4361ee')[6]).toBe('#4361ee')
})

test('a button never melts into its surface', () => {
  expect(visibleShade('#4361ee', '#17191f')).toBe(6)
  fc.assert(
    fc.property(hex, (accent) => {
      for (const surface of ['#ffffff', '#17191f'])
        expect(contrast(shadesOf(accent)[visibleShade(accent, surface)], surface)).toBeGreaterThanOrEqual(1.25)
    }),
  )
})

test('what ends or refuses can be read in a dark menu, under the pointer too', () => {
  const { dark } = cssVariables('#4361ee')(DEFAULT_THEME)
  expect(contrast(dark['--mantine-color-error'] ?? '', '#3d434e')).toBeGreaterThanOrEqual(4.5)
})
