import type { Trx } from '#server/platform/pg/database.ts'
import type { ClickIdParts } from '#server/rules/click/click-id.ts'
import type { NotUnderstood } from '#server/rules/conversion/postback-meaning.ts'
import type { Report } from '../../conversion/draft.service.ts'
import type { ReportedFor } from '../../conversion/plan-report.service.ts'
import type { OfferTerms } from '../../conversion/terms.queries.ts'
import type { PostbackFields } from './parse.service.ts'

/** Whose click a postback is about. */
export type Identified = { parts: ClickIdParts; terms: OfferTerms }

/** What a postback says of it. */
export type Interpreted = {
  of: ReportedFor
  report: Report
  /** What it was read from. */
  fields: PostbackFields
  /** Where it names no goal: the same, read again while nothing it may be about can change. Before other locks of `trx`. */
  underLocks?: (trx: Trx) => Promise<Interpreted | NotUnderstood>
}
