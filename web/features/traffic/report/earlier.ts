import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import { date } from '#web/format.ts'
import { clockAt, dayAt } from '#web/zone-time.ts'
import { formatMetric, type MetricValue } from '#web/format-metric.ts'
import { amountCurrency, type ReportState } from '#web/features/traffic/report/use-report.ts'

/** The days a report is compared with, undefined where it is not, and a figure of them in words. */
export function useEarlier({ run: { data }, options }: ReportState) {
  const { t } = useTranslation('report')
  const previous = data?.previous
  if (!previous) return { days: undefined, uneven: '', earlier: () => '' }
  const [first, last] = [date(previous.from, data.zone), date(new Date(Date.parse(previous.to) - 1).toISOString(), data.zone)]
  const clock = clockAt(previous.to, data.zone).slice(11, 16)
  // what goes on is compared with as much of the last day as there has been of today
  const days = `${first === last ? first : `${first} – ${last}`}${clock === '00:00' ? '' : `, ${t('until', { time: clock })}`}`
  const [own, other] = [lengthOf(data.period, data.zone), lengthOf(previous, data.zone)]
  const uneven = own === other ? '' : ` (${t('uneven', { own, count: other })})`
  const currency = amountCurrency(data.currency, options.currency)
  return {
    days,
    /** Told where more or fewer days stand against those of the report. */
    uneven,
    earlier: (id: MetricId, value: MetricValue, own = currency) => t('earlier', { figure: formatMetric(id, value, own), days }),
  }
}

/** How many days of a zone a range touches. */
function lengthOf({ from, to }: { from: string; to: string }, zone: string): number {
  const last = dayAt(new Date(Date.parse(to) - 1).toISOString(), zone)
  return 1 + Math.round((Date.parse(last) - Date.parse(dayAt(from, zone))) / 86_400_000)
}
