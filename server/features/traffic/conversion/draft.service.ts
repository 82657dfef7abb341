import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { Carried } from '#server/rules/click/click-row.ts'
import { settle, takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { choosePayoutRule, payoutOf, statedBy, type Stated } from '#server/rules/offer/payout.ts'
import { recordChanges } from './change.service.ts'
import type { ConversionDraft, RecordedChange } from './change.ts'
import type { Goal, OfferTerms } from './terms.queries.ts'

/** What a conversion takes over from its click. */
export type ConversionClick = {
  /** Our click id, in its lower-case form. */
  id: string
  /** Milliseconds. */
  at: number
  affiliateId: number
  landing: number
  prelanding: number
  geo: string
  device: string
  os: string
  browser: string
  lang: string
  source: string
  /** sub1 to sub10. */
  subs: string[]
  affClickId: string
  ip: string
  ua: string
  /** What else it takes along; none where the click is made up. */
  carried?: Carried
  /** The distribution that sold the lead a second time. */
  recoldId?: number
}

/** What was reported about a conversion, by an advertiser, a file, or the demo generator. */
export type Report = {
  status: ConversionStatus
  /** false = no status was named: `status` is what a new conversion takes, and a known one keeps its own. */
  statusNamed?: boolean
  /** As reported, in `currency`; null = not given. */
  amount: string | null
  /** The amount is what it brings us, or the affiliate, in place of a fixed price. */
  stated?: Stated
  /** The amount is told as what the conversion brings, such as in a column called revenue: it is refused where the money does not follow it. */
  told?: 'earned'
  /** null = not given: that of the conversion. */
  currency: Currency | null
  transactionId: string | null
  reason: string
}

/** A new conversion as it will be stored, paid by the most specific rule of its goal; null where the goal has no rule that fits. */
export function draftConversion(
  terms: OfferTerms,
  goal: Goal,
  click: ConversionClick,
  report: Report & {
    /** The amount in the offer's currency. */
    converted: string | null
  },
  at: number,
  now: number,
): ConversionDraft | null {
  const chosen = choosePayoutRule(terms.rules, {
    goalId: goal.id,
    affiliateId: click.affiliateId,
    landing: click.landing,
    geo: click.geo,
    device: click.device,
    os: click.os,
  })
  if (chosen === null) return null
  const rule = statedBy(chosen, report.stated, report.amount)
  const { status, holdUntil } = settle(report.status, { at, holdDays: terms.hold_days, now })
  return {
    uuid: crypto.randomUUID(),
    offer_id: terms.id,
    goal_id: goal.id,
    affiliate_id: click.affiliateId,
    advertiser_id: terms.advertiser_id,
    click_id: click.id,
    click_at: new Date(click.at),
    transaction_id: report.transactionId,
    status,
    payment_state: 'open',
    invoiced: '0.0000',
    billed: '0.0000',
    reason: report.reason,
    ...payoutOf(rule, report.converted, terms.scale),
    amount: report.converted,
    currency: terms.currency,
    rule,
    hold_until: holdUntil === null ? null : new Date(holdUntil),
    // what comes declined never had a place
    within_cap: takesPlace(status),
    test: false,
    landing: click.landing,
    prelanding: click.prelanding,
    geo: click.geo,
    device: click.device,
    os: click.os,
    browser: click.browser,
    lang: click.lang,
    source: click.source,
    subs: click.subs,
    aff_click_id: click.affClickId,
    ip: click.ip,
    ua: click.ua,
    carried: click.carried ?? {},
    recold_id: click.recoldId ?? null,
    reported_status: report.status,
    reported_amount: report.amount,
    reported_currency: report.amount === null ? null : (report.currency ?? terms.currency),
    created_at: new Date(at),
    updated_at: new Date(at),
  }
}

/**
 * Stores many new conversions at once, in order of time, with everything that follows from them, booked when they came. The drafts must not
 * repeat an identity that exists: the generator makes sure, postbacks go through `applyReport`.
 */
export async function createConversions(trx: Trx, drafts: readonly ConversionDraft[], now: number): Promise<RecordedChange[]> {
  return recordChanges(
    trx,
    drafts.map((after) => ({ before: null, after, origin: 'postback', actorId: null, bookedAt: after.updated_at })),
    now,
  )
}
