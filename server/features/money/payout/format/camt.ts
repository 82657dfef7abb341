import { addAmounts, toUnits } from '#contract/money/amount.ts'
import { isReference, referencesIn } from '../reference.ts'
import type { Result, ResultRow, Whole } from './result-row.ts'
import { amountIn, at, list, reasonOf, statedIn, textOf } from './xml.ts'

/** Statements of the day (053), notices of single entries (054) and reports within the day (052), of any version. */
const KINDS = [
  ['BkToCstmrStmt', 'Stmt'],
  ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'],
  ['BkToCstmrAcctRpt', 'Rpt'],
] as const

/**
 * Reads a statement of a bank; null where it is something else. What left with our reference has arrived, what came in with it has come
 * back; what is not booked yet says nothing. A payment that left and came back in one statement came back.
 */
export function readCamt(root: unknown): Result | null {
  for (const [message, part] of KINDS) {
    const document = at(root, 'Document', message)
    if (document === undefined) continue
    const read = list(at(document, part)).flatMap((one) => list(at(one, 'Ntry')).map(entryOf))
    const rows = withoutSharedIds(withoutTurned(read.flatMap((one) => one.rows)))
    return { format: 'camt', rows, wholes: read.flatMap(({ whole }) => whole ?? []), isStatement: true }
  }
  return null
}

function entryOf(entry: unknown): { rows: ResultRow[]; whole?: Whole } {
  const booked = textOf(at(entry, 'Sts', 'Cd')) || textOf(at(entry, 'Sts'))
  const isIn = textOf(at(entry, 'CdtDbtInd')) === 'CRDT'
  const isTurned = textOf(at(entry, 'RvslInd')) === 'true'
  // what came in and was taken back again is nothing we paid
  const status = booked !== 'BOOK' ? 'pending' : isIn ? 'returned' : isTurned ? null : 'settled'
  if (status === null) return { rows: [] }
  const said = [booked, isIn ? 'CRDT' : 'DBIT'].filter(Boolean).join(' ').slice(0, 40)
  const stated = at(entry, 'Amt')
  const total = { ...statedIn(stated), currency: currencyIn(stated) }
  const details = list(at(entry, 'NtryDtls'))
  const payments = details.flatMap((one) => list(at(one, 'TxDtls')))
  const batch = details.map((one) => at(one, 'Btch')).find((one) => one !== undefined)
  const fileId = (textOf(at(batch, 'MsgId')) || textOf(at(batch, 'PmtInfId'))).replace(/-1$/, '')
  if (payments.length === 0 && fileId !== '')
    return {
      rows: [],
      whole: {
        fileId,
        status,
        said,
        ...total,
        ...feeOf(status, entry),
        reason: status === 'returned' ? textOf(at(entry, 'AddtlNtryInf')).slice(0, 300) : '',
      },
    }
  const own: Entry = {
    taken: feeOf(status, entry),
    status,
    said,
    ...total,
    externalId: textOf(at(entry, 'AcctSvcrRef')),
    text: textOf(at(entry, 'AddtlNtryInf')),
  }
  // an entry without details is one payment
  return {
    rows:
      payments.length === 0
        ? [rowOf(undefined, own)]
        : payments.map((one, place) =>
            // what the bank took for all of them is booked once
            rowOf(
              one,
              payments.length === 1
                ? own
                : { ...own, ...(place > 0 && { taken: NO_FEE }), amount: null, amountWrong: undefined, externalId: '', text: '' },
            ),
          ),
  }
}

type Fee = Pick<ResultRow, 'fee' | 'feeCurrency' | 'feeWrong'>
type Entry = Pick<ResultRow, 'status' | 'said' | 'amount' | 'amountWrong' | 'currency' | 'externalId'> & { text: string; taken: Fee }
const NO_FEE: Fee = { fee: null, feeCurrency: '' }

function rowOf(payment: unknown, entry: Entry): ResultRow {
  const amounts = [at(payment, 'AmtDtls', 'InstdAmt', 'Amt'), at(payment, 'Amt'), at(payment, 'AmtDtls', 'TxAmt', 'Amt')]
  const told = amounts.find((one) => amountIn(one) !== null)
  const { status, said } = entry
  const account = at(payment, 'RltdPties', 'CdtrAcct', 'Id')
  const fee = feeOf(status, payment)
  return {
    reference: referenceIn(payment, entry.text),
    status,
    said,
    amount: amountIn(told) ?? entry.amount,
    amountWrong: amounts.map((one) => statedIn(one).amountWrong).find((one) => one !== undefined) ?? entry.amountWrong,
    currency: currencyIn(told) || entry.currency,
    // charges stand with the payment or with its entry
    ...(fee.fee === null && fee.feeWrong === undefined ? entry.taken : fee),
    account: status === 'settled' ? (textOf(at(account, 'IBAN')) || textOf(at(account, 'Othr', 'Id'))).slice(0, 100) : '',
    externalId: (textOf(at(payment, 'Refs', 'AcctSvcrRef')) || entry.externalId).slice(0, 100),
    reason: status === 'returned' ? (reasonOf(at(payment, 'RtrInf')) || entry.text).slice(0, 300) : '',
  }
}

/** Our reference, where it was given to the bank or in the purpose beside it; one of ours that is not known is told all the same. */
function referenceIn(payment: unknown, text: string): string {
  const [own, instruction] = [textOf(at(payment, 'Refs', 'EndToEndId')), textOf(at(payment, 'Refs', 'InstrId'))]
  const purpose = list(at(payment, 'RmtInf', 'Ustrd'))
    .map(textOf)
    .join(' ')
  return [own, instruction].find(isReference) ?? referencesIn(`${purpose} ${textOf(at(payment, 'AddtlTxInf'))} ${text}`)[0] ?? ''
}

/** What the bank took, each currency by itself: two of them are no one amount. */
function feeOf(status: ResultRow['status'], of: unknown): Fee {
  if (status === 'pending') return NO_FEE
  const charges = list(at(of, 'Chrgs')).flatMap((one) => (at(one, 'Rcrd') === undefined ? [one] : list(at(one, 'Rcrd'))))
  const paid = charges.flatMap((one): Fee[] => {
    const { amount, amountWrong: feeWrong } = statedIn(at(one, 'Amt'))
    if (feeWrong !== undefined) return [{ fee: null, feeCurrency: currencyIn(at(one, 'Amt')), feeWrong }]
    return amount === null || textOf(at(one, 'CdtDbtInd')) === 'CRDT' || toUnits(amount) === 0n
      ? []
      : [{ fee: amount, feeCurrency: currencyIn(at(one, 'Amt')) }]
  })
  return sumOf(paid)
}

function sumOf(fees: readonly Fee[]): Fee {
  const said = fees.filter(({ fee, feeWrong }) => fee !== null || feeWrong !== undefined)
  const [first = NO_FEE] = said
  const isOne = said.every(({ feeCurrency, feeWrong }) => feeCurrency === first.feeCurrency && feeWrong === undefined)
  if (said.length < 2) return first
  if (isOne) return { fee: addAmounts(...said.map(({ fee }) => fee ?? '0')), feeCurrency: first.feeCurrency }
  const feeWrong = said.map((one) => one.feeWrong ?? `${one.fee} ${one.feeCurrency}`.trim()).join(' + ')
  return { fee: null, feeCurrency: '', feeWrong: feeWrong.slice(0, 40) }
}

function currencyIn(amount: unknown): string {
  return textOf(at(amount, '@Ccy')).toUpperCase().slice(0, 10)
}

/** Of a payment that left and came back only that it came back, with what was taken for both ways. */
function withoutTurned(rows: readonly ResultRow[]): ResultRow[] {
  const back = new Set(rows.flatMap(({ reference, status }) => (status === 'returned' && reference !== '' ? [reference] : [])))
  const taken = new Map<string, Fee>()
  const left = rows.filter((row) => {
    const { reference, status } = row
    const isTurned = status === 'settled' && back.has(reference)
    // one that left twice came back once
    if (isTurned) back.delete(reference)
    if (isTurned) taken.set(reference, feeIn(row))
    return !isTurned
  })
  return left.map((row) => {
    const fee = row.status === 'returned' ? taken.get(row.reference) : undefined
    return fee === undefined ? row : { ...row, ...sumOf([fee, feeIn(row)]) }
  })
}

function feeIn({ fee, feeCurrency, feeWrong }: ResultRow): Fee {
  return { fee, feeCurrency, ...(feeWrong !== undefined && { feeWrong }) }
}

/** Some banks write one number of their own to several payments: it names none of them. */
function withoutSharedIds(rows: readonly ResultRow[]): ResultRow[] {
  const counts = Map.groupBy(rows, ({ externalId }) => externalId)
  return rows.map((row) => ((counts.get(row.externalId)?.length ?? 0) > 1 ? { ...row, externalId: '' } : row))
}
