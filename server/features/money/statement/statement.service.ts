import Papa from 'papaparse'
import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { statementApi } from '#contract/money/statement.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { FORMULA } from '#server/platform/csv.ts'
import { getStatement, listStatements, type listIssued, type listPaid } from './statement.queries.ts'
import { sumsOf, type Account } from './sums.ts'

/** A month of an affiliate's money; amounts are above zero where their account grows. The next one names the hash of its JSON. */
export type Content = {
  version: 1
  affiliate: string
  month: string
  time_zone: string
  made_at: string
  accounts: Account[]
  invoices: Awaited<ReturnType<typeof listIssued>>
  payments: Awaited<ReturnType<typeof listPaid>>
  /** The head of the chain of all conversions at the end of the month. */
  chain: { seq: number; hash: string } | null
  previous: string | null
}

export async function showStatements(
  db: Db,
  affiliateId: number,
  filters: z.output<typeof statementApi.list.body>,
): Promise<CallOutput<typeof statementApi.list>> {
  const { rows, list } = await listStatements(db, affiliateId, filters)
  return {
    list: list.map(({ accounts, uuid, month, sha256, made_at }) => ({
      uuid,
      month,
      sha256,
      made_at: made_at.toISOString(),
      sums: sumsOf(accounts),
    })),
    summary: { rows },
  }
}

/** One statement to the byte. Throws `not_found`. */
export async function showStatement(db: Db, affiliateId: number, uuid: string): Promise<CallOutput<typeof statementApi.get>> {
  // numbers count those of the whole network
  const row = /^\d+$/.test(uuid) ? undefined : await getStatement(db, affiliateId, uuid)
  if (row === undefined) throw new AppError('not_found')
  const { month, sha256, made_at, content } = row
  return { uuid, month, sha256, made_at: made_at.toISOString(), json: content, csv: csvOf(JSON.parse(content) as Content) } // as `makeStatements` wrote it
}

/** The same as a table: a line for each figure. */
function csvOf({ month, accounts, invoices, payments, chain, previous }: Content): string {
  const rows = [
    ...accounts.flatMap(({ currency, account, opening, events, closing }) => [
      ['opening', currency, account, '', '', opening],
      ...events.map(({ event, entries, amount }) => ['event', currency, account, event, entries, amount]),
      ['closing', currency, account, '', '', closing],
    ]),
    ...invoices.map((one) => ['invoice', one.currency, one.number, one.day, '', one.total]),
    ...payments.map((one) => ['payment', one.currency, one.invoice ?? '', one.day, one.external_id, one.amount]),
    ...(chain === null ? [] : [['chain', '', chain.hash, '', chain.seq, '']]),
    ...(previous === null ? [] : [['previous', '', previous, '', '', '']]),
  ]
  const data = rows.map((row) => [month, ...row])
  // amounts below zero stay numbers
  return Papa.unparse({ fields: ['month', 'what', 'currency', 'name', 'detail', 'number', 'amount'], data }, { escapeFormulae: FORMULA })
}
