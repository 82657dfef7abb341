import type { Currency } from '#contract/money/amount.ts'
import { MOST_LINES } from '#contract/money/payable.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { owingOf, type Owing } from './debt.queries.ts'
import { lockChosen, lockMonths, openAdjustments, type Those } from './line.queries.ts'
import { worthOf, type Available } from './lines.service.ts'
import { roundedTo } from './posting.ts'

/** What of an affiliate was chosen, with what comes along. */
export type Group = { affiliate_id: number; currency: Currency; available: Available }

/**
 * Locks chosen conversions, by affiliate and currency. Where they come to more than an affiliate has available it owes: all that is open
 * beside conversions comes along then, corrections before all, so that what is earned goes against the debt first. `debts`: what is owed
 * even so, or more than all of it comes to; `leavesDebt`: nothing comes along, and nobody asks. The caller holds `lockBilling` of all of them.
 */
export async function lockChosenGroups(trx: Trx, chosen: Those, leavesDebt: boolean): Promise<{ groups: Group[]; debts: Owing[] }> {
  const owing = leavesDebt ? [] : await owingOf(trx, chosen)
  const { conversions, changed } = await lockChosen(trx, chosen, owing, MOST_LINES)
  const nameOf = (row: { affiliate_id: number; currency: Currency }) => `${row.affiliate_id} ${row.currency}`
  const debtors = new Set(owing.map(nameOf))
  const changedOf = Map.groupBy(changed, nameOf)
  const groups: Group[] = []
  for (const [name, rows] of Map.groupBy(conversions, nameOf)) {
    const [{ affiliate_id, currency } = { affiliate_id: 0, currency: '' }] = rows
    const of = { affiliateId: affiliate_id, currency }
    const isDebtor = debtors.has(name)
    groups.push({
      affiliate_id,
      currency,
      available: {
        conversions: rows,
        changed: changedOf.get(name) ?? [],
        adjustments: isDebtor ? await openAdjustments(trx, { ...of, before: null }, MOST_LINES) : [],
        referrals: isDebtor ? await lockMonths(trx, of, 'booked', MOST_LINES) : [],
      },
    })
  }
  const debts: Owing[] = []
  // asked again: what somebody owes may have become more while these were waited for
  for (const one of leavesDebt ? [] : await owingOf(trx, chosen)) {
    const available = groups.find((group) => nameOf(group) === nameOf(one))?.available
    if (available !== undefined && !(await coversDebt(trx, one, available))) debts.push(one)
  }
  return { groups, debts }
}

/** Whether an invoice of all that came along comes to something, and leaves nothing that is owed. */
async function coversDebt(trx: Trx, { currency, owed }: Owing, available: Available): Promise<boolean> {
  const alone = { ...available, changed: [], adjustments: [], referrals: [] }
  const taken = worthOf(alone) - worthOf(available)
  return owed <= taken && roundedTo(await decimalsOf(trx, currency), worthOf(available)) > 0n
}
