import type { Currency } from '#contract/money/amount.ts'
import type { ReconciliationCause, ReconciliationKey, ReconciliationProposal } from '#contract/money/reconciliation-cause.ts'
import type { ReportLine, ReportZone } from '#server/rules/reconciliation-row.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'

/** One line of the advertiser's report, read. */
export type TheirLine = ReportLine

/** A conversion of this advertiser: of the period with a day around it, or named by the report. */
export type OurConversion = {
  id: string
  /** When it was received, in milliseconds of UTC. */
  at: number
  clickAt: number
  transactionId: string
  clickId: string
  subId: string
  offerId: number
  goalId: number
  /** A click may have several of its goal, each of another transaction. */
  repeatable: boolean
  status: ConversionStatus
  reason: string
  /** What it is worth to the advertiser: revenue, or the sale's amount where the report lists sales; decimal text. */
  amount: string
  currency: Currency
  /** Whether it stands on an invoice of the affiliate or of the advertiser by now: what changes is a correction. */
  invoiced: boolean
  test: boolean
  /** Its present status was given by the advertiser itself, by staff, by a file or by a rule. */
  decidedBy: 'postback' | 'staff' | 'import' | 'rule'
}

/** A call of the advertiser that was refused, or is kept because its click is unknown. */
export type RefusedCall = {
  at: number
  transactionId: string
  clickId: string
  /** A code of POSTBACK_REFUSALS. */
  reason: string
}

export type MatchSettings = {
  /** What the report is about, in milliseconds of UTC, `to` exclusive. */
  period: { from: number; to: number }
  /** Minutes the file's clock is ahead of UTC, as the user confirmed it; null = as it is found, and UTC where it is not. */
  offset: number | null
  /** Without an id, times may lie so many minutes apart. */
  minutes: number
  /** How many decimals a currency has: amounts may differ by one of its smallest units. */
  decimals: ReadonlyMap<Currency, number>
  /** An amount in another currency at the rate of the report's day; null where there is no rate. Then 1 % is tolerated. */
  convert: (amount: string, from: Currency, to: Currency) => string | null
}

/** What the clock of a file was found to be. */
export type FoundZone = ReportZone

/** What a line and a conversion come to; one of the two may be missing. */
export type MatchedRow = {
  /** null = the report does not have it. */
  line: number | null
  conversionId: string | null
  key: ReconciliationKey | null
  /** null = they agree. */
  cause: ReconciliationCause | null
  /** What explains it: the refusal's code, the line or conversion it is a duplicate of; '' = nothing. */
  detail: string
  proposal: ReconciliationProposal
  /** What the proposal makes of the conversion; null = as it is. `hold` is never proposed: approving keeps its days. */
  status: 'approved' | 'declined' | null
  /** In the conversion's currency; null = as it is. */
  amount: string | null
  /** It is on an invoice already: what changes becomes a correction of the next one. */
  becomesCorrection: boolean
}

/** `matchReport(theirs, ours, calls, settings)`: rows by line, and after them what the report does not have, by time. */
export type MatchReport = (
  theirs: readonly TheirLine[],
  ours: readonly OurConversion[],
  calls: readonly RefusedCall[],
  settings: MatchSettings,
) => { zone: FoundZone; rows: MatchedRow[] }
