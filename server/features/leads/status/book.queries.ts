import { OPEN_TERMS, type StoredTerms } from '#contract/leads/api-offer.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { pricesOf } from '#server/rules/lead/member-price.ts'

/** The kind of leads of an API offer; undefined = it is none. */
export async function typeOf(db: DbOrTrx, offerId: number): Promise<IntegrationType | undefined> {
  const offer = await db.selectFrom('api_offer').select('integration_type').where('offer_id', '=', offerId).executeTakeFirst()
  return offer?.integration_type
}

/** What holds for the product a lead was sent to in its place in an offer; of one that was taken out what it says itself. */
export async function pricesOfSend(db: DbOrTrx, sendUuid: string, currency: Currency): Promise<StoredTerms['prices']> {
  const send = await db
    .selectFrom('lead_send as s')
    .innerJoin('product as p', 'p.id', 's.product_id')
    .leftJoin('offer_member as m', 'm.id', 's.member_id')
    .select(['m.terms', 'p.currency', 'p.prices'])
    .where('s.uuid', '=', sendUuid)
    .executeTakeFirstOrThrow()
  return pricesOf({ ...OPEN_TERMS, ...send.terms }.prices, send, currency)
}

/** Whether an affiliate is the network's own. */
export async function isHouse(db: DbOrTrx, affiliateId: number): Promise<boolean> {
  const affiliate = await db.selectFrom('affiliate').select('house').where('id', '=', affiliateId).executeTakeFirst()
  return affiliate?.house ?? false
}

/** What whoever brought the people of a distribution is paid. */
export function payoutOf(db: DbOrTrx, recoldId: number) {
  return db.selectFrom('recold').select(['payout', 'payout_amount']).where('id', '=', recoldId).executeTakeFirstOrThrow()
}

/** Whether an offer has a goal of that code. */
export async function hasGoal(db: DbOrTrx, offerId: number, code: string): Promise<boolean> {
  const goal = await db
    .selectFrom('goal')
    .select('id')
    .where('offer_id', '=', offerId)
    .where('code', '=', code)
    .where('retired', '=', false)
    .executeTakeFirst()
  return goal !== undefined
}

/** Whether the conversion of a lead of that goal brought or cost anything. */
export async function earned(db: DbOrTrx, clickId: string, code: string | undefined): Promise<boolean> {
  const found = await db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select('c.id')
    .where('c.click_id', '=', clickId)
    .where('g.code', '=', code ?? '')
    .where((of) => of.or([of('c.revenue', '!=', '0'), of('c.payout', '!=', '0')]))
    .executeTakeFirst()
  return found !== undefined
}
