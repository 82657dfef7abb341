import { Anchor, Button, Group, Paper, SegmentedControl, Select, Skeleton } from '@mantine/core'
import { IconChartLine } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import { metricOf, type MetricId } from '#contract/traffic/metric.ts'
import { dimensionOf } from '#contract/traffic/dimension.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { query } from '#web/api/query.ts'
import { formatMetric, pendingBehind, pendingPart } from '#web/format-metric.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Change } from '#web/kit/show/figure/change.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Figures } from '#web/kit/show/figure/figures.tsx'
import { PendingPart } from '#web/kit/show/figure/pending-part.tsx'
import { MissingRates } from '#web/missing-rates.tsx'
import { PerformanceChart } from '#web/performance/performance-chart.tsx'
import { PerformanceTop } from '#web/performance/performance-top.tsx'
import { statisticsHref, TOPS, type Performer, type Top } from '#web/performance/performer.ts'
import { useCan } from '#web/shell/access.ts'

const SHOWN: readonly MetricId[] = ['clicks', 'conversions', 'cr', 'epc', 'revenue', 'payout', 'profit']
// what an offer of leads is told in: it may have no click at all
const OF_LEADS: readonly MetricId[] = ['leads', 'leads_accepted', 'lead_acceptance', 'conversions', 'revenue', 'payout', 'profit']
const PERIODS = ['today', 'yesterday', 'last_7_days', 'last_30_days', 'this_month'] as const
const LONGEST = 'last_30_days'
const ROWS = 8

type PerformanceProps = {
  of: Performer
  /** The step that would make figures appear, as a button; said where the longest period has none. */
  next?: ReactNode
}

/**
 * How one thing is doing: its figures against the period before, their course, and its largest lines by one choice, each a
 * way into statistics. Period, figure and choice stand in the address. Two requests: the report and its series.
 */
export function Performance({ of, next }: PerformanceProps) {
  const { t } = useTranslation('performance')
  const metric = useTranslation('metric')
  const { t: report } = useTranslation('report')
  const can = useCan()
  const [search, setSearch] = useSearchParams()
  const choose = (name: string, value: string) =>
    setSearch(
      (before) => {
        before.set(name, value)
        return before
      },
      { replace: true },
    )
  const metrics = (of.leads ? OF_LEADS : SHOWN).filter((id) => can(metricOf(id).permission ?? 'report.read'))
  const tops = TOPS[of.is].filter((id) => can(dimensionOf(id).permission ?? 'report.read'))
  const preset = PERIODS.find((id) => id === search.get('period')) ?? 'last_7_days'
  const shown = metrics.find((id) => id === search.get('figure')) ?? (of.leads ? 'leads' : 'clicks')
  const by: Top = tops.find((id) => id === search.get('by')) ?? tops[0] ?? 'day'

  const question = {
    period: { preset },
    metrics,
    compare: 'previous',
    filters: { [of.is]: [of.uuid] },
    offer_type: of.leads ? ('api' as const) : null,
  } as const
  const order = by === 'day' ? ({ sort: 'day', direction: 'desc' } as const) : ({ sort: shown, direction: 'desc' } as const)
  const asked = [...metrics, ...pendingBehind(metrics)]
  const run = useQuery({
    ...query(reportApi.run, { body: { ...question, metrics: asked, ...order, group: [by], count: ROWS } }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery({ ...query(reportApi.series, { body: question }, { quiet: true }), placeholderData: keepPreviousData })

  const head = (
    <Group justify="space-between" gap="8px 16px">
      <Group gap="2px 12px" align="baseline">
        <h2>{t('title')}</h2>
        <span className="ohma-soft">{t('against')}</span>
      </Group>
      <Group gap="8px 16px" miw={0}>
        <SegmentedControl
          size="xs"
          maw="100%"
          styles={{ root: { flexWrap: 'wrap' } }}
          aria-label={t('period')}
          value={preset}
          onChange={(value) => choose('period', value)}
          data={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))}
        />
        <Anchor component={Link} to={statisticsHref(of, { preset, group: [by] })} size="sm">
          {t('open')}
        </Anchor>
      </Group>
    </Group>
  )
  if (run.error !== null && (run.data === undefined || run.isPlaceholderData))
    return (
      <Part label={t('title')}>
        {head}
        <ErrorState what={t('failed')} error={run.error} onRetry={() => void Promise.all([run.refetch(), series.refetch()])} />
      </Part>
    )
  const summary = run.data?.summary
  const currency = run.data === undefined || run.data.currency === 'each' ? '' : run.data.currency
  const stale = run.isPlaceholderData ? 0.6 : undefined
  if (summary?.rows === 0)
    return (
      <Part label={t('title')}>
        {head}
        <EmptyState
          icon={<IconChartLine size={26} stroke={1.6} aria-hidden />}
          title={t('empty.title')}
          text={t(preset === LONGEST ? `empty.${of.is}` : 'empty.text')}
          action={
            preset === LONGEST ? (
              next
            ) : (
              <Button variant="default" onClick={() => choose('period', LONGEST)}>
                {t('empty.longer')}
              </Button>
            )
          }
        />
      </Part>
    )
  return (
    <Part label={t('title')}>
      {head}
      <div style={{ opacity: stale }}>
        <Figures width={106}>
          {metrics.map((id) => (
            <Figure
              key={id}
              name={metric.t(id)}
              about={metric.t(`about.${id}`)}
              value={summary === undefined ? <Skeleton height={18} width={90} /> : formatMetric(id, summary.totals[id], currency)}
            >
              <Change
                of={id}
                now={summary?.totals[id]}
                before={summary?.previous?.[id]}
                pending={pendingPart(id, summary?.totals)}
                none={summary && t('nothingBefore')}
                title={t('before', { value: formatMetric(id, summary?.previous?.[id], currency) })}
              />
              <PendingPart of={id} values={summary?.totals} currency={currency} />
            </Figure>
          ))}
        </Figures>
      </div>
      {run.data && <MissingRates of={run.data.rates_missing} />}
      <PerformanceChart
        series={series}
        metric={shown}
        caption={
          <Select
            size="xs"
            w={160}
            aria-label={report('chartOf')}
            data={metrics.map((id) => ({ value: id as string, label: metric.t(id) }))}
            value={shown}
            onChange={(value) => value !== null && choose('figure', value)}
            allowDeselect={false}
          />
        }
      />
      <PerformanceTop
        of={of}
        by={by}
        tops={tops}
        onBy={(value) => choose('by', value)}
        rows={run.data?.list}
        all={summary?.rows ?? 0}
        metrics={metrics}
        figure={shown}
        currency={currency}
        preset={preset}
      />
    </Part>
  )
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Paper
      component="section"
      withBorder
      p="18px 20px 20px"
      miw={0}
      aria-label={label}
      style={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 16 }}
    >
      {children}
    </Paper>
  )
}
