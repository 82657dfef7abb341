import { RECOLD_ITEM_STATUSES, RECOLD_STATUSES } from '#contract/leads/recold.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** How distributions look by their state. */
export const RECOLD_STATUS = statusLook({
  field: 'status',
  texts: 'recold',
  values: RECOLD_STATUSES,
  tones: { draft: 'muted', active: 'info', paused: 'waiting', done: 'good', deleted: 'muted' },
})

/** How their people look; the field is a state of its own, since its words differ. */
export const RECOLD_ITEM_STATUS = statusLook({
  field: 'item',
  texts: 'recold',
  values: RECOLD_ITEM_STATUSES,
  tones: {
    pending: 'muted',
    scheduled: 'info',
    sending: 'info',
    accepted: 'good',
    rejected: 'bad',
    no_capacity: 'waiting',
    failed: 'bad',
    ambiguous: 'waiting',
    skipped: 'muted',
    cancelled: 'muted',
  },
})
