import { day } from '#contract/fields.ts'

/** S standard, AE reverse charge, E exempt, O outside the scope of VAT. */
export const VAT_CATEGORIES = ['S', 'AE', 'E', 'O'] as const

/** Until when an invoice is to be issued, where that is still to be done: with reverse charge the 15th of the month after its service. */
export const issueBy = day.nullable()
