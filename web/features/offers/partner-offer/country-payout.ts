import type { PartnerLeads } from '#contract/leads/api-offer.ts'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { payoutText } from '#web/features/offers/partner-offer/terms-text.ts'
import { money, UNKNOWN } from '#web/format.ts'
import type { Say } from '#web/i18n/use-translation.ts'

type Goal = Pick<Detail['goals'][number], 'code' | 'terms'>
/** What a lead of a country brings: amounts from and to, or what a row of terms says. */
export type Pay = { least: string; most: string; percent: string }

/** What a goal pays in a country: what differs there, else the terms of the goal that ask for nothing else; null = nothing. */
export function payFor({ payouts }: Pick<PartnerLeads, 'payouts'>, { code, terms }: Goal, geo: string): Pay | null {
  const apart = payouts.find((row) => row.goal === code && (geo === '' ? row.geos.length === 0 : row.geos.includes(geo)))
  if (apart !== undefined) return { least: apart.least, most: apart.most, percent: '0' }
  const usual = terms.find((row) => !isNarrow(row) && (row.geos.length === 0 || row.geos.includes(geo)))
  if (usual === undefined || (isZero(usual.payout_fixed) && isZero(usual.payout_percent))) return null
  return { least: usual.payout_fixed, most: usual.payout_fixed, percent: usual.payout_percent }
}

/** A pay in words: €18.00, or €18.00 to €25.00. */
export function payWords(t: Say<'partnerPage'>, { least, most, percent }: Pay, currency: Currency): string {
  if (toUnits(least) === toUnits(most)) return payoutText(least, percent, currency)
  const [from, to] = [least, most].map((amount) => money(amount, currency))
  return t('range', { least: from ?? UNKNOWN, most: to ?? UNKNOWN })
}

/** What one goal of an offer pays, over all of its countries, and whether the country decides or whoever takes the lead. */
export type OfferPay<Of extends Goal = Goal> = { goal: Of; pay: Pay; by: 'country' | 'taker' | null }

/** The same of the goal an offer is about: the default one, or the first that pays; null where none does, or a share of an order. */
export function payOf<Of extends Goal & { is_default: boolean }>(
  leads: Pick<PartnerLeads, 'payouts' | 'countries'>,
  goals: readonly Of[],
): OfferPay<Of> | null {
  for (const goal of goals.toSorted((one, other) => Number(other.is_default) - Number(one.is_default))) {
    const pays = leads.countries.flatMap(({ geo }) => payFor(leads, goal, geo) ?? [])
    const [first] = pays
    if (first === undefined) continue
    if (pays.some(({ percent }) => !isZero(percent))) return null
    const least = pays.map((pay) => pay.least).reduce((one, other) => (toUnits(other) < toUnits(one) ? other : one))
    const most = pays.map((pay) => pay.most).reduce((one, other) => (toUnits(other) > toUnits(one) ? other : one))
    const alike = pays.every((pay) => toUnits(pay.least) === toUnits(first.least) && toUnits(pay.most) === toUnits(first.most))
    return { goal, pay: { least, most, percent: '0' }, by: !alike ? 'country' : toUnits(least) === toUnits(most) ? null : 'taker' }
  }
  return null
}

/** Whether the terms of a goal say more than a table by country can: of one that differs everywhere they count nowhere. */
export function saysMore({ payouts, countries }: Pick<PartnerLeads, 'payouts' | 'countries'>, { code, terms }: Goal): boolean {
  const apart = (geo: string) => payouts.some((row) => row.goal === code && (geo === '' ? row.geos.length === 0 : row.geos.includes(geo)))
  return countries.some(({ geo }) => !apart(geo)) ? terms.some(isNarrow) : false
}

/** Whether a row of terms is for some landings or devices alone. */
function isNarrow({ landings, devices, oses }: Goal['terms'][number]): boolean {
  return landings.length + devices.length + oses.length > 0
}

function isZero(amount: string): boolean {
  return toUnits(amount) === 0n
}
