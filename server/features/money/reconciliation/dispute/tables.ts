import { csvForPeople } from '#server/platform/csv.ts'
import type { DocumentLanguage } from '#contract/money/document.ts'
import { isOfLead } from '#contract/money/reconciliation-cause.ts'
import type { ReportReading } from '#contract/money/report-reading.ts'
import { textOf } from '../read-lines.ts'
import type { DisputedCall, DisputedRow } from './dispute.queries.ts'
import { causeText, columnName, type DisputeColumn } from './dispute-words.ts'

type Cells = Partial<Record<DisputeColumn, string | number | null>>

/** The differences, a row each, both sides beside each other. */
export function rowsTable(
  rows: readonly DisputedRow[],
  { reading, utcOf, language }: { reading: ReportReading; utcOf: (at: number) => number; language: DocumentLanguage },
): Buffer {
  const columns = [
    'line', 'cause', 'code', 'detail', 'report_time', 'report_transaction', 'report_click', 'report_offer', 'report_goal', 'report_status', 'report_amount',
    'report_currency', 'report_reason', 'our_id', 'our_time', 'our_transaction', 'our_click', 'our_offer', 'our_goal', 'our_status', 'our_amount', 'our_currency',
  ] as const // prettier-ignore
  return table(
    columns,
    language,
    rows.map(({ theirs, cells, ...row }) => ({
      line: row.in_report ? row.line : '',
      cause: causeText(row.cause, 'name', language),
      code: row.cause,
      // the numbers of our conversions and leads are nothing to an advertiser
      detail: isOfLead(row.cause) || row.cause === 'duplicate_ours' || row.cause === 'unknown' || row.cause === 'status' ? '' : row.detail,
      ...(row.in_report &&
        theirs !== null && {
          report_time: theirs.at === null ? '' : time(new Date(utcOf(theirs.at))),
          report_transaction: theirs.transactionId,
          report_click: theirs.clickId,
          report_offer: textOf(cells, reading.mapping.offer),
          report_goal: textOf(cells, reading.mapping.goal),
          report_status: theirs.status,
          report_amount: theirs.amount,
          report_currency: theirs.currency,
          report_reason: theirs.reason,
        }),
      our_id: row.uuid,
      our_time: time(row.created_at),
      our_transaction: row.transaction_id,
      our_click: row.click_id,
      our_offer: row.offer,
      our_goal: row.goal,
      our_status: row.status === 'trash' ? 'declined' : row.status === 'hold' ? 'approved' : row.status,
      our_amount: reading.amounts === 'sale' ? row.amount : row.revenue,
      our_currency: row.currency,
    })),
  )
}

/** Its calls as they came, secrets left out, and what we answered. */
export function callsTable(calls: readonly DisputedCall[], language: DocumentLanguage): Buffer {
  const columns = ['time', 'method', 'address', 'body', 'answered', 'answer', 'outcome', 'reason', 'click_id', 'transaction_id'] as const
  return table(
    columns,
    language,
    calls.map((call) => ({
      time: time(call.received_at),
      method: call.method,
      address: `${call.path}${call.query === '' ? '' : `?${call.query}`}`,
      body: call.body,
      answered: call.http_status,
      answer: answerOf(call.answer),
      outcome: call.outcome,
      reason: call.reason,
      click_id: call.click_id,
      transaction_id: call.transaction_id,
    })),
  )
}

/** Clicks that are spoken of, and when each came. */
export function clicksTable(clicks: ReadonlyMap<string, Date>, language: DocumentLanguage): Buffer {
  const rows = [...clicks].toSorted(([a, from], [b, to]) => from.getTime() - to.getTime() || (a < b ? -1 : 1))
  return table(
    ['click_id', 'click_time'],
    language,
    rows.map(([click_id, at]) => ({ click_id, click_time: time(at) })),
  )
}

function table(columns: readonly DisputeColumn[], language: DocumentLanguage, rows: readonly Cells[]): Buffer {
  const data = rows.map((row) => columns.map((column) => row[column] ?? ''))
  const fields = columns.map((column) => columnName(column, language))
  return Buffer.from(csvForPeople(fields, data))
}

function time(at: Date | null): string {
  return at === null
    ? ''
    : at
        .toISOString()
        .replace('T', ' ')
        .replace(/(\.000)?Z$/, '')
}

function answerOf(answer: unknown): string {
  const body = typeof answer === 'object' && answer !== null && 'body' in answer ? answer.body : undefined
  return body === undefined ? '' : JSON.stringify(body)
}
