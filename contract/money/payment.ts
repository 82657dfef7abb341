import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, requiredLine, uuid } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { currency, percent, positiveAmount } from './amount.ts'

/** How a field of a payment system is checked. */
export const PAYMENT_CHECKS = ['text', 'email', 'digits', 'iban', 'account', 'bic', 'tron', 'ethereum', 'capitalist'] as const
export type PaymentCheck = (typeof PAYMENT_CHECKS)[number]
type PaymentField = { name: string; check: PaymentCheck; required: boolean }

const need = (name: string, check: PaymentCheck = 'text'): PaymentField => ({ name, check, required: true })
const may = (name: string, check: PaymentCheck = 'text'): PaymentField => ({ name, check, required: false })

/** What each kind of payment system asks of who is paid by it. `own` ones say it themselves. */
export const PAYMENT_KINDS = {
  sepa: [need('holder'), need('iban', 'iban'), may('bic', 'bic'), may('town')],
  bank: [need('holder'), need('bank'), need('account', 'account'), may('bic', 'bic'), need('country'), need('town')],
  paypal: [need('email', 'email')],
  wise: [need('holder'), need('email', 'email')],
  usdt_trc20: [need('address', 'tron')],
  usdt_erc20: [need('address', 'ethereum')],
  capitalist: [need('account', 'capitalist')],
  own: [],
} as const satisfies Record<string, readonly PaymentField[]>
export type PaymentKind = keyof typeof PAYMENT_KINDS
export const PAYMENT_KIND_NAMES = Object.keys(PAYMENT_KINDS) as [PaymentKind, ...PaymentKind[]] // keys of a literal object

/** Fields of the network's own systems are checked by the plain ones only. */
const ownField = z.object({
  name: requiredLine(60).regex(/^[^.[\]]+$/, 'Without dots and brackets'),
  check: z.enum(['text', 'email', 'digits']),
  required: z.boolean(),
})

const DAYS = 'A whole number of days from 0 to 365'
export const paymentSystem = z.object({
  /** Names it in what is stored; it stays while the name changes. */
  code: z.string().regex(/^[a-z0-9_]{2,30}$/, 'Small letters, digits and _, at least two'),
  kind: z.enum(PAYMENT_KIND_NAMES),
  name: requiredLine(60),
  /** What it can pay. */
  currencies: z.array(currency).min(1, 'Choose at least one').max(20),
  /** Nothing smaller is paid, by currency; in one that is not named the network's minimum holds. */
  minimums: z
    .record(currency, positiveAmount)
    .refine((amounts) => Object.keys(amounts).length <= 20, 'At most 20 values')
    .meta({ maxProperties: 20 }),
  fee_fixed: positiveAmount,
  fee_percent: percent,
  /** Who bears the fee. */
  fee_by: z.enum(['network', 'affiliate']),
  /** Days a payout waits beyond the terms. */
  days: z.int(DAYS).min(0, DAYS).max(365, DAYS),
  /** Beside those of its kind. */
  fields: z.array(ownField).max(8),
  active: z.boolean(),
})
export type PaymentSystem = z.output<typeof paymentSystem>

export const PAYOUT_SCHEDULES = ['weekly', 'twice_a_month', 'monthly', 'on_request'] as const
export const NET_DAYS = ['0', '7', '15', '30', '45', '60'] as const
/** What happens at the end of a period: invoices are proposed to staff, made as drafts, or made and shown to their affiliates. */
export const PERIOD_ENDS = ['propose', 'drafts', 'send'] as const

const HOLD = 'A whole number of days from 0 to 90'
/** When an affiliate is paid, and from which sum on. */
export const payoutTerms = {
  schedule: z.enum(PAYOUT_SCHEDULES),
  /** Days from the end of a period until its invoice is due. */
  net: z.enum(NET_DAYS),
  /** Nothing smaller is invoiced by itself; that of the payment system goes before. */
  minimums: z
    .array(z.object({ currency, amount: positiveAmount }))
    .max(20)
    .refine((list) => new Set(list.map((one) => one.currency)).size === list.length, 'Each currency only once'),
  /** Days a conversion waits beyond the hold of its offer. */
  hold_days: z.int(HOLD).min(0, HOLD).max(90, HOLD),
  makes: z.enum(PERIOD_ENDS),
}

const usual = (code: PaymentKind, its: Pick<PaymentSystem, 'name' | 'minimums'>): PaymentSystem => ({
  code,
  kind: code,
  ...its,
  currencies: Object.keys(its.minimums),
  fee_fixed: '0',
  fee_percent: '0',
  fee_by: 'network',
  days: 0,
  fields: [],
  active: true,
})

/** By what affiliates are paid, and when. Data for invoices and payments; the constant `payment_systems` is made of it. */
export const paymentSetting = defineSetting(
  'payments',
  { access: 'setting.payments', about: 'payment systems, their minimums and fees, and the terms of payouts', key: 'never' },
  {
    /** In the order affiliates are offered them. */
    systems: z.array(paymentSystem).max(30),
    ...payoutTerms,
  },
  {
    systems: [
      usual('sepa', { name: 'Bank transfer (SEPA)', minimums: { EUR: '100' } }),
      usual('bank', { name: 'Bank transfer', minimums: { USD: '500', EUR: '500', UAH: '20000' } }),
      usual('paypal', { name: 'PayPal', minimums: { USD: '50', EUR: '50' } }),
      usual('wise', { name: 'Wise', minimums: { USD: '50', EUR: '50' } }),
      usual('usdt_trc20', { name: 'USDT TRC-20', minimums: { USD: '100' } }),
      usual('usdt_erc20', { name: 'USDT ERC-20', minimums: { USD: '500' } }),
      usual('capitalist', { name: 'Capitalist', minimums: { USD: '50', EUR: '50' } }),
    ],
    schedule: 'monthly',
    net: '15',
    minimums: [],
    hold_days: 0,
    makes: 'propose',
  },
)
export type PaymentSettings = typeof paymentSetting.defaults

/** Fields of a payment system as whoever is paid fills them. */
export function fieldsOf({ kind, fields }: Pick<PaymentSystem, 'kind' | 'fields'>): PaymentField[] {
  return [...PAYMENT_KINDS[kind], ...fields]
}

/** Methods an affiliate may have. */
export const MOST_METHODS = 10

export const paymentMethod = z.object({
  uuid,
  /** The code of its system. */
  system: z.string(),
  system_name: z.string(),
  /** What of it may be shown: the end of an account, the beginning of an address. The rest is never read back. */
  masked: z.string(),
  /** Until when nothing is paid to it, because it was changed; null = it can be paid to. */
  locked_until: moment.nullable(),
  /** Whether its system is still offered. */
  offered: z.boolean(),
  created_at: moment,
})

/** What proves that it is the owner: the password, with a code of the second factor, or without one of the mail that `ask` sent. */
const proof = { password: z.string().min(1, 'Required').max(200), code: z.string().trim().max(40).default('') }

const methodValues = z
  .record(line(60), line(200))
  .refine((values) => Object.keys(values).length <= 20, 'At most 20 values')
  .meta({ maxProperties: 20 })
/** A method to add (`uuid` null) or to replace what one holds. */
const savedMethod = { uuid: uuid.nullable(), system: line(30), values: methodValues }
const methodOrder = { uuids: z.array(uuid).min(1).max(MOST_METHODS) }

/** One change of where somebody is paid: a mailed code confirms it and no other. */
const methodChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('save'), ...savedMethod }),
  z.object({ kind: z.literal('order'), ...methodOrder }),
  z.object({ kind: z.literal('remove'), uuid }),
])
export type MethodChange = z.output<typeof methodChange>

/** Where an affiliate is paid, the first one first. */
export const paymentMethodApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/payment-method/v1/own-list',
    access: 'payment.own',
    summary:
      'The own payment methods in the order they are used, the systems there are with the minimums that hold for oneself, and the terms.',
    response: z.object({
      list: z.array(paymentMethod),
      systems: z.array(paymentSystem.omit({ active: true })),
      /** What the own totals are in. */
      currency,
      schedule: z.enum(PAYOUT_SCHEDULES),
      net: z.enum(NET_DAYS),
      /**
       * What confirms a change beside the password: a code of the second factor, one that is mailed, nothing more (the first method ever);
       * `nothing` = no change is possible before there is a second factor or mail.
       */
      confirmed_by: z.enum(['factor', 'mail', 'password', 'nothing']),
    }),
  }),
  ask: endpoint({
    method: 'POST',
    path: '/api/payment-method/v1/own-ask-code',
    access: 'payment.own',
    key: 'never',
    summary: 'Mails the owner a code that confirms one change, for 15 minutes; where a second factor is set up there is none.',
    body: z.object({ change: methodChange, password: proof.password }),
    response: z.object({}),
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/payment-method/v1/own-save',
    access: 'payment.own',
    key: 'never',
    summary: 'Adds a method, or replaces what one holds. All but the first are paid to after 48 hours only; the owner is told by mail.',
    body: z.object({
      ...savedMethod,
      ...proof,
    }),
    response: z.object({ uuid }),
  }),
  order: endpoint({
    method: 'POST',
    path: '/api/payment-method/v1/own-order',
    access: 'payment.own',
    key: 'never',
    summary: 'Says in which order the own methods are used; the one that becomes the first is paid to after 48 hours.',
    body: z.object({ ...methodOrder, ...proof }),
    response: z.object({}),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/payment-method/v1/own-remove/:uuid',
    access: 'payment.own',
    key: 'never',
    summary: 'Removes a method; the one that becomes the first by that is paid to after 48 hours.',
    params: z.object({ uuid }),
    body: z.object(proof),
    response: z.object({}),
  }),
}

export const paymentSettingApi = { settings: paymentSetting.read, updateSettings: paymentSetting.update }
