import { useTranslation } from 'react-i18next'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'
import type { AffiliateStatus } from '#web/features/people/affiliate/use-affiliate-status.ts'

const TONES: Record<AffiliateStatus, Tone> = {
  unverified: 'muted',
  moderation: 'waiting',
  active: 'good',
  inactive: 'muted',
  banned: 'bad',
  rejected: 'bad',
}

/** Where an affiliate stands. */
export function AffiliateStatusBadge({ status }: { status: AffiliateStatus }) {
  const { t } = useTranslation('affiliate')
  return <StatusBadge tone={TONES[status]} label={t(`status.${status}`)} />
}
