import { DIMENSION_IDS, DIMENSIONS, FILTER_IDS, type DimensionId, type FilterId } from '#contract/traffic/dimension.ts'
import { METRIC_IDS, type MetricId } from '#contract/traffic/metric.ts'
import { currency as currencyCode, type Currency } from '#contract/money/amount.ts'
import { MAX_GROUPS, PERIOD_PRESETS, type ReportInput } from '#contract/traffic/report.ts'
import { readTexts } from '#web/kit/list/text-values.ts'

export type Preset = (typeof PERIOD_PRESETS)[number]

/** A report as its address says it: what is asked, with every part that was left at its default absent. */
export type ReportAddress = {
  preset: Preset
  from: string | null
  to: string | null
  group: DimensionId[]
  metrics: MetricId[]
  currency: Currency | 'each' | null
  time: 'conversion' | 'click'
  compare: boolean
  sort: string | null
  direction: 'asc' | 'desc'
  page: number
  /** undefined where one was taken away. */
  filters: { [Id in FilterId]?: string[] | undefined }
}

const DEFAULT_PRESET: Preset = 'last_7_days'

/** Reads an address; what is malformed falls back to the default instead of breaking a shared link. */
export function readReport(search: URLSearchParams, metrics: readonly MetricId[]): ReportAddress {
  const preset = PERIOD_PRESETS.find((one) => one === search.get('period')) ?? DEFAULT_PRESET
  const [from, to] = [dayOf(search.get('from')), dayOf(search.get('to'))]
  const custom = preset === 'custom' && (from === null || to === null)
  const asked = listOf(search.get('metrics'), METRIC_IDS)
  const filters: Partial<Record<FilterId, string[]>> = {}
  for (const id of FILTER_IDS) {
    const values = search.getAll(`is.${id}`)
    if (values.length > 0) filters[id] = values
  }
  return {
    preset: custom ? DEFAULT_PRESET : preset,
    from,
    to,
    group: search.has('group') ? listOf(search.get('group'), DIMENSION_IDS).slice(0, MAX_GROUPS) : ['day'],
    metrics: asked.length > 0 ? asked : [...metrics],
    currency: search.get('currency') === 'each' ? 'each' : (currencyCode.safeParse(search.get('currency')).data ?? null),
    time: search.get('time') === 'click' ? 'click' : 'conversion',
    compare: search.get('compare') === '1',
    sort: [...METRIC_IDS, ...DIMENSION_IDS].find((id) => id === search.get('sort')) ?? null,
    direction: search.get('direction') === 'asc' ? 'asc' : 'desc',
    page: /^[1-9]\d{0,4}$/.test(search.get('page') ?? '') ? Number(search.get('page')) : 1,
    filters,
  }
}

/** Writes an address. */
export function writeReport(report: ReportAddress, metrics: readonly MetricId[]): URLSearchParams {
  const search = new URLSearchParams()
  if (report.preset !== DEFAULT_PRESET) search.set('period', report.preset)
  if (report.preset === 'custom' && report.from && report.to) {
    search.set('from', report.from)
    search.set('to', report.to)
  }
  if (report.group.join() !== 'day') search.set('group', report.group.join(','))
  if (report.metrics.join() !== metrics.join()) search.set('metrics', report.metrics.join(','))
  if (report.currency !== null) search.set('currency', report.currency)
  if (report.time === 'click') search.set('time', 'click')
  if (report.compare) search.set('compare', '1')
  if (report.sort !== null) {
    search.set('sort', report.sort)
    search.set('direction', report.direction)
  }
  if (report.page > 1) search.set('page', String(report.page))
  for (const [id, values] of Object.entries(report.filters)) for (const value of values ?? []) search.append(`is.${id}`, value)
  return search
}

/** The body of the request an address stands for. */
export function reportBody(report: ReportAddress): ReportInput {
  const filters = Object.fromEntries(
    FILTER_IDS.flatMap((id) => {
      const values = report.filters[id]
      return values === undefined ? [] : [[id, DIMENSIONS[id].type === 'text' ? readTexts(values) : values]]
    }),
  ) as ReportInput['filters'] // each in the form of its dimension
  return {
    period: report.preset === 'custom' ? { preset: 'custom', from: report.from, to: report.to } : { preset: report.preset },
    group: report.group,
    metrics: report.metrics,
    currency: report.currency,
    time: report.time,
    compare: report.compare ? 'previous' : 'none',
    ...(report.sort === null ? {} : { sort: report.sort as MetricId, direction: report.direction }), // a metric or one of the groupings
    filters,
  }
}

function listOf<Value extends string>(text: string | null, known: readonly Value[]): Value[] {
  const parts = new Set((text ?? '').split(','))
  // in the order of the address, each once
  return [...parts].flatMap((part) => known.find((id) => id === part) ?? [])
}

function dayOf(text: string | null): string | null {
  return text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : null
}
