import { toUnits } from '#contract/money/amount.ts'
import { roundedTo, shareOf } from './posting.ts'

type Taxed = { vat_category: string; vat_rate: string }
type Sums = { net: bigint; vat: bigint; total: bigint }

/**
 * What a credit note takes back of an invoice, of either side, on which `left` stands by what was issued so far and `exact` by its lines
 * with those of the note: the difference to that, rounded as an invoice over it. So notes add up to the cent, however many the changes were
 * divided over, and VAT is that of what is left. Below zero it adds. VAT never runs against its net: what notes rounded one by one before
 * that held is not made up for by one that would be nothing, or turn.
 */
export function noteSums(taxed: Taxed, left: { net: bigint; vat: bigint }, exact: bigint, decimals: number): Sums {
  const stays = roundedTo(decimals, exact)
  const rate = taxed.vat_category === 'S' ? toUnits(taxed.vat_rate) : 0n
  const net = left.net - stays
  const own = left.vat - shareOf(stays, rate, decimals)
  const vat = own < 0n === net < 0n ? own : 0n
  return { net, vat, total: net + vat }
}
