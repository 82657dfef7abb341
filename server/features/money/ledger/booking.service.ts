import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { addToBalances, insertEntries, insertTransfers, lockAccounts, type AccountKind } from './booking.queries.ts'

type Money = { status: ConversionStatus; payout: string; revenue: string }
type Booking = {
  before: Money | null
  after: Money & {
    payment_state: 'open' | 'invoiced' | 'paid'
    id: string
    affiliate_id: number
    advertiser_id: number
    currency: Currency
    updated_at: Date
  }
  /** The entry of the affiliate's history that this money belongs to. */
  seq: number
}
type Entry = { kind: AccountKind; owner: number; currency: Currency; amount: bigint }
type Transfer = { key: string; kind: string; at: Date; conversionId: string; entries: Entry[] }

/**
 * Books what changes of conversions mean in money: what the advertiser owes (receivable ↔ network_revenue) and what the
 * affiliate gets (payout_cost ↔ affiliate_hold or affiliate_available; affiliate_correction once it is on an invoice or
 * paid, which nothing takes back), as differences to what was booked before. Each
 * transfer stays in one currency and sums to zero; its key is the history entry it follows from, so nothing is booked twice.
 *
 * Accounts are locked in the order of their ids, after everything else a change locks.
 */
export async function book(trx: Trx, bookings: readonly Booking[]): Promise<void> {
  const transfers = bookings.flatMap(transfersOf)
  if (transfers.length === 0) return
  const rows = transfers.map(({ at, kind, conversionId, key }) => ({ at, kind, conversion_id: conversionId, key }))
  const transferIds = await insertTransfers(trx, rows)
  const touched = new Map(transfers.flatMap((transfer) => transfer.entries).map((entry) => [accountKey(entry), entry]))
  const accounts = await lockAccounts(trx, [...touched.values()])
  const accountIds = new Map(accounts.map((row) => [accountKey({ ...row, owner: row.owner_id }), row.id]))

  const sums = new Map<number, bigint>()
  const entries = transfers.flatMap((transfer) =>
    transfer.entries.map((entry) => {
      const accountId = accountIds.get(accountKey(entry)) ?? 0
      sums.set(accountId, (sums.get(accountId) ?? 0n) + entry.amount)
      return { transfer_id: transferIds.get(transfer.key) ?? '', account_id: accountId, amount: fromUnits(entry.amount) }
    }),
  )
  await insertEntries(trx, entries)
  await addToBalances(
    trx,
    [...sums].filter(([, sum]) => sum !== 0n).map(([id, sum]) => ({ id, amount: fromUnits(sum) })),
  )
}

/** The transfers of one change; none where no money moves. */
function transfersOf({ before, after, seq }: Booking): Transfer[] {
  const was = booked(before)
  const is = booked(after)
  const entry = (kind: AccountKind, owner: number, amount: bigint): Entry => ({ kind, owner, currency: after.currency, amount })
  const transfer = (part: 'revenue' | 'payout', kind: string, entries: Entry[]): Transfer => ({
    key: `conversion:${after.id}:${seq}:${part}`,
    kind,
    at: after.updated_at,
    conversionId: after.id,
    entries: entries.filter((one) => one.amount !== 0n),
  })
  const revenue = is.revenue - was.revenue
  const hold = is.hold - was.hold
  const available = is.available - was.available
  const payout = hold + available
  return [
    transfer('revenue', revenue < 0n ? 'revenue_reversal' : 'revenue', [
      entry('receivable', after.advertiser_id, revenue),
      entry('network_revenue', after.advertiser_id, -revenue),
    ]),
    transfer('payout', payout < 0n ? 'payout_reversal' : payout === 0n ? 'hold_release' : 'payout', [
      entry('payout_cost', after.affiliate_id, payout),
      entry('affiliate_hold', after.affiliate_id, -hold),
      entry(after.payment_state === 'open' ? 'affiliate_available' : 'affiliate_correction', after.affiliate_id, -available),
    ]),
  ].filter((one) => one.entries.length > 0)
}

/** What stands in the books for a conversion in a state, in hundred-millionths. */
function booked(money: Money | null): { revenue: bigint; hold: bigint; available: bigint } {
  if (money === null || (money.status !== 'hold' && money.status !== 'approved')) return { revenue: 0n, hold: 0n, available: 0n }
  const payout = toUnits(money.payout)
  return {
    revenue: toUnits(money.revenue),
    hold: money.status === 'hold' ? payout : 0n,
    available: money.status === 'approved' ? payout : 0n,
  }
}

function accountKey({ kind, owner, currency }: Pick<Entry, 'kind' | 'owner' | 'currency'>): string {
  return `${kind} ${owner} ${currency}`
}
