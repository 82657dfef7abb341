import { ActionIcon, Alert, Button, Group, Skeleton, Table, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconFileImport } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { rateTableApi } from '#contract/money/currency-rate.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { locale } from '#web/notation.ts'
import { RateHistory } from '#web/features/money/currency/rate-history.tsx'
import { RateImportDrawer } from '#web/features/money/currency/rate-import.tsx'
import { gapText, rateText, shortDay } from '#web/features/money/currency/rate-words.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'

type Month = CallOutput<typeof rateTableApi.month>
const NAMED = 6

/** The rates of a month, day by day and currency by currency, with the days on which none is in force; a currency opens its history. */
export function RateTable() {
  const { t } = useTranslation('currency')
  const [search, setSearch] = useSearchParams()
  const asked = /^20\d\d-(0[1-9]|1[0-2])$/.exec(search.get('month') ?? '')?.[0] ?? null
  const found = useQuery({ ...query(rateTableApi.month, { body: { month: asked } }), placeholderData: keepPreviousData })
  const [open, setOpen] = useState<string>()
  const [importing, setImporting] = useState(false)
  const go = (month: string | null) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (month === null) next.delete('month')
        else next.set('month', month)
        return next
      },
      { replace: true, preventScrollReset: true },
    )
  const { data } = found
  return (
    <Panel
      title={t('table.title')}
      text={t('table.text', { base: data?.base ?? '' })}
      actions={
        <Group gap={6}>
          {data && <MonthSteps of={data} onGo={go} />}
          <Button variant="default" leftSection={<IconFileImport size={16} aria-hidden />} onClick={() => setImporting(true)}>
            {t('import.open')}
          </Button>
        </Group>
      }
    >
      {found.isError && <ErrorState what={t('table.failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {data === undefined && !found.isError && <Skeleton height={260} />}
      {data && <Gaps of={data} />}
      {data && <Cells of={data} onOpen={setOpen} />}
      {open !== undefined && data && (
        <RateHistory currency={open} base={data.base} among={data.currencies} onShow={setOpen} onClose={() => setOpen(undefined)} />
      )}
      {importing && <RateImportDrawer onClose={() => setImporting(false)} />}
    </Panel>
  )
}

function MonthSteps({ of: { month, today }, onGo }: { of: Month; onGo: (month: string | null) => void }) {
  const { t } = useTranslation('currency')
  const [year = 0, number = 1] = month.split('-').map(Number)
  const at = (by: number) => new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
  const present = today.slice(0, 7)
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon variant="default" size={34} aria-label={t('table.before')} title={t('table.before')} onClick={() => onGo(at(-1))}>
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <Text fw={600} miw={120} ta="center" aria-live="polite">
        {new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${month}-01`))}
      </Text>
      <ActionIcon
        variant="default"
        size={34}
        aria-label={t('table.after')}
        title={t('table.after')}
        disabled={month >= present}
        onClick={() => onGo(at(1) >= present ? null : at(1))}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

/** The days without a rate, in words: nobody looks for a dash in three hundred cells. */
function Gaps({ of: { gaps } }: { of: Month }) {
  const { t } = useTranslation('currency')
  if (gaps.length === 0) return null
  const by = [...Map.groupBy(gaps, ({ currency }) => currency)]
  const named = by.slice(0, NAMED).map(([currency, all]) => `${currency}: ${all.map((gap) => gapText(gap, true)).join(', ')}`)
  return (
    <Alert color="var(--ohma-waiting)" role="status">
      {t('table.gaps')} {named.join('; ')}
      {by.length > NAMED ? `; ${t('table.gapsMore', { count: by.length - NAMED })}` : ''}
    </Alert>
  )
}

function Cells({ of: { currencies, list }, onOpen }: { of: Month; onOpen: (currency: string) => void }) {
  const { t } = useTranslation('currency')
  if (currencies.length === 0) return <Text c="dimmed">{t('table.none')}</Text>
  return (
    <TableScroll label={t('table.title')} minWidth={90 + currencies.length * 96} maxHeight={520}>
      <Table stickyHeader aria-label={t('table.title')} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={110}>{t('table.day')}</Table.Th>
            {currencies.map((currency) => (
              <Table.Th key={currency} ta="end">
                <Button variant="subtle" size="compact-sm" title={t('table.history', { currency })} onClick={() => onOpen(currency)}>
                  {currency}
                </Button>
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map(({ day, cells }) => (
            <Table.Tr key={day}>
              <Table.Th scope="row" fw={400} style={{ whiteSpace: 'nowrap' }}>
                {shortDay(day)}
              </Table.Th>
              {cells.map(({ rate, source, in_force }, at) => (
                <Table.Td
                  key={currencies[at]}
                  ta="end"
                  className="ohma-number"
                  c={rate === null ? 'dimmed' : undefined}
                  title={rate !== null ? t(`source.${source ?? 'hand'}`) : in_force === null ? t('table.missing') : t('table.carried')}
                >
                  {in_force === null ? (
                    <Text span c="var(--ohma-waiting)" fw={600}>
                      –
                    </Text>
                  ) : (
                    rateText(in_force)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
