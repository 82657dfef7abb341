import { randomBytes, randomUUID } from 'node:crypto'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import type { ConversionClick } from '#server/features/traffic/conversion/draft.service.ts'
import { POSTBACK_PATH, type ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { insertTextOnce } from '#server/platform/clickhouse/insert-once.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { mintClickId, readClickIdKeys, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { CLICK_COLUMNS } from '#server/rules/click/click-row.ts'
import { clickRow, VISITOR } from './click-rows.ts'
import { makeAccount, makeAdvertiser } from './factories.ts'

const DAILY = { period: 'day', scope: 'offer', measure: 'conversions' } as const

type OfferChanges = {
  advertiserId?: number
  currency?: string
  holdDays?: number
  dailyCap?: number | null
  caps?: OfferCap[]
  overCap?: 'trafficback' | 'decline' | 'unpaid' | 'pause'
  timeZone?: string
  minSeconds?: number
  maxSeconds?: number
  repeatable?: boolean
  payout?: string
  revenue?: string
  payoutPercent?: string
  revenuePercent?: string
}

/** An active direct-link offer with an advertiser of its own, one default goal `sale` and one base payout row (10 → 15). */
export async function makeOffer(db: Db, made: OfferChanges = {}) {
  const advertiserId = made.advertiserId ?? (await makeAdvertiser(db)).id
  const advertiser = await db.selectFrom('advertiser').select('postback_token').where('id', '=', advertiserId).executeTakeFirstOrThrow()
  const offer = await db
    .insertInto('offer')
    .values({
      type: 'direct',
      title: `Offer ${randomBytes(3).toString('hex')}`,
      status: 'active',
      privacy: 'public',
      advertiser_id: advertiserId,
      currency: made.currency ?? 'USD',
      tracking_url: 'https://advertiser.example/?c={click_id}',
      hold_days: made.holdDays ?? 0,
      caps: JSON.stringify(made.caps ?? (made.dailyCap ? [{ ...DAILY, limit: String(made.dailyCap) }] : [])),
      over_cap_action: made.overCap ?? 'decline',
      time_zone: made.timeZone ?? 'UTC',
      min_conversion_time: made.minSeconds ?? null,
      max_conversion_time: made.maxSeconds ?? null,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const goal = await db
    .insertInto('goal')
    .values({ offer_id: offer.id, code: 'sale', title: 'Sale', is_default: true, repeatable: made.repeatable ?? false })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('payout_rule')
    .values({
      offer_id: offer.id,
      goal_id: goal.id,
      payout_fixed: made.payout ?? '10',
      revenue_fixed: made.revenue ?? '15',
      payout_percent: made.payoutPercent ?? '0',
      revenue_percent: made.revenuePercent ?? '0',
    })
    .execute()
  return { id: offer.id, uuid: offer.uuid, goalId: goal.id, advertiserId, token: advertiser.postback_token }
}

/** An active affiliate's number. */
export async function makeAffiliateId(db: Db): Promise<number> {
  return (await makeAccount(db, 'affiliate')).affiliateId ?? 0
}

/** A key for click ids, in the database as the product keeps it. */
export async function makeClickKeys(db: Db): Promise<ClickIdKeys> {
  const mac = randomBytes(16)
  const mask = randomBytes(16)
  await db
    .insertInto('tracking_key')
    .values({ version: 1, mac, mask })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('tracking_key').selectAll().where('version', '=', 1).executeTakeFirstOrThrow()
  return readClickIdKeys({
    current: 1,
    keys: [{ version: 1, mac: row.mac.toString('hex'), mask: row.mask.toString('hex') }],
  })
}

export type MadeClick = ConversionClick & { random: number; offerId: number }

/** A click with an id of its own, as conversions know it. */
export function makeClick(keys: ClickIdKeys, made: { offerId: number; affiliateId: number; at: number }): MadeClick {
  const random = randomBytes(4).readUInt32LE()
  return {
    id: mintClickId({ at: made.at, offerId: made.offerId, affiliateId: made.affiliateId, random }, keys),
    random,
    offerId: made.offerId,
    at: made.at,
    affiliateId: made.affiliateId,
    landing: 0,
    prelanding: 0,
    ...VISITOR,
    source: '',
    subs: ['one', 'two'],
    affClickId: 'aff-1',
    ip: '203.0.113.7',
    ua: 'Mozilla/5.0',
  }
}

/** A stored click: its row lies in ClickHouse. */
export async function storeClicks(
  clickhouse: Clickhouse,
  clicks: readonly MadeClick[],
  changes: { reason?: string; flags?: number; advertiser?: number } = {},
): Promise<void> {
  const rows = clicks.map((click) =>
    clickRow({
      ts: `${Math.floor(click.at / 1000)}.${String(click.at % 1000).padStart(3, '0')}`,
      rnd: click.random,
      affiliate: click.affiliateId,
      offer: click.offerId,
      landing: click.landing,
      prelanding: click.prelanding,
      geo: click.geo,
      device: click.device,
      os: click.os,
      browser: click.browser,
      lang: click.lang,
      sub1: click.subs[0] ?? '',
      sub2: click.subs[1] ?? '',
      aff_click_id: click.affClickId,
      ip: `::ffff:${click.ip}`,
      ua: click.ua,
      ...click.carried,
      reason: changes.reason ?? '',
      flags: changes.flags ?? 0,
      ...(changes.advertiser !== undefined && { advertiser: changes.advertiser }),
    }),
  )
  await insertTextOnce(clickhouse, {
    table: 'click_inlet',
    columns: CLICK_COLUMNS,
    rows: Buffer.from(rows.join('')),
    token: randomBytes(8).toString('hex'),
  })
}

/** A postback as a tracker hands it over. */
export function handOver(query: Record<string, string>, changes: Partial<ReceivedPostback> = {}): ReceivedPostback {
  return {
    id: randomUUID(),
    received_at: '2026-11-21T10:00:00.000Z',
    method: 'GET',
    path: POSTBACK_PATH,
    query: new URLSearchParams(query).toString(),
    body: '',
    content_type: '',
    ip: '198.51.100.1',
    headers: {},
    ...changes,
  }
}

/** Does all of it, `width` at a time: more than the pool has connections, so that they meet in the database, without a queue that times out on a busy machine. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (const [index, item] of queue) results[index] = await work(item)
    }),
  )
  return results
}
