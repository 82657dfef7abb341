import { PAYOUT_FILE_STATES, PAYOUT_STATES, payoutApi } from '#contract/money/payout.ts'
import { statusLook } from '#web/kit/status/status-look.ts'
import type english from './payout.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    payout: typeof english
  }
}

/** Where a file stands. */
export const FILE_STATE = statusLook({
  field: 'state',
  texts: 'payout',
  values: PAYOUT_FILE_STATES,
  tones: { draft: 'waiting', released: 'waiting', closed: 'good', cancelled: 'muted', recalled: 'muted' },
})

/** Where one payment of it stands. */
export const PAYOUT_STATE = statusLook({
  field: 'payment',
  texts: 'payout',
  values: PAYOUT_STATES,
  tones: { planned: 'waiting', sent: 'waiting', settled: 'good', failed: 'bad', returned: 'bad', cancelled: 'muted' },
})

/** Endpoints whose answers show files. */
export const SHOW_FILES = [payoutApi.list, payoutApi.get, payoutApi.payments]
