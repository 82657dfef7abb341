import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { bankReference, byUuid, day, line, moment, requiredLine, someOf, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { reportDay } from '#contract/traffic/period.ts'
import { currency, positiveAmount } from './amount.ts'
import { movedInput } from './currency-rate.ts'
import { feeInput, givenBack } from './invoice-payment.ts'

/**
 * What staff book for an affiliate beside its conversions: a bonus, a correction up or down, what it had in another system (up or down),
 * a debt it need not pay back, and a balance it does not get.
 */
export const ADJUSTMENT_KINDS = ['bonus', 'correction', 'opening', 'given_up', 'forfeited'] as const
export type AdjustmentKind = (typeof ADJUSTMENT_KINDS)[number]
/** Those that end something: whoever approves invoices decides. */
export const WRITE_OFF_KINDS = ['given_up', 'forfeited'] as const satisfies readonly AdjustmentKind[]

/** Where one stands: `proposed` waits for a second person, `open` for the next invoice; of a payment in advance whether it arrived. */
export const ADJUSTMENT_STATES = ['proposed', 'open', 'invoiced', 'void', 'refused', 'sent', 'settled', 'failed', 'returned'] as const

const row = z.object({
  uuid,
  kind: z.enum([...ADJUSTMENT_KINDS, 'prepayment']),
  amount: z.string(),
  currency,
  /** From when on it counts. */
  day,
  /** What the affiliate reads. */
  note: z.string(),
  internal_note: z.string(),
  state: z.enum(ADJUSTMENT_STATES),
  /** The invoice it stands on. */
  invoice: z.object({ uuid, id: z.int(), number: z.string().nullable() }).nullable(),
  made_by: z.string(),
  created_at: moment,
  /** Why it was taken back or refused. */
  reason: z.string(),
  /** Whether it can be taken back by the caller. */
  may_void: z.boolean(),
  /** Whether it is a payment of which the caller can say that the bank gave it back. */
  may_give_back: z.boolean(),
  /** Of a payment: the currency its account is booked in. */
  fee_currency: currency.nullable(),
})
export type AdjustmentRow = z.output<typeof row>

const signed = z.string().regex(/^-?\d{1,14}(\.\d{1,8})?$/, 'An amount with at most eight decimals')
const asked = {
  /** Of the call: sent again, it is the same. */
  key: uuid,
  affiliate_uuid: uuid,
  currency,
  /** From when on it counts, in the network's zone: the invoices of a period that ends later have it. */
  day: reportDay,
  /** What the affiliate reads, on its invoice too. */
  note: requiredLine(200),
  internal_note: line(300).default(''),
}
/** What came of it: booked, or proposed to a second person. */
const came = z.object({ proposed: z.boolean() })

/** What staff book for an affiliate that stands on no invoice yet. */
export const adjustmentApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/adjustment/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Bonuses, corrections, opening balances, write-offs and payments in advance of one affiliate, with what became of each.',
    body: z.object({
      ...paging,
      ...sorting(['created_at', 'amount']),
      affiliate_uuid: uuid,
      state: someOf(z.enum(ADJUSTMENT_STATES)),
    }),
    response: listOf(row),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/adjustment/v1/create',
    access: 'billing.write',
    key: 'never',
    summary: 'Books a bonus, a correction or an opening balance that the next invoice takes; above the limit of four eyes it is proposed.',
    body: z.object({ ...asked, kind: z.enum(['bonus', 'correction', 'opening']), amount: signed }),
    response: came,
  }),
  writeOff: endpoint({
    method: 'POST',
    path: '/api/adjustment/v1/write-off',
    access: 'billing.approve',
    key: 'never',
    summary: 'Gives up what an affiliate owes, or forfeits what it has, in whole or in part; above the limit of four eyes it is proposed.',
    body: z.object({ ...asked, kind: z.enum(WRITE_OFF_KINDS), amount: positiveAmount }),
    response: came,
  }),
  prepay: endpoint({
    method: 'POST',
    path: '/api/adjustment/v1/prepay',
    access: 'billing.pay',
    key: 'never',
    summary: 'Books a payment in advance that has arrived; later invoices use it. Above the limit of four eyes it is proposed.',
    body: z.object({
      ...asked,
      amount: positiveAmount,
      source_id: z.int(),
      external_id: bankReference.default(''),
      /** What left, where the account holds another currency. */
      moved: movedInput.nullable().default(null),
    }),
    response: came,
  }),
  giveBack: endpoint({
    method: 'POST',
    path: '/api/adjustment/v1/give-back/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'Says that the bank gave back a payment in advance that had arrived: invoices that used it are open again.',
    params: byUuid,
    body: z.object({ day: givenBack.day, reason: givenBack.reason, ...feeInput }),
    response: z.object({}),
  }),
  void: endpoint({
    method: 'POST',
    path: '/api/adjustment/v1/void/:uuid',
    access: 'billing.write',
    key: 'never',
    summary: 'Takes one back that stands on no invoice.',
    params: byUuid,
    body: z.object({ reason: requiredLine(300) }),
    response: z.object({}),
  }),
}
