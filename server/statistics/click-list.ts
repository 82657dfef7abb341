import type { CLICK_KINDS } from '#contract/report.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { askClickhouse } from './ask.ts'
import { conditionExpression, type ExpressionContext } from './expression.ts'
import { parameters, type Parameters } from './parameters.ts'
import type { Range } from './period.ts'
import type { Condition, RowScope } from './plan.ts'
import { scopeExpression } from './restriction.ts'

/** Where a page ended: the sort key of its last row. */
export type ClickCursor = { at: number; affiliate: number; random: number }

export type ClickQuestion = {
  range: Range
  scope: RowScope
  conditions: readonly Condition[]
  kinds: readonly (typeof CLICK_KINDS)[number][]
  /** Exactly this click, whatever the period. */
  only: ClickCursor | null
  affiliatesId: string
  after: ClickCursor | null
  limit: number
  offset: number
}

const COLUMNS = [
  'toUnixTimestamp64Milli(ts)',
  'rnd',
  'affiliate',
  'offer',
  'advertiser',
  'landing',
  'prelanding',
  'geo',
  'device',
  'os',
  'browser',
  'lang',
  'source',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'sub6',
  'sub7',
  'sub8',
  'sub9',
  'sub10',
  'aff_click_id',
  'IPv6NumToString(ip)',
  'ua',
  'reason',
  'flags',
] as const

export type ClickRow = {
  at: number
  random: number
  affiliate: number
  offer: number
  advertiser: number
  landing: number
  prelanding: number
  geo: string
  device: string
  os: string
  browser: string
  language: string
  source: string
  subs: string[]
  aff_click_id: string
  ip: string
  ua: string
  reason: string
  flags: number
}

/** Raw clicks, newest first; one row per click as it was stored. Throws `report_too_heavy`, `statistics_away`. */
export async function readClicks(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<ClickRow[]> {
  const { range, after, scope } = question
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

const TWO_HOURS = 2 * 3_600_000
const TWO_DAYS = 2 * 86_400_000

async function readRange(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<ClickRow[]> {
  const bound = parameters()
  const where = conditionsOf(question, bound)
  if (question.after !== null) {
    const { at, affiliate, random } = question.after
    const moment = `fromUnixTimestamp64Milli(${bound.add('Int64', at)}, 'UTC')`
    // the first half is what the engine can skip by
    where.push(`ts <= ${moment} AND (ts, affiliate, rnd) < (${moment}, ${bound.add('UInt32', affiliate)}, ${bound.add('UInt32', random)})`)
  }
  // The table's own order where it serves: with the affiliate fixed, naming it first changes nothing but the speed.
  const order = question.scope.kind === 'affiliate' ? 'affiliate DESC, ts DESC, rnd DESC' : 'ts DESC, affiliate DESC, rnd DESC'
  const query = `SELECT ${COLUMNS.join(', ')} FROM click WHERE ${where.join(' AND ')} ORDER BY ${order} LIMIT ${bound.add('UInt32', question.limit)} OFFSET ${bound.add('UInt64', question.offset)}`
  const { data } = await askClickhouse(clickhouse, query, bound.values, { signal })
  return data.map(toRow)
}

/** How many clicks a question finds in all. */
export async function countClicks(clickhouse: Clickhouse, question: ClickQuestion, signal?: AbortSignal): Promise<number> {
  const bound = parameters()
  const query = `SELECT count() FROM click WHERE ${conditionsOf(question, bound).join(' AND ')}`
  const { data } = await askClickhouse(clickhouse, query, bound.values, { signal })
  return Number(data[0]?.[0] ?? 0)
}

const KIND_CONDITIONS = {
  counted: `bitAnd(flags, 15) = 0 AND reason = ''`,
  refused: `bitAnd(flags, 15) = 0 AND reason != ''`,
  filtered: 'bitAnd(flags, 8) = 0 AND bitAnd(flags, 7) != 0',
  test: 'bitAnd(flags, 8) != 0',
} as const

function kindCondition(kinds: ClickQuestion['kinds']): string {
  if (kinds.length === 0) return '0'
  // both together need not look at the reason
  if (kinds.includes('counted') && kinds.includes('refused'))
    return [
      'bitAnd(flags, 15) = 0',
      ...kinds.filter((kind) => kind !== 'counted' && kind !== 'refused').map((kind) => KIND_CONDITIONS[kind]),
    ].join(' OR ')
  return kinds.map((kind) => KIND_CONDITIONS[kind]).join(' OR ')
}

function conditionsOf(question: ClickQuestion, bound: Parameters): string[] {
  const { range, only } = question
  const expressions: ExpressionContext = {
    side: 'click',
    seconds: 'toUnixTimestamp(ts)',
    steps: () => ({ starts: '[]', weekdays: '[]' }),
    lookups: { managerOf: new Map(), currencyOf: new Map() },
    parameters: bound,
  }
  const scope = scopeExpression(question.scope, bound)
  const moment = (ms: number) => `fromUnixTimestamp64Milli(${bound.add('Int64', ms)}, 'UTC')`
  return [
    ...(scope === null ? [] : [scope]),
    ...(only === null
      ? [`ts >= ${moment(range.from)} AND ts < ${moment(range.to)}`]
      : [`affiliate = ${bound.add('UInt32', only.affiliate)} AND ts = ${moment(only.at)} AND rnd = ${bound.add('UInt32', only.random)}`]),
    ...(question.affiliatesId === '' ? [] : [`aff_click_id = ${bound.add('String', question.affiliatesId)}`]),
    `(${kindCondition(question.kinds)})`,
    ...question.conditions.map((condition) => conditionExpression(condition, expressions)),
  ]
}

function toRow(cells: unknown[]): ClickRow {
  const text = (index: number) => String(cells[index] ?? '')
  const number = (index: number) => Number(cells[index] ?? 0)
  return {
    at: number(0),
    random: number(1),
    affiliate: number(2),
    offer: number(3),
    advertiser: number(4),
    landing: number(5),
    prelanding: number(6),
    geo: text(7),
    device: text(8),
    os: text(9),
    browser: text(10),
    language: text(11),
    source: text(12),
    subs: Array.from({ length: 10 }, (_none, index) => text(13 + index)),
    aff_click_id: text(23),
    ip: text(24),
    ua: text(25),
    reason: text(26),
    flags: number(27),
  }
}
