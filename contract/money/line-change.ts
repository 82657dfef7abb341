import { z } from 'zod'
import { moment } from '#contract/fields.ts'
import { changeOrigin } from '#contract/traffic/conversion.ts'

/** By what the conversion of an invoice's line has become something else. */
export const lineChange = z.object({
  at: moment,
  origin: changeOrigin,
  /** Who, of people; '' = nobody. */
  by: z.string(),
  /** A code, or what people wrote; '' = none was given. */
  reason: z.string(),
})
