import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { formatMetric } from '#web/format-metric.ts'
import classes from '#web/features/network/dashboard/dashboard.module.css'

type Top = z.output<typeof staffDashboard>['top_offers']

type TopCardProps = {
  title: string
  rows: Top
  metrics: readonly MetricId[]
  currency: Currency
  name: (key: Top[number]['key']) => ReactNode
  /** Half of the row instead of a third. */
  wide?: boolean
}

/** The largest of the last thirty days. */
export function TopCard({ title, rows, metrics, currency, name, wide = false }: TopCardProps) {
  const { t } = useTranslation('dashboard')
  const metric = useTranslation('metric')
  return (
    <section className={wide ? classes.half : classes.third} aria-label={title}>
      <h2 className={classes.heading}>
        {title} <span className={classes.aside}>{t('last30')}</span>
      </h2>
      {rows.length === 0 ? (
        <p className={classes.none}>{t('nothingYet')}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">
                <span className="ohma-silent">{title}</span>
              </th>
              {metrics.map((id) => (
                <th key={id} scope="col">
                  {metric.t(id)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 6).map(({ key, values }) => (
              <tr key={key.id}>
                <td>{name(key)}</td>
                {metrics.map((id) => (
                  <td key={id}>{formatMetric(id, values[id], currency)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
