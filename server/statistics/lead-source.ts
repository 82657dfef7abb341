import { QUARTER } from './source.ts'

/**
 * The roll-ups of leads from the narrowest to the widest, with the columns each keeps apart; what is not among them cannot be
 * grouped, filtered or scoped by there. All keep `traffic`, warm or cold.
 */
const ROLL_UPS = [
  { table: 'session_by_quarter', columns: ['traffic'] },
  { table: 'session_by_offer', columns: ['offer', 'advertiser', 'product', 'traffic'] },
  { table: 'session_by_affiliate', columns: ['affiliate', 'traffic'] },
  { table: 'session_by_place', columns: ['offer', 'geo', 'traffic'] },
  { table: 'session_by_device', columns: ['device', 'os', 'traffic'] },
  { table: 'session_by_status', columns: ['status', 'reason', 'traffic'] },
] as const

/** `offers`: whether offers are kept apart. */
export type LeadSource = { table: 'session_fact' | (typeof ROLL_UPS)[number]['table']; raw: boolean; offers: boolean }
/** Their names: filled with the facts, and made anew with them. */
export const LEAD_ROLL_UPS = ROLL_UPS.map(({ table }) => table)

/**
 * The narrowest table that answers a question about leads. `columns` = everything it groups, filters and scopes by; `bounds` =
 * every moment it cuts at, in seconds; `rowTime`: each send counts when it was made, as it does in the roll-ups.
 */
export function chooseLeadSource(question: {
  columns: ReadonlySet<string>
  bounds: readonly number[]
  rowTime: boolean
  fewAffiliates: boolean
}): LeadSource {
  const raw: LeadSource = { table: 'session_fact', raw: true, offers: true }
  if (!question.rowTime || question.bounds.some((bound) => bound % QUARTER !== 0)) return raw
  // raw rows are sorted by affiliate: a few are read faster there than out of everybody's quarter hours
  const rollUps = question.fewAffiliates ? ROLL_UPS.filter(({ table }) => table === 'session_by_affiliate') : ROLL_UPS
  const rollUp = rollUps.find(({ columns }) => [...question.columns].every((column) => columns.some((kept) => kept === column)))
  return rollUp === undefined ? raw : { table: rollUp.table, raw: false, offers: rollUp.columns.some((kept) => kept === 'offer') }
}
