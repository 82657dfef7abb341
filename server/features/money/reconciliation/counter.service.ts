import { setImmediate as breathe } from 'node:timers/promises'
import { toUnits } from '#contract/money/amount.ts'
import type { Reconciliation } from '#contract/money/reconciliation.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { conversionsById } from './plan.queries.ts'
import { planRows, type PlannedBatch } from './plan.service.ts'
import { getBatch, insertBatch, lockBatch, lockMatching, updateBatch, type WorkingBatch } from './reconciliation.queries.ts'
import { showBatch } from './reconciliation.service.ts'
import { addRows, appliedAfter, noteDiffering, type MatchedColumns } from './row.queries.ts'

/** So many rows are turned around while the caller waits; more the worker does. */
const AT_ONCE = 2_000

type Parts = { db: Db; clickhouse: Clickhouse }

/**
 * Makes a batch that proposes the opposite of what one did, row by row: what is on an invoice becomes a correction by it. Asked again it
 * answers the one there is. Of many rows it is made in the background, as a report is matched. Throws `not_found`, `status_not_allowed`.
 */
export async function makeCounter({ db, clickhouse }: Parts, now: number, actor: Actor, key: string): Promise<Reconciliation> {
  const uuid = await db.transaction().execute(async (trx) => {
    const batch = await lockBatch(trx, key)
    if (batch === undefined) throw new AppError('not_found')
    if (batch.countered_by_uuid !== null) return batch.countered_by_uuid
    if (batch.state !== 'applied' || batch.advertiser_id === null) throw new AppError('status_not_allowed')
    const at = new Date(now)
    const first = await appliedAfter(trx, batch.id, 0, AT_ONCE + 1)
    const later = first.length > AT_ONCE
    const counter = await insertBatch(trx, {
      ...(later ? { state: 'uploaded', matching_at: at } : { state: 'matched', matched_at: at }),
      advertiser_id: batch.advertiser_id,
      file_name: batch.file_name,
      format: 'counter',
      columns: [],
      row_count: 0,
      reading: JSON.stringify(batch.reading),
      period_from: batch.from_day,
      period_to: batch.to_day,
      time_zone: batch.time_zone,
      zone_confirmed: true,
      counter_of: batch.id,
      created_by: actor.accountId,
      created_at: at,
    })
    if (!later) {
      await addRows(trx, counter.id, await oppositeOf({ db: trx, clickhouse }, now, batch, first))
      await noteDiffering(trx, counter.id)
    }
    await recordAudit(trx, actor, now, {
      action: 'create',
      entity: 'reconciliation',
      entityId: counter.id,
      after: { counter_of: batch.id },
    })
    return counter.uuid
  })
  return showBatch(db, uuid)
}

/** Fills a batch that takes another one back and was too large to be made at once; whole, or not at all. */
export async function fillCounter({ db, clickhouse }: Parts, now: number, counter: WorkingBatch): Promise<void> {
  const since = counter.matching_at
  const batch = await getBatch(db, String(counter.counter_of))
  if (since === null || batch === undefined) return
  await db.transaction().execute(async (trx) => {
    if ((await lockMatching(trx, counter.id, since)) === undefined) return
    for (let line = 0; ; await breathe()) {
      const rows = await appliedAfter(trx, batch.id, line, AT_ONCE)
      if (rows.length === 0) break
      line = rows.at(-1)?.line ?? line
      await addRows(trx, counter.id, await oppositeOf({ db: trx, clickhouse }, now, batch, rows))
    }
    await noteDiffering(trx, counter.id)
    await updateBatch(trx, counter.id, { state: 'matched', matching_at: null, problem: '', matched_at: new Date(now) })
  })
}

/** What would give the conversions of some rows back what they were before. */
async function oppositeOf(
  parts: { db: Trx; clickhouse: Clickhouse },
  now: number,
  batch: PlannedBatch,
  rows: Awaited<ReturnType<typeof appliedAfter>>,
): Promise<MatchedColumns[]> {
  const ids = rows.flatMap(({ conversion_id }) => conversion_id ?? [])
  const conversions = new Map((await conversionsById(parts.db, ids)).map((row) => [row.id, row]))
  const opposite = rows.flatMap((row): MatchedColumns[] => {
    const ours = conversions.get(row.conversion_id ?? '')
    if (ours === undefined) return []
    return [
      {
        line: row.line,
        theirs: row.theirs,
        conversion_id: ours.id,
        key: row.key,
        cause: row.cause ?? 'unknown',
        detail: '',
        proposal: row.before === null ? 'decline' : 'correct',
        action: 'restore',
        becomes_correction: ours.payment_state !== 'open' || toUnits(ours.billed) !== 0n,
        proposed: { status: null, amount: null, restore: row.before },
        seen: { status: ours.status, payout: ours.payout, revenue: ours.revenue, amount: ours.amount },
        becomes: null,
        offer_id: ours.offer_id,
        affiliate_id: ours.affiliate_id,
        currency: ours.currency,
        payout: '0',
        revenue: '0',
        their_amount: null,
        our_amount: ours.revenue,
        state: 'open',
        reason: '',
      },
    ]
  })
  const plans = new Map((await planRows(parts, now, batch, opposite)).map((plan) => [plan.line, plan]))
  return opposite.map((row) => ({ ...row, ...plans.get(row.line) }))
}
