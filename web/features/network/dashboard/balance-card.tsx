import { Button, Group, Paper, Stack, Table, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { affiliateDashboard } from '#contract/network/dashboard.ts'
import { day, integer, UNKNOWN } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Figure } from '#web/kit/show/figure/figure.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { screenHref } from '#web/shell/access.ts'
import { useViewport } from '#web/viewport.ts'

type Balance = z.output<typeof affiliateDashboard>['balance'][number]

const PARTS = ['available', 'hold', 'pending'] as const

/** What an affiliate has, a currency a line: what may be paid out, what waits out its hold and until when, what is not decided. */
export function BalanceCard({ balance }: { balance: readonly Balance[] }) {
  const { t } = useTranslation('dashboard')
  const narrow = useViewport() === 'mobile'
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
      {narrow ? (
        <Stack gap={10}>
          {balance.map((one) => (
            <CurrencyCard key={one.currency} of={one} />
          ))}
        </Stack>
      ) : (
        <BalanceTable balance={balance} />
      )}
      <Text fz={13} c="dimmed" component="ul">
        {PARTS.map((part) => (
          <li key={part}>
            <b>{t(`balance.${part}`)}</b>: {t(`balance.${part}Means`)}
          </li>
        ))}
      </Text>
    </Panel>
  )
}

function BalanceTable({ balance }: { balance: readonly Balance[] }) {
  const { t } = useTranslation('dashboard')
  return (
    <Table horizontalSpacing={0} verticalSpacing={7} tabularNums>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('balance.currency')}</Table.Th>
          {PARTS.map((part) => (
            <Table.Th key={part} ta="right" pl="lg">
              {t(`balance.${part}`)}
            </Table.Th>
          ))}
          <Table.Th pl={40}>{t('balance.releases')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {balance.map((one) => (
          <Table.Tr key={one.currency}>
            <Table.Th scope="row">{one.currency}</Table.Th>
            {PARTS.map((part) => (
              <Table.Td key={part} ta="right" pl="lg" fw={part === 'available' ? 600 : undefined} style={{ whiteSpace: 'nowrap' }}>
                <Money amount={one[part]} currency={one.currency} />
              </Table.Td>
            ))}
            <Table.Td pl={40}>{one.releases.length === 0 ? UNKNOWN : <Releases of={one} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** A currency on a narrow screen. */
function CurrencyCard({ of }: { of: Balance }) {
  const { t } = useTranslation('dashboard')
  return (
    <Paper withBorder radius="md" px={14} py={8} role="group" aria-label={of.currency}>
      {/* an amount too long for two beside each other stands below, never broken */}
      <Group component="dl" gap="8px 24px" align="start">
        {PARTS.map((part) => (
          <Figure key={part} name={t(`balance.${part}`)} value={<Money amount={of[part]} currency={of.currency} />} />
        ))}
        {of.releases.length > 0 && (
          <div style={{ flex: '1 1 280px', minWidth: 0 }}>
            <Text component="dt" fz={12.5} c="dimmed">
              {t('balance.releases')}
            </Text>
            <dd>
              <Releases of={of} />
            </dd>
          </div>
        )}
      </Group>
    </Paper>
  )
}

/** The days on which what is on hold is free. */
function Releases({ of: { currency, releases, later } }: { of: Balance }) {
  const { t } = useTranslation('dashboard')
  return (
    <Group gap="2px 18px" fz={13.5}>
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
  )

  function conversionsText(count: number) {
    return t('balance.conversions', { count, number: integer(count) })
  }
}
