import type { Result, ResultRow } from './result-row.ts'
import { at, list, reasonOf, statedIn, textOf } from './xml.ts'

/** Codes of ISO 20022: what is not among them is still on its way. */
const STATUSES: Readonly<Record<string, ResultRow['status']>> = { RJCT: 'failed', CANC: 'failed', ACSC: 'settled', ACCC: 'settled' }

/** Reads a payment status report (pain.002 of any version); null where it is something else. */
export function readPain002(root: unknown): Result | null {
  const report = at(root, 'Document', 'CstmrPmtStsRpt')
  if (report === undefined) return null
  const parts = list(at(report, 'OrgnlPmtInfAndSts'))
  const rows = parts.flatMap((part) => list(at(part, 'TxInfAndSts')).map(rowOf))
  const group = at(report, 'OrgnlGrpInfAndSts')
  const said = textOf(at(parts[0], 'PmtInfSts')) || textOf(at(group, 'GrpSts'))
  const status = STATUSES[said]
  const fileId = textOf(at(group, 'OrgnlMsgId'))
  const whole = {
    fileId,
    said,
    amount: null,
    currency: '',
    reason: reasonOf(at(group, 'StsRsnInf') ?? at(parts[0], 'StsRsnInf')),
    fee: null,
    feeCurrency: '',
  }
  const isWhole = rows.length === 0 && status !== undefined && fileId !== ''
  return { format: 'pain002', rows, wholes: isWhole ? [{ ...whole, status }] : [], isStatement: false }
}

function rowOf(one: unknown): ResultRow {
  const said = textOf(at(one, 'TxSts'))
  return {
    reference: textOf(at(one, 'OrgnlEndToEndId')).slice(0, 40),
    status: STATUSES[said] ?? 'pending',
    said: said.slice(0, 40),
    ...statedIn(at(one, 'OrgnlTxRef', 'Amt', 'InstdAmt')),
    currency: '',
    fee: null,
    feeCurrency: '',
    account: '',
    externalId: textOf(at(one, 'AcctSvcrRef')).slice(0, 100),
    reason: reasonOf(at(one, 'StsRsnInf')),
  }
}
