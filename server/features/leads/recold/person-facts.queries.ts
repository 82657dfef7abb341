import { sql } from 'kysely'
import { SAME_PEOPLE } from '#server/features/leads/session/session.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { OPEN_LEADS, WAS_OFFERED } from '#server/rules/lead/states.ts'

/** Of people of a list what decides whether they are sent, and what is told of them. */
export function listSources(db: DbOrTrx, listItemIds: readonly string[]) {
  return (
    db
      .selectFrom('lead_list_item as i')
      .innerJoin('person as p', 'p.id', 'i.person_id')
      .leftJoin('user_session as s', 's.id', 'i.session_id')
      .leftJoin('affiliate as f', 'f.id', 'i.affiliate_id')
      .select([
        'i.id',
        'i.person_id',
        'i.country',
        'i.affiliate_id',
        'i.removed_at',
        'i.added_at',
        'i.consent as item_consent',
        'f.manager_id as affiliate_manager',
      ])
      .select(['p.erased_at', 'p.suppressed_at', 'p.restricted_at', 'p.test', 'p.gender', 'p.language'])
      .select(['s.received_at', 's.told', 's.consent', 's.external_id', 's.landing_id'])
      // what the file of somebody told of them goes before what was known
      .select(sql<Buffer | null>`coalesce(i.sealed, s.sealed, p.sealed)`.as('sealed'))
      .where(sql<boolean>`i.id = any(${[...listItemIds]}::bigint[])`)
      .execute()
  )
}
export type Source = Awaited<ReturnType<typeof listSources>>[number]

/** People and whoever else has the telephone or the e-mail address of each, themselves among them. */
export async function samePeople(db: DbOrTrx, personIds: readonly string[]): Promise<{ person_id: string; id: string }[]> {
  const { rows } = await sql<{ person_id: string; id: string }>`
    select distinct p.id as person_id, k.id from person p cross join lateral (${SAME_PEOPLE}) as k where p.id = any(${[...personIds]}::bigint[])`.execute(
    db,
  )
  return rows
}

export type PastSessions = { person_id: string; open: boolean; converted: boolean; cold_sends: number; call_statuses: string[] }

/** What became of all leads of people but `exceptSession`. */
export async function pastSessions(db: DbOrTrx, personIds: readonly string[], exceptSession: string | null): Promise<PastSessions[]> {
  const { rows } = await sql<PastSessions>`
    select person_id, bool_or(status in (${words(OPEN_LEADS)})) as open, bool_or(status = 'converted') as converted, (count(*) filter (where traffic_type = 'cold'))::int as cold_sends,
           coalesce(array_agg(distinct call_status) filter (where call_status is not null), '{}') as call_statuses
      from user_session where person_id = any(${[...personIds]}::bigint[]) and id is distinct from ${exceptSession}::bigint
     group by person_id`.execute(db)
  return rows
}

export type PastSends = { person_id: string; advertiser_id: number; last: Date; had: Date | null }

/** Who was asked for people but by `exceptSession`, when last, and when those had them, may have, or refused them. */
export async function pastSends(db: DbOrTrx, personIds: readonly string[], exceptSession: string | null): Promise<PastSends[]> {
  const { rows } = await sql<PastSends>`
    select person_id, advertiser_id, max(asked_at) as last,
           max(asked_at) filter (where status in (${words(WAS_OFFERED)})) as had
      from lead_send where person_id = any(${[...personIds]}::bigint[]) and session_id is distinct from ${exceptSession}::bigint
     group by person_id, advertiser_id`.execute(db)
  return rows
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
