import type { Selectable } from 'kysely'
import type { ChangeOrigin } from '#contract/traffic/conversion.ts'
import type { Tables } from '#server/platform/pg/database.ts'

export type ConversionRow = Selectable<Tables['conversion']>
/** A conversion before it has a number. */
export type ConversionDraft = Omit<ConversionRow, 'id'>

/** What becomes of one conversion: `before` is null for a new one; `after.updated_at` is when. */
export type Change = {
  before: ConversionRow | null
  after: ConversionDraft
  origin: ChangeOrigin
  actorId: number | null
  /** Accepted without pay when a cap was full, and so again: it takes no place. */
  unpaid?: boolean
  /** When the books say it was written, where that is not now: the demo network was not made in one day. */
  bookedAt?: Date
  /** The reconciliation it is a part of. */
  batchId?: number
  /** Affiliates' postbacks are not sent. */
  quiet?: boolean
}
export type RecordedChange = {
  before: ConversionRow | null
  after: ConversionRow
  origin: ChangeOrigin
  actorId: number | null
  seq: number
  bookedAt?: Date
  batchId?: number
  quiet?: boolean
}

/** What there is of the identity that is reported. */
export type KnownConversion = {
  conversion: ConversionRow | undefined
  /** The click has one of this goal, which converts once. */ converted: boolean
}
