import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { z } from 'zod'
import { useTranslation } from 'react-i18next'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { percent } from '#web/format.ts'
import { change, formatMetric, type MetricValue } from '#web/format-metric.ts'
import classes from '#web/features/network/dashboard/dashboard.module.css'

type Figures = z.output<typeof staffDashboard>['today']

/** The figures of one period, each with its change against the same stretch of the period before. */
export function PeriodCard({
  title,
  figures,
  metrics,
  currency,
}: {
  title: string
  figures: Figures
  metrics: readonly MetricId[]
  currency: Currency
}) {
  const { t } = useTranslation('metric')
  const { t: words } = useTranslation('dashboard')
  // a network in its first month has nothing to compare with: once said is enough
  const alone = metrics.every((id) => change(figures.values[id], figures.previous[id]).percent === null)
  return (
    <section className={classes.third} aria-label={title}>
      <h2 className={classes.heading}>
        {title} {alone && <span className={classes.aside}>{words('noComparison')}</span>}
      </h2>
      <dl className={classes.figures}>
        {metrics.map((id) => (
          <div key={id}>
            <dt>{t(id)}</dt>
            <dd>
              <span className={classes.value}>{formatMetric(id, figures.values[id], currency)}</span>
              {!alone && (
                <Delta now={figures.values[id]} before={figures.previous[id]} shown={formatMetric(id, figures.previous[id], currency)} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

/** An arrow, a sign and a percentage; the figure it is compared with on hover. */
function Delta({ now, before, shown }: { now: MetricValue; before: MetricValue; shown: string }) {
  const { t } = useTranslation('dashboard')
  const { percent: by, rose } = change(now, before)
  const Arrow = rose ? IconArrowUpRight : IconArrowDownRight
  if (by === null) return <span className={classes.delta}>{t('noComparison')}</span>
  return (
    <span className={`${classes.delta} ${by === 0 ? '' : rose ? classes.up : classes.down}`} title={t('before', { value: shown })}>
      {by !== 0 && <Arrow size={14} stroke={2} aria-hidden />}
      {by === 0 ? '' : rose ? '+' : '−'}
      {percent(Math.abs(by).toFixed(2))}
    </span>
  )
}
