import { z } from 'zod'
import { requiredLine } from '#contract/fields.ts'
import { MOST_IMPORT_COLUMNS } from '#contract/people/import.ts'
import { currency } from './amount.ts'

/** What a column of a report may be; one of the first three, or offer or goal with time and amount, says whose line it is. */
export const REPORT_FIELDS = [
  'transaction_id',
  'click_id',
  'sub_id',
  'time',
  'status',
  'amount',
  'currency',
  'offer',
  'goal',
  'reason',
] as const
export type ReportField = (typeof REPORT_FIELDS)[number]

/** By field the place of its column. */
export const reportMapping = z
  .partialRecord(
    z.enum(REPORT_FIELDS),
    z
      .int()
      .min(0)
      .max(MOST_IMPORT_COLUMNS - 1),
  )
  .refine((fields) => new Set(Object.values(fields)).size === Object.keys(fields).length, 'Each column once')
export type ReportMapping = z.output<typeof reportMapping>

/** What a word of a report means; `skip` = lines that say it are not about conversions. */
export const REPORT_MEANINGS = ['approved', 'declined', 'pending', 'skip'] as const
export const reportMeaning = z.enum(REPORT_MEANINGS)
export type ReportMeaning = z.output<typeof reportMeaning>

export const REPORT_NUMBERS = ['point', 'comma'] as const
export const REPORT_DATES = ['iso', 'dmy', 'mdy'] as const
/** What amounts of a report are: what the advertiser owes us, or the sale a share is computed of. */
export const REPORT_AMOUNTS = ['revenue', 'sale'] as const

/** How a report is read; kept for the next one of its advertiser. */
export const reportReading = z.object({
  mapping: reportMapping,
  numbers: z.enum(REPORT_NUMBERS),
  dates: z.enum(REPORT_DATES),
  amounts: z.enum(REPORT_AMOUNTS),
  /** Of amounts that name none; null = each conversion's own. */
  currency: currency.nullable(),
  words: z
    .array(z.object({ word: requiredLine(120), means: reportMeaning }))
    .max(200)
    .refine((words) => new Set(words.map(({ word }) => word.toLowerCase())).size === words.length, 'Each word once'),
  /** What goals are called there, each with the code of ours; before all that its advertiser's words say. */
  goals: z
    .array(z.object({ word: requiredLine(120), goal: requiredLine(100) }))
    .max(200)
    .refine((goals) => new Set(goals.map(({ word }) => word.toLowerCase())).size === goals.length, 'Each word once')
    .default([]),
  /** Without an id, times may lie so many minutes apart. */
  minutes: z.int().min(0).max(1440),
})
export type ReportReading = z.output<typeof reportReading>
