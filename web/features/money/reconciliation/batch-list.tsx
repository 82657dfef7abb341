import { IconScale } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { reconciliationApi } from '#contract/money/reconciliation.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { UNKNOWN } from '#web/format.ts'
import { periodOf } from '#web/invoice/days.ts'
import { BATCH_STATE } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { ReportDrop } from '#web/features/money/reconciliation/report-drop.tsx'
import { column, count, moment, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, referenceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { useCan } from '#web/shell/access.ts'

type Batch = CallOutput<typeof reconciliationApi.list>['list'][number]

const COLUMNS: Columns<Batch, 'reconciliation'> = [
  column<Batch, 'whose'>('whose', {
    width: 200,
    card: 'title',
    cell: (row) => (row.advertiser ?? row.affiliate)?.name ?? UNKNOWN,
    csv: (row) => (row.advertiser ?? row.affiliate)?.name,
  }),
  text('file_name', { width: 220, card: 'field' }),
  column<Batch, 'period'>('period', {
    width: 190,
    card: 'field',
    cell: (row) => (row.period === null ? UNKNOWN : periodOf({ period_from: row.period.from, period_to: row.period.to })),
    csv: (row) => (row.period === null ? '' : `${row.period.from}/${row.period.to}`),
  }),
  status(BATCH_STATE),
  count('lines'),
  count('differing', { card: 'field' }),
  text('by', { width: 140 }),
  moment('created_at'),
]

/** Where a report is dropped, and the reconciliations there are. */
export function BatchList({ onOpen }: { onOpen: (uuid: string) => void }) {
  const { t } = useTranslation('reconciliation')
  const can = useCan()
  const { hrefOf } = usePanelAddress('batch')
  const list = useList(reconciliationApi.list, {
    name: 'reconciliation',
    columns: useColumns('reconciliation', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    otherKeys: ['view', 'batch', 'of'],
    filters: {
      advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options),
      state: choiceFilter(t('state'), useStatusOptions(BATCH_STATE)),
    },
  })
  return (
    <>
      {can('billing.write') && <ReportDrop onRead={onOpen} />}
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{ icon: <IconScale size={26} stroke={1.6} aria-hidden />, title: t('empty.title'), text: t('empty.text') }}
        rowHref={(row) => hrefOf(row.uuid)}
        rowActions={undefined}
        exportName="reconciliations"
      />
    </>
  )
}
