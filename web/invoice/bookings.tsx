import { Table } from '@mantine/core'
import { accountType, type AccountKind } from '#contract/money/account.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type Booking = { at: string; event: string; entries: readonly { account: string; amount: string; currency: string }[] }

/** What an invoice, of either side, has moved in the books: each entry in the column of its side. The texts are those of the ledger. */
export function Bookings({
  of: { bookings },
  title,
  none,
}: {
  of: { bookings: readonly Booking[] }
  /** What it is called where that is not what the ledger calls itself. */
  title?: string
  /** Said where nothing is booked yet. */
  none?: string
}) {
  const { t } = useTranslation('ledger')
  return (
    <Panel title={title ?? t('title')}>
      {none !== undefined && bookings.length === 0 && <p className="ohma-soft">{none}</p>}
      {bookings.length > 0 && (
        <TableScroll label={title ?? t('title')} minWidth={0}>
          <Table verticalSpacing={6} horizontalSpacing={8} tabularNums aria-label={title ?? t('title')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('account')}</Table.Th>
                <Table.Th ta="right">{t('side.debitWhole')}</Table.Th>
                <Table.Th ta="right">{t('side.creditWhole')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            {bookings.map(({ at, event, entries }, index) => (
              // bookings never change their order
              // oxlint-disable-next-line react/no-array-index-key
              <Table.Tbody key={index}>
                <Table.Tr>
                  <Table.Th colSpan={3} scope="rowgroup" bg="var(--ohma-sunken)">
                    {t(`event.${event}` as 'event.payout', { defaultValue: event })} · <Moment at={at} />
                  </Table.Th>
                </Table.Tr>
                {entries.map(({ account, amount, currency }, line) => (
                  // oxlint-disable-next-line react/no-array-index-key
                  <Table.Tr key={line}>
                    <Table.Td>{t(`account.${account}` as 'account.cash')}</Table.Td>
                    {(['debit', 'credit'] as const).map((side) => (
                      <Table.Td key={side} ta="right" style={{ whiteSpace: 'nowrap' }}>
                        {side === sideOf(account, amount) && <Money amount={amount.replace('-', '')} currency={currency} column />}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            ))}
          </Table>
        </TableScroll>
      )}
    </Panel>
  )
}

/** An amount is above zero where its account grows, which is a debit of some and a credit of others. */
function sideOf(account: string, amount: string): 'debit' | 'credit' {
  const { side } = accountType(account as AccountKind) // bookings name kinds of accounts alone
  const isLess = amount.startsWith('-')
  return (side === 'debit') === isLess ? 'credit' : 'debit'
}
