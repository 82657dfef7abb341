import { sql, type RawBuilder } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What shows that an affiliate or advertiser is in use, by table and column. What the database would take along unasked is among it. */
export const USES = {
  affiliate: [
    ['offer_access', 'affiliate_id'],
    ['link', 'affiliate_id'],
    ['affiliate_postback', 'affiliate_id'],
    ['ticket', 'affiliate_id'],
    ['conversion', 'affiliate_id'],
    ['domain_assignment', 'affiliate_id'],
    ['referral', 'referrer_id'],
  ],
  advertiser: [
    ['offer', 'advertiser_id'],
    ['landing', 'advertiser_id'],
    ['conversion', 'advertiser_id'],
    ['postback_in', 'advertiser_id'],
    ['advertiser_link', 'advertiser_id'],
    ['advertiser_dialect', 'advertiser_id'],
  ],
} as const

/** Which of these affiliates have sent anybody, by what the engine keeps. */
export async function withClicks(clickhouse: Clickhouse, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const answer = await clickhouse.query({
    query: `SELECT DISTINCT affiliate FROM click WHERE affiliate IN (${ids.map(Number).join(', ')})`,
    format: 'JSONEachRow',
  })
  return new Set((await answer.json<{ affiliate: number }>()).map(({ affiliate }) => affiliate))
}

/** What has happened to an affiliate since it was made, and keeps it from being removed; undefined for one that is gone. */
export async function whatAffiliateDid(trx: DbOrTrx, id: number) {
  // locked in a statement of its own: what somebody writes meanwhile is waited for, and seen by the next one
  await sql`select from affiliate where id = ${id} for update`.execute(trx)
  const { rows } = await sql<{ account_id: number; signed_in: boolean; changed: boolean; used: boolean }>`
    select f.account_id,
           a.last_login_at is not null or a.password_hash is not null as signed_in,
           f.version > 1 or a.version > 1 as changed,
           ${anyOf(USES.affiliate, sql.ref('f.id'))} as used
      from affiliate f join account a on a.id = f.account_id where f.id = ${id} for update`.execute(trx)
  return rows[0]
}

/** The same of an advertiser. */
export async function whatAdvertiserDid(trx: DbOrTrx, id: number) {
  await sql`select from advertiser where id = ${id} for update`.execute(trx)
  const { rows } = await sql<{ changed: boolean; used: boolean }>`
    select d.version > 1 as changed,
           ${anyOf(USES.advertiser, sql.ref('d.id'))} as used
      from advertiser d where d.id = ${id} for update`.execute(trx)
  return rows[0]
}

/** Removes an account with all that is only its own. */
export async function removeAccount(trx: DbOrTrx, id: number): Promise<void> {
  await trx.deleteFrom('account').where('id', '=', id).execute()
}

export async function removeAdvertiser(trx: DbOrTrx, id: number): Promise<void> {
  await trx.deleteFrom('advertiser').where('id', '=', id).execute()
}

function anyOf(uses: readonly (readonly [table: string, column: string])[], id: RawBuilder<unknown>): RawBuilder<unknown> {
  const each = uses.map(([table, column]) => sql`exists (select from ${sql.table(table)} x where ${sql.ref(`x.${column}`)} = ${id})`)
  return sql`(${sql.join(each, sql` or `)})`
}
