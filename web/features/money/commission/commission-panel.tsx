import { Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { commissionApi, MOST_COMMISSIONS } from '#contract/money/commission.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

type CommissionPanelProps = {
  month: string
  manager: string
  among: readonly string[]
  onShow: (key: string) => void
  onClose: () => void
}
type Detail = CallOutput<typeof commissionApi.get>

/** A month of one manager, account by account, over the list. */
export function CommissionPanel({ month, manager, among, onShow, onClose }: CommissionPanelProps) {
  const { t } = useTranslation('commission')
  const found = useQuery(query(commissionApi.get, { body: { month, manager_uuid: manager } }))
  return (
    <SidePanel title={found.data?.manager.name ?? ''} size={720} open={manager} among={among} onShow={onShow} onClose={onClose}>
      <QueryPage query={found} failed={t('failed')}>
        {(detail) => (
          <Stack gap="lg">
            {detail.sums.map((sum) => (
              <Accounts key={sum.currency} detail={detail} sum={sum} />
            ))}
            {detail.more && <Text c="dimmed">{t('more', { number: integer(MOST_COMMISSIONS) })}</Text>}
            {detail.changed.length > 0 && <Changes changed={detail.changed} />}
          </Stack>
        )}
      </QueryPage>
    </SidePanel>
  )
}

function Accounts({ detail, sum }: { detail: Detail; sum: Detail['sums'][number] }) {
  const { t } = useTranslation('commission')
  const { currency } = sum
  const lines = detail.lines.filter((one) => one.currency === currency)
  return (
    <TableScroll label={t('title')} minWidth={560}>
      <Table verticalSpacing={6} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{currency}</Table.Th>
            {(['revenue', 'payout', 'costs', 'base'] as const).map((part) => (
              <Table.Th key={part} ta="right">
                {t(part)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={`${line.kind} ${line.account.id}`}>
              <Table.Td>
                {line.account.name}
                <Text fz={12.5} c="dimmed">
                  {t(line.kind)} #{line.account.id}
                </Text>
              </Table.Td>
              {(['revenue', 'payout', 'costs', 'base'] as const).map((part) => (
                <Table.Td key={part} ta="right">
                  <Money amount={line[part]} currency={currency} column />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td colSpan={4}>
              <b>{t('commission')}</b>
              {sum.base.startsWith('-') && (
                <Text fz={12.5} c="dimmed">
                  {t('belowZero')}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right">
              <b>
                <Money amount={sum.amount} currency={currency} column />
              </b>
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}

function Changes({ changed }: { changed: Detail['changed'] }) {
  const { t } = useTranslation('commission')
  return (
    <div>
      <h3>{t('changed')}</h3>
      <Table verticalSpacing={6}>
        <Table.Tbody>
          {changed.map((one) => (
            <Table.Tr key={`${one.at} ${one.kind} ${one.account.id}`}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>
                <Moment at={one.at} />
              </Table.Td>
              <Table.Td>
                {one.account.name}
                <Text fz={12.5} c="dimmed">
                  {t(one.kind)} #{one.account.id}
                </Text>
              </Table.Td>
              <Table.Td>
                {one.from || t('nobody')} → {one.to || t('nobody')}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
