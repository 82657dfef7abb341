import { divideRounded, fromUnits, toUnits, UNITS } from '#contract/money/amount.ts'
import type { ReportReading } from '#contract/money/report-reading.ts'
import { rememberScales } from '#server/features/money/currency/currency.service.ts'
import { standing } from '#server/features/money/ledger/standing.ts'
import { findClicks, keyOf, loadClickKeys, type StoredClick } from '#server/features/traffic/click/click.queries.ts'
import type { AskedReport } from '#server/features/traffic/conversion/apply-report.service.ts'
import type { Change, ConversionDraft, ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { planReport, repaid } from '#server/features/traffic/conversion/plan-report.service.ts'
import { holdDaysOf, loadTerms, type OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { formerly } from '#server/features/traffic/conversion-import/take-back.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { mayBecome, settle } from '#server/rules/conversion/conversion-status.ts'
import { declinedByAdvertiser } from '#server/rules/conversion/reason.ts'
import { choosePayoutRule, sharesAmount, type PayoutRule } from '#server/rules/offer/payout.ts'
import type { FoundZone, TheirLine } from './match/sides.ts'
import { offsetOn } from './match/zone.ts'
import { conversionsById } from './plan.queries.ts'
import type { PlannedColumns, WorkRow } from './row.queries.ts'

/** What of a batch decides what its rows do. */
export type PlannedBatch = { reading: ReportReading; zone: FoundZone | null; clock_offset: number | null; advertiser_id: number | null }

type Planned = Pick<WorkRow, 'line' | 'action' | 'theirs' | 'conversion_id' | 'proposed' | 'offer_id' | 'affiliate_id' | 'currency'>

const NO_STATUS = 'It cannot take this status any more.'
const NO_CHANGE = 'It is so already.'

/** What rows would do, and by how much that changes payouts and revenue; one of which nothing can be done is left to people. */
export async function planRows(
  { db, clickhouse }: { db: DbOrTrx; clickhouse: Clickhouse },
  now: number,
  batch: PlannedBatch,
  rows: readonly Planned[],
): Promise<PlannedColumns[]> {
  const conversions = new Map(
    (
      await conversionsById(
        db,
        rows.flatMap(({ conversion_id }) => conversion_id ?? []),
      )
    ).map((row) => [row.id, row]),
  )
  const holdDays = await holdDaysOf(
    db,
    [...conversions.values()].map(({ offer_id }) => offer_id),
  )
  const created = await askReports(
    { db, clickhouse },
    now,
    batch,
    rows.filter(({ action }) => action === 'create'),
  )
  const scaleOf = rememberScales(db)
  const planned: PlannedColumns[] = []
  for (const row of rows) {
    const { line, action, offer_id, affiliate_id, currency } = row
    const none = { line, action: 'none' as const, becomes: null, payout: '0', revenue: '0', currency, offer_id, affiliate_id }
    if (action === 'none') {
      planned.push(none)
      continue
    }
    let before: ConversionRow | null = null
    let after: ConversionDraft | null = null
    if (action === 'create') {
      const asked = created.get(line)
      if (asked === undefined || 'reason' in asked) {
        planned.push(none)
        continue
      }
      const change = { at: asked.at ?? now, now, origin: 'import', actorId: null } as const
      const plan = await planReport(db, asked.of, { conversion: undefined, converted: false }, asked.click, asked.report, change, scaleOf)
      if (plan.kind === 'create') after = plan.change.after
    } else {
      before = conversions.get(row.conversion_id ?? '') ?? null
      const change = before && changeOf(row, before, holdDays.get(before.offer_id) ?? 0, await scaleOf(before.currency), batch, now)
      if (change !== null && !('reason' in change)) after = change.after
    }
    if (after === null) planned.push(none)
    else
      planned.push({
        line,
        action,
        becomes: { status: after.status, payout: after.payout, revenue: after.revenue, currency: after.currency },
        ...movedBy(before, after),
        currency: after.currency,
        offer_id: after.offer_id,
        affiliate_id: after.affiliate_id,
      })
  }
  return planned
}

/** By how much a change moves payouts owed and revenue earned, as the ledger books it. */
export function movedBy(before: ConversionRow | null, after: ConversionDraft): { payout: string; revenue: string } {
  const [was, is] = [standing(before), standing(after)]
  return { payout: fromUnits(is.payout_cost - was.payout_cost), revenue: fromUnits(was.network_revenue - is.network_revenue) }
}

/** The change a row makes of a conversion there is, or why it makes none; `holdDays`: of its offer. */
export function changeOf(
  { action, theirs, proposed }: Pick<Planned, 'action' | 'theirs' | 'proposed'>,
  before: ConversionRow,
  holdDays: number,
  scale: number,
  { reading }: Pick<PlannedBatch, 'reading'>,
  now: number,
): Pick<Change, 'before' | 'after'> | { reason: string } {
  if (action === 'restore') return restored(before, proposed?.restore ?? null, now)
  const updated_at = new Date(now)
  let after: ConversionRow = { ...before, updated_at }
  if (action === 'approve') {
    const settled = settle('approved', { at: before.created_at.getTime(), holdDays, now })
    const until = settled.holdUntil === null ? null : new Date(settled.holdUntil)
    after = {
      ...after,
      reported_status: 'approved',
      // what was approved already stays so, and a hold keeps its days
      ...(before.status !== 'approved' && { status: settled.status, hold_until: until, reason: '' }),
    }
  }
  if (action === 'decline') {
    const reason = declinedByAdvertiser(theirs?.reason ?? '')
    after = { ...after, status: 'declined', hold_until: null, reported_status: 'declined', reason }
  }
  if (!mayBecome(before, after.status, 'import')) return { reason: NO_STATUS }
  const amount = action === 'decline' ? null : (proposed?.amount ?? null)
  const paid = withAmount(before, after, amount, reading, scale)
  const isNews =
    paid.status !== before.status || paid.payout !== before.payout || paid.revenue !== before.revenue || paid.amount !== before.amount
  return isNews ? { before, after: paid } : { reason: NO_CHANGE }
}

function restored(
  before: ConversionRow,
  former: Parameters<typeof formerly>[1],
  now: number,
): Pick<Change, 'before' | 'after'> | { reason: string } {
  const after = formerly(before, former, now)
  if (mayBecome(before, after.status, 'import')) return { before, after }
  // what is on an invoice does not wait again: its money is taken back instead
  const declined: ConversionRow = { ...before, status: 'declined', hold_until: null, reason: 'import_undone', updated_at: new Date(now) }
  return mayBecome(before, 'declined', 'import') ? { before, after: declined } : { reason: NO_STATUS }
}

/** With the amount the advertiser named: the sale by the conversion's own rule, or what it owes us; a share gives the sale it is of. */
function withAmount(
  before: ConversionRow,
  after: ConversionRow,
  amount: string | null,
  { amounts }: ReportReading,
  scale: number,
): ConversionRow {
  if (amount === null) return repaid(scale, before, after)
  const sale = amounts === 'sale' ? amount : saleOf(amount, before.rule)
  if (sale === null) return { ...repaid(scale, before, after), revenue: amount }
  const reported = { amount: sale, reported_amount: sale, reported_currency: before.currency }
  const paid = repaid(scale, before, { ...after, ...reported })
  return amounts === 'sale' ? paid : { ...paid, revenue: amount }
}

/** The sale of which a share is so much; null where revenue is no share. */
function saleOf(revenue: string, rule: Pick<PayoutRule, 'payout_percent' | 'revenue_percent' | 'revenue_fixed'>): string | null {
  const percent = toUnits(rule.revenue_percent)
  if (!sharesAmount(rule) || percent === 0n) return null
  return fromUnits(divideRounded((toUnits(revenue) - toUnits(rule.revenue_fixed)) * 100n * UNITS, percent))
}

type Created = { line: number; at: number | undefined } & AskedReport

/** What rows ask for that make conversions, or why they cannot: by their clicks, in the terms of the time they name. */
export async function askReports(
  { db, clickhouse }: { db: DbOrTrx; clickhouse: Clickhouse },
  now: number,
  batch: PlannedBatch,
  rows: readonly Pick<Planned, 'line' | 'theirs' | 'proposed'>[],
): Promise<Map<number, Created | { reason: string }>> {
  const asked = new Map<number, Created | { reason: string }>()
  if (rows.length === 0) return asked
  const keys = await loadClickKeys(db, now)
  const parts = new Map(rows.map(({ line, theirs }) => [line, readClickId(theirs?.clickId ?? '', keys)]))
  const named = [...parts.values()].filter((one) => one !== null)
  const offers = named.map(({ offerId }) => offerId)
  const terms = offers.length === 0 ? new Map<number, OfferTerms>() : await loadTerms(db, offers)
  const clicks = new Map<string, StoredClick>()
  for (let from = 0; from < named.length; from += 500)
    for (const [key, click] of await findClicks(clickhouse, named.slice(from, from + 500))) clicks.set(key, click)
  for (const { line, theirs, proposed } of rows) {
    const of = parts.get(line)
    const offer = of ? terms.get(of.offerId) : undefined
    const click = of ? clicks.get(keyOf(of)) : undefined
    if (!of || theirs === null || offer === undefined || click === undefined || offer.advertiser_id !== batch.advertiser_id) {
      asked.set(line, { reason: 'The click is unknown.' })
      continue
    }
    if (click.test || click.reason !== '') {
      asked.set(line, { reason: click.test ? 'A test click never becomes money.' : 'This click was refused when it came.' })
      continue
    }
    // a line that names none is about the usual one
    const goal = offer.goals.find((one) => (theirs.goalId === null ? one.is_default && !one.retired : one.id === theirs.goalId))
    if (goal === undefined || theirs.goalUnknown) {
      asked.set(line, { reason: 'The offer has no such goal.' })
      continue
    }
    const transactionId = theirs.transactionId === '' ? null : theirs.transactionId
    asked.set(line, {
      line,
      at: createdAt(theirs, batch, of.at, now),
      of: { terms: offer, goal, clickId: theirs.clickId, clickAt: of.at, transactionId },
      click: { ...click, id: theirs.clickId },
      report: {
        status: proposed?.status ?? theirs.status ?? 'approved',
        ...amountOf(theirs, batch.reading, offer, goal.id, click),
        transactionId,
        reason: '',
      },
    })
  }
  return asked
}

function amountOf(theirs: TheirLine, { amounts }: ReportReading, offer: OfferTerms, goalId: number, click: StoredClick) {
  if (theirs.amount === null) return { amount: null, currency: null }
  const currency = theirs.currency ?? null
  if (amounts === 'sale') return { amount: theirs.amount, currency }
  const { affiliateId, landing, geo, device, os } = click
  const rule = choosePayoutRule(offer.rules, { goalId, affiliateId, landing, geo, device, os })
  // of a fixed price the terms say how much
  const sale = rule === null ? null : saleOf(theirs.amount, rule)
  return sale === null ? { amount: null, currency: null } : { amount: sale, currency }
}

/** When a conversion happened that nobody told us of: as the report says, in UTC, never before its click nor in the future. */
function createdAt(theirs: TheirLine, { zone, clock_offset }: PlannedBatch, clickAt: number, now: number): number | undefined {
  if (theirs.at === null) return undefined
  const at = theirs.at - offsetOn(zone, clock_offset, theirs.at) * 60_000 + (theirs.dayOnly ? 43_200_000 : 0)
  return Math.min(now, Math.max(at, clickAt))
}
