import { email, personal, requiredLine, timeZone } from '#contract/fields.ts'

/** What staff may edit of anybody's account, in the forms of affiliates and managers. */
export const accountFields = { name: requiredLine(), email: personal(email), time_zone: timeZone }
