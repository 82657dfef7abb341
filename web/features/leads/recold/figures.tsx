import { SegmentedControl, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RECOLD_GROUPINGS, type RecoldFigures, type RecoldGrouping } from '#contract/leads/recold-figures.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import type { ReportInput } from '#contract/traffic/report.ts'
import { query } from '#web/api/query.ts'
import { integer, money, UNKNOWN } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type FiguresProps = {
  /** Of one distribution; null = of all. */
  uuid: string | null
  period?: ReportInput['period'] | null
  zone?: string | null
  actions?: ReactNode
}

/** What second sales brought by a thousand sends, by whom or what is chosen. */
export function RecoldFiguresPanel({ uuid, period = null, zone = null, actions }: FiguresProps) {
  const { t } = useTranslation('recold')
  const [by, choose] = useState<RecoldGrouping>('age')
  const found = useQuery({
    ...query(recoldApi.figures, { body: { uuid, period, zone } }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={t('figures')} text={t(uuid === null ? 'figures.text' : 'figures.textOne')} actions={actions}>
      <QueryPage query={found} failed={t('figures.failed')}>
        {({ total, rows }) =>
          total.sent === 0 ? (
            <p className="ohma-soft">{t('figures.none')}</p>
          ) : (
            <>
              <SegmentedControl
                size="xs"
                aria-label={t('figures.by')}
                style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
                data={RECOLD_GROUPINGS.map((value) => ({ value, label: t(`figures.by.${value}`) }))}
                value={by}
                onChange={(value) => choose(value as RecoldGrouping)} // one of them
              />
              <Rows by={by} of={rows.filter((row) => row.by === by)} total={total} />
            </>
          )
        }
      </QueryPage>
    </Panel>
  )
}

type Sums = RecoldFigures['total']

function Rows({ by, of, total }: { by: RecoldGrouping; of: RecoldFigures['rows']; total: Sums }) {
  const { t } = useTranslation('recold')
  const nameOf = ({ age, of: thing }: RecoldFigures['rows'][number]) =>
    age === null ? (thing?.name ?? t(`figures.nobody.${by === 'age' ? 'source' : by}`)) : t(`figures.age.${age}`)
  return (
    <TableScroll label={t(`figures.by.${by}`)} minWidth={700}>
      <Table verticalSpacing={6} horizontalSpacing={8} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`figures.by.${by}`)}</Table.Th>
            <Table.Th ta="right">{t(by === 'advertiser' ? 'figures.asked' : 'figures.sent')}</Table.Th>
            <Table.Th ta="right">{t('accepted')}</Table.Th>
            <Table.Th ta="right">{t('conversions')}</Table.Th>
            <Table.Th ta="right">{t('revenue')}</Table.Th>
            <Table.Th ta="right">{t('figures.per_thousand')}</Table.Th>
            {by !== 'advertiser' && <Table.Th ta="right">{t('figures.complaints')}</Table.Th>}
            {by !== 'advertiser' && <Table.Th ta="right">{t('figures.opt_outs')}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {of.map((row) => (
            <Table.Tr key={row.age ?? row.of?.uuid ?? ''}>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{nameOf(row)}</Table.Td>
              <Cells of={row} complained={by !== 'advertiser'} />
            </Table.Tr>
          ))}
        </Table.Tbody>
        {by !== 'advertiser' && (
          <Table.Tfoot>
            <Table.Tr>
              <Table.Th>{t('figures.total')}</Table.Th>
              <Cells of={total} complained />
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </TableScroll>
  )
}

function Cells({ of, complained }: { of: Sums; complained: boolean }) {
  const amounts = (key: 'amount' | 'per_thousand') =>
    of.revenue.map(({ currency, [key]: amount }) => (
      <div key={currency} style={{ whiteSpace: 'nowrap' }}>
        {amount === null ? UNKNOWN : money(amount, currency, { decimals: key === 'amount' ? 2 : 0 })}
      </div>
    ))
  return (
    <>
      <Table.Td ta="right">{integer(of.sent)}</Table.Td>
      <Table.Td ta="right">{integer(of.accepted)}</Table.Td>
      <Table.Td ta="right">{integer(of.conversions)}</Table.Td>
      <Table.Td ta="right">{of.revenue.length === 0 ? UNKNOWN : amounts('amount')}</Table.Td>
      <Table.Td ta="right">{of.revenue.length === 0 ? UNKNOWN : amounts('per_thousand')}</Table.Td>
      {complained && <Table.Td ta="right">{integer(of.complaints)}</Table.Td>}
      {complained && <Table.Td ta="right">{integer(of.opt_outs)}</Table.Td>}
    </>
  )
}
