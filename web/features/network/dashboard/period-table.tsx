import { Anchor } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { PeriodChange } from '#web/features/network/dashboard/period-change.tsx'
import { PERIOD_NAMES, type Compared, type PeriodName } from '#web/features/network/dashboard/periods.ts'
import classes from '#web/features/network/dashboard/period-table.module.css'
import { formatMetric } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
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
          {of.map((one) => (
            <tr key={one.period}>
              <th scope="row">
                <Anchor
                  component={ScreenLink}
                  to="statisticDirectGeneral"
                  search={`?period=${PERIOD_NAMES[one.period]}`}
                  title={words('report')}
                >
                  {words(one.period satisfies PeriodName)}
                </Anchor>
                <span className="ohma-soft">{one.against}</span>
              </th>
              {metrics.map((id) => (
                <td key={id}>
                  <span className={classes.cell}>
                    <strong>{formatMetric(id, one.figures.values[id], currency)}</strong>
                    <PeriodChange of={one} id={id} currency={currency} inline />
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
