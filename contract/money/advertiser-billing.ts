import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, day, email, line, moment, reference, uuid } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { advertiserInvoiceStatus } from './advertiser-invoice.ts'
import { currency, positiveAmount, ranking } from './amount.ts'
import { documentLanguage } from './document.ts'
import { payoutTerms } from './payment.ts'
import { VAT_CATEGORIES } from './vat.ts'

const DAYS = 'A whole number from 0 to 365'
const days = z.number(DAYS).int(DAYS).min(0, DAYS).max(365, DAYS)

const { schedule, minimums, hold_days, makes } = payoutTerms
/** When advertisers are invoiced by themselves, as affiliates are. `makes: send`: their invoices are issued. */
const periodTerms = { schedule, minimums, hold_days, makes }

/** When advertisers are invoiced and pay, when they are reminded, and when they are warned that their credit ends. */
export const receivableSetting = defineSetting(
  'receivables',
  { access: 'billing.approve', about: 'when advertisers pay and are reminded, and when their credit ends' },
  {
    ...periodTerms,
    /** Days after the end of its period on which an invoice is due. */
    net_days: days,
    /** Whether what is on hold is invoiced too. */
    include_hold: z.boolean(),
    /** Days after it was due on which the advertiser is reminded; none = nobody is. */
    reminder_days: z
      .array(days.min(1, 'A whole number from 1 to 365'))
      .max(10)
      .refine((list) => list.every((one, at) => at === 0 || one > (list[at - 1] ?? 0)), 'Each day once, the first one first'),
    /** So much of an invoice may be missing on a receipt and be taken as the bank's fee; 0 = nothing. */
    short_percent: z.number('A whole number from 0 to 20').int('A whole number from 0 to 20').min(0).max(20),
    /** From how much of its limit on an advertiser is near it. */
    warn_percent: z.number('A whole number from 1 to 100').int('A whole number from 1 to 100').min(1).max(100),
  },
  {
    schedule: 'monthly',
    minimums: [],
    hold_days: 0,
    makes: 'propose',
    net_days: 30,
    include_hold: false,
    reminder_days: [3, 7, 14],
    short_percent: 1,
    warn_percent: 80,
  },
)

/** How overdue amounts are put together: up to so many days, the last one is all that is older. */
export const AGES = ['30', '60', '90', 'more'] as const

/** What an advertiser owes in one currency. */
export const receivable = z.object({
  currency,
  /** Earned, and on no issued invoice. */
  not_invoiced: z.string(),
  /** Open on issued invoices. */
  invoiced: z.string(),
  overdue: z.object({ '30': z.string(), '60': z.string(), '90': z.string(), more: z.string() }),
  prepaid: z.string(),
  /** not invoiced + invoiced − prepaid. */
  exposure: z.string(),
  /** null = none. Nothing = it pays in advance. */
  credit_limit: z.string().nullable(),
  /** How much of the limit is used, or of what was paid in advance last; null without one. */
  used_percent: z.int().nullable(),
  credit: z.enum(['none', 'good', 'near', 'blocked']),
})

export const receivableRow = receivable.extend({
  id: z.int(),
  advertiser: reference,
  /** Revenue less payouts and what was written off. */
  revenue: z.string(),
  profit: z.string(),
})
export type ReceivableRow = z.output<typeof receivableRow>

/** Terms of one advertiser; null = as the network has it. */
export const advertiserTerms = z.object({
  schedule: schedule.nullable(),
  minimums: minimums.nullable(),
  hold_days: hold_days.nullable(),
  makes: makes.nullable(),
  net_days: days.nullable(),
  include_hold: z.boolean().nullable(),
  /** Where invoices and reminders go; '' = to its own address. */
  email: z.union([z.literal(''), email]),
  /** Of letters. */
  language: z.enum(['en', 'uk']),
  /** Of its invoices and credit notes; null = as the network's. */
  document_language: documentLanguage.nullable(),
  vat_category: z.enum(VAT_CATEGORIES),
  vat_rate: z.string().regex(/^\d{1,2}(\.\d{1,3})?$/, 'A percentage from 0 to 99.999'),
  remind: z.boolean(),
  /** How much it may owe in each of these currencies; 0 = it pays in advance. */
  limits: z
    .array(z.object({ currency, amount: positiveAmount }))
    .max(20)
    .refine((list) => new Set(list.map((one) => one.currency)).size === list.length, 'Each currency once'),
})

const termsStored = advertiserTerms.extend({
  revision: z.int(),
  /** What holds where nothing else is said. */
  network: z.object({ ...periodTerms, net_days: z.int(), include_hold: z.boolean() }),
})

/** What advertisers owe, and on what terms. */
export const advertiserBillingApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/advertiser-billing/v1/list',
    reads: true,
    access: 'billing.read',
    summary: 'What each advertiser owes in each currency, by age, with its limit and what it earns the network.',
    body: z.object({
      ...paging,
      ...sorting(['exposure', 'advertiser', 'not_invoiced', 'invoiced', 'overdue', 'prepaid', 'revenue', 'profit']),
      search: line(100).default(''),
      currency: z.array(currency).max(50).default([]),
      advertiser_uuid: z.array(uuid).max(100).default([]),
      manager_uuid: z.array(uuid).max(100).default([]),
      credit: z
        .array(z.enum(['good', 'near', 'blocked']))
        .max(3)
        .default([]),
      overdue: z.boolean().default(false),
    }),
    response: listOf(receivableRow, {
      amounts: z.array(
        receivable
          .pick({ currency: true, not_invoiced: true, invoiced: true, overdue: true, prepaid: true, exposure: true })
          .extend({ profit: z.string() }),
      ),
      ranking,
    }),
  }),
  unbilled: endpoint({
    method: 'POST',
    path: '/api/advertiser-billing/v1/unbilled',
    reads: true,
    access: 'billing.read',
    summary: 'What an advertiser owes that is on no issued invoice, by month of the network’s zone and offer; at most 500.',
    body: z.object({ advertiser_uuid: uuid, currency: z.array(currency).max(50).default([]) }),
    response: z.object({
      list: z.array(
        z.object({
          month: z.string(),
          offer: reference.nullable(),
          currency,
          conversions: z.int(),
          /** On hold still. */
          hold: z.string(),
          approved: z.string(),
          /** Of conversions that were invoiced before, and of discounts, minimums and fees. */
          corrections: z.string(),
          amount: z.string(),
        }),
      ),
    }),
  }),
  account: endpoint({
    method: 'GET',
    path: '/api/advertiser-billing/v1/account/:uuid',
    access: 'report.money',
    summary: 'What an advertiser in the own scope owes, and how its last 50 invoices stand.',
    params: byUuid,
    response: z.object({
      balances: z.array(
        receivable.extend({
          /** What it paid, without what went back. */
          received: z.string(),
        }),
      ),
      invoices: z.array(
        z.object({
          uuid,
          number: z.string().nullable(),
          status: advertiserInvoiceStatus,
          currency,
          period_to: day,
          total: z.string(),
          open: z.string(),
          due_day: day,
          overdue_days: z.int().nullable(),
          issued_at: moment.nullable(),
        }),
      ),
    }),
  }),
  terms: endpoint({
    method: 'GET',
    path: '/api/advertiser-billing/v1/terms/:uuid',
    access: 'billing.read',
    summary: 'On what terms an advertiser pays.',
    params: byUuid,
    response: termsStored,
  }),
  updateTerms: endpoint({
    method: 'POST',
    path: '/api/advertiser-billing/v1/update-terms/:uuid',
    access: 'billing.approve',
    key: 'never',
    summary: 'Changes on what terms an advertiser pays.',
    params: byUuid,
    body: advertiserTerms.extend({ revision: z.int() }),
    response: termsStored,
  }),
}

export const receivableSettingApi = { rules: receivableSetting.read, updateRules: receivableSetting.update }
