import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MONEY_SCALE, toUnits } from '#contract/money/amount.ts'
import { totalsOf as billed } from '#server/features/money/advertiser-invoice/vat.ts'
import { totalsOf } from './lines.service.ts'
import { roundedTo, shareOf } from './posting.ts'

const decimals = fc.constantFrom(0, 2, 3, 8)
const amount = fc.bigInt({ min: -(10n ** 16n), max: 10n ** 16n })
/** In thousandths of a per cent, as VAT rates are. */
const rate = fc.integer({ min: 1, max: 99_999 })
const size = (one: bigint) => (one < 0n ? -one : one)

test('a share is rounded once, to the nearest of its currency’s decimals, also where these are all there are', () => {
  fc.assert(
    fc.property(amount, rate, decimals, (net, thousandths, places) => {
      const unit = 10n ** BigInt(MONEY_SCALE - places)
      const share = shareOf(net, BigInt(thousandths) * 100_000n, places)
      expect(share % unit).toBe(0n)
      // both sides times 100,000: what it is off by is at most half a unit
      expect(size(share * 100_000n - net * BigInt(thousandths)) * 2n <= unit * 100_000n).toBe(true)
    }),
  )
  // half a unit goes away from zero
  expect([shareOf(5n, toUnits('10'), 8), shareOf(-5n, toUnits('10'), 8), shareOf(4n, toUnits('10'), 8)]).toEqual([1n, -1n, 0n])
})

test('of both sides’ invoices net and VAT make the total, and rounding leaves at most half a unit', () => {
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 30 }), rate, decimals, (lines, thousandths, places) => {
      const unit = 10n ** BigInt(MONEY_SCALE - places)
      const exact = lines.reduce((sum, one) => sum + one, 0n)
      const taxed = {
        vat_category: 'S' as const,
        vat_rate: `${Math.floor(thousandths / 1000)}.${String(thousandths % 1000).padStart(3, '0')}`,
      }
      const theirs = billed(taxed, exact, places)
      const ours = totalsOf(taxed, roundedTo(places, exact), places)
      expect(ours).toMatchObject(theirs)
      expect(toUnits(ours.net) + toUnits(ours.vat)).toBe(toUnits(ours.total))
      expect(size(toUnits(ours.net) - exact) * 2n <= unit).toBe(true)
    }),
  )
})
