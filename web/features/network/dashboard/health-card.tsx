import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { query } from '#web/api/query.ts'
import { integer, locale, UNKNOWN } from '#web/format.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import classes from '#web/features/network/dashboard/dashboard.module.css'

const TONES: Record<'ok' | 'warn' | 'bad', Tone> = { ok: 'good', warn: 'waiting', bad: 'bad' }

/** Whether clicks arrive, statistics follow and postbacks leave; asked again every ten seconds. */
export function HealthCard() {
  const { t } = useTranslation('dashboard')
  const found = useQuery({ ...query(dashboardApi.health, {}, { quiet: true }), refetchInterval: 10_000 })
  return (
    <section className={classes.card} aria-label={t('health')}>
      <h2 className={classes.heading}>
        {t('health')} {found.data && <StatusBadge tone={TONES[found.data.state]} label={t(`state.${found.data.state}`)} />}
      </h2>
      {found.error && <ErrorState what={t('health.failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && (
        <ul className={classes.tasks}>
          {found.data.processes.map(({ name, state }) => (
            <li key={name} className={classes.task}>
              {processName(t, name)} <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
            </li>
          ))}
          <li className={classes.task}>
            {t('health.lag')}{' '}
            <span className={classes.count}>{found.data.ingest_lag_s === null ? UNKNOWN : seconds(found.data.ingest_lag_s)}</span>
          </li>
          <li className={classes.task}>
            {t('health.outbox')} <span className={classes.count}>{integer(found.data.outbox.rows)}</span>
          </li>
          <li className={classes.task}>
            {t('health.waitingPostbacks')} <span className={classes.count}>{integer(found.data.postbacks.waiting)}</span>
          </li>
          <li className={classes.task}>
            {t('health.deadDeliveries')} <span className={classes.count}>{integer(found.data.postbacks.deliveries_dead)}</span>
          </li>
          <li className={classes.task}>
            {t('health.lastPostback')} <Moment at={found.data.postbacks.last_at} />
          </li>
        </ul>
      )}
    </section>
  )
}

/** The status files of trackers carry their number: `tracker-t1`. */
function processName(t: TFunction<'dashboard'>, name: string): string {
  const [role, number] = name.split(/-(.*)/)
  return role === 'tracker' || role === 'ingester' ? t(`process.${role}`, { number }) : name
}

function seconds(value: number): string {
  return new Intl.NumberFormat(locale(), { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 1 }).format(value)
}
