import { Alert, Button, Group, SegmentedControl, Stack, Table, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { query } from '#web/api/query.ts'
import { day, money } from '#web/format.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useCan } from '#web/shell/access.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { byCurrency, inBase, rateDifference } from './trial-rows.ts'
import { saveTrial } from './save-trial.ts'
import { sideOf } from './side-money.tsx'
import { TrialTable } from './trial-table.tsx'

type Sums = CallOutput<typeof ledgerApi.trialSums>
type Choose = (kind: string, currency: string) => void

/** The trial balance of a month by kind of account: one table for each currency, or all of it in the base currency. */
export function TrialSums({ month, onChoose }: { month: string; onChoose: Choose }) {
  const { t } = useTranslation('ledger')
  const found = useQuery({ ...query(ledgerApi.trialSums, { body: { month } }), placeholderData: keepPreviousData })
  return (
    <QueryPage query={found} failed={t('sums.failed')}>
      {(sums) => (sums.list.length === 0 ? null : <Shown sums={sums} onChoose={onChoose} />)}
    </QueryPage>
  )
}

function Shown({ sums, onChoose }: { sums: Sums; onChoose: Choose }) {
  const { t } = useTranslation('ledger')
  const [shown, setShown] = useState<'own' | 'base'>('own')
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('sums.in')}
          value={shown}
          onChange={(value) => setShown(value === 'base' ? 'base' : 'own')}
          data={[
            { value: 'own', label: t('sums.own') },
            { value: 'base', label: t('sums.base', { base: sums.base }) },
          ]}
        />
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          onClick={() => saveTrial(sums, shown, t)}
        >
          CSV
        </Button>
      </Group>
      {shown === 'base' ? (
        <InBase sums={sums} />
      ) : (
        byCurrency(sums.list).map((part) => <TrialTable key={part.currency} part={part} title={part.currency} onChoose={onChoose} />)
      )}
    </Stack>
  )
}

function InBase({ sums }: { sums: Sums }) {
  const { t } = useTranslation('ledger')
  const can = useCan()
  const part = inBase(sums.list, sums.base)
  const difference = rateDifference(part)
  const side = sideOf(difference)
  const left = [...new Set(sums.list.filter(({ base }) => base === null).map(({ currency }) => currency))]
  return (
    <>
      <Text fz={13} className="ohma-soft">
        {t('sums.baseText', { opening: day(sums.opening_day), closing: day(sums.closing_day) })}
      </Text>
      {sums.missing.length > 0 && (
        <Alert color="var(--ohma-waiting)" role="status" title={t('sums.missing', { currencies: left.join(', ') })}>
          {sums.missing.map((one) => `${one.currency} ${day(one.day)}`).join(' · ')}
          {can('currency.rate') && (
            <>
              {' · '}
              <ScreenLink to="settingsGeneral" search={`?tab=currencies&month=${sums.month}`}>
                {t('sums.addRates')}
              </ScreenLink>
            </>
          )}
        </Alert>
      )}
      {part.accounts.length > 0 && <TrialTable part={part} title={t('sums.base', { base: sums.base })} />}
      <Table tabularNums aria-label={t('difference')}>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td fw={600}>
              {t('difference')}
              <Text fz={12.5} className="ohma-soft">
                {t('difference.text')}
              </Text>
            </Table.Td>
            <Table.Td ta="right" fw={600}>
              {[money(difference.replace('-', ''), sums.base), side && t(`difference.${side}`)].filter(Boolean).join(' ')}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </>
  )
}
