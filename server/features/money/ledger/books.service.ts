import { createHash } from 'node:crypto'
import { ACCOUNT_KINDS, accountType, type AccountKind } from '#contract/money/account.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { BooksDifference, ledgerApi } from '#contract/money/ledger.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { findSince, firstTransferOf, insertCheck, insertNote, lastCheck, listNotes, ownersOf, transfersOf } from './books.queries.ts'
import { allowLong } from './check.queries.ts'
import { findCrookedAccounts, findCrookedTransfers } from './check.service.ts'

/**
 * Compares the books in one snapshot, and keeps what was found with the first transfer it may have begun with. Nothing mends itself:
 * payout files are not released until the books agree or an admin has noted a reason.
 */
export async function lookAtBooks(db: Db, now: number): Promise<{ accounts: BooksDifference[]; transfers: BooksDifference[] }> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      await allowLong(trx)
      const [accounts, transfers] = [await findCrookedAccounts(trx), await findCrookedTransfers(trx)]
      const { sound } = await findSince(trx)
      for (const one of accounts) {
        const { kind, owner, currency } = one
        if (isAccount(kind) && owner !== null && currency !== null)
          one.transfer = await firstTransferOf(trx, { kind, owner, currency }, sound)
      }
      const differences = [...accounts, ...transfers]
      await insertCheck(trx, { at: new Date(now), differences, fingerprint: fingerprintOf(differences) })
      return { accounts, transfers }
    })
}

/** Since when payout files are closed because the books do not agree; undefined where they agree, or an admin has noted why that may be. */
export async function booksClosedSince(db: DbOrTrx): Promise<Date | undefined> {
  const last = await lastCheck(db)
  if (last === undefined || last.fingerprint === '' || (await listNotes(db, last.fingerprint)).length > 0) return undefined
  return (await findSince(db)).since ?? last.at
}

export async function showBooks(db: DbOrTrx): Promise<CallOutput<typeof ledgerApi.books>> {
  const last = await lastCheck(db)
  if (last === undefined || last.fingerprint === '')
    return { checked_at: last?.at.toISOString() ?? null, since: null, closed: false, seen: '', differences: [], notes: [] }
  const [{ since }, notes] = [await findSince(db), await listNotes(db, last.fingerprint)]
  return {
    checked_at: last.at.toISOString(),
    since: (since ?? last.at).toISOString(),
    closed: notes.length === 0,
    seen: last.fingerprint,
    differences: await named(db, last.differences),
    notes: notes.map((note) => ({ ...note, at: note.at.toISOString() })),
  }
}

/** Notes why files may be released all the same. Throws `conflict` where the books differ otherwise by now, or agree. */
export async function noteBooks(db: Db, now: number, actor: Actor, { seen, reason }: { seen: string; reason: string }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const last = await lastCheck(trx)
    if (last === undefined || last.fingerprint === '' || last.fingerprint !== seen) throw new AppError('conflict')
    await insertNote(trx, { at: new Date(now), account_id: actor.accountId, fingerprint: seen, reason })
    await recordAudit(trx, actor, now, { action: 'books_noted', entity: 'setting', entityId: 'billing', after: { reason } })
  })
}

async function named(db: DbOrTrx, differences: readonly BooksDifference[]): Promise<CallOutput<typeof ledgerApi.books>['differences']> {
  const sideOf = ({ kind }: BooksDifference) => (isAccount(kind) ? accountType(kind).owner : 'network')
  const idsOf = (side: string) => differences.flatMap((one) => (sideOf(one) === side && one.owner !== null ? [one.owner] : []))
  const [owners, transfers] = [
    await ownersOf(db, idsOf('affiliate'), idsOf('advertiser')),
    await transfersOf(
      db,
      differences.flatMap(({ transfer }) => transfer ?? []),
    ),
  ]
  return differences.map((one) => {
    const owner = owners.find(({ side, id }) => side === sideOf(one) && id === one.owner)
    const transfer = transfers.find(({ id }) => id === one.transfer)
    return {
      rule: one.rule,
      account: isAccount(one.kind) ? one.kind : null,
      owner: owner === undefined ? null : { uuid: owner.uuid, id: owner.id, name: owner.name },
      about: isAccount(one.kind) ? '' : (one.kind ?? ''),
      currency: one.currency,
      expected: one.expected,
      found: one.found,
      transfer: transfer === undefined ? null : { id: transfer.id, at: transfer.booked_at.toISOString(), event: transfer.kind },
    }
  })
}

/** Of differences only what differs by how much: balances move on while an old difference stays as it is. */
function fingerprintOf(differences: readonly BooksDifference[]): string {
  if (differences.length === 0) return ''
  const lines = differences.map(({ rule, kind, owner, currency, expected, found, transfer }) => {
    const by = rule === 'stored' ? found : fromUnits(toUnits(found) - toUnits(expected))
    return [rule, kind, owner, currency, by, rule === 'transfer' ? transfer : ''].join(' ')
  })
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
}

function isAccount(kind: string | null): kind is AccountKind {
  return ACCOUNT_KINDS.some((one) => one === kind)
}
