import { Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { query } from '#web/api/query.ts'
import { integer, UNKNOWN } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

/** By how much the money of offers and affiliates changes; once applied, beside it by how much it did. */
export function Totals({ batch }: { batch: Reconciliation }) {
  const { t } = useTranslation('reconciliation')
  const found = useQuery(query(reconciliationApi.totals, { params: { uuid: batch.uuid } }))
  const isDone = batch.state !== 'matched'
  return (
    <Panel title={t('totals')} text={t(isDone ? 'totals.done' : 'totals.text')}>
      <QueryPage query={found} failed={t('failed')}>
        {({ list, sums, more }) =>
          list.length === 0 ? (
            <Text fz={14}>{t('totals.none')}</Text>
          ) : (
            <TableScroll label={t('totals')} minWidth={isDone ? 860 : 620} stacked>
              <Table verticalSpacing={6} tabularNums>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('offer')}</Table.Th>
                    <Table.Th>{t('affiliate')}</Table.Th>
                    <Table.Th ta="right">{t('rows')}</Table.Th>
                    <Table.Th ta="right">{t('payout')}</Table.Th>
                    <Table.Th ta="right">{t('revenue')}</Table.Th>
                    {isDone && <Table.Th ta="right">{t('done.payout')}</Table.Th>}
                    {isDone && <Table.Th ta="right">{t('done.revenue')}</Table.Th>}
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map((one) => (
                    <Table.Tr key={`${one.offer?.uuid} ${one.affiliate?.uuid} ${one.currency}`}>
                      <Table.Td fw={550}>{one.offer?.name ?? UNKNOWN}</Table.Td>
                      <Table.Td data-label={t('affiliate')}>{one.affiliate?.name ?? UNKNOWN}</Table.Td>
                      <Sums of={one} isDone={isDone} />
                    </Table.Tr>
                  ))}
                </Table.Tbody>
                <Table.Tfoot>
                  {sums.map((one) => (
                    <Table.Tr key={one.currency}>
                      <Table.Th colSpan={2}>{t('totals.all', { currency: one.currency })}</Table.Th>
                      <Sums of={one} isDone={isDone} />
                    </Table.Tr>
                  ))}
                </Table.Tfoot>
              </Table>
              {more > 0 && (
                <Text fz={13} c="dimmed">
                  {t('totals.more', { count: more, number: integer(more) })}
                </Text>
              )}
            </TableScroll>
          )
        }
      </QueryPage>
    </Panel>
  )
}

type Sum = { currency: string; rows: number; payout: string; revenue: string; done: number; done_payout: string; done_revenue: string }

function Sums({ of, isDone }: { of: Sum; isDone: boolean }) {
  const { t } = useTranslation('reconciliation')
  const money = (label: string, amount: string) => (
    <Table.Td ta="right" data-label={label}>
      <Money amount={amount} currency={of.currency} column signed />
    </Table.Td>
  )
  return (
    <>
      <Table.Td ta="right" data-label={t('rows')}>
        {integer(isDone ? of.done : of.rows)}
      </Table.Td>
      {money(t('payout'), of.payout)}
      {money(t('revenue'), of.revenue)}
      {isDone && money(t('done.payout'), of.done_payout)}
      {isDone && money(t('done.revenue'), of.done_revenue)}
    </>
  )
}
