import { ADJUSTMENT_STATES, adjustmentApi } from '#contract/money/adjustment.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** Where what was given stands. */
export const GIVEN_STATE = statusLook({
  field: 'given.state',
  texts: 'invoice',
  values: ADJUSTMENT_STATES,
  tones: {
    proposed: 'waiting',
    open: 'info',
    invoiced: 'good',
    void: 'muted',
    refused: 'bad',
    sent: 'info',
    settled: 'good',
    failed: 'bad',
    returned: 'bad',
  },
})

/** Endpoints whose answers it changes. */
export const SHOW_GIVEN = [adjustmentApi.list, proposalApi.list, ledgerApi.accounts, ledgerApi.entries, invoiceApi.list, invoiceApi.get]
