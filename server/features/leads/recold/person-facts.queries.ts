import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Of people of a list what decides whether they are sent, and what is told of them. */
export function listSources(db: DbOrTrx, listItemIds: readonly string[]) {
  return db
    .selectFrom('lead_list_item as i')
    .innerJoin('person as p', 'p.id', 'i.person_id')
    .leftJoin('user_session as s', 's.id', 'i.session_id')
    .select(['i.id', 'i.person_id', 'i.country', 'i.affiliate_id', 'i.removed_at', 'i.added_at'])
    .select(['p.erased_at', 'p.suppressed_at', 'p.restricted_at', 'p.test', 'p.gender', 'p.language', 'p.sealed as person_sealed'])
    .select(['s.received_at', 's.told', 's.sealed', 's.consent', 's.external_id', 's.landing_id'])
    .where(sql<boolean>`i.id = any(${[...listItemIds]}::bigint[])`)
    .execute()
}
export type Source = Awaited<ReturnType<typeof listSources>>[number]

/** What became of people before: all their sessions and sends but those of `exceptSession`. */
export async function readPast(db: DbOrTrx, personIds: readonly string[], exceptSession: string | null) {
  const ids = [...new Set(personIds)]
  const [sessions, sends] = await Promise.all([
    db
      .selectFrom('user_session')
      .select(['person_id', sql<boolean>`bool_or(status = 'converted')`.as('converted')])
      .select(sql<number>`(count(*) filter (where traffic_type = 'cold'))::int`.as('cold_sends'))
      .select(sql<string[]>`coalesce(array_agg(distinct call_status) filter (where call_status is not null), '{}')`.as('call_statuses'))
      .where(sql<boolean>`person_id = any(${ids}::bigint[])`)
      .$if(exceptSession !== null, (query) => query.where('id', '!=', exceptSession))
      .groupBy('person_id')
      .execute(),
    db
      .selectFrom('lead_send')
      .select(['person_id', 'advertiser_id', sql<Date>`max(asked_at)`.as('last')])
      .select(
        sql<Date | null>`max(asked_at) filter (where status in ('sending', 'accepted', 'pending', 'approved', 'duplicate', 'ambiguous'))`.as(
          'had',
        ),
      )
      .where(sql<boolean>`person_id = any(${ids}::bigint[])`)
      .$if(exceptSession !== null, (query) => query.where('session_id', '!=', exceptSession))
      .groupBy(['person_id', 'advertiser_id'])
      .execute(),
  ])
  return { sessions, sends }
}

/** Of people the advertisers they may not be offered to; null = nobody may have them. */
export async function readSuppressions(db: DbOrTrx, personIds: readonly string[], offerId: number, now: Date) {
  const { rows } = await sql<{ person_id: string; advertiser_id: number | null }>`
    select p.id as person_id, s.advertiser_id from person p join suppression s
        on (s.kind = 'phone' and s.hash = p.phone_hash) or (s.kind = 'email' and s.hash = p.email_hash)
     where p.id = any(${[...new Set(personIds)]}::bigint[]) and (s.expires_at is null or s.expires_at > ${now})
       and (s.offer_id is null or s.offer_id = ${offerId})`.execute(db)
  return rows
}

/** Keeps a person as they are until the transaction is over: who is being erased meanwhile is erased before or after. */
export async function holdPerson(db: DbOrTrx, personId: string): Promise<void> {
  await sql`select 1 from person where id = ${personId} for share`.execute(db)
}

/** Advertisers by their names, small letters, and uuids: as consents name them. */
export async function findNamed(db: DbOrTrx, ids: readonly number[]): Promise<{ id: number; uuid: string; name: string }[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('advertiser')
    .select(['id', 'uuid', 'name'])
    .where('id', 'in', [...ids])
    .execute()
}
