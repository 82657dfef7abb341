import { toUnits } from '#contract/money/amount.ts'
import type { Reconciliation } from '#contract/money/reconciliation.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { conversionsById } from './plan.queries.ts'
import { planRows } from './plan.service.ts'
import { lockBatch, insertBatch } from './reconciliation.queries.ts'
import { showBatch } from './reconciliation.service.ts'
import { addRows, appliedAfter, type MatchedColumns } from './row.queries.ts'

const CHUNK = 2_000

/**
 * Makes a batch that proposes the opposite of what one did, row by row: what is on an invoice becomes a correction by it. Asked again it
 * answers the one there is. Throws `not_found`, `status_not_allowed`.
 */
export async function makeCounter(
  { db, clickhouse }: { db: Db; clickhouse: Clickhouse },
  now: number,
  actor: Actor,
  key: string,
): Promise<Reconciliation> {
  const uuid = await db.transaction().execute(async (trx) => {
    const batch = await lockBatch(trx, key)
    if (batch === undefined) throw new AppError('not_found')
    if (batch.countered_by_uuid !== null) return batch.countered_by_uuid
    if (batch.state !== 'applied' || batch.advertiser_id === null) throw new AppError('status_not_allowed')
    const at = new Date(now)
    const counter = await insertBatch(trx, {
      state: 'matched',
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
      matched_at: at,
    })
    for (let line = 0; ;) {
      const rows = await appliedAfter(trx, batch.id, line, CHUNK)
      if (rows.length === 0) break
      line = rows.at(-1)?.line ?? line
      const conversions = new Map(
        (
          await conversionsById(
            trx,
            rows.flatMap(({ conversion_id }) => conversion_id ?? []),
          )
        ).map((row) => [row.id, row]),
      )
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
      const plans = new Map((await planRows({ db: trx, clickhouse }, now, batch, opposite)).map((plan) => [plan.line, plan]))
      await addRows(
        trx,
        counter.id,
        opposite.map((row) => ({ ...row, ...plans.get(row.line) })),
      )
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
