import { addAmounts, negated, toUnits } from '#contract/money/amount.ts'
import type { AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'

type Credited = Pick<AdvertiserInvoiceDetail, 'net' | 'vat' | 'total' | 'open' | 'written_off'> & {
  credit_notes: readonly { net: string; vat: string; total: string }[]
}

/**
 * What a credit note over all that is left of an invoice takes back, and what becomes of it: first what is open, then what was given up;
 * the rest was paid, and is paid in advance from there on.
 */
export function creditSums({ credit_notes: notes, ...of }: Credited) {
  const left = (sum: 'net' | 'vat' | 'total') => addAmounts(of[sum], ...notes.map((note) => negated(note[sum])))
  const total = left('total')
  const open = least(total, of.open)
  const forgiven = least(addAmounts(total, negated(open)), of.written_off)
  return {
    net: left('net'),
    vat: left('vat'),
    total,
    before: addAmounts('0', ...notes.map((note) => note.total)),
    open,
    forgiven,
    ahead: addAmounts(total, negated(open), negated(forgiven)),
  }
}

function least(one: string, other: string): string {
  return toUnits(one) < toUnits(other) ? one : addAmounts(other)
}
