import { sql, type Insertable, type Updateable } from 'kysely'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { foundSessions, type Contacts, type Filters } from '../user-session/user-session.queries.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT } from '#server/rules/lead/states.ts'

/** So many files of one account are listed. */
const MOST_LISTED = 20

const SHOWN = ['id', 'uuid', 'created_at', 'state', 'reason', 'note', 'rows', 'expires_at', 'downloads'] as const

/** The leads in scope whose contacts are still kept, the newest first, at most so many. */
export async function findExported(
  db: Db,
  scope: Scope,
  asked: Filters & { listId: number | null },
  contacts: Contacts,
  until: Date,
  most: number,
): Promise<string[]> {
  const { found } = await foundSessions(db, scope, asked, contacts, until)
  const rows = await found
    .select('s.id')
    .where('s.sealed', 'is not', null)
    .$if(asked.listId !== null, (query) =>
      query.where(
        sql<boolean>`exists (select from lead_list_item i where i.session_id = s.id and i.list_id = ${asked.listId} and i.removed_at is null)`,
      ),
    )
    .orderBy('s.received_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ id }) => id)
}

/** How many leads somebody’s files since then came to; what was not made counts for nothing. */
export async function exportedSince(db: DbOrTrx, accountId: number, since: Date): Promise<number> {
  const { rows } = await db
    .selectFrom('contact_export')
    .select(sql<number>`coalesce(sum(rows), 0)::int`.as('rows'))
    .where('account_id', '=', accountId)
    .where('created_at', '>', since)
    .where('state', 'not in', ['refused', 'failed'])
    .executeTakeFirstOrThrow()
  return rows
}

export function insertExport(trx: Trx, values: Insertable<Tables['contact_export']>) {
  return trx
    .insertInto('contact_export')
    .values(values)
    .returning([...SHOWN])
    .executeTakeFirstOrThrow()
}
export type ExportRow = Awaited<ReturnType<typeof insertExport>>

/** The latest files somebody asked for. */
export function listExports(db: Db, accountId: number): Promise<ExportRow[]> {
  return db
    .selectFrom('contact_export')
    .select([...SHOWN])
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
}

/** A file of somebody’s own, locked. */
export function lockExport(trx: Trx, accountId: number, uuid: string) {
  return trx
    .selectFrom('contact_export')
    .select(['id', 'state', 'rows', 'sealed', 'expires_at', 'created_at', 'downloads'])
    .where('uuid', '=', uuid)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst()
}

/** The file that has waited longest and that no other worker makes now, locked. */
export function lockWaiting(trx: Trx) {
  return trx
    .selectFrom('contact_export as e')
    .innerJoin('account as a', 'a.id', 'e.account_id')
    .select(['e.id', 'e.uuid', 'e.account_id', 'e.reason', 'e.note', 'e.session_ids', 'a.name', 'a.email'])
    .where('e.state', '=', 'waiting')
    .orderBy('e.id')
    .limit(1)
    .forUpdate('e')
    .skipLocked()
    .executeTakeFirst()
}

export async function updateExport(trx: Trx, id: string, values: Updateable<Tables['contact_export']>): Promise<void> {
  await trx.updateTable('contact_export').set(values).where('id', '=', id).execute()
}

/** Some leads as a file tells them, as far as they are in scope and still kept, by number. */
export function readExported(db: DbOrTrx, scope: Scope, ids: readonly string[]) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('lead_send as n', (join) => join.onRef('n.session_id', '=', 's.id').on(sql<boolean>`n.status in (${words(HAS_IT)})`))
    .leftJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(['s.id', 's.uuid', 's.received_at', 's.status', 's.call_status', 's.country', 's.external_id', 's.click_id', 's.sealed'])
    .select(['o.id as offer_id', 'o.title as offer', 'f.id as affiliate_id', 'a.name as affiliate', 'v.name as advertiser'])
    .select([
      isInScope(scope, { affiliateId: 's.affiliate_id', affiliateManager: 'f.manager_id' }).as('sees_affiliate'),
      isInScope(scope, { advertiserManager: 'v.manager_id' }).as('sees_advertiser'),
    ])
    .where('s.id', 'in', [...ids])
    .where('s.sealed', 'is not', null)
    .where(inScope(scope, { affiliateId: 's.affiliate_id', affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }))
    .orderBy('s.received_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
}
export type ExportedRow = Awaited<ReturnType<typeof readExported>>[number]

/** Notes of each lead that somebody took its contacts out, and in which file. */
export async function insertReveals(
  trx: Trx,
  ids: readonly string[],
  values: Omit<Insertable<Tables['lead_reveal']>, 'session_id'>,
): Promise<void> {
  await sql`
    insert into lead_reveal (session_id, account_id, at, reason, note, export_id)
    select id, ${values.account_id}, ${values.at}, ${values.reason}, ${values.note}, ${values.export_id}
      from unnest(${[...ids]}::bigint[]) as id`.execute(trx)
}

/** Deletes the files whose time is over; answers how many. */
export async function deleteExpired(trx: Trx, now: Date): Promise<{ id: string; rows: number }[]> {
  return trx
    .updateTable('contact_export')
    .set({ state: 'deleted', sealed: null })
    .where('state', '=', 'ready')
    .where('expires_at', '<=', now)
    .returning(['id', 'rows'])
    .execute()
}
