import { Group, Paper } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { affiliateDashboard } from '#contract/network/dashboard.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Money } from '#web/kit/show/money.tsx'

/** What an affiliate has, by currency: what may be paid out, and what waits out its hold. */
export function BalanceCard({ balance }: { balance: z.output<typeof affiliateDashboard>['balance'] }) {
  const { t } = useTranslation('dashboard')
  return (
    <Panel title={t('balance')}>
      {balance.length === 0 ? (
        <p className="ohma-soft">{t('balance.none')}</p>
      ) : (
        <Group gap={10}>
          {balance.map(({ currency, available, hold }) => (
            <Paper key={currency} withBorder radius="md" px={14} py={8} miw="min(320px, 100%)" maw="100%">
              {/* an amount too long for two beside each other stands below, never broken */}
              <Group component="dl" gap="8px 48px">
                <Figure name={t('balance.available')} value={<Money amount={available} currency={currency} />} />
                <Figure name={t('balance.hold')} value={<Money amount={hold} currency={currency} />} />
              </Group>
            </Paper>
          ))}
        </Group>
      )}
    </Panel>
  )
}
