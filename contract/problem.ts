import { z } from 'zod'

/** What stands below answers without the panel's envelope, and failures as RFC 9457 says. */
export const PARTNER_PATH = '/api/partner/'

/** Where what is said here is shown in the panel; a problem's type leads to its line there. */
export const PARTNER_DOCS = '/partner-api'

/** So long the answer of a call with an `Idempotency-Key` is kept. */
export const KEPT_ANSWER_HOURS = 24

/** Whether an address belongs to the API of partners. */
export function isPartnerPath(path: string): boolean {
  return path.startsWith(PARTNER_PATH)
}

/** A failure as `application/problem+json`. */
export const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  /** A word of `ERRORS`, which stays the same whatever the texts become. */
  code: z.string(),
  /** What is wrong with which field of the call, by its path. */
  errors: z.record(z.string(), z.string()).optional(),
  request_id: z.string(),
})
export type Problem = z.output<typeof problem>
