import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { bankReference, byUuid, day, line, moment, reference, requiredLine, someOf, uuid, version } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { currency, positiveAmount } from './amount.ts'

/** What a payout file can be: SEPA (pain.001), tables of payment systems, our own table. */
export const PAYOUT_FORMATS = ['sepa', 'paypal', 'wise', 'capitalist', 'usdt', 'coinspaid', 'own'] as const
export const payoutFormat = z.enum(PAYOUT_FORMATS)
export type PayoutFormat = z.output<typeof payoutFormat>

/** Life of a file; `closed` = nothing in it is on its way any more. */
export const PAYOUT_FILE_STATES = ['draft', 'released', 'closed', 'cancelled', 'recalled'] as const
export const payoutFileState = z.enum(PAYOUT_FILE_STATES)
export type PayoutFileState = z.output<typeof payoutFileState>

export const PAYOUT_STATES = ['planned', 'sent', 'settled', 'failed', 'returned', 'cancelled'] as const
export const payoutState = z.enum(PAYOUT_STATES)
export type PayoutState = z.output<typeof payoutState>

/** Why somebody is not in a file. `owes`: with what it owes taken off, less is owed to it than this. */
export const PAYOUT_LEFT_OUT = [
  'no_method',
  'method_locked',
  'method_invalid',
  'not_active',
  'fee_too_high',
  'too_many',
  'no_own_invoice',
  'owes',
] as const

export const SOURCE_KINDS = ['bank', 'paypal', 'wise', 'capitalist', 'crypto', 'other'] as const
const sourceFields = {
  name: requiredLine(60),
  kind: z.enum(SOURCE_KINDS),
  /** Whose account it is, as its bank writes it. */
  holder: line(70),
  iban: line(42),
  bic: line(15),
  /** null = of any currency. */
  currency: currency.nullable(),
  /** In files for PayPal, which reads amounts as the account's region writes them. */
  decimal_sign: z.enum(['.', ',']).default('.'),
  active: z.boolean(),
}
export const paymentSource = z.object({ id: z.int(), uuid, ...sourceFields, version })
export type PaymentSource = z.output<typeof paymentSource>

/** Where payments leave from. */
export const paymentSourceApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/payment-source/v1/list',
    access: 'billing.pay',
    summary: 'Bank accounts and wallets payments leave from.',
    response: z.object({ list: z.array(paymentSource) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/payment-source/v1/create',
    access: 'billing.pay',
    key: 'never',
    summary: 'Adds a bank account or wallet.',
    body: z.object(sourceFields),
    response: paymentSource,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/payment-source/v1/update/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'Changes a bank account or wallet, or offers it no longer.',
    params: z.object({ uuid }),
    body: z.object({ ...sourceFields, version }),
    response: paymentSource,
  }),
}

const asked = {
  format: payoutFormat,
  source_id: z.int().min(1, 'Choose the account first'),
  currency,
  /** Invoices due until this day. */
  due_to: day,
  /** Of these invoices alone; empty = of all. */
  invoice_uuids: z.array(uuid).max(1000, 'At most 1,000 invoices at once').default([]),
  /** Of the table of our own, and of USDT lists the network; empty = all the format pays. */
  systems: z.array(line(30)).max(30).default([]),
  /** These affiliates are paid although they owe; what it comes to is left to their next invoices. */
  owing_uuids: z.array(uuid).max(1000).default([]),
}

/** Why an invoice that was chosen is in no file of this kind. */
export const INVOICE_NOT_TAKEN = [
  'draft',
  'waiting',
  'paid',
  'declined',
  'cancelled',
  'planned',
  'nothing_open',
  'currency',
  'system',
  'due_later',
] as const

const payee = z.object({
  affiliate: reference,
  system: z.string(),
  masked: z.string(),
  invoices: z.int(),
  amount: z.string(),
  /** Kept back for the fee. */
  charged: z.string(),
  left_out: z.enum(PAYOUT_LEFT_OUT).nullable(),
  /** What it owes, where less than this amount is owed to it with that taken off; null = it may be paid. */
  owed: z.string().nullable(),
  /** The name as the file has it, where that is another one; what is wrong with a method. */
  told: z.string(),
})
export type Payee = z.output<typeof payee>

export const payoutFileRow = z.object({
  uuid,
  id: z.int(),
  format: payoutFormat,
  source: z.string(),
  currency,
  state: payoutFileState,
  payments: z.int(),
  amount: z.string(),
  /** How many of its payments stand where. */
  sent: z.int(),
  settled: z.int(),
  failed: z.int(),
  made_by: z.string().nullable(),
  created_at: moment,
  released_by: z.string().nullable(),
  released_at: moment.nullable(),
})
export type PayoutFileRow = z.output<typeof payoutFileRow>

export const payoutRow = z.object({
  uuid,
  affiliate: reference,
  system: z.string(),
  masked: z.string(),
  amount: z.string(),
  charged: z.string(),
  /** The affiliate owes, and is paid more than is owed to it: whoever made the file said so. */
  leaves_debt: z.boolean(),
  reference: z.string(),
  state: payoutState,
  external_id: z.string(),
  fee: z.string(),
  /** What fees of it are booked in: the currency of its account. */
  fee_currency: currency,
  reason: z.string(),
  invoices: z.array(z.object({ uuid, number: z.string() })),
})
export type PayoutRow = z.output<typeof payoutRow>

export const payoutFileDetail = payoutFileRow.extend({
  due_to: day,
  execution_day: day,
  name: z.string().nullable(),
  sha256: z.string().nullable(),
  ended_by: z.string().nullable(),
  ended_at: moment.nullable(),
  /** What of it the caller may do now. */
  may: z.object({ release: z.boolean(), recall: z.boolean() }),
  /** What of it is on its way. */
  sent_amount: z.string(),
  /** Taken off at the last try to release it, because their methods had changed, or they owe by now. */
  dropped: z.int(),
})
export type PayoutFileDetail = z.output<typeof payoutFileDetail>

const proof = { password: z.string().min(1, 'Required').max(200), code: z.string().trim().max(40).default('') }

/** What of a result is asked about, or passed over. */
export const RESULT_NOTES = [
  'unknown_reference',
  'unknown_status',
  'amount_differs',
  /** What is said of it cannot be read: it is said by hand. */
  'amount_wrong',
  /** Several of what is asked about at once, which no one answer is to: it is said by hand. */
  'several',
  'same_account',
  /** Its file was taken back, and yet it was paid. */
  'recalled',
  /** More than a tenth of the payment. */
  'fee_odd',
  /** No number, of a wrong sign, too fine for its currency, or more than the payment: it is said by hand. */
  'fee_wrong',
  /** In another currency than the account is booked in, or in one nobody says: it is said by hand. */
  'fee_currency',
  'already',
  'nothing',
  'not_possible',
  /** The number of the transfer stands in the books for another payment. */
  'number_taken',
  'twice',
] as const
/** Those that are booked where somebody confirms them. */
export const ASKED_RESULTS: readonly (typeof RESULT_NOTES)[number][] = ['amount_differs', 'same_account', 'recalled', 'fee_odd']
/** Those that are booked where somebody says what the fee is in the currency of the account. */
export const FEE_RESULTS: readonly (typeof RESULT_NOTES)[number][] = ['fee_wrong', 'fee_currency']
const resultRow = z.object({
  reference: z.string(),
  affiliate: z.string(),
  amount: z.string().nullable(),
  /** What its amount is said to be in; '' = not said. */
  said_currency: z.string(),
  ours: z.string().nullable(),
  /** What our payment is in; null where it is none of ours. */
  currency: currency.nullable(),
  said: z.string(),
  becomes: z.enum(['settled', 'failed', 'returned']).nullable(),
  external_id: z.string(),
  fee: z.string(),
  /** What the fee is said to be in; '' = not said. */
  fee_currency: z.string(),
  /** What it would be booked in; null where it is none of our payments. */
  fee_booked: currency.nullable(),
  reason: z.string(),
  note: z.enum(RESULT_NOTES).nullable(),
  /** What is asked about, or passed over, where the fee is said by hand. */
  otherwise: z.enum(RESULT_NOTES).nullable(),
})
export type PayoutResultRow = z.output<typeof resultRow>
const notTaken = z.object({ uuid, id: z.int(), number: z.string().nullable(), affiliate: z.string(), reason: z.enum(INVOICE_NOT_TAKEN) })
const content = z.string().min(1, 'Choose a file').max(900_000, 'At most 900 KB')

/** Payout files: made, released by two people, handed out, and what became of them. */
export const payoutApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/payout/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'Payout files, the newest first.',
    body: z.object({ ...paging, ...sorting(['id']), state: someOf(payoutFileState), format: someOf(payoutFormat) }),
    response: listOf(payoutFileRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/payout/v1/get/:uuid',
    access: 'billing.read',
    summary: 'One payout file.',
    params: byUuid,
    response: payoutFileDetail,
  }),
  payments: endpoint({
    method: 'POST',
    path: '/api/payout/v1/payments',
    reads: true,
    access: 'billing.read',
    summary: 'The payments of a file.',
    body: z.object({ ...paging, ...sorting(['id'], 'asc'), uuid, state: someOf(payoutState) }),
    response: listOf(payoutRow),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/payout/v1/preview',
    reads: true,
    access: 'billing.pay',
    summary: 'Who a file would pay, and who is left out and why.',
    body: z.object(asked),
    /** `cut`: more is due than one file looks at; another takes the rest. `proven`: a payment of such a file of this account arrived before. */
    response: z.object({
      list: z.array(payee),
      more: z.boolean(),
      cut: z.boolean(),
      proven: z.boolean(),
      amount: z.string(),
      payments: z.int(),
      /** Of the invoices that were chosen those this file does not look at, each with the first reason. */
      not_taken: z.array(notTaken),
    }),
  }),
  make: endpoint({
    method: 'POST',
    path: '/api/payout/v1/make',
    access: 'billing.pay',
    key: 'never',
    summary: 'Makes a file of all that is due; its invoices are reserved for it. Of all or of those chosen.',
    body: z.object({
      key: uuid,
      ...asked,
      execution_day: day,
      delimiter: z.enum([',', ';', '\t']).default(','),
      affiliate_uuids: z.array(uuid).max(1000).default([]),
    }),
    response: payoutFileDetail,
  }),
  release: endpoint({
    method: 'POST',
    path: '/api/payout/v1/release/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary:
      'Freezes the bytes of a file and books its payments as sent, by another person than made it. Payments whose methods changed, or to whom less is owed by now, are taken off first; then it stays a draft to be looked at again.',
    params: byUuid,
    body: z.object(proof),
    response: payoutFileDetail,
  }),
  download: endpoint({
    method: 'POST',
    path: '/api/payout/v1/download/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'The bytes of a released file, the same every time.',
    params: byUuid,
    response: bytes,
  }),
  cancel: endpoint({
    method: 'POST',
    path: '/api/payout/v1/cancel/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'Ends a file that was not released; its invoices are open again.',
    params: byUuid,
    response: payoutFileDetail,
  }),
  recall: endpoint({
    method: 'POST',
    path: '/api/payout/v1/recall/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'Takes back a released file that was not uploaded anywhere, by another person than released it.',
    params: byUuid,
    body: z.object({ not_uploaded: z.literal(true, 'Confirm that the file was not uploaded') }),
    response: payoutFileDetail,
  }),
  mark: endpoint({
    method: 'POST',
    path: '/api/payout/v1/mark/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'Says by hand what became of one payment.',
    params: z.object({ uuid }),
    body: z
      .object({
        becomes: z.enum(['settled', 'failed', 'returned'], 'Choose what became of it'),
        external_id: bankReference.default(''),
        fee: positiveAmount.default('0'),
        /** Although it is more than a tenth of the payment. */
        fee_sure: z.boolean().default(false),
        /** Asked for where it did not arrive or came back. */
        reason: line(300).default(''),
      })
      .refine(({ becomes, reason }) => becomes === 'settled' || reason.trim() !== '', { message: 'Required', path: ['reason'] }),
    response: payoutRow,
  }),
  arrived: endpoint({
    method: 'POST',
    path: '/api/payout/v1/arrived/:uuid',
    access: 'billing.pay',
    key: 'never',
    summary: 'Says of every payment of a file that is still on its way that it arrived.',
    params: byUuid,
    response: payoutFileDetail,
  }),
  previewResult: endpoint({
    method: 'POST',
    path: '/api/payout/v1/preview-result',
    reads: true,
    access: 'billing.pay',
    summary: 'What a result of a bank or payment system would change; pain.002, camt.052 to .054, or a table with references.',
    body: z.object({ content }),
    response: z.object({
      format: z.enum(['pain002', 'camt', 'csv']),
      rows: z.int(),
      /** Entries of a statement that are none of our payments. */
      others: z.int(),
      list: z.array(resultRow),
    }),
  }),
  applyResult: endpoint({
    method: 'POST',
    path: '/api/payout/v1/apply-result',
    access: 'billing.pay',
    key: 'never',
    summary:
      'Applies a result, each payment once; those of another amount, found by their account, or paid although their file was taken back, only where they are confirmed.',
    body: z.object({
      content,
      confirmed: z.array(line(40)).max(5000).default([]),
      /** Fees by hand, in the currency of the account, where what the result says of one cannot be booked. */
      fees: z
        .array(z.object({ reference: line(40), fee: positiveAmount }))
        .max(5000)
        .default([]),
    }),
    response: z.object({ settled: z.int(), failed: z.int(), returned: z.int(), passed: z.int() }),
  }),
}
