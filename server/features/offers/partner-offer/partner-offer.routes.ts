import { partnerChangeApi } from '#contract/offers/partner-change.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listLinks } from '../link/link.queries.ts'
import { linkDomainsOf } from '#server/features/network/domain/address.service.ts'
import { buildLink, createShortLink } from '../link/link.service.ts'
import { listPartnerChanges } from './partner-change.service.ts'
import { presentPartnerOffer, presentShortLink } from './partner-offer.present.ts'
import { listPartnerOffers } from './partner-offer.queries.ts'
import { goalsOf, requestAccess, showPartnerOffer } from './partner-offer.service.ts'

/** Offers and links as an affiliate sees them. */
export function routes(app: HttpApp, { db, geoChoices, config }: RouteParts): void {
  const { clock } = app
  implement(app, partnerChangeApi, {
    list: async ({ body, actor }) => ({ list: await listPartnerChanges(db, clock.now(), actor, body) }),
  })
  implement(app, partnerOfferApi, {
    list: async ({ body, actor }) => {
      const affiliateId = affiliateOf(actor)
      const { rows, list } = await listPartnerOffers(db, clock.now(), affiliateId, body)
      const goals = await goalsOf(
        db,
        list.map((row) => row.id),
        affiliateId,
      )
      return { list: list.map((row) => presentPartnerOffer(row, goals.get(row.id) ?? [], clock.now())), summary: { rows } }
    },

    get: ({ params, actor }) => showPartnerOffer({ db, geoChoices, config }, clock.now(), affiliateOf(actor), params.uuid),

    requestAccess: async ({ params, body, actor }) => ({ access: await requestAccess(db, clock.now(), actor, params.uuid, body.message) }),

    link: async ({ params, body, actor }) => ({
      url: await buildLink(db, clock.now(), affiliateOf(actor), params.uuid, body, config),
    }),

    createShortLink: async ({ params, body, actor }) => {
      const { link, base } = await createShortLink(db, clock.now(), actor, affiliateOf(actor), params.uuid, body, config)
      return presentShortLink(link, base)
    },

    shortLinks: async ({ body, actor }) => {
      const affiliateId = affiliateOf(actor)
      const [{ rows, list }, domains] = await Promise.all([listLinks(db, affiliateId, body), linkDomainsOf(db, config, affiliateId)])
      return { list: list.map((link) => presentShortLink(link, domains.baseFor(link.offer_number))), summary: { rows } }
    },
  })
}
