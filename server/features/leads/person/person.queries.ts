import { sql, type Updateable } from 'kysely'
import { MOST_ON_CARD } from '#contract/leads/person.ts'
import { recordsOf } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'

/** People of a contact, or of a lead; newest first. */
export function findPeople(db: DbOrTrx, by: { phone: Buffer | null; email: Buffer | null; session: string }) {
  return people(db)
    .where(
      sql<boolean>`p.id in (select id from person where phone_hash = ${by.phone}::bytea and erased_at is null
                      union select id from person where email_hash = ${by.email}::bytea
                      union select person_id from user_session where uuid::text = ${by.session}::text
                      union select person_id from user_session
                             where id = case when ${by.session}::text ~ '^[1-9][0-9]{0,17}$' then ${by.session}::text::bigint end)`,
    )
    .orderBy('p.id', 'desc')
    .limit(50)
    .execute()
}

export function findPerson(db: DbOrTrx, uuid: string) {
  return people(db).where('p.uuid', '=', uuid).executeTakeFirst()
}
export type PersonRow = NonNullable<Awaited<ReturnType<typeof findPerson>>>

function people(db: DbOrTrx) {
  return db
    .selectFrom('person as p')
    .select(['p.id', 'p.uuid', 'p.sealed', 'p.country', 'p.first_seen_at', 'p.last_seen_at', 'p.suppressed_at', 'p.restricted_at'])
    .select(['p.erased_at', 'p.phone_hash', 'p.email_hash', 'p.language', 'p.gender'])
    .select(sql<number>`(select count(*)::int from user_session s where s.person_id = p.id)`.as('sessions'))
}

/** Their sessions, newest first. */
export function listSessionsOf(db: DbOrTrx, personId: string, most = MOST_ON_CARD) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['s.id', 's.uuid', 's.received_at', 's.status', 's.consent', 's.told', 's.sealed', 's.country', 's.external_id', 's.click_id'])
    .select(['o.title as offer', 'a.name as affiliate'])
    .where('s.person_id', '=', personId)
    .orderBy('s.received_at', 'desc')
    .limit(most)
    .execute()
}

/** To whom they were offered, newest first. */
export function listRecipientsOf(db: DbOrTrx, personId: string, most = MOST_ON_CARD) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(['n.asked_at', 'n.status', 'n.session_id', 'n.external_id', 'p.title as product', 'v.name as advertiser'])
    .where('n.person_id', '=', personId)
    .orderBy('n.id', 'desc')
    .limit(most)
    .execute()
}

/** When they went on to whoever took them, and from where, newest first. */
export function listVisitsOf(db: DbOrTrx, personId: string, most: number) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('lead_entry as e', 'e.send_id', 'n.id')
    .select([sql<Date>`e.used_at`.as('at'), 'n.session_id', 'e.country', 'e.other_country', 'e.other_address', 'e.other_agent'])
    .where('n.person_id', '=', personId)
    .where('e.used_at', 'is not', null)
    .orderBy('n.id', 'desc')
    .limit(most)
    .execute()
}

export function listListsOf(db: DbOrTrx, personId: string, most = MOST_ON_CARD) {
  return db
    .selectFrom('lead_list_item as i')
    .innerJoin('lead_list as l', 'l.id', 'i.list_id')
    .leftJoin('lead_list_import as m', 'm.id', 'i.import_id')
    .select(['l.title', 'i.added_at', 'i.removed_at', 'i.sealed', 'i.consent', 'm.source'])
    .where('i.person_id', '=', personId)
    .orderBy('i.id', 'desc')
    .limit(most)
    .execute()
}

/** What files of lists told of somebody, sealed. */
export function listToldInFiles(trx: Trx, personId: string) {
  return trx
    .selectFrom('lead_list_item')
    .select(['id', 'sealed'])
    .where('person_id', '=', personId)
    .where('sealed', 'is not', null)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Seals anew what files told. */
export async function sealItems(trx: Trx, rows: readonly { id: string; sealed: Buffer }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`update lead_list_item i set sealed = n.sealed from ${recordsOf('lead_list_item', rows)} n where i.id = n.id`.execute(trx)
}

/** Who looked at their contacts, newest first. */
export function listRevealsOf(db: DbOrTrx, personId: string, most = MOST_ON_CARD) {
  return db
    .selectFrom('lead_reveal as r')
    .innerJoin('user_session as s', 's.id', 'r.session_id')
    .innerJoin('account as a', 'a.id', 'r.account_id')
    .select(['r.at', 'r.reason', 'r.note', 'a.name as by'])
    .where('s.person_id', '=', personId)
    .orderBy('r.id', 'desc')
    .limit(most)
    .execute()
}

/** Who has to be told, or was; of one person, or of all whom nobody has told yet. */
export function listNotices(db: DbOrTrx, personId: string | null) {
  return db
    .selectFrom('recipient_notice as n')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .innerJoin('person as p', 'p.id', 'n.person_id')
    .leftJoin('account as a', 'a.id', 'n.told_by')
    .select(['n.uuid', 'n.first_at', 'n.last_at', 'n.leads', 'n.told_at', 'n.note', 'a.name as told_by'])
    .select(['v.uuid as advertiser_uuid', 'v.id as advertiser_id', 'v.name as advertiser', 'v.email'])
    .select(['p.uuid as person_uuid', 'p.erased_at'])
    .$if(personId !== null, (query) => query.where('n.person_id', '=', personId ?? '0'))
    .$if(personId === null, (query) => query.where('n.told_at', 'is', null))
    .orderBy('n.id')
    .limit(MOST_ON_CARD)
    .execute()
}

/** Notes that some were told; answers which were not yet. */
export function markTold(trx: Trx, uuids: readonly string[], values: { told_at: Date; told_by: number; note: string }) {
  return trx
    .updateTable('recipient_notice')
    .set(values)
    .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
    .where('told_at', 'is', null)
    .returning(['uuid', 'person_id', 'advertiser_id'])
    .execute()
}

/** A person, locked; `forNoKeyUpdate` where what is written of them meanwhile need not wait. */
export function lockPerson(trx: Trx, uuid: string, how: 'forUpdate' | 'forNoKeyUpdate' = 'forUpdate') {
  return trx
    .selectFrom('person')
    .select(['id', 'uuid', 'sealed', 'phone_hash', 'email_hash', 'country', 'test', 'restricted_at', 'erased_at', 'suppressed_at'])
    .where('uuid', '=', uuid)
    [how]()
    .executeTakeFirst()
}

export async function updatePerson(trx: Trx, id: string, values: Updateable<Tables['person']>): Promise<void> {
  await trx.updateTable('person').set(values).where('id', '=', id).execute()
}

/** Who else has these contacts. */
export function findOther(trx: Trx, personId: string, hashes: { phone_hash: Buffer | null; email_hash: Buffer | null }, test: boolean) {
  return trx
    .selectFrom('person')
    .select(['id'])
    .where(
      sql<boolean>`phone_hash is not distinct from ${hashes.phone_hash}::bytea and email_hash is not distinct from ${hashes.email_hash}::bytea`,
    )
    .where('test', '=', test)
    .where('erased_at', 'is', null)
    .where('id', '!=', personId)
    .executeTakeFirst()
}

/** The sessions of a person, locked in one order whoever does; what only names one is not kept waiting. */
export function lockSessionsOf(trx: Trx, personId: string) {
  return trx
    .selectFrom('user_session')
    .select(['id', 'uuid', 'click_id', 'external_id', 'status', 'told', 'sealed', 'trace', 'consent', 'integrity'])
    .where('person_id', '=', personId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Seals sessions anew. */
export async function sealSessions(trx: Trx, rows: readonly { id: string; sealed: Buffer }[]): Promise<void> {
  if (rows.length === 0) return
  await sql`update user_session s set sealed = n.sealed from ${recordsOf('user_session', rows)} n where s.id = n.id`.execute(trx)
}
