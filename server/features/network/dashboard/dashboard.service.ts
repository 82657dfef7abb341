import type { z } from 'zod'
import type { affiliateDashboard, staffDashboard } from '#contract/network/dashboard.ts'
import type { DimensionId } from '#contract/traffic/dimension.ts'
import { isOfLeads, type MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { PERIOD_PRESETS } from '#contract/traffic/period.ts'
import { reportFilters } from '#contract/traffic/report.ts'
import { affiliateOf, may } from '#server/access/actor.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { resolvePeriod, type Range } from '#server/statistics/period.ts'
import type { ReportPlan } from '#server/statistics/plan.ts'
import { runReport, type ReportRows } from '#server/statistics/report.ts'
import { stepsOf } from '#server/statistics/steps.ts'
import { addSums, metricValues, type Known, type MetricValues } from '#server/statistics/sums.ts'
import { listOwnBalances } from '#server/features/money/ledger/balance.service.ts'
import { keysOf } from '#server/features/traffic/report/keys.service.ts'
import { resolveQuestion, type Resolved } from '#server/features/traffic/report/question.service.ts'
import { missingIn, moments, type Asked, type ReportParts } from '#server/features/traffic/report/report.service.ts'

type Staff = z.output<typeof staffDashboard>
type Wishes = { zone: string | null; currency: Currency | null }

// sums and ratios of sums only: uniques of a month are not those of its days
const OWN_FIGURES: MetricId[] = [
  'clicks',
  'conversions',
  'approved',
  'hold',
  'pending',
  'declined',
  'cr',
  'approval',
  'epc',
  'payout',
  'hold_payout',
  'pending_payout',
]
const MONEY_FIGURES: MetricId[] = ['revenue', 'pending_revenue', 'revenue_epc', 'profit', 'margin']
/** What the lists of the largest tell: each of the others would be one more column for the engine to add up. */
const TOP_FIGURES: readonly MetricId[] = ['clicks', 'conversions', 'payout', 'revenue']
const TOP = 10
const WITHOUT_LEADS: Known = (metric) => !isOfLeads(metric)

/** What staff see first: figures of their scope. Throws as reports do. */
export async function makeStaffDashboard(parts: ReportParts, asked: Asked, wishes: Wishes): Promise<Staff> {
  const figures = await makeFigures(parts, asked, wishes, ['offer', 'geo', 'affiliate'])
  const [top_offers = [], top_geos = [], top_affiliates = []] = figures.tops
  return { ...figures.common, top_offers, top_geos, top_affiliates }
}

/** What an affiliate sees first: its own figures and balance. */
export async function makeAffiliateDashboard(
  parts: ReportParts,
  asked: Asked,
  wishes: Wishes,
): Promise<z.output<typeof affiliateDashboard>> {
  const { actor, now } = asked
  const [figures, balance] = await Promise.all([
    makeFigures(parts, asked, wishes, ['offer', 'geo']),
    listOwnBalances(parts.db, now, affiliateOf(actor), wishes.zone ?? actor.timeZone),
  ])
  const [top_offers = [], top_geos = []] = figures.tops
  return { ...figures.common, top_offers, top_geos, balance }
}

type Common = Pick<Staff, 'zone' | 'currency' | 'rates_missing' | 'today' | 'yesterday' | 'month' | 'series'>

/** Everything with a time comes from one report, cut wherever a day or one of the stretches begins or ends. */
async function makeFigures(
  parts: ReportParts,
  asked: Asked,
  wishes: Wishes,
  tops: readonly DimensionId[],
): Promise<{ common: Common; tops: Staff['top_offers'][] }> {
  const { now, actor, signal } = asked
  const zone = wishes.zone ?? actor.timeZone
  const period = (preset: (typeof PERIOD_PRESETS)[number]) => resolvePeriod({ preset, from: null, to: null }, zone, now)
  const stretches = { today: period('today'), yesterday: period('yesterday'), month: period('this_month') }
  const thirty = period('last_30_days').range
  const whole = { from: Math.min(thirty.from, stretches.month.previous.from), to: thirty.to }
  const resolved = await resolve(parts, asked, { ...wishes, zone }, tops, whole)
  const plan: ReportPlan = { ...resolved.plan, range: whole, groups: [], order: { group: 0 }, direction: 'asc', limit: TOP, offset: 0 }
  const days = stepsOf('day', thirty, zone)
  const edges = Object.values(stretches).flatMap(({ range, previous }) => [range.from, range.to, previous.from, previous.to])
  const cuts = [...new Set([whole.from / 1000, ...edges.map((edge) => edge / 1000), ...days.map((day) => day.start)])].toSorted(
    (a, b) => a - b,
  )

  const [byTime, ...largest] = await Promise.all([
    runReport(parts.clickhouse, { ...plan, groups: ['day'], cuts, limit: cuts.length }, signal),
    ...tops.map((dimension) => makeTop(parts, asked, { ...plan, range: thirty }, dimension)),
  ])
  const within = sumsWithin(byTime, plan.metrics)
  const figures = ({ range, previous }: { range: Range; previous: Range }) => ({
    ...moments(range),
    values: within(range),
    previous: within(previous),
  })
  const points = days.map((day, index) => within({ from: day.start * 1000, to: (days[index + 1]?.start ?? thirty.to / 1000) * 1000 }))
  return {
    common: {
      zone,
      currency: oneCurrency(resolved),
      rates_missing: missingIn([byTime]),
      today: figures(stretches.today),
      yesterday: figures(stretches.yesterday),
      month: figures(stretches.month),
      series: {
        grain: 'day',
        steps: days.map((day) => new Date(day.start * 1000).toISOString()),
        lines: [
          {
            key: null,
            points: Object.fromEntries(plan.metrics.map((metric) => [metric, points.map((point) => point[metric] ?? null)])),
            previous: null,
          },
        ],
      },
    },
    tops: largest,
  }
}

function resolve(
  { db }: ReportParts,
  { now, actor }: Asked,
  wishes: Wishes & { zone: string },
  tops: readonly DimensionId[],
  whole: Range,
): Promise<Resolved> {
  return resolveQuestion(db, now, actor, {
    ...wishes,
    period: { preset: 'custom', from: dayIn(whole.from, wishes.zone), to: dayIn(whole.to - 1, wishes.zone), first_day: 'monday' },
    time: 'conversion',
    filters: reportFilters.parse({}),
    group: [...tops],
    metrics: may(actor, 'report.money') ? [...OWN_FIGURES, ...MONEY_FIGURES] : OWN_FIGURES,
  })
}

async function makeTop(
  { db, clickhouse }: ReportParts,
  { actor, signal }: Asked,
  plan: ReportPlan,
  dimension: DimensionId,
): Promise<Staff['top_offers']> {
  const metric = plan.metrics.includes('revenue') ? 'revenue' : 'payout'
  const metrics = plan.metrics.filter((one) => TOP_FIGURES.includes(one))
  const { rows } = await runReport(
    clickhouse,
    { ...plan, groups: [dimension], metrics, order: { metric }, direction: 'desc', limit: TOP },
    signal,
  )
  const keys = await keysOf(
    db,
    actor.scope,
    dimension,
    rows.map((row) => row.ids[0] ?? ''),
  )
  return rows.flatMap((row) => {
    const key = keys.get(row.ids[0] ?? '')
    return key === undefined ? [] : [{ key, values: row.values }]
  })
}

/** The figures of any stretch that begins and ends at a cut. */
function sumsWithin(byTime: ReportRows, metrics: readonly MetricId[]): (range: Range) => MetricValues {
  return ({ from, to }) => {
    const inside = byTime.rows.filter((row) => Number(row.ids[0]) * 1000 >= from && Number(row.ids[0]) * 1000 < to)
    return metricValues(addSums(inside.map((row) => row.sums)), metrics, WITHOUT_LEADS)
  }
}

/** The dashboard never asks for each currency apart. */
function oneCurrency({ currency }: Resolved): Currency {
  if (currency === 'each') throw new Error('a dashboard has one currency')
  return currency
}
