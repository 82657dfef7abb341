import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { PERIOD_NAMES, type Compared, type PeriodName } from '#web/features/network/dashboard/periods.ts'
import classes from '#web/features/network/dashboard/period-table.module.css'
import { formatMetric, pendingPart } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Change } from '#web/kit/show/figure/change.tsx'
import { PendingPart } from '#web/kit/show/figure/pending-part.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Today, yesterday and this month, a line each, so that all of them and what stands beneath fit a window. */
export function PeriodTable({ of, metrics, currency }: { of: readonly Compared[]; metrics: readonly MetricId[]; currency: Currency }) {
  const { t } = useTranslation('metric')
  const { t: words } = useTranslation('dashboard')
  const { t: kit } = useTranslation('kit')
  return (
    <Panel title={words('figures')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <td />
            {metrics.map((id) => (
              <th key={id} scope="col" title={t(`about.${id}`)}>
                {t(id)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map(({ period, figures, against, alone }) => (
            <tr key={period}>
              <th scope="row">
                <Anchor
                  component={ScreenLink}
                  to="statisticDirectGeneral"
                  search={`?period=${PERIOD_NAMES[period]}`}
                  title={words('report')}
                >
                  {words(period satisfies PeriodName)}
                </Anchor>
                <span className="ohma-soft">{against}</span>
              </th>
              {metrics.map((id) => (
                <td key={id}>
                  <span className={classes.cell}>
                    <strong>{formatMetric(id, figures.values[id], currency)}</strong>
                    {!alone && (
                      <Change
                        of={id}
                        now={figures.values[id]}
                        pending={pendingPart(id, figures.values)}
                        before={figures.previous[id]}
                        none={words('noComparison')}
                        title={words('before', { value: formatMetric(id, figures.previous[id], currency) })}
                        inline
                      />
                    )}
                    <PendingPart of={id} values={figures.values} currency={currency} inline />
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {of.some(({ alone }) => !alone) && <p className={classes.legend}>{kit('figure.grey')}</p>}
    </Panel>
  )
}
