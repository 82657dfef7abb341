import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { affiliateDashboard } from '#contract/network/dashboard.ts'
import { day, integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { screenHref } from '#web/shell/access.ts'

type Balance = z.output<typeof affiliateDashboard>['balance'][number]

/** What an affiliate has, a currency a line: what may be paid out, what waits out its hold and until when, what is not decided. */
export function BalanceCard({ balance }: { balance: readonly Balance[] }) {
  const { t } = useTranslation('dashboard')
  if (balance.length === 0)
    return (
      <Panel title={t('balance')}>
        <p className="ohma-soft">{t('balance.none')}</p>
        <Button component={Link} to={screenHref('partnerOffersAll')} variant="default" style={{ alignSelf: 'start' }}>
          {t('balance.chooseOffer')}
        </Button>
      </Panel>
    )
  return (
    <Panel title={t('balance')}>
      <Stack gap={10}>
        {balance.map((one) => (
          <Currency key={one.currency} of={one} />
        ))}
      </Stack>
      <Text fz={13} c="dimmed" component="ul">
        {(['available', 'hold', 'pending'] as const).map((part) => (
          <li key={part}>
            <b>{t(`balance.${part}`)}</b>: {t(`balance.${part}Means`)}
          </li>
        ))}
      </Text>
    </Panel>
  )
}

function Currency({ of: { currency, available, hold, pending, releases, later } }: { of: Balance }) {
  const { t } = useTranslation('dashboard')
  const amounts = { available, hold, pending }
  return (
    <Paper withBorder radius="md" px={14} py={8} role="group" aria-label={currency}>
      {/* an amount too long for two beside each other stands below, never broken */}
      <Group component="dl" gap="8px 24px" align="start">
        {(['available', 'hold', 'pending'] as const).map((part) => (
          <Figure key={part} name={t(`balance.${part}`)} value={<Money amount={amounts[part]} currency={currency} />} />
        ))}
        {releases.length > 0 && (
          <div style={{ flex: '1 1 280px', minWidth: 0 }}>
            <Text component="dt" fz={12.5} c="dimmed">
              {t('balance.releases')}
            </Text>
            <Group component="dd" gap="2px 18px" mt={4} fz={13.5}>
              {releases.map((release) => (
                <span key={release.day} title={conversionsText(release.conversions)}>
                  <strong>
                    <Money amount={release.amount} currency={currency} />
                  </strong>{' '}
                  {t('balance.on', { day: day(release.day) })}
                </span>
              ))}
              {later !== null && (
                <span title={conversionsText(later.conversions)}>
                  <strong>
                    <Money amount={later.amount} currency={currency} />
                  </strong>{' '}
                  {t('balance.later', { day: day(later.day) })}
                </span>
              )}
            </Group>
          </div>
        )}
      </Group>
    </Paper>
  )

  function conversionsText(count: number) {
    return t('balance.conversions', { count, number: integer(count) })
  }
}
