import { sql, type Insertable } from 'kysely'
import { insertRowsReturning, recordsAsText, recordsFrom } from '#server/platform/pg/bulk.ts'
import { compileOnce, writeOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { COUNTED_AGAIN } from '#server/rules/lead/states.ts'

/** What of offers decides whether an affiliate's leads are taken, by the keys asked for; one that is no API offer is left out. */
export async function findLeadOffers(db: DbOrTrx, keys: readonly string[], affiliateId: number) {
  const ids = keys.filter((key) => /^\d+$/.test(key))
  const uuids = keys.filter((key) => !ids.includes(key))
  const rows = await leadOffers(db, { uuids, ids: ids.map(Number), affiliateId })
  const found = new Map(rows.flatMap((row) => [[row.uuid, row] as const, [String(row.id), row] as const]))
  return new Map(
    keys.flatMap((key) => {
      const offer = found.get(ids.includes(key) ? String(Number(key)) : key.toLowerCase())
      return offer === undefined ? [] : [[key.toLowerCase(), offer] as const]
    }),
  )
}
const leadOffers = compileOnce((db, { uuids, ids, affiliateId }: { uuids: string[]; ids: number[]; affiliateId: number }) =>
  db
    .selectFrom('offer as o')
    .innerJoin('api_offer as l', 'l.offer_id', 'o.id')
    .leftJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').on('x.affiliate_id', '=', affiliateId))
    .select(['o.id', 'o.uuid', 'o.title', 'o.status', 'o.privacy', 'o.start_at', 'o.stop_at', 'o.targeting'])
    .select(['l.integration_type as type', 'l.wait_hours', 'l.repeat_days', 'l.integrity', 'l.consent', 'x.status as access'])
    .where(sql<boolean>`(o.uuid = any(${uuids}::uuid[]) or o.id = any(${ids}::bigint[]))`),
)
export type LeadOffer = Awaited<ReturnType<typeof findLeadOffers>> extends Map<string, infer Offer> ? Offer : never

type Person = Pick<
  Insertable<Tables['person']>,
  'sealed' | 'key_id' | 'phone_hash' | 'email_hash' | 'country' | 'language' | 'gender' | 'test'
> & { phone_hash: Buffer | null; email_hash: Buffer | null; test: boolean }
export type KeptPerson = { id: string; suppressed_at: Date | null; restricted_at: Date | null; first_seen_at: Date }

/**
 * The persons of these contacts, known or new, in the order of what was asked; each of them once among it. Two at once come to the same
 * one. Rows are written in the order of the contacts, whatever order they were sent in.
 */
export async function keepPersons(trx: Trx, values: readonly Person[], now: number): Promise<KeptPerson[]> {
  const at = new Date(now)
  const nameOf = (one: { phone_hash: Buffer | null; email_hash: Buffer | null; test: boolean }) =>
    `${one.phone_hash?.toString('hex') ?? ''} ${one.email_hash?.toString('hex') ?? ''} ${one.test}`
  const rows = values.map((one) => ({ ...one, first_seen_at: at, last_seen_at: at })).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const kept = await insertPersons(trx, { rows: recordsAsText(rows) })
  const byName = new Map(kept.map((one) => [nameOf(one), one]))
  return values.map((one) => {
    const person = byName.get(nameOf(one))
    if (person === undefined) throw new Error('a person was not kept')
    return person
  })
}

const insertPersons = writeOnce(
  ({ rows }: { rows: string }) => sql<KeptPerson & { phone_hash: Buffer | null; email_hash: Buffer | null; test: boolean }>`
    insert into person (sealed, key_id, phone_hash, email_hash, country, language, gender, test, first_seen_at, last_seen_at)
    select sealed, key_id, phone_hash, email_hash, country, language, gender, test, first_seen_at, last_seen_at
      from ${recordsFrom('person', rows)}
    on conflict (phone_hash, email_hash, test) where erased_at is null
      do update set last_seen_at = greatest(person.last_seen_at, excluded.last_seen_at)
    returning id, suppressed_at, restricted_at, first_seen_at, phone_hash, email_hash, test`,
)

/** People who came although they are suppressed are marked so, and of new ones who were forgotten what they told is not kept. */
export async function notePersons(trx: Trx, rows: readonly { id: string; forget: boolean }[], at: Date): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update person p set suppressed_at = coalesce(p.suppressed_at, ${at}),
                        sealed = case when n.forget and p.first_seen_at = ${at} then null else p.sealed end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (id bigint, forget boolean) where p.id = n.id`.execute(trx)
}

/** The sessions an affiliate calls by ids of its own, by id. */
export async function findExternals(db: DbOrTrx, affiliateId: number, externalIds: readonly string[]): Promise<Map<string, SessionRow>> {
  if (externalIds.length === 0) return new Map()
  const rows = await sessions(db)
    .where('s.affiliate_id', '=', affiliateId)
    .where(sql<boolean>`s.external_id = any(${[...externalIds]}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.external_id ?? '', row]))
}

/** The newest lead of a person that an affiliate sent to an offer since then. */
export function findRecent(
  db: DbOrTrx,
  { affiliateId, offerId, since }: { affiliateId: number; offerId: number; since: Date },
  hashes: { phone: Buffer | null; email: Buffer | null },
) {
  return sessions(db)
    .where('s.affiliate_id', '=', affiliateId)
    .where('s.offer_id', '=', offerId)
    .where('s.received_at', '>', since)
    .where(sql<boolean>`p.phone_hash is not distinct from ${hashes.phone}`)
    .where(sql<boolean>`p.email_hash is not distinct from ${hashes.email}`)
    .orderBy('s.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** A session as its affiliate knows it, with the contacts of its person. */
export function sessions(db: DbOrTrx) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .select(['s.id', 's.uuid', 's.external_id', 's.click_id', 's.status', 's.reason', 's.call_status', 's.country', 's.received_at'])
    .select(['s.changed_at', 's.person_id', 's.offer_id', 'o.uuid as offer_uuid', 'p.phone_hash', 'p.email_hash'])
    .select(['s.integrity', 's.integrity_verdict', 's.told'])
}
export type SessionRow = NonNullable<Awaited<ReturnType<typeof findRecent>>>

// who was erased has no e-mail address any more: not asking for it has the index of addresses taken, and never that of both contacts whole
const SAME_PEOPLE_TEXT = `
  select o.id from person o where o.phone_hash = p.phone_hash and o.test = p.test and o.erased_at is null
  union all select o.id from person o where o.email_hash = p.email_hash and o.test = p.test
  union all select p.id`

/**
 * Whoever shares the telephone or the e-mail address of the person `p`, that person too: one who is sent again with another of the two is
 * still the same to an advertiser. People of tests are a world of their own.
 */
export const SAME_PEOPLE = sql.raw(SAME_PEOPLE_TEXT)

/** Sends `e` of whoever is the person of the lead `s`, each once, by whatever lead of theirs. */
export const SENDS_OF_PERSON = sql.raw(
  `(select n.* from person p cross join lateral (select distinct id from (${SAME_PEOPLE_TEXT}) as o) as k
    join lead_send n on n.person_id = k.id where p.id = s.person_id) as e`,
)

/**
 * Of persons and offers those that met since then, by telephone or e-mail address, in a session that came to something or may still;
 * `since` null = ever. Named by both numbers.
 */
export async function hadPersons(
  trx: Trx,
  asked: readonly { personId: string; offerId: number; since: Date | null }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set()
  const { rows } = await sql<{ person_id: string; offer_id: number }>`
    select w.person_id, w.offer_id
      from unnest(${asked.map(({ personId }) => personId)}::bigint[], ${asked.map(({ offerId }) => offerId)}::int[],
                  ${asked.map(({ since }) => since)}::timestamptz[]) as w (person_id, offer_id, since)
      join person p on p.id = w.person_id
     where exists (select from (${SAME_PEOPLE}) as k
       -- by person, whatever is known of the table
       cross join lateral (select offer_id, status, received_at from user_session where person_id = k.id offset 0) s
       where s.offer_id = w.offer_id
         and s.status in (${words(COUNTED_AGAIN)})
         and (w.since is null or s.received_at > w.since))`.execute(trx)
  return new Set(rows.map(({ person_id, offer_id }) => `${person_id} ${offer_id}`))
}

/** Those of some clicks that a lead has already. */
export async function usedClicks(trx: Trx, clickIds: readonly string[]): Promise<Set<string>> {
  if (clickIds.length === 0) return new Set()
  const rows = await trx
    .selectFrom('user_session')
    .select('click_id')
    .where(sql<boolean>`click_id = any(${[...clickIds]}::text[])`)
    .execute()
  return new Set(rows.map(({ click_id }) => click_id))
}

/** Writes sessions; answers the number of each by its click. */
export async function insertSessions(
  trx: Trx,
  rows: Parameters<typeof insertRowsReturning<'user_session', 'id'>>[2],
): Promise<Map<string, string>> {
  const made = await insertRowsReturning(trx, 'user_session', rows, ['id', 'click_id'])
  return new Map(made.map(({ click_id, id }) => [click_id, id]))
}
