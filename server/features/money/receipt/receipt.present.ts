import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Receipt } from '#contract/money/receipt.ts'
import type { ReceiptRow } from './receipt.queries.ts'

/** A receipt as it is read. */
export function presentReceipt(row: ReceiptRow): Receipt {
  const { uuid, id, advertiser, currency, amount, day, source, external_id, note, state, reason, paid_back, short, actor, revision } = row
  return {
    uuid,
    id,
    advertiser,
    currency,
    amount,
    day,
    source,
    external_id,
    note,
    state,
    reason,
    actor,
    revision,
    short: addAmounts(short),
    moved:
      row.moved_currency === null
        ? null
        : { currency: row.moved_currency, amount: addAmounts(row.moved ?? '0'), expected: addAmounts(row.expected ?? '0') },
    paid_back: addAmounts(paid_back),
    parts: row.parts.map((part) => ({ ...part, amount: addAmounts(part.amount) })),
    in_advance: inAdvance(row),
    created_at: row.created_at.toISOString(),
  }
}

/** What of a receipt is on no invoice and was not paid back. */
export function inAdvance({ amount, paid_back, parts, state }: Pick<ReceiptRow, 'amount' | 'paid_back' | 'parts' | 'state'>): string {
  if (state === 'bounced') return fromUnits(0n)
  return fromUnits(parts.reduce((sum, part) => sum - toUnits(part.amount), toUnits(amount) - toUnits(paid_back)))
}
