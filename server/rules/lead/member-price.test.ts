import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemberPrice } from '#contract/leads/api-offer.ts'
import { twicePriced, type ProductPrice } from '#contract/leads/product.ts'
import { goalsLeft, memberPriceFor, pricesOf } from './member-price.ts'

const GOALS = ['registration', 'ftd', 'redeposit'] as const
const COUNTRIES = ['IT', 'PL', 'UA', 'DE'] as const

const row = {
  goal: fc.constantFrom(...GOALS),
  geos: fc.oneof(fc.constant<string[]>([]), fc.uniqueArray(fc.constantFrom<string[]>(...COUNTRIES), { minLength: 1, maxLength: 3 })),
  price: fc.integer({ min: 1, max: 999 }).map(String),
}
/** As the contract lets rows in: of a goal no country twice. */
const once = <Row extends ProductPrice>(rows: Row[]) => {
  const twice = twicePriced(rows)
  return rows.filter((_row, at) => !twice.includes(at))
}
const placeRows = fc
  .array(fc.record({ ...row, payout: fc.option(fc.integer({ min: 1, max: 99 }).map(String)) }), { maxLength: 8 })
  .map(once)
const productRows = fc.array(fc.record(row), { maxLength: 8 }).map(once)

/** Four looks, one after the other, as staff are told it goes. */
function naive(place: readonly MemberPrice[], product: readonly ProductPrice[], goal: string, country: string) {
  for (const rows of [place, product] as readonly (readonly (ProductPrice & { payout?: string | null })[])[]) {
    for (const one of rows) if (one.goal === goal && one.geos.includes(country)) return { price: one.price, payout: one.payout ?? null }
    for (const one of rows) if (one.goal === goal && one.geos.length === 0) return { price: one.price, payout: one.payout ?? null }
  }
  return null
}

test('the place by country, the place, the product by country, the product: the first that says something of a goal counts', () => {
  fc.assert(
    fc.property(placeRows, productRows, (place, prices) => {
      const merged = pricesOf(place, { currency: 'EUR', prices }, 'EUR')
      for (const goal of GOALS)
        for (const country of [...COUNTRIES, 'FR', '']) {
          const found = memberPriceFor(merged, goal, country)
          const said = found === null ? null : { price: found.price, payout: found.payout }
          expect(said, `${goal} ${country}`).toEqual(naive(place, prices, goal, country))
        }
      // none of them is left that could never count
      for (const one of merged)
        expect((one.geos.length === 0 ? ['FR'] : one.geos).map((country) => memberPriceFor(merged, one.goal, country))).toContain(one)
    }),
  )
})

test('what a product says in another currency than its offer’s says nothing there, and no goal is left to it unnoticed', () => {
  fc.assert(
    fc.property(placeRows, productRows, (place, prices) => {
      expect(pricesOf(place, { currency: 'USD', prices }, 'EUR')).toEqual(place)
      const left = goalsLeft(place, { prices }, ['registration', 'ftd'])
      for (const goal of ['registration', 'ftd'])
        if (left.includes(goal)) expect([naive(place, [], goal, 'FR'), prices.some((one) => one.goal === goal)]).toEqual([null, true])
        else
          for (const country of [...COUNTRIES, 'FR']) expect(naive(place, prices, goal, country)).toEqual(naive(place, [], goal, country))
      // a goal the offer does not have is none of its business
      expect(left).not.toContain('redeposit')
    }),
  )
})
