import type { LEAD_CAUSES } from '#contract/money/reconciliation-cause.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { ConversionBefore } from './conversion/conversion-before.ts'

/** One line of the advertiser's report, read: ids trimmed, '' = none; words already understood. */
export type ReportLine = {
  /** As a spreadsheet counts, the names of the columns being the first. */
  line: number
  /** The wall clock of the file read as if it were UTC, in milliseconds; null = none, or none that could be read. */
  at: number | null
  /** Whether it says no more than the day: then `at` is its midnight. */
  dayOnly: boolean
  transactionId: string
  /** Our click id, lower case where it is one. */
  clickId: string
  /** What is known of that click, asked only where no conversion has it: '' = not asked, or no click id. */
  click: '' | 'known' | 'unknown' | 'refused' | 'test'
  /** The lead of that click and how it stands with the advertiser, asked only where the click is of no offer of its own; absent = none. */
  lead?: { id: string; stands: keyof typeof LEAD_CAUSES }
  /** The affiliate's own click id. */
  subId: string
  /** Of this advertiser, as its words were resolved; null = not said, or not one of ours. */
  offerId: number | null
  goalId: number | null
  /** Whether it names a goal or an offer none of ours is called like. */
  goalUnknown: boolean
  /** null = not said; a report without statuses lists what is approved, which whoever reads it has put here by then. */
  status: 'approved' | 'declined' | 'pending' | null
  /** Decimal text as `amountText` writes it, comparable with ours; null = not said. */
  amount: string | null
  /** null = not said: that of the conversion. */
  currency: Currency | null
  reason: string
}

/** What the clock of a file was found to be. */
export type ReportZone = {
  /** Minutes ahead of UTC; null where too few pairs agree. */
  offset: number | null
  /** Pairs matched by id whose times are known, and how many of them lie within two minutes of it. */
  pairs: number
  agreeing: number
  /** By day of the file: its commonest offset. Days without a pair are left out. */
  days: { day: string; offset: number; pairs: number }[]
  /** Days from which on it is another by 60 minutes: daylight saving. */
  jumps: { day: string; from: number; to: number }[]
}

/** What a row is proposed to make of its conversion; `restore` = what it was before a batch that is taken back by another; null = it was not. */
export type Proposed = { status: 'approved' | 'declined' | null; amount: string | null } & { restore?: ConversionBefore | null }

/** What a conversion was when it was matched: one that is something else by now is not changed. */
export type Seen = { status: ConversionStatus; payout: string; revenue: string; amount: string | null }

/** What was planned to become of it. */
export type Becomes = { status: ConversionStatus; payout: string; revenue: string; currency: Currency }
