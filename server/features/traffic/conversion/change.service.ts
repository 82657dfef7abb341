import type { Trx } from '#server/platform/pg/database.ts'
import { behind, together } from '#server/platform/pg/pipeline.ts'
import { queueFacts } from '../fact/outbox.queries.ts'
import { book } from '#server/features/money/ledger/booking.service.ts'
import { settleCaps, type HeldCaps } from '../cap/cap.service.ts'
import type { Change, RecordedChange } from './change.ts'
import { insertConversions, updateConversions } from './conversion-row.queries.ts'
import { listenersOf, queueDeliveries } from './delivery.service.ts'
import { appendHistory, lockHeadsOf } from '../history/history.service.ts'

/**
 * Writes changes of conversions with all that follows from them: places in caps, rows, history, ledger, facts for the
 * statistics and postbacks to affiliates, all in the caller's transaction, one statement per table however many there are.
 *
 * Locks are always taken in this order, each kind by its key, so that nothing waits in a circle: identity of the
 * conversion (advisory, `lockIdentities`) or its row by id; the caps of offers (advisory, shared); cap counters by their
 * keys; heads of history by affiliate; ledger accounts by id. The caller holds the first kind; a conversion appears once
 * among the changes. One that asks in vain for a place in a full cap is left out. `caps`: those of their offers, where they are held.
 */
export async function recordChanges(trx: Trx, changes: readonly Change[], now: number, caps?: HeldCaps): Promise<RecordedChange[]> {
  const kept = await settleCaps(trx, changes, now, caps)
  if (kept.length === 0) return []
  const [written, heads, postbacks] = await together(
    trx,
    () => writeRows(trx, kept),
    () => lockHeadsOf(trx, kept),
    () => listenersOf(trx, kept),
  )
  const recorded = await appendHistory(trx, written, heads)
  const facts = recorded.flatMap(({ before, after }) => [
    ...(before === null ? [] : [{ row: before, sign: -1 as const }]),
    { row: after, sign: 1 as const },
  ])
  await behind(trx, queueFacts(trx, facts))
  await book(trx, recorded, now)
  await queueDeliveries(trx, recorded, postbacks)
  return recorded
}

async function writeRows(trx: Trx, changes: readonly Change[]): Promise<Omit<RecordedChange, 'seq'>[]> {
  const idOf = await insertConversions(
    trx,
    changes.flatMap(({ before, after }) => (before === null ? [after] : [])),
  )
  await updateConversions(
    trx,
    changes.flatMap(({ before, after }) => (before === null ? [] : [{ ...after, id: before.id }])),
  )
  return changes.map((change) => ({ ...change, after: { ...change.after, id: change.before?.id ?? idOf.get(change.after.uuid) ?? '' } }))
}
