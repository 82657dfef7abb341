import { Button, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RECONCILIATION_CAUSES } from '#contract/money/reconciliation-cause.ts'
import { RECONCILIATION_ACTIONS, reconciliationApi, type Reconciliation, type ReconciliationRow } from '#contract/money/reconciliation.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { RowPanel } from '#web/features/money/reconciliation/row-panel.tsx'
import { ROW_STATE } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { useChoose, type Choice } from '#web/features/money/reconciliation/use-choose.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import { column, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Money } from '#web/kit/show/money.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { useCan } from '#web/shell/access.ts'

type Row = ReconciliationRow

const nameOf = ({ theirs, ours }: Row) =>
  theirs?.transaction_id || ours?.transaction_id || theirs?.click_id || ours?.click_id || theirs?.sub_id
const COLUMNS: Columns<Row, 'reconciliation'> = [
  column<Row, 'line'>('line', {
    width: 80,
    numeric: true,
    cell: (row) => (row.line === null ? UNKNOWN : integer(row.line)),
    csv: (row) => row.line,
  }),
  column<Row, 'names'>('names', { width: 200, card: 'title', cell: (row) => nameOf(row) ?? UNKNOWN, csv: (row) => nameOf(row) }),
  column<Row, 'cause'>('cause', {
    width: 240,
    card: 'field',
    cell: (row, t) => (
      <>
        {t(`cause.${row.cause ?? 'none'}`)}
        {row.cause === 'goal' && row.ours !== null && (
          <Text span display="block" fz={12.5} c="dimmed" style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
            {t('goals', { theirs: row.theirs?.goal || row.theirs?.offer || UNKNOWN, ours: row.ours.goal })}
          </Text>
        )}
      </>
    ),
    csv: (row) => row.cause,
  }),
  column<Row, 'theirStatus', 'theyStatus'>('theirStatus', {
    header: 'theyStatus',
    width: 120,
    cell: (row) => (row.theirs?.status ? <ConversionStatusBadge status={row.theirs.status} /> : UNKNOWN),
    csv: (row) => row.theirs?.status,
  }),
  column<Row, 'theirAmount', 'theyAmount'>('theirAmount', {
    header: 'theyAmount',
    width: 120,
    numeric: true,
    card: 'field',
    cell: (row) =>
      row.theirs?.amount ? (
        <Money amount={row.theirs.amount} currency={row.theirs.currency ?? row.ours?.currency ?? 'USD'} column />
      ) : (
        UNKNOWN
      ),
    csv: (row) => row.theirs?.amount,
  }),
  column<Row, 'ourStatus', 'weStatus'>('ourStatus', {
    header: 'weStatus',
    width: 120,
    cell: (row) => (row.ours === null ? UNKNOWN : <ConversionStatusBadge status={row.ours.status} />),
    csv: (row) => row.ours?.status,
  }),
  column<Row, 'ourAmount', 'weAmount'>('ourAmount', {
    header: 'weAmount',
    width: 120,
    numeric: true,
    card: 'field',
    cell: (row) => (row.ours === null ? UNKNOWN : <Money amount={row.ours.revenue} currency={row.ours.currency} column />),
    csv: (row) => row.ours?.revenue,
  }),
  column<Row, 'action'>('action', {
    width: 190,
    card: 'field',
    cell: (row, t) => (row.action === 'none' && row.proposal === 'ask' ? t('action.ask') : t(`action.${row.action}`)),
    csv: (row) => row.action,
  }),
  column<Row, 'row'>('row', { width: 130, cell: (row) => <Status of={ROW_STATE} value={row.state} />, csv: (row) => row.state }),
  column<Row, 'at'>('at', {
    width: 130,
    hidden: true,
    cell: (row) => <Moment at={row.theirs?.at ?? row.ours?.at ?? null} />,
    csv: (row) => row.theirs?.at ?? row.ours?.at,
  }),
  column<Row, 'offer'>('offer', {
    width: 180,
    hidden: true,
    cell: (row) => row.ours?.offer.name ?? row.theirs?.offer,
    csv: (row) => row.ours?.offer.name,
  }),
  column<Row, 'affiliate'>('affiliate', {
    width: 160,
    hidden: true,
    cell: (row) => row.ours?.affiliate.name ?? UNKNOWN,
    csv: (row) => row.ours?.affiliate.name,
  }),
  column<Row, 'reason'>('reason', { width: 200, hidden: true, cell: (row) => row.reason, csv: (row) => row.reason }),
]

const CHOICES = ['proposal', 'approve', 'decline', 'correct', 'create', 'none'] as const satisfies readonly Choice[]

/** The rows of a reconciliation, what is done about them chosen one by one or many at once; a row opens with its three sides. */
export function RowList({ batch }: { batch: Reconciliation }) {
  const { t } = useTranslation('reconciliation')
  const can = useCan()
  const { open, hrefOf } = usePanelAddress('row')
  const list = useList(reconciliationApi.rows, {
    name: 'reconciliation-row',
    columns: useColumns('reconciliation', COLUMNS),
    rowKey: ({ row }) => String(row),
    sort: { column: 'line', direction: 'asc' },
    fixed: { batch_uuid: batch.uuid },
    otherKeys: ['view', 'batch', 'row', 'of'],
    filters: {
      search: searchFilter(t('search')),
      cause: choiceFilter(
        t('cause'),
        RECONCILIATION_CAUSES.map((value) => ({ value, label: t(`cause.${value}`) })),
      ),
      action: choiceFilter(
        t('action'),
        RECONCILIATION_ACTIONS.map((value) => ({ value, label: t(`action.${value}`) })),
      ),
      state: choiceFilter(t('row'), useStatusOptions(ROW_STATE)),
    },
  })
  const choose = useChoose(batch)
  const mayChoose = can('billing.write') && batch.state === 'matched' && batch.advertiser !== null
  const choices = batch.format === 'counter' ? (['proposal', 'none'] as const) : CHOICES
  const actionsFor = (row: Row): RowAction[] =>
    choices
      .filter((one) => one === 'proposal' || one === 'none' || (one === 'create') === (row.ours === null))
      .map((one) => ({ id: one, label: t(`choose.${one}`), onClick: () => void choose([row.row], one) }))
  return (
    <>
      <ListPage
        inner
        list={list}
        title={t('rows')}
        empty={{ title: t('rows.none'), text: t('rows.noneText') }}
        rowHref={(row) => hrefOf(String(row.row))}
        rowActions={mayChoose ? actionsFor : undefined}
        bulkActions={
          mayChoose &&
          choices.map((one) => (
            <Button
              key={one}
              size="compact-sm"
              variant="light"
              onClick={() =>
                void choose(
                  list.chosen().map(({ row }) => row),
                  one,
                ).then(() => list.select(new Set()))
              }
            >
              {t(`choose.${one}`)}
            </Button>
          ))
        }
        exportName={`reconciliation-${batch.file_name.replace(/\.\w+$/, '')}`}
      />
      {open !== null && (
        <RowPanel batch={batch} among={(list.rows ?? []).map(({ row }) => String(row))} onChoose={mayChoose ? choose : undefined} />
      )}
    </>
  )
}
