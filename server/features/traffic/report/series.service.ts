import type { z } from 'zod'
import { isFilter, type DimensionId } from '#contract/traffic/dimension.ts'
import { metricOf, type MetricId } from '#contract/traffic/metric.ts'
import { unknownBy, type reportSeries, type reportSeriesInput } from '#contract/traffic/report.ts'
import { daysIn } from '#server/statistics/period.ts'
import { isNumbered } from '#server/statistics/expression.ts'
import type { ReportPlan } from '#server/statistics/plan.ts'
import { runReport, type ReportRows } from '#server/statistics/report.ts'
import { grainFor, GRAINS, stepsOf, type Grain, type Step } from '#server/statistics/steps.ts'
import { addSums, metricValues, type MetricValues, type Sums } from '#server/statistics/sums.ts'
import { keysOf } from './keys.service.ts'
import { resolveQuestion, usedFilters, type Resolved } from './question.service.ts'
import { missingIn, mixesCurrencies, moments, stepsUntil, withoutMoney, type Asked, type ReportParts } from './report.service.ts'

type Input = z.output<typeof reportSeriesInput>
type Series = z.output<typeof reportSeries>
type Line = Series['lines'][number]
type Points = Line['points']

/** Lines beside the one for everything: more cannot be told apart. */
const LINES = 5
const MOST_POINTS = 10_000
const DAY = 86_400_000

/** Figures along time: everything, and the largest five of the first grouping other than time. Throws as `makeReport` does. */
export async function makeSeries({ db, clickhouse }: ReportParts, { now, actor, signal }: Asked, input: Input): Promise<Series> {
  const sorted = input.sort ?? input.metrics[0] ?? 'clicks'
  const resolved = await resolveQuestion(db, now, actor, { ...input, metrics: [...new Set([...input.metrics, sorted])] })
  const { range, zone, firstDay } = resolved.plan
  const asked = GRAINS.find((one) => input.group.some((group) => group === one))
  // One point is no line: a single day is drawn by its hours, however it is grouped.
  const grain = asked !== undefined && stepsOf(asked, range, zone, firstDay).length > 1 ? asked : grainFor(daysIn(range))
  const parted = resolved.currency === 'each' ? 'currency' : input.group.find(isFilter)
  // parts are the largest by something they know, and where they know nothing that is asked there are none to draw
  const unknown = unknownBy([sorted, ...input.metrics], parted === undefined ? [] : [parted], usedFilters(input.filters))
  const largest = [sorted, ...input.metrics].find((metric) => !unknown.includes(metric))
  const split = largest === undefined ? undefined : parted
  const base: ReportPlan = { ...resolved.plan, groups: [grain], order: { group: 0 }, direction: 'asc', limit: MOST_POINTS, offset: 0 }
  const whole = input.compare !== 'none' ? { ...base, ...(await resolved.previousPlan()), groups: base.groups } : null
  // days of one's choice may be many more than there are steps to draw them at
  const previous = whole && {
    ...whole,
    range: { ...whole.range, to: Math.min(whole.range.to, whole.range.from + range.to - range.from + DAY) },
  }

  const [all, before, top, mixed] = await Promise.all([
    runReport(clickhouse, base, signal),
    previous && runReport(clickhouse, previous, signal),
    split &&
      runReport(clickhouse, { ...base, groups: [split], order: { metric: largest ?? sorted }, direction: 'desc', limit: LINES }, signal),
    mixesCurrencies(clickhouse, resolved, previous, signal),
  ])
  const ids = top ? top.rows.map((row) => row.ids[0] ?? '') : []
  const [parts, partsBefore, keys] = await Promise.all([
    split && ids.length > 0 ? runReport(clickhouse, splitBy(base, split, ids), signal) : null,
    split && ids.length > 0 && previous ? runReport(clickhouse, splitBy(previous, split, ids), signal) : null,
    split ? keysOf(db, actor.scope, split, ids) : null,
  ])
  const steps = stepsUntil(grain, resolved.plan, now)
  const stepsBefore = previous && stepsOf(grain, previous.range, zone, firstDay).slice(0, steps.length)
  const draw = lineDrawer(input.metrics, steps, stepsBefore)
  const shown = <Drawn extends Omit<Line, 'key'>>(line: Drawn) => (mixed ? withoutMoneyIn(line) : line)
  const additive = input.metrics.filter((metric) => metricOf(metric).additive)
  const left = top && top.count > ids.length ? parts : null
  return {
    grain,
    steps: momentsOf(steps),
    previous_steps: stepsBefore && momentsOf(stepsBefore),
    unfinished: isRunning(grain, steps.at(-1), resolved.plan, now),
    lines: [shown(draw(null, all, before)), ...ids.map((id) => draw({ id, key: keys?.get(id) ?? null }, parts, partsBefore))],
    others:
      left &&
      shown({
        points: restOf(additive, steps, all, left),
        previous: stepsBefore && before && partsBefore && restOf(additive, stepsBefore, before, partsBefore),
      }),
    period: moments(range),
    previous: whole && moments(whole.range),
    zone,
    currency: resolved.currency,
    rates_missing: missingIn([all, before]),
    timing: all.timing,
  }
}

function momentsOf(steps: readonly Step[]): string[] {
  return steps.map(({ start }) => new Date(start * 1000).toISOString())
}

function splitBy(plan: ReportPlan, split: DimensionId, ids: readonly string[]): ReportPlan {
  const conditions = [...plan.conditions, { dimension: split, is: isNumbered(split) ? ids.map(Number) : ids }]
  return { ...plan, groups: [...plan.groups, split], conditions }
}

function lineDrawer(metrics: readonly MetricId[], steps: readonly Step[], stepsBefore: readonly Step[] | null) {
  const pointsOf = (rows: ReportRows | null, along: readonly Step[], id: string | null): Points => {
    const at = new Map(rows?.rows.filter((row) => id === null || row.ids[1] === id).map((row) => [row.ids[0], row.values]))
    const nothing = metricValues({}, metrics, rows?.known ?? (() => true))
    const values = along.map((step) => at.get(step.id) ?? nothing)
    return Object.fromEntries(metrics.map((metric) => [metric, values.map((value) => value[metric] ?? null)]))
  }
  return (part: { id: string; key: Line['key'] } | null, rows: ReportRows | null, before: ReportRows | null): Line => ({
    key: part?.key ?? null,
    points: pointsOf(rows, steps, part?.id ?? null),
    previous: stepsBefore && pointsOf(before, stepsBefore, part?.id ?? null),
  })
}

/** What some parts leave of everything. Taken from the sums before anything is rounded. */
function restOf(metrics: readonly MetricId[], steps: readonly Step[], all: ReportRows, parts: ReportRows): Points {
  const taken = parts.rows.map(({ ids, sums }) => ({ ids, sums: mapSums(sums, (sum) => -sum) }))
  const at = Map.groupBy([...all.rows, ...taken], (row) => row.ids[0])
  const values = steps.map(({ id }) => {
    const rest = addSums((at.get(id) ?? []).map((row) => row.sums))
    // a click that comes between the two questions is in the parts alone: never less than nothing
    const counted = mapSums(rest, (sum) => (sum < 0n ? 0n : sum))
    return metricValues(counted, metrics, parts.known)
  })
  return Object.fromEntries(metrics.map((metric) => [metric, values.map((value) => value[metric] ?? null)]))
}

function mapSums(sums: Sums, change: (sum: bigint) => bigint): Sums {
  return Object.fromEntries(Object.entries(sums).map(([id, sum]) => [id, change(sum)]))
}

/** Whether a step is the one that holds the present moment. */
function isRunning(grain: Grain, step: Step | undefined, { zone, firstDay }: Resolved['plan'], now: number): boolean {
  return stepsOf(grain, { from: now, to: now + 1 }, zone, firstDay)[0]?.id === step?.id
}

function withoutMoneyIn<Drawn extends Omit<Line, 'key'>>(line: Drawn): Drawn {
  return { ...line, points: hideMoney(line.points), previous: line.previous && hideMoney(line.previous) }
}

function hideMoney(points: Points): Points {
  const hidden = withoutMoney(Object.fromEntries(Object.keys(points).map((metric) => [metric, 0])) as MetricValues) // its own metrics
  return Object.fromEntries(
    Object.entries(points).map(([metric, values]) => [metric, hidden[metric as MetricId] === null ? values.map(() => null) : values]),
  )
}
