import type { z } from 'zod'
import type { recoldApi } from '#contract/leads/recold.ts'
import type { MemberRow } from '#server/features/leads/api-offer/cascade.queries.ts'
import { stateOf } from '#server/rules/lead/hindrance.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import type { searchOffers } from './target.queries.ts'

type Offers = Awaited<ReturnType<typeof searchOffers>>

/** Offers with those of their products whose advertiser the caller sees. */
export function presentTargets(
  offers: Offers,
  members: readonly MemberRow[],
  seen: ReadonlySet<number>,
  now: number,
): z.input<typeof recoldApi.targets.response>['list'] {
  const byOffer = Map.groupBy(members, ({ offer_id }) => offer_id)
  return offers.map((offer) => ({
    uuid: offer.uuid,
    id: offer.id,
    name: offer.title,
    running: isRunning(offer, now),
    products: (byOffer.get(offer.id) ?? [])
      .filter(({ advertiser_id }) => seen.has(advertiser_id))
      .map((member) => ({
        uuid: member.product_uuid,
        id: member.product_id,
        name: member.title,
        advertiser: { uuid: member.advertiser_uuid, id: member.advertiser_id, name: member.advertiser },
        state: stateOf(member, now),
      })),
  }))
}
