import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000

/**
 * What advertisers sent over the last two days besides the conversions themselves: repeats, late decisions, and calls
 * that were refused. They go in by the product's own door, each at its own time.
 */
export async function makePostbacks(db: Db, clickhouse: Clickhouse, random: Random, now: number): Promise<void> {
  const findClick = openClickFinder(clickhouse)
  const recent = await db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .select(['c.click_id', 'c.transaction_id', 'c.status', 'g.code', 'v.postback_token'])
    .where('c.amount', 'is', null)
    .where('c.created_at', '<', new Date(now - 2 * 24 * HOUR))
    .orderBy('c.created_at', 'desc')
    .limit(24)
    .execute()
  for (const [index, one] of recent.entries()) {
    const at = now - Math.round((recent.length - index) * 1.6 * HOUR + random.next() * HOUR)
    const fields = new URLSearchParams({ click_id: one.click_id, goal: one.code, status: 'approved', token: one.postback_token })
    if (one.transaction_id !== null) fields.set('txn_id', one.transaction_id)
    if (index % 4 === 1) fields.set('token', 'an-old-token')
    if (index % 4 === 2) fields.set('click_id', `${one.click_id.slice(0, -1)}x`)
    if (index % 4 === 3 && one.status === 'pending') fields.set('status', 'declined')
    // an event nobody has mapped
    if (index % 8 === 4) fields.set('goal', 'af_purchase')
    await receivePostback(
      { db, findClick, clock: { now: () => at } },
      { id: `demo-${index}`, received_at: new Date(at).toISOString(), method: 'GET', query: fields.toString(), ip: '203.0.113.7' },
    )
  }
}
