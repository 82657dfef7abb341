import { Anchor, SimpleGrid } from '@mantine/core'
import type { z } from 'zod'
import { useTranslation } from 'react-i18next'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { locale } from '#web/format.ts'
import { change, formatMetric, pendingPart } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Change } from '#web/kit/show/figure/change.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { PendingPart } from '#web/kit/show/figure/pending-part.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Dashboard = Pick<z.output<typeof staffDashboard>, 'today' | 'yesterday' | 'month' | 'zone' | 'currency'>

/** What the report calls them. */
const PERIODS = { today: 'today', yesterday: 'yesterday', month: 'this_month' } as const

/** Today, yesterday and this month, by the same figures; `asked`: when they were read (ms). */
export function PeriodCards({ of, asked, metrics }: { of: Dashboard; asked: number; metrics: readonly MetricId[] }) {
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }}>
      {(['today', 'yesterday', 'month'] as const).map((period) => (
        <PeriodCard
          key={period}
          period={period}
          zone={of.zone}
          asked={asked}
          figures={of[period]}
          metrics={metrics}
          currency={of.currency}
        />
      ))}
    </SimpleGrid>
  )
}

/** The figures of one period, with the way to its report, each with its change against the same stretch of the period before. */
function PeriodCard({
  period,
  zone,
  asked,
  figures,
  metrics,
  currency,
}: {
  period: keyof typeof PERIODS
  zone: string
  asked: number
  figures: Dashboard['today']
  metrics: readonly MetricId[]
  currency: Currency
}) {
  const { t } = useTranslation('metric')
  const { t: words } = useTranslation('dashboard')
  // a network in its first month has nothing to compare with: once said is enough
  const alone = metrics.every((id) => change(id, figures.values[id], figures.previous[id]).by === null)
  return (
    <Panel
      title={words(period)}
      actions={
        <span className="ohma-soft">{alone ? words('noComparison') : words(`against.${period}`, { time: clock(asked, zone) })}</span>
      }
    >
      <Figures width={150}>
        {metrics.map((id) => (
          <Figure key={id} name={t(id)} about={t(`about.${id}`)} value={formatMetric(id, figures.values[id], currency)}>
            {!alone && (
              <Change
                of={id}
                now={figures.values[id]}
                pending={pendingPart(id, figures.values)}
                before={figures.previous[id]}
                none={words('noComparison')}
                title={words('before', { value: formatMetric(id, figures.previous[id], currency) })}
              />
            )}
            <PendingPart of={id} values={figures.values} currency={currency} />
          </Figure>
        ))}
      </Figures>
      <Anchor component={ScreenLink} to="statisticDirectGeneral" search={`?period=${PERIODS[period]}`} fz={13}>
        {words('report')}
      </Anchor>
    </Panel>
  )
}

/** The hour and minute of a moment in a zone. */
function clock(at: number, timeZone: string): string {
  return new Intl.DateTimeFormat(locale(), { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at))
}
