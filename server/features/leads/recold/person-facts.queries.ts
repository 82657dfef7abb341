import { sql } from 'kysely'
import { SAME_PEOPLE } from '#server/features/leads/session/session.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Of people of a list what decides whether they are sent, and what is told of them. */
export function listSources(db: DbOrTrx, listItemIds: readonly string[]) {
  return (
    db
      .selectFrom('lead_list_item as i')
      .innerJoin('person as p', 'p.id', 'i.person_id')
      .leftJoin('user_session as s', 's.id', 'i.session_id')
      .select(['i.id', 'i.person_id', 'i.country', 'i.affiliate_id', 'i.removed_at', 'i.added_at', 'i.consent as item_consent'])
      .select(['p.erased_at', 'p.suppressed_at', 'p.restricted_at', 'p.test', 'p.gender', 'p.language'])
      .select(['s.received_at', 's.told', 's.consent', 's.external_id', 's.landing_id'])
      // what the file of somebody told of them goes before what was known
      .select(sql<Buffer | null>`coalesce(i.sealed, s.sealed, p.sealed)`.as('sealed'))
      .where(sql<boolean>`i.id = any(${[...listItemIds]}::bigint[])`)
      .execute()
  )
}
export type Source = Awaited<ReturnType<typeof listSources>>[number]

/** What became of people before, whoever they were then: all sessions and sends of their telephones and e-mail addresses but those of `exceptSession`. */
export async function readPast(db: DbOrTrx, personIds: readonly string[], exceptSession: string | null) {
  const same = sql`(select distinct p.id as person_id, k.id from person p cross join lateral (${SAME_PEOPLE}) as k
                     where p.id = any(${[...new Set(personIds)]}::bigint[])) as m`
  const [sessions, sends] = await Promise.all([
    sql<{ person_id: string; converted: boolean; cold_sends: number; call_statuses: string[] }>`
      select m.person_id, bool_or(s.status = 'converted') as converted,
             (count(*) filter (where s.traffic_type = 'cold'))::int as cold_sends,
             coalesce(array_agg(distinct s.call_status) filter (where s.call_status is not null), '{}') as call_statuses
        from ${same} join user_session s on s.person_id = m.id
       where s.id is distinct from ${exceptSession}::bigint group by m.person_id`.execute(db),
    sql<{ person_id: string; advertiser_id: number; last: Date; had: Date | null }>`
      select m.person_id, n.advertiser_id, max(n.asked_at) as last,
             max(n.asked_at) filter (where n.status in ('sending', 'accepted', 'pending', 'approved', 'duplicate', 'ambiguous')) as had
        from ${same} join lead_send n on n.person_id = m.id
       where n.session_id is distinct from ${exceptSession}::bigint group by m.person_id, n.advertiser_id`.execute(db),
  ])
  return { sessions: sessions.rows, sends: sends.rows }
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
