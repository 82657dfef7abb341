import { Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import type { Figure } from './figures.ts'
import classes from './ledger.module.css'

type Row = { currency: string; figures: readonly Figure[] }
type BalanceTableProps = {
  of: readonly Row[]
  isOpen: (currency: string, figure: Figure) => boolean
  onOpen: (currency: string, figure: Figure) => void
}

/** What somebody has, a currency a row, in the order money takes; each figure opens its entries. */
export function BalanceTable({ of, isOpen, onOpen }: BalanceTableProps) {
  const { t } = useTranslation('ledger')
  const all = of.flatMap(({ figures }) => figures.filter(({ part }) => part !== true))
  // what was paid comes last, also where one currency alone has something before it
  const ids = [...new Set(all.map(({ id }) => id))].toSorted((a, b) => Number(a === 'paid') - Number(b === 'paid'))
  // that one owes is said beside the figure
  const headOf = (id: string) => (id === 'available' ? t('available') : all.find((one) => one.id === id)?.label)
  const cell = (currency: string, figure: Figure) => {
    const shown = (
      <>
        {(figure.part === true || (figure.id === 'available' && figure.label !== t('available'))) && <span>{figure.label} </span>}
        <Money amount={figure.amount} currency={currency} column />
      </>
    )
    const look = { ...(figure.part && { 'data-part': true }), ...(figure.main && { 'data-main': true }) }
    if (figure.kinds.length === 0) return <div className={classes.cell}>{shown}</div>
    return (
      <button
        key={figure.id}
        type="button"
        className={classes.cell}
        aria-pressed={isOpen(currency, figure)}
        aria-label={`${figure.label}, ${currency}`}
        onClick={() => onOpen(currency, figure)}
        {...look}
      >
        {shown}
      </button>
    )
  }
  return (
    <Panel title={t('balances')}>
      <TableScroll label={t('balances')} minWidth={720}>
        <Table verticalSpacing={4} horizontalSpacing={4} tabularNums aria-label={t('balances')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('currency', { ns: 'common' })}</Table.Th>
              {ids.map((id) => (
                <Table.Th key={id} ta="right" px={12}>
                  {headOf(id)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.map(({ currency, figures }) => (
              <Table.Tr key={currency} style={{ verticalAlign: 'top' }}>
                <Table.Th scope="row" fz={14} c="inherit" py={9}>
                  {currency}
                </Table.Th>
                {ids.map((id) => {
                  const figure = figures.find((one) => one.id === id)
                  return (
                    <Table.Td key={id} ta="right">
                      {figure && cell(currency, figure)}
                      {figure?.main && figures.filter(({ part }) => part).map((part) => cell(currency, part))}
                    </Table.Td>
                  )
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
    </Panel>
  )
}
