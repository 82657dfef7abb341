import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { isNone } from '#web/features/money/receivable/receivable-words.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { monthName } from '#web/month-name.ts'

/** What an advertiser owes that is on no invoice, by month and offer. */
export function Unbilled({ advertiser }: { advertiser: string }) {
  const { t } = useTranslation('receivable')
  const found = useQuery(query(advertiserBillingApi.unbilled, { body: { advertiser_uuid: advertiser } }))
  return (
    <QueryPage query={found} failed={t('failedList')}>
      {({ list }) =>
        list.length === 0 ? (
          <p className="ohma-soft">{t('unbilled.none')}</p>
        ) : (
          <TableScroll label={t('unbilled')} minWidth={520} stacked>
            <Table verticalSpacing={6} tabularNums>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('month')}</Table.Th>
                  <Table.Th>{t('offer')}</Table.Th>
                  <Table.Th ta="right">{t('conversions')}</Table.Th>
                  <Table.Th ta="right">{t('onHold')}</Table.Th>
                  <Table.Th ta="right">{t('not_invoiced')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {list.map((row) => (
                  <Table.Tr key={`${row.month} ${row.offer?.uuid ?? ''} ${row.currency}`}>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{monthName(row.month)}</Table.Td>
                    <Table.Td>
                      {row.offer?.name ?? t('beside')}
                      {!isNone(row.corrections) && row.offer !== null && (
                        <Text fz={12.5} c="dimmed">
                          {t('corrections')} <Money amount={row.corrections} currency={row.currency} column />
                        </Text>
                      )}
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('conversions')}>
                      {integer(row.conversions)}
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('onHold')}>
                      <Money amount={row.hold} currency={row.currency} column />
                    </Table.Td>
                    <Table.Td ta="right" data-label={t('not_invoiced')}>
                      <Money amount={row.amount} currency={row.currency} column />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </TableScroll>
        )
      }
    </QueryPage>
  )
}
