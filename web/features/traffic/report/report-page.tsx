import { Button, Group, Paper } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { ERRORS } from '#contract/errors.ts'
import { METRIC_IDS, metricOf } from '#contract/traffic/metric.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { CallError } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { DEFAULT_PRESET, reportBody } from '#web/features/traffic/report/report-address.ts'
import { useEarlier } from '#web/features/traffic/report/earlier.ts'
import { ReportChart } from '#web/features/traffic/report/report-chart.tsx'
import { ReportFigures } from '#web/features/traffic/report/report-figures.tsx'
import { ReportTable, useReportColumns } from '#web/features/traffic/report/report-table.tsx'
import { ReportTrail } from '#web/features/traffic/report/report-trail.tsx'
import { ReportToolbar } from '#web/features/traffic/report/report-toolbar.tsx'
import {
  earlierId,
  useReport,
  type ReportAnswer,
  type ReportOptions,
  type ReportRow,
  type ReportState,
} from '#web/features/traffic/report/use-report.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { MissingRates } from '#web/missing-rates.tsx'
import { trafficFile } from '#web/traffic-file.ts'
import { ExportButton } from '#web/kit/list/export/export-button.tsx'
import { RenewedAddress } from '#web/kit/list/renewed-address.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { ViewMenu } from '#web/kit/view/view-menu.tsx'
import { ScheduleButton } from '#web/report-schedules.tsx'
import { withoutPage } from '#web/kit/view/address.ts'
import { useSession } from '#web/shell/session.ts'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { dayAt } from '#web/zone-time.ts'
import { carried, OLD_NAMES } from '#web/traffic-address.ts'
import classes from '#web/features/traffic/report/report.module.css'
import { useStatisticPart } from '#web/statistic-part.ts'
import { UsualPeriod } from '#web/usual-period.tsx'

/** General statistics: one question in the address, answered as figures, a chart and a table. */
export function ReportPage() {
  const { t } = useTranslation('report')
  const { below, general } = useStatisticPart()
  const { t: screen } = useTranslation('screen')
  const options = useQuery({ ...query(reportApi.options, {}, { quiet: true }), staleTime: 600_000 })
  const [search] = useSearchParams()
  if (options.isError && options.data === undefined)
    return (
      <>
        <PageHeader
          title={screen(general)}
          tabs={<ScreenTabs below={below} label={screen(general)} carried={carried(search, DEFAULT_PRESET)} />}
        />
        <Paper withBorder>
          <ErrorState what={t('failed')} error={options.error} onRetry={() => void options.refetch()} />
        </Paper>
      </>
    )
  return (
    <QueryPage query={options} failed={t('failed')}>
      {(known) => (
        <RenewedAddress names={OLD_NAMES}>
          <UsualPeriod>
            <Report options={known} />
          </UsualPeriod>
        </RenewedAddress>
      )}
    </QueryPage>
  )
}

function Report({ options }: { options: ReportOptions }) {
  const { t } = useTranslation('report')
  const { type, below, named, general } = useStatisticPart()
  const { t: screen } = useTranslation('screen')
  const report = useReport(options, type)
  const [search] = useSearchParams()
  const { run } = report
  const { acting } = useSession()
  const failed = run.error !== null && (run.data === undefined || run.isPlaceholderData)
  return (
    <>
      <PageHeader
        title={screen(general)}
        tabs={<ScreenTabs below={below} label={screen(general)} carried={carried(search, DEFAULT_PRESET)} />}
        actions={
          <>
            <ViewMenu screen={named('report')} />
            {!acting && (
              <ScheduleButton of={{ question: { ...reportBody(report.address), offer_type: type }, address: withoutPage(search) }} />
            )}
            <ReportExport report={report} />
          </>
        }
      />
      <ReportToolbar report={report} />
      <ReportTrail report={report} />
      {failed ? (
        <Paper withBorder>
          <ErrorState
            what={t('failed')}
            error={run.error}
            onRetry={() => void run.refetch()}
            action={
              run.error instanceof CallError && run.error.has(ERRORS.range_too_long.code) ? (
                <Button variant="default" onClick={() => report.go({ period: { preset: 'last_30_days', from: null, to: null } })}>
                  {t('none.month')}
                </Button>
              ) : undefined
            }
          />
        </Paper>
      ) : (
        <>
          {run.data && <MissingRates of={run.data.rates_missing} />}
          <UnknownFigures report={report} />
          <ReportFigures report={report} />
          {run.data?.summary.rows !== 0 && <ReportChart report={report} />}
          <ReportTable report={report} />
        </>
      )}
    </>
  )
}

/** Which figures are not shown, since nobody knows them by what is grouped or filtered by, and what helps. */
function UnknownFigures({ report: { metrics, unknown, unknownBy, options, go } }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const metric = useTranslation('metric')
  const dimension = useTranslation('dimension')
  if (unknown.length === 0) return null
  // what was sent to somebody is known of each, and tells the same of them
  const sent = (['sends', 'send_acceptance'] as const).filter((id) => !metrics.includes(id) && options.metrics.some((one) => one.id === id))
  return (
    <Group role="note" gap="4px 10px" fz={13} className={classes.unknown}>
      <span>
        {t('unknownBy', {
          by: unknownBy.map((id) => dimension.t(id)).join(', '),
          metrics: unknown.map((id) => metric.t(id)).join(', '),
        })}
      </span>
      {metrics.length > 0 && (
        <Button size="compact-xs" variant="default" onClick={() => go({ metrics })}>
          {t('unknown.drop')}
        </Button>
      )}
      {sent.length > 0 && unknown.some((id) => metricOf(id).untaken) && (
        <Button size="compact-xs" variant="default" onClick={() => go({ metrics: [...metrics, ...sent] })}>
          {t('unknown.sends')}
        </Button>
      )}
    </Group>
  )
}

/**
 * The whole result as CSV, page by page. Amounts are as exact as they were computed (to eight decimals), so that rows add up to
 * the total; their currency stands in the header, or in each row.
 */
function ReportExport({ report }: { report: ReportState }) {
  const { currency } = report.run.data ?? { currency: 'each' }
  const { days } = useEarlier(report)
  const columns = useReportColumns(report)
    .map((column) => (currency !== 'each' && MONEY.has(column.id) ? { ...column, header: `${column.header}, ${currency}` } : column))
    .flatMap((column): Column<ReportRow>[] => {
      const metric = METRIC_IDS.find((id) => id === column.id)
      if (metric === undefined || days === undefined) return [column]
      const id = earlierId(metric)
      return [column, { ...column, id, header: `${column.header}, ${days}`, csv: (row) => row.previous?.[metric], total: id }]
    })
  return <ExportButton list={{ loader: report.loader, columns }} fileName={fileNameOf(report)} />
}

const MONEY: ReadonlySet<string> = new Set(METRIC_IDS.filter((id) => metricOf(id).type === 'money'))

/** What is in the file: groupings, days, zone and currency. */
function fileNameOf({ address, run: { data }, options }: ReportState): string {
  const zone = data?.zone ?? address.zone ?? options.zone
  const daysOf = (range: ReportAnswer['previous'] | undefined) =>
    range ? [dayAt(range.from, zone), dayAt(new Date(Date.parse(range.to) - 1).toISOString(), zone)] : []
  const currency = data?.currency ?? address.currency ?? options.currency
  const what = `statistics ${address.group.join('-') || 'total'}`
  return trafficFile({ what, days: daysOf(data?.period), against: daysOf(data?.previous), zone, currency })
}
