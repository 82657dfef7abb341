import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { askClickhouse } from '../ask.ts'
import { columnOf } from '../expression.ts'
import { clickWhere, type ClickOrder, type ClickQuestion } from './click-question.ts'
import { parameters, type Parameters } from '../parameters.ts'
import { CLICK_SELECT, clickRowOf, type ClickRow } from './stored-click.ts'

/** Raw clicks in the order of the question; one row per click as it was stored. Throws `report_too_heavy`, `statistics_away`. */
export async function readClicks(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<ClickRow[]> {
  const { range, after, scope, order } = question
  if (order !== undefined) return readSorted(clickhouse, question, order, signal)
  // The newest are looked for in the last days first, so that the columns of all others need not be read. Over the
  // network time is no order of the rows, and a few hours hold enough.
  const end = Math.min(range.to, after === null ? range.to : after.at + 1)
  const spans =
    question.only !== null
      ? []
      : (scope.kind === 'affiliate' ? [TWO_DAYS] : [TWO_HOURS, TWO_DAYS]).filter((span) => end - span > range.from)
  for (const span of spans) {
    const rows = await readRange(clickhouse, { ...question, range: { from: end - span, to: range.to } }, signal)
    if (rows.length === question.limit) return rows
  }
  return readRange(clickhouse, question, signal)
}

/** First which clicks stand on the page, out of the columns that tell, then all columns of those few. */
async function readSorted(clickhouse: Clickhouse, question: ClickQuestion, order: ClickOrder, signal?: AbortSignal): Promise<ClickRow[]> {
  const bound = parameters()
  const where = clickWhere(question, bound).join(' AND ')
  const by = `${orderKey(order, bound)} ${order.direction === 'asc' ? 'ASC' : 'DESC'}, ts DESC, affiliate DESC, rnd DESC`
  const page = `SELECT affiliate, ts, rnd FROM click WHERE ${where} ORDER BY ${by} LIMIT ${bound.add('UInt32', question.limit)} OFFSET ${bound.add('UInt64', question.offset)}`
  const query = `SELECT ${CLICK_SELECT} FROM click WHERE ${where} AND (affiliate, ts, rnd) IN (${page}) ORDER BY ${by} LIMIT ${bound.add('UInt32', question.limit)}`
  const { data } = await askClickhouse(clickhouse, query, bound.values, { signal })
  return data.map(clickRowOf)
}

function orderKey({ by, ranks }: ClickOrder, bound: Parameters): string {
  if (by === 'at') return 'ts'
  if (by === 'kind') return `multiIf(bitAnd(flags, 8) != 0, 3, bitAnd(flags, 7) != 0, 2, reason != '', 1, 0)`
  const column = columnOf(by) ?? 'ts'
  if (ranks === undefined || ranks.size === 0) return column
  return `transform(${column}, ${bound.add('Array(UInt32)', [...ranks.keys()])}, ${bound.add('Array(UInt32)', [...ranks.values()])}, toUInt32(4294967295))`
}

const TWO_HOURS = 2 * 3_600_000
const TWO_DAYS = 2 * 86_400_000

async function readRange(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<ClickRow[]> {
  const bound = parameters()
  const where = clickWhere(question, bound)
  if (question.after !== null) {
    const { at, affiliate, random } = question.after
    const moment = `fromUnixTimestamp64Milli(${bound.add('Int64', at)}, 'UTC')`
    // the first half is what the engine can skip by
    where.push(`ts <= ${moment} AND (ts, affiliate, rnd) < (${moment}, ${bound.add('UInt32', affiliate)}, ${bound.add('UInt32', random)})`)
  }
  // The table's own order where it serves: with the affiliate fixed, naming it first changes nothing but the speed.
  const order = question.scope.kind === 'affiliate' ? 'affiliate DESC, ts DESC, rnd DESC' : 'ts DESC, affiliate DESC, rnd DESC'
  const query = `SELECT ${CLICK_SELECT} FROM click WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT ${bound.add('UInt32', question.limit)} OFFSET ${bound.add('UInt64', question.offset)}`
  const { data } = await askClickhouse(clickhouse, query, bound.values, { signal })
  return data.map(clickRowOf)
}
