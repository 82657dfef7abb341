import Papa from 'papaparse'
import type { Result, ResultRow } from './result-row.ts'
import { readCamt } from './camt.ts'
import { readPain002 } from './pain002.ts'
import { referencesIn } from '../reference.ts'
import { parseXml } from './xml.ts'

/**
 * Reads what became of a file: pain.002, camt.052 to .054, or a table with a header such as our own, that of PayPal, Wise, Capitalist or of a
 * wallet. Null where it is neither.
 */
export function readResult(content: string): Result | null {
  const text = content.replace(/^\ufeff/, '')
  if (!text.trimStart().startsWith('<')) return readTable(text)
  const root = parseXml(text)
  return readPain002(root) ?? readCamt(root)
}

/** What columns are called, in small letters without anything else; the first there is counts. */
const COLUMNS = {
  reference: [
    'reference',
    'referenceid',
    'paymentreference',
    'uniqueid',
    'senderitemid',
    'internalnumber',
    'foreignid',
    'customnumber',
    'invoicenumber',
    'note',
  ],
  status: ['status', 'transactionstatus', 'payoutstatus', 'state'],
  kind: ['type', 'transactiontype', 'direction', 'description'],
  amount: ['targetamountafterfees', 'amount', 'gross', 'payoutamount', 'grossamount', 'targetamount', 'receiveramount'],
  currency: ['targetcurrency', 'currency', 'payoutcurrency', 'grosscurrency'],
  fee: ['sourcefeeamount', 'fee', 'fees', 'payoutfee', 'feeamount', 'commission', 'transactionfee', 'paypalfee', 'networkfee'],
  feeCurrency: ['sourcefeecurrency', 'feecurrency'],
  account: ['account', 'iban', 'address', 'recipientemail', 'toemailaddress', 'receiver', 'recipient', 'email', 'wallet', 'targetaccount'],
  externalId: ['txhash', 'txid', 'hash', 'transactionid', 'externalid', 'payoutitemid', 'transferwiseid', 'id'],
  reason: ['reason', 'errormessage', 'error', 'failurereason', 'comment'],
} as const satisfies Record<string, readonly string[]>
type Column = keyof typeof COLUMNS

/** What words say; of PayPal, wallets and people. */
const WORDS: Readonly<Record<string, ResultRow['status']>> = {
  ...words('settled', 'settled success successful completed complete paid executed confirmed done outgoingpaymentsent'),
  ...words('failed', 'failed blocked declined rejected denied canceled cancelled error expired'),
  ...words('returned', 'returned refunded reversed fundsrefunded bouncedback chargedback'),
  ...words('pending', 'unclaimed pending onhold processing inprocess inprogress sent held new waiting notconfirmed'),
}

/** Kinds of rows, in small letters without anything else, that tell of money that came: what is done by them is no payment of ours. */
const CAME_BACK = /revers|refund|return|chargeback|cancel|received|incoming|^in$/

function readTable(text: string): Result | null {
  const { data } = Papa.parse<string[]>(text, { skipEmptyLines: 'greedy' })
  const [header = [], ...lines] = data
  const titles = header.map(plain)
  const placeOf = (column: Column) => COLUMNS[column].map((name) => titles.indexOf(name)).find((place) => place >= 0) ?? -1
  const place = Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, placeOf(column as Column)])) // its own keys
  // a fee by another name, or a second one: which of them was taken for it, a person says
  const moreFees = titles.flatMap((title, at) =>
    /fee$|feeamount$|commission$|^charges?$/.test(title) && !/currency/.test(title) && at !== place['fee'] ? [at] : [],
  )
  const hasReference = place['reference'] !== -1 || lines.some((line) => referencesIn(line.join(' ')).length > 0)
  if (place['status'] === -1 || !hasReference) return null
  const cell = (line: readonly string[], column: Column) => (line[place[column] ?? -1] ?? '').trim().slice(0, 300)
  // where what left is written below zero, what is not came
  const isSigned = lines.some((line) => isBelowZero(cell(line, 'amount')))
  const came = (line: readonly string[]) =>
    CAME_BACK.test(plain(cell(line, 'kind'))) || (isSigned && /[1-9]/.test(cell(line, 'amount')) && !isBelowZero(cell(line, 'amount')))
  const rows = lines.map((line) => ({
    // some have it in the note or subject alone
    reference: referencesIn(cell(line, 'reference'))[0] ?? referencesIn(line.join(' '))[0] ?? cell(line, 'reference').slice(0, 40),
    ...statusOf(cell(line, 'status'), came(line) ? cell(line, 'kind') || `+${cell(line, 'amount')}` : null),
    ...saidAmount(cell(line, 'amount')),
    currency: cell(line, 'currency').toUpperCase().slice(0, 10),
    ...feeOf(cell(line, 'fee'), cell(line, 'feeCurrency'), { currency: cell(line, 'currency'), amount: cell(line, 'amount') }),
    ...moreFees.flatMap((at) =>
      /[1-9]/.test(line[at] ?? '') ? [{ fee: null, feeWrong: `${header[at]}: ${line[at]}`.slice(0, 40) }] : [],
    )[0],
    account: cell(line, 'account').slice(0, 100),
    externalId: cell(line, 'externalId').slice(0, 100),
    reason: cell(line, 'reason'),
  }))
  return { format: 'csv', rows, wholes: [], isStatement: false }
}

/** What a word says of a payment of ours; of money that `came` it says nothing that is sure, unless that it came back. */
function statusOf(word: string, came: string | null): Pick<ResultRow, 'status' | 'said'> {
  const status = WORDS[plain(word)] ?? 'unknown'
  if (came === null || status !== 'settled') return { status, said: word.slice(0, 40) }
  return { status: 'unknown', said: `${word}: ${came}`.slice(0, 40) }
}

/** What stands where nothing is said. */
const NOT_SAID = /^[-–—]?$/
/** A fee of thousands, or with three decimals: an amount written so is compared with ours, a fee with nothing. */
const EITHER_WAY = /^[-+−]?[1-9]\d{0,2}[.,]\d{3}$/

/** A plain number, its sign left out: whoever tells of money that left writes it below zero. Thousands may be grouped by commas, or by points before a comma. */
function amountOf(text: string): string | null {
  const bare = text.replace(/[\s'’]/g, '')
  const grouped = /^[-+−]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/.test(bare)
    ? bare.replaceAll(',', '')
    : /^[-+−]?[1-9]\d{0,2}(\.\d{3})+,\d+$/.test(bare)
      ? bare.replaceAll('.', '')
      : bare
  const match = /^[-+−]?(\d{1,14})(?:[.,](\d{1,8}))?$/.exec(grouped)
  return match === null ? null : `${match[1]}.${match[2] ?? '0'}`
}

/** An amount, or what is said in place of one. */
function saidAmount(text: string): Pick<ResultRow, 'amount' | 'amountWrong'> {
  const amount = amountOf(text)
  return amount !== null || NOT_SAID.test(text) ? { amount } : { amount, amountWrong: text.slice(0, 40) }
}

/**
 * A fee with what it is in: a column of its own says so, else that of the payment. Below zero only where the amount is written so too: else
 * it is something that was given back.
 */
function feeOf(text: string, own: string, of: { currency: string; amount: string }): Pick<ResultRow, 'fee' | 'feeCurrency' | 'feeWrong'> {
  const feeCurrency = (own || of.currency).toUpperCase().slice(0, 10)
  if (NOT_SAID.test(text)) return { fee: null, feeCurrency }
  const fee = amountOf(text)
  const isWrong = fee === null || EITHER_WAY.test(text) || (isBelowZero(text) && !isBelowZero(of.amount) && /[1-9]/.test(fee))
  return isWrong ? { fee: null, feeCurrency, feeWrong: text.slice(0, 40) } : { fee, feeCurrency }
}

function isBelowZero(text: string): boolean {
  return /^[-−]/.test(text)
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z]/g, '')
}

function words(status: ResultRow['status'], all: string): Record<string, ResultRow['status']> {
  return Object.fromEntries(all.split(' ').map((word) => [word, status]))
}
