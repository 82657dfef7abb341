import Papa from 'papaparse'
import { metricOf } from '#contract/traffic/metric.ts'
import { MAX_PAGE_SIZE } from '#contract/paging.ts'
import { FORMULA } from '#server/platform/csv.ts'
import { makeReport, type Asked, type Input, type ReportParts } from '../report/report.service.ts'
import { reportHead, TOTAL } from './report-head.ts'

/** More rows than this are not sent by mail: the panel exports them. */
const MOST_ROWS = 20_000

/**
 * A report as CSV with a total line, how many rows it has, and its days in its zone. Amounts are exact, their currency stands in the header; texts are no formulas.
 * Of more than `most` rows the first stand in it, and its last line says so.
 */
export async function reportCsv(
  parts: ReportParts,
  asked: Asked,
  input: Input,
  most = MOST_ROWS,
): Promise<{ csv: string; rows: string; period: string }> {
  const lines: string[][] = []
  let first: Awaited<ReturnType<typeof makeReport>> | undefined
  for (let page = 1; ; page++) {
    const answer = await makeReport(parts, asked, { ...input, count: MAX_PAGE_SIZE, page })
    first ??= answer
    for (const row of answer.list)
      lines.push([
        ...row.keys.map(({ label, id }) => plain(label || id)),
        ...input.metrics.map((metric) => String(row.values[metric] ?? '')),
      ])
    if (answer.list.length < MAX_PAGE_SIZE || lines.length >= most) break
  }
  const { rows } = first.summary
  const { language } = asked.actor
  const cut = rows > most ? CUT[language](most, rows) : undefined
  const keys = [...input.group, ...(first.currency === 'each' && !input.group.includes('currency') ? (['currency'] as const) : [])]
  const totals = [
    ...keys.map((_key, index) => (index === 0 ? TOTAL[language] : '')),
    ...input.metrics.map((metric) => String(first.summary.totals[metric] ?? '')),
  ]
  const inCurrency = first.currency === 'each' ? '' : `, ${first.currency}`
  const head = [
    ...keys.map((id) => reportHead(id, language)),
    ...input.metrics.map((id) => `${reportHead(id, language)}${metricOf(id).type === 'money' ? inCurrency : ''}`),
  ]
  const missing = first.rates_missing.map(({ currency, days, count }) => [
    MISSING[language](currency, `${days.slice(0, NAMED).join(', ')}${count > NAMED ? ` (+${count - NAMED})` : ''}`),
  ])
  // a mark by which spreadsheets know that it is UTF-8
  const table = [
    head,
    ...lines.slice(0, most),
    ...(keys.length > 0 ? [totals] : []),
    ...(cut === undefined ? [] : [[cut.line]]),
    ...missing,
  ]
  const csv = `\uFEFF${Papa.unparse(table, { newline: '\r\n' })}\r\n`
  return { csv, rows: cut?.rows ?? String(rows), period: daysOf(first.period, first.zone) }
}

/** So many days of a currency without a rate are named. */
const NAMED = 10
/** Why sums are empty. */
const MISSING = {
  en: (currency: string, days: string) => `No exchange rate of ${currency} in force on ${days}: sums with these amounts are empty.`,
  uk: (currency: string, days: string) => `Немає чинного курсу ${currency} на ${days}: суми з цими коштами порожні.`,
}

/** What is said of a report that is longer than what is sent of it: in its last line, and in the mail in place of how many rows it has. */
const CUT = {
  en: (most: number, rows: number) => ({
    line: `The first ${most} of ${rows} rows; the total is of all. Export the report in the panel to get the rest.`,
    rows: `${most} of ${rows} (the first ones; export the rest in the panel)`,
  }),
  uk: (most: number, rows: number) => ({
    line: `Перші ${most} рядків із ${rows}; підсумок – за всіма. Решту експортуйте на панелі.`,
    rows: `${most} із ${rows} (лише перші; решту експортуйте на панелі)`,
  }),
}

/** A text that a spreadsheet does not take for a formula. */
function plain(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

function daysOf({ from, to }: { from: string; to: string }, zone: string): string {
  const dayOf = (at: number) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at)
  const [begin, end] = [dayOf(Date.parse(from)), dayOf(Date.parse(to) - 1)]
  return begin === end ? begin : `${begin} – ${end}`
}
