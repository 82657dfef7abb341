import { sql } from 'kysely'
import { affiliateSetting } from '#contract/people/affiliate-setting.ts'
import { generalSetting } from '#contract/network/setting.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { CLICK_FLAG, UNCOUNTED_FLAGS } from '#server/rules/click/click-row.ts'

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
    manager_uuid: string | null
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
           (select a.uuid from setting s join account a on a.uuid::text = s.value ->> 'manager_uuid' join manager m on m.account_id = a.id
             where s.key = ${affiliateSetting.key} and s.value ->> 'manager' = 'one' and m.status = 'active') as manager_uuid,
           exists (select from domain where kind = 'tracking' and is_default) as domain`.execute(db)
  const [there] = rows
  if (there === undefined) throw new Error('a select without a table answers one row')
  return there
}

/** Whether a click was counted, else why the last one was not: a program's, one of a test link, or a refused one. */
export async function howFarClicks(clickhouse: Clickhouse): Promise<'none' | 'counted' | 'program' | 'test' | 'refused'> {
  const read = async (query: string) => (await clickhouse.query({ query, format: 'JSONCompactEachRow' })).json<[number, string]>()
  const counted = await read(`SELECT flags, reason FROM click WHERE bitAnd(flags, ${UNCOUNTED_FLAGS}) = 0 AND reason = '' LIMIT 1`)
  if (counted.length > 0) return 'counted'
  const [last] = await read('SELECT flags, reason FROM click ORDER BY ts DESC LIMIT 1')
  if (last === undefined) return 'none'
  const [flags] = last
  if ((flags & CLICK_FLAG.test) !== 0) return 'test'
  return (flags & UNCOUNTED_FLAGS) !== 0 ? 'program' : 'refused'
}
