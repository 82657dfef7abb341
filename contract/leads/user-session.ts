import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, moment, reference, someOf, timeZone, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { rawListOf, rawPaging, sorting } from '#contract/paging.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { period } from '#contract/traffic/period.ts'
import { LEAD_CHECKS } from './lead-simulation.ts'
import { CALL_STATUSES } from './call-status.ts'
import { integrityPart, integrityVerdict, leadReview, refusalCode } from './integrity.ts'
import { leadHistoryStatus } from './lead-history.ts'
import { GENDERS, leadStatus } from './lead.ts'
import { NO_LOOK_UP } from './quarantine.ts'
import { revealReason } from './reveal.ts'
import { trafficAsked, TRAFFIC_TYPES } from './traffic-type.ts'

/** How a lead came in. */
export const LEAD_ORIGINS = ['api', 'landing', 'test', 'cold'] as const
const origin = z.enum(LEAD_ORIGINS)
const leadGender = z.enum([...GENDERS, 'unknown'])
const callStatus = z.enum(CALL_STATUSES)
/** A name, where the caller may see it; null where it is not theirs, or nobody has the lead. */
const partner = reference.nullable()

/** A person's submission and what became of it. Who it is is masked for everybody. */
export const userSession = z.object({
  uuid,
  id: z.string(),
  received_at: moment,
  changed_at: moment,
  status: leadStatus,
  /** A word of ours for why; never what an advertiser wrote. */
  reason: z.string(),
  call_status: callStatus.nullable(),
  origin,
  traffic_type: z.enum(TRAFFIC_TYPES),
  /** The distribution that offered it, for those who may see it. */
  recold: partner.optional(),
  offer: reference,
  affiliate: partner,
  /** Who has the lead, or may have it, and by which product; staff only. */
  advertiser: partner.optional(),
  product: partner.optional(),
  /** What the last advertiser that was asked answered, where the caller sees it; '' = nothing, or not to be seen; staff only. */
  last_answer: z.string().optional(),
  /** How many products were asked; staff only. */
  sends: z.int().optional(),
  /** When it is offered again; staff only. */
  next_try_at: moment.nullable().optional(),
  /** `A***`, `j***@g***.com`, `***111`. */
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  gender: leadGender,
  country: z.string(),
  os: z.string(),
  device: z.string(),
  browser: z.string(),
  click_id: z.string(),
  external_id: z.string().nullable(),
  source: z.string(),
  sub1: z.string(),
  /** What was found about it when it came, all in all; staff only. */
  integrity: integrityVerdict.optional(),
})
export type UserSession = z.output<typeof userSession>

export const USER_SESSION_SORTS = ['received_at', 'changed_at', 'status', 'call_status', 'offer', 'affiliate', 'country'] as const

/** What people do about leads, as the log calls it. */
export const LEAD_ACTIONS = ['accept_send', 'reject_send', 'look_up_send', 'review', 'replay_stuck', 'dismiss_stuck'] as const

const mismatch = { other_country: z.boolean().nullable(), other_address: z.boolean().nullable(), other_agent: z.boolean().nullable() }
const event = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('received'), at: moment, origin }),
  /** Whom the cascade looked at in a round, in its order, up to the one that was asked; staff only. */
  z.object({
    kind: z.literal('considered'),
    at: moment,
    members: z.array(
      z.object({
        product: partner,
        passed: z.boolean(),
        check: z.enum(LEAD_CHECKS).nullable(),
        /** The figures of the check. */
        detail: z.record(z.string(), z.string()),
      }),
    ),
  }),
  /** A call to an advertiser's system; staff only. */
  z.object({
    kind: z.literal('sent'),
    at: moment,
    product: partner,
    advertiser: partner,
    status: leadHistoryStatus,
    reason: z.string(),
    http_status: z.int().nullable(),
    /** How long the answer took, in ms; null while there is none. */
    took: z.int().nullable(),
    external_id: z.string().nullable(),
  }),
  /** What became of it, once that was known. */
  z.object({ kind: z.literal('decided'), at: moment, status: leadStatus, reason: z.string() }),
  /** What the advertiser's call centre said; its own word for staff. */
  z.object({
    kind: z.literal('called'),
    at: moment,
    status: callStatus.nullable(),
    source: z.enum(['pull', 'push', 'staff']),
    raw: z.string().optional(),
    /** It was noted while the affiliate was tested, and nothing followed; staff only, as who of them said it and why. */
    noted: z.boolean().optional(),
    by: z.string().optional(),
    note: z.string().optional(),
  }),
  /** What a person did about it: said what became of a send nobody knew the answer of, looked it up, let it go on; staff only. */
  z.object({ kind: z.literal('handled'), at: moment, by: z.string(), action: z.enum(LEAD_ACTIONS), note: z.string(), result: z.string() }),
  /** The person opened the link to the advertiser; whether what is known of them is another than the lead’s: null = one of both is not known. Staff only. */
  z.object({ kind: z.literal('entered'), at: moment, country: z.string(), ...mismatch }),
  /** Who looked at the contacts, and why; staff only. */
  z.object({ kind: z.literal('revealed'), at: moment, by: z.string(), reason: revealReason, note: z.string() }),
  /** What was booked. */
  z.object({
    kind: z.literal('booked'),
    at: moment,
    conversion: z.object({ uuid, id: z.string() }),
    /** null: the affiliate is not told which one. */
    goal: z.string().nullable(),
    status: conversionStatus,
    currency,
    payout: z.string(),
    revenue: z.string().optional(),
  }),
])
/** What happened to a lead, oldest first. */
export type LeadEvent = z.output<typeof event>

/** In `lead_os` of the constants: the system of a lead whose browser told of none. */
export const UNKNOWN_OS = 'Unknown'

/** Which user sessions are asked for. */
export const sessionFilters = {
  /** Of receipt, by days of the zone (null = the caller's own); null = whenever. */
  period: period.nullable().default(null),
  zone: timeZone.nullable().default(null),
  status: someOf(leadStatus),
  call_status: someOf(callStatus),
  origin: someOf(origin),
  /** Where something is looked for, or an origin is named, nothing said means both. */
  traffic: trafficAsked,
  offer_uuid: z.array(uuid).max(100).default([]),
  affiliate_uuid: z.array(uuid).max(100).default([]),
  /** Of those who have the leads; staff only. */
  advertiser_uuid: z.array(uuid).max(100).default([]),
  /** Those that have the leads, or may have them; staff only. */
  product_uuid: z.array(uuid).max(100).default([]),
  /** The pages the leads were filled in on. */
  landing_uuid: z.array(uuid).max(100).default([]),
  country: z.array(countryCode).max(250).default([]),
  gender: someOf(leadGender),
  /** As `lead_os` and `lead_device` of the constants have them. */
  os: z.array(line(40)).max(50).default([]),
  device: z.array(line(40)).max(20).default([]),
  /** So it stands at some product, in the words of `lead_history_status`; staff only. */
  sent: someOf(leadHistoryStatus),
  /** Staff only. */
  integrity: someOf(integrityVerdict),
  /** A session's uuid or number, a click id, the affiliate's own id, or a whole e-mail address or telephone. */
  search: line(254).default(''),
}

/** Leads of API offers as sessions: who filled in what, who was asked, what became of it. */
export const userSessionApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/user-session/v1/list',
    access: 'report.read',
    reads: true,
    summary: 'User sessions in the own scope, newest first; people are masked.',
    body: z.object({ ...rawPaging, ...sorting(USER_SESSION_SORTS), ...sessionFilters }),
    response: rawListOf(userSession),
  }),
  detail: endpoint({
    method: 'GET',
    path: '/api/user-session/v1/detail/:uuid',
    access: 'report.read',
    summary: 'One user session in the own scope and what happened to it, step by step.',
    params: byUuid,
    response: z.object({
      session: userSession,
      /** Subs and what the landing told, by their names. */
      told: z.record(z.string(), z.string()),
      events: z.array(event),
      /** Why it was held or refused, as its affiliate is told it. */
      codes: z.array(refusalCode),
      /** Staff only. `decidable`: it waits, and the caller may decide. */
      integrity: z
        .object({
          verdict: integrityVerdict,
          score: z.int(),
          parts: z.array(integrityPart),
          review: leadReview.nullable(),
          decidable: z.boolean(),
        })
        .optional(),
      /** The send nobody knows the answer of, where the caller may say what became of it. */
      quarantine: z.object({ send_uuid: uuid, asked_at: moment, no_look_up: z.enum(NO_LOOK_UP) }).nullable(),
    }),
  }),
}
