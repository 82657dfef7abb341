import { z } from 'zod'
import { email, personal, requiredLine, timeZone } from '#contract/fields.ts'

/** What staff may edit of anybody's account, in the forms of affiliates and managers. */
export const accountFields = { name: requiredLine(), email: personal(email), time_zone: timeZone }

/** What became of a set-password link: mailed to its owner, shown to who made it, or neither. */
export const handedOver = { link: z.string().nullable(), mailed: z.boolean() }
