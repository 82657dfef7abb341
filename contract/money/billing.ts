import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { positiveAmount } from './amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

/** How affiliates' invoices are approved. */
export const billingSetting = defineSetting(
  'billing',
  {
    access: 'billing.approve',
    about:
      'who approves invoices, how long affiliates may object, whether their own invoice is due, and what becomes of changes of paid conversions',
    key: 'never',
  },
  {
    /** Who made or edited an invoice last does not approve it, while there is somebody else who may: one person alone is asked for nobody. Switching it off takes two of them too. */
    four_eyes: z.boolean(),
    /** From which amount on, in the base currency; what has no rate counts as above it. Raising it takes two people. */
    four_eyes_limit: positiveAmount,
    /** The same for what advertisers are said to have paid, which leaves nobody’s account: a usual network is paid more at once than it gives away. */
    receipt_limit: positiveAmount,
    /** So long affiliates may object to an invoice they were sent; silence accepts it. */
    object_days: z.number('A whole number from 1 to 60').int('A whole number from 1 to 60').min(1).max(60),
    /** Where affiliates get statements, their own invoice is due before they are paid. */
    own_invoice: z.boolean(),
    /** What advertisers say of paid conversions waits in the inbox instead of being booked as a correction. */
    ask_first: z.boolean(),
  },
  { four_eyes: true, four_eyes_limit: '1000', receipt_limit: '10000', object_days: 7, own_invoice: false, ask_first: false },
)

export const billingApi = { rules: billingSetting.read, updateRules: billingSetting.update }

/** How much waits in each part of /billing: together what the inbox has of money and referrals. Asked for anew with it. */
export const billingWaitingApi = {
  waiting: endpoint({
    method: 'GET',
    path: '/api/inbox/v1/billing',
    access: 'billing.read',
    summary: 'How much waits in each part of billing for somebody to decide or go on with it.',
    response: z.object({
      /** Payout requests nobody has answered. */
      requests: z.int(),
      /** Runs of affiliates that are proposed, or of which something failed. */
      runs: z.int(),
      /** The same of advertisers. */
      advertiser_runs: z.int(),
      /** What a second person confirms. */
      proposals: z.int(),
      /** Payout files that are not released, and payments that came back. */
      payouts: z.int(),
      /** Invoices of affiliates nobody objected to in time, objections, and those to be issued by a day. */
      invoices: z.int(),
      /** Invoices of advertisers that are overdue, or to be issued by a day. */
      advertiser_invoices: z.int(),
      /** Advertisers whose credit is near its end or used up. */
      credit: z.int(),
      /** Referrals that are kept back. */
      referrals: z.int(),
      /** Reports of advertisers that were matched, and nothing was done about them. */
      reconcile: z.int(),
    }),
  }),
}
