import { DatabaseError } from 'pg'
import { may, type Actor } from '#server/access/actor.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { applyRows, keptAs, settledAs, undoRows, type AppliedBatch } from './apply.service.ts'
import { fillCounter } from './counter.service.ts'
import { matchBatch } from './match.service.ts'
import { countStates, lockMatching, lockWorking, nextBatch, updateBatch, type WorkingBatch } from './reconciliation.queries.ts'
import { lockNext, settleRows, type SettledRow, type WorkRow } from './row.queries.ts'

type Parts = { db: Db; clickhouse: Clickhouse }

/** Rows of one transaction: what they lock is held for some tenths of a second. */
const BATCH = 500
const NO_LONGER = 'Who started this may not do it any more.'

/**
 * Matches the report that has waited longest, or applies or takes back some of its rows, and answers whether there is more to do.
 *
 * Rows are settled in the transaction that changes their conversions: a worker that dies leaves them done and marked, or neither, and the
 * next one goes on.
 */
export async function workOffReconciliation(parts: Parts, now: number): Promise<boolean> {
  const batch = await nextBatch(parts.db)
  if (batch === undefined) return false
  if (batch.matching_at !== null) await matchOrSay(parts, now, batch)
  else {
    const undoing = batch.state === 'undoing'
    const actor = await actorOfAccount(parts.db, (undoing ? batch.undone_by : batch.applied_by) ?? 0)
    if ((await settleSome(parts, now, actor, batch, BATCH)) === 'none left') await finish(parts.db, now, actor, batch)
  }
  return true
}

/** A report that cannot be matched says so, and is not tried again by itself. */
async function matchOrSay(parts: Parts, now: number, batch: WorkingBatch): Promise<void> {
  try {
    await (batch.counter_of === null ? matchBatch(parts, now, batch) : fillCounter(parts, now, batch))
  } catch (error) {
    log.error({ err: error, reconciliation: batch.uuid }, 'a report could not be matched')
    const since = batch.matching_at
    await parts.db.transaction().execute(async (trx) => {
      if (since !== null && (await lockMatching(trx, batch.id, since)))
        await updateBatch(trx, batch.id, {
          matching_at: null,
          problem: 'Matching failed. Try again; if it fails again, the log of the server tells why.',
        })
    })
  }
}

type Came = 'some' | 'none left' | 'busy'

/** Settles the next rows, while no other worker does. */
async function settleSome(parts: Parts, now: number, actor: Actor | undefined, batch: WorkingBatch, most: number): Promise<Came> {
  const { db } = parts
  const undoing = batch.state === 'undoing'
  try {
    return await db.transaction().execute(async (trx): Promise<Came> => {
      if (!(await lockWorking(trx, batch.id, batch.state))) return 'busy'
      const rows = await lockNext(trx, batch.id, undoing, most)
      if (rows.length === 0) return 'none left'
      const settled = await settle({ trx, clickhouse: parts.clickhouse }, now, actor, batch, rows)
      await settleRows(trx, batch.id, settled)
      return 'some'
    })
  } catch (error) {
    if (!(error instanceof DatabaseError) || !/^2[23]/.test(error.code ?? '')) throw error
    if (most > 1) {
      for (let row = 0; row < most; row++) if ((await settleSome(parts, now, actor, batch, 1)) !== 'some') return 'some'
      return 'some'
    }
    return db.transaction().execute(async (trx): Promise<Came> => {
      if (!(await lockWorking(trx, batch.id, batch.state))) return 'busy'
      const [row] = await lockNext(trx, batch.id, undoing, 1)
      if (row === undefined) return 'none left'
      const reason = 'The database refused this row as it is.'
      await settleRows(trx, batch.id, [undoing ? keptAs(row, reason) : settledAs(row, 'skipped', reason)])
      return 'some'
    })
  }
}

async function settle(
  parts: Parameters<typeof applyRows>[0],
  now: number,
  actor: Actor | undefined,
  batch: WorkingBatch,
  rows: readonly WorkRow[],
): Promise<SettledRow[]> {
  const undoing = batch.state === 'undoing'
  if (actor === undefined || !may(actor, 'billing.write'))
    return rows.map((row) => (undoing ? keptAs(row, NO_LONGER) : settledAs(row, 'skipped', NO_LONGER)))
  const applied: AppliedBatch = batch
  if (undoing) return undoRows(parts.trx, now, actor, applied, rows)
  return applyRows(parts, now, actor, applied, rows)
}

/** Marks a batch as done, once. */
async function finish(db: Db, now: number, actor: Actor | undefined, batch: WorkingBatch): Promise<void> {
  const undoing = batch.state === 'undoing'
  await db.transaction().execute(async (trx) => {
    if (!(await lockWorking(trx, batch.id, batch.state))) return
    const at = new Date(now)
    await updateBatch(trx, batch.id, undoing ? { state: 'undone', undone_at: at } : { state: 'applied', applied_at: at })
    await recordAudit(trx, actor ?? null, now, {
      action: undoing ? 'undo' : 'apply',
      entity: 'reconciliation',
      entityId: batch.id,
      after: await countStates(trx, batch.id),
    })
  })
}
