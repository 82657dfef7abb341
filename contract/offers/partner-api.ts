import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, paragraph, requiredLine, uuid } from '#contract/fields.ts'
import { commaList, cursorPageOf, cursorPaging } from '#contract/partner-page.ts'
import { linkInput, shortLink } from './link.ts'
import { OFFER_TABS, ownAccess, partnerOffer, partnerOfferDetail } from './partner-offer.ts'

/** Offers and links, for programs of affiliates. */
export const partnerApiOfferApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/partner/v1/offers',
    access: 'partner.api',
    summary: 'Offers you may see, the newest first.',
    query: z.object({
      ...cursorPaging,
      tab: z.enum(OFFER_TABS).default('all'),
      search: line(100).default(''),
      vertical: commaList(requiredLine(40), 50),
      geo: commaList(countryCode, 250),
    }),
    response: cursorPageOf(partnerOffer),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/partner/v1/offers/:uuid',
    access: 'partner.api',
    summary: 'One offer with what its goals bring you.',
    params: byUuid,
    response: partnerOfferDetail,
  }),
  requestAccess: endpoint({
    method: 'POST',
    path: '/api/partner/v1/offer-access/:uuid',
    access: 'partner.api',
    summary: 'Asks for access to an offer; a public one needs none.',
    params: byUuid,
    body: z.object({ message: paragraph(1000).default('') }),
    response: z.object({ access: ownAccess }),
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/partner/v1/offer-link/:uuid',
    access: 'partner.api',
    reads: true,
    summary: 'Builds your tracking link of an offer.',
    params: byUuid,
    body: linkInput,
    response: z.object({ url: z.string() }),
  }),
  shortLinks: endpoint({
    method: 'GET',
    path: '/api/partner/v1/short-links',
    access: 'partner.api',
    summary: 'Your short links, the newest first.',
    query: z.object({ ...cursorPaging, offer_uuid: commaList(uuid, 100) }),
    response: cursorPageOf(shortLink),
  }),
  createShortLink: endpoint({
    method: 'POST',
    path: '/api/partner/v1/short-links',
    access: 'partner.api',
    summary: 'Keeps a link of an offer under a short address; the same link twice is one.',
    body: linkInput.extend({ offer_uuid: byUuid.shape.uuid }),
    response: shortLink,
  }),
}
