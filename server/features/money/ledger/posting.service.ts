import type { AccountKind } from '#contract/money/account.ts'
import { fromUnits, type Currency } from '#contract/money/amount.ts'
import type { TransferKind } from '#contract/money/transfer.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { addToBalances, insertEntries, insertTransfers, lockAccounts } from './booking.queries.ts'

/** An amount on one account, in hundred-millionths; positive = debit, negative = credit. */
export type Entry = { kind: AccountKind; owner: number; currency: Currency; amount: bigint }

type Document =
  | { conversion_id: string }
  | { invoice_id: number }
  | { payment_id: number }
  | { adjustment_id: number }
  | { advertiser_invoice_id: number }
  | { receipt_id: number }
  | { advertiser_adjustment_id: number }

export type Transfer = {
  /** What makes the same booking the same: it exists once. */
  key: string
  kind: TransferKind
  /** When it happened. */
  at: Date
  /** When it is written: the month of the books it belongs to. */
  bookedAt: Date
  actorId: number | null
  /** What it is about, at most one. */
  document?: Document | undefined
  entries: Entry[]
}

/**
 * Writes transfers and the balances they change, in the caller's transaction: the only way into the ledger. Entries of zero
 * are left out, and so are transfers without any. Each must sum to zero in one currency, its key be new, and no account turn
 * to a side it may not stand on: the database refuses otherwise, and nothing of the transaction stays.
 *
 * Accounts are locked in the order of their ids, after everything else a transaction locks.
 */
export async function post(trx: Trx, asked: readonly Transfer[]): Promise<void> {
  const transfers = asked
    .map((transfer) => ({ ...transfer, entries: transfer.entries.filter(({ amount }) => amount !== 0n) }))
    .filter(({ entries }) => entries.length > 0)
  if (transfers.length === 0) return
  const transferIds = await insertTransfers(
    trx,
    transfers.map(({ at, bookedAt, actorId, kind, key, document }) => ({
      at,
      booked_at: bookedAt,
      actor_id: actorId,
      kind,
      key,
      conversion_id: null,
      invoice_id: null,
      payment_id: null,
      adjustment_id: null,
      advertiser_invoice_id: null,
      receipt_id: null,
      advertiser_adjustment_id: null,
      ...document,
    })),
  )
  const touched = new Map(transfers.flatMap((transfer) => transfer.entries).map((entry) => [accountKey(entry), entry]))
  const accounts = await lockAccounts(trx, [...touched.values()])
  const accountIds = new Map(accounts.map((row) => [accountKey({ ...row, owner: row.owner_id }), row.id]))

  const sums = new Map<number, { amount: bigint; debited: bigint }>()
  const entries = transfers.flatMap((transfer) =>
    transfer.entries.map((entry, index) => {
      const accountId = accountIds.get(accountKey(entry)) ?? 0
      const sum = sums.get(accountId) ?? { amount: 0n, debited: 0n }
      sums.set(accountId, { amount: sum.amount + entry.amount, debited: sum.debited + (entry.amount > 0n ? entry.amount : 0n) })
      const transferId = transferIds.get(transfer.key) ?? ''
      return { transfer_id: transferId, line: index + 1, account_id: accountId, amount: fromUnits(entry.amount), at: transfer.at }
    }),
  )
  await insertEntries(trx, entries)
  await addToBalances(
    trx,
    [...sums].map(([id, { amount, debited }]) => ({ id, amount: fromUnits(amount), debited: fromUnits(debited) })),
  )
}

function accountKey({ kind, owner, currency }: Pick<Entry, 'kind' | 'owner' | 'currency'>): string {
  return `${kind} ${owner} ${currency}`
}
