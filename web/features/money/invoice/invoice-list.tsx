import { Button, Group, Text } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useState, type ComponentType } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { z } from 'zod'
import { invoiceApi, type invoiceRow } from '#contract/money/invoice.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { day, money, UNKNOWN } from '#web/format.ts'
import { Difference } from '#web/invoice/difference.tsx'
import { INVOICE_STATUS, nameOf, SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { periodOf } from '#web/invoice/days.ts'
import { useBulkSteps } from '#web/features/money/invoice/use-bulk-steps.ts'
import { useInvoiceActions } from '#web/features/money/invoice/use-invoice-actions.tsx'
import { unranked } from '#web/invoice/unranked.ts'
import { column, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, daysFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { HeaderActions } from '#web/kit/page/header-actions.tsx'
import { IssueBy } from '#web/issue-by.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'
import { AddButton } from '#web/shell/add-button.tsx'

type Invoice = z.output<typeof invoiceRow>

const COLUMNS: Columns<Invoice, 'invoice'> = [
  column<Invoice, 'number'>('number', {
    whole: true,
    card: 'title',
    sort: true,
    cell: (row, t) => (
      <>
        {nameOf(row, t)}
        <IssueBy invoice={row} mark />
      </>
    ),
    csv: (row, t) => nameOf(row, t),
  }),
  column<Invoice, 'period', 'runPeriod'>('period', {
    whole: true,
    header: 'runPeriod',
    sort: true,
    cell: periodOf,
    csv: (row) => `${row.period_from ?? ''}/${row.period_to}`,
  }),
  reference('affiliate', { sort: true, width: 150, card: 'field' }),
  amount('net', false),
  amount('vat', false),
  amount('total', true),
  amount('open', true),
  column<Invoice, 'payment_system'>('payment_system', {
    whole: true,
    cell: (row) => <SystemName code={row.payment_system} />,
    csv: (row) => row.payment_system,
  }),
  status(INVOICE_STATUS, { sort: true }),
  column<Invoice, 'due_day'>('due_day', {
    whole: true,
    sort: true,
    cell: (row) => (row.due_day === null ? UNKNOWN : day(row.due_day)),
    csv: (row) => row.due_day,
  }),
  moment('created_at', { sort: true, hidden: true }),
  moment('paid_at', { sort: true, hidden: true }),
  column<Invoice, 'changed'>('changed', {
    numeric: true,
    cell: (row) => (row.changed === null ? UNKNOWN : <Difference amount={row.changed} currency={row.currency} />),
    csv: (row) => row.changed,
  }),
  text('note', { hidden: true }),
  text('internal_note', { hidden: true }),
  text('currency', { hidden: true }),
]

type InvoiceListProps = {
  /** The dialog that makes a payout file of chosen invoices. */
  payout: ComponentType<{ chosen: readonly Invoice[]; onClose: () => void; onMade: (uuid: string) => void }>
}

/** Invoices of affiliates: found, sent, approved, paid, exported. */
export function InvoiceList({ payout: Payout }: InvoiceListProps) {
  const { t } = useTranslation('invoice')
  const { t: payout } = useTranslation('payout')
  const can = useCan()
  const { currency, payment_systems, paid_statuses } = useConstants()
  const { actionsFor, dialog } = useInvoiceActions()
  const [search, setSearch] = useSearchParams()
  const run = search.get('run')
  const yes = [{ value: 'true', label: t('yes') }]
  const list = useList(invoiceApi.list, {
    name: 'invoice',
    columns: useColumns('invoice', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'id', direction: 'desc' },
    otherKeys: ['view', 'run'],
    fixed: run === null ? {} : { run_uuid: run },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(
        t('status'),
        useStatusOptions(INVOICE_STATUS).filter(({ value }) => paid_statuses.some((one) => one.value === value)),
      ),
      affiliate_uuid: referenceFilter(t('affiliate'), affiliateApi.list),
      manager_uuid: referenceFilter(t('manager'), managerApi.options),
      currency: choiceFilter(t('currencies'), currency),
      payment_system: choiceFilter(t('payment_system'), payment_systems),
      created_from: daysFilter(t('created'), 'created_to'),
      due_from: daysFilter(t('due_day'), 'due_to'),
      paid_from: daysFilter(t('paid_at'), 'paid_to'),
      changed: choiceFilter(t('changed'), yes, false),
      deleted: choiceFilter(t('showDeleted'), yes, false),
    },
    toBody: ({ changed, deleted, ...body }) => ({ ...body, changed: changed === 'true', deleted: deleted === 'true' }),
  })
  const navigate = useNavigate()
  const [paying, setPaying] = useState<readonly Invoice[]>()
  const bulk = useBulkSteps(() => list.select(new Set()))
  return (
    <>
      <HeaderActions>
        <AddButton to="invoiceCreate" label={t('new')} />
      </HeaderActions>
      {run !== null && (
        <Group gap="sm">
          <Text fz={14}>{t('ofRun')}</Text>
          <Button size="compact-sm" variant="default" onClick={() => setSearch({})}>
            {t('allInvoices')}
          </Button>
        </Group>
      )}
      <ListPage
        inner
        list={list}
        title={t('invoices')}
        empty={{
          icon: <IconFileInvoice size={26} stroke={1.6} aria-hidden />,
          title: t('empty.title'),
          text: t('empty.text'),
          action: <AddButton to="invoiceCreate" label={t('new')} />,
        }}
        rowHref={({ uuid, deleted_at }) => (deleted_at === null ? screenHref('invoiceDetail', { uuid }) : undefined)}
        rowActions={actionsFor}
        bulkActions={
          <>
            {can('billing.write') && (
              <>
                <Button size="compact-sm" variant="light" onClick={() => void bulk.send(list.chosen())}>
                  {t('send')}
                </Button>
                <Button size="compact-sm" variant="light" onClick={() => void bulk.approve(list.chosen())}>
                  {t('approve')}
                </Button>
              </>
            )}
            {can('billing.pay') && (
              <Button size="compact-sm" variant="light" onClick={() => setPaying(list.chosen())}>
                {payout('make')}
              </Button>
            )}
          </>
        }
        exportName="invoices"
        totalsText={(totals) => [
          ...(totals['amounts'] as { currency: string; total: string; open: string }[]) // the contract's totals
            .map((one) => t('totalsOf', { total: money(one.total, one.currency), open: money(one.open, one.currency) })),
          ...unranked(totals, (values) => t('unranked', values)),
        ]}
      />
      {dialog}
      {paying && (
        <Payout
          chosen={paying}
          onClose={() => setPaying(undefined)}
          onMade={(uuid) => void navigate(`${screenHref('billing')}?view=payouts&payout=${uuid}`)}
        />
      )}
    </>
  )
}

function amount<Id extends 'total' | 'open' | 'net' | 'vat'>(id: Id, shown: boolean) {
  return column<Invoice, Id>(id, {
    numeric: true,
    ...(shown ? { card: 'field', sort: true } : { hidden: true }),
    cell: (row, t) =>
      id === 'open' && !isOpenYet(row) ? (
        UNKNOWN // all of it is planned or sent: nothing is left to be done
      ) : id === 'open' && /^0(\.0*)?$/.test(row.open) && (row.status === 'approved' || row.status === 'partly_paid') ? (
        <span className="ohma-soft">{t(/^0(\.0*)?$/.test(row.planned) ? 'onWay' : 'plannedSum')}</span>
      ) : (
        <Money amount={row[id]} currency={row.currency} column />
      ),
    csv: (row) => (id === 'open' && !isOpenYet(row) ? null : row[id]),
  })
}

/** Something of it is open from approval on: what is prepared or ended owes nothing, in the sums below the list either. */
function isOpenYet({ status }: Invoice): boolean {
  return status === 'approved' || status === 'partly_paid' || status === 'paid'
}
