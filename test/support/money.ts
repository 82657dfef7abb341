import { randomBytes } from 'node:crypto'
import type { ConversionClick } from '#server/features/conversion/draft.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { mintClickId, readClickIdKeys, type ClickIdKeys } from '#server/rules/click-id.ts'
import { makeAccount, makeAdvertiser } from './factories.ts'

type OfferChanges = {
  advertiserId?: number
  currency?: 'USD' | 'EUR' | 'UAH'
  holdDays?: number
  dailyCap?: number | null
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
      daily_cap: made.dailyCap ?? null,
      over_cap_action: made.overCap ?? 'decline',
      time_zone: made.timeZone ?? 'UTC',
      min_conversion_time: made.minSeconds ?? null,
      max_conversion_time: made.maxSeconds ?? null,
    }) // prettier-ignore
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
    }) // prettier-ignore
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
    visitor: '0'.repeat(32),
  })
}

/** A click with an id of its own, as conversions know it. */
export function makeClick(
  keys: ClickIdKeys,
  made: { offerId: number; affiliateId: number; at: number },
): ConversionClick & { random: number } {
  const random = randomBytes(4).readUInt32LE()
  return {
    id: mintClickId({ at: made.at, offerId: made.offerId, affiliateId: made.affiliateId, random }, keys),
    random, at: made.at, affiliateId: made.affiliateId, landing: 0, prelanding: 0, geo: 'UA', device: 'mobile', os: 'Android', browser: 'Chrome', lang: 'uk', source: '',
    subs: ['one', 'two'], affClickId: 'aff-1', ip: '203.0.113.7', ua: 'Mozilla/5.0',
  } // prettier-ignore
}
