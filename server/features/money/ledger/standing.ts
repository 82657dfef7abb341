import { toUnits } from '#contract/money/amount.ts'
import type { AccountKind } from '#contract/money/account.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'

/** What of a conversion decides about money. */
export type Standing = {
  status: ConversionStatus
  payment_state: 'open' | 'invoiced' | 'paid'
  payout: string
  revenue: string
  /** Sums of its live lines on invoices of the affiliate and of the advertiser. */
  invoiced: string
  billed: string
  test: boolean
}

export type StandingPart = 'payout' | 'revenue'

/** The accounts a conversion stands on, and whose they are. */
export const STANDING_ACCOUNTS = {
  pending_cost: 'payout',
  affiliate_pending: 'payout',
  payout_cost: 'payout',
  affiliate_hold: 'payout',
  affiliate_available: 'payout',
  affiliate_correction: 'payout',
  receivable: 'revenue',
  network_revenue: 'revenue',
} as const satisfies Partial<Record<AccountKind, StandingPart>>
export type StandingAccount = keyof typeof STANDING_ACCOUNTS

/**
 * What stands in the books for a conversion, in hundred-millionths, positive = debit. Everything that happens to one, a
 * postback, a decision, an invoice made or freed, books the difference of this before and after; so what it is worth
 * depends on its row alone, and every balance can be added up from rows (docs/adr/0004).
 *
 * What is open is owed as available. What is on an invoice, or paid, is owed there; only what it has become since is a correction.
 */
export function standing(row: Standing | null): Record<StandingAccount, bigint> {
  const counts = row !== null && !row.test
  const payoutIf = (status: ConversionStatus) => (counts && row.status === status ? toUnits(row.payout) : 0n)
  const pending = payoutIf('pending')
  const hold = payoutIf('hold')
  const payable = payoutIf('approved')
  const open = row?.payment_state === 'open'
  const earned = counts && (row.status === 'hold' || row.status === 'approved') ? toUnits(row.revenue) : 0n
  return {
    pending_cost: pending,
    affiliate_pending: -pending,
    payout_cost: hold + payable,
    affiliate_hold: -hold,
    affiliate_available: open ? -payable : 0n,
    affiliate_correction: !counts || open ? 0n : toUnits(row.invoiced) - payable,
    receivable: earned - (counts ? toUnits(row.billed) : 0n),
    network_revenue: -earned,
  }
}

/** What a change moves: each account of the conversion that gains or loses. */
export function difference(before: Standing | null, after: Standing, part: StandingPart): { kind: StandingAccount; amount: bigint }[] {
  const was = standing(before)
  const is = standing(after)
  return ACCOUNTS_STOOD_ON.filter((kind) => STANDING_ACCOUNTS[kind] === part)
    .map((kind) => ({ kind, amount: is[kind] - was[kind] }))
    .filter(({ amount }) => amount !== 0n)
}

const ACCOUNTS_STOOD_ON = Object.keys(STANDING_ACCOUNTS) as StandingAccount[] // keys of a literal object
