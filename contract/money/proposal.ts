import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day, moment, reference, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { ADJUSTMENT_KINDS } from './adjustment.ts'
import { ADVERTISER_ADJUSTMENTS } from './advertiser-invoice.ts'
import { currency } from './amount.ts'
import { movedShown } from './currency-rate.ts'

/** What above the limit takes a second person: given to an affiliate, taken from it, paid in advance, or given up of what an advertiser owes, or said to have come in. */
export const PROPOSAL_KINDS = [
  'bonus',
  'correction',
  'write_off',
  'opening',
  'given_up',
  'forfeited',
  'prepayment',
  /** What an advertiser is let off on a draft. */
  'discount',
  'fee',
  /** A payment of which too much is in advance. */
  'advance',
  /** What one person says came in from an advertiser. */
  'receipt',
  /** The rule of two people is switched off, or its limit raised: `amount` is the limit it would have. */
  'rules',
] as const

/** `lapsed`: its invoice ended before anybody decided. */
export const PROPOSAL_STATES = ['open', 'confirmed', 'refused', 'lapsed'] as const
export const proposalState = z.enum(PROPOSAL_STATES)

export const proposalRow = z.object({
  uuid,
  kind: z.enum(PROPOSAL_KINDS),
  amount: z.string(),
  currency,
  note: z.string(),
  /** Of a payment in advance or a receipt: what left or reached which account when, and its number there. */
  payment: z.object({ day, source: z.string(), external_id: z.string(), moved: movedShown.omit({ expected: true }).nullable() }).nullable(),
  state: proposalState,
  /** Whose invoice it is: an affiliate, or an advertiser; null: of the network's rules. */
  whose: reference.nullable(),
  /** Which side that is. */
  side: z.enum(['affiliate', 'advertiser']).nullable(),
  /** Of the rules: whether two people would still be asked. */
  four_eyes: z.boolean().nullable(),
  /** null: it is for the next one. */
  invoice: z.object({ uuid, id: z.int(), number: z.string().nullable() }).nullable(),
  made_by: z.string(),
  created_at: moment,
  decided_by: z.string().nullable(),
  decided_at: moment.nullable(),
  /** Why it was refused. */
  reason: z.string(),
  /** Whether the caller is the second person; who proposed it may take it back, which is to refuse it. */
  may: z.object({ confirm: z.boolean(), refuse: z.boolean() }),
})
export type ProposalRow = z.output<typeof proposalRow>

const byUuid = z.object({ uuid })

/** What one person proposed and a second one confirms or refuses; nothing of it is booked before. */
export const proposalApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/proposal/v1/list',
    reads: true,
    access: 'billing.read',
    summary:
      'Bonuses, corrections, discounts, payments in advance, receipts, write-offs and changes of the rule of two people that wait, or waited, for a second person.',
    body: z.object({
      ...paging,
      ...sorting(['created_at']),
      state: someOf(proposalState),
      kind: someOf(z.enum(PROPOSAL_KINDS)),
      invoice_uuid: uuid.nullable().default(null),
    }),
    response: listOf(proposalRow),
  }),
  second: endpoint({
    method: 'GET',
    path: '/api/proposal/v1/second',
    access: 'billing.read',
    summary: 'Whether there is a second person who could confirm: while one alone may, nobody else is asked.',
    response: z.object({ exists: z.boolean() }),
  }),
  judge: endpoint({
    method: 'POST',
    path: '/api/proposal/v1/judge',
    reads: true,
    access: 'billing.read',
    summary:
      'Whether something would be booked at once, or only proposed to a second person, and who that may be: three names, and how many more. Far rates and fees of a payment count only when it is booked.',
    body: z.object({
      kind: z.enum([...ADJUSTMENT_KINDS, 'prepayment', ...ADVERTISER_ADJUSTMENTS, 'write_off', 'receipt']),
      /** Of a write-off what is open counts. */
      amount: z.string().regex(/^-?\d{1,14}(\.\d{1,8})?$/, 'An amount with at most eight decimals'),
      currency,
      /** Whom it is for; null: an advertiser. */
      affiliate_uuid: uuid.nullable().default(null),
      /** Of a receipt who paid. */
      advertiser_uuid: uuid.nullable().default(null),
      /** On which invoice of an advertiser it stands. */
      advertiser_invoice_uuid: uuid.nullable().default(null),
    }),
    response: z.object({ proposed: z.boolean(), who: z.array(z.string()) }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/proposal/v1/confirm/:uuid',
    access: 'billing.approve',
    key: 'never',
    summary: 'Books what somebody else proposed.',
    params: byUuid,
    response: z.object({}),
  }),
  refuse: endpoint({
    method: 'POST',
    path: '/api/proposal/v1/refuse/:uuid',
    access: 'billing.approve',
    key: 'never',
    summary: 'Ends a proposal without booking anything; who made it takes it back by this.',
    params: byUuid,
    body: z.object({ reason: requiredLine(300) }),
    response: z.object({}),
  }),
}
