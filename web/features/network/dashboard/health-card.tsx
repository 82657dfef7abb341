import { Anchor, Flex, Group, Paper, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Say } from '#web/i18n/use-translation.ts'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { query } from '#web/api/query.ts'
import { day, integer, UNKNOWN } from '#web/format.ts'
import { locale } from '#web/notation.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { screenHref } from '#web/shell/access.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'

const TONES: Record<'ok' | 'warn' | 'bad', Tone> = { ok: 'good', warn: 'waiting', bad: 'bad' }

/** Whether clicks arrive, statistics follow and postbacks leave; asked again every ten seconds. */
export function HealthCard() {
  const { t } = useTranslation('dashboard')
  const found = useQuery({ ...query(dashboardApi.health, {}, { quiet: true }), refetchInterval: 10_000 })
  return (
    <Panel
      title={t('health')}
      actions={
        <Group gap="sm">
          {found.data && <StatusBadge tone={TONES[found.data.state]} label={t(`state.${found.data.state}`)} />}
          <Anchor component={Link} to={screenHref('system')}>
            {t('health.more')}
          </Anchor>
        </Group>
      }
    >
      {found.isPending && <Skeleton height={42} radius="md" />}
      {found.error && <ErrorState what={t('health.failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <Flex component="ul" wrap="wrap" gap={10}>
          {found.data.processes.map(({ name, state }) => (
            <Sign key={name}>
              {processName(t, name)} <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
            </Sign>
          ))}
          <Sign>
            {t('health.lag')}
            <strong className="ohma-number">{found.data.ingest_lag_s === null ? UNKNOWN : seconds(found.data.ingest_lag_s)}</strong>
          </Sign>
          <Sign>
            {t('health.outbox')} <strong className="ohma-number">{integer(found.data.outbox.rows)}</strong>
          </Sign>
          <Sign>
            {t('health.waitingPostbacks')} <strong className="ohma-number">{integer(found.data.postbacks.waiting)}</strong>
          </Sign>
          <Sign>
            {t('health.deadDeliveries')} <strong className="ohma-number">{integer(found.data.postbacks.deliveries_dead)}</strong>
          </Sign>
          <Sign>
            {t('health.lastPostback')} <Moment at={found.data.postbacks.last_at} />
          </Sign>
          <Sign>
            {t('health.waitingMail')} <strong className="ohma-number">{integer(found.data.mail.waiting)}</strong>
          </Sign>
          {found.data.mail.last_problem !== null && (
            <Sign>
              {t('health.mailProblem')}
              <Anchor
                component={Link}
                to={`${screenHref('settingsSmtp')}?tab=log`}
                maw="min(420px, 100%)"
                lineClamp={2}
                style={{ overflowWrap: 'anywhere' }}
              >
                {found.data.mail.last_problem || t('health.mailLog')}
              </Anchor>
            </Sign>
          )}
          <Sign>
            {t('health.lastBackup')}{' '}
            {found.data.last_backup_at === null ? (
              <StatusBadge tone="waiting" label={t('health.noBackup')} />
            ) : (
              <Moment at={found.data.last_backup_at} />
            )}
          </Sign>
          <Sign>
            {t('health.places')} <span className="ohma-number">{found.data.places_of === null ? UNKNOWN : day(found.data.places_of)}</span>
          </Sign>
        </Flex>
      )}
    </Panel>
  )
}

function Sign({ children }: { children: ReactNode }) {
  return (
    <Paper component="li" withBorder radius="md" px={14} py={8} maw="100%">
      <Group gap={10}>{children}</Group>
    </Paper>
  )
}

/** The status files of trackers carry their number: `tracker-t1`. */
function processName(t: Say<'dashboard'>, name: string): string {
  const [role, number] = name.split(/-(.*)/)
  return role === 'tracker' || role === 'ingester' ? t(`process.${role}`, { number }) : name
}

function seconds(value: number): string {
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 }).format(value)
}
