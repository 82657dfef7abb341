import { Button, Group, Paper, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { query } from '#web/api/query.ts'
import { day, money } from '#web/format.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { todayIn } from '#web/zone-time.ts'

/** Under the balance of an affiliate's dashboard: what stands on invoices, what is on the way, and when the next payment is due. */
export function OwnPaymentLine() {
  const { t } = useTranslation('dashboard')
  const today = todayIn(useZone())
  const { data } = useQuery(query(ledgerApi.ownAccounts, {}, { quiet: true }))
  if (data === undefined || data.list.length === 0) return null
  const sums = (kind: string) =>
    data.list
      .filter((one) => one.kind === kind && Number(one.amount) !== 0)
      .map((one) => money(one.amount, one.currency))
      .join(' · ')
  const figures = [
    [t('owed.invoiced'), sums('affiliate_invoiced')],
    [t('owed.transit'), sums('affiliate_transit')],
  ].filter(([, sum]) => sum !== '')
  return (
    <Paper withBorder p="12px 20px">
      <Group justify="space-between" gap="xs">
        <Group gap="4px 24px" fz={14}>
          {figures.map(([name, sum]) => (
            <span key={name}>
              {name}: <strong>{sum}</strong>
            </span>
          ))}
          <Text fz={14} c="dimmed">
            {data.next_day === null ? t('owed.request') : t(data.next_day < today ? 'owed.past' : 'owed.next', { day: day(data.next_day) })}
          </Text>
        </Group>
        <Button component={ScreenLink} to="payments" size="compact-sm" variant="default">
          {t('owed.toPayments')}
        </Button>
      </Group>
    </Paper>
  )
}
