import { Button, Paper } from '@mantine/core'
import { IconChartBar, IconFilterOff } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { dimensionOf, DIMENSIONS, type DimensionId } from '#contract/traffic/dimension.ts'
import { METRIC_IDS, type MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { reportSort } from '#contract/traffic/report.ts'
import { DrillCell } from '#web/features/traffic/report/drill-cell.tsx'
import { useEarlier } from '#web/features/traffic/report/earlier.ts'
import { useKeyLabel } from '#web/features/traffic/report/key-label.ts'
import { amountCurrency, type ReportRow, type ReportState } from '#web/features/traffic/report/use-report.ts'
import { formatMetric, pendingPart, type MetricValue } from '#web/format-metric.ts'
import { Change } from '#web/kit/show/figure/change.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import type { Column, SortBy } from '#web/kit/table/column.ts'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { TableSkeleton } from '#web/kit/table/table-skeleton.tsx'
import { useCan } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/features/traffic/report/report.module.css'

// what a card of a phone tells first
const TELLING: readonly MetricId[] = ['leads', 'leads_accepted', 'clicks', 'conversions', 'payout', 'profit', 'cr', 'epc']
const CARD_FIELDS = 4

/** The columns of a report: its groupings, then its figures. */
export function useReportColumns(report: ReportState): Column<ReportRow>[] {
  const { t } = useTranslation('dimension')
  const t$ = useTranslation('report')
  const metric = useTranslation('metric')
  const labelOf = useKeyLabel()
  const { address, metrics, options, run } = report
  const each = run.data?.currency === 'each'
  const groups: DimensionId[] = each ? [...address.group, 'currency'] : address.group
  const currencyOf = (row: ReportRow): Currency =>
    (each ? options.currencies.find((code) => code === row.keys.at(-1)?.id) : undefined) ??
    amountCurrency(run.data?.currency ?? 'each', options.currency)
  const { days, earlier } = useEarlier(report)
  const ranked = [...new Set([...TELLING, ...METRIC_IDS])].filter((id) => metrics.includes(id))
  // a row of time is compared with a time of its own
  const aboutOf = (id: MetricId, row: ReportRow) => {
    const currency = currencyOf(row)
    const times = groups.flatMap((group, index) => {
      const [now, before] = [row.keys[index], row.previous_keys?.[index]]
      if (DIMENSIONS[group].type !== 'time' || now === undefined || before === undefined) return []
      return [{ now: labelOf(group, now), before: labelOf(group, { id: before, label: before }) }]
    })
    if (times.length === 0) return row.previous === null ? t$.t('earlier.none') : earlier(id, row.previous[id], currency)
    const [value, valueBefore] = [row.values[id], row.previous?.[id]].map((one) => formatMetric(id, one, currency))
    const [now, before] = (['now', 'before'] as const).map((side) => times.map((time) => time[side]).join(', '))
    return t$.t('earlier.both', { now, value, before, valueBefore })
  }
  const telling = new Set(ranked.slice(0, Math.max(2, CARD_FIELDS - Math.max(0, groups.length - 1))))
  return [
    ...groups.map((id, index): Column<ReportRow> => {
      const label = (row: ReportRow) => labelOf(id, row.keys[index] ?? { id: '', label: '' })
      return {
        id: `group_${id}`,
        header: t(id),
        cell: (row) => <DrillCell dimension={id} value={row.keys[index]} label={label(row)} report={report} />,
        sort: id,
        width: dimensionOf(id).type === 'entity' ? 210 : 140,
        card: index === 0 ? 'title' : 'field',
        csv: label,
      }
    }),
    ...metrics.map((id): Column<ReportRow> => ({
      id,
      header: metric.t(id),
      hint: metric.t(`about.${id}`),
      cell: (row) =>
        days === undefined ? (
          formatMetric(id, row.values[id], currencyOf(row))
        ) : (
          <Compared
            id={id}
            now={row.values}
            before={row.previous?.[id]}
            currency={currencyOf(row)}
            about={aboutOf(id, row)}
            counted={address.pending}
          />
        ),
      sort: id,
      numeric: true,
      ...(telling.has(id) ? { card: 'field' } : {}),
      csv: (row) => row.values[id],
      total: id,
    })),
  ]
}

/** A figure with its change small beneath it, so that a column is as wide as without. */
function Compared({ id, now, before, currency, about, counted }: ComparedProps) {
  return (
    <span className={classes.compared} title={about}>
      <span>{formatMetric(id, now[id], currency)}</span>
      <Change of={id} now={now[id]} before={before} pending={counted ? null : pendingPart(id, now)} inline />
    </span>
  )
}
type ComparedProps = {
  id: MetricId
  now: ReportRow['values']
  before: MetricValue
  currency: Currency
  /** Both figures and their days in words. */
  about: string
  /** Whether pending conversions are in the figure already. */
  counted: boolean
}

/** The rows of a report with the figures of the whole result beneath them; a click on a value looks into it. */
export function ReportTable({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const kit = useTranslation('kit')
  const can = useCan()
  const mobile = useViewport() === 'mobile'
  const columns = useReportColumns(report)
  const { days, earlier } = useEarlier(report)
  const { address, metrics, go, run, options, pageSize } = report
  if (run.data === undefined) return <TableSkeleton columns={columns} label={t('loading')} selectable={false} cards={mobile} />
  const { list, summary, currency } = run.data
  const filtered = Object.values(address.filters).some((values) => values !== undefined && values.length > 0)
  if (summary.rows === 0) {
    return (
      <Paper withBorder>
        <EmptyState {...emptyBecause()} />
      </Paper>
    )
  }
  const totalOf = (id: MetricId) => {
    const own = amountCurrency(currency, options.currency)
    if (days === undefined) return formatMetric(id, summary.totals[id], own)
    const before = summary.previous?.[id]
    return (
      <Compared id={id} now={summary.totals} before={before} currency={own} about={earlier(id, before, own)} counted={address.pending} />
    )
  }
  const rowKey = (row: ReportRow) => row.keys.map((key) => key.id).join('\u001f')
  const totals = Object.fromEntries([
    ...columns.slice(0, 1).map(({ id }) => [id, kit.t('export.total')]),
    ...metrics.map((id) => [id, totalOf(id)]),
  ])
  const table = {
    name: 'report',
    label: t('title'),
    rows: list,
    columns,
    rowKey,
    sort: reportSort(address),
    onSort: ({ column, direction }: SortBy) => go({ sort: column, direction }),
    totals,
    stale: run.isPlaceholderData,
  }
  return (
    <>
      {mobile ? (
        <TableCards {...table} />
      ) : (
        <div className={classes.table}>
          <DataTable {...table} />
        </div>
      )}
      {summary.rows > pageSize && <Pager rows={summary.rows} page={address.page} count={pageSize} onPage={(page) => go({ page })} />}
    </>
  )

  /** Why there is nothing, and what helps: filters that nothing fits, a period without traffic, or no traffic at all yet. */
  function emptyBecause() {
    if (filtered)
      return {
        icon: <IconFilterOff size={26} stroke={1.6} aria-hidden />,
        title: t('none.title'),
        text: t('none.filtered'),
        action: (
          <Button variant="default" onClick={() => go({ filters: {} })}>
            {t('none.clear')}
          </Button>
        ),
      }
    const icon = <IconChartBar size={26} stroke={1.6} aria-hidden />
    if (address.period.preset !== 'this_year')
      return {
        icon,
        title: t('none.title'),
        text: t('none.text'),
        action: (
          <Button variant="default" onClick={() => go({ period: { preset: 'this_year', from: null, to: null } })}>
            {t('none.year')}
          </Button>
        ),
      }
    return {
      icon,
      title: t('none.title'),
      text: t('none.yet'),
      action: (
        <Button component={ScreenLink} to={can('offer.partner') ? 'partnerOffersAll' : 'offers'} variant="default">
          {t('none.offers')}
        </Button>
      ),
    }
  }
}
