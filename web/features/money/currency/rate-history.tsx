import { ActionIcon, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { rateTableApi } from '#contract/money/currency-rate.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { query, useSave } from '#web/api/query.ts'
import { day as dayText, integer } from '#web/format.ts'
import { gapText, rateText } from '#web/features/money/currency/rate-words.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'

type RateHistoryProps = {
  currency: string
  base: string
  among: readonly string[]
  onShow: (currency: string) => void
  onClose: () => void
}

const PAGE = 50

/** All rates of a currency, the newest first: until when each holds, where it came from, and the days after it without one. */
export function RateHistory({ currency, base, among, onShow, onClose }: RateHistoryProps) {
  const { t } = useTranslation('currency')
  return (
    <SidePanel title={t('history.title', { currency, base })} size={560} open={currency} among={among} onShow={onShow} onClose={onClose}>
      <Rows key={currency} currency={currency} />
    </SidePanel>
  )
}

function Rows({ currency }: { currency: string }) {
  const { t } = useTranslation('currency')
  const [page, setPage] = useState(1)
  const found = useQuery({
    ...query(rateTableApi.history, { body: { currency, count: PAGE, page } }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const remove = useSave(rateTableApi.remove, { invalidate: [rateTableApi.history, rateTableApi.month, currencyRateApi.list] })
  const { data } = found
  if (found.isError) return <ErrorState what={t('table.failed')} error={found.error} onRetry={() => void found.refetch()} />
  if (data === undefined) return <Skeleton height={300} />
  if (data.list.length === 0) return <Text c="dimmed">{t('history.none')}</Text>
  const pages = Math.ceil(data.summary.rows / PAGE)
  const ask = async (day: string) => {
    const sure = await confirm({
      title: t('history.remove', { day: dayText(day), currency }),
      text: t('history.removeText'),
      action: t('history.removeAction'),
      danger: true,
    })
    if (sure) remove.mutate({ body: { day, currency } })
  }
  return (
    <Stack>
      <Table aria-label={t('history.rates')} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('table.day')}</Table.Th>
            <Table.Th ta="end">{t('history.rate')}</Table.Th>
            <Table.Th visibleFrom="sm">{t('history.until')}</Table.Th>
            <Table.Th>{t('history.source')}</Table.Th>
            <Table.Th w={36} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.list.flatMap(({ day, rate, until, source, gap }) => [
            ...(gap === null
              ? []
              : [
                  <Table.Tr key={`${day} gap`}>
                    <Table.Td colSpan={5} c="var(--ohma-waiting)">
                      {t('history.gap', { days: gapText(gap) })}
                    </Table.Td>
                  </Table.Tr>,
                ]),
            <Table.Tr key={day}>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{dayText(day)}</Table.Td>
              <Table.Td ta="end" className="ohma-number">
                {rateText(rate)}
              </Table.Td>
              <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
                {dayText(until)}
              </Table.Td>
              <Table.Td>{t(`source.${source}`)}</Table.Td>
              <Table.Td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t('history.remove', { day: dayText(day), currency })}
                  onClick={() => void ask(day)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              </Table.Td>
            </Table.Tr>,
          ])}
        </Table.Tbody>
      </Table>
      {pages > 1 && (
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('history.page', { page: integer(page), pages: integer(pages) })}
          </Text>
          <Group gap={6}>
            <Button variant="default" size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
              {t('history.newer')}
            </Button>
            <Button variant="default" size="xs" disabled={page >= pages} onClick={() => setPage(page + 1)}>
              {t('history.older')}
            </Button>
          </Group>
        </Group>
      )}
    </Stack>
  )
}
