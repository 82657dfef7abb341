import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { addAmounts } from '#contract/money/amount.ts'
import { invoiceApi, LINE_KINDS, type InvoiceDetail, type invoiceLine } from '#contract/money/invoice.ts'
import { UNKNOWN } from '#web/format.ts'
import { ChangeCause, changeText } from '#web/invoice/change-cause.tsx'
import { Difference } from '#web/invoice/difference.tsx'
import { monthName } from '#web/month-name.ts'
import { column, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { choiceFilter } from '#web/kit/list/filter.ts'
import { ListPage } from '#web/kit/list/list-page.tsx'
import { useList } from '#web/kit/list/use-list.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { screenHref } from '#web/shell/access.ts'

type Line = z.output<typeof invoiceLine>

type InvoiceLinesProps = {
  invoice: InvoiceDetail
  /** Only those whose conversion has become something else. */
  changed?: true
  /** Takes chosen lines off, where that can be done. */
  onRemove?: (ids: number[]) => void
}

/** The lines of an invoice, beside what their conversions are worth now. */
export function InvoiceLines({ invoice, changed, onRemove }: InvoiceLinesProps) {
  const { t } = useTranslation('invoice')
  const { currency } = invoice
  const difference = ({ amount, conversion }: Line) =>
    conversion === null ? null : addAmounts(conversion.payout, amount.startsWith('-') ? amount.slice(1) : `-${amount}`)
  const columns: Columns<Line, 'invoice'> = [
    column<Line, 'line.kind'>('line.kind', {
      width: 140,
      card: 'title',
      cell: (row, words) =>
        [
          row.adjustment === null ? words(`kind.${row.kind}`) : words(`adjusted.${row.adjustment.kind}`),
          ...(row.credit_note === null ? [] : [words('inNote', { number: row.credit_note })]),
        ].join(' '),
      csv: (row) => row.kind,
    }),
    column<Line, 'line.offer'>('line.offer', {
      width: 220,
      card: 'field',
      cell: (row) => row.conversion?.offer ?? row.adjustment?.note ?? (row.referral === null ? UNKNOWN : monthName(row.referral.month)),
      csv: (row) => row.conversion?.offer ?? row.adjustment?.note ?? row.referral?.month,
    }),
    column<Line, 'line.goal'>('line.goal', { cell: (row) => row.conversion?.goal ?? UNKNOWN, csv: (row) => row.conversion?.goal }),
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
            cell: (row) => <Money amount={row.conversion?.payout} currency={currency} column />,
            csv: (row) => row.conversion?.payout,
          }),
          column<Line, 'line.difference'>('line.difference', {
            numeric: true,
            card: 'field' as const,
            cell: (row) => <Difference amount={difference(row) ?? '0'} currency={currency} />,
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
  const list = useList(invoiceApi.lines, {
    name: changed ? 'invoice-changed' : 'invoice-lines',
    columns: useColumns('invoice', columns),
    rowKey: (row) => String(row.id),
    sort: { column: 'id', direction: 'asc' },
    fixed: { uuid: invoice.uuid, changed: changed ?? false },
    filters: changed
      ? {}
      : {
          kind: choiceFilter(
            t('line.kind'),
            LINE_KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
          ),
        },
  })
  return (
    <ListPage
      inner
      list={list}
      title={t(changed ? 'tab.changed' : 'tab.lines')}
      empty={{ title: t(changed ? 'changed.empty' : 'lines.empty'), text: t(changed ? 'changed.emptyText' : 'lines.emptyText') }}
      rowHref={(row) => (row.conversion === null ? undefined : screenHref('statisticConversionDetail', { uuid: row.conversion.uuid }))}
      rowActions={undefined}
      bulkActions={
        onRemove && (
          <Button
            size="compact-sm"
            variant="light"
            color="red"
            onClick={() => {
              onRemove(list.chosen().map(({ id }) => id))
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
