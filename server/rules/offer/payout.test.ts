import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toUnits, UNITS } from '#contract/money/amount.ts'
import { shadowedRows } from '#contract/offers/payout-row.ts'
import { choosePayoutRule, payoutOf, resultingTerms, type PayoutRule } from './payout.ts'

const BASE: PayoutRule = {
  id: 1,
  goal_id: 1,
  position: 0,
  affiliate_ids: [],
  landing_ids: [],
  geos: [],
  devices: [],
  oses: [],
  payout_fixed: '1',
  payout_percent: '0',
  revenue_fixed: '2',
  revenue_percent: '0',
}
const row = (id: number, changes: Partial<PayoutRule>): PayoutRule => ({ ...BASE, id, position: id, ...changes })
const click = { goalId: 1, affiliateId: 7, landing: 3, geo: 'PL', device: 'mobile', os: 'Android' }

describe('the most specific row wins', () => {
  const base = row(1, {})
  const system = row(2, { oses: ['Android'] })
  const country = row(3, { geos: ['PL', 'CZ'] })
  const countryAndDevice = row(4, { geos: ['PL'], devices: ['mobile'] })
  const affiliate = row(5, { affiliate_ids: [7, 8] })
  const landing = row(6, { landing_ids: [3, 4] })

  test.each([
    ['a system beats the base row', [base, system], system],
    ['a country beats a system', [base, system, country], country],
    ['a country with a device beats a country', [country, countryAndDevice, base], countryAndDevice],
    ['a landing beats a country with a device', [countryAndDevice, landing, base], landing],
    ['an affiliate beats everything else', [countryAndDevice, landing, affiliate, base], affiliate],
    ['of equals the higher one counts', [row(9, { geos: ['PL'] }), row(8, { geos: ['PL', 'DE'] })], row(8, { geos: ['PL', 'DE'] })],
    [
      'rows of other goals, affiliates and landings are passed over',
      [row(2, { goal_id: 2 }), row(3, { affiliate_ids: [8] }), row(4, { landing_ids: [5] }), base],
      base,
    ],
    ['without a fitting row there is none', [row(3, { geos: ['DE'] })], null],
  ])('%s', (_title, rules, expected) => {
    expect(choosePayoutRule(rules, click)).toEqual(expected)
  })
})

test('fixed and percent are added exactly, and no amount brings no percentage', () => {
  const mixed = { payout_fixed: '1.5', payout_percent: '12.5', revenue_fixed: '0', revenue_percent: '33.3333' }
  expect(payoutOf(mixed, '10.01', 4)).toEqual({ payout: '2.7513', revenue: '3.3367' })
  expect(payoutOf(mixed, null, 4)).toEqual({ payout: '1.5000', revenue: '0.0000' })
})

const amount = fc.bigInt({ min: 0n, max: 10n ** 13n }).map((units) => `${units / 10_000n}.${String(units % 10_000n).padStart(4, '0')}`)
const rate = fc
  .integer({ min: 0, max: 10_000_000 })
  .map((units) => `${Math.floor(units / 10_000)}.${String(units % 10_000).padStart(4, '0')}`)

test('no payout is further than half a ten-thousandth from the exact one', () => {
  fc.assert(
    fc.property(amount, rate, amount, (fixed, percent, reported) => {
      const { payout } = payoutOf({ payout_fixed: fixed, payout_percent: percent, revenue_fixed: '0', revenue_percent: '0' }, reported, 4)
      // everything times a hundred units: exact in whole numbers
      const exact = toUnits(fixed) * 100n * UNITS + toUnits(reported) * toUnits(percent)
      const difference = toUnits(payout) * 100n * UNITS - exact
      const half = (toUnits('0.0001') / 2n) * 100n * UNITS
      expect(difference <= half && difference >= -half).toBe(true)
    }),
  )
})

const some = <Value>(...values: Value[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<Value[]>([]) }, fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }))
const rules = fc
  .array(
    fc.record({
      affiliate_ids: some(7, 8, 9),
      landing_ids: some(3, 4, 5),
      geos: some('PL', 'CZ', 'DE'),
      devices: some('mobile', 'desktop'),
      oses: some('Android', 'iOS'),
    }),
    { maxLength: 8 },
  )
  .map((rows) => rows.map((one, index) => row(index, { ...one, payout_fixed: String(index) })))

test('the terms shown to an affiliate are those its conversions are paid by', () => {
  const conversion = fc.record({
    affiliateId: fc.constantFrom(7, 8),
    landing: fc.constantFrom(0, 3, 4),
    geo: fc.constantFrom('PL', 'CZ', 'DE', 'ZZ'),
    device: fc.constantFrom('mobile', 'desktop', 'tv'),
    os: fc.constantFrom('Android', 'iOS', 'Other'),
  })
  fc.assert(
    fc.property(rules, conversion, (all, { affiliateId, landing, geo, device, os }) => {
      const paid = choosePayoutRule(all, { goalId: 1, affiliateId, landing, geo, device, os })
      const admits = <Value>(list: Value[], value: Value) => list.length === 0 || list.includes(value)
      const shown = resultingTerms(all, affiliateId, [3, 4]).find(
        (one) => admits(one.landings, landing) && admits(one.geos, geo) && admits(one.devices, device) && admits(one.oses, os),
      )
      expect(shown?.payout_fixed).toBe(paid?.payout_fixed)
    }),
    { numRuns: 2000 },
  )
})

const conditions = (all: PayoutRule[]) => all.map((rule) => ({ ...rule, affiliates: rule.affiliate_ids, landings: rule.landing_ids }))
const never = (all: PayoutRule[]) => shadowedRows(conditions(all)).map(({ position }) => position)
const EVERY = [7, 8, 9, 10].flatMap((affiliateId) =>
  [0, 3, 4, 5].flatMap((landing) =>
    ['PL', 'CZ', 'DE', 'ZZ'].flatMap((geo) =>
      ['mobile', 'desktop', 'tv'].flatMap((device) => ['Android', 'iOS', 'Other'].map((os) => ({ affiliateId, landing, geo, device, os }))),
    ),
  ),
)
const winners = (all: PayoutRule[]) => new Set(EVERY.map((one) => choosePayoutRule(all, { goalId: 1, ...one })?.position))

test('the rows said never to win are those no conversion is paid by', () => {
  fc.assert(
    fc.property(rules, (all) => {
      const paid = winners(all)
      expect(never(all)).toEqual(all.map(({ position }) => position).filter((position) => !paid.has(position)))
    }),
    { numRuns: 300 },
  )
})

test('terms that can never apply are not shown', () => {
  expect(
    resultingTerms([row(1, {}), row(2, { affiliate_ids: [7] }), row(3, { affiliate_ids: [8] }), row(4, { landing_ids: [5] })], 7, [3]),
  ).toHaveLength(1)
  expect(resultingTerms([row(1, { geos: ['PL', 'CZ'] }), row(0, { geos: ['PL'] }), row(2, {})], 7, []).map((one) => one.geos)).toEqual([
    ['PL'],
    ['CZ'],
    [],
  ])
})
