import i18next from 'i18next'
import type { Currency } from '#contract/money/amount.ts'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import { integer, money } from '#web/format.ts'

/** How much of a cap: a count, or an amount in the offer's currency. */
export function capAmount({ measure }: OfferCap, amount: string, currency: Currency): string {
  return measure === 'payout' ? money(amount, currency) : integer(amount)
}

/** A cap in a few words: "60 / day", "$500.00 / week each". */
export function capWords(cap: OfferCap, currency: Currency): string {
  const words = i18next.t(`short.${cap.period}`, { ns: 'cap', limit: capAmount(cap, cap.limit, currency) })
  return cap.scope === 'affiliate' ? i18next.t('short.each', { ns: 'cap', cap: words }) : words
}

/** What a cap counts: "Day · Whole offer · Conversions". */
export function capTitle({ period, scope, measure }: OfferCap): string {
  return [`period.${period}` as const, `scope.${scope}` as const, `measure.${measure}` as const]
    .map((key) => i18next.t(key, { ns: 'cap' }))
    .join(' · ')
}
