import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

type Row = Record<string, string | null>
type Sums = Map<string, bigint>

/** Accounts that never turn to the other side: 1 = never a credit, -1 = never a debit. */
const SIGNS: Record<string, 1 | -1> = {
  advertiser_invoiced: 1,
  advertiser_prepaid: -1,
  affiliate_bonus: -1,
  affiliate_invoiced: -1,
  affiliate_transit: -1,
  affiliate_prepaid: 1,
}
/** What stands on these is paid and printed: whole units of their currency. */
const WHOLE = new Set(['advertiser_invoiced', 'advertiser_prepaid', 'affiliate_invoiced', 'affiliate_transit', 'affiliate_prepaid'])
const MEMO = new Set(['affiliate_pending', 'pending_cost'])

/**
 * What must hold of the books whatever happened (money.md §1, no. 1 to 8), added up from raw rows by plain code: it shares nothing
 * with the product's own check, nor with its queries. Answers what does not hold, in words.
 */
export async function broken(db: Db): Promise<string[]> {
  const all = async (table: string): Promise<Row[]> =>
    (
      await sql<{
        row: Row
      }>`select (select jsonb_object_agg(key, value #>> '{}') from jsonb_each(to_jsonb(t))) as row from ${sql.table(table)} t`.execute(db)
    ).rows.map(({ row }) => row)
  const faults: string[] = []
  const say = (isSo: boolean, fault: string) => void (isSo || faults.push(fault))
  const accounts = new Map((await all('ledger_account')).map((row) => [row['id'], row]))
  const keyOf = (row: Row | undefined) => `${row?.['kind']} ${row?.['owner_id']} ${row?.['currency']}`

  // 1. transfers, and 2. balances as a replay of all entries
  const replay: Sums = new Map()
  const transfers = new Map<string, { sum: bigint; memo: bigint; currencies: Set<string> }>()
  const entries = await all('ledger_entry')
  for (const entry of entries) {
    const account = accounts.get(entry['account_id'] ?? '')
    const amount = units(entry['amount'])
    const its = transfers.get(entry['transfer_id'] ?? '') ?? { sum: 0n, memo: 0n, currencies: new Set<string>() }
    its.sum += amount
    if (MEMO.has(account?.['kind'] ?? '')) its.memo += amount
    its.currencies.add(account?.['currency'] ?? '')
    transfers.set(entry['transfer_id'] ?? '', its)
    add(replay, keyOf(account), amount)
  }
  for (const [id, { sum, memo, currencies }] of transfers)
    say(sum === 0n && memo === 0n && currencies.size === 1, `transfer ${id} comes to ${sum}`)
  const moves = await all('ledger_transfer')
  const keys = moves.map((row) => row['key'])
  say(new Set(keys).size === keys.length && keys.length === transfers.size, 'a transfer twice, or without entries')
  const momentOf = new Map(moves.map((row) => [row['id'], row['at']]))
  for (const { id, transfer_id, at } of entries)
    say(at === momentOf.get(transfer_id ?? ''), `entry ${id} has another moment than its transfer`)

  // 3. signs, 8. currencies
  const unitOf = new Map((await all('currency')).map((row) => [row['code'], 10n ** BigInt(8 - Number(row['decimals']))]))
  const currencies: Sums = new Map()
  for (const row of accounts.values()) {
    const balance = units(row['balance'])
    say(balance === (replay.get(keyOf(row)) ?? 0n), `${keyOf(row)} is ${balance}, its entries are ${replay.get(keyOf(row))}`)
    const sign = SIGNS[row['kind'] ?? '']
    say(sign === undefined || balance * BigInt(sign) >= 0n, `${keyOf(row)} has turned to ${balance}`)
    const isWhole = balance % (unitOf.get(row['currency'] ?? '') ?? 1n) === 0n
    say(isWhole || !WHOLE.has(row['kind'] ?? ''), `${keyOf(row)} is no whole amount: ${balance}`)
    add(currencies, `${row['currency']} ${MEMO.has(row['kind'] ?? '')}`, balance)
  }
  for (const [currency, sum] of currencies) say(sum === 0n, `${currency} comes to ${sum}`)

  // 6. lines of conversions, on either side
  const conversions = await all('conversion')
  const lines = await all('invoice_line')
  const bills = await all('advertiser_invoice_line')
  const live = lines.filter((row) => row['live'] === 'true')
  const invoiced = summed(live, 'conversion_id')
  const billed = summed(
    bills.filter((row) => row['live'] === 'true' && row['issued'] === 'true'),
    'conversion_id',
  )
  const first = live.filter((row) => row['kind'] === 'conversion').map((row) => row['conversion_id'])
  say(new Set(first).size === first.length, 'a conversion is on two invoices')
  for (const row of conversions) {
    const id = row['id'] ?? ''
    say(units(row['invoiced']) === (invoiced.get(id) ?? 0n), `conversion ${id}: ${row['invoiced']} invoiced, lines of ${invoiced.get(id)}`)
    say(units(row['billed']) === (billed.get(id) ?? 0n), `conversion ${id}: ${row['billed']} billed, lines of ${billed.get(id)}`)
    say((row['payment_state'] === 'open') === !invoiced.has(id), `conversion ${id} is ${row['payment_state']}`)
  }

  // 4. what stands for conversions and adjustments
  const expected: Sums = new Map()
  for (const row of conversions) {
    const own = `${row['affiliate_id']} ${row['currency']}`
    const theirs = `${row['advertiser_id']} ${row['currency']}`
    const [payout, revenue] = [units(row['payout']), units(row['revenue'])]
    const is = (...statuses: string[]) => statuses.includes(row['status'] ?? '')
    const payable = is('approved') ? payout : 0n
    const earned = is('hold', 'approved') ? revenue : 0n
    if (is('pending')) add(expected, `affiliate_pending ${own}`, -payout)
    if (is('pending')) add(expected, `pending_cost ${own}`, payout)
    if (is('hold')) add(expected, `affiliate_hold ${own}`, -payout)
    if (is('hold', 'approved')) add(expected, `payout_cost ${own}`, payout)
    if (row['payment_state'] === 'open') add(expected, `affiliate_available ${own}`, -payable)
    else add(expected, `affiliate_correction ${own}`, units(row['invoiced']) - payable)
    add(expected, `receivable ${theirs}`, earned - units(row['billed']))
    add(expected, `network_revenue ${theirs}`, -earned)
  }
  const lined = new Set(live.map((row) => row['adjustment_id']))
  for (const row of await all('adjustment'))
    if (row['void_at'] === null && !lined.has(row['id'] ?? ''))
      add(expected, `affiliate_${row['kind']} ${row['affiliate_id']} ${row['currency']}`, -units(row['amount']))
  const onBills = new Set(bills.filter((row) => row['live'] === 'true' && row['issued'] === 'true').map((row) => row['adjustment_id']))
  for (const row of await all('advertiser_adjustment')) {
    if (row['void_at'] !== null) continue
    add(expected, `network_revenue ${row['advertiser_id']} ${row['currency']}`, -units(row['amount']))
    if (!onBills.has(row['id'] ?? '')) add(expected, `receivable ${row['advertiser_id']} ${row['currency']}`, units(row['amount']))
  }

  // 5. invoices, payments, and what is prepaid
  const payments = (await all('payment')).map(
    (row) => ({ ...row, units: units(row['amount']), on: units(row['on_invoice']) }) as Row & { units: bigint; on: bigint },
  )
  const notes = Map.groupBy(await all('credit_note'), (row) => row['invoice_id'])
  const byInvoice = Map.groupBy(payments, (row) => row['invoice_id'])
  for (const row of await all('invoice')) {
    const own = `${row['affiliate_id']} ${row['currency']}`
    const part = (name: string) => units(row[name])
    const on = (state: string) =>
      (byInvoice.get(row['id'] ?? '') ?? []).filter((one) => one['state'] === state).reduce((sum, one) => sum + one.on, 0n)
    const parts = part('open') + part('planned') + part('sent') + part('paid') + part('offset_prepaid') + part('credited')
    say(row['number'] === null || parts === part('total'), `invoice ${row['id']} is ${row['total']}, its parts ${parts}`)
    say(
      on('planned') === part('planned') && on('sent') === part('sent') && on('settled') === part('paid'),
      `payments of invoice ${row['id']}`,
    )
    say(part('net') + part('vat') === part('total') || row['status'] === 'cancelled', `invoice ${row['id']}: net and VAT`)
    const credited = (notes.get(row['id'] ?? '') ?? []).reduce((sum, note) => sum + units(note['total']), 0n)
    say(part('credited') === credited, `invoice ${row['id']}: ${row['credited']} credited, notes of ${credited}`)
    add(expected, `affiliate_invoiced ${own}`, -part('open') - part('planned'))
    if (row['number'] !== null)
      add(
        expected,
        `vat_input 0 ${row['currency']}`,
        part('vat') - (notes.get(row['id'] ?? '') ?? []).reduce((sum, note) => sum + units(note['vat']), 0n),
      )
  }
  for (const row of payments) {
    const own = `${row['affiliate_id']} ${row['currency']}`
    if (row['state'] === 'sent') add(expected, `affiliate_transit ${own}`, -row.units)
    if (row['state'] === 'sent' || row['state'] === 'settled') add(expected, `affiliate_prepaid ${own}`, row.units - row.on)
  }
  const invoices = new Map((await all('invoice')).map((row) => [row['id'], row]))
  for (const row of await all('invoice_offset')) {
    const its = invoices.get(row['invoice_id'] ?? '')
    if (row['back_at'] === null) add(expected, `affiliate_prepaid ${its?.['affiliate_id']} ${its?.['currency']}`, -units(row['amount']))
  }
  for (const row of await all('advertiser_invoice')) {
    const parts = ['open', 'received', 'offset_prepaid', 'credited', 'written_off'].reduce((sum, name) => sum + units(row[name]), 0n)
    say(
      row['number'] === null || parts === units(row['total']),
      `invoice ${row['id']} of an advertiser is ${row['total']}, its parts ${parts}`,
    )
    add(expected, `advertiser_invoiced ${row['advertiser_id']} ${row['currency']}`, units(row['open']))
    add(expected, `advertiser_write_off ${row['advertiser_id']} ${row['currency']}`, units(row['written_off']))
  }
  const told = new Set([...expected.keys()].map((key) => key.split(' ')[0]))
  for (const key of new Set([...expected.keys(), ...replay.keys()]))
    if (told.has(key.split(' ')[0]))
      say((expected.get(key) ?? 0n) === (replay.get(key) ?? 0n), `${key} is ${replay.get(key)}, its rows are ${expected.get(key)}`)

  // 7. numbers without gaps or doubles
  const numbers = [
    ...(await all('invoice')),
    ...(await all('credit_note')),
    ...(await all('advertiser_invoice')),
    ...(await all('advertiser_credit_note')),
  ]
  const series = Map.groupBy(
    numbers.filter((row) => row['series'] !== null),
    (row) => row['series'],
  )
  for (const [name, rows] of series) {
    const given = rows.map((row) => Number(row['series_number'])).toSorted((one, other) => one - other)
    say(
      given.every((number, at) => number === at + 1),
      `numbers of ${name}: ${given.join(', ')}`,
    )
  }
  return faults
}

function summed(rows: readonly Row[], by: string): Sums {
  const sums: Sums = new Map()
  for (const row of rows) {
    const key = row[by] ?? null
    if (key !== null) add(sums, key, units(row['amount']))
  }
  return sums
}

function add(sums: Sums, key: string, amount: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

function units(text: string | null | undefined): bigint {
  const [whole = '0', fraction = ''] = (text ?? '0').replace('-', '').split('.')
  const size = BigInt(whole + fraction.padEnd(8, '0'))
  return text?.startsWith('-') === true ? -size : size
}
