import { Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'

type Booking = { at: string; event: string; entries: readonly { account: string; amount: string }[] }

/** What an invoice, of either side, has moved in the books: each entry with its sign. The texts are those of the ledger. */
export function Bookings({
  of: { bookings, currency },
  title,
  none,
}: {
  of: { bookings: readonly Booking[]; currency: string }
  /** What it is called where that is not what the ledger calls itself. */
  title?: string
  /** Said where nothing is booked yet. */
  none?: string
}) {
  const { t } = useTranslation('ledger')
  return (
    <Panel title={title ?? t('title')}>
      {none !== undefined && bookings.length === 0 && <p className="ohma-soft">{none}</p>}
      <Table verticalSpacing={6} horizontalSpacing={0} tabularNums>
        <Table.Tbody>
          {bookings.flatMap(({ at, event, entries }, index) =>
            entries.map(({ account, amount }, line) => (
              <Table.Tr key={`${index} ${account}`}>
                <Table.Td>
                  {line === 0 && (
                    <>
                      {t(`event.${event}` as 'event.payout', { defaultValue: event })} <Moment at={at} />
                    </>
                  )}
                </Table.Td>
                <Table.Td>{t(`account.${account}` as 'account.cash')}</Table.Td>
                <Table.Td ta="right">
                  {!amount.startsWith('-') && '+'}
                  <Money amount={amount} currency={currency} exact />
                </Table.Td>
              </Table.Tr>
            )),
          )}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}
