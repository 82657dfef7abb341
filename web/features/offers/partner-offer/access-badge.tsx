import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { ownAccess } from '#contract/offers/partner-offer.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'

export type OwnAccess = z.output<typeof ownAccess>

const TONES: Record<OwnAccess, Tone> = { none: 'muted', pending: 'waiting', approved: 'good', rejected: 'bad', blocked: 'bad' }

/** Whether one may send traffic to an offer. */
export function AccessBadge({ access }: { access: OwnAccess }) {
  const { t } = useTranslation('partnerOffer')
  return <StatusBadge tone={TONES[access]} label={t(`access.${access}`)} />
}
