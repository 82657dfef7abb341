/** Whether an offer takes leads: a column of its own where there is none of offers, and otherwise told by them. */
export const LEADS = 'leads'

/**
 * The tables that hold clicks: the roll-ups from the narrowest (fewest cells per click, measured) to the widest, then the raw
 * rows. Each names the columns it keeps apart; what is not among them cannot be grouped, filtered or scoped by there.
 */
const ROLL_UPS = [
  { table: 'click_by_offer', columns: ['offer', 'landing', 'advertiser', 'visitor', LEADS] },
  { table: 'click_by_affiliate', columns: ['affiliate', 'visitor', LEADS] },
  { table: 'click_by_geo', columns: ['offer', 'geo', 'advertiser', LEADS] },
] as const

export type ClickSource = { table: 'click' | (typeof ROLL_UPS)[number]['table']; raw: boolean }

const RAW: ClickSource = { table: 'click', raw: true }
/** Seconds of a cell of the roll-ups. */
export const QUARTER = 900

/**
 * The narrowest table that answers a question. `columns` = everything it groups, filters and scopes by (`visitor` where
 * uniques are asked for); `bounds` = every moment it cuts at, in seconds.
 */
export function chooseSource(question: { columns: ReadonlySet<string>; bounds: readonly number[]; fewAffiliates: boolean }): ClickSource {
  if (question.bounds.some((bound) => bound % QUARTER !== 0)) return RAW
  // Raw rows are sorted by affiliate, so that a few affiliates are read faster there than out of everybody's quarter hours.
  const rollUps = question.fewAffiliates ? ROLL_UPS.filter(({ table }) => table === 'click_by_affiliate') : ROLL_UPS
  const rollUp = rollUps.find(({ columns }) => [...question.columns].every((column) => columns.some((kept) => kept === column)))
  return rollUp === undefined ? RAW : { table: rollUp.table, raw: false }
}
