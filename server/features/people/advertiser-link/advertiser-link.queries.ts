import { sql, type Insertable } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'

/** The last links of an advertiser, newest first. */
export function listLinks(db: Db, advertiserId: number) {
  return db
    .selectFrom('advertiser_link as l')
    .leftJoin('account as a', 'a.id', 'l.created_by')
    .select([
      'l.uuid',
      'l.name',
      'l.created_at',
      'l.expires_at',
      'l.revoked_at',
      'l.last_opened_at',
      sql<string>`coalesce(a.name, '')`.as('by'),
    ])
    .where('l.advertiser_id', '=', advertiserId)
    .orderBy('l.id', 'desc')
    .limit(100)
    .execute()
}

/** How many links of an advertiser still lead somewhere. */
export async function countOpenLinks(trx: DbOrTrx, advertiserId: number, now: Date): Promise<number> {
  const { rows } = await trx
    .selectFrom('advertiser_link')
    .select(sql<number>`count(*)::int`.as('rows'))
    .where('advertiser_id', '=', advertiserId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return rows
}

export function insertLink(trx: DbOrTrx, values: Insertable<Tables['advertiser_link']>) {
  return trx.insertInto('advertiser_link').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** A link of an advertiser in scope, kept from changing meanwhile. */
export function lockLink(trx: DbOrTrx, scope: Scope, key: string) {
  return trx
    .selectFrom('advertiser_link as l')
    .innerJoin('advertiser as d', 'd.id', 'l.advertiser_id')
    .select(['l.id', 'l.advertiser_id', 'l.name', 'l.revoked_at'])
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .where(keyIs(key, { uuid: 'l.uuid', id: 'l.id' }))
    .forUpdate('l')
    .executeTakeFirst()
}

export async function revokeLink(trx: DbOrTrx, id: number, at: Date): Promise<void> {
  await trx.updateTable('advertiser_link').set({ revoked_at: at }).where('id', '=', id).execute()
}

/** The advertiser behind a token that still works, and marks that it was looked at; undefined for any other. */
export async function openLink(db: Db, tokenHash: Buffer, now: Date) {
  const { rows } = await sql<{ advertiser_id: number; name: string; uuid: string }>`
    update advertiser_link l set last_opened_at = ${now} from advertiser d
     where l.token_hash = ${tokenHash} and l.revoked_at is null and l.expires_at > ${now} and d.id = l.advertiser_id and d.status <> 'deleted'
    returning l.advertiser_id, d.name, d.uuid`.execute(db)
  return rows[0]
}

/** Conversions of an advertiser in a period that were not thrown away. */
function counted(db: Db, advertiserId: number, range: { from: Date; to: Date }) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('currency as m', 'm.code', 'c.currency')
    .where('c.advertiser_id', '=', advertiserId)
    .where('c.created_at', '>=', range.from)
    .where('c.created_at', '<', range.to)
    .where('c.test', '=', false)
    .where('c.status', '!=', 'trash')
}

/** What an advertiser reported in a period, newest first, each in its currency's decimals: no more of each than it may know. */
export function conversionsOf(db: Db, advertiserId: number, range: { from: Date; to: Date }, most: number) {
  return counted(db, advertiserId, range)
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.created_at', 'o.title as offer', 'g.title as goal', 'c.click_id', 'c.transaction_id', 'c.status', 'c.currency'])
    .select(sql<string>`round(c.revenue, m.decimals)`.as('amount'))
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(most)
    .execute()
}

/** How many conversions there are of each currency and status in a period, and what they come to, rounded once. */
export function totalsOf(db: Db, advertiserId: number, range: { from: Date; to: Date }) {
  return counted(db, advertiserId, range)
    .select(['c.currency', 'c.status', sql<number>`count(*)::int`.as('conversions')])
    .select(sql<string>`round(sum(c.revenue), m.decimals)`.as('amount'))
    .groupBy(['c.currency', 'c.status', 'm.decimals'])
    .orderBy('c.currency')
    .orderBy(sql`array_position(array['approved', 'hold', 'pending', 'declined'], c.status)`)
    .execute()
}

/** The decimals of each currency. */
export async function decimalsByCurrency(db: Db): Promise<Map<string, number>> {
  const rows = await db.selectFrom('currency').select(['code', 'decimals']).execute()
  return new Map(rows.map(({ code, decimals }) => [code, decimals]))
}

/** The last issued invoices of an advertiser and their credit notes, the newest first. */
export async function invoicesOf(db: Db, advertiserId: number, most: number) {
  const { rows } = await sql<{
    kind: 'invoice' | 'note'
    uuid: string
    number: string
    day: string
    due_day: string | null
    total: string
    open: string | null
    currency: string
    decimals: number
  }>`
    select k.*, m.decimals from (
      select 'invoice' as kind, uuid, number, number_day::text as day, due_day::text, total::text, open::text, currency, issued_at as at
        from advertiser_invoice where advertiser_id = ${advertiserId} and number is not null
      union all
      select 'note', n.uuid, n.number, n.number_day::text, null, n.total::text, null, i.currency, n.created_at
        from advertiser_credit_note n join advertiser_invoice i on i.id = n.invoice_id where i.advertiser_id = ${advertiserId}
    ) k join currency m on m.code = k.currency order by k.at desc, k.number desc limit ${most}`.execute(db)
  return rows
}
