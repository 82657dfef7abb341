import { sql, type RawBuilder } from 'kysely'

/** What its affiliate gets for conversion `c` was changed at a moment or after it, as the ledger has it. */
export function payoutChangedSince(moment: Date): RawBuilder<boolean> {
  return changedSince(moment, ['payout', 'payout_reversal'])
}

/** The same of what the conversion earns the network. */
export function revenueChangedSince(moment: Date): RawBuilder<boolean> {
  return changedSince(moment, ['revenue', 'revenue_reversal'])
}

function changedSince(moment: Date, kinds: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`exists (select from ledger_transfer ct where ct.conversion_id = c.id and ct.kind = any(${[...kinds]}::text[]) and ct.at >= ${moment})`
}
