import { z } from 'zod'
import { positiveAmount } from './amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

/** How affiliates' invoices are approved. */
export const billingSetting = defineSetting(
  'billing',
  {
    access: 'billing.approve',
    about: 'who approves invoices, how long affiliates may object, and whether their own invoice is due',
    key: 'never',
  },
  {
    /** Who made or edited an invoice last does not approve it, while there is somebody else who may. */
    four_eyes: z.boolean(),
    /** From which amount on, in the base currency; what has no rate counts as above it. */
    four_eyes_limit: positiveAmount,
    /** So long affiliates may object to an invoice they were sent; silence accepts it. */
    object_days: z.number('A whole number from 1 to 60').int('A whole number from 1 to 60').min(1).max(60),
    /** Where affiliates get statements, their own invoice is due before they are paid. */
    own_invoice: z.boolean(),
  },
  { four_eyes: false, four_eyes_limit: '0', object_days: 7, own_invoice: false },
)

export const billingApi = { rules: billingSetting.read, updateRules: billingSetting.update }
