import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'

/** Marks a form as sent; false where it was before. Who sends it at the same moment waits and is told so. */
export async function markFormUsed(trx: Trx, id: Buffer, expires: Date): Promise<boolean> {
  const marked = await trx
    .insertInto('used_form')
    .values({ id, expires_at: expires })
    .onConflict((used) => used.doNothing())
    .executeTakeFirst()
  return Number(marked.numInsertedOrUpdatedRows) > 0
}

/** Removes marks nobody can use any more; answers how many. */
export async function deleteFormsBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number((await db.deleteFrom('used_form').where('expires_at', '<', time).executeTakeFirst()).numDeletedRows)
}

/** Whether an account has this e-mail address. */
export async function isEmailTaken(db: DbOrTrx, email: string): Promise<boolean> {
  return (await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirst()) !== undefined
}

/** Whether an affiliate has this telephone, however it is written. */
export async function isPhoneTaken(db: DbOrTrx, phone: string): Promise<boolean> {
  const digits = phone.replace(/\D/g, '')
  const row = await db
    .selectFrom('affiliate')
    .select('id')
    .where('phone', '!=', '')
    .where(sql`regexp_replace(phone, '\\D', '', 'g')`, '=', digits)
    .executeTakeFirst()
  return row !== undefined
}

/** Makes those who bring the same telephone wait for each other until the transaction ends. */
export async function lockPhone(trx: Trx, phone: string): Promise<void> {
  await lockName(trx, `telephone ${phone.replace(/\D/g, '')}`)
}

/** Names of the currencies that can be chosen, by code. */
export async function listOfferedCurrencies(db: DbOrTrx): Promise<Record<Currency, string>> {
  const rows = await db.selectFrom('currency').select(['code', 'name']).where('active', '=', true).orderBy('code').execute()
  return Object.fromEntries(rows.map(({ code, name }) => [code, `${code} – ${name}`])) as Record<Currency, string> // codes of currencies there are
}

/** The affiliate of an account, kept from changing meanwhile. */
export function lockAffiliateOf(trx: Trx, accountId: number) {
  return trx
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id', 'f.status', 'a.email', 'a.name', 'a.language'])
    .where('f.account_id', '=', accountId)
    .forUpdate('f')
    .executeTakeFirst()
}
