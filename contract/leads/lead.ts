import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { bounded, byUuid, day, line, moment, paragraph, requiredLine, timeZone, uuid, webAddress } from '#contract/fields.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { CALL_STATUSES } from './call-status.ts'
import { refusalCode } from './integrity.ts'

/**
 * What became of a lead. held: a person looks at it first; queued: it is offered again later; unsold: nobody took it;
 * ambiguous: an advertiser answered unclearly, a person finds out; closed: it was taken and nothing came of it.
 */
export const LEAD_STATUSES = [
  'received',
  'held',
  'queued',
  'accepted',
  'unsold',
  'rejected',
  'duplicate',
  'ambiguous',
  'converted',
  'closed',
  'test',
] as const
export const leadStatus = z.enum(LEAD_STATUSES)
export type LeadStatus = z.output<typeof leadStatus>
/** What all ways into an offer may be closed by, as far as affiliates are told: they see it on its page. */
export const PASSED_OVER = ['geo_not_allowed', 'out_of_hours', 'cap_reached', 'fields_missing'] as const
export type PassedOver = (typeof PASSED_OVER)[number]
/** Why a lead is unsold. nobody_fits: none of those who could be asked takes it, for several reasons or one that is told to nobody. */
export const UNSOLD_REASONS = [...PASSED_OVER, 'nobody_fits', 'nobody_took_it'] as const
export type UnsoldReason = (typeof UNSOLD_REASONS)[number]
/** Leads an advertiser has taken, whatever came of them. */
export const TAKEN_LEADS = ['accepted', 'converted', 'closed'] as const satisfies readonly LeadStatus[]

export const GENDERS = ['male', 'female', 'other'] as const

/** Who filled in the form, by the names of the lead API; which of them must be there says the offer's kind of leads. */
export const leadFields = {
  first_name: line(100).optional(),
  last_name: line(100).optional(),
  email: line(254).optional(),
  /** In any spelling of its country. */
  phone: line(40).optional(),
  password: line(100).optional(),
  country: z
    .string()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/, 'The two letters of a country, such as DE')
    .optional(),
  /** `en-GB` is `en`. */
  language: z
    .string()
    .overwrite((text) => text.toLowerCase().replace(/^([a-z]{2})[-_].*$/, '$1'))
    .regex(/^[a-z]{2}$/, 'Two small letters, such as en')
    .optional(),
  gender: z.enum(GENDERS).optional(),
  birth_date: day.optional(),
  city: line(100).optional(),
  zip: line(20).optional(),
  address: line(300).optional(),
  ip: z.union([z.ipv4(), z.ipv6()], 'This is not an IP address').optional(),
}

const sub = line(255).optional()
/** A lead as it is sent in. */
export const leadInput = z
  .object({
    /** The offer by its uuid or number. */
    offer_uuid: z.union(byUuid.shape.uuid.options, 'The uuid or the number of the offer, as a text'),
    /** What you call the lead: sent again with the same person it is answered as the first time. */
    external_id: requiredLine(64).optional(),
    ...leadFields,
    /** In place of first and last name, where a form asks for one name: its first word, and the others. */
    full_name: line(200).optional(),
    user_agent: line(512).optional(),
    tz: timeZone.optional(),
    landing_url: webAddress().optional(),
    funnel: line(100).optional(),
    comment: paragraph(1000).optional(),
    /** The id of the click that led to it, ours: `{click_id}` of your landing's address. */
    click_id: line(64).optional(),
    source: line(255).optional(),
    sub1: sub,
    sub2: sub,
    sub3: sub,
    sub4: sub,
    sub5: sub,
    sub6: sub,
    sub7: sub,
    sub8: sub,
    sub9: sub,
    sub10: sub,
    /** What the kind of leads asks for in addition. */
    fields: bounded(z.string().regex(/^[a-z0-9_]{1,40}$/), line(500), 30).optional(),
    /** What the person agreed to, when, where that can be seen, and to be called by whom: companies as they were named. */
    consent: z
      .object({
        given_at: moment,
        text: paragraph(2000).optional(),
        /** Which wording it was, where you number them. */
        version: line(100).optional(),
        /** From which address, and on which page. */
        ip: z.union([z.ipv4(), z.ipv6()], 'This is not an IP address').optional(),
        url: webAddress().optional(),
        proof_url: webAddress().optional(),
        recipients: z.array(requiredLine(200)).max(50).optional(),
      })
      .optional(),
    /** Checked and kept, but offered to nobody and counted nowhere. */
    test: z.boolean().optional(),
  })
  .overwrite(named)
export type LeadInput = z.output<typeof leadInput>

/** One of many leads; what is none is taken as it came, for the server reads each by itself: one that cannot be read costs no other. */
const sentLead = leadInput.strict().catch((context) => context?.input as never) // asked without one when it is described

function named<Lead extends { full_name?: string | undefined; first_name?: string | undefined; last_name?: string | undefined }>({
  full_name,
  ...lead
}: Lead): Lead {
  const [first, ...rest] = (full_name ?? '').split(/\s+/).filter((word) => word !== '')
  const last = rest.join(' ')
  if (first !== undefined && !lead.first_name)
    Object.assign(lead, { first_name: first, ...(last !== '' && !lead.last_name && { last_name: last }) })
  return lead as Lead // without what its names are made of
}

/** A lead as its affiliate knows it. Who took it is not told: nothing allows an affiliate to learn an advertiser’s name. */
export const lead = z.object({
  session_uuid: uuid,
  /** Its number, which never changes: what support is told, what the screens of user sessions show and find, and what `detail` takes too. */
  lead_id: z.string(),
  external_id: z.string().nullable(),
  offer_uuid: uuid,
  click_id: z.string(),
  status: leadStatus,
  /** The person was known already (status `duplicate`), or the lead was sent before itself, which `send` and `send-batch` tell of what they answer. */
  duplicate: z.boolean(),
  /** A word of ours for why; never what an advertiser wrote. */
  reason: z.string(),
  call_status: z.enum(CALL_STATUSES).nullable(),
  country: z.string(),
  received_at: moment,
  changed_at: moment,
})
export type Lead = z.output<typeof lead>

/** The same with what was sent beside the person, and what it was booked as. */
export const toldLead = lead.extend({
  /** Masked as on the screens of user sessions, `j***@g***.com` and `***111`; '' where there is none, or the person was forgotten. */
  email: z.string(),
  phone: z.string(),
  source: z.string(),
  /** By their names, `sub1` to `sub10`; those that were sent. */
  subs: z.record(z.string(), z.string()),
  /** `goal` null: its affiliate is not told which one. */
  goals: z.array(z.object({ goal: z.string().nullable(), status: conversionStatus, payout: z.string(), currency: z.string(), at: moment })),
})

/** `redirect_url`: where the person goes on, once; given with the first answer alone. */
export const leadAnswer = lead.extend({ redirect_url: z.string().nullable() })
export type LeadAnswer = z.output<typeof leadAnswer>

const cursor = z.string().max(40)

/** Leads sent in by affiliates' systems, with a key of theirs. */
export const leadApi = {
  send: endpoint({
    method: 'POST',
    path: '/api/lead/v1/send',
    access: 'lead.own',
    summary:
      'Sends a lead: 201 decided, 202 still being offered, 200 sent before (`duplicate`), 409 its id is another person’s, 422 something of it is wrong, or a check refuses it by a code. Of one nobody takes (`unsold`) `reason` says why where all ways into the offer are closed by the same: `geo_not_allowed`, `out_of_hours`, `cap_reached`, `fields_missing`. Without `external_id` a header `Idempotency-Key` is its id.',
    body: leadInput,
    response: leadAnswer,
  }),
  sendBatch: endpoint({
    method: 'POST',
    path: '/api/lead/v1/send-batch',
    access: 'lead.own',
    summary:
      'Sends up to a hundred leads; each is answered by itself and in its order, one with something wrong in it too, and those that are taken in are offered right after. With a header `Idempotency-Key` leads without an `external_id` are named by it and their place.',
    largest: 1_048_576,
    body: z.object({ leads: z.array(sentLead).min(1).max(100) }),
    response: z.object({
      list: z.array(
        z.object({
          /** Which of the leads that were sent, from 0. */
          index: z.int(),
          /** As `send` would have answered it. */
          code: z.int(),
          lead: lead.nullable(),
          error: z.string().nullable(),
          /** Of one a check refuses: `blacklisted`, `duplicate` and the like; '' otherwise. */
          reason: z.string(),
          /** What is wrong, by the name of each field; '' is the lead itself. */
          fields: z.record(z.string(), z.string()),
        }),
      ),
    }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/lead/v1/check',
    access: 'lead.own',
    summary:
      'Says whether a lead would be offered to somebody, and keeps nothing of it: `takes` is `now`, `later` where the offer keeps it until somebody takes leads again, or `nobody`, and `reason` says why as `send` would. What an advertiser knows of the person is only found when it is sent.',
    reads: true,
    body: leadInput,
    response: z.object({
      phone: z.string().nullable(),
      /** Without one of these a lead of its country is refused by its kind, or taken by nobody. */
      required: z.array(z.string()),
      /** Those of them it has not. */
      missing: z.array(z.string()),
      takes: z.enum(['now', 'later', 'nobody']),
      /** Why not now; null where somebody would be asked. */
      reason: z.enum(UNSOLD_REASONS).nullable(),
      /** Why somebody would look at it first; none = nobody would. */
      held: z.array(refusalCode),
    }),
  }),
  detail: endpoint({
    method: 'GET',
    path: '/api/lead/v1/detail/:uuid',
    access: 'lead.own',
    summary: 'A lead of yours by its uuid or number, and what became of it; contacts are masked.',
    params: byUuid,
    response: toldLead,
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/lead/v1/list',
    access: 'lead.own',
    summary:
      'Your leads, a page after the other by cursor: the newest first, or with `by=changed` those that changed since `from`, the earliest change first. Contacts are masked.',
    query: z.object({
      cursor: cursor.optional(),
      count: z.coerce.number<string>().int().min(1).max(100).default(50),
      status: leadStatus.optional(),
      external_id: line(64).optional(),
      /** What `from` and `to` are about, and the order. */
      by: z.enum(['received', 'changed']).default('received'),
      from: moment.optional(),
      to: moment.optional(),
    }),
    response: z.object({ list: z.array(toldLead), next: z.string().nullable() }),
  }),
  statuses: endpoint({
    method: 'GET',
    path: '/api/lead/v1/statuses',
    access: 'lead.own',
    summary: 'The words this API says of leads.',
    response: z.object({
      statuses: z.array(leadStatus),
      call_statuses: z.array(z.enum(CALL_STATUSES)),
      /** Of `unsold` leads. */
      unsold_reasons: z.array(z.enum(UNSOLD_REASONS)),
    }),
  }),
}
