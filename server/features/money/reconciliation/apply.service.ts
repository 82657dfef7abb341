import type { Actor } from '#server/access/actor.ts'
import { rememberScales } from '#server/features/money/currency/currency.service.ts'
import { applyReports, identitiesOf } from '#server/features/traffic/conversion/apply-report.service.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import type { Change, ConversionRow, RecordedChange } from '#server/features/traffic/conversion/change.ts'
import { findConversions, lockIdentities } from '#server/features/traffic/conversion/conversion-row.queries.ts'
import { formerly } from '#server/features/traffic/conversion-import/take-back.service.ts'
import { lockConversionsById } from '#server/features/traffic/conversion-import/conversion-import.queries.ts'
import { holdDaysOf } from '#server/features/traffic/conversion/terms.queries.ts'
import { lastEntries } from '#server/features/traffic/history/history.queries.ts'
import { sayRefusal } from '#server/features/traffic/postback/incoming/refused.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { beforeOf } from '#server/rules/conversion/conversion-before.ts'
import { mayBecome, takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { toUnits } from '#contract/money/amount.ts'
import { issuedAmong } from './plan.queries.ts'
import { askReports, changeOf, movedBy, type PlannedBatch } from './plan.service.ts'
import type { SettledRow, WorkRow } from './row.queries.ts'
import type { Seen } from '#server/rules/reconciliation-row.ts'

/** A batch as its rows are applied. */
export type AppliedBatch = PlannedBatch & { id: number; postbacks: boolean }

const CHANGED = 'Something else has changed it since the report was matched.'
const CAP = 'A cap of the offer is full.'

/**
 * Does what some rows say, rows that make conversions apart from others. One whose conversion is not what it was when it was matched
 * is passed over, and so is one that was reported meanwhile. Locks as `recordChanges` says.
 */
export async function applyRows(
  { trx, clickhouse }: { trx: Trx; clickhouse: Clickhouse },
  now: number,
  actor: Actor,
  batch: AppliedBatch,
  rows: readonly WorkRow[],
): Promise<SettledRow[]> {
  const creating = rows.filter(({ action }) => action === 'create')
  if (creating.length > 0) return createRows({ trx, clickhouse }, now, actor, batch, creating)
  const conversions = await lockedConversions(trx, rows)
  const holdDays = await holdDaysOf(
    trx,
    [...conversions.values()].map(({ offer_id }) => offer_id),
  )
  const scaleOf = rememberScales(trx)
  const settled: SettledRow[] = []
  const changes = new Map<string, { row: WorkRow; change: Change }>()
  for (const row of rows) {
    const before = conversions.get(row.conversion_id ?? '')
    if (before === undefined || row.seen === null || !isAsSeen(before, row.seen)) settled.push(settledAs(row, 'skipped', CHANGED))
    else {
      const change = changeOf(row, before, holdDays.get(before.offer_id) ?? 0, await scaleOf(before.currency), batch, now)
      if ('reason' in change) settled.push(settledAs(row, 'same', change.reason))
      else changes.set(before.uuid, { row, change: { ...change, ...made(batch, actor) } })
    }
  }
  const recorded = await recordAll(trx, changes, now)
  for (const [uuid, { row, change }] of changes) {
    const one = recorded.get(uuid)
    const lost = one === undefined || (takesPlace(change.after.status) && !takesPlace(one.after.status))
    settled.push(lost ? settledAs(row, 'skipped', CAP) : appliedAs(row, one))
  }
  return settled
}

async function createRows(
  parts: { trx: Trx; clickhouse: Clickhouse },
  now: number,
  actor: Actor,
  batch: AppliedBatch,
  rows: readonly WorkRow[],
): Promise<SettledRow[]> {
  const { trx } = parts
  const asked = await askReports({ db: trx, clickhouse: parts.clickhouse }, now, batch, rows)
  const reports = [...asked.values()].flatMap((one) => ('of' in one ? [one] : []))
  await lockIdentities(
    trx,
    reports.flatMap(({ of }) => identitiesOf(of.terms, [of.goal], of.clickId, of.transactionId)),
  )
  const known = await findConversions(
    trx,
    reports.map(({ of }) => of),
  )
  const isNew = new Set(reports.filter((_report, index) => known[index]?.conversion === undefined).map(({ line }) => line))
  const fresh = reports.filter(({ line }) => isNew.has(line))
  const { origin, actorId, batchId, quiet } = made(batch, actor)
  const applied = await applyReports(trx, fresh, { at: now, now, origin, actorId, batchId, quiet })
  const outcomeOf = new Map(fresh.map(({ line }, index) => [line, applied[index]]))
  return rows.map((row) => {
    const one = asked.get(row.line)
    if (one === undefined || 'reason' in one) return settledAs(row, 'skipped', one?.reason ?? 'The click is unknown.')
    if (!isNew.has(row.line)) return settledAs(row, 'skipped', 'It was reported since the report was matched.')
    const { outcome, recorded } = outcomeOf.get(row.line) ?? {}
    if (recorded !== undefined && outcome?.outcome === 'created') return appliedAs(row, recorded)
    if (outcome?.outcome === 'refused') return settledAs(row, 'skipped', sayRefusal({ ...outcome, refusal: outcome.reason }))
    return settledAs(row, 'skipped', outcome?.outcome === 'declined' ? CAP : 'The click is not stored.')
  })
}

/**
 * Gives the conversions of some rows back what they were, by new changes: whatever was booked is booked back today. What something else has
 * changed since stays, and so does what is on an issued invoice by now.
 */
export async function undoRows(trx: Trx, now: number, actor: Actor, batch: AppliedBatch, rows: readonly WorkRow[]): Promise<SettledRow[]> {
  const conversions = await lockedConversions(trx, rows)
  const ids = [...conversions.keys()]
  const [entries, issued] = [await lastEntries(trx, ids), await issuedAmong(trx, ids)]
  const settled: SettledRow[] = []
  const changes = new Map<string, { row: WorkRow; change: Change }>()
  for (const row of rows) {
    const before = conversions.get(row.conversion_id ?? '')
    const [last] = entries.get(row.conversion_id ?? '') ?? []
    if (before === undefined || last?.seq !== row.seq) settled.push(keptAs(row, 'Something else has changed it since.'))
    else if (issued.has(before.id)) settled.push(keptAs(row, 'It is on an issued invoice by now.'))
    else {
      const after = formerly(before, row.before, now)
      if (!mayBecome(before, after.status, 'import')) settled.push(keptAs(row, 'It is on an invoice, where nothing waits any more.'))
      else changes.set(before.uuid, { row, change: { before, after, ...made(batch, actor) } })
    }
  }
  const recorded = await recordAll(trx, changes, now)
  for (const [uuid, { row, change }] of changes) {
    const one = recorded.get(uuid)
    const lost = one === undefined || (takesPlace(change.after.status) && !takesPlace(one.after.status))
    settled.push(lost ? keptAs(row, `${CAP.slice(0, -1)} by now.`) : { ...settledAs(row, 'undone', ''), seq: row.seq, before: row.before })
  }
  return settled
}

function made(batch: AppliedBatch, actor: Actor) {
  return { origin: 'import' as const, actorId: actor.accountId, batchId: batch.id, quiet: !batch.postbacks }
}

async function lockedConversions(trx: Trx, rows: readonly WorkRow[]): Promise<Map<string, ConversionRow>> {
  const locked = await lockConversionsById(
    trx,
    rows.flatMap(({ conversion_id }) => conversion_id ?? []),
  )
  return new Map(locked.map((row) => [row.id, row]))
}

async function recordAll(trx: Trx, changes: ReadonlyMap<string, { change: Change }>, now: number): Promise<Map<string, RecordedChange>> {
  const recorded = await recordChanges(
    trx,
    [...changes.values()].map(({ change }) => change),
    now,
  )
  return new Map(recorded.map((one) => [one.after.uuid, one]))
}

function isAsSeen(row: ConversionRow, seen: Seen): boolean {
  const same = (a: string | null, b: string | null) => (a === null || b === null ? a === b : toUnits(a) === toUnits(b))
  return row.status === seen.status && same(row.payout, seen.payout) && same(row.revenue, seen.revenue) && same(row.amount, seen.amount)
}

/** A row of which nothing came, or that cannot be done. */
export function settledAs({ line, conversion_id }: WorkRow, state: SettledRow['state'], reason: string): SettledRow {
  return { line, state, reason, conversion_id, seq: null, before: null, done_payout: null, done_revenue: null }
}

/** A row that was applied and is not taken back: it did what it did. */
export function keptAs(row: WorkRow, reason: string): SettledRow {
  return {
    ...settledAs(row, 'kept', reason),
    seq: row.seq,
    before: row.before,
    done_payout: row.done_payout,
    done_revenue: row.done_revenue,
  }
}

function appliedAs(row: WorkRow, { before, after, seq }: RecordedChange): SettledRow {
  const { payout, revenue } = movedBy(before, after)
  return {
    line: row.line,
    state: 'applied',
    reason: '',
    conversion_id: after.id,
    seq,
    before: before && beforeOf(before),
    done_payout: payout,
    done_revenue: revenue,
  }
}
