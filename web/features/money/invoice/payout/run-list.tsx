import { Button } from '@mantine/core'
import { IconList, IconRefresh, IconStack2, IconX } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useNavigate } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { billingRunApi, RUN_STATES } from '#contract/money/billing-run.ts'
import { useSave } from '#web/api/query.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { periodOf } from '#web/invoice/days.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { RUN_STATE } from '#web/features/money/invoice/payout/payout-words.ts'
import { Sums } from '#web/invoice/sums.tsx'
import { RunPanel } from '#web/features/money/invoice/payout/run-panel.tsx'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { column, count, moment, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { HeaderActions } from '#web/kit/page/header-actions.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Status } from '#web/kit/status/status.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { notify } from '#web/notify.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

type Run = CallOutput<typeof billingRunApi.list>['list'][number]

const COLUMNS: Columns<Run, 'request'> = [
  column<Run, 'period'>('period', {
    whole: true,
    card: 'title',
    cell: periodOf,
    csv: (row) => `${row.period_from ?? ''}/${row.period_to}`,
  }),
  column<Run, 'schedule'>('schedule', {
    width: 140,
    cell: (row, t) => t(`schedule.${row.schedule ?? 'byHand'}`),
    csv: (row) => row.schedule,
  }),
  column<Run, 'state'>('state', {
    whole: true,
    card: 'field',
    cell: (row) => <Status of={RUN_STATE} value={row.state} />,
    csv: (row) => row.state,
  }),
  column<Run, 'decide'>('decide', { whole: true, card: 'field', cell: (row) => <LookButton of={row} />, csv: null }),
  column<Run, 'made'>('made', {
    numeric: true,
    card: 'field',
    // what a proposed one would make is not worked out before it is looked at
    cell: (row) => (row.state === 'proposed' ? UNKNOWN : integer(row.made)),
    csv: (row) => row.made,
  }),
  count('failed'),
  column<Run, 'sums'>('sums', {
    width: 220,
    card: 'field',
    cell: (row, t) => (row.state === 'proposed' ? t('sums.notYet') : <Sums of={row.amounts} />),
    csv: (row) => row.amounts.map((one) => `${one.net} ${one.currency}`).join(' '),
  }),
  moment('created_at', { sort: true, header: 'made_at' }),
  text('made_by', { width: 150 }),
]

/** Runs of invoices of one side: what the end of a period proposes is looked at and made here, and what failed is tried again. */
export function RunList({ side = 'affiliates' }: { side?: Run['side'] }) {
  const { t } = useTranslation('request')
  const { t: invoice } = useTranslation('invoice')
  const can = useCan()
  const navigate = useNavigate()
  const { open, hrefOf, show, close } = usePanelAddress('look')
  const retry = useSave(billingRunApi.retry, {
    invalidate: [billingRunApi.list, billingRunApi.failures, advertiserInvoiceApi.list, ...SHOW_INVOICES],
    onSuccess: ({ made, failed }) => {
      notify.success(t('retry.toast', { count: made, number: integer(made) }))
      if (failed > 0) notify.error(t('retry.left', { number: integer(failed) }))
    },
  })
  const dismiss = useSave(billingRunApi.dismiss, {
    invalidate: [billingRunApi.list],
    onSuccess: () => notify.success(t('dismissed.toast')),
  })
  const dismissIt = async (uuid: string) => {
    if (await confirm({ title: t('dismiss.ask'), text: t('dismiss.text'), action: t('dismiss'), careful: true }))
      dismiss.mutate({ params: { uuid } })
  }
  const list = useList(billingRunApi.list, {
    name: side === 'affiliates' ? 'billing-run' : 'advertiser-run',
    columns: useColumns('request', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'created_at', direction: 'desc' },
    otherKeys: ['view', 'part', 'look'],
    fixed: { side: [side] },
    filters: {
      state: choiceFilter(
        t('state'),
        RUN_STATES.map((value) => ({ value, label: t(`runState.${value}`) })),
      ),
    },
  })
  const actionsFor = ({ uuid, state, made, failed }: Run): RowAction[] => [
    ...(state === 'proposed' && can('billing.write')
      ? [{ id: 'dismiss', label: t('dismiss'), icon: <IconX size={16} aria-hidden />, danger: true, onClick: () => void dismissIt(uuid) }]
      : []),
    ...(made > 0
      ? [
          {
            id: 'invoices',
            label: t('showInvoices'),
            icon: <IconList size={16} aria-hidden />,
            onClick: () =>
              void navigate(`${screenHref('billing')}?${side === 'affiliates' ? '' : 'view=advertisers&part=invoices&'}run=${uuid}`),
          },
        ]
      : []),
    ...(failed > 0 && can('billing.write')
      ? [{ id: 'retry', label: t('retry'), icon: <IconRefresh size={16} aria-hidden />, onClick: () => retry.mutate({ params: { uuid } }) }]
      : []),
  ]
  const propose = side === 'affiliates' ? <AddButton to="invoiceCreate" label={invoice('new')} /> : undefined
  return (
    <>
      {propose && <HeaderActions>{propose}</HeaderActions>}
      <ListPage
        inner
        list={list}
        title={t('runs')}
        empty={{
          icon: <IconStack2 size={26} stroke={1.6} aria-hidden />,
          title: t('runs.none'),
          text: t(side === 'affiliates' ? 'runs.noneText' : 'runs.noneAdvertisers'),
          action: propose,
        }}
        rowHref={({ uuid }) => hrefOf(uuid)}
        rowActions={actionsFor}
        exportName="runs"
      />
      {open !== null && <RunPanel uuid={open} among={(list.rows ?? []).map(({ uuid }) => uuid)} onShow={show} onClose={close} />}
    </>
  )
}

/** The way to what waits to be made; what was made is opened by its row. */
function LookButton({ of }: { of: Run }) {
  const { t } = useTranslation('request')
  const { hrefOf } = usePanelAddress('look')
  if (of.state !== 'proposed' && of.failed === 0) return null
  return (
    <Button component={Link} to={hrefOf(of.uuid)} size="compact-sm" variant="light">
      {t(of.state === 'proposed' ? 'look' : 'why')}
    </Button>
  )
}
