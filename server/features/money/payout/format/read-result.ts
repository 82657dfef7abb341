import Papa from 'papaparse'
import type { Result, ResultRow } from './result-row.ts'
import { readPain002 } from './pain002.ts'
import { referencesIn } from '../reference.ts'

/** Reads what became of a file: pain.002, or a table with a header such as our own, that of PayPal or of a wallet. Null where it is neither. */
export function readResult(content: string): Result | null {
  const text = content.replace(/^\ufeff/, '')
  if (text.trimStart().startsWith('<')) return readPain002(text)
  return readTable(text)
}

/** What columns are called, in small letters without anything else. */
const COLUMNS: Readonly<
  Record<'reference' | 'status' | 'amount' | 'currency' | 'fee' | 'externalId' | 'reason' | 'day', readonly string[]>
> = {
  reference: ['reference', 'referenceid', 'paymentreference', 'uniqueid', 'senderitemid', 'internalnumber', 'note'],
  status: ['status', 'transactionstatus', 'state'],
  amount: ['amount', 'gross', 'payoutamount', 'grossamount'],
  currency: ['currency', 'payoutcurrency'],
  fee: ['fee', 'fees', 'payoutfee', 'feeamount'],
  externalId: ['id', 'externalid', 'transactionid', 'txhash', 'txid', 'hash', 'payoutitemid'],
  reason: ['reason', 'errormessage', 'error', 'comment', 'failurereason'],
  day: ['day', 'date', 'completed'],
}

/** What words say; of PayPal, wallets and people. */
const WORDS: Readonly<Record<string, ResultRow['status']>> = {
  ...words('settled', 'settled success successful completed complete paid executed confirmed'),
  ...words('failed', 'failed blocked declined rejected denied canceled cancelled error'),
  ...words('returned', 'returned refunded reversed'),
  ...words('pending', 'unclaimed pending onhold processing inprocess inprogress sent'),
}

function readTable(text: string): Result | null {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' })
  const [header, ...lines] = data
  const at = Object.fromEntries(
    Object.entries(COLUMNS).map(([name, called]) => [
      name,
      called.map((one) => header?.findIndex((title) => plain(title) === one) ?? -1).find((place) => place >= 0) ?? -1,
    ]),
  )
  if (at['reference'] === -1 || at['status'] === -1 || at['reference'] === undefined || at['status'] === undefined) return null
  const cell = (line: readonly string[], name: string) => (line[at[name] ?? -1] ?? '').trim().slice(0, 300)
  const rows = lines.map((line) => ({
    reference: referencesIn(cell(line, 'reference'))[0] ?? cell(line, 'reference').slice(0, 40),
    status: WORDS[plain(cell(line, 'status'))] ?? ('unknown' as const),
    said: cell(line, 'status').slice(0, 40),
    amount: amountOf(cell(line, 'amount')),
    currency: cell(line, 'currency').toUpperCase().slice(0, 10),
    fee: amountOf(cell(line, 'fee')),
    externalId: cell(line, 'externalId').slice(0, 100),
    reason: cell(line, 'reason'),
  }))
  return { format: 'csv', rows, whole: null }
}

/** A plain number, its sign left out: whoever tells of money that left writes it below zero. */
function amountOf(text: string): string | null {
  const match = /^[-+−]?(\d{1,14})(?:[.,](\d{1,8}))?$/.exec(text.replace(/\s/g, ''))
  return match === null ? null : `${match[1]}.${match[2] ?? '0'}`
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}

function words(status: ResultRow['status'], all: string): Record<string, ResultRow['status']> {
  return Object.fromEntries(all.split(' ').map((word) => [word, status]))
}
