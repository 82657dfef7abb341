import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BROKEN_AFTER, LANDING_STATUSES, type LandingStatus } from '#contract/offers/offer-landing.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'

const STATUS = statusLook({
  field: 'landing.status',
  texts: 'offer',
  values: LANDING_STATUSES,
  tones: { moderation: 'waiting', active: 'good', stopped: 'muted', deleted: 'bad' },
})

type Landing = { status: LandingStatus; failures: number; private: boolean; reason: string }

/** What keeps a landing from working as it should: its status with what was decided, or a page that is not there. Nothing where all is well. */
export function LandingBadge({ landing }: { landing: Landing }) {
  const { t } = useTranslation('offer')
  if (landing.status !== 'active')
    return (
      <>
        <StatusBadge tone={STATUS.tones[landing.status]} label={t(`landing.status.${landing.status}`)} />
        {landing.reason !== '' && (
          <Text size="sm" c="dimmed">
            {t('landing.reason', { reason: landing.reason })}
          </Text>
        )}
      </>
    )
  if (landing.failures >= BROKEN_AFTER) return <StatusBadge tone="bad" label={t('landing.broken')} />
  return landing.private ? <StatusBadge tone="muted" label={t('landing.private')} /> : null
}
