import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Integration } from '#contract/leads/integration.ts'
import { INTEGRATION_STATUS } from '#web/features/leads/integration/integration-status.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { Status } from '#web/kit/status/status.tsx'

/** Where an integration stands: of one that was never published nothing is active. */
export function IntegrationState({ of: { active, status } }: { of: Pick<Integration, 'active' | 'status'> }) {
  const { t } = useTranslation('integration')
  if (active === null && status === 'active') return <StatusBadge tone="waiting" label={t('unpublished')} />
  return <Status of={INTEGRATION_STATUS} value={status} />
}
