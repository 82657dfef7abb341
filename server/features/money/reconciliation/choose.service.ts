import type { z } from 'zod'
import type { reconciliationApi, Reconciliation, ReconciliationAction } from '#contract/money/reconciliation.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { actionOf } from './match.service.ts'
import { planRows } from './plan.service.ts'
import { countIssued } from './our-side.queries.ts'
import { lockBatch, updateBatch } from './reconciliation.queries.ts'
import { holdBatch, showBatch } from './reconciliation.service.ts'
import { leaveChosen, lockChosen, storeChosen, type WorkRow } from './row.queries.ts'

const CHUNK = 2_000
/** So many are left as they are by one statement: a hundred thousand could take longer than one may. */
const MANY = 20_000

/**
 * Says what is done about some rows. Those it cannot be done with, for want of a conversion, a click or an amount, stay as they are and are
 * counted as left. Throws `not_found`, `conflict`, `status_not_allowed`.
 */
export function chooseActions(
  { db, clickhouse }: { db: Db; clickhouse: Clickhouse },
  now: number,
  actor: Actor,
  key: string,
  { revision, rows, filters, action }: z.output<typeof reconciliationApi.choose.body>,
): Promise<z.input<typeof reconciliationApi.choose.response>> {
  return db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, key, revision)
    if (batch.state !== 'matched' || batch.matching_at !== null || batch.advertiser_id === null) throw new AppError('status_not_allowed')
    const by = rows === null ? { filters } : { rows }
    let [changed, left, after] = [0, 0, 0]
    while (action === 'none') {
      const lines = await leaveChosen(trx, batch.id, by, after, MANY)
      if (lines.length === 0) break
      after = lines.reduce((last, line) => Math.max(last, line))
      changed += lines.length
    }
    // by filters that name an action, what was chosen is not found again
    while (action !== 'none') {
      const found = await lockChosen(trx, batch.id, by, after, CHUNK)
      if (found.length === 0) break
      after = found.at(-1)?.line ?? after
      const asked = found.map((row) => withAction(row, action))
      const planned = await planRows(
        { db: trx, clickhouse },
        now,
        batch,
        asked.flatMap((row) => row ?? []),
      )
      const planOf = new Map(planned.map((plan) => [plan.line, plan]))
      const kept = asked.flatMap((row) => {
        const plan = row === null ? undefined : planOf.get(row.line)
        return row !== null && plan !== undefined && (row.action === 'none' || plan.action !== 'none')
          ? [{ ...plan, proposed: row.proposed }]
          : []
      })
      await storeChosen(trx, batch.id, kept)
      changed += kept.length
      left += found.length - kept.length
    }
    if (changed > 0) {
      await updateBatch(trx, batch.id, {})
      await recordAudit(trx, actor, now, {
        action: 'choose',
        entity: 'reconciliation',
        entityId: batch.id,
        after: { chosen: action, rows: changed },
      })
    }
    return { changed, left, revision: revision + (changed > 0 ? 1 : 0) }
  })
}

/** A row with another action; null where that cannot be done about it. */
function withAction(row: WorkRow, action: Exclude<z.output<typeof reconciliationApi.choose.body>['action'], 'none'>): WorkRow | null {
  const isCounter = row.proposed?.restore !== undefined
  if (action === 'proposal') return { ...row, action: isCounter ? 'restore' : actionOf(row.proposal) }
  if (isCounter || !isPossible(row, action)) return null
  const amount =
    row.proposed?.amount ?? (action === 'correct' && row.theirs?.currency === row.currency ? (row.theirs?.amount ?? null) : null)
  return { ...row, action, proposed: { status: row.proposed?.status ?? null, amount: amount ?? ownAmount(row, action) } }
}

function isPossible({ conversion_id, theirs }: WorkRow, action: ReconciliationAction): boolean {
  if (action === 'create') return conversion_id === null && theirs?.click === 'known'
  if (conversion_id === null) return false
  return action !== 'correct' || (theirs !== null && theirs.amount !== null)
}

/** An amount without a currency is in the conversion’s own. */
function ownAmount({ theirs }: WorkRow, action: ReconciliationAction): string | null {
  return action === 'correct' && theirs?.currency === null ? theirs.amount : null
}

/** Begins to apply what was chosen, in the background. Throws `not_found`, `conflict`, `invalid_input`, `status_not_allowed`. */
export async function startApplying(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { revision, postbacks }: z.output<typeof reconciliationApi.apply.body>,
): Promise<Reconciliation> {
  await db.transaction().execute(async (trx) => {
    const batch = await holdStarted(trx, key, revision, ['applying', 'applied'])
    if (batch === null) return
    if (batch.state !== 'matched' || batch.matching_at !== null || batch.advertiser_id === null) throw new AppError('status_not_allowed')
    if (!batch.zone_confirmed) throw new AppError('invalid_input', { fields: { zone: 'Confirm the clock of the report first' } })
    await updateBatch(trx, batch.id, { state: 'applying', postbacks, applied_by: actor.accountId, applying_at: new Date(now) })
    await recordAudit(trx, actor, now, { action: 'start', entity: 'reconciliation', entityId: batch.id, after: { postbacks } })
  })
  return showBatch(db, key)
}

/** The batch of a change that may come twice; null where it has come already. */
async function holdStarted(trx: Parameters<typeof holdBatch>[0], key: string, revision: number, done: readonly string[]) {
  const batch = await lockBatch(trx, key)
  if (batch === undefined) throw new AppError('not_found')
  if (done.includes(batch.state)) return null
  if (batch.revision !== revision) throw new AppError('conflict')
  return batch
}

/** Gives back what a batch changed, in the background. Throws `not_found`, `conflict`, `status_not_allowed`, `undo_too_late`. */
export async function startUndoing(db: Db, now: number, actor: Actor, key: string, revision: number): Promise<Reconciliation> {
  await db.transaction().execute(async (trx) => {
    const batch = await holdStarted(trx, key, revision, ['undoing', 'undone'])
    if (batch === null) return
    if (batch.state !== 'applied' || batch.countered_by_uuid !== null) throw new AppError('status_not_allowed')
    const issued = await countIssued(trx, batch.id)
    if (issued > 0) throw new AppError('undo_too_late', { values: { n: String(issued) } })
    await updateBatch(trx, batch.id, { state: 'undoing', undone_by: actor.accountId })
    const change = { before: { state: 'applied' }, after: { state: 'undone' } }
    await recordAudit(trx, actor, now, { action: 'start_undo', entity: 'reconciliation', entityId: batch.id, ...change })
  })
  return showBatch(db, key)
}
