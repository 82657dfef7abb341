import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail, type advertiserInvoiceLine } from '#contract/money/advertiser-invoice.ts'
import { useSave } from '#web/api/query.ts'
import { UNKNOWN } from '#web/format.ts'
import { ChangeCause, changeText } from '#web/invoice/change-cause.tsx'
import { Difference } from '#web/invoice/difference.tsx'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { column, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

type Line = z.output<typeof advertiserInvoiceLine>

/** The lines of an advertiser's invoice, or those whose conversion has become something else, beside what it earns now. */
export function AdvertiserInvoiceLines({ invoice, changed }: { invoice: AdvertiserInvoiceDetail; changed?: true }) {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const { currency, uuid, revision } = invoice
  const isDraft = invoice.number === null
  const remove = useSave(advertiserInvoiceApi.removeLines, { invalidate: SHOW_RECEIVABLES })
  /** Of a draft against its line, of an issued one against all that is invoiced of the conversion. */
  const difference = ({ amount, conversion }: Line) =>
    conversion === null
      ? '0'
      : isDraft
        ? addAmounts(conversion.unbilled, amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
        : conversion.unbilled
  const columns: Columns<Line, 'receivable'> = [
    column<Line, 'line.kind'>('line.kind', {
      width: 150,
      card: 'title',
      cell: (row, words) =>
        row.adjustment === null
          ? [words(`kind.${row.kind}`), row.credit_note].filter(Boolean).join(' · ')
          : words(`adjusted.${row.adjustment.kind}`),
      csv: (row) => row.kind,
    }),
    column<Line, 'offer'>('offer', {
      width: 220,
      card: 'field',
      cell: (row) => row.conversion?.offer ?? row.adjustment?.note ?? UNKNOWN,
      csv: (row) => row.conversion?.offer ?? row.adjustment?.note,
    }),
    column<Line, 'goal'>('goal', { cell: (row) => row.conversion?.goal ?? UNKNOWN, csv: (row) => row.conversion?.goal }),
    column<Line, 'line.at'>('line.at', {
      whole: true,
      cell: (row) => (row.conversion === null ? UNKNOWN : <Moment at={row.conversion.at} />),
      csv: (row) => row.conversion?.at,
    }),
    column<Line, 'line.amount'>('line.amount', {
      numeric: true,
      card: 'field',
      cell: (row) => <Money amount={row.amount} currency={currency} column />,
      csv: (row) => row.amount,
    }),
    ...(changed
      ? [
          column<Line, 'line.now'>('line.now', {
            numeric: true,
            card: 'field' as const,
            cell: (row) => <Money amount={row.conversion?.earned} currency={currency} column />,
            csv: (row) => row.conversion?.earned,
          }),
          column<Line, 'line.difference'>('line.difference', {
            numeric: true,
            card: 'field' as const,
            cell: (row) => <Difference amount={difference(row)} currency={currency} />,
            csv: difference,
          }),
          column<Line, 'line.why'>('line.why', {
            width: 260,
            card: 'field' as const,
            cell: (row) => <ChangeCause change={row.change} />,
            csv: (row) => changeText(row.change),
          }),
        ]
      : []),
  ]
  const list = useList(advertiserInvoiceApi.lines, {
    name: changed ? 'advertiser-invoice-changed' : 'advertiser-invoice-lines',
    columns: useColumns('receivable', columns),
    rowKey: (row) => String(row.id),
    sort: { column: 'id', direction: 'asc' },
    fixed: { uuid, changed: changed ?? false },
    filters: {},
  })
  return (
    <ListPage
      inner
      list={list}
      title={t(changed ? 'changed' : 'tab.lines')}
      empty={{ title: t(changed ? 'changed.empty' : 'lines.empty'), text: t(changed ? 'changed.emptyText' : 'lines.emptyText') }}
      rowHref={(row) => (row.conversion === null ? undefined : screenHref('statisticConversionDetail', { uuid: row.conversion.uuid }))}
      rowActions={undefined}
      bulkActions={
        isDraft &&
        !changed &&
        can('billing.write') && (
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            onClick={() => {
              remove.mutate({ params: { uuid }, body: { lines: list.chosen().map(({ id }) => id), revision } })
              list.select(new Set())
            }}
          >
            {t('removeChosen')}
          </Button>
        )
      }
      exportName={`invoice-${invoice.number ?? invoice.id}`}
    />
  )
}
