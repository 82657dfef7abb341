import type { ChangeOrigin } from '#contract/traffic/conversion.ts'
import { toUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { isLost, mayBecome, settle, takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { payoutOf, sharesAmount, statedBy } from '#server/rules/offer/payout.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { scaleOfCurrency } from '#server/features/money/currency/currency.service.ts'
import { convertAmount } from '#server/features/money/currency/rate.service.ts'
import type { Change, ConversionRow, KnownConversion, RecordedChange } from './change.ts'
import { noteReported } from './conversion-row.queries.ts'
import { draftConversion, type ConversionClick, type Report } from './draft.service.ts'
import type { Goal, OfferTerms } from './terms.queries.ts'

const DAY = 86_400_000
/** Above this, payouts of 1,000 % would not fit their column. */
const LARGEST_AMOUNT = 10n ** 13n * UNITS

/** Whose conversion is reported. `clickAt` comes out of the click id itself, so that it is known before the click is stored. */
export type ReportedFor = { terms: OfferTerms; goal: Goal; clickId: string; clickAt: number; transactionId: string | null }

export type ReportOutcome =
  | { outcome: 'created' | 'changed' | 'repeat'; conversion: ConversionRow }
  /** `noted`: the goal has a price of its own, and all money stays. */
  | { outcome: 'amount_changed'; noted: boolean; conversion: ConversionRow }
  /** It was approved, asked for a place in a full cap, and is declined for it. */
  | { outcome: 'declined'; conversion: ConversionRow }
  /** It is paid, and the network asks first: nothing was changed. `detail`: what was to become of it. */
  | { outcome: 'held_for_review'; conversion: ConversionRow; detail: string }
  | { outcome: 'refused'; reason: PostbackRefusal; parameter?: string; detail?: string }
  | { outcome: 'click_needed' }

/** When and by what a report is applied: `at` is when it was received, `now` the moment it is applied. `decided`: staff said so, who are not asked first. */
export type ReportChange = {
  decided?: boolean
  at: number
  /** When a new conversion was made, where that was told later: it is of that day, and what it comes to is booked now. */
  convertedAt?: number | undefined
  now: number
  origin: ChangeOrigin
  actorId: number | null
} & Pick<Change, 'batchId' | 'quiet'>

/** What a report comes to before anything is written: a conversion made, one changed, one of which only what was said is noted, or an answer. */
export type PlannedReport =
  | { kind: 'create' | 'change'; change: Change }
  | { kind: 'note'; before: ConversionRow; after: ConversionRow }
  | { kind: 'answer'; outcome: ReportOutcome }

/**
 * What a report comes to, given the conversion that is known of its identity. `click` may be null where the click is not
 * stored yet: then a new conversion answers `click_needed`. Writes nothing.
 */
export async function planReport(
  db: DbOrTrx,
  of: ReportedFor,
  { conversion, converted }: KnownConversion,
  click: ConversionClick | null,
  report: Report,
  change: ReportChange,
  scaleOf: (code: Currency) => Promise<number> = (code) => scaleOfCurrency(db, code),
): Promise<PlannedReport> {
  if (conversion !== undefined) return planKnown(db, of, conversion, report, change, scaleOf)
  const { terms, goal } = of
  if (converted) return refused('already_converted')
  const at = change.convertedAt ?? change.at
  const refusal = outsideTimes(of, at)
  if (refusal !== null) return refused(refusal)
  if (click === null) return { kind: 'answer', outcome: { outcome: 'click_needed' } }
  const amount = await inCurrency(db, report, terms, at)
  if ('refusal' in amount) return refused(amount.refusal)
  const draft = draftConversion(terms, goal, click, { ...report, converted: amount.amount }, at, change.now)
  if (draft === null) return refused('payout_rule_missing')
  if (lacksAmount(draft, report)) return refused('amount_unknown')
  return {
    kind: 'create',
    change: { before: null, after: { ...draft, updated_at: new Date(change.at) }, origin: change.origin, actorId: change.actorId },
  }
}

function refused(reason: PostbackRefusal): PlannedReport {
  return { kind: 'answer', outcome: { outcome: 'refused', reason } }
}

/** What became of a plan: `recorded` is its change as it was written, absent where there was none or a full cap refused it. */
export async function outcomeOf(trx: Trx, plan: PlannedReport, recorded: RecordedChange | undefined): Promise<ReportOutcome> {
  if (plan.kind === 'answer') return plan.outcome
  const { before, after } = plan.kind === 'note' ? plan : plan.change
  if (before === null) {
    if (recorded === undefined) throw new Error('a new conversion was not recorded')
    return { outcome: 'created', conversion: recorded.after }
  }
  const conversion = recorded?.after ?? before
  // only what the advertiser said last is noted
  if (recorded === undefined) await noteReported(trx, before.id, after.reported_status)
  if (takesPlace(after.status) && !takesPlace(conversion.status)) return { outcome: 'declined', conversion }
  if (recorded === undefined) return { outcome: 'repeat', conversion }
  if (conversion.status !== before.status) return { outcome: 'changed', conversion }
  return { outcome: 'amount_changed', noted: isNoted(before, conversion), conversion }
}

type Worth = Pick<ConversionRow, 'status' | 'payout' | 'revenue'>

/** Whether all that changes of a conversion is the amount that was said: its goal has a price of its own. */
export function isNoted(before: Worth, after: Worth): boolean {
  return before.status === after.status && before.payout === after.payout && before.revenue === after.revenue
}

async function planKnown(
  db: DbOrTrx,
  of: ReportedFor,
  before: ConversionRow,
  report: Report,
  { at, now, origin, actorId, decided }: ReportChange,
  scaleOf: (code: Currency) => Promise<number>,
): Promise<PlannedReport> {
  if (before.click_id !== of.clickId) return refused('transaction_of_other_click')
  const { sameStatus, sameAmount } = comparedTo(before, report)
  if (sameStatus && sameAmount) return { kind: 'answer', outcome: { outcome: 'repeat', conversion: before } }

  const settled = settle(report.status, { at: before.created_at.getTime(), holdDays: of.terms.hold_days, now })
  // with the status as it was, only the amount is news: what staff or the hold made of the status stays
  const status = sameStatus ? before.status : settled.status
  const holdUntil = sameStatus ? before.hold_until : settled.holdUntil === null ? null : new Date(settled.holdUntil)
  if (!mayBecome(before, status, origin)) return refused('transition_not_allowed')
  if (lacksAmount(before, report)) return refused('amount_unknown')
  // the offer may be in another currency by now: a conversion stays in its own
  const own = { currency: before.currency, scale: await scaleOf(before.currency) }
  // the amount a decline comes with is what it takes back; one that says nothing of the status is what is left of what was declined
  const changed = !sameAmount && (!isLost(report.status) || report.statusNamed === false)
  if (changed && origin === 'postback' && isRefundOrTotal(before, report)) return { kind: 'answer', outcome: refundOrTotal(before, report) }
  if (!sameAmount && origin === 'postback' && isPartBack(before, report)) return { kind: 'answer', outcome: partBack(before, report) }
  if (changed && report.currency === null && of.terms.currency !== before.currency)
    return { kind: 'answer', outcome: eitherCurrency(before, of.terms, report) }
  const converted = await inCurrency(db, changed ? report : { amount: null, currency: null }, own, before.created_at.getTime())
  if ('refusal' in converted) return refused(converted.refusal)
  const reportedStatus = report.statusNamed === false ? before.reported_status : report.status
  const after = repaid(own.scale, before, {
    ...before,
    ...(changed && {
      reported_amount: report.amount,
      reported_currency: report.currency ?? own.currency,
      amount: converted.amount,
      rule: statedBy(before.rule, report.stated, report.amount),
    }),
    reported_status: reportedStatus,
    status,
    hold_until: holdUntil,
    reason: sameStatus ? before.reason : isLost(report.status) ? report.reason || 'by_postback' : report.reason,
    updated_at: new Date(at),
  })
  const isNews =
    after.status !== before.status || after.payout !== before.payout || after.revenue !== before.revenue || after.amount !== before.amount
  if (isNews && report.told === 'earned' && isNoted(before, after)) return { kind: 'answer', outcome: priced(before, report) }
  if (isNews && before.payment_state === 'paid' && decided !== true && (await getSetting(db, billingSetting)).ask_first)
    return { kind: 'answer', outcome: { outcome: 'held_for_review', conversion: before, detail: differenceOf(before, after) } }
  return isNews ? { kind: 'change', change: { before, after, origin, actorId } } : { kind: 'note', before, after }
}

/** What was to become of a conversion, in figures its advertiser knows. */
function differenceOf(before: ConversionRow, after: ConversionRow): string {
  const status = before.status === after.status ? '' : `${before.status} → ${after.status}`
  const amount = before.amount === after.amount ? '' : `${told(before.amount)} → ${told(after.amount)} ${before.currency}`
  return [status, amount].filter(Boolean).join(', ')
}

function told(amount: string | null): string {
  return amount === null ? '0' : amount.replace(/\.?0+$/, '')
}

/** Below zero for one that is above: some send the new amount, some what was refunded of it. A person says which. */
function isRefundOrTotal(before: ConversionRow, { amount }: Report): boolean {
  return amount !== null && toUnits(amount) < 0n && before.amount !== null && toUnits(before.amount) > 0n
}

function refundOrTotal(before: ConversionRow, { amount }: Report): ReportOutcome {
  const detail = `${amount} may be the new amount instead of ${before.reported_amount}, or a refund out of it: send the new amount of the sale`
  return { outcome: 'refused', reason: 'amount_ambiguous', parameter: 'amount', detail }
}

/** A decline of less than was booked: some take that much back, some all of it. An amount of nothing, or in another currency, says neither. */
function isPartBack(before: ConversionRow, { status, amount, currency }: Report): boolean {
  const booked = toUnits(before.reported_amount ?? '0')
  if (status !== 'declined' || isLost(before.status) || amount === null || booked <= 0n) return false
  if (currency !== null && currency !== before.reported_currency) return false
  const units = toUnits(amount)
  const back = units < 0n ? -units : units
  return back > 0n && back < booked
}

function partBack(before: ConversionRow, { amount }: Report): ReportOutcome {
  const detail = `${amount} is less than the ${before.reported_amount} that were booked: send what is left as approved, or the decline without an amount`
  return { outcome: 'refused', reason: 'amount_ambiguous', parameter: 'amount', detail }
}

/** What a conversion brings is told of one whose price was agreed: nothing would follow it. */
function priced({ revenue, currency }: ConversionRow, { amount }: Report): ReportOutcome {
  const detail = `${amount} is not what this conversion brings: its goal has a price of its own, ${told(revenue)} ${currency}, which stays. Reconcile the report to book another revenue, or say that the column is the amount of the sale`
  return { outcome: 'refused', reason: 'amount_ambiguous', parameter: 'amount', detail }
}

/** Without a currency, where the offer is in another by now: both are meant, by some. */
function eitherCurrency({ currency }: ConversionRow, terms: OfferTerms, { amount }: Report): ReportOutcome {
  const detail = `${amount} may be in ${currency} or in ${terms.currency}: send the currency`
  return { outcome: 'refused', reason: 'amount_ambiguous', parameter: 'amount', detail }
}

/** A share of nobody knows what is no money: it needs an amount, unless the conversion ends without any. */
function lacksAmount({ rule, amount }: Pick<ConversionRow, 'rule' | 'amount'>, report: Report): boolean {
  return sharesAmount(rule) && !isLost(report.status) && amount === null && report.amount === null
}

/** Whether a report says of a conversion what was reported last: a repeat, which changes nothing whatever happened since. */
export function isRepeat(before: ConversionRow, of: ReportedFor, report: Report): boolean {
  const { sameStatus, sameAmount } = comparedTo(before, report)
  return before.click_id === of.clickId && sameStatus && sameAmount
}

/** An approval that comes again, in so many words, of one that a full cap declined: there may be room by now. */
function asksAgain(before: ConversionRow, report: Report): boolean {
  return report.status === 'approved' && before.status === 'declined' && before.reason === 'cap_reached'
}

/** No amount means the amount there is, an amount as it was said last the currency it was said in, no status the status there is. */
function comparedTo(before: ConversionRow, report: Report): { sameStatus: boolean; sameAmount: boolean } {
  const { reported_amount: amount, reported_currency: currency } = before
  const sameAmount =
    report.amount === null ||
    (amount !== null && toUnits(amount) === toUnits(report.amount) && (report.currency === null || report.currency === currency))
  const sameStatus = report.statusNamed === false || (before.reported_status === report.status && !asksAgain(before, report))
  return { sameStatus, sameAmount }
}

/**
 * Payout and revenue as the conversion's own rule gives them in its own currency, where amount or status ask for it. One
 * accepted unpaid, because a cap was full, stays so until it is declined; its payout may only be below zero.
 */
export function repaid(scale: number, before: ConversionRow, after: ConversionRow): ConversionRow {
  const comesIn = takesPlace(after.status) && !takesPlace(before.status)
  const unpaid = !before.within_cap && takesPlace(before.status) && takesPlace(after.status)
  const kept = unpaid ? { ...after, reason: before.reason } : after
  if (after.amount === before.amount && !comesIn) return kept
  const { payout, revenue } = payoutOf(after.rule, after.amount, scale)
  return { ...kept, payout: unpaid && !payout.startsWith('-') ? '0.0000' : payout, revenue }
}

/** The amount of a report in a conversion's currency, at the rate of the conversion's day in the network’s zone. */
async function inCurrency(
  db: DbOrTrx,
  { amount, currency }: Pick<Report, 'amount' | 'currency'>,
  to: { currency: Currency; scale: number },
  at: number,
): Promise<{ amount: string | null } | { refusal: PostbackRefusal }> {
  if (amount === null) return { amount }
  const converted = await convertAmount(db, amount, currency ?? to.currency, to, { at })
  if (converted === null) return { refusal: 'rate_missing' }
  const units = toUnits(converted)
  return (units < 0n ? -units : units) > LARGEST_AMOUNT ? { refusal: 'amount_invalid' } : { amount: converted }
}

function outsideTimes({ terms, clickAt }: ReportedFor, at: number): PostbackRefusal | null {
  const passed = at - clickAt
  if (passed > terms.click_lifetime_days * DAY) return 'click_expired'
  if (terms.min_conversion_time !== null && passed < terms.min_conversion_time * 1000) return 'too_early'
  if (terms.max_conversion_time !== null && passed > terms.max_conversion_time * 1000) return 'too_late'
  return null
}
