import { OPEN_TERMS, type StoredTerms } from '#contract/leads/api-offer.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The kind of leads of an API offer; undefined = it is none. */
export async function typeOf(db: DbOrTrx, offerId: number): Promise<IntegrationType | undefined> {
  const offer = await db.selectFrom('api_offer').select('integration_type').where('offer_id', '=', offerId).executeTakeFirst()
  return offer?.integration_type
}

/** What the place of a product in an offer says it brings; none where it was taken out. */
export async function pricesOf(db: DbOrTrx, memberId: number): Promise<StoredTerms['prices']> {
  const member = await db.selectFrom('offer_member').select('terms').where('id', '=', memberId).executeTakeFirst()
  return { ...OPEN_TERMS, ...member?.terms }.prices
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
