import type { Actor } from '#server/access/actor.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { mayBecome, takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { recordChanges } from '../conversion/change.service.ts'
import type { Change, ConversionRow } from '../conversion/change.ts'
import { lastEntries } from '../history/history.queries.ts'
import type { ConversionBefore } from '#server/rules/conversion/conversion-before.ts'
import { lockConversionsById, relinkRows, type LockedRow, type SettledRow } from './conversion-import.queries.ts'

/**
 * Gives the conversions of some rows of an import back what they were before: by new changes, whatever was booked is booked back
 * today. One the file made becomes trash. Kept is what something else has changed since, and what is on an invoice. Of two rows
 * about one conversion the later one comes first; the earlier one is not answered and waits for the next call.
 */
export async function takeBack(trx: Trx, now: number, actor: Actor, importId: number, rows: readonly LockedRow[]): Promise<SettledRow[]> {
  const conversions = new Map(
    (
      await lockConversionsById(
        trx,
        rows.flatMap(({ conversion_id }) => conversion_id ?? []),
      )
    ).map((row) => [row.id, row]),
  )
  const entries = await lastEntries(trx, [...conversions.keys()])
  const settled: SettledRow[] = []
  const settle = ({ cells: _cells, last_seq: _last, ...row }: LockedRow, state: 'undone' | 'kept', reason = '') =>
    void settled.push({ ...row, state, reason })
  const changes = new Map<string, { row: LockedRow; change: Change }>()
  for (const row of rows) {
    const before = conversions.get(row.conversion_id ?? '')
    const [last] = entries.get(row.conversion_id ?? '') ?? []
    if (before !== undefined && changes.has(before.uuid)) continue
    if (before === undefined || last?.seq !== (row.last_seq ?? row.seq)) settle(row, 'kept', 'Something else has changed it since.')
    else if (before.payment_state !== 'open') settle(row, 'kept', 'It is on an invoice.')
    else {
      const change: Change = { before, after: formerly(before, row.before, now), origin: 'import', actorId: actor.accountId }
      if (mayBecome(before, change.after.status, 'import')) changes.set(before.uuid, { row, change })
      else settle(row, 'kept', 'Its status cannot be given back.')
    }
  }
  const asked = [...changes.values()].map(({ change }) => change)
  const written = new Map((await recordChanges(trx, asked, now)).map((one) => [one.after.uuid, one]))
  const links: { conversion_id: string; seq: number; to: number }[] = []
  for (const [uuid, { row, change }] of changes) {
    const one = written.get(uuid)
    if (one === undefined || (takesPlace(change.after.status) && !takesPlace(one.after.status))) {
      settle(row, 'kept', 'A cap of the offer is full by now.')
      continue
    }
    settle(row, 'undone')
    // to a row of before, about the same conversion, nothing has happened since
    if (row.seq !== null) links.push({ conversion_id: one.after.id, seq: row.seq, to: one.seq })
  }
  await relinkRows(trx, importId, links)
  return settled
}

/** A conversion as it was; a hold that would be over by now is over. */
export function formerly(conversion: ConversionRow, before: ConversionBefore | null, now: number): ConversionRow {
  const updated_at = new Date(now)
  if (before === null) return { ...conversion, status: 'trash', hold_until: null, reason: 'import_undone', updated_at }
  const { hold_until, ...rest } = before
  const until = hold_until === null ? null : new Date(hold_until)
  const isOver = rest.status === 'hold' && until !== null && until.getTime() <= now
  return { ...conversion, ...rest, status: isOver ? 'approved' : rest.status, hold_until: isOver ? null : until, updated_at }
}
