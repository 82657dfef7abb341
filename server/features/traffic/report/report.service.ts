import type { z } from 'zod'
import { dimensionOf, DIMENSIONS, isFilter, type DimensionId } from '#contract/traffic/dimension.ts'
import { metricOf, type MetricId } from '#contract/traffic/metric.ts'
import { addAmounts, type Currency } from '#contract/money/amount.ts'
import { MISSING_DAYS, reportSort, type ratesMissing, type report, type reportInput, type reportRow } from '#contract/traffic/report.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Condition, ReportPlan } from '#server/statistics/plan.ts'
import { isNumbered } from '#server/statistics/expression.ts'
import { runReport, type ReportRows } from '#server/statistics/report.ts'
import { stepsOf, type Step } from '#server/statistics/steps.ts'
import { isMoney, metricValues, MONEY_METRICS, type MetricValues } from '#server/statistics/sums.ts'
import { ranksByName } from './entity.queries.ts'
import { isNamed, keysOf } from './keys.service.ts'
import { keysOfFilters, refuseForbidden, resolveQuestion, type Resolved } from './question.service.ts'

export type Input = z.output<typeof reportInput>
type Row = z.output<typeof reportRow>
type Missing = z.output<typeof ratesMissing>

export type ReportParts = { db: Db; clickhouse: Clickhouse }
export type Asked = { now: number; actor: Actor; signal?: AbortSignal | undefined }

/** More rows of the previous period than this are not searched for the ones of a page. */
const MOST_PREVIOUS = 10_000

/** One page of a report with its totals. Throws `forbidden`, `range_too_long`, `report_too_heavy`, `statistics_away`. */
export async function makeReport(
  { db, clickhouse }: ReportParts,
  { now, actor, signal }: Asked,
  input: Input,
): Promise<z.output<typeof report>> {
  const sort = sortOf(input)
  const sorted = sort.metric !== undefined && !input.metrics.includes(sort.metric) ? [...input.metrics, sort.metric] : input.metrics
  const resolved = await resolveQuestion(db, now, actor, { ...input, metrics: sorted })
  const order = await orderOf(db, actor, sort, resolved)
  const plan: ReportPlan = { ...resolved.plan, ...order, limit: input.count, offset: (input.page - 1) * input.count }
  const previousPlan = input.compare !== 'none' ? { ...plan, ...(await resolved.previousPlan()), offset: 0 } : null

  const [rows, previousTotals, mixed, filtered] = await Promise.all([
    runReport(clickhouse, plan, signal),
    previousPlan && runReport(clickhouse, wholeOf(previousPlan), signal),
    mixesCurrencies(clickhouse, resolved, previousPlan, signal),
    keysOfFilters(db, actor, resolved.numbers),
  ])
  const previousRows =
    previousPlan === null || rows.rows.length === 0
      ? null
      : plan.groups.length === 0
        ? previousTotals
        : await runReport(clickhouse, narrowed(previousPlan, rows), signal)
  const shown = (values: MetricValues) => Object.fromEntries(input.metrics.map((metric) => [metric, values[metric] ?? null]))
  const whole = (values: MetricValues) => (mixed ? withoutMoney(shown(values)) : shown(values))
  const list = await present(db, actor, plan, rows, previousRows, shown)
  return {
    list,
    total: pageTotal(list, input.metrics, resolved.currency === 'each'),
    summary: { rows: rows.count, totals: whole(rows.totals), previous: previousTotals && whole(previousTotals.totals) },
    filtered,
    period: moments(plan.range),
    previous: previousPlan && moments(previousPlan.range),
    zone: plan.zone,
    currency: resolved.currency,
    rates_missing: missingIn([rows, previousTotals]),
    timing: rows.timing,
  }
}

/** A range as the contract shows it. */
export function moments(range: { from: number; to: number }): { from: string; to: string } {
  return { from: new Date(range.from).toISOString(), to: new Date(range.to).toISOString() }
}

/** The currencies and days without a rate in some results. */
export function missingIn(results: readonly (ReportRows | null)[]): Missing[] {
  const by = Map.groupBy(
    results.flatMap((result) => result?.ratesMissing ?? []),
    ({ currency }) => currency,
  )
  return [...by].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([currency, found]) => together(currency, found))
}

/** What lies in two results is counted once, where all of it is named. */
function together(currency: Currency, found: readonly Missing[]): Missing {
  const days = [...new Set(found.flatMap((one) => one.days))].toSorted()
  const unnamed = found.reduce((sum, one) => sum + one.count - one.days.length, 0)
  return { currency, days: days.slice(0, MISSING_DAYS), count: days.length + unnamed }
}

/** Whether rows in their own currencies would be added up across several: their sums of money would mean nothing. */
export async function mixesCurrencies(
  clickhouse: Clickhouse,
  resolved: Resolved,
  previous: ReportPlan | null,
  signal?: AbortSignal,
): Promise<boolean> {
  if (resolved.currency !== 'each') return false
  const metrics: MetricId[] = ['approved', 'hold', 'pending', 'declined']
  const byCurrency = {
    ...resolved.plan,
    groups: ['currency' as const],
    metrics,
    order: { group: 0 },
    direction: 'asc' as const,
    limit: 2,
    offset: 0,
  }
  const results = await Promise.all([
    runReport(clickhouse, byCurrency, signal),
    ...(previous === null ? [] : [runReport(clickhouse, { ...byCurrency, range: previous.range }, signal)]),
  ])
  return results.some((result) => result.count > 1)
}

/** The same figures with every amount unsaid. */
export function withoutMoney(values: MetricValues): MetricValues {
  return Object.fromEntries(
    (Object.entries(values) as [MetricId, MetricValues[MetricId]][]).map(([metric, value]) => [
      metric,
      isMoney(metric) ? null : (value ?? null),
    ]), // its own keys
  )
}

type Sort = { metric?: MetricId; group?: DimensionId; direction: 'asc' | 'desc' }

function sortOf(input: Input): Sort {
  const { column, direction } = reportSort(input)
  return isDimension(column) ? { group: column, direction } : { metric: column, direction }
}

function isDimension(sort: MetricId | DimensionId): sort is DimensionId {
  return sort in DIMENSIONS
}

async function orderOf(db: Db, actor: Actor, sort: Sort, { plan }: Resolved): Promise<Pick<ReportPlan, 'order' | 'direction'>> {
  if (sort.metric !== undefined) {
    refuseForbidden(actor, [], [sort.metric])
    return { order: { metric: sort.metric }, direction: sort.direction }
  }
  const group = plan.groups.findIndex((dimension) => dimension === sort.group)
  if (group < 0 || sort.group === undefined) throw new AppError('bad_request', { fields: { sort: 'Sort by a column of the report' } })
  // Entities are ordered by what people read, not by the number the engine knows.
  const ranks = isNamed(sort.group) ? await ranksByName(db, actor.scope, sort.group) : undefined
  return { order: { group, ...(ranks === undefined ? {} : { ranks }) }, direction: sort.direction }
}

/** A plan's figures of everything. Groupings that only some rows have stay: without them it would count the others too. */
function wholeOf(plan: ReportPlan): ReportPlan {
  const groups = plan.groups.filter((group) => dimensionOf(group).side !== undefined)
  return { ...plan, groups, order: { metric: plan.metrics[0] ?? 'clicks' }, limit: 1 }
}

/** The previous period's plan for the keys of a page. Its times differ, so that they are matched by position afterwards. */
function narrowed(plan: ReportPlan, page: ReportRows): ReportPlan {
  const conditions: Condition[] = []
  for (const [index, dimension] of plan.groups.entries()) {
    if (!isFilter(dimension)) continue
    const ids = [...new Set(page.rows.map((row) => row.ids[index] ?? ''))]
    conditions.push({ dimension, is: isNumbered(dimension) ? ids.map(Number) : ids })
  }
  return { ...plan, conditions: [...plan.conditions, ...conditions], limit: MOST_PREVIOUS }
}

async function present(
  db: Db,
  actor: Actor,
  plan: ReportPlan,
  page: ReportRows,
  previous: ReportRows | null,
  shown: (values: MetricValues) => MetricValues,
): Promise<Row[]> {
  const keys = await Promise.all(
    plan.groups.map((group, index) =>
      keysOf(
        db,
        actor.scope,
        group,
        page.rows.map((row) => row.ids[index] ?? ''),
      ),
    ),
  )
  const before = new Map(previous?.rows.map((row) => [JSON.stringify(positions(plan, row.ids, previous.steps)), row.values]))
  const none = shown(metricValues({}, plan.metrics, page.known))
  return page.rows.map((row) => {
    const places = positions(plan, row.ids, page.steps)
    const there = previous && previousKeys(plan, row.ids, places, previous.steps)
    return {
      keys: row.ids.map((id, index) => keys[index]?.get(id) ?? { id, label: id, uuid: null }),
      values: shown(row.values),
      previous: there && shown(before.get(JSON.stringify(places)) ?? none),
      previous_keys: there,
    }
  })
}

/** What the times at some places are in the period before; null where it is too short for one of them. */
function previousKeys(
  plan: ReportPlan,
  ids: readonly string[],
  places: readonly (string | number)[],
  steps: ReadonlyMap<DimensionId, Step[]>,
): string[] | null {
  const keys = ids.map((id, index) => {
    const [group, place] = [plan.groups[index], places[index]]
    return group === undefined || typeof place !== 'number' ? id : steps.get(group)?.[place]?.id
  })
  return keys.every((key) => key !== undefined) ? keys : null
}

/** Keys with each time replaced by its place in the period: the first day answers to the first day of the period before. */
function positions(plan: ReportPlan, ids: readonly string[], steps: ReadonlyMap<DimensionId, Step[]>): (string | number)[] {
  return ids.map((id, index) => {
    const group = plan.groups[index]
    const list = group === undefined || DIMENSIONS[group].type !== 'time' ? undefined : steps.get(group)
    return list === undefined ? id : list.findIndex((step) => step.id === id)
  })
}

function pageTotal(list: readonly Row[], metrics: readonly MetricId[], each: boolean): MetricValues {
  const mixed = each && new Set(list.map((row) => row.keys.at(-1)?.id)).size > 1
  return Object.fromEntries(
    metrics
      .filter((metric) => metricOf(metric).additive && !(mixed && MONEY_METRICS.includes(metric)))
      .map((metric) => {
        const values = list.map((row) => row.values[metric] ?? null)
        if (values.every((value) => value === null)) return [metric, null]
        // a sum without the amounts that lack a rate would be wrong
        if (isMoney(metric) && values.includes(null)) return [metric, null]
        return [
          metric,
          MONEY_METRICS.includes(metric)
            ? addAmounts(...values.map((value) => String(value ?? '0')))
            : values.reduce<number>((sum, value) => sum + Number(value ?? 0), 0),
        ]
      }),
  )
}

/** The steps of a plan's range in one grain, without those that have not begun. */
export function stepsUntil(grain: Parameters<typeof stepsOf>[0], { range, zone, firstDay }: Resolved['plan'], now: number): Step[] {
  const steps = stepsOf(grain, range, zone, firstDay)
  const begun = steps.filter((step) => step.start * 1000 <= now)
  return begun.length > 0 ? begun : steps
}
