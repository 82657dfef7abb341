import type { z } from 'zod'
import type { conversion } from '#contract/traffic/conversion.ts'
import { VISITOR_FACTS, type VisitorFact } from '#contract/traffic/click-column.ts'
import { addAmounts, amountText, isNothing } from '#contract/money/amount.ts'
import { readableAddress } from '#server/platform/address.ts'
import type { Key } from '../report/keys.service.ts'
import type { ConversionListRow, ConversionSums } from './conversion.queries.ts'
import { BLANK_CARRIED } from '#server/rules/click/click-row.ts'
import { reasonForAffiliate } from '#server/rules/conversion/reason.ts'

/** Who is told: affiliates never get revenue, amount or advertiser. */
export type Audience = 'staff' | 'affiliate'

/** A conversion as an audience sees it: affiliates get neither revenue, amount nor advertiser, and the address is cut for those who may not see it whole. */
export function presentConversion(
  row: ConversionListRow,
  landings: Landings,
  audience: Audience,
  wholeAddress: boolean,
): z.input<typeof conversion> {
  const affiliate = { uuid: row.affiliate_uuid, id: row.affiliate_number, name: row.affiliate_name }
  const advertiser = { uuid: row.advertiser_uuid, id: row.advertiser_number, name: row.advertiser_name }
  return {
    uuid: row.uuid,
    id: row.id,
    created_at: row.created_at.toISOString(),
    click_at: row.click_at.toISOString(),
    click_id: row.click_id,
    transaction_id: row.transaction_id,
    offer_type: row.offer_type,
    offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
    goal: row.goal_hidden && audience === 'affiliate' ? null : { code: row.goal_code, title: row.goal_title },
    affiliate: row.sees_affiliate ? affiliate : null,
    status: row.status,
    payment_state: row.payment_state,
    reason: audience === 'affiliate' ? reasonForAffiliate(row.reason) : row.reason,
    hold_until: row.hold_until?.toISOString() ?? null,
    currency: row.currency,
    payout: row.payout,
    geo: row.geo,
    device: row.device,
    os: row.os,
    browser: row.browser,
    lang: row.lang,
    ...landings(row),
    source: row.source,
    subs: row.subs,
    aff_click_id: row.aff_click_id,
    ip: readableAddress(row.ip, !wholeAddress),
    ua: row.ua,
    ...(Object.fromEntries(VISITOR_FACTS.map((name) => [name, String(row.carried[name] ?? BLANK_CARRIED[name])])) as Record<
      VisitorFact,
      string
    >), // one for each
    ...(audience === 'staff' ? { advertiser: row.sees_advertiser ? advertiser : null, revenue: row.revenue, amount: row.amount } : {}),
  }
}

/** Sums of the whole result, per currency; affiliates get those of what they are paid. */
export function presentSums(amounts: ConversionSums, audience: Audience) {
  const told = (payout: string, revenue: string, profit: string) => ({
    payout: amountText(payout),
    ...(audience === 'staff' && { revenue: amountText(revenue), profit: amountText(profit) }),
  })
  return amounts.map(({ currency, payout, revenue, profit, lost_payout, lost_revenue }) => {
    const [lost, worth] = [lost_payout ?? '0', lost_revenue ?? '0']
    const isLost = !isNothing(lost) || (audience === 'staff' && !isNothing(worth))
    return {
      currency,
      ...told(payout, revenue, profit),
      ...(isLost && { lost: told(lost, worth, addAmounts(worth, `-${lost}`)) }),
    }
  })
}

/** Sums of a page, per currency: amounts of different ones are never added. */
export function sumsOf(rows: readonly ConversionListRow[], audience: Audience): Record<string, string> {
  const sums: Record<string, string> = {}
  for (const row of rows) {
    const columns = audience === 'staff' ? (['payout', 'revenue'] as const) : (['payout'] as const)
    for (const column of columns) sums[`${column}_${row.currency}`] = addAmounts(sums[`${column}_${row.currency}`] ?? '0', row[column])
  }
  return sums
}

export type Way = { landing: number; prelanding: number }
/** What the landing and pre-landing of a conversion are called. */
export type Landings = (of: Way) => { landing: Key; prelanding: Key }
