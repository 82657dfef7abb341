import { METRICS, type MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { integer, locale, money, percent, UNKNOWN } from './format.ts'

export type MetricValue = number | string | null | undefined

/** A figure as people read it: whole numbers grouped, money in its currency, rates with two decimals, durations in two units. */
export function formatMetric(id: MetricId, value: MetricValue, currency: Currency): string {
  if (value === null || value === undefined) return UNKNOWN
  const { type, approximate } = METRICS[id] as { type: string; approximate?: true } // literal entries; only some are estimates
  if (type === 'money') return money(String(value), currency, id.endsWith('epc') ? { decimals: 4 } : {})
  if (type === 'percent') return percent(value)
  if (type === 'duration') return duration(Number(value))
  return `${approximate ? '≈ ' : ''}${integer(value)}`
}

/** How a figure stands against the one before: the change in percent (null: nothing to compare with), and whether it rose. */
export function change(now: MetricValue, before: MetricValue): { percent: number | null; rose: boolean } {
  const [value, earlier] = [Number(now ?? 0), Number(before ?? 0)]
  return { percent: earlier === 0 ? null : ((value - earlier) / Math.abs(earlier)) * 100, rose: value >= earlier }
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
