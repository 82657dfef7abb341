import { sql } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

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
  const { rows } = await sql<{ account_id: number; signed_in: boolean; changed: boolean; used: boolean }>`
    select f.account_id,
           a.last_login_at is not null or a.password_hash is not null as signed_in,
           f.version > 1 or a.version > 1 as changed,
           exists (select from offer_access x where x.affiliate_id = f.id) or exists (select from link x where x.affiliate_id = f.id)
             or exists (select from affiliate_postback x where x.affiliate_id = f.id) or exists (select from ticket x where x.affiliate_id = f.id)
             or exists (select from conversion x where x.affiliate_id = f.id) as used
      from affiliate f join account a on a.id = f.account_id where f.id = ${id} for update`.execute(trx)
  return rows[0]
}

/** The same of an advertiser. */
export async function whatAdvertiserDid(trx: DbOrTrx, id: number) {
  const { rows } = await sql<{ changed: boolean; used: boolean }>`
    select d.version > 1 as changed,
           exists (select from offer x where x.advertiser_id = d.id) or exists (select from landing x where x.advertiser_id = d.id)
             or exists (select from conversion x where x.advertiser_id = d.id) or exists (select from postback_in x where x.advertiser_id = d.id) as used
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
