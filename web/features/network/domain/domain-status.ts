import { DOMAIN_STATUSES } from '#contract/network/domain.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** Where a domain stands. */
export const DOMAIN_STATUS = statusLook({
  field: 'status',
  texts: 'domain',
  values: DOMAIN_STATUSES,
  tones: { pending: 'waiting', verified: 'good', failing: 'bad', burnt: 'muted' },
})
