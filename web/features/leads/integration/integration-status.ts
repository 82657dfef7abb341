import { IconArchive, IconArchiveOff } from '@tabler/icons-react'
import { integrationApi, integrationStatus } from '#contract/leads/integration.ts'
import { statusSet } from '#web/kit/status/status-look.ts'

/** Where an integration stands, and how that is changed. */
export const INTEGRATION_STATUS = statusSet({
  texts: 'integration',
  values: integrationStatus.options,
  tones: { active: 'good', archived: 'muted' },
  endpoint: integrationApi.setStatus,
  refresh: [integrationApi.list, integrationApi.get],
  moves: [
    { text: 'archive', to: 'archived', from: ['active'], icon: IconArchive },
    { text: 'restore', to: 'active', from: ['archived'], icon: IconArchiveOff },
  ],
})
