import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { bankReference, day, line, moment, reference, requiredLine, uuid } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { reportDay } from '#contract/traffic/period.ts'
import { currency, positiveAmount, ranking } from './amount.ts'
import { movedInput, movedShown } from './currency-rate.ts'

const revision = z.int()
const byReceipt = z.object({ uuid })

/** For which invoices a receipt is, and how much of it each gets. */
const parts = z
  .array(z.object({ invoice_uuid: uuid, amount: positiveAmount }))
  .max(200)
  .refine((list) => new Set(list.map(({ invoice_uuid }) => invoice_uuid)).size === list.length, 'Each invoice once')

export const receipt = z.object({
  uuid,
  id: z.int(),
  advertiser: reference,
  currency,
  /** What the advertiser is credited with; `short` of it never arrived. */
  amount: z.string(),
  /** Taken as the bank's fee. */
  short: z.string(),
  /** What arrived, where the account holds another currency. */
  moved: movedShown.nullable(),
  day,
  source: z.string(),
  external_id: z.string(),
  note: z.string(),
  /** `bounced`: the bank took it back; what it was for is open again. */
  state: z.enum(['booked', 'bounced']),
  reason: z.string(),
  parts: z.array(z.object({ invoice_uuid: uuid, number: z.string(), amount: z.string(), recovered: z.boolean() })),
  /** What of it stands on no invoice: paid in advance. */
  in_advance: z.string(),
  paid_back: z.string(),
  created_at: moment,
  actor: z.string().nullable(),
  revision,
})
export type Receipt = z.output<typeof receipt>

const one = <Body extends z.ZodRawShape>(verb: string, { summary }: { summary: string }, body: Body) =>
  endpoint({
    method: 'POST',
    path: `/api/receipt/v1/${verb}/:uuid`,
    access: 'billing.pay',
    summary,
    key: 'never',
    params: byReceipt,
    body: z.object({ revision, ...body }),
    response: receipt,
  })

/** What advertisers paid. */
export const receiptApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/receipt/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Receipts, of one advertiser or of all.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'day', 'amount']),
      advertiser_uuid: z.array(uuid).max(100).default([]),
      currency: z.array(currency).max(50).default([]),
      /** A bank reference or advertiser, in part; `#7` is the receipt of that number. */
      search: line(100).default(''),
    }),
    response: listOf(receipt, { amounts: z.array(z.object({ currency, amount: z.string() })), ranking }),
  }),
  propose: endpoint({
    method: 'POST',
    path: '/api/receipt/v1/propose',
    reads: true,
    access: 'billing.pay',
    summary:
      'The open invoices of an advertiser in a currency, the oldest first, with what an amount would pay of each: the first 200, and all that it reaches.',
    /** `invoice_uuids`: these too, however many come before them. */
    body: z.object({ advertiser_uuid: uuid, currency, amount: positiveAmount, invoice_uuids: z.array(uuid).max(200).default([]) }),
    response: z.object({
      list: z.array(
        z.object({
          invoice_uuid: uuid,
          number: z.string(),
          due_day: day,
          open: z.string(),
          /** Given up before: what comes in is recovered. */
          written_off: z.boolean(),
          amount: z.string(),
        }),
      ),
      /** There are more than these. */
      more: z.boolean(),
      /** What is missing on the last of them, where that is little enough to be the bank's fee. */
      short: z.string().nullable(),
    }),
  }),
  book: endpoint({
    method: 'POST',
    path: '/api/receipt/v1/book',
    access: 'billing.pay',
    summary:
      'Books what an advertiser paid, or proposes it to a second person: for the invoices that are named, or the oldest first; what is left is paid in advance. Sent again with the same key, it is the same receipt.',
    key: 'never',
    body: z.object({
      key: uuid,
      advertiser_uuid: uuid,
      currency,
      amount: positiveAmount,
      day: reportDay,
      source_id: z.int(),
      /** Of the bank: one is booked once for a source. */
      external_id: bankReference.default(''),
      note: line(300).default(''),
      /** What arrived, where the account holds another currency: the amount is what it is taken for. */
      moved: movedInput.nullable().default(null),
      /** Takes what is missing on the last of the invoices as the bank's fee, within the tolerance of the settings. */
      short: z.boolean().default(false),
      /** null = the oldest first. */
      parts: parts.nullable().default(null),
    }),
    /** Nothing is booked where it is only proposed. */
    response: z.object({ proposed: z.boolean(), receipt: receipt.nullable() }),
  }),
  allot: one('allot', { summary: 'Says anew which invoices a receipt is for; what is left is paid in advance.' }, { parts }),
  payBack: one(
    'pay-back',
    { summary: 'Pays back what of a receipt was paid in advance and is not used.' },
    { amount: positiveAmount, moved: movedInput.nullable().default(null) },
  ),
  bounce: one(
    'bounce',
    { summary: 'Says that the bank took a receipt back: what it was for is open again.' },
    { reason: requiredLine(300) },
  ),
}
