import type { z } from 'zod'
import { useTranslation } from 'react-i18next'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { change, formatMetric } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Change } from '#web/kit/show/figure/change.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'

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
  const alone = metrics.every((id) => change(id, figures.values[id], figures.previous[id]).by === null)
  return (
    <Panel title={title} actions={alone && <span className="ohma-soft">{words('noComparison')}</span>}>
      <Figures width={150}>
        {metrics.map((id) => (
          <Figure key={id} name={t(id)} value={formatMetric(id, figures.values[id], currency)}>
            {!alone && (
              <Change
                of={id}
                now={figures.values[id]}
                before={figures.previous[id]}
                none={words('noComparison')}
                title={words('before', { value: formatMetric(id, figures.previous[id], currency) })}
              />
            )}
          </Figure>
        ))}
      </Figures>
    </Panel>
  )
}
