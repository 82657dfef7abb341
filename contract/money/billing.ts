import { z } from 'zod'
import { defineSetting } from '#contract/network/define-setting.ts'

/** How affiliates' invoices are approved. */
export const billingSetting = defineSetting(
  'billing',
  { access: 'billing.approve', about: 'who approves invoices' },
  {
    /** Who made or edited an invoice last does not approve it, while there is somebody else who may. */
    four_eyes: z.boolean(),
  },
  { four_eyes: false },
)

export const billingApi = { rules: billingSetting.read, updateRules: billingSetting.update }
