import { sql } from 'kysely'
import { insertRowsReturning, recordsOf } from '#server/platform/pg/bulk.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { queueFacts } from '../fact/outbox.queries.ts'
import { book } from '#server/features/money/ledger/booking.service.ts'
import { settleCaps } from './cap.service.ts'
import type { Change, RecordedChange } from './change.ts'
import { queueDeliveries } from './delivery.service.ts'
import { appendHistory } from './history.service.ts'

/**
 * Writes changes of conversions with all that follows from them: places in caps, rows, history, ledger, facts for the
 * statistics and postbacks to affiliates, all in the caller's transaction, one statement per table however many there are.
 *
 * Locks are always taken in this order, each kind by its key, so that nothing waits in a circle: identity of the
 * conversion (advisory, `lockIdentities`) or its row by id; cap counters by (offer, day); heads of history by affiliate;
 * ledger accounts by id. The caller holds the first kind; a conversion appears once among the changes.
 * `refused` are changes by staff that found no place in their offer's cap.
 */
export async function recordChanges(
  trx: Trx,
  changes: readonly Change[],
  now: number,
): Promise<{ recorded: RecordedChange[]; refused: Change[] }> {
  if (changes.length === 0) return { recorded: [], refused: [] }
  const { kept, refused } = await settleCaps(trx, changes, now)
  const written = await writeRows(trx, kept)
  const recorded = await appendHistory(trx, written)
  await book(trx, recorded)
  await queueFacts(
    trx,
    recorded.flatMap(({ before, after }) => [
      ...(before === null ? [] : [{ row: before, sign: -1 as const }]),
      { row: after, sign: 1 as const },
    ]),
  )
  await queueDeliveries(trx, recorded)
  return { recorded, refused }
}

/** Locks the identities conversions may have, until the end of the transaction: copies of one postback come one after the other. */
export async function lockIdentities(trx: Trx, identities: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended(identity, 0) as key from unnest(${identities}::text[]) as identity order by key) as keys`.execute(
    trx,
  )
}

async function writeRows(trx: Trx, changes: readonly Change[]): Promise<Omit<RecordedChange, 'seq'>[]> {
  const fresh = changes.filter((change) => change.before === null)
  const ids = await insertRowsReturning(
    trx,
    'conversion',
    fresh.map((change) => change.after),
    ['id', 'uuid'],
  )
  const idOf = new Map(ids.map(({ id, uuid }) => [uuid, id]))
  const changed = changes.flatMap((change) => (change.before === null ? [] : [{ ...change.after, id: change.before.id }]))
  if (changed.length > 0) {
    await sql`
      update conversion as c
         set status = n.status, reason = n.reason, payout = n.payout, revenue = n.revenue, amount = n.amount, hold_until = n.hold_until, cap_day = n.cap_day,
             reported_status = n.reported_status, reported_amount = n.reported_amount, reported_currency = n.reported_currency, updated_at = n.updated_at
        from ${recordsOf('conversion', changed)} as n where c.id = n.id`.execute(trx)
  }
  return changes.map((change) => ({ ...change, after: { ...change.after, id: change.before?.id ?? idOf.get(change.after.uuid) ?? '' } }))
}
