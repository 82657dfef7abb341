import { z } from 'zod'
import { day, reference, uuid } from '#contract/fields.ts'
import { reportDay } from '#contract/traffic/period.ts'
import { currency, positiveAmount } from './amount.ts'
import { PAYOUT_SCHEDULES } from './payment.ts'

/** What an invoice is made of from affiliates: a period until a day, and who. */
export const askedPeriod = {
  /** Only told on the invoice: what was approved late comes along. */
  period_from: reportDay.nullable().default(null),
  /** Conversions until the end of this day, in the network's zone. */
  period_to: reportDay,
  /** In each currency, instead of what is agreed; below it nothing is made. null: as agreed, 0: none. */
  minimum: positiveAmount.nullable().default(null),
  /** Only of those whose terms, else the network's, say so; null: of all. */
  schedule: z.enum(PAYOUT_SCHEDULES).nullable().default(null),
}

/** Whose invoices a run makes. */
export const RUN_SIDES = ['affiliates', 'advertisers'] as const

/**
 * Why somebody gets no invoice, what it is most about first. `not_agreed`: it agreed to self-billing in other words than ours are now. `requested`:
 * it asked to be paid more than this, which is answered by accepting that. Of advertisers alone: `no_vat_profile`: nobody said how it is taxed,
 * `company_incomplete`: an invoice needs more of its company, or of ours, than there is.
 */
export const LEFT_OUT = [
  'negative',
  'below_minimum',
  'requested',
  'not_active',
  'no_method',
  'method_locked',
  'profile_incomplete',
  'not_agreed',
  'live_invoice',
  'no_vat_profile',
  'company_incomplete',
] as const

/** What an affiliate would get of a run. */
export const runRow = z.object({
  affiliate: reference,
  currency,
  conversions: z.int(),
  corrections: z.int(),
  net: z.string(),
  vat: z.string(),
  total: z.string(),
  /** What corrections booked after the period come to, which are not on it but come on the next one; null = there are none. */
  later: z.string().nullable(),
  /** How it would be written: in its name, or as a statement without VAT. */
  mode: z.enum(['self_billing', 'statement']),
  /** How it would be paid, and until when; '' = it has no method that takes this currency. */
  payment_system: z.string(),
  due_day: day,
  /** What it asked to be paid and nobody decided yet; an invoice that is made of it answers it. */
  requested: z.string().nullable(),
  left_out: z.enum(LEFT_OUT).nullable(),
  /** All of why it gets none; that is the first of them. */
  reasons: z.array(z.enum(LEFT_OUT)),
  /** Below which it gets none, as asked or agreed; '0' = from any sum on. */
  minimum: z.string(),
})

/** What has become of a run. */
export const billingRun = z.object({
  uuid,
  period_to: day,
  rows: z.int(),
  waiting: z.int(),
  made: z.int(),
  nothing: z.int(),
  failed: z.int(),
  /** Of `nothing`: those who asked to be paid more than this; the request is answered instead. */
  requested: z.int(),
  invoices: z.array(z.object({ uuid, id: z.int(), party: z.string(), currency, net: z.string(), expected: z.string() })),
})
