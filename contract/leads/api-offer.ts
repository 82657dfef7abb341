import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import {
  byUuid,
  countryCode,
  line,
  moment,
  reference,
  requiredLine,
  someOf,
  timeZone,
  uuid,
  version,
  webAddress,
} from '#contract/fields.ts'
import { positiveAmount } from '#contract/money/amount.ts'
import { CAP_PERIODS } from '#contract/offers/offer-cap.ts'
import { activationWarning, checkParts, checkRows, goalCode, offerDetail, offerParts } from '#contract/offers/offer-fields.ts'
import { INTEGRATION_TYPES } from './integration-type.ts'
import { integrationType } from './integration.ts'
import { integritySettings } from './integrity.ts'
import { leadSimulation, leadSimulationInput } from './lead-simulation.ts'
import { leadTest, leadTestInput } from './lead-test.ts'
import { NEVER_OPEN, neverOpens, openingHours } from './opening-hours.ts'
import { HINDRANCES, productCap, productFields, productPrice, TWICE_PRICED, twicePriced } from './product.ts'

/**
 * How a group chooses whom it asks first: by its order, by chance according to weights, each in turn, or who takes most of what is sent.
 */
export const GROUP_STRATEGIES = ['priority', 'weight', 'round_robin', 'best_rate'] as const
export const groupStrategy = z.enum(GROUP_STRATEGIES)
export type GroupStrategy = z.output<typeof groupStrategy>

const listMode = z.enum(['all', 'only', 'except'])

/** What one product brings and costs for a goal of the offer, in the offer's currency. */
export const memberPrice = productPrice.extend({
  /** What the affiliate gets; null = as the payout rows of the goal say. */
  payout: positiveAmount.nullable(),
})
export type MemberPrice = z.output<typeof memberPrice>

/**
 * What a limit of a product counts. accepted: leads it has, or may have: one sent takes its place, one refused gives it back; sends: leads
 * sent to it, whatever it answers; goal: conversions of a goal that are pending, on hold or approved; revenue: what they bring in the
 * offer's currency. What counts conversions stops leads once it is reached, and refuses no conversion.
 */
export const MEMBER_MEASURES = ['accepted', 'sends', 'goal', 'revenue'] as const
export const memberCap = z.object({
  period: z.enum(CAP_PERIODS),
  /** Absent = accepted. */
  measure: z.enum(MEMBER_MEASURES).optional(),
  /** Code of the goal, of `goal` alone. */
  goal: goalCode.optional(),
  limit: z.int().min(1).max(999_999_999),
})
export type MemberCap = z.output<typeof memberCap>

/** What holds for a product in its place in an offer, beside whose leads it takes. */
const termFields = {
  /** None = whatever the product takes. */
  geos: z.array(countryCode).max(250),
  /** The first of the subs affiliates send. */
  subs: z.object({ mode: listMode, values: z.array(requiredLine(100)).max(500) }),
  /** Of hours and limits. */
  time_zone: timeZone,
  /** null = open at any time; its product has hours of its own, and both must be open. */
  hours: openingHours.nullable(),
  /** How much it takes of each period. */
  caps: z.array(memberCap).max(20),
  /** After a rejection here: the next product is asked, or nobody. */
  on_reject: z.enum(['next', 'stop']),
  /**
   * Where no answer comes in time, so that it may have the lead: a person decides and nobody else is asked meanwhile, or the next one is
   * asked and a person decides only where none takes it. Absent = ask.
   */
  on_timeout: z.enum(['ask', 'next']).optional(),
  /** It is passed over while more than so many of 100 of its newest answers of a day are rejections; null or absent = however many. */
  reject_above: z.int().min(1).max(99).nullable().optional(),
  /** For so many days a person the advertiser had is not offered to it again; 0 = at once, null = never again. */
  repeat_days: z.int().min(0).max(3650).nullable(),
  prices: z.array(memberPrice).max(300),
}

/** The same with the affiliates whose leads it takes. */
export const memberTerms = z.object({
  ...termFields,
  affiliates: z.object({ mode: listMode, affiliate_uuids: z.array(uuid).max(1000) }),
})
export type MemberTerms = z.output<typeof memberTerms>

/** As stored: affiliates by their numbers. */
const storedTerms = z.object({ ...termFields, affiliates: z.object({ mode: listMode, ids: z.array(z.int()) }) })
export type StoredTerms = z.output<typeof storedTerms>

/** A product that takes whatever comes, at the payout rows' terms: what a row that does not say holds. */
export const OPEN_TERMS: StoredTerms = {
  geos: [],
  affiliates: { mode: 'all', ids: [] },
  subs: { mode: 'all', values: [] },
  time_zone: 'UTC',
  hours: null,
  caps: [],
  on_reject: 'next',
  repeat_days: null,
  prices: [],
}

const memberInput = z.object({
  product_uuid: z.uuid('Choose a product'),
  /** Of a draw by weights; 0 = last. */
  weight: z.int().min(0).max(10_000),
  paused: z.boolean(),
  ...memberTerms.shape,
})

const groupFields = {
  strategy: groupStrategy,
  /** Of `best_rate`: below so many leads sent a product's rate says nothing. */
  least_sample: z.int().min(1).max(100_000),
  /** Of `best_rate`: so many of 100 leads go to such products first. */
  explore: z.int().min(0).max(100),
}

/** What a lead's consent holds beside when it was given, by the names of the lead API. */
export const CONSENT_FIELDS = ['text', 'version', 'ip', 'url'] as const
/** off: nobody asks; hold: without it a person decides; refuse: without it the lead is not taken, and nothing of it is kept. */
export const CONSENT_MODES = ['off', 'hold', 'refuse'] as const
/** What a consent must hold for a lead of an offer to be taken. */
export const consentRule = z.object({ mode: z.enum(CONSENT_MODES), fields: someOf(z.enum(CONSENT_FIELDS)) })
export type ConsentRule = z.output<typeof consentRule>

/** What of an offer is about leads alone. */
export const leadFields = {
  integration_type: integrationType,
  /** Kept for products that are closed or full just now, so many hours at most. */
  wait_hours: z.int().min(0).max(168),
  /** For so many days a person is not taken for this offer again; 0 = taken each time, null = never again. */
  repeat_days: z.int().min(0).max(3650).nullable(),
  /** What is looked at before a lead is offered. */
  integrity: integritySettings,
  consent: consentRule,
  /** Where a person goes who opens the link to the advertiser a second time, or too late; '' = a page that says so. */
  thank_you_url: webAddress(),
}

/** As a request tells them; absent = as it is, of a new offer as usual. */
const leadFieldsTold = {
  ...leadFields,
  integrity: leadFields.integrity.optional(),
  consent: leadFields.consent.optional(),
  thank_you_url: leadFields.thank_you_url.optional(),
}

/** To whom an offer gives its leads, group after group. */
export const leadParts = z.object({
  ...leadFieldsTold,
  groups: z.array(z.object({ ...groupFields, members: z.array(memberInput).max(50) })).max(10),
})
export type LeadParts = z.output<typeof leadParts>

/** A whole API offer as it may be stored. */
export const apiOfferForm = z
  .object({ ...offerParts, ...leadParts.shape })
  .superRefine(checkParts)
  .superRefine((offer, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message })
    const goals = new Set(offer.goals.map(({ code }) => code))
    const products = new Set<string>()
    // deposits under a goal of another name would be booked nowhere, and nobody would know
    const reached = INTEGRATION_TYPES[offer.integration_type].goals.map(({ code }) => code)
    const again = INTEGRATION_TYPES[offer.integration_type].goals.find((one) => one.again)?.code
    offer.goals.forEach(({ code, repeatable, is_default }, at) => {
      if (!reached.includes(code))
        refuse(['goals', at, 'code'], `Leads of this kind are booked under ${reached.join(', ')}, and under no other goal`)
      if (code === again && !repeatable)
        refuse(['goals', at, 'repeatable'], 'A person may pay in as often as they like: let it be reached several times')
      if (code === again && is_default) refuse(['goals', at, 'code'], 'No lead begins with its second deposit: choose another default goal')
    })
    offer.groups.forEach((group, at) =>
      group.members.forEach((member, place) => {
        const path = ['groups', at, 'members', place]
        if (products.has(member.product_uuid)) refuse([...path, 'product_uuid'], 'This product is in the offer already')
        products.add(member.product_uuid)
        if (member.affiliates.mode !== 'all' && member.affiliates.affiliate_uuids.length === 0)
          refuse([...path, 'affiliates', 'affiliate_uuids'], 'Choose at least one')
        if (member.subs.mode !== 'all' && member.subs.values.length === 0) refuse([...path, 'subs', 'values'], 'Choose at least one')
        const kindOf = (cap: MemberCap) => [cap.period, cap.measure ?? 'accepted', cap.measure === 'goal' ? cap.goal : ''].join(' ')
        member.caps.forEach((cap, index) => {
          if (member.caps.findIndex((one) => kindOf(one) === kindOf(cap)) !== index)
            refuse([...path, 'caps', index, 'period'], 'There is such a cap already')
          if (cap.measure === 'goal' && !goals.has(cap.goal ?? '')) refuse([...path, 'caps', index, 'goal'], 'Choose a goal of the offer')
        })
        if (neverOpens(member.hours)) refuse([...path, 'hours'], NEVER_OPEN)
        checkPrices(member.prices, goals, (rest, message) => refuse([...path, 'prices', ...rest], message))
      }),
    )
  })

/** A new one: no payout row may be one that can never win. */
export const apiOfferInput = apiOfferForm.superRefine(checkRows)
export type ApiOfferInput = z.input<typeof apiOfferInput>
export const apiOfferUpdate = apiOfferForm.safeExtend({ version, confirm: someOf(activationWarning) })

function checkPrices(
  prices: readonly MemberPrice[],
  goals: ReadonlySet<string>,
  refuse: (path: (string | number)[], message: string) => void,
): void {
  prices.forEach(({ goal }, index) => {
    if (!goals.has(goal)) refuse([index, 'goal'], 'Choose a goal of this offer')
  })
  for (const index of twicePriced(prices)) refuse([index, 'geos'], TWICE_PRICED)
}

/** A member as staff see it; whom the offer is none of the business of learns of none. */
const member = z.object({
  uuid,
  product: reference,
  advertiser: reference,
  integration: reference,
  weight: z.int(),
  paused: z.boolean(),
  ...termFields,
  affiliates: z.object({ mode: listMode, list: z.array(reference) }),
  /** Why it takes no leads now, whatever they are; null = nothing keeps it. */
  hindered: z.enum(HINDRANCES).nullable(),
  /** Of one that rests, is closed or is full: until when; null = that is not known. */
  hindered_until: moment.nullable(),
  /** Of its caps, in their order. */
  used: z.array(z.int()),
  /** What holds for the product itself, over all offers, with how far each cap is filled. */
  own: z.object({
    hours: productFields.hours,
    time_zone: z.string(),
    caps: z.array(productCap.extend({ used: z.int() })),
    currency: productFields.currency,
    /** What it pays where its place says nothing. */
    prices: z.array(productPrice),
  }),
  /** Fields its system does not do without, by the names of the lead API: a lead without one is not offered to it. */
  needs: z.array(z.string()),
})
export type ApiOfferMember = z.output<typeof member>

export const apiOfferDetail = offerDetail.extend({
  ...leadFields,
  // as it is stored, however it came there
  thank_you_url: z.string(),
  /** Empty where the offer is not the caller's own. */
  groups: z.array(z.object({ ...groupFields, members: z.array(member) })),
})
export type ApiOfferDetail = z.output<typeof apiOfferDetail>

/** A product that can be chosen; without `ready` its advertiser's system took no test lead yet. */
const productChoice = reference.extend({
  advertiser: reference,
  integration: reference,
  type: integrationType,
  geos: z.array(countryCode),
  time_zone: z.string(),
  ready: z.boolean(),
  version_number: z.int(),
  currency: productFields.currency,
  prices: z.array(productPrice),
  /** As of members. */
  needs: z.array(z.string()),
})
export type ProductChoice = z.output<typeof productChoice>

/** What an affiliate has to know to send leads: never who takes them, nor for how much. */
const partnerLeads = z.object({
  integration_type: integrationType,
  /** A lead without one of these is refused by its kind, or taken by nobody. */
  required: z.array(z.string()),
  /** What its consent must hold, beside when it was given. */
  consent: consentRule,
  /** For so many days a person is not taken again; null = never again. */
  repeat_days: z.int().nullable(),
  /** '' = all other countries. closed: outside of the hours; full: the limits are reached for now. */
  countries: z.array(
    z.object({
      geo: z.union([z.literal(''), countryCode]),
      /** The same of leads of this country. */
      required: z.array(z.string()),
      state: z.enum(['open', 'closed', 'full', 'paused']),
      opens_at: moment.nullable(),
      /** So many leads more are taken before the limits that run now are full, those that are closed left out; null = no limit. */
      remaining: z.int().nullable(),
      /** When leads are taken in the next seven days; null = at any time. */
      openings: z.array(z.object({ from: moment, until: moment })).nullable(),
    }),
  ),
  /** What `/api/lead/v1/send` reads of a lead, as it checks it. */
  fields: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      kind: z.enum(['text', 'number', 'yes', 'object']),
      /** Letters at most; null = as its form says. */
      most: z.int().nullable(),
      /** null = any. */
      values: z.array(z.string()).nullable(),
    }),
  ),
  /** A lead nobody is, with all that is needed to be taken where it is from: it is checked and kept as a test. */
  sample: z.record(z.string(), z.union([z.string(), z.boolean(), z.record(z.string(), z.string())])),
  /** What differs from the terms of the goals by country, from and to where products pay differently. */
  payouts: z.array(z.object({ goal: z.string(), geos: z.array(z.string()), least: z.string(), most: z.string() })),
})
export type PartnerLeads = z.output<typeof partnerLeads>

/** Offers of leads: what direct links have not. Status, access, caps, copies and history are those of `offerApi`. */
export const apiOfferApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/api-offer/v1/get/:uuid',
    access: 'offer.read',
    summary: 'One API offer with goals, payout rows and, where it is the own one, the products that take its leads.',
    params: byUuid,
    response: apiOfferDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/api-offer/v1/create',
    access: 'offer.write',
    summary: 'Makes an API offer as a draft.',
    body: apiOfferInput,
    response: apiOfferDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/api-offer/v1/update/:uuid',
    access: 'offer.write',
    summary: 'Replaces an API offer with its goals, payout rows, groups and products; never its status.',
    params: byUuid,
    body: apiOfferUpdate,
    response: apiOfferDetail,
  }),
  products: endpoint({
    method: 'POST',
    path: '/api/api-offer/v1/products',
    access: 'offer.write',
    reads: true,
    summary: 'Active products of the own advertisers to choose from, those of a kind of leads and those that take any; at most 50.',
    body: z.object({ search: line(100).default(''), integration_type: integrationType.optional() }),
    response: z.object({ list: z.array(productChoice) }),
  }),
  simulate: endpoint({
    method: 'POST',
    path: '/api/api-offer/v1/simulate/:uuid',
    access: 'offer.write',
    reads: true,
    summary: 'Who would be asked to take a lead, in which order, and who is passed over and why; nothing is stored or sent.',
    params: byUuid,
    body: leadSimulationInput,
    response: leadSimulation,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/api-offer/v1/test/:uuid',
    access: 'offer.write',
    summary:
      'Sends a test lead to the advertisers of an offer as a real one would go. It takes no place in a cap and nobody’s turn, and is booked and counted nowhere.',
    params: byUuid,
    body: leadTestInput,
    response: leadTest,
  }),
  testGet: endpoint({
    method: 'GET',
    path: '/api/api-offer/v1/test-get/:uuid',
    access: 'offer.write',
    summary: 'What a test lead of staff came to, by its session.',
    params: byUuid,
    response: leadTest,
  }),
  partner: endpoint({
    method: 'GET',
    path: '/api/api-offer/v1/partner-get/:uuid',
    access: 'offer.partner',
    summary: 'What an affiliate sends to an API offer, from where leads are taken just now, and what differs by country.',
    params: byUuid,
    response: partnerLeads,
  }),
}
