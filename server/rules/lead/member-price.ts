import type { MemberPrice } from '#contract/leads/api-offer.ts'
import { pricesLeft, type ProductPrice } from '#contract/leads/product.ts'
import type { Currency } from '#contract/money/amount.ts'

/** What a product itself says that it pays, and in which currency. */
export type OwnPrices = { currency: Currency; prices: readonly ProductPrice[] }

/**
 * The prices that hold for a product in its place in an offer, to be asked by `memberPriceFor`: those of the place, and of the product
 * those for goals and countries the place says nothing of. What a product says in another currency than the offer's says nothing here:
 * the offers it may stand in are kept to one, archived ones are not.
 */
export function pricesOf(place: readonly MemberPrice[], own: OwnPrices, currency: Currency): MemberPrice[] {
  if (own.currency !== currency) return [...place]
  return [...place, ...pricesLeft(place, own.prices).map((row) => ({ ...row, payout: null }))]
}

/** The goals of an offer that the place of a product leaves to the prices of the product, in one country at least. */
export function goalsLeft(place: readonly MemberPrice[], own: Pick<OwnPrices, 'prices'>, goals: readonly string[]): string[] {
  const said = new Set(place.filter(({ geos }) => geos.length === 0).map(({ goal }) => goal))
  return goals.filter((goal) => !said.has(goal) && own.prices.some((row) => row.goal === goal))
}

/** What a product brings and costs for a goal and a country: the row that names the country, else the one without countries; null = it does not say. */
export function memberPriceFor(prices: readonly MemberPrice[], goal: string, country: string): MemberPrice | null {
  const own = prices.filter((row) => row.goal === goal)
  return own.find(({ geos }) => geos.includes(country)) ?? own.find(({ geos }) => geos.length === 0) ?? null
}
