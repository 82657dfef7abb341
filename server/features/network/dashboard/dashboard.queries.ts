import { sql } from 'kysely'
import { generalSetting } from '#contract/network/setting.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What a network has of what it needs; drafts of offers and postbacks nobody understood do not count. The uuids are of the first of each. */
export async function whatThereIs(db: DbOrTrx) {
  const { rows } = await sql<{
    settings: boolean
    affiliate: boolean
    offer: boolean
    conversion: boolean
    postback: boolean
    offer_uuid: string | null
    advertiser_uuid: string | null
    affiliate_uuid: string | null
    manager: boolean
    domain: boolean
  }>`
    select exists (select from setting where key = ${generalSetting.key} and version > 0) as settings,
           exists (select from affiliate) as affiliate,
           exists (select from offer where status <> 'draft') as offer,
           exists (select from conversion) as conversion,
           exists (select from postback_in where outcome not in ('refused', 'waiting', 'unmatched')) as postback,
           (select uuid from offer where status <> 'archived' order by id limit 1) as offer_uuid,
           (select uuid from advertiser where status <> 'deleted' order by id limit 1) as advertiser_uuid,
           (select a.uuid from affiliate f join account a on a.id = f.account_id where f.status = 'active' order by f.id limit 1) as affiliate_uuid,
           (select count(*) > 1 from (select from manager where status <> 'deleted' limit 2) as staff) as manager,
           exists (select from domain where kind = 'tracking' and is_default) as domain`.execute(db)
  const [there] = rows
  if (there === undefined) throw new Error('a select without a table answers one row')
  return there
}

/** Whether any click is stored, a test click too. */
export async function anyClick(clickhouse: Clickhouse): Promise<boolean> {
  const answer = await clickhouse.query({ query: 'SELECT 1 FROM click LIMIT 1', format: 'JSONCompactEachRow' })
  return (await answer.json<unknown[]>()).length > 0
}
