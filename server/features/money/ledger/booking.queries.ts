import { sql, type Insertable, type Selectable } from 'kysely'
import type { AccountKind } from '#contract/money/account.ts'
import type { Currency } from '#contract/money/amount.ts'
import { insertRows, insertRowsReturning } from '#server/platform/pg/bulk.ts'
import type { Tables, Trx } from '#server/platform/pg/database.ts'

type Account = Selectable<Tables['ledger_account']>

/** Appends transfers; answers the id of each by its key. A key that stands there already fails the transaction. */
export async function insertTransfers(trx: Trx, rows: Insertable<Tables['ledger_transfer']>[]): Promise<Map<string, string>> {
  const ids = await insertRowsReturning(trx, 'ledger_transfer', rows, ['id', 'key'])
  return new Map(ids.map(({ id, key }) => [key, id]))
}

/** Appends the entries of transfers. */
export async function insertEntries(trx: Trx, rows: Insertable<Tables['ledger_entry']>[]): Promise<void> {
  await insertRows(trx, 'ledger_entry', rows)
}

/** Accounts, made where there are none yet, locked in the order of their ids until the transaction ends. Each may be named once. */
export async function lockAccounts(
  trx: Trx,
  accounts: readonly { kind: AccountKind; owner: number; currency: Currency }[],
): Promise<Pick<Account, 'id' | 'kind' | 'owner_id' | 'currency'>[]> {
  const wanted = sql`unnest(${accounts.map((one) => one.kind)}::text[], ${accounts.map((one) => one.owner)}::int[], ${accounts.map((one) => one.currency)}::text[]) as wanted (kind, owner_id, currency)`
  const found = await sql`select a.id from ledger_account a join ${wanted} using (kind, owner_id, currency)`.execute(trx)
  // Only the first conversion of a partner in a currency comes here. It must be before any account is locked: waiting for
  // another's insert with a lock in hand could close a circle.
  if (found.rows.length < accounts.length) {
    await sql`
      insert into ledger_account (kind, owner_id, currency) select kind, owner_id, currency from ${wanted} order by kind, owner_id, currency
      on conflict (kind, owner_id, currency) do nothing`.execute(trx)
  }
  const { rows } = await sql<Pick<Account, 'id' | 'kind' | 'owner_id' | 'currency'>>`
    select a.id, a.kind, a.owner_id, a.currency from ledger_account a join ${wanted} using (kind, owner_id, currency) order by a.id for update of a`.execute(
    trx,
  )
  return rows
}

/** Adds to balances of locked accounts, and to what was debited on them. */
export async function addToBalances(trx: Trx, more: readonly { id: number; amount: string; debited: string }[]): Promise<void> {
  await sql`
    update ledger_account as account set balance = account.balance + more.amount, debited = account.debited + more.debited
      from unnest(${more.map(({ id }) => id)}::int[], ${more.map(({ amount }) => amount)}::numeric[], ${more.map(({ debited }) => debited)}::numeric[])
        as more (id, amount, debited)
     where account.id = more.id`.execute(trx)
}
