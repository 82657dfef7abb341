import { z } from 'zod'
import { defineSetting } from '#contract/network/define-setting.ts'

const days = z
  .number('A whole number from 0 to 365')
  .int('A whole number from 0 to 365')
  .min(0, 'A whole number from 0 to 365')
  .max(365, 'A whole number from 0 to 365')

/** How affiliates' invoices are approved, and when they are due. */
export const billingSetting = defineSetting(
  'billing',
  { access: 'billing.approve', about: 'who approves invoices and when they are due' },
  {
    /** Who made or edited an invoice last does not approve it, while there is somebody else who may. */
    four_eyes: z.boolean(),
    /** Days after the end of its period on which an invoice is due. */
    net_days: days,
  },
  { four_eyes: false, net_days: 30 },
)

export const billingApi = { rules: billingSetting.read, updateRules: billingSetting.update }
