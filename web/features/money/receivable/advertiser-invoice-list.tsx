import { Button, Group, Text } from '@mantine/core'
import { IconFileInvoice } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import { advertiserInvoiceApi, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { useConstants } from '#web/api/constants.ts'
import { day, integer, money, UNKNOWN } from '#web/format.ts'
import { Difference } from '#web/invoice/difference.tsx'
import { periodOf } from '#web/invoice/days.ts'
import { ADVERTISER_INVOICE_STATUS } from '#web/features/money/receivable/receivable-words.ts'
import { useAdvertiserActions } from '#web/features/money/receivable/use-advertiser-actions.tsx'
import { unranked } from '#web/invoice/unranked.ts'
import { column, moment, reference, status, text, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter, daysFilter, referenceFilter, searchFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { IssueBy } from '#web/issue-by.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

const COLUMNS: Columns<AdvertiserInvoiceRow, 'receivable'> = [
  column<AdvertiserInvoiceRow, 'number'>('number', {
    whole: true,
    card: 'title',
    cell: (row, t) => (
      <>
        {row.number ?? t('noNumber', { id: row.id })}
        <IssueBy invoice={row} mark />
      </>
    ),
    csv: (row) => row.number,
  }),
  reference('advertiser', { sort: true, width: 160, card: 'field' }),
  column<AdvertiserInvoiceRow, 'period', 'runPeriod'>('period', {
    whole: true,
    header: 'runPeriod',
    cell: periodOf,
    csv: (row) => `${row.period_from ?? ''}/${row.period_to}`,
  }),
  amount('net', true),
  amount('vat', true),
  amount('total'),
  amount('open'),
  status(ADVERTISER_INVOICE_STATUS, { sort: true }),
  column<AdvertiserInvoiceRow, 'due_day'>('due_day', {
    whole: true,
    sort: true,
    card: 'field',
    cell: (row, t) =>
      row.overdue_days === null ? (
        day(row.due_day)
      ) : (
        <span style={{ color: 'var(--ohma-bad)' }}>
          {day(row.due_day)}
          <Text span display="block" fz={12.5}>
            {t('overdueDays', { count: row.overdue_days, number: integer(row.overdue_days) })}
          </Text>
        </span>
      ),
    csv: (row) => row.due_day,
  }),
  moment('reminded_at', { hidden: true }),
  moment('issued_at', { hidden: true }),
  moment('paid_at', { sort: true, hidden: true }),
  moment('created_at', { sort: true, hidden: true }),
  column<AdvertiserInvoiceRow, 'changed'>('changed', {
    numeric: true,
    cell: (row) => (row.changed === null ? UNKNOWN : <Difference amount={row.changed} currency={row.currency} />),
    csv: (row) => row.changed,
  }),
  text('note', { hidden: true }),
  text('internal_note', { hidden: true }),
  text('currency', { hidden: true }),
]

/** Invoices of advertisers: found, issued, received, reminded of, exported. */
export function AdvertiserInvoiceList() {
  const { t } = useTranslation('receivable')
  const { currency } = useConstants()
  const can = useCan()
  const { actionsFor, dialog } = useAdvertiserActions()
  const yes = [{ value: 'true', label: t('yes') }]
  const [search, setSearch] = useSearchParams()
  const run = search.get('run')
  const list = useList(advertiserInvoiceApi.list, {
    name: 'advertiser-invoice',
    columns: useColumns('receivable', COLUMNS),
    rowKey: (row) => row.uuid,
    sort: { column: 'id', direction: 'desc' },
    otherKeys: ['view', 'part', 'run'],
    fixed: run === null ? {} : { run_uuid: run },
    filters: {
      search: searchFilter(t('search')),
      status: choiceFilter(t('status'), useStatusOptions(ADVERTISER_INVOICE_STATUS)),
      advertiser_uuid: referenceFilter(t('advertiser'), advertiserApi.options),
      currency: choiceFilter(t('currency', { ns: 'common' }), currency),
      due_from: daysFilter(t('due_day'), 'due_to'),
      overdue: choiceFilter(t('overdueOnly'), yes, false),
      changed: choiceFilter(t('changed'), yes, false),
      deleted: choiceFilter(t('deleted'), yes, false),
    },
    toBody: ({ overdue, changed, deleted, ...body }) => ({
      ...body,
      overdue: overdue === 'true',
      changed: changed === 'true',
      deleted: deleted === 'true',
    }),
  })
  return (
    <>
      {run !== null && (
        <Group gap="sm">
          <Text fz={14}>{t('ofRun')}</Text>
          <Button size="compact-sm" variant="default" onClick={() => setSearch({ view: 'advertisers', part: 'invoices' })}>
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
          title: t('invoices.empty'),
          text: t('invoices.emptyText'),
          action: can('billing.write') && (
            <Button component={Link} to={`${screenHref('billing')}?view=advertisers&part=new`}>
              {t('propose')}
            </Button>
          ),
        }}
        rowHref={({ uuid, deleted_at }) => (deleted_at === null ? screenHref('invoiceDetail', { uuid }) : undefined)}
        rowActions={actionsFor}
        exportName="advertiser-invoices"
        totalsText={(totals) => [
          ...(totals['amounts'] as { currency: string; total: string; open: string }[]) // the contract's totals
            .map((one) => t('totalsOf', { total: money(one.total, one.currency), open: money(one.open, one.currency) })),
          ...unranked(totals, (values) => t('unranked', values)),
        ]}
      />
      {dialog}
    </>
  )
}

function amount<Id extends 'total' | 'open' | 'net' | 'vat'>(id: Id, hidden = false) {
  return column<AdvertiserInvoiceRow, Id>(id, {
    numeric: true,
    ...(hidden ? { hidden: true } : { card: 'field', sort: true }),
    // a draft owes nothing yet
    cell: (row) => (id === 'open' && row.status === 'draft' ? UNKNOWN : <Money amount={row[id]} currency={row.currency} column />),
    csv: (row) => (id === 'open' && row.status === 'draft' ? null : row[id]),
  })
}
