import { z } from 'zod'

/**
 * What a check looked at, as values without words: the panel says them in its reader's language. Moments are ISO 8601, an empty value is
 * "none" or "unknown".
 */
export const VERDICT_DETAILS = {
  not_numbers: [],
  offer: ['id'],
  affiliate: ['id'],
  advertiser: ['id'],
  landing: ['id'],
  no_landing: [],
  name: ['name'],
  dates: ['from', 'to'],
  open_to_all: [],
  approved_only: [],
  any: [],
  include: ['value', 'list'],
  exclude: ['value', 'list'],
  cap_until: ['until'],
  cap: ['period', 'scope', 'measure', 'limit', 'used', 'percent', 'currency'],
  age: ['days', 'limit'],
  delay: ['seconds', 'from', 'to'],
  hold: ['until'],
  rule: ['id', 'payout_fixed', 'payout_percent', 'revenue_fixed', 'revenue_percent'],
} as const satisfies Record<string, readonly string[]>

export type VerdictDetailKind = keyof typeof VERDICT_DETAILS

const kinds = Object.keys(VERDICT_DETAILS) as [VerdictDetailKind, ...VerdictDetailKind[]] // keys of a literal object

/** One check of a click or a conversion, and what it looked at. */
export const verdict = z.object({
  check: z.string(),
  passed: z.boolean(),
  detail: z.object({ kind: z.enum(kinds), values: z.record(z.string(), z.string()) }).nullable(),
})

export type VerdictDetail = z.output<typeof verdict>['detail']

/** A detail with exactly the values its kind has. */
export function verdictDetail<K extends VerdictDetailKind>(
  kind: K,
  values: Record<(typeof VERDICT_DETAILS)[K][number], string>,
): VerdictDetail {
  return { kind, values }
}
