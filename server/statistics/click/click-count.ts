import { CLICK_KINDS } from '#contract/traffic/click.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { askClickhouse } from '../ask.ts'
import { clickWhere, KIND_CONDITIONS, partnerWhere, type ClickQuestion } from './click-question.ts'
import { columnOf } from '../expression.ts'
import { parameters, type Parameters } from '../parameters.ts'
import { tellsTypes, typeExpression } from '../restriction.ts'
import { chooseSource, LEADS, QUARTER } from '../source.ts'

const QUARTER_MS = QUARTER * 1000

/** How many clicks there are of each kind asked for, and of how many visitors the counted are; null where no roll-up tells. */
export type ClickCount = Record<(typeof CLICK_KINDS)[number], number> & { uniques: number | null }

/**
 * How many clicks a question finds in all: out of a roll-up for the whole quarter hours where one holds all that is asked,
 * out of the raw rows for the rest. Throws `report_too_heavy`, `statistics_away`.
 */
export async function countClicks(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<ClickCount> {
  const bound = parameters()
  const table = rollUpFor(question)
  const visitors = question.kinds.includes('counted') && (table === null || table !== 'click_by_geo')
  const sums = [...CLICK_KINDS.map((kind) => `sum(${kind})`), visitors ? 'uniqCombinedMerge(14)(visitors)' : '0']
  const query = `SELECT ${sums.join(', ')} FROM (${[...pieces(question, table, visitors, bound)].join(' UNION ALL ')})`
  const { data } = await askClickhouse(clickhouse, query, bound.values, { signal })
  const [counted = 0, refused = 0, filtered = 0, test = 0, uniques = 0] = (data[0] ?? []).map(Number)
  return { counted, refused, filtered, test, uniques: visitors ? uniques : null }
}

type Table = ReturnType<typeof rollUpFor>

function* pieces(question: ClickQuestion, table: Table, visitors: boolean, bound: Parameters): Generator<string> {
  const { range, kinds } = question
  const first = Math.ceil(range.from / QUARTER_MS) * QUARTER_MS
  const last = Math.floor(range.to / QUARTER_MS) * QUARTER_MS
  if (table === null || last <= first) {
    yield rawCount(question, visitors, bound)
    return
  }
  const seconds = (ms: number) => `toDateTime(${bound.add('UInt32', ms / 1000)}, 'UTC')`
  const type = typeExpression(question.ofType, bound, table === 'click_by_affiliate')
  const where = [
    `quarter >= ${seconds(first)} AND quarter < ${seconds(last)}`,
    ...partnerWhere(question, bound),
    ...(type === null ? [] : [type]),
  ]
  const sums = CLICK_KINDS.map((kind) => `${kinds.includes(kind) ? `sum(${ROLLED[kind]})` : 'toUInt64(0)'} AS ${kind}`)
  const states = visitors ? ['uniqCombinedMergeState(14)(visitors) AS visitors'] : []
  yield `SELECT ${[...sums, ...states].join(', ')} FROM ${table} WHERE ${where.join(' AND ')}`
  if (range.from < first) yield rawCount({ ...question, range: { from: range.from, to: first } }, visitors, bound)
  if (last < range.to) yield rawCount({ ...question, range: { from: last, to: range.to } }, visitors, bound)
}

const ROLLED = { counted: 'clicks', refused: 'refused', filtered: 'filtered', test: '0' } as const

function rawCount(question: ClickQuestion, visitors: boolean, bound: Parameters): string {
  const sums = CLICK_KINDS.map((kind) => `countIf(${KIND_CONDITIONS[kind]}) AS ${kind}`)
  const states = visitors ? [`uniqCombinedStateIf(14)(visitor, ${KIND_CONDITIONS.counted}) AS visitors`] : []
  return `SELECT ${[...sums, ...states].join(', ')} FROM click WHERE ${clickWhere(question, bound).join(' AND ')}`
}

/** The roll-up that knows everything a question filters and scopes by; null where only the raw rows do. */
function rollUpFor({ scope, ofType, conditions, kinds, only, foreignId }: ClickQuestion) {
  // Test clicks are in no roll-up.
  if (only !== null || foreignId !== '' || kinds.length === 0 || kinds.includes('test')) return null
  const dimensions = conditions.flatMap((condition) => ('detail' in condition ? [] : [condition.dimension]))
  if (dimensions.length < conditions.length) return null
  const columns = new Set(dimensions.map(columnOf).filter((column) => column !== null))
  if (scope.kind === 'affiliate' || (scope.kind === 'partners' && scope.affiliates.length > 0)) columns.add('affiliate')
  if (scope.kind === 'partners' && scope.advertisers.length > 0) columns.add('advertiser')
  if (tellsTypes(ofType)) columns.add(LEADS)
  const source = chooseSource({ columns, bounds: [], fewAffiliates: scope.kind === 'affiliate' })
  return source.raw || source.table === 'click' ? null : source.table
}
