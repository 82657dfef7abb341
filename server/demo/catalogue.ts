import { offerInput } from '#contract/offers/offer-fields.ts'
import { createOffer } from '#server/features/offers/offer/offer.service.ts'
import { changeOfferStatus } from '#server/features/offers/offer/offer-status.service.ts'
import type { Actor } from '#server/access/actor.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { makeLandings, proposeDemoLanding } from './landings.ts'
import { offerForm, OFFERS } from './offers.ts'

type Made = { uuid: string; id: number }

/** Makes the offers with their landings as of `at` and opens them to affiliates; a few requests wait for a decision. Answers numeric id → place in the list. */
export async function makeOffers(
  { db, store }: { db: Db; store: FileStore },
  plans: { at: number; now: number; admin: Actor; manager: Actor; affiliates: Made[]; advertisers: Made[] },
): Promise<Map<number, number>> {
  const { at, now, admin, manager, affiliates, advertisers } = plans
  const places = new Map<number, number>()
  const uuidsOf = (made: Made[]) => made.map(({ uuid }) => uuid)
  for (const [place, plan] of OFFERS.entries()) {
    const advertiser = advertisers[plan.advertiser]?.uuid ?? null
    const landings = await makeLandings({ db, store }, { at, now, admin, place, advertiser, affiliates: uuidsOf(affiliates) })
    const form = offerForm(plan, uuidsOf(affiliates), uuidsOf(advertisers), landings)
    const offer = await createOffer(db, at, admin, offerInput.parse(form))
    places.set(offer.id, place)
    if (plan.status !== 'draft') await changeOfferStatus(db, at, admin, { uuids: [offer.uuid], status: 'active', confirm: [] })
    if (plan.status === 'paused')
      await changeOfferStatus(db, now - 5 * 86_400_000, admin, { uuids: [offer.uuid], status: 'paused', confirm: [] })
    if (place === 0) await proposeDemoLanding({ db, store }, now - 7_200_000, manager, offer.uuid)
    await makeAccess(db, { offer: offer.id, place, at, now, admin, affiliates })
  }
  return places
}

/** Who may send traffic to an offer that is not open to all: most of the large ones; some asked lately, some were refused. */
async function makeAccess(
  db: Db,
  { offer, place, at, now, admin, affiliates }: { offer: number; place: number; at: number; now: number; admin: Actor; affiliates: Made[] },
): Promise<void> {
  const plan = OFFERS[place]
  if (plan === undefined || plan.privacy === 'public' || plan.status === 'draft') return
  const decided = { requested_at: new Date(at), decided_at: new Date(at + 3_600_000), decided_by: admin.accountId }
  for (const [rank, { id }] of affiliates.slice(0, 20).entries()) {
    const terms = accessOf(rank, place, plan.privacy)
    if (terms === undefined) continue
    const dates = terms.status === 'pending' ? { requested_at: new Date(now - rank * 1_800_000) } : decided
    await db
      .insertInto('offer_access')
      .values({ offer_id: offer, affiliate_id: id, ...terms, ...dates })
      .execute()
  }
}

type Access = { status: 'approved' } | { status: 'rejected'; reason: string } | { status: 'pending'; message: string }

/** What became of the affiliate at this place; undefined = it never asked. */
function accessOf(rank: number, place: number, privacy: 'premoderation' | 'private'): Access | undefined {
  if (privacy === 'private') return rank === 1 || rank === 2 ? { status: 'approved' } : undefined
  if (rank < 10) return { status: 'approved' }
  if (rank === 12) return { status: 'rejected', reason: 'We are looking for search traffic only.' }
  if (rank > 14 && (rank + place) % 2 === 0) return { status: 'pending', message: 'We have tested similar offers with good approval.' }
  return undefined
}
