import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import {
  byUuid,
  countryCode,
  line,
  moment,
  named,
  paragraph,
  reference,
  requiredLine,
  someOf,
  statusChange,
  uuid,
} from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { affiliateCap, capChange } from './offer-cap.ts'
import {
  activationWarning,
  networkNames,
  offer,
  offerDetail,
  offerInput,
  offerPrivacy,
  offerStatus,
  offerUpdate,
  targetDevice,
} from './offer-fields.ts'
import { offerType } from './offer-type.ts'
import { affiliateLink, linkInput } from './link.ts'
import { landingNumber } from './offer-landing.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { figuresAsked, figureTotals, FIGURES, figuresShown } from '#contract/traffic/figures.ts'
import { TRAFFICBACK_WAYS } from '#contract/traffic/refusal.ts'
import { verdict } from '#contract/traffic/verdict.ts'

export const offerFilters = z.object({
  ...paging,
  /** Payout and revenue as numbers, whatever their currency: the amount, then the share. */
  ...sorting([
    'id',
    'title',
    'status',
    'privacy',
    'advertiser',
    'payout',
    'revenue',
    'pending',
    'type',
    'vertical',
    'currency',
    'created_at',
    'updated_at',
    ...FIGURES,
  ]),
  ...figuresAsked,
  search: line(100).default(''),
  /** None = all but archived ones. */
  status: someOf(offerStatus),
  type: someOf(offerType),
  privacy: someOf(offerPrivacy),
  advertiser_uuid: z.array(uuid).max(100).default([]),
  /** Offers of the advertisers these look after. */
  manager_uuid: z.array(uuid).max(100).default([]),
  /** Offers that take traffic from any of these countries. */
  geo: z.array(countryCode).max(250).default([]),
  vertical: z.array(requiredLine(40)).max(50).default([]),
  tag: z.array(requiredLine(40)).max(30).default([]),
})

/** An offer in a list. */
export const offerRow = offer.extend(figuresShown)

/** Access of an affiliate to an offer, where there is an entry; a public offer is open to everybody without one. */
export const ACCESS_STATUSES = ['pending', 'approved', 'rejected', 'blocked'] as const
export const accessStatus = z.enum(ACCESS_STATUSES)

export const offerAccess = z.object({
  offer: reference,
  /** `name` is '' for an affiliate that is not the caller's own. */
  affiliate: reference,
  status: accessStatus,
  /** What the affiliate wrote, and what staff answered. */
  message: z.string(),
  reason: z.string(),
  requested_at: moment.nullable(),
  decided_at: moment.nullable(),
  decided_by: z.string().nullable(),
  /** Whether the caller may decide. */
  editable: z.boolean(),
})

export const accessFilters = z.object({
  ...paging,
  ...sorting(['requested_at', 'decided_at', 'status', 'offer', 'affiliate', 'decided_by']),
  /** None = every offer. */
  offer_uuid: z.array(uuid).max(100).default([]),
  /** None = every affiliate. */
  affiliate_uuid: z.array(uuid).max(100).default([]),
  status: someOf(accessStatus),
  search: line(100).default(''),
})

/** Numeric id or uuid of an affiliate. */
const affiliateKey = byUuid.shape.uuid

export const simulationInput = z.object({
  affiliate_uuid: affiliateKey,
  /** Number of the landing the link asks for; '' = none. */
  landing: landingNumber.default(''),
  geo: countryCode,
  device: targetDevice,
  os: line(40).default(''),
  browser: line(40).default(''),
  language: z.union([z.literal(''), z.string().regex(/^[a-z]{2}$/)]).default(''),
  os_version: line(20).default(''),
  /** `US/California` or `US/California/Los Angeles`; of another country than `geo` it is unknown. */
  place: line(200).default(''),
  /** Number of the network. */
  asn: z
    .string()
    .regex(/^\d{0,10}$/, 'A network is named by its number')
    .default(''),
  /** Absent = now. */
  at: moment.refine((text) => text >= '2000' && text < '2101', 'Choose a day from 2000 to 2100').optional(),
})

/** Whose test link, and what it carries. */
const testLinkInput = linkInput.omit({ domain: true, deeplink: true }).extend({ affiliate_uuid: affiliateKey })
export type TestLinkInput = z.output<typeof testLinkInput>

export const simulation = z.object({
  /** `unknown` = a plain 404. */
  outcome: z.enum(['redirect', 'refused', 'unknown']),
  /** Code of the first check that failed; '' = none. */
  reason: z.string(),
  /** Where the visitor is sent, macros filled with sample values; null = the plain page, or hidden because the offer is not the caller's own. */
  destination: z.string().nullable(),
  /** By what a refused click found its way; null of any other. */
  way: z.enum(TRAFFICBACK_WAYS).nullable(),
  /** What was asked for, or drawn by weight; null = the offer's own address, or no pre-landing. */
  landing: reference.nullable(),
  prelanding: reference.nullable(),
  /** Every check in its order. */
  verdicts: z.array(verdict),
  /** What a conversion of each goal would bring; `rule` is the row's place in the goal, null where no row fits. */
  payouts: z.array(
    z.object({
      goal: z.object({ uuid, code: z.string(), title: z.string() }),
      rule: z.int().nullable(),
      payout_fixed: z.string(),
      payout_percent: z.string(),
      revenue_fixed: z.string(),
      revenue_percent: z.string(),
    }),
  ),
})

/** One change of an offer; `before` and `after` hold the fields that differ. */
export const offerChange = z.object({
  id: z.string(),
  at: moment,
  action: z.string(),
  actor: z.string().nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  /** Whom and what it names, in words. */
  named: z.array(named),
  network_names: networkNames,
  /** Younger than 24 hours, and of a kind that can be taken back. */
  undoable: z.boolean(),
})

/** What a targeting can name: the value to store and what people call it; at most 20. */
const choices = z.object({ list: z.array(z.object({ value: z.string(), label: z.string() })) })

/** Offers as staff see them: all may be read, those of the own advertisers changed. Texts for affiliates: `partner-offer.ts`. */
export const offerApi = {
  places: endpoint({
    method: 'POST',
    path: '/api/offer/v1/places',
    access: 'offer.read',
    reads: true,
    summary:
      'Regions, cities, or both, that have a word beginning with a text in their name, for targeting; without a text the regions of the countries.',
    body: z.object({
      kind: z.enum(['region', 'city']).optional(),
      search: line(100),
      countries: z.array(countryCode).max(250).default([]),
    }),
    response: choices,
  }),
  networks: endpoint({
    method: 'POST',
    path: '/api/offer/v1/networks',
    access: 'offer.read',
    reads: true,
    summary: 'Networks by number or by how a word of their name begins, for targeting.',
    body: z.object({ search: line(100) }),
    response: choices,
  }),
  list: endpoint({
    method: 'POST',
    path: '/api/offer/v1/list',
    access: 'offer.read',
    reads: true,
    summary: 'Offers; the advertiser is named where it is the own one.',
    body: offerFilters,
    response: listOf(offerRow, figureTotals),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/offer/v1/get/:uuid',
    access: 'offer.read',
    summary: 'One offer with goals, payout rows and access counts.',
    params: byUuid,
    response: offerDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/offer/v1/create',
    access: 'offer.write',
    summary: 'Makes a direct-link offer as a draft.',
    body: offerInput,
    response: offerDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/offer/v1/update/:uuid',
    access: 'offer.write',
    summary:
      'Replaces an offer with its goals and payout rows; never its status. What newly looks like a mistake of an active one is refused as `offer_doubtful`, its fields the warnings to confirm.',
    params: byUuid,
    body: offerUpdate,
    response: offerDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/offer/v1/set-status',
    access: 'offer.write',
    summary:
      'Moves up to 1,000 offers to a status. One that cannot go there is an error when alone, and listed otherwise. What looks like a mistake of an offer to be activated is refused as `offer_doubtful`, its fields the warnings to confirm.',
    body: statusChange(offerStatus).extend({ confirm: someOf(activationWarning) }),
    response: z.object({ changed: z.int(), refused: z.array(z.object({ uuid, id: z.int(), name: z.string(), reason: z.string() })) }),
  }),
  setCap: endpoint({
    method: 'POST',
    path: '/api/offer/v1/set-cap/:uuid',
    access: 'offer.write',
    summary:
      'Gives one cap of an offer another limit, and with `offer` resumes or pauses the offer in the same write. A `conflict` where the cap is gone or its limit is not the expected one any more.',
    params: byUuid,
    body: capChange,
    response: z.object({ changed: z.int() }),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/offer/v1/delete/:uuid',
    access: 'offer.write',
    summary: 'Deletes a draft for good.',
    params: byUuid,
    response: z.object({}),
  }),
  duplicate: endpoint({
    method: 'POST',
    path: '/api/offer/v1/duplicate/:uuid',
    access: 'offer.write',
    summary: 'Makes a draft with the same goals and payout rows; access is not copied.',
    params: byUuid,
    response: z.object({ uuid, id: z.int() }),
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/offer/v1/options',
    access: 'report.read',
    reads: true,
    summary: 'Offers to choose from, for an affiliate those it sees; at most 50. A search that is a uuid finds one of any status.',
    body: z.object({ search: line(100).default(''), type: offerType.optional() }),
    response: z.object({ list: z.array(reference.extend({ status: offerStatus, currency })) }),
  }),
  renewToken: endpoint({
    method: 'POST',
    path: '/api/offer/v1/renew-token/:uuid',
    access: 'offer.write',
    summary: "Gives an offer a new postback token of its own, or goes back to the advertiser's.",
    params: byUuid,
    body: z.object({ own: z.boolean() }),
    response: z.object({ postback_token: z.string().nullable() }),
  }),

  accessList: endpoint({
    method: 'POST',
    path: '/api/offer/v1/access-list',
    access: 'offer.read',
    reads: true,
    summary: 'Affiliates that asked for, have or lost access, of one offer or all.',
    body: accessFilters,
    response: listOf(offerAccess),
  }),
  affiliateCaps: endpoint({
    method: 'POST',
    path: '/api/offer/v1/affiliate-caps',
    access: 'offer.read',
    reads: true,
    summary: 'The caps of active offers that one affiliate in the own scope may send traffic to, and how far they are filled now.',
    body: z.object({ ...paging, ...sorting(['offer'], 'asc'), affiliate_uuid: uuid, search: line(100).default('') }),
    response: listOf(affiliateCap),
  }),
  decideAccess: endpoint({
    method: 'POST',
    path: '/api/offer/v1/decide-access',
    access: 'offer.write',
    summary: 'Approves, rejects or blocks up to 1,000 affiliates; those of offers one may not change are passed over.',
    body: z.object({
      entries: z
        .array(z.object({ offer_uuid: uuid, affiliate_uuid: uuid }))
        .min(1)
        .max(1000),
      status: accessStatus.exclude(['pending']),
      /** Those that do not stand at it, where it is told, keep what they have. */
      expected: accessStatus.optional(),
      reason: paragraph(500).default(''),
    }),
    response: z.object({ changed: z.int(), decided_at: moment }),
  }),
  undoAccess: endpoint({
    method: 'POST',
    path: '/api/offer/v1/undo-access',
    access: 'offer.write',
    summary:
      'Takes own decisions of one moment about up to 1,000 affiliates back: status, answer, who and when are again what they were. What was decided or asked since is passed over; where nothing is left it is a `conflict`.',
    body: z.object({
      entries: z
        .array(z.object({ offer_uuid: uuid, affiliate_uuid: uuid }))
        .min(1)
        .max(1000),
      /** As `decideAccess` answered it. */
      decided_at: moment,
    }),
    response: z.object({ changed: z.int() }),
  }),
  addAffiliates: endpoint({
    method: 'POST',
    path: '/api/offer/v1/add-affiliates/:uuid',
    access: 'offer.write',
    summary: 'Approves up to 1,000 affiliates of the own scope without their asking.',
    params: byUuid,
    body: z.object({ affiliate_uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ changed: z.int() }),
  }),

  simulate: endpoint({
    method: 'POST',
    path: '/api/offer/v1/simulate/:uuid',
    access: 'offer.read',
    reads: true,
    summary: 'What happens to a click, check by check; nothing is stored.',
    params: byUuid,
    body: simulationInput,
    response: simulation,
  }),
  testLink: endpoint({
    method: 'POST',
    path: '/api/offer/v1/test-link/:uuid',
    access: 'offer.write',
    summary: 'A click link, valid for 24 hours, whose clicks touch no figures, with what an affiliate could put into it.',
    params: byUuid,
    body: testLinkInput,
    response: z.object({ url: z.string(), expires_at: moment }),
  }),
  affiliateLink: endpoint({
    method: 'POST',
    path: '/api/offer/v1/affiliate-link/:uuid',
    access: 'offer.read',
    reads: true,
    summary: 'The tracking link of an affiliate of the own scope, as that affiliate would build it.',
    params: byUuid,
    body: linkInput.extend({ affiliate_uuid: affiliateKey }),
    response: affiliateLink,
  }),
  history: endpoint({
    method: 'POST',
    path: '/api/offer/v1/history/:uuid',
    access: 'offer.write',
    reads: true,
    summary: 'Every change of an offer, newest first.',
    params: byUuid,
    body: z.object({ ...paging }),
    response: listOf(offerChange),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/offer/v1/undo/:uuid',
    access: 'offer.write',
    summary: 'Takes back one change of the last 24 hours; refused when its fields have changed since.',
    params: byUuid,
    body: z.object({ id: z.string().regex(/^\d{1,18}$/) }),
    response: offerDetail,
  }),
}
