import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Outcome } from '#contract/leads/integration-spec.ts'
import { StatusBadge, type Tone } from '#web/kit/show/status-badge.tsx'

const TONES: Readonly<Record<Outcome, Tone>> = {
  accepted: 'good',
  rejected: 'bad',
  duplicate: 'muted',
  no_capacity: 'waiting',
  temporary: 'waiting',
  config_error: 'bad',
  ambiguous: 'info',
}

/** What a try to sell a lead came to. */
export function OutcomeBadge({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('integration')
  return (
    <span title={t(`outcomeHelp.${outcome}`)}>
      <StatusBadge tone={TONES[outcome]} label={t(`outcome.${outcome}`)} />
    </span>
  )
}
