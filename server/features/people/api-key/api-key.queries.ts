import { sql, type Insertable } from 'kysely'
import { securitySetting } from '#contract/people/security.ts'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

/** The key with this hash, with whom it belongs to and what the network asks of them; undefined once it has ended. */
export function findKey(db: DbOrTrx, tokenHash: Buffer, now: Date) {
  return db
    .selectFrom('api_key as k')
    .innerJoin('account as a', 'a.id', 'k.account_id')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('manager as m', 'm.account_id', 'a.id')
    .leftJoin('second_factor as s', (join) => join.onRef('s.account_id', '=', 'a.id').on('s.confirmed_at', 'is not', null))
    .select(['k.id as key_id', 'k.scopes', 'k.offer_ids', 'k.allowed_ips as key_ips', 'k.last_used_at'])
    .select(['a.id', 'a.uuid', 'a.role', 'a.email', 'a.name', 'a.time_zone', 'a.language', 'a.allowed_ips'])
    .select(['f.id as affiliate_id', 'f.status as affiliate_status', 'm.id as manager_id', 'm.status as manager_status'])
    .select('s.confirmed_at as second_factor_since')
    .select(sql<unknown>`(select value from setting where key = ${securitySetting.key})`.as('security'))
    .select(sql<number[] | null>`array(select t.id from manager t where t.team_lead_id = m.id)`.as('team'))
    .where('k.token_hash', '=', tokenHash)
    .where('k.revoked_at', 'is', null)
    .where((of) => of.or([of('k.expires_at', 'is', null), of('k.expires_at', '>', now)]))
    .executeTakeFirst()
}

/** Remembers when and from where a key was used, unless that was done since `before`. */
export async function touchKey(db: DbOrTrx, id: number, used: { last_used_at: Date; last_address: string }, before: Date): Promise<void> {
  await db
    .updateTable('api_key')
    .set(used)
    .where('id', '=', id)
    .where((of) => of.or([of('last_used_at', 'is', null), of('last_used_at', '<', before)]))
    .execute()
}

export function insertKey(db: DbOrTrx, values: Insertable<Tables['api_key']>) {
  return db.insertInto('api_key').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** How many keys of an account work. */
export async function countKeys(db: DbOrTrx, accountId: number, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('api_key')
    .select((of) => of.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((of) => of.or([of('expires_at', 'is', null), of('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The keys of an account, those that work first, the newest of each first; without those that ended before. */
export function listKeys(db: DbOrTrx, accountId: number, now: Date, endedSince: Date) {
  return db
    .selectFrom('api_key')
    .select([
      'uuid',
      'name',
      'hint',
      'scopes',
      'offer_ids',
      'allowed_ips',
      'created_at',
      'expires_at',
      'last_used_at',
      'last_address',
      'revoked_at',
    ])
    .where('account_id', '=', accountId)
    .where(sql<boolean>`least(coalesce(revoked_at, 'infinity'), coalesce(expires_at, 'infinity')) > ${endedSince}::timestamptz`)
    .orderBy(sql`revoked_at is null and coalesce(expires_at, 'infinity') > ${now}::timestamptz`, 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** What offers are called, whatever became of them. */
export async function listOffersOf(db: DbOrTrx, ids: readonly number[]) {
  if (ids.length === 0) return []
  return db.selectFrom('offer').select(['uuid', 'id', 'title as name']).where('id', 'in', ids).orderBy('id').execute()
}

/** Of these offers those of leads that an affiliate has access to. */
export async function listOwnLeadOffers(db: DbOrTrx, affiliateId: number, uuids: readonly string[]) {
  if (uuids.length === 0) return []
  return db
    .selectFrom('offer as o')
    .innerJoin('api_offer as l', 'l.offer_id', 'o.id')
    .leftJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').on('x.affiliate_id', '=', affiliateId))
    .select(['o.id', 'o.uuid'])
    .where('o.uuid', 'in', uuids)
    .where((of) => of.or([of('x.status', '=', 'approved'), of.and([of('o.privacy', '=', 'public'), of('x.status', 'is', null)])]))
    .execute()
}

/** A key by its uuid, with whose it is. */
export function findKeyOwner(db: DbOrTrx, uuid: string) {
  return db
    .selectFrom('api_key as k')
    .innerJoin('account as a', 'a.id', 'k.account_id')
    .select(['k.id', 'k.account_id', 'a.uuid as owner'])
    .where('k.uuid', '=', uuid)
    .executeTakeFirst()
}

/** Ends a key; answers whether it had not been ended before. */
export async function revokeKey(db: DbOrTrx, id: number, by: number, at: Date): Promise<boolean> {
  const ended = await db
    .updateTable('api_key')
    .set({ revoked_at: at, revoked_by: by })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows > 0n
}

/** Ends every key of an account that has not ended; answers which. */
export async function revokeKeysOf(db: DbOrTrx, accountId: number, by: number | null, at: Date): Promise<number[]> {
  const ended = await db
    .updateTable('api_key')
    .set({ revoked_at: at, revoked_by: by })
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where((of) => of.or([of('expires_at', 'is', null), of('expires_at', '>', at)]))
    .returning('id')
    .execute()
  return ended.map(({ id }) => id)
}

/** Removes keys that ended earlier; answers how many. */
export async function deleteKeysBefore(db: DbOrTrx, time: Date): Promise<number> {
  const gone = await db
    .deleteFrom('api_key')
    .where(sql<boolean>`least(coalesce(revoked_at, 'infinity'), coalesce(expires_at, 'infinity')) < ${time}::timestamptz`)
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}
