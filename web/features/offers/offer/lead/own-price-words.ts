import type { ProductPrice } from '#contract/leads/product.ts'
import { money } from '#web/format.ts'

/** What a product says that it pays, goal by goal: "First deposit IT, PL 550.00 USD". */
export function ownPriceWords(
  prices: readonly ProductPrice[],
  goals: readonly { code: string; title: string }[],
  currency: string,
): string[] {
  const titles = new Map(goals.map(({ code, title }) => [code, title]))
  return prices.map(({ goal, geos, price }) =>
    [titles.get(goal) || goal, geos.join(', '), money(price, currency)].filter(Boolean).join(' '),
  )
}
