import { z } from 'zod'
import { partnerApiOfferApi } from '#contract/offers/partner-api.ts'
import { partnerOfferFilters } from '#contract/offers/partner-offer.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { linkDomainsOf } from '#server/features/network/domain/address.service.ts'
import { cutPage, readCursor, rowNumber, writeCursor } from '#server/platform/cursor.ts'
import { listLinks } from '../link/link.queries.ts'
import { buildLink, createShortLink } from '../link/link.service.ts'
import { presentPartnerOffer, presentShortLink } from './partner-offer.present.ts'
import { listPartnerOffers } from './partner-offer.queries.ts'
import { goalsOf, requestAccess, showPartnerOffer } from './partner-offer.service.ts'

const NEWEST = { sort: 'id', direction: 'desc', page: 1 } as const

/** Offers and links for programs of affiliates: what the panel shows them, a page after the other by cursor. */
export function routes(app: HttpApp, { db, geoChoices, config }: RouteParts): void {
  const { clock } = app
  implement(app, partnerApiOfferApi, {
    list: async ({ query: { cursor, count, ...asked }, actor }) => {
      const affiliateId = affiliateOf(actor)
      const now = clock.now()
      const [before] = readCursor('offers', cursor, [rowNumber]) ?? [null]
      const filters = { ...partnerOfferFilters.parse({ ...asked, ...NEWEST }), count: count + 1 }
      const { list } = await listPartnerOffers(db, now, affiliateId, filters, before)
      const { page, next_cursor } = cutPage(list, count, ({ id }) => writeCursor('offers', [id]))
      const ids = page.map(({ id }) => id)
      const goals = await goalsOf(db, ids, affiliateId)
      return { data: page.map((row) => presentPartnerOffer(row, goals.get(row.id) ?? [], now)), next_cursor }
    },

    get: ({ params, actor }) => showPartnerOffer({ db, geoChoices, config }, clock.now(), affiliateOf(actor), params.uuid),

    requestAccess: async ({ db: work, params, body, actor }) => ({
      access: await requestAccess(work, clock.now(), actor, params.uuid, body.message),
    }),

    link: async ({ params, body, actor }) => ({ url: await buildLink(db, clock.now(), affiliateOf(actor), params.uuid, body, config) }),

    shortLinks: async ({ query: { cursor, count, offer_uuid }, actor }) => {
      const affiliateId = affiliateOf(actor)
      const [created_at, code] = readCursor('links', cursor, [z.iso.datetime(), z.string().max(20)]) ?? []
      const after = created_at !== undefined && code !== undefined ? { created_at, code } : undefined
      const asked = { count: count + 1, page: 1, offer_uuid, after }
      const [{ list }, domains] = await Promise.all([listLinks(db, affiliateId, asked), linkDomainsOf(db, config, affiliateId)])
      const { page, next_cursor } = cutPage(list, count, (last) => writeCursor('links', [last.created_at.toISOString(), last.code]))
      return { data: page.map((link) => presentShortLink(link, domains.baseFor(link.offer_number))), next_cursor }
    },

    createShortLink: async ({ db: work, body: { offer_uuid, ...input }, actor }) => {
      const { link, base } = await createShortLink(work, clock.now(), actor, affiliateOf(actor), offer_uuid, input, config)
      return presentShortLink(link, base)
    },
  })
}
