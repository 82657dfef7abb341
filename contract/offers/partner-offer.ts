import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, moment, paragraph, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { ACCESS_STATUSES } from './offer.ts'
import { goalType, networkNames, offerPrivacy, targetDevice, targeting, terms } from './offer-fields.ts'
import { offerType } from './offer-type.ts'
import { linkInput, shortLink } from './link.ts'
import { partnerCapLevel } from './offer-cap.ts'
import { partnerLanding } from './offer-landing.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/** all: every offer the affiliate may see; live: may send traffic now; available: may be asked for. */
export const OFFER_TABS = ['all', 'live', 'available'] as const

/** `none` = may be asked for; a public offer is `approved` without asking. */
export const ownAccess = z.enum(['none', ...ACCESS_STATUSES])

/** What an offer is to affiliates just now: all but `live` have no link, and take conversions of earlier clicks. */
export const PARTNER_OFFER_STATES = ['live', 'upcoming', 'paused', 'over', 'stopped'] as const
export const partnerOfferState = z.enum(PARTNER_OFFER_STATES)

export const partnerOffer = z.object({
  uuid,
  id: z.int(),
  title: z.string(),
  type: offerType,
  state: partnerOfferState,
  privacy: offerPrivacy,
  vertical: z.string(),
  currency,
  geo: targeting.shape.geo,
  traffic_sources: z.array(z.string()),
  access: ownAccess,
  /** What the default goal brings this affiliate where no narrower row applies; null = nothing is set. */
  payout: terms.nullable(),
  /** Other countries, devices or goals bring something else. */
  payout_varies: z.boolean(),
  created_at: moment,
})

/** What this affiliate gets. The first row that fits a click counts; empty lists mean "any other". */
export const partnerTerms = z.object({
  /** Numbers of landings. */
  landings: z.array(z.int()),
  geos: z.array(countryCode),
  devices: z.array(targetDevice),
  oses: z.array(z.string()),
  payout_fixed: z.string(),
  payout_percent: z.string(),
})

export const partnerOfferDetail = partnerOffer.extend({
  description: z.string(),
  kpi: z.string(),
  preview_url: z.string(),
  start_at: moment.nullable(),
  stop_at: moment.nullable(),
  hold_days: z.int(),
  click_lifetime_days: z.int(),
  caps: z.array(partnerCapLevel),
  time_zone: z.string(),
  targeting,
  network_names: networkNames,
  deep_link_hosts: z.array(z.string()),
  /** The tracking domains a link may begin with, the usual one first. */
  track_domains: z.array(z.string()),
  /** Those a link may ask for. */
  landings: z.array(partnerLanding),
  goals: z.array(
    z.object({
      code: z.string(),
      title: z.string(),
      type: goalType,
      is_default: z.boolean(),
      repeatable: z.boolean(),
      terms: z.array(partnerTerms),
    }),
  ),
  /** What the affiliate wrote when it asked, and what staff answered. */
  access_message: z.string(),
  access_reason: z.string(),
})

export const partnerOfferFilters = z.object({
  ...paging,
  ...sorting(['id', 'title', 'access', 'vertical', 'created_at']),
  tab: z.enum(OFFER_TABS).default('all'),
  search: line(100).default(''),
  vertical: z.array(requiredLine(40)).max(50).default([]),
  geo: z.array(countryCode).max(250).default([]),
  access: someOf(ownAccess),
})

/** Offers as an affiliate sees them: the resulting terms, never revenue, advertiser, notes or other affiliates. */
export const partnerOfferApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/offer/v1/partner-list',
    access: 'offer.partner',
    reads: true,
    summary: 'Offers the affiliate may see.',
    body: partnerOfferFilters,
    response: listOf(partnerOffer),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/offer/v1/partner-get/:uuid',
    access: 'offer.partner',
    summary: 'One offer with the terms that result for this affiliate.',
    params: byUuid,
    response: partnerOfferDetail,
  }),
  requestAccess: endpoint({
    method: 'POST',
    path: '/api/offer/v1/partner-request-access/:uuid',
    access: 'offer.partner',
    summary: 'Asks for access; a public offer needs none.',
    params: byUuid,
    body: z.object({ message: paragraph(1000).default('') }),
    response: z.object({ access: ownAccess }),
  }),
  link: endpoint({
    method: 'POST',
    path: '/api/offer/v1/partner-link/:uuid',
    access: 'link.own',
    reads: true,
    summary: 'Builds the tracking link.',
    params: byUuid,
    body: linkInput,
    response: z.object({ url: z.string() }),
  }),
  createShortLink: endpoint({
    method: 'POST',
    path: '/api/offer/v1/partner-short-link/:uuid',
    access: 'link.own',
    summary: 'Keeps a link under a short address; the same link twice is one.',
    params: byUuid,
    body: linkInput,
    response: shortLink,
  }),
  shortLinks: endpoint({
    method: 'POST',
    path: '/api/offer/v1/partner-short-links',
    access: 'link.own',
    reads: true,
    summary: 'The own short links, newest first.',
    body: z.object({ ...paging, offer_uuid: z.array(uuid).max(100).default([]) }),
    response: listOf(shortLink),
  }),
}
