import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MONEY_SCALE } from '#contract/money/amount.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import { roundedShares } from './share.ts'

test('rounded groups add up to the rounded whole, each less than a unit from what it was', () => {
  const part = fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n })
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), fc.constantFrom(0, 2, 3, 8), (parts, decimals) => {
      const unit = 10n ** BigInt(MONEY_SCALE - decimals)
      const total = roundedTo(
        decimals,
        parts.reduce((sum, one) => sum + one, 0n),
      )
      const rounded = roundedShares(parts, total, unit)
      expect(rounded.reduce((sum, one) => sum + one, 0n)).toBe(total)
      for (const [at, one] of rounded.entries()) {
        const off = one - (parts[at] ?? 0n)
        expect(one % unit).toBe(0n)
        expect(off < unit && off > -unit).toBe(true)
      }
    }),
  )
})
