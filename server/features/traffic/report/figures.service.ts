import type { z } from 'zod'
import { FIGURES, type FigureId, type figures, type figureTotals } from '#contract/traffic/figures.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { reportFilters } from '#contract/traffic/report.ts'
import { log } from '#server/platform/log.ts'
import { may } from '#server/access/actor.ts'
import type { Rank } from '#server/platform/pg/list-page.ts'
import { runReport } from '#server/statistics/report.ts'
import { addSums, metricValues, type Sums } from '#server/statistics/sums.ts'
import { refuseForbidden, resolveQuestion } from './question.service.ts'
import type { Asked, ReportParts } from './report.service.ts'

type Figures = z.input<typeof figures>
type Totals = z.input<z.ZodObject<typeof figureTotals>>
type Request = { figures: boolean; sort: string; direction: 'asc' | 'desc' }

/** The figures of the last 30 days of everything in the caller's scope. */
export type FigureBook = {
  /** null where statistics cannot be read. */
  of: (id: number) => Figures | null
  totals: (ids: readonly number[]) => Totals | undefined
  rank: Rank
}

const METRIC: Readonly<Record<Exclude<FigureId, 'last_at'>, MetricId>> = {
  clicks: 'clicks',
  conversions: 'conversions',
  cr: 'cr',
  epc: 'epc',
  total_payout: 'payout',
  total_revenue: 'revenue',
}
/** A list is not kept waiting for longer: it comes without figures. */
const PATIENCE_MS = 4000
/** More things with traffic than this are not told apart: the least busy have no figures. */
const MOST = 100_000

/**
 * Reads what the things of a list did, in one statement however many there are; undefined where the request asks for none.
 * A list comes without figures, and in the order of ids, where statistics are away or too slow. Throws `forbidden`.
 */
export async function figuresFor(
  { db, clickhouse }: ReportParts,
  { now, actor, signal }: Asked,
  group: 'offer' | 'affiliate' | 'advertiser' | 'manager',
  { figures: asked, sort, direction }: Request,
): Promise<FigureBook | undefined> {
  const by = FIGURES.find((id) => id === sort)
  if (by !== undefined && by !== 'last_at') refuseForbidden(actor, [], [METRIC[by]])
  if ((!asked && by === undefined) || !may(actor, 'report.read')) return undefined
  const metrics = Object.values(METRIC).filter((metric) => metric !== 'revenue' || may(actor, 'report.money'))
  const question = {
    period: LAST_30_DAYS,
    zone: null,
    currency: null,
    time: 'conversion' as const,
    filters: reportFilters.parse({}),
    group: [group],
    metrics,
  }
  const patience = AbortSignal.timeout(PATIENCE_MS)
  try {
    const { plan, currency } = await resolveQuestion(db, now, actor, question)
    if (currency === 'each') return NONE
    const report = await runReport(
      clickhouse,
      { ...plan, last: true, order: { metric: 'clicks' }, direction: 'desc', limit: MOST, offset: 0 },
      signal === undefined ? patience : AbortSignal.any([signal, patience]),
    )
    const known = new Map(report.rows.map((row) => [Number(row.ids[0]), row.sums]))
    const shown = (sums: Sums): Totals => {
      const { payout, revenue = null, ...values } = metricValues(sums, metrics, report.known)
      return { ...values, total_payout: payout, total_revenue: revenue, currency } as Totals // each metric by its type
    }
    const of = (id: number): Figures => {
      const sums = known.get(id) ?? {}
      return { ...shown(sums), last_at: sums.last ? new Date(Number(sums.last) * 1000).toISOString() : null }
    }
    return {
      of,
      totals: (ids) => shown(addSums(ids.map((id) => known.get(id) ?? {}))),
      rank: (ids) => (by === undefined ? ids : ranked(ids, direction, valuesBy(by, of))),
    }
  } catch (error) {
    log.warn({ err: error }, 'a list came without figures')
    return NONE
  }
}

const LAST_30_DAYS = { preset: 'last_30_days', from: null, to: null, first_day: 'monday' } as const
const NONE: FigureBook = { of: () => null, totals: () => undefined, rank: (ids) => ids }

/** What a row is ordered by; for order only. */
function valuesBy(by: FigureId, of: FigureBook['of']): (id: number) => number | null {
  return (id) => {
    const value = of(id)?.[by] ?? null
    return value === null ? null : by === 'last_at' ? Date.parse(String(value)) : Number(value)
  }
}

/** Nothing known comes last either way; rows that are alike keep the order they came in. */
function ranked(ids: readonly number[], direction: 'asc' | 'desc', valueOf: (id: number) => number | null): number[] {
  const values = new Map(ids.map((id) => [id, valueOf(id)]))
  const sign = direction === 'asc' ? 1 : -1
  return ids.toSorted((a, b) => {
    const [left = null, right = null] = [values.get(a), values.get(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    return (left - right) * sign
  })
}
