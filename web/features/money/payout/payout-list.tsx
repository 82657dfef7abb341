import { Button } from '@mantine/core'
import { IconFileExport } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { PAYOUT_FORMATS, payoutApi, type PayoutFileRow } from '#contract/money/payout.ts'
import { integer } from '#web/format.ts'
import { choice, column, moment, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { HeaderActions } from '#web/kit/page/header-actions.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Money } from '#web/kit/show/money.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { useCan } from '#web/shell/access.ts'
import { PayoutCreate } from './payout-create.tsx'
import { PayoutPanel } from './payout-panel.tsx'
import { FILE_STATE } from './payout-words.ts'
import { ResultDialog } from './result-dialog.tsx'

const COLUMNS: Columns<PayoutFileRow, 'payout'> = [
  column<PayoutFileRow, 'file'>('file', {
    width: 110,
    card: 'title',
    cell: (row, t) => t('fileNo', { id: row.id }),
    csv: (row) => row.id,
  }),
  choice('format', PAYOUT_FORMATS, { width: 130, card: 'field' }),
  text('source', { width: 150 }),
  column<PayoutFileRow, 'amount'>('amount', {
    numeric: true,
    card: 'field',
    cell: (row) => <Money amount={row.amount} currency={row.currency} column />,
    csv: (row) => row.amount,
  }),
  column<PayoutFileRow, 'payments'>('payments', { numeric: true, cell: (row) => integer(row.payments), csv: (row) => row.payments }),
  status(FILE_STATE),
  column<PayoutFileRow, 'todo'>('todo', { whole: true, card: 'field', cell: (row) => <LookButton of={row} />, csv: null }),
  column<PayoutFileRow, 'progress'>('progress', {
    width: 260,
    cell: (row, t) =>
      row.state === 'draft' || row.state === 'cancelled'
        ? ''
        : t('progressText', { settled: row.settled, failed: row.failed, sent: row.sent }),
    csv: (row) => `${row.settled}/${row.failed}/${row.sent}`,
  }),
  text('made_by', { width: 140, hidden: true }),
  moment('created_at'),
  text('released_by', { width: 140, hidden: true }),
  moment('released_at', { hidden: true }),
]

/** /billing?view=payouts: files by which affiliates are paid at once. */
export function PayoutList() {
  const { t } = useTranslation('payout')
  const can = useCan()
  const { open, hrefOf, show } = usePanelAddress('payout')
  const [doing, setDoing] = useState<'make' | 'result'>()
  const list = useList(payoutApi.list, {
    name: 'payout',
    columns: useColumns('payout', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'id', direction: 'desc' },
    otherKeys: ['view', 'payout'],
    filters: {
      state: choiceFilter(t('state'), useStatusOptions(FILE_STATE)),
      format: choiceFilter(
        t('format'),
        PAYOUT_FORMATS.map((value) => ({ value, label: t(`format.${value}`) })),
      ),
    },
  })
  const make = can('billing.pay') && <Button onClick={() => setDoing('make')}>{t('make')}</Button>
  return (
    <>
      {can('billing.pay') && (
        <HeaderActions>
          <Button variant="default" onClick={() => setDoing('result')}>
            {t('result')}
          </Button>
          {make}
        </HeaderActions>
      )}
      <ListPage
        inner
        list={list}
        title={t('title')}
        empty={{
          icon: <IconFileExport size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: make,
        }}
        rowHref={(row) => hrefOf(row.uuid)}
        rowActions={undefined}
        exportName="payout-files"
      />
      {open !== null && <PayoutPanel among={(list.rows ?? []).map(({ uuid }) => uuid)} />}
      {doing === 'make' && (
        <PayoutCreate
          onClose={() => setDoing(undefined)}
          onMade={(uuid) => {
            setDoing(undefined)
            show(uuid)
          }}
        />
      )}
      {doing === 'result' && <ResultDialog onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The way to what a file waits for: to be released by somebody, or to be told what became of its payments. */
function LookButton({ of }: { of: PayoutFileRow }) {
  const { t } = useTranslation('payout')
  const can = useCan()
  const { hrefOf } = usePanelAddress('payout')
  if (!can('billing.pay') || (of.state !== 'draft' && of.sent === 0)) return null
  return (
    <Button component={Link} to={hrefOf(of.uuid)} size="compact-sm" variant="light">
      {t(of.state === 'draft' ? 'todo.release' : 'todo.result')}
    </Button>
  )
}
