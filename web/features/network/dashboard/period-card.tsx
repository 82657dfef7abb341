import { Anchor, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { z } from 'zod'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { PeriodChange } from '#web/features/network/dashboard/period-change.tsx'
import { PERIOD_NAMES, type Compared } from '#web/features/network/dashboard/periods.ts'
import { PeriodTable } from '#web/features/network/dashboard/period-table.tsx'
import { locale } from '#web/notation.ts'
import { change, formatMetric } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Dashboard = Pick<z.output<typeof staffDashboard>, 'today' | 'yesterday' | 'month' | 'zone' | 'currency'>

/** Today, yesterday and this month, by the same figures: a table where there is room for one, else a card each; `asked`: when they were read (ms). */
export function PeriodCards({ of, asked, metrics }: { of: Dashboard; asked: number; metrics: readonly MetricId[] }) {
  const { t } = useTranslation('dashboard')
  const wide = useMediaQuery('(min-width: 75em)', undefined, { getInitialValueInEffect: false })
  const periods = (['today', 'yesterday', 'month'] as const).map((period): Compared => {
    const figures = of[period]
    // a network in its first month has nothing to compare with: once said is enough
    const alone = metrics.every((id) => change(id, figures.values[id], figures.previous[id]).by === null)
    return { period, figures, alone, against: alone ? t('noComparison') : t(`against.${period}`, { time: clock(asked, of.zone) }) }
  })
  if (wide) return <PeriodTable of={periods} metrics={metrics} currency={of.currency} />
  return (
    <Stack gap={16}>
      {periods.map((one) => (
        <PeriodCard key={one.period} of={one} metrics={metrics} currency={of.currency} />
      ))}
    </Stack>
  )
}

/** The figures of one period, with the way to its report, each with its change against the same stretch of the period before. */
function PeriodCard({ of: one, metrics, currency }: { of: Compared; metrics: readonly MetricId[]; currency: Currency }) {
  const { t } = useTranslation('metric')
  const { t: words } = useTranslation('dashboard')
  const { period, figures, against } = one
  return (
    <Panel title={words(period)} actions={<span className="ohma-soft">{against}</span>}>
      <Figures width={150}>
        {metrics.map((id) => (
          <Figure key={id} name={t(id)} about={t(`about.${id}`)} value={formatMetric(id, figures.values[id], currency)}>
            <PeriodChange of={one} id={id} currency={currency} />
          </Figure>
        ))}
      </Figures>
      <Anchor component={ScreenLink} to="statisticDirectGeneral" search={`?period=${PERIOD_NAMES[period]}`} fz={13}>
        {words('report')}
      </Anchor>
    </Panel>
  )
}

/** The hour and minute of a moment in a zone. */
function clock(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat(locale(), { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at))
}
