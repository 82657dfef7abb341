import { may, type Actor } from '#server/access/actor.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { isAboutRow, isLastTry, settleApart, workOff } from '#server/platform/jobs/work-off.ts'
import { log } from '#server/platform/log.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { applyRows, keptAs, settledAs, undoRows, type AppliedBatch } from './apply.service.ts'
import { fillCounter } from './counter.service.ts'
import { matchBatch } from './match.service.ts'
import {
  countStates,
  lockMatching,
  lockWorking,
  nextBatch,
  putBatchBack,
  updateBatch,
  type WorkingBatch,
} from './reconciliation.queries.ts'
import { lockNext, settleRows, type SettledRow, type WorkRow } from './row.queries.ts'

type Parts = { db: Db; clickhouse: Clickhouse }

/** Rows of one transaction: what they lock is held for some tenths of a second. */
const BATCH = 500
const NO_LONGER = 'Who started this may not do it any more.'

const TRIED_AGAIN = 'This could not be done now, and is tried again by itself. The log of the server tells why.'
const FAILED = 'This row fails each time it is tried: the log of the server tells why.'
const REFUSED = 'The database refused this row as it is.'

/**
 * Matches the report that has waited longest, or applies or takes back some of its rows, and answers whether there is more to do.
 *
 * Rows are settled in the transaction that changes their conversions: a worker that dies leaves them done and marked, or neither, and the
 * next one goes on. What fails says so, is put back and holds up no other report; after some hours the rows that fail are passed over.
 */
export function workOffReconciliation(parts: Parts, now: number): Promise<boolean> {
  return workOff('a report was not applied or taken back', now, {
    next: () => nextBatch(parts.db, new Date(now)),
    async work(batch) {
      if (batch.matching_at !== null) return matchOrSay(parts, now, batch)
      const undoing = batch.state === 'undoing'
      const actor = await actorOfAccount(parts.db, (undoing ? batch.undone_by : batch.applied_by) ?? 0)
      if ((await settleNext(parts, now, actor, batch)) === 'none left') await finish(parts.db, now, actor, batch)
    },
    putBack: (batch, until) => putBatchBack(parts.db, batch, until, TRIED_AGAIN),
  })
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
function settleNext(parts: Parts, now: number, actor: Actor | undefined, batch: WorkingBatch): Promise<Came> {
  const undoing = batch.state === 'undoing'
  const withNext = (most: number, settleThem: (trx: Trx, rows: readonly WorkRow[]) => Promise<SettledRow[]>) =>
    parts.db.transaction().execute(async (trx): Promise<Came> => {
      if (!(await lockWorking(trx, batch.id, batch.state))) return 'busy'
      const rows = await lockNext(trx, batch.id, undoing, most)
      if (rows.length === 0) return 'none left'
      await settleRows(trx, batch.id, await settleThem(trx, rows))
      if (batch.failures > 0) await updateBatch(trx, batch.id, AS_NEW)
      return 'some'
    })
  return settleApart<Came>(BATCH, {
    settle: (most) => withNext(most, (trx, rows) => settle({ trx, clickhouse: parts.clickhouse }, now, actor, batch, rows)),
    refuse: (error) =>
      withNext(1, async (_trx, rows) => {
        log.error({ err: error, reconciliation: batch.uuid, line: rows[0]?.line }, 'a row of a report is passed over')
        const reason = isAboutRow(error) ? REFUSED : FAILED
        return rows.map((row) => (undoing ? keptAs(row, reason) : settledAs(row, 'skipped', reason)))
      }),
    isSome: (came) => came === 'some',
    blames: (error) => isAboutRow(error) || isLastTry(batch),
  })
}

/** Not put back, and without a failure. */
const AS_NEW = { due_at: null, failures: 0, problem: '' }

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
    await updateBatch(trx, batch.id, {
      ...AS_NEW,
      ...(undoing ? { state: 'undone', undone_at: at } : { state: 'applied', applied_at: at }),
    })
    await recordAudit(trx, actor ?? null, now, {
      action: undoing ? 'undo' : 'apply',
      entity: 'reconciliation',
      entityId: batch.id,
      after: await countStates(trx, batch.id),
    })
  })
}
