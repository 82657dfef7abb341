import type { Insertable, Updateable } from 'kysely'
import type { DbOrTrx, Tables } from '#server/platform/pg/database.ts'

export function insertAccount(db: DbOrTrx, values: Insertable<Tables['account']>) {
  return db.insertInto('account').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateAccount(db: DbOrTrx, id: number, values: Updateable<Tables['account']>): Promise<void> {
  await db.updateTable('account').set(values).where('id', '=', id).execute()
}

/** The parts of the own profile that staff and affiliates have. */
export function findProfile(db: DbOrTrx, id: number) {
  return db
    .selectFrom('account as a')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .select(['a.uuid', 'a.email', 'a.role', 'a.name', 'a.language', 'a.time_zone', 'f.currency', 'f.country'])
    .where('a.id', '=', id)
    .executeTakeFirstOrThrow()
}

/** What people change of their own account, kept from changing meanwhile. */
export function lockAccount(db: DbOrTrx, id: number) {
  return db
    .selectFrom('account')
    .select(['name', 'language', 'time_zone', 'allowed_ips'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** Whom an e-mail belongs to, with what a sign-in asks: the password's hash, whether the person is active, and whether a second factor is on. */
export function findByEmail(db: DbOrTrx, email: string) {
  return signingIn(db).where('a.email', '=', email).executeTakeFirst()
}

/** The same of an account by its number. */
export function findSigningIn(db: DbOrTrx, id: number) {
  return signingIn(db).where('a.id', '=', id).executeTakeFirst()
}

function signingIn(db: DbOrTrx) {
  return db
    .selectFrom('account as a')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .leftJoin('manager as m', 'm.account_id', 'a.id')
    .leftJoin('second_factor as s', (join) => join.onRef('s.account_id', '=', 'a.id').on('s.confirmed_at', 'is not', null))
    .select(['a.id', 'a.uuid', 'a.role', 'a.email', 'a.name', 'a.language', 'a.password_hash', 'a.allowed_ips'])
    .select(['f.status as affiliate_status', 'm.status as manager_status', 's.confirmed_at as second_factor_since'])
}

/** Who a message to somebody goes to. */
export function findAddressee(db: DbOrTrx, id: number) {
  return db.selectFrom('account').select(['email', 'name', 'language', 'time_zone']).where('id', '=', id).executeTakeFirstOrThrow()
}

export function findPasswordHash(db: DbOrTrx, id: number) {
  return db.selectFrom('account').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()
}
