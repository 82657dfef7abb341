import { METRICS, type MetricId } from '#contract/traffic/metric.ts'
import { addAmounts, multiplied, type Currency } from '#contract/money/amount.ts'
import { integer, money, percent, UNKNOWN } from './format.ts'
import { locale } from './notation.ts'

export type MetricValue = number | string | null | undefined

/** A figure as people read it: whole numbers grouped, money in its currency, rates with two decimals, durations in two units. */
export function formatMetric(id: MetricId, value: MetricValue, currency: Currency): string {
  if (value === null || value === undefined) return UNKNOWN
  const { type, approximate } = METRICS[id] as { type: string; approximate?: true } // literal entries; only some are estimates
  if (type === 'money') return money(String(value), currency, /ep[cl]$/.test(id) ? { decimals: 4 } : {})
  if (type === 'percent') return percent(value)
  if (type === 'duration') return duration(Number(value))
  if (type === 'wait') return wait(Number(value))
  return `${approximate ? '≈ ' : ''}${integer(value)}`
}

/** The same at a mark of an axis: thousands as K, and no decimals that say nothing. */
export function axisMetric(id: MetricId, value: number, currency: Currency): string {
  const { type } = METRICS[id]
  if (type === 'duration' || type === 'wait' || (type === 'money' && value !== 0 && Math.abs(value) < 1))
    return formatMetric(id, value, currency)
  if (type === 'percent') return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'percent', maximumFractionDigits: 2 }).format(value)
  const compact = { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: Math.abs(value) < 1000 ? 2 : 1 } as const
  if (type !== 'money' || !/^[A-Z]{3}$/.test(currency)) return new Intl.NumberFormat(locale(), compact).format(value)
  return new Intl.NumberFormat(locale(), { ...compact, style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(value)
}

/** Figures that are neither good nor bad news by themselves: more payout is more business and more cost. */
const NEUTRAL: ReadonlySet<MetricId> = new Set([
  'payout',
  'hold_payout',
  'pending_payout',
  'pending_revenue',
  'hold',
  'pending',
  'filtered',
  'leads_waiting',
])
/** Those of them that are what an affiliate earns. */
const EARNED: ReadonlySet<MetricId> = new Set(['payout', 'hold_payout'])
/** Figures whose rise is bad news. */
const WORSE_ABOVE: ReadonlySet<MetricId> = new Set([
  'refused',
  'declined',
  'trash',
  'time_to_conversion',
  'leads_rejected',
  'leads_duplicate',
  'answer_time',
])

/**
 * How a figure stands against the one before: by how much it moved (null: nothing to compare with), as a percentage of the
 * earlier one or, where the figure is a rate, in percentage points, and what that is for the network, or for the affiliate who earns it.
 * A fall that `pending` (see `pendingPart`) may yet make up for is no bad news: recent days are never decided as far as earlier ones.
 */
export function change(
  id: MetricId,
  now: MetricValue,
  before: MetricValue,
  earns = false,
  pending: MetricValue = null,
): { by: number | null; unit: 'percent' | 'points'; news: 'good' | 'bad' | 'neutral' } {
  const rate = METRICS[id].type === 'percent'
  const unit = rate ? 'points' : 'percent'
  const [value, earlier] = [Number(now ?? 0), Number(before ?? 0)]
  // a rate of what was not there is none, while a figure of nothing is zero
  const unknown = rate ? typeof now !== 'number' || typeof before !== 'number' : earlier === 0 || now === null
  // what two decimals do not show is no change
  const by = unknown ? null : Math.round((rate ? value - earlier : ((value - earlier) / Math.abs(earlier)) * 100) * 100) / 100
  const news =
    by === null || by === 0 || (NEUTRAL.has(id) && !(earns && EARNED.has(id))) ? 'neutral' : by > 0 === WORSE_ABOVE.has(id) ? 'bad' : 'good'
  return { by, unit, news: news === 'bad' && pending !== null && value + Number(pending) >= earlier ? 'neutral' : news }
}

/** What a figure would have more if every pending conversion were approved; null for figures that count them anyway, and where it is nothing. */
export function pendingPart(id: MetricId, values: Partial<Record<MetricId, MetricValue>> | undefined): string | null {
  const part = partOf(id, values ?? {})
  return part === null || Number(part) === 0 ? null : part
}

/** The figures `pendingPart` follows from: asked for beside those that are shown. */
export function pendingBehind(metrics: readonly MetricId[]): MetricId[] {
  const behind: MetricId[] = [
    ...(metrics.some((id) => id === 'payout' || id === 'epc' || id === 'profit') ? (['pending_payout'] as const) : []),
    ...(metrics.some((id) => id === 'revenue' || id === 'revenue_epc' || id === 'profit') ? (['pending_revenue'] as const) : []),
    ...(metrics.some((id) => id === 'epc' || id === 'revenue_epc') ? (['clicks'] as const) : []),
  ]
  return behind.filter((id) => !metrics.includes(id))
}

function partOf(id: MetricId, { pending_payout: payout, pending_revenue: revenue, clicks }: Partial<Record<MetricId, MetricValue>>) {
  const perClick = (money: MetricValue) =>
    typeof money === 'string' && Number(clicks ?? 0) > 0 ? multiplied(money, 1n, BigInt(clicks ?? 1), 8) : null
  if (id === 'payout') return typeof payout === 'string' ? payout : null
  if (id === 'revenue') return typeof revenue === 'string' ? revenue : null
  if (id === 'epc') return perClick(payout)
  if (id === 'revenue_epc') return perClick(revenue)
  if (id !== 'profit' || typeof payout !== 'string' || typeof revenue !== 'string') return null
  return addAmounts(revenue, multiplied(payout, -1n, 1n, 8))
}

/** Milliseconds, as seconds from the first one on: 340 ms, 1.2 sec. */
function wait(ms: number): string {
  const [value, unit] = ms < 1000 ? [ms, 'millisecond'] : [ms / 1000, 'second']
  return new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 }).format(value)
}

/** Seconds in the two largest units: 2 hr, 5 min. */
export function duration(seconds: number): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const shown = (unit: (typeof units)[number][0], count: number) =>
    new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'short' }).format(count)
  const first = units.findIndex(([, size]) => seconds >= size)
  if (first === -1) return shown('second', Math.round(seconds))
  let rest = Math.round(seconds)
  return units
    .slice(first, first + 2)
    .map(([name, size]) => {
      const count = Math.floor(rest / size)
      rest -= count * size
      return count > 0 ? shown(name, count) : ''
    })
    .filter(Boolean)
    .join(' ')
}
