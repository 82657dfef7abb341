import { DIMENSION_IDS, FILTER_IDS, type DimensionId } from '#contract/traffic/dimension.ts'
import { METRIC_IDS, type MetricId } from '#contract/traffic/metric.ts'
import { currency as currencyCode, type Currency } from '#contract/money/amount.ts'
import { COMPARISONS, MAX_GROUPS, type ReportInput } from '#contract/traffic/report.ts'
import { dayOf, PERIOD_KEYS, periodBody, readPeriod, readZone, writePeriod } from '#web/kit/list/asked-period.ts'
import { askedOf } from '#web/kit/list/condition.ts'
import type { AskedPeriod, Preset } from '#web/period.ts'
import { TRAFFIC_KEYS } from '#web/traffic-address.ts'

/** A report as its address says it: what is asked, with every part that was left at its default absent. */
export type ReportAddress = {
  period: AskedPeriod
  /** null = the person's own. */
  zone: string | null
  group: DimensionId[]
  metrics: MetricId[]
  currency: Currency | 'each' | null
  time: 'conversion' | 'click'
  /** Of offers of leads; null = as leads came. */
  traffic: 'cold' | 'all' | null
  /** Whether money counts pending conversions too. */
  pending: boolean
  compare: (typeof COMPARISONS)[number]
  /** Days of one's choice to compare with; null unless `compare` is `custom`. */
  compareDays: { from: string; to: string } | null
  /** Whether the days compared with begin on the same weekday. */
  matchWeekday: boolean
  sort: string | null
  direction: 'asc' | 'desc'
  page: number
  /** What the address holds of conditions, by its keys, also of those that other screens know; undefined where one was taken away. */
  filters: Record<string, string[] | undefined>
  /** How one came here by looking into values, the first step first; it asks for nothing. */
  trail: Step[]
}

/** What was looked into, or left out, and the address before. No names: a link may go to somebody who must not read them. */
export type Step = { dimension: DimensionId; value: string; not: boolean; search: string }

/** More steps than these are not told of, the first ones go: each holds an address. */
const MOST_STEPS = 8

export const DEFAULT_PRESET: Preset = 'last_7_days'

/** Reads an address; what is malformed falls back to the default instead of breaking a shared link. */
export function readReport(search: URLSearchParams, metrics: readonly MetricId[]): ReportAddress {
  const asked = listOf(search.get('metrics'), METRIC_IDS)
  const held = Object.fromEntries(PERIOD_KEYS.map((key) => [key, search.getAll(key)]))
  const filters: Record<string, string[]> = {}
  for (const key of TRAFFIC_KEYS) {
    const values = search.getAll(key)
    if (values.some(Boolean)) filters[key] = values
  }
  return {
    period: readPeriod(held) ?? { preset: DEFAULT_PRESET, from: null, to: null },
    zone: readZone(held),
    group: search.has('group') ? listOf(search.get('group'), DIMENSION_IDS).slice(0, MAX_GROUPS) : ['day'],
    metrics: asked.length > 0 ? asked : [...metrics],
    currency: search.get('currency') === 'each' ? 'each' : (currencyCode.safeParse(search.get('currency')).data ?? null),
    time: search.get('time') === 'click' ? 'click' : 'conversion',
    traffic: (['cold', 'all'] as const).find((one) => one === search.get('traffic')) ?? null,
    pending: search.get('pending') === '1',
    ...readComparison(search),
    sort: [...METRIC_IDS, ...DIMENSION_IDS].find((id) => id === search.get('sort')) ?? null,
    direction: search.get('direction') === 'asc' ? 'asc' : 'desc',
    page: /^[1-9]\d{0,4}$/.test(search.get('page') ?? '') ? Number(search.get('page')) : 1,
    filters,
    trail: search.getAll('trail').flatMap(readStep).slice(-MOST_STEPS),
  }
}

function readComparison(search: URLSearchParams): Pick<ReportAddress, 'compare' | 'compareDays' | 'matchWeekday'> {
  const asked = search.get('compare')
  const [from, to] = [dayOf(search.get('compare_from')), dayOf(search.get('compare_to'))]
  const days = asked === 'custom' && from !== null && to !== null && from <= to ? { from, to } : null
  // 1 is what addresses had before there was a choice
  const named = asked === '1' ? 'previous' : (COMPARISONS.find((one) => one === asked && one !== 'custom') ?? 'none')
  return { compare: days === null ? named : 'custom', compareDays: days, matchWeekday: search.get('match_weekday') === '1' }
}

/** A step as an address holds it: `<search before>#is.<dimension>=<value>`. */
function readStep(text: string): Step[] {
  const [, before = '', operator, id, value = ''] = /^([^#]*)#(is|not)\.(\w+)=(.*)$/s.exec(text) ?? []
  const dimension = DIMENSION_IDS.find((one) => one === id)
  return dimension === undefined ? [] : [{ dimension, value, not: operator === 'not', search: before }]
}

/** Writes an address. */
export function writeReport(report: ReportAddress, metrics: readonly MetricId[]): URLSearchParams {
  const search = new URLSearchParams()
  const period = report.period.preset === DEFAULT_PRESET ? null : report.period
  for (const [key, values] of Object.entries(writePeriod(period))) for (const value of values ?? []) search.set(key, value)
  if (report.zone !== null) search.set('zone', report.zone)
  if (report.group.join() !== 'day') search.set('group', report.group.join(','))
  if (report.metrics.join() !== metrics.join()) search.set('metrics', report.metrics.join(','))
  if (report.currency !== null) search.set('currency', report.currency)
  if (report.time === 'click') search.set('time', 'click')
  if (report.traffic !== null) search.set('traffic', report.traffic)
  if (report.pending) search.set('pending', '1')
  if (report.compare !== 'none') search.set('compare', report.compare === 'previous' ? '1' : report.compare)
  if (report.compareDays !== null) {
    search.set('compare_from', report.compareDays.from)
    search.set('compare_to', report.compareDays.to)
  }
  if (report.matchWeekday && report.compare !== 'none') search.set('match_weekday', '1')
  if (report.sort !== null) {
    search.set('sort', report.sort)
    search.set('direction', report.direction)
  }
  if (report.page > 1) search.set('page', String(report.page))
  for (const [key, values] of Object.entries(report.filters)) for (const value of values ?? []) search.append(key, value)
  for (const { dimension, value, not, search: before } of report.trail.slice(-MOST_STEPS))
    search.append('trail', `${before}#${not ? 'not' : 'is'}.${dimension}=${value}`)
  return search
}

/** The body of the request an address stands for. */
export function reportBody(report: ReportAddress): ReportInput {
  const filters = Object.fromEntries(
    FILTER_IDS.flatMap((id) => {
      const asked = askedOf(id, report.filters)
      return asked === undefined ? [] : [[id, asked]]
    }),
  ) as ReportInput['filters'] // each in the form of its dimension
  return {
    period: periodBody(report.period),
    zone: report.zone,
    group: report.group,
    metrics: report.metrics,
    currency: report.currency,
    time: report.time,
    traffic: report.traffic,
    pending: report.pending,
    compare: report.compare,
    compare_days: report.compareDays,
    match_weekday: report.matchWeekday,
    ...(report.sort === null ? {} : { sort: report.sort as MetricId, direction: report.direction }), // a metric or one of the groupings
    filters,
  }
}

function listOf<Value extends string>(text: string | null, known: readonly Value[]): Value[] {
  const parts = new Set((text ?? '').split(','))
  // in the order of the address, each once
  return [...parts].flatMap((part) => known.find((id) => id === part) ?? [])
}
