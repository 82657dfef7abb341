import { SimpleGrid, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { referralApi } from '#contract/people/referral.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Pager } from '#web/kit/list/pager.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { monthName } from '#web/month-name.ts'
import classes from './referral.module.css'

const PAGE = 12

/** How many came by the own link, and what was earned by it. */
export function EarnedPanel({ own }: { own: CallOutput<typeof referralApi.own> }) {
  const { t } = useTranslation('referral')
  return (
    <Panel title={t('earned.title')} text={t('earned.text')}>
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="md">
        <Figure name={t('earned.signedUp')}>{integer(own.signed_up)}</Figure>
        <Figure name={t('earned.active')}>{integer(own.active)}</Figure>
        {own.sums.map(({ currency, earned }) => (
          <Figure key={currency} name={t('earned.sum', { currency })}>
            <Money amount={earned} currency={currency} />
          </Figure>
        ))}
      </SimpleGrid>
      {own.sums.length > 0 && <Months />}
    </Panel>
  )
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <div className="ohma-soft">{name}</div>
      <div className={classes.figure}>{children}</div>
    </div>
  )
}

function Months() {
  const { t } = useTranslation('referral')
  const [page, setPage] = useState(1)
  const found = useQuery({ ...query(referralApi.earned, { body: { count: PAGE, page } }), placeholderData: keepPreviousData })
  if (found.data === undefined)
    return found.isError ? <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} /> : null
  const { list, summary } = found.data
  return (
    <>
      <TableScroll label={t('earned.title')} minWidth={420}>
        <Table verticalSpacing={6} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('month')}</Table.Th>
              <Table.Th>{t('level')}</Table.Th>
              <Table.Th ta="right">{t('referred')}</Table.Th>
              <Table.Th ta="right">{t('earned')}</Table.Th>
              <Table.Th ta="right">{t('invoiced')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {list.map(({ month, currency, level, referred, amount, invoiced }) => (
              <Table.Tr key={`${month} ${currency} ${level}`}>
                <Table.Td>{monthName(month)}</Table.Td>
                <Table.Td>{level}</Table.Td>
                <Table.Td ta="right">{integer(referred)}</Table.Td>
                <Table.Td ta="right">
                  <Money amount={amount} currency={currency} />
                </Table.Td>
                <Table.Td ta="right">
                  <Money amount={invoiced} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </TableScroll>
      {summary.rows > PAGE && <Pager page={page} count={PAGE} rows={summary.rows} onPage={setPage} />}
    </>
  )
}
