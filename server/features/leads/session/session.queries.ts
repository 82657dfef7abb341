import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'

/** What of an offer decides whether an affiliate's lead is taken; undefined = no API offer. */
export async function findLeadOffer(db: DbOrTrx, key: string, affiliateId: number) {
  return db
    .selectFrom('offer as o')
    .innerJoin('api_offer as l', 'l.offer_id', 'o.id')
    .leftJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').on('x.affiliate_id', '=', affiliateId))
    .select(['o.id', 'o.uuid', 'o.title', 'o.status', 'o.privacy', 'o.start_at', 'o.stop_at', 'o.targeting'])
    .select(['l.integration_type as type', 'l.wait_hours', 'l.repeat_days', 'l.integrity', 'x.status as access'])
    .where(keyIs(key, { uuid: 'o.uuid', id: 'o.id' }))
    .executeTakeFirst()
}
export type LeadOffer = NonNullable<Awaited<ReturnType<typeof findLeadOffer>>>

type Person = Pick<
  Insertable<Tables['person']>,
  'sealed' | 'key_id' | 'phone_hash' | 'email_hash' | 'country' | 'language' | 'gender' | 'test' | 'suppressed_at'
>

/** The person of these contacts, known or new. Two at once come to the same one. */
export async function keepPerson(trx: Trx, values: Person, now: number) {
  const at = new Date(now)
  return trx
    .insertInto('person')
    .values({ ...values, first_seen_at: at, last_seen_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['phone_hash', 'email_hash', 'test'])
        .where('erased_at', 'is', null)
        .doUpdateSet({ last_seen_at: sql<Date>`greatest(person.last_seen_at, excluded.last_seen_at)` }),
    )
    .returning(['id', 'uuid', 'suppressed_at'])
    .executeTakeFirstOrThrow()
}

/** The session an affiliate calls by an id of its own. */
export function findExternal(db: DbOrTrx, affiliateId: number, externalId: string) {
  return sessions(db).where('s.affiliate_id', '=', affiliateId).where('s.external_id', '=', externalId).executeTakeFirst()
}

/** The newest lead of a person that an affiliate sent to an offer since then. */
export function findRecent(
  db: DbOrTrx,
  { affiliateId, offerId, since }: { affiliateId: number; offerId: number; since: Date },
  hashes: { phone_hash: Buffer | null; email_hash: Buffer | null },
) {
  return sessions(db)
    .where('s.affiliate_id', '=', affiliateId)
    .where('s.offer_id', '=', offerId)
    .where('s.received_at', '>', since)
    .where(sql<boolean>`p.phone_hash is not distinct from ${hashes.phone_hash}`)
    .where(sql<boolean>`p.email_hash is not distinct from ${hashes.email_hash}`)
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
    .select(['s.integrity', 's.integrity_verdict'])
}
export type SessionRow = NonNullable<Awaited<ReturnType<typeof findExternal>>>

/** Whether an offer had a person since then, in a session that came to something or may still; `since` null = ever. */
export async function hadPerson(trx: Trx, offerId: number, personId: string, since: Date | null): Promise<boolean> {
  const found = await trx
    .selectFrom('user_session')
    .select('id')
    .where('person_id', '=', personId)
    .where('offer_id', '=', offerId)
    .where('status', 'in', ['received', 'held', 'queued', 'accepted', 'ambiguous', 'converted', 'closed'])
    .$if(since !== null, (query) => query.where('received_at', '>', since ?? new Date(0)))
    .executeTakeFirst()
  return found !== undefined
}

export async function isClickUsed(trx: Trx, clickId: string): Promise<boolean> {
  return (await trx.selectFrom('user_session').select('id').where('click_id', '=', clickId).executeTakeFirst()) !== undefined
}

export function insertSession(trx: Trx, values: Insertable<Tables['user_session']>) {
  return trx.insertInto('user_session').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}
