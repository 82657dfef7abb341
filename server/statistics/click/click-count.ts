import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { askClickhouse } from '../ask.ts'
import { clickWhere, partnerWhere, type ClickQuestion } from './click-question.ts'
import { columnOf } from '../expression.ts'
import { parameters, type Parameters } from '../parameters.ts'
import { chooseSource, QUARTER } from '../source.ts'

const QUARTER_MS = QUARTER * 1000

/**
 * How many clicks a question finds in all: out of a roll-up for the whole quarter hours where one holds all that is asked,
 * out of the raw rows for the rest. Throws `report_too_heavy`, `statistics_away`.
 */
export async function countClicks(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<number> {
  const bound = parameters()
  const query = `SELECT ${[...pieces(question, bound)].join(' + ')}`
  const { data } = await askClickhouse(clickhouse, query, bound.values, { signal })
  return Number(data[0]?.[0] ?? 0)
}

function* pieces(question: ClickQuestion, bound: Parameters): Generator<string> {
  const { range } = question
  const first = Math.ceil(range.from / QUARTER_MS) * QUARTER_MS
  const last = Math.floor(range.to / QUARTER_MS) * QUARTER_MS
  const table = rollUpFor(question)
  if (table === null || last <= first) {
    yield rawCount(question, bound)
    return
  }
  const seconds = (ms: number) => `toDateTime(${bound.add('UInt32', ms / 1000)}, 'UTC')`
  const where = [`quarter >= ${seconds(first)} AND quarter < ${seconds(last)}`, ...partnerWhere(question, bound)]
  const kinds = [...new Set(question.kinds)].map((kind) => ROLLED[kind])
  yield `(SELECT sum(${kinds.join(' + ')}) FROM ${table} WHERE ${where.join(' AND ')})`
  if (range.from < first) yield rawCount({ ...question, range: { from: range.from, to: first } }, bound)
  if (last < range.to) yield rawCount({ ...question, range: { from: last, to: range.to } }, bound)
}

const ROLLED = { counted: 'clicks', refused: 'refused', filtered: 'filtered', test: '0' } as const

function rawCount(question: ClickQuestion, bound: Parameters): string {
  return `(SELECT count() FROM click WHERE ${clickWhere(question, bound).join(' AND ')})`
}

/** The roll-up that knows everything a question filters and scopes by; null where only the raw rows do. */
function rollUpFor({ scope, conditions, kinds, only, foreignId }: ClickQuestion): string | null {
  // Test clicks are in no roll-up.
  if (only !== null || foreignId !== '' || kinds.length === 0 || kinds.includes('test')) return null
  const dimensions = conditions.flatMap((condition) => ('detail' in condition ? [] : [condition.dimension]))
  if (dimensions.length < conditions.length) return null
  const columns = new Set(dimensions.map(columnOf).filter((column) => column !== null))
  if (scope.kind === 'affiliate' || (scope.kind === 'partners' && scope.affiliates.length > 0)) columns.add('affiliate')
  if (scope.kind === 'partners' && scope.advertisers.length > 0) columns.add('advertiser')
  const source = chooseSource({ columns, bounds: [], fewAffiliates: scope.kind === 'affiliate' })
  return source.raw ? null : source.table
}
