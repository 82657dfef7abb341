import { sql, type Selectable } from 'kysely'
import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { insertRows, insertRowsReturning } from '#server/platform/pg/bulk.ts'
import type { Tables, Trx } from '#server/platform/pg/database.ts'

type AccountKind = Selectable<Tables['ledger_account']>['kind']
type Money = { status: ConversionStatus; payout: string; revenue: string }
type Booking = {
  before: Money | null
  after: Money & { id: string; affiliate_id: number; advertiser_id: number; currency: Currency; updated_at: Date }
  /** The entry of the affiliate's history that this money belongs to. */
  seq: number
}
type Entry = { kind: AccountKind; owner: number; currency: Currency; amount: bigint }
type Transfer = { key: string; kind: string; at: Date; conversionId: string; entries: Entry[] }

/**
 * Books what changes of conversions mean in money: what the advertiser owes (receivable ↔ network_revenue) and what the
 * affiliate gets (payout_cost ↔ affiliate_hold or affiliate_available), as differences to what was booked before. Each
 * transfer stays in one currency and sums to zero; its key is the history entry it follows from, so nothing is booked twice.
 *
 * Accounts are locked in the order of their ids, after everything else a change locks.
 */
export async function book(trx: Trx, bookings: readonly Booking[]): Promise<void> {
  const transfers = bookings.flatMap(transfersOf)
  if (transfers.length === 0) return
  const rows = transfers.map(({ at, kind, conversionId, key }) => ({ at, kind, conversion_id: conversionId, key }))
  const ids = await insertRowsReturning(trx, 'ledger_transfer', rows, ['id', 'key'])
  const transferIds = new Map(ids.map(({ id, key }) => [key, id]))
  const accountIds = await lockAccounts(
    trx,
    transfers.flatMap((transfer) => transfer.entries),
  )

  const sums = new Map<number, bigint>()
  const entries = transfers.flatMap((transfer) =>
    transfer.entries.map((entry) => {
      const accountId = accountIds.get(accountKey(entry)) ?? 0
      sums.set(accountId, (sums.get(accountId) ?? 0n) + entry.amount)
      return { transfer_id: transferIds.get(transfer.key), account_id: accountId, amount: fromUnits(entry.amount) }
    }),
  )
  await insertRows(trx, 'ledger_entry', entries)
  await addToBalances(trx, sums)
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
      entry('affiliate_available', after.affiliate_id, -available),
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

async function lockAccounts(trx: Trx, entries: readonly Entry[]): Promise<Map<string, number>> {
  const accounts = [...new Map(entries.map((entry) => [accountKey(entry), entry])).values()]
  const wanted = sql`unnest(${accounts.map((one) => one.kind)}::text[], ${accounts.map((one) => one.owner)}::int[], ${accounts.map((one) => one.currency)}::text[]) as wanted (kind, owner_id, currency)`
  const found = await sql`select a.id from ledger_account a join ${wanted} using (kind, owner_id, currency)`.execute(trx)
  // Only the first conversion of a partner in a currency comes here. It must be before any account is locked: waiting for
  // another's insert with a lock in hand could close a circle.
  if (found.rows.length < accounts.length) {
    await sql`
      insert into ledger_account (kind, owner_id, currency) select kind, owner_id, currency from ${wanted} order by kind, owner_id, currency
      on conflict (kind, owner_id, currency) do nothing`.execute(trx)
  }
  const { rows } = await sql<{ id: number; kind: AccountKind; owner_id: number; currency: Currency }>`
    select a.id, a.kind, a.owner_id, a.currency from ledger_account a join ${wanted} using (kind, owner_id, currency) order by a.id for update of a`.execute(
    trx,
  )
  return new Map(rows.map((row) => [accountKey({ kind: row.kind, owner: row.owner_id, currency: row.currency }), row.id]))
}

async function addToBalances(trx: Trx, sums: ReadonlyMap<number, bigint>): Promise<void> {
  const all = [...sums].filter(([, sum]) => sum !== 0n)
  await sql`
    update ledger_account as account set balance = account.balance + more.amount
      from unnest(${all.map(([id]) => id)}::int[], ${all.map(([, sum]) => fromUnits(sum))}::numeric[]) as more (id, amount)
     where account.id = more.id`.execute(trx)
}

function accountKey({ kind, owner, currency }: Pick<Entry, 'kind' | 'owner' | 'currency'>): string {
  return `${kind} ${owner} ${currency}`
}
