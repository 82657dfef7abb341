import type { z } from 'zod'
import type { affiliateDashboard, staffDashboard } from '#contract/dashboard.ts'
import type { DimensionId } from '#contract/dimension.ts'
import type { MetricId } from '#contract/metric.ts'
import type { Currency } from '#contract/money.ts'
import { reportInput, reportSeriesInput } from '#contract/report.ts'
import { may } from '#server/platform/http/actor.ts'
import { listBalances } from '../ledger/ledger.queries.ts'
import { makeReport, type Asked, type Input, type ReportParts } from '../report/report.service.ts'
import { makeSeries } from '../report/series.service.ts'
import { countWaiting } from './dashboard.queries.ts'

type Staff = z.output<typeof staffDashboard>
type Wishes = { zone: string | null; currency: Currency | null }

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
]
const MONEY_FIGURES: MetricId[] = ['revenue', 'revenue_epc', 'profit', 'margin']
const TOP = 10

/** What staff see first: figures of their scope, and what waits for them. Throws as reports do. */
export async function makeStaffDashboard(parts: ReportParts, asked: Asked, wishes: Wishes): Promise<Staff> {
  const [figures, top_affiliates, waiting] = await Promise.all([
    makeFigures(parts, asked, wishes),
    makeTop(parts, asked, wishes, 'affiliate'),
    countWaiting(parts.db, asked.actor.scope),
  ])
  return { ...figures, top_affiliates, waiting }
}

/** What an affiliate sees first: its own figures and balance. */
export async function makeAffiliateDashboard(
  parts: ReportParts,
  asked: Asked,
  wishes: Wishes,
): Promise<z.output<typeof affiliateDashboard>> {
  const affiliateId = asked.actor.affiliateId ?? 0
  const [figures, balances] = await Promise.all([makeFigures(parts, asked, wishes), listBalances(parts.db, [affiliateId])])
  return { ...figures, balance: balances.get(affiliateId) ?? [], news: [] }
}

async function makeFigures(parts: ReportParts, asked: Asked, wishes: Wishes): Promise<Omit<Staff, 'top_affiliates' | 'waiting'>> {
  const metrics = metricsFor(asked)
  const [today, yesterday, month, series, top_offers, top_geos] = await Promise.all([
    makeReport(parts, asked, ask(wishes, { period: { preset: 'today' }, group: [], metrics, compare: 'previous' })),
    makeReport(parts, asked, ask(wishes, { period: { preset: 'yesterday' }, group: [], metrics, compare: 'previous' })),
    makeReport(parts, asked, ask(wishes, { period: { preset: 'this_month' }, group: [], metrics, compare: 'previous' })),
    makeSeries(parts, asked, reportSeriesInput.parse({ ...wishes, period: { preset: 'last_30_days' }, group: ['day'], metrics })),
    makeTop(parts, asked, wishes, 'offer'),
    makeTop(parts, asked, wishes, 'geo'),
  ])
  return {
    zone: today.zone,
    currency: currencyOf(today),
    rates_missing: [...new Set([today, yesterday, month, series].flatMap((part) => part.rates_missing))],
    today: figuresOf(today),
    yesterday: figuresOf(yesterday),
    month: figuresOf(month),
    series: { grain: series.grain, steps: series.steps, lines: series.lines },
    top_offers,
    top_geos,
  }
}

async function makeTop(parts: ReportParts, asked: Asked, wishes: Wishes, dimension: DimensionId): Promise<Staff['top_offers']> {
  const metrics = metricsFor(asked)
  const sort = metrics.includes('revenue') ? 'revenue' : 'payout'
  const { list } = await makeReport(
    parts,
    asked,
    ask(wishes, { period: { preset: 'last_30_days' }, group: [dimension], metrics, sort, count: TOP }),
  )
  return list.flatMap(({ keys: [key], values }) => (key === undefined ? [] : [{ key, values }]))
}

function metricsFor({ actor }: Asked): MetricId[] {
  return may(actor, 'report.money') ? [...OWN_FIGURES, ...MONEY_FIGURES] : OWN_FIGURES
}

function ask(wishes: Wishes, question: z.input<typeof reportInput>): Input {
  return reportInput.parse({ ...wishes, ...question })
}

type Made = Awaited<ReturnType<typeof makeReport>>

function figuresOf({ period, summary }: Made): Staff['today'] {
  return { ...period, values: summary.totals, previous: summary.previous ?? {} }
}

/** The dashboard never asks for each currency apart. */
function currencyOf({ currency }: Made): Currency {
  if (currency === 'each') throw new Error('a dashboard has one currency')
  return currency
}
