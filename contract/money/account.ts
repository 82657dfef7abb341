/** Who an account of the ledger belongs to; the network's own have the owner 0. */
export const ACCOUNT_OWNERS = ['affiliate', 'advertiser', 'source', 'network'] as const
export type AccountOwner = (typeof ACCOUNT_OWNERS)[number]

type AccountType = {
  owner: AccountOwner
  /** The side on which it grows: an asset and an expense by a debit, a debt and an income by a credit. */
  side: 'debit' | 'credit'
  /** Outside debts and profit: what is not decided yet. */
  memo?: true
  /** Its own affiliate may read it. */
  told?: true
  /** What was earned, spent, exchanged or brought in from elsewhere: neither owned nor owed, so that what rates do to it is no gain or loss. */
  result?: true
}

/** The chart of accounts. The database knows the same kinds, and which of them never turn to the other side (migration `_ledger`). */
export const ACCOUNTS = {
  receivable: { owner: 'advertiser', side: 'debit' },
  advertiser_invoiced: { owner: 'advertiser', side: 'debit' },
  advertiser_prepaid: { owner: 'advertiser', side: 'credit' },
  affiliate_hold: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_available: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_correction: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_bonus: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_referral: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_invoiced: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_transit: { owner: 'affiliate', side: 'credit', told: true },
  affiliate_prepaid: { owner: 'affiliate', side: 'debit', told: true },
  cash: { owner: 'source', side: 'debit' },
  vat_input: { owner: 'network', side: 'debit' },
  vat_output: { owner: 'network', side: 'credit' },
  // two sides of exchanges that are over: no currency is held on it
  fx_position: { owner: 'network', side: 'debit', result: true },
  opening: { owner: 'network', side: 'debit', result: true },
  network_revenue: { owner: 'advertiser', side: 'credit', result: true },
  payout_cost: { owner: 'affiliate', side: 'debit', result: true },
  referral_cost: { owner: 'affiliate', side: 'debit', result: true },
  bonus_cost: { owner: 'affiliate', side: 'debit', result: true },
  correction_cost: { owner: 'affiliate', side: 'debit', result: true },
  affiliate_write_off: { owner: 'affiliate', side: 'debit', result: true },
  advertiser_write_off: { owner: 'advertiser', side: 'debit', result: true },
  bank_fee: { owner: 'source', side: 'debit', result: true },
  fx_result: { owner: 'network', side: 'debit', result: true },
  rounding: { owner: 'network', side: 'debit', result: true },
  affiliate_pending: { owner: 'affiliate', side: 'credit', memo: true, told: true },
  pending_cost: { owner: 'affiliate', side: 'debit', memo: true },
} as const satisfies Record<string, AccountType>

export type AccountKind = keyof typeof ACCOUNTS
export const ACCOUNT_KINDS = Object.keys(ACCOUNTS) as [AccountKind, ...AccountKind[]] // keys of a literal object

/** What an account is, its optional marks visible to the type checker. */
export function accountType(kind: AccountKind): AccountType {
  return ACCOUNTS[kind]
}

/** The accounts of one kind of owner, in the order of the chart. */
export function accountsOf(owner: AccountOwner, audience: 'staff' | 'affiliate' = 'staff'): AccountKind[] {
  return ACCOUNT_KINDS.filter((kind) => accountType(kind).owner === owner && (audience === 'staff' || accountType(kind).told === true))
}
