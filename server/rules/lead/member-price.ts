import type { MemberPrice } from '#contract/leads/api-offer.ts'

/** What a product brings and costs for a goal and a country: the row that names the country, else the one without countries; null = it does not say. */
export function memberPriceFor(prices: readonly MemberPrice[], goal: string, country: string): MemberPrice | null {
  const own = prices.filter((row) => row.goal === goal)
  return own.find(({ geos }) => geos.includes(country)) ?? own.find(({ geos }) => geos.length === 0) ?? null
}
