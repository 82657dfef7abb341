import { Fragment, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Anchor, Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import { dateTime, integer } from '#web/format.ts'
import { BulkBar } from '#web/kit/list/bulk-bar.tsx'
import { ExportButton } from '#web/kit/list/export/export-button.tsx'
import { FilterBar } from '#web/kit/list/filter-bar.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import type { List } from '#web/kit/list/use-list.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { TableSkeleton } from '#web/kit/table/table-skeleton.tsx'
import { useViewport } from '#web/viewport.ts'
import classes from '#web/kit/list/list.module.css'

type ListPageProps<Row extends object> = {
  list: List<Row>
  title: string
  /** Buttons at the right of the title; the primary one last. */
  actions?: ReactNode
  /** While nobody has made one yet: what this is, and the next step. */
  empty: { icon?: ReactNode; title: string; text: string; action?: ReactNode }
  /** Where a row leads; undefined where rows lead nowhere. */
  rowHref: ((row: Row) => string | undefined) | undefined
  /** The ⋯ menu of a row; undefined where rows have none. */
  rowActions: ((row: Row) => RowAction[]) | undefined
  /** Buttons for chosen rows; rows can be chosen only when there are some. */
  bulkActions?: ReactNode
  /** Beside the export: what else is done with the whole result. */
  beside?: ReactNode
  /** What stands in place of the bar over chosen rows; rows can be chosen then too. */
  bar?: ReactNode
  /** Why a row cannot be chosen; undefined where it can. */
  blocked?: (row: Row) => string | undefined
  /** Name of the CSV file; undefined where the list is not exported. */
  exportName: string | undefined
  /** What the whole result adds up to where no column holds it, behind how many rows it has: each part, such as a currency, stays on one line. */
  totalsText?: (totals: Readonly<Record<string, unknown>>) => string | readonly string[]
  /** A list in a tab of another page. */
  inner?: boolean
  /** Its title stands above it already. */
  titled?: boolean
}

/** The layout of every list: title and count, filters, the rows in whatever state they are, pages, bulk bar. */
export function ListPage<Row extends object>({
  list,
  title,
  actions,
  empty,
  rowHref,
  rowActions,
  bulkActions,
  bar,
  blocked,
  exportName,
  beside,
  totalsText,
  inner = false,
  titled = false,
}: ListPageProps<Row>) {
  const { t } = useTranslation('kit')
  const zone = useZone()
  const none = list.rows !== undefined && list.count === 0
  const barred = !(none && !list.filtered && list.unknown.length === 0)
  const exported = exportName !== undefined && !(none && !list.filtered)
  // the tab says what it is: how many there are and what is done with all of them stands among the filters
  const headless = inner && (barred || titled) && actions === undefined
  return (
    <div className={classes.page}>
      {headless ? (
        <h2 className="ohma-silent">{title}</h2>
      ) : (
        <PageHeader
          title={title}
          inner={inner}
          count={list.rows && list.counted}
          actions={
            <>
              {exported && <ExportButton list={list} fileName={exportName} />}
              {list.count > 0 && beside}
              {actions}
            </>
          }
        />
      )}
      {barred && (
        <FilterBar
          list={list}
          views={!inner}
          end={
            headless && (
              <>
                {list.rows && <span className="ohma-soft ohma-number">{t('list.rows', { count: list.count, rows: list.counted })}</span>}
                {exported && <ExportButton list={list} fileName={exportName} small />}
                {list.count > 0 && beside}
              </>
            )
          }
        />
      )}
      {list.since !== undefined && <p className="ohma-soft">{t('list.since', { at: dateTime(list.since, zone) })}</p>}
      <div className={classes.body}>
        <ListBody
          list={list}
          title={title}
          empty={empty}
          rowHref={rowHref}
          rowActions={rowActions}
          totalsText={totalsText}
          selectable={Boolean(bulkActions) || bar !== undefined}
          blocked={blocked}
        />
      </div>
      {list.count > 0 && (
        <Pager
          rows={list.count}
          page={list.url.page}
          count={list.url.count}
          onPage={(page) => list.go({ page })}
          onCount={(count) => list.go({ count })}
        />
      )}
      {bar}
      {Boolean(bulkActions) && <BulkBar list={list}>{bulkActions}</BulkBar>}
      <span role="status" className="ohma-silent">
        {list.rows && !list.stale && t('list.rows', { count: list.count, rows: list.counted })}
      </span>
    </div>
  )
}

type ListBodyProps<Row extends object> = Pick<ListPageProps<Row>, 'list' | 'title' | 'empty' | 'rowHref' | 'rowActions'> & {
  totalsText: ListPageProps<Row>['totalsText']
  blocked: ListPageProps<Row>['blocked']
  selectable: boolean
}

function ListBody<Row extends object>({ list, title, empty, rowHref, rowActions, totalsText, blocked, selectable }: ListBodyProps<Row>) {
  const { t } = useTranslation('kit')
  const mobile = useViewport() === 'mobile'

  // old rows with a toast beat an error in their place, unless they answer another question
  if (list.error !== undefined && (list.rows === undefined || list.stale)) {
    return (
      <div className={classes.frame}>
        <ErrorState what={t('list.failed')} error={list.error} onRetry={list.retry} />
      </div>
    )
  }
  if (list.rows === undefined) return <TableSkeleton columns={list.shown} label={t('loading')} selectable={selectable} cards={mobile} />
  if (list.count === 0) {
    return (
      <div className={classes.frame}>
        <EmptyState
          {...(list.filtered
            ? {
                icon: <IconFilterOff size={26} stroke={1.6} aria-hidden />,
                title: t('list.filterEmpty.title'),
                text: t('list.filterEmpty.text'),
                action: (
                  <Button variant="default" onClick={() => list.go({ filters: {} })}>
                    {t('list.clearFilters')}
                  </Button>
                ),
              }
            : empty)}
          hint={<LeftOut list={list} />}
        />
      </div>
    )
  }
  const { totals } = list
  const sums = list.shown.filter(({ sum }) => sum !== undefined)
  const table = {
    name: list.name,
    label: title,
    rows: list.rows,
    columns: list.shown,
    rowKey: list.rowKey,
    sort: list.sort,
    onSort: (sort: { column: string; direction: 'asc' | 'desc' }) => list.go({ sort: sort.column, direction: sort.direction }),
    ...(selectable && { selection: list.selection, onSelect: list.select, blocked }),
    rowHref,
    rowActions,
    totals: totals && (totalsText || sums.length > 0) ? Object.fromEntries(sums.map(({ id, sum }) => [id, sum?.(totals)])) : undefined,
    totalsLabel: <Totals of={t('list.totalOf', { rows: list.counted })} parts={totals && totalsText ? [totalsText(totals)].flat() : []} />,
    stale: list.stale,
  }
  return mobile ? <TableCards {...table} /> : <DataTable {...table} />
}

/** What a result adds up to; lines break between its parts. */
function Totals({ of, parts }: { of: string; parts: readonly string[] }) {
  if (parts.length < 2) return parts.length === 0 ? of : `${of}: ${parts[0]}`
  return (
    <>
      {of}:
      {parts.map((part, at) => (
        <Fragment key={part}>
          {' '}
          <span className={classes.part}>
            {part}
            {at < parts.length - 1 && ' ·'}
          </span>
        </Fragment>
      ))}
    </>
  )
}

/** What the list leaves out, where it has nothing else to show: how much, and the way there. */
function LeftOut<Row extends object>({ list: { leftOut, url, go, filters } }: { list: List<Row> }) {
  const { t } = useTranslation('kit')
  if (leftOut === undefined) return null
  const { status, count } = leftOut
  const name = filters.status?.kind === 'choice' ? filters.status.options.find(({ value }) => value === status)?.label : undefined
  return (
    <Anchor component="button" mt={10} fz={13.5} onClick={() => go({ filters: { ...url.filters, status: [status] } })}>
      {t('list.leftOut', { count, number: integer(count), status: name })}
    </Anchor>
  )
}
