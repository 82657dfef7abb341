import { z } from 'zod'
import { DIMENSION_IDS, dimensionOf, DIMENSIONS, FILTER_IDS, type DimensionId, type FilterId } from './dimension.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, timeZone, uuid } from '#contract/fields.ts'
import { trafficAsked } from '#contract/leads/traffic-type.ts'
import { offerType } from '#contract/offers/offer-type.ts'
import { METRIC_IDS, metricOf, type MetricId, type Side } from './metric.ts'
import { areInOrder, period, PERIOD_PRESETS, reportDay, REVERSED } from './period.ts'
import { currency } from '#contract/money/amount.ts'
import { paging } from '#contract/paging.ts'

/** What figures are compared with: the period before, the same days a year ago, or days of one's choice. */
export const COMPARISONS = ['none', 'previous', 'year', 'custom'] as const

/** How many dimensions a report is grouped by at most. */
export const MAX_GROUPS = 4
/** The longest period in days, by the finest time grouping. A longer one is refused with `range_too_long`. */
export const MAX_DAYS = { hour: 62, other: 1830 } as const

const dimension = z.enum(DIMENSION_IDS)
const metric = z.enum(METRIC_IDS)

/** How a report is compared. */
const comparison = {
  compare: z.enum(COMPARISONS).default('none'),
  /** Days of the zone, both inclusive; they belong to `custom`. */
  compare_days: z.object({ from: reportDay, to: reportDay }).refine(areInOrder, REVERSED).nullable().default(null),
  /** Moves the days compared with by a few, so that they begin on the weekday the period begins on. */
  match_weekday: z.boolean().default(false),
}
type Comparison = z.output<z.ZodObject<typeof comparison>>
const hasItsDays = ({ compare, compare_days: days }: Comparison) => compare !== 'custom' || days !== null
const NO_DAYS = { message: 'Choose both days', path: ['compare_days'] }

/** Keys of entities: uuids or the numbers people know. */
const keys = z.array(z.union([uuid, z.string().regex(/^\d{1,9}$/)])).max(200)
const codes = z.array(z.string().max(64)).max(250)
const currencies = z.array(currency).max(50)
const noPart = z.string().max(0, 'Only texts are searched for a part').default('')

/** A text of clicks: whole values, or a part of one. */
export const textFilter = (longest = 255) => filterBy(z.array(z.string().max(longest)).max(200), z.string().max(longest).default(''))

/**
 * What a filter takes: rows must have one of `is`, or `contains` in whatever case, or be empty where `empty` is true (any of
 * the three that are given); and must have none of `not`, nor be empty where `empty` is false. Values are compared whole; a
 * country or device nobody knows is empty too. A list is short for `is`.
 */
function filterBy(values: z.ZodType<string[], string[]>, contains: z.ZodDefault<z.ZodString>) {
  const asked = z.object({ is: values.default([]), not: values.default([]), contains, empty: z.boolean().nullable().default(null) })
  return z
    .union([values, asked])
    .transform((given): z.output<typeof asked> => (Array.isArray(given) ? { is: given, not: [], contains: '', empty: null } : given))
    .prefault({})
}
/** A filter as it is understood. */
export type AskedOf = z.output<ReturnType<typeof textFilter>>

const FILTER_BY_TYPE = { entity: filterBy(keys, noPart), code: filterBy(codes, noPart), text: textFilter() }
type FilterShape = Record<FilterId, ReturnType<typeof filterBy>>

/** One field per dimension; an empty one does not filter. `goal` narrows conversions only, `reason` clicks only; by `product` there are figures of leads alone. */
export const reportFilters = z.object(
  Object.fromEntries(
    FILTER_IDS.map((id) => [id, id === 'currency' ? filterBy(currencies, noPart) : FILTER_BY_TYPE[DIMENSIONS[id].type]]),
  ) as FilterShape, // each id with its schema
)

const question = {
  period: period.prefault({}),
  /** null = the caller's own zone. */
  zone: timeZone.nullable().default(null),
  /** One currency for all amounts, converted at the rate of each conversion's day in the zone of the network; `each` = a row per currency; null = the default of `options`. */
  currency: z
    .union([currency, z.literal('each')])
    .nullable()
    .default(null),
  /** When a conversion counts: at its own time, or at the time of its click. */
  time: z.enum(['conversion', 'click']).default('conversion'),
  /** Whether payout, revenue and what follows from them (profit, margin, EPC) count pending conversions, as `conversions` and CR do. */
  pending: z.boolean().default(false),
  /** Only what belongs to offers of this type; null = of both. */
  offer_type: offerType.nullable().default(null),
  /** Of offers of leads; where both types are asked for nothing said means both. */
  traffic: trafficAsked,
  filters: reportFilters.prefault({}),
}

const groups = z
  .array(dimension)
  .max(MAX_GROUPS)
  .refine((list) => new Set(list).size === list.length, 'Each grouping once')
  .refine(haveSideInCommon, 'Clicks, conversions and leads have no such groupings in common: choose one of them')
const metrics = z
  .array(metric)
  .min(1)
  .max(METRIC_IDS.length)
  .refine((list) => new Set(list).size === list.length, 'Each metric once')

export const reportInput = z
  .object({
    ...paging,
    ...question,
    ...comparison,
    /** In the order of the columns; none gives one row for everything. */
    group: groups.default(['day']),
    metrics: metrics.default(['clicks', 'conversions', 'payout']),
    /** A metric or one of the groupings; null = the first time grouping upwards, else the first metric downwards. */
    sort: z.union([metric, dimension]).nullable().default(null),
    direction: z.enum(['asc', 'desc']).default('desc'),
    /** Part of a name, number or value of any grouping but time. */
    search: line(100).default(''),
  })
  .refine(hasItsDays, NO_DAYS)
export type ReportInput = z.input<typeof reportInput>

type Sorted<Column> = {
  sort: Column | null
  direction: 'asc' | 'desc'
  group: readonly DimensionId[]
  metrics: readonly MetricId[]
}

/** What the rows are in the order of, also where `sort` is null. */
export function reportSort<Column extends string>({
  sort,
  direction,
  group,
  metrics: shown,
}: Sorted<Column>): {
  column: Column | MetricId | DimensionId
  direction: 'asc' | 'desc'
} {
  if (sort !== null) return { column: sort, direction }
  const time = group.find((one) => dimensionOf(one).type === 'time')
  return time === undefined ? { column: shown[0] ?? 'clicks', direction: 'desc' } : { column: time, direction: 'asc' }
}

/** Metric → count, seconds or percent as a number, money as text; null = cannot be said (÷ 0, or the side is not grouped by). */
export const metricValues = z.partialRecord(metric, z.union([z.string(), z.number()]).nullable())

/** `id` is what filters take; `label` is a name, or the id itself; '' is an empty value. `uuid` only where there is a page the caller may open. */
export const reportKey = z.object({ id: z.string(), label: z.string(), uuid: uuid.nullable() })

const range = z.object({ from: moment, to: moment })
/** So many days without a rate are named. */
export const MISSING_DAYS = 31

/** A currency that had no rate on some days with amounts in it; `days` are the first of them, of the zone of the network. */
export const ratesMissing = z.object({ currency, days: z.array(z.string()), count: z.int() })

/** What was asked, as it was understood. `to` is exclusive. */
const resolved = z.object({
  period: range,
  previous: range.nullable(),
  zone: z.string(),
  currency: z.union([currency, z.literal('each')]),
  /** What amounts lacked a rate: sums they would belong to are null. */
  rates_missing: z.array(ratesMissing),
  timing: z.object({ engine_ms: z.number(), rows_read: z.int(), source: z.string() }),
})

export const reportRow = z.object({
  /** One per grouping, in order; with currency `each` one more: the currency. */
  keys: z.array(reportKey),
  values: metricValues,
  /** The same of the period compared with: time rows by position (first day ↔ first day), others by key. null where it has no such day. */
  previous: metricValues.nullable(),
  /** Per grouping, the key those figures stand under there: another day for a day, the same for anything but time. */
  previous_keys: z.array(z.string()).nullable(),
})

export const report = resolved.extend({
  list: z.array(reportRow),
  /** Sums of this page's additive metrics. */
  total: metricValues,
  /** The whole result: its rows and figures (not the sum of rows for rates and uniques). Money is null when several currencies would be added. */
  summary: z.object({ rows: z.int(), totals: metricValues, previous: metricValues.nullable() }),
  /** What people and things that filters name are called. */
  filtered: z.partialRecord(dimension, z.array(reportKey)),
})
export type Report = z.output<typeof report>

export const reportSeriesInput = z
  .object({
    ...question,
    ...comparison,
    group: groups.default([]),
    metrics: metrics.default(['clicks', 'conversions', 'payout']),
    /** The metric whose five largest values of the first grouping get a line; null = the first. */
    sort: metric.nullable().default(null),
  })
  .refine(hasItsDays, NO_DAYS)

const points = z.partialRecord(metric, z.array(z.union([z.string(), z.number()]).nullable()))

export const reportSeries = resolved.extend({
  grain: z.enum(['hour', 'day', 'week', 'month']),
  /** The start of each step, also of those without figures. */
  steps: z.array(moment),
  /** The steps of the period compared with, by position: no more than there are steps. */
  previous_steps: z.array(moment).nullable(),
  /** The last step is still running: its figures grow, and those of the period before end at the same time of day. */
  unfinished: z.boolean(),
  /** Everything; then, where the first grouping other than time has them, its five largest. */
  lines: z.array(z.object({ key: reportKey.nullable(), points, previous: points.nullable() })),
  /** Everything without its five largest: exact, so only of metrics that are sums. null = these are everything. */
  others: z.object({ points, previous: points.nullable() }).nullable(),
})
export type ReportSeries = z.output<typeof reportSeries>

/** Ids only: what they are called is a text of the panel. */
export const reportOptions = z.object({
  dimensions: z.array(
    z.object({ id: dimension, type: z.string(), group: z.string(), side: z.enum(['click', 'conversion', 'lead']).nullable() }),
  ),
  metrics: z.array(z.object({ id: metric, type: z.string(), approximate: z.boolean(), additive: z.boolean() })),
  presets: z.array(z.enum(PERIOD_PRESETS)),
  /** Those that amounts can be converted to. */
  currencies: z.array(currency),
  /** What null stands for in a request. */
  currency,
  zone: z.string(),
})

/** Statistics of direct links and of offers of leads: one engine for every figure. */
export const reportApi = {
  options: endpoint({
    method: 'POST',
    path: '/api/report/v1/options',
    access: 'report.read',
    reads: true,
    summary: 'Groupings, metrics and currencies the caller may use.',
    response: reportOptions,
  }),
  run: endpoint({
    method: 'POST',
    path: '/api/report/v1/run',
    access: 'report.read',
    reads: true,
    summary: 'Figures by up to four groupings, in the own scope.',
    body: reportInput,
    response: report,
  }),
  series: endpoint({
    method: 'POST',
    path: '/api/report/v1/series',
    access: 'report.read',
    reads: true,
    summary: 'The same figures along time, for a chart.',
    body: reportSeriesInput,
    response: reportSeries,
  }),
}

/** Whether clicks, conversions or leads have all of these dimensions; rows that neither has would be no rows. */
export function haveSideInCommon(dimensions: readonly DimensionId[]): boolean {
  return new Set(dimensions.flatMap((id) => dimensionOf(id).side ?? [])).size <= 1
}

/** Whether figures of a side are known by these groupings, with filters that name `narrowed`. */
export function isKnownBy(side: Side, groups: readonly DimensionId[], narrowed: readonly DimensionId[] = []): boolean {
  return (
    groups.every((group) => (dimensionOf(group).side ?? side) === side) &&
    // of what was sent to one product the money is not known apart: all of it beside its leads would be taken for its own
    (side === 'lead' || narrowed.every((dimension) => dimensionOf(dimension).side !== 'lead'))
  )
}

/** The figures nobody knows by these groupings and filters: a report has their columns, and null in each row. */
export function unknownBy(metrics: readonly MetricId[], groups: readonly DimensionId[], narrowed: readonly DimensionId[]): MetricId[] {
  return metrics.filter(
    (metric) =>
      !metricOf(metric).sides.every((side) => isKnownBy(side, groups, narrowed)) || missesUntaken(metric, [...groups, ...narrowed]),
  )
}

/** Whether a figure is made of leads nobody took as well, and is asked for by who has a lead: every one that has somebody was taken, so that all of them look accepted. */
export function missesUntaken(metric: MetricId, by: readonly DimensionId[]): boolean {
  return metricOf(metric).untaken === true && by.some((dimension) => dimensionOf(dimension).taker === true)
}
