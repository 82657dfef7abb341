import { XMLParser } from 'fast-xml-parser'
import type { Result, ResultRow } from './result-row.ts'

/** Codes of ISO 20022: what is not among them is still on its way. */
const STATUSES: Readonly<Record<string, ResultRow['status']>> = { RJCT: 'failed', CANC: 'failed', ACSC: 'settled', ACCC: 'settled' }
/** So deep the answers of banks are; anything deeper is not one. */
const DEEPEST = 20

/** Reads a payment status report (pain.002 of any version); null where it is something else. Entities and documents from elsewhere are never resolved. */
export function readPain002(text: string): Result | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null
  const parser = new XMLParser({
    ignoreAttributes: true,
    removeNSPrefix: true,
    parseTagValue: false,
    processEntities: true,
    maxNestedTags: DEEPEST,
  })
  let root: unknown
  try {
    root = parser.parse(text, true)
  } catch {
    return null
  }
  const report = at(at(root, 'Document'), 'CstmrPmtStsRpt')
  if (report === undefined) return null
  const parts = list(at(report, 'OrgnlPmtInfAndSts'))
  const rows = parts.flatMap((part) => list(at(part, 'TxInfAndSts')).map(rowOf))
  const group = at(report, 'OrgnlGrpInfAndSts')
  const said = textOf(at(parts[0], 'PmtInfSts')) || textOf(at(group, 'GrpSts'))
  const status = STATUSES[said]
  const fileId = textOf(at(group, 'OrgnlMsgId'))
  const whole =
    rows.length === 0 && status !== undefined && fileId !== ''
      ? { fileId, status, reason: reasonOf(at(group, 'StsRsnInf') ?? at(parts[0], 'StsRsnInf')) }
      : null
  return { format: 'pain002', rows, whole }
}

function rowOf(one: unknown): ResultRow {
  const said = textOf(at(one, 'TxSts'))
  const amount = textOf(at(at(at(one, 'OrgnlTxRef'), 'Amt'), 'InstdAmt'))
  return {
    reference: textOf(at(one, 'OrgnlEndToEndId')).slice(0, 40),
    status: STATUSES[said] ?? 'pending',
    said: said.slice(0, 40),
    amount: /^\d{1,14}(\.\d{1,8})?$/.test(amount) ? amount : null,
    currency: '',
    fee: null,
    externalId: textOf(at(one, 'AcctSvcrRef')).slice(0, 100),
    reason: reasonOf(at(one, 'StsRsnInf')),
  }
}

function reasonOf(information: unknown): string {
  const [first] = list(information)
  return [textOf(at(at(first, 'Rsn'), 'Cd')) || textOf(at(at(first, 'Rsn'), 'Prtry')), ...list(at(first, 'AddtlInf')).map(textOf)]
    .filter(Boolean)
    .join(' ')
    .slice(0, 300)
}

function at(node: unknown, name: string): unknown {
  const one = Array.isArray(node) ? node[0] : node
  return typeof one === 'object' && one !== null && Object.hasOwn(one, name) ? Reflect.get(one, name) : undefined
}

function list(node: unknown): unknown[] {
  return node === undefined ? [] : Array.isArray(node) ? node : [node]
}

function textOf(node: unknown): string {
  return typeof node === 'string' ? node.trim() : ''
}
