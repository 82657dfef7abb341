import { z } from 'zod'
import { positiveAmount } from './amount.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

/** How affiliates' invoices are approved. */
export const billingSetting = defineSetting(
  'billing',
  { access: 'billing.approve', about: 'who approves invoices' },
  {
    /** Who made or edited an invoice last does not approve it, while there is somebody else who may. */
    four_eyes: z.boolean(),
    /** From which amount on, in the base currency; what has no rate counts as above it. */
    four_eyes_limit: positiveAmount,
  },
  { four_eyes: false, four_eyes_limit: '0' },
)

export const billingApi = { rules: billingSetting.read, updateRules: billingSetting.update }
