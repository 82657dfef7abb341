import { sql, type Insertable } from 'kysely'
import type { z } from 'zod'
import type { applicationApi, INVITATION_STATES } from '#contract/people/application.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'

export function insertInvitation(db: DbOrTrx, values: Insertable<Tables['invitation']>) {
  return db.insertInto('invitation').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** The invitation of a token that can still be used; `lock` keeps two uses of it from running at once. */
export function findInvitation(db: DbOrTrx, tokenHash: Buffer, now: number, lock = false) {
  return db
    .selectFrom('invitation as i')
    .select(['i.id', 'i.email', 'i.language', 'i.manager_id', 'i.mailed'])
    .where('i.token_hash', '=', tokenHash)
    .where(isOpen(now))
    .$if(lock, (query) => query.forUpdate('i'))
    .executeTakeFirst()
}

export async function markInvitationUsed(trx: Trx, id: number, now: number, affiliateId: number): Promise<void> {
  await trx
    .updateTable('invitation')
    .set({ used_at: new Date(now), affiliate_id: affiliateId })
    .where('id', '=', id)
    .execute()
}

/** Takes back what nobody has used and is in scope: one by uuid, or all to an address. Answers their ids. */
export function revokeInvitations(db: DbOrTrx, now: number, which: { scope: Scope } & ({ uuid: string } | { email: string })) {
  return db
    .updateTable('invitation as i')
    .set({ revoked_at: new Date(now) })
    .where('i.used_at', 'is', null)
    .where('i.revoked_at', 'is', null)
    .where(inScope(which.scope, { affiliateManager: 'i.manager_id' }))
    .$call((query) => ('uuid' in which ? query.where('i.uuid', '=', which.uuid) : query.where('i.email', '=', which.email)))
    .returning('i.id')
    .execute()
}

/** Whether an invitation to an address can still be used, whoever sent it. */
export async function isInvited(db: DbOrTrx, now: number, email: string): Promise<boolean> {
  const open = await db.selectFrom('invitation as i').select('i.id').where('i.email', '=', email).where(isOpen(now)).executeTakeFirst()
  return open !== undefined
}

function isOpen(now: number) {
  return sql<boolean>`i.used_at is null and i.revoked_at is null and i.expires_at > ${new Date(now)}`
}

/** One page of the invitations in scope, newest first, and how many there are. */
export async function listInvitations(db: DbOrTrx, scope: Scope, now: number, filters: z.output<typeof applicationApi.invitations.body>) {
  const found = db
    .selectFrom('invitation as i')
    .where(inScope(scope, { affiliateManager: 'i.manager_id' }))
    .$if(filters.search !== '', (query) => query.where('i.email', 'ilike', containing(filters.search)))
  const { limit, offset } = pageOf(filters)
  const state = sql<
    (typeof INVITATION_STATES)[number]
  >`case when i.used_at is not null then 'used' when i.revoked_at is not null then 'revoked'
    when i.expires_at <= ${new Date(now)} then 'expired' else 'open' end`
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .leftJoin('manager as m', 'm.id', 'i.manager_id')
      .leftJoin('account as ma', 'ma.id', 'm.account_id')
      .leftJoin('account as by', 'by.id', 'i.invited_by')
      .leftJoin('affiliate as f', 'f.id', 'i.affiliate_id')
      .leftJoin('account as fa', 'fa.id', 'f.account_id')
      .select(['i.uuid', 'i.email', 'i.language', 'i.mailed', 'i.created_at', 'i.expires_at'])
      .select([state.as('state'), sql<string>`coalesce(by.name, '')`.as('by')])
      .select([
        reference({ uuid: 'ma.uuid', id: 'm.id', name: 'ma.name' }).as('manager'),
        reference({ uuid: 'fa.uuid', id: 'f.id', name: 'fa.name' }).as('affiliate'),
      ])
      .orderBy('i.id', filters.direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** Removes invitations that ended before; answers how many. */
export async function deleteInvitationsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('invitation').where('expires_at', '<', time).executeTakeFirst()).numDeletedRows)
}
