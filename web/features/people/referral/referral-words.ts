import { REFERRAL_DECISIONS } from '#contract/people/referral.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** Whether commission of a referral is paid. */
export const REFERRAL_STATE = statusLook({
  field: 'state',
  texts: 'referral',
  values: REFERRAL_DECISIONS,
  tones: { clear: 'info', held: 'waiting', released: 'info', refused: 'bad' },
})
