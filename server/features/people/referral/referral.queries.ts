import { sql, type Insertable } from 'kysely'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

export type Amounts = { currency: string; amount: string }[]
/** What stands in the books for a referral `r`, by currency. */
export const EARNED = sql<Amounts>`coalesce((select json_agg(json_build_object('currency', s.currency, 'amount', s.amount::text) order by s.currency)
  from (select m.currency, sum(m.amount) as amount from referral_month m where m.referral_id = r.id group by 1 having sum(m.amount) <> 0) s), '[]')`

/** The codes of an affiliate, and what decides whether they are for something; `lock` keeps them from changing meanwhile. */
export function getCodes(db: DbOrTrx, affiliateId: number, lock = false) {
  return db
    .selectFrom('affiliate')
    .select(['id', 'referral_code', 'chosen_code', 'tags'])
    .where('id', '=', affiliateId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}

/** Gives an affiliate the code it chose; false where another has it. Two who choose one at once wait for each other. */
export async function storeCode(trx: Trx, affiliateId: number, code: string): Promise<boolean> {
  const taken = await trx.selectFrom('affiliate').select('id').where('chosen_code', '=', code).executeTakeFirst()
  if (taken !== undefined) return false
  await trx.updateTable('affiliate').set({ chosen_code: code }).where('id', '=', affiliateId).execute()
  return true
}

/** Who brings others by a code, made or chosen: only an active affiliate, with one of the tags where there are any. */
export function findReferrer(db: DbOrTrx, code: string, tags: readonly string[]) {
  return db
    .selectFrom('affiliate')
    .select('id')
    .where((is) => is.or([is('referral_code', '=', code), is('chosen_code', '=', code)]))
    .where('status', '=', 'active')
    .$if(tags.length > 0, (query) => query.where('tags', '&&', sql<string[]>`${tags}::text[]`))
    .executeTakeFirst()
}

/** Who brought an affiliate, and who brought that one: each with its tags, the nearest first, at most so many. */
export async function listAbove(trx: Trx, affiliateId: number, most: number) {
  const { rows } = await sql<{ id: number; tags: string[] }>`
    with recursive above (id, step) as (
      select referrer_id, 1 from referral where affiliate_id = ${affiliateId} and level = 1
      union all select r.referrer_id, a.step + 1 from above a join referral r on r.affiliate_id = a.id and r.level = 1 where a.step < ${most}::int)
    select f.id, f.tags from above a join affiliate f on f.id = a.id order by a.step`.execute(trx)
  return rows
}

export async function insertReferrals(trx: Trx, rows: Insertable<Tables['referral']>[]): Promise<void> {
  await trx.insertInto('referral').values(rows).execute()
}

/** One page of whom an affiliate brought, the latest first, and how many there are. Of their names only the first letter is read. */
export async function listBrought(db: DbOrTrx, referrerId: number, filters: { count: number; page: number }) {
  const found = db.selectFrom('referral as r').where('r.referrer_id', '=', referrerId).where('r.level', '=', 1)
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .innerJoin('affiliate as f', 'f.id', 'r.affiliate_id')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select([
        sql<string>`upper(left(a.name, 1))`.as('letter'),
        'f.country',
        'f.status',
        'r.percent',
        'r.months',
        'r.created_at',
        'r.state',
      ])
      .select(EARNED.as('earned'))
      .orderBy('r.created_at', 'desc')
      .orderBy('r.affiliate_id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** Who brought an affiliate, named where the reader sees them, and on which terms; undefined for one nobody brought. */
export async function findBroughtBy(db: DbOrTrx, scope: Scope, affiliateId: number) {
  const row = await db
    .selectFrom('referral as r')
    .innerJoin('affiliate as f', 'f.id', 'r.referrer_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select([
      'r.code',
      'r.percent',
      'r.months',
      'r.created_at',
      'r.state',
      isInScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }).as('seen'),
    ])
    .select(reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).as('who'))
    .where('r.affiliate_id', '=', affiliateId)
    .where('r.level', '=', 1)
    .executeTakeFirst()
  return row === undefined
    ? undefined
    : { who: row.seen ? row.who : null, percent: row.percent, months: row.months, created_at: row.created_at, state: row.state }
}
