import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'

const TONES: Record<ConversionStatus, Tone> = { pending: 'waiting', hold: 'info', approved: 'good', declined: 'bad', trash: 'muted' }

/** Where a conversion stands. */
export function ConversionStatusBadge({ status }: { status: ConversionStatus }) {
  const { t } = useTranslation('conversion')
  return <StatusBadge tone={TONES[status]} label={t(`status.${status}`)} />
}
