import { RUN_STATES } from '#contract/money/billing-run.ts'
import { PROPOSAL_STATES } from '#contract/money/proposal.ts'
import { REQUEST_STATES } from '#contract/money/payout-request.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** Where a request stands. */
export const REQUEST_STATE = statusLook({
  field: 'state',
  texts: 'request',
  values: REQUEST_STATES,
  tones: { open: 'waiting', accepted: 'info', done: 'good', declined: 'bad', withdrawn: 'muted', joined: 'muted' },
})

/** Where a run stands. */
export const RUN_STATE = statusLook({
  field: 'runState',
  texts: 'request',
  values: RUN_STATES,
  tones: { proposed: 'waiting', working: 'info', done: 'good', partly: 'bad', dismissed: 'muted', empty: 'muted' },
})

/** Where a proposal stands. */
export const PROPOSAL_STATE = statusLook({
  field: 'state',
  texts: 'request',
  values: PROPOSAL_STATES,
  tones: { open: 'waiting', confirmed: 'good', refused: 'bad', lapsed: 'muted' },
})
