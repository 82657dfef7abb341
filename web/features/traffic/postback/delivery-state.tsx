import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { delivery } from '#contract/traffic/own-postback.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'

export type Delivery = z.output<typeof delivery>

const TONES: Record<Delivery['state'], Tone> = { queued: 'waiting', sent: 'good', dead: 'bad', held: 'muted' }

/** Where a delivery stands. */
export function DeliveryStateBadge({ state }: { state: Delivery['state'] }) {
  const { t } = useTranslation('postback')
  return <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
}
