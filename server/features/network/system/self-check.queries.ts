import { sql } from 'kysely'
import type { CapPeriod } from '#contract/offers/offer-cap.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows } from '#server/platform/pg/paging.ts'

/** What was compared, and what of it differs: the first few in words of the books. */
export type Compared = { compared: number; different: number; examples: string[] }

const EXAMPLES = 10

/** How many accounts the ledger has. */
export function countAccounts(db: DbOrTrx): Promise<number> {
  return countRows(db.selectFrom('ledger_account'))
}

/** How many transfers it has. */
export function countTransfers(db: DbOrTrx): Promise<number> {
  return countRows(db.selectFrom('ledger_transfer'))
}

/** How many conversions there are. */
export function countConversions(db: DbOrTrx): Promise<number> {
  return countRows(db.selectFrom('conversion'))
}

/** Counters of caps, the youngest first, for whoever knows when their periods end. */
export async function listCounters(db: DbOrTrx, most: number) {
  const { rows } = await sql<{
    offer_id: number
    affiliate_id: number
    period: CapPeriod
    starts: Date
    measure: string
    time_zone: string
  }>`
    select c.offer_id, c.affiliate_id, c.period, c.starts, c.measure, o.time_zone
      from cap_counter c join offer o on o.id = c.offer_id order by c.starts desc, c.offer_id, c.affiliate_id limit ${most}`.execute(db)
  return rows
}

/** Counters that say something else than their conversions; `ends` beside each. Of one moment: a conversion and its counter are written together. */
export async function crookedCounters(
  db: DbOrTrx,
  counters: readonly { offer_id: number; affiliate_id: number; period: CapPeriod; starts: Date; measure: string; ends: Date }[],
): Promise<Compared> {
  const { rows } = await sql<{ compared: number; different: number; examples: string[] | null }>`
    with counted as (
      select c.offer_id, c.affiliate_id, c.period, c.measure, c.used, (
          select case when c.measure = 'payout' then coalesce(sum(greatest(v.payout, 0)), 0) else count(*) end
            from conversion v
           where v.offer_id = c.offer_id and (c.affiliate_id = 0 or v.affiliate_id = c.affiliate_id)
             and v.within_cap and v.status in ('pending', 'hold', 'approved') and v.created_at >= c.starts and v.created_at < w.ends
             and (c.measure <> 'payout' or v.currency = o.currency)) as found
        from cap_counter c join offer o on o.id = c.offer_id
        join unnest(${counters.map((one) => one.offer_id)}::int[], ${counters.map((one) => one.affiliate_id)}::int[], ${counters.map((one) => one.period)}::text[],
                    ${counters.map((one) => one.starts)}::timestamptz[], ${counters.map((one) => one.measure)}::text[], ${counters.map((one) => one.ends)}::timestamptz[])
          as w (offer_id, affiliate_id, period, starts, measure, ends) using (offer_id, affiliate_id, period, starts, measure)),
      crooked as (select * from counted where used <> found)
    select (select count(*)::int from counted) as compared, (select count(*)::int from crooked) as different,
           (select array_agg('offer ' || offer_id || case when affiliate_id = 0 then '' else ', affiliate ' || affiliate_id end || ', ' || measure || ' of ' || period || ': ' || used || ' ≠ ' || found)
              from (select * from crooked order by offer_id, affiliate_id limit ${EXAMPLES}) as few) as examples`.execute(db)
  return whole(rows)
}

/** Affiliates whose chains are looked at: some by chance, of those that have one. */
export async function someChains(db: DbOrTrx, most: number): Promise<{ affiliate_id: number; seq: number }[]> {
  const { rows } = await sql<{ affiliate_id: number; seq: number }>`
    select affiliate_id, chain_seq as seq from history_head where chain_seq > 0 order by random() limit ${most}`.execute(db)
  return rows
}

/** The sums of clicks in the roll-ups beside those of the clicks they are made of, by table, between two moments (ms, on quarter hours). */
export async function clickSums(clickhouse: Clickhouse, from: number, to: number): Promise<{ name: string; sums: string }[]> {
  const params = { from: Math.floor(from / 1000), to: Math.floor(to / 1000) }
  const rolled = ['click_by_offer', 'click_by_affiliate', 'click_by_geo'].map(
    (table) => `SELECT '${table}' AS name, concat(toString(sum(clicks)), ' ', toString(sum(refused))) AS sums FROM ${table}
      WHERE quarter >= fromUnixTimestamp({from:Int64}) AND quarter < fromUnixTimestamp({to:Int64})`,
  )
  const answer = await clickhouse.query({
    query: `SELECT 'click' AS name, concat(toString(countIf(bitAnd(flags, 7) = 0 AND reason = '')), ' ', toString(countIf(bitAnd(flags, 7) = 0 AND reason != ''))) AS sums
      FROM click WHERE ts >= fromUnixTimestamp({from:Int64}) AND ts < fromUnixTimestamp({to:Int64}) AND bitAnd(flags, 8) = 0
      UNION ALL ${rolled.join(' UNION ALL ')}`,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: { max_execution_time: 300 },
  })
  return answer.json<{ name: string; sums: string }>()
}

function whole(rows: readonly { compared: number; different: number; examples: string[] | null }[]): Compared {
  const [row] = rows
  if (row === undefined) throw new Error('a select without a table answers one row')
  return { ...row, examples: row.examples ?? [] }
}
