import { COLD_RULE_STATUSES } from '#contract/leads/cold-rule.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** How rules look by their state. */
export const COLD_RULE_STATUS = statusLook({
  field: 'status',
  texts: 'coldRule',
  values: COLD_RULE_STATUSES,
  tones: { draft: 'muted', active: 'good', paused: 'waiting', archived: 'muted' },
})
