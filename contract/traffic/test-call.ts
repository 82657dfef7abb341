import { z } from 'zod'
import { line } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { conversionStatus } from './conversion.ts'

/** What an advertiser would report of a test click; '' = not named in the call. */
export const testCallInput = z.object({
  /** Ours, of a test click that is stored. */
  click_id: line(64),
  goal: line(64).default(''),
  status: line(64).default(''),
  amount: line(64).default(''),
  currency: line(16).default(''),
  txn_id: line(255).default(''),
})
export type TestCallInput = z.output<typeof testCallInput>

/** How it is read and answered. */
export const testCallAnswer = z.object({
  /** Path and query as they are read. */
  sent: z.string(),
  http_status: z.int(),
  /** The body the advertiser gets, as JSON. */
  answer: z.string(),
  /** A code of POSTBACK_REFUSALS; '' = it is understood. */
  reason: z.string(),
  /** The parameter that was not understood, and what it held. */
  detail: z.string(),
  /** What a call of the same words would report of a click that is none; null where it is refused. */
  understood: z
    .object({ goal: z.object({ code: z.string(), title: z.string() }), status: conversionStatus, amount: z.string().nullable(), currency })
    .nullable(),
})
export type TestCallAnswer = z.output<typeof testCallAnswer>
