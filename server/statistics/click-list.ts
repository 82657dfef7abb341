import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { askClickhouse } from './ask.ts'
import { clickWhere, type ClickQuestion } from './click-question.ts'
import { parameters } from './parameters.ts'

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
  const where = clickWhere(question, bound)
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
