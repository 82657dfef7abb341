import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'

/** push: a call of an advertiser nothing could be made of; booking: what became of a lead is known and could not be booked. */
export const STUCK_KINDS = ['push', 'booking'] as const
export const STUCK_STATES = ['open', 'settled', 'dismissed'] as const
const state = z.enum(STUCK_STATES)

/**
 * Why it is stuck, beside what a report is refused by. lead_missing, status_missing: the call names none; lead_unknown: no lead of the
 * product is called so; amount: nobody can tell how much it is; deposit_unclear: it may be the first deposit or another; deposit_taken:
 * another lead has this transaction; sold_elsewhere: they gave no answer in time, and somebody else has the lead; deposit_and_fraud: it is told as paid and as fraud at once; failed: it could not be
 * applied, and the log of the server tells why; too_many: so many were kept that the rest are only counted.
 */
export const STUCK_REASONS = [
  'lead_missing',
  'status_missing',
  'lead_unknown',
  'amount',
  'deposit_unclear',
  'deposit_taken',
  'sold_elsewhere',
  'deposit_and_fraud',
  'held_for_review',
  'failed',
  'too_many',
] as const

const stuck = z.object({
  uuid,
  id: z.int(),
  kind: z.enum(STUCK_KINDS),
  /** One of STUCK_REASONS, or a code of POSTBACK_REFUSALS. */
  reason: z.string(),
  state,
  product: reference,
  advertiser: reference,
  /** The lead it is about, by the uuid and number of its session; null = nobody knows. */
  lead: z.object({ uuid, id: z.string() }).nullable(),
  /** What they called the lead, and what they said of it, in their words. */
  lead_ref: z.string(),
  raw: z.string(),
  amount: z.string(),
  transaction: z.string(),
  /** Of a booking which goal was to become what. */
  goal: z.string(),
  status: z.string(),
  /** How often it was said. */
  seen: z.int(),
  first_seen_at: moment,
  last_seen_at: moment,
  settled_at: moment.nullable(),
  by: z.string().nullable(),
  note: z.string(),
  /** What it came to, where it was done. */
  outcome: z.string(),
})
export type Stuck = z.output<typeof stuck>

export const STUCK_SORTS = ['first_seen_at', 'last_seen_at', 'reason', 'seen'] as const

/** Which deposit of its lead one is, where only a person can tell. */
export const DEPOSITS = ['first', 'again'] as const

/** What advertisers said of leads and nothing could be made of, of advertisers in the own scope: a person settles each. */
export const stuckApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/stuck/v1/list',
    access: 'lead.decide',
    reads: true,
    summary: 'What is stuck, the oldest first unless another order is asked for.',
    body: z.object({
      ...paging,
      ...sorting(STUCK_SORTS, 'asc'),
      /** None = those that wait. */
      state: someOf(state),
      kind: someOf(z.enum(STUCK_KINDS)),
      advertiser_uuid: z.array(uuid).max(100).default([]),
      /** What they call the lead, a transaction, or a part of their word. */
      search: line(200).default(''),
    }),
    response: listOf(stuck),
  }),
  detail: endpoint({
    method: 'GET',
    path: '/api/stuck/v1/detail/:uuid',
    access: 'lead.decide',
    summary: 'One of them with what the call held, people taken out of it.',
    params: byUuid,
    response: z.object({ stuck, params: z.array(z.object({ name: z.string(), value: z.string() })) }),
  }),
  replay: endpoint({
    method: 'POST',
    path: '/api/stuck/v1/replay/:uuid',
    access: 'lead.decide',
    summary:
      'Does it anew, for the lead that is named or the one it is about: once, whoever else does the same, and however often it is told again.',
    params: byUuid,
    body: z.object({
      /** Of a call: the lead by its session’s uuid or number, by our lead id, or by what they call it; '' = the one the call names. */
      lead: line(200).default(''),
      /** Of a call without a status: their word for it. */
      status: line(200).default(''),
      /** In place of the one nobody could read, such as `250.00 EUR`. */
      amount: line(40).default(''),
      deposit: z.enum(DEPOSITS).nullable().default(null),
      note: line(300).default(''),
    }),
    response: z.object({ /** 0: somebody did it before. */ changed: z.int(), outcome: z.string() }),
  }),
  dismiss: endpoint({
    method: 'POST',
    path: '/api/stuck/v1/dismiss/:uuid',
    access: 'lead.decide',
    summary: 'Says that nothing follows from it; told again it stays so.',
    params: byUuid,
    body: z.object({ note: requiredLine(300) }),
    response: z.object({ /** 0: somebody did it before. */ changed: z.int() }),
  }),
}
