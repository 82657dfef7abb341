import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, uuid } from '#contract/fields.ts'
import { listOf, paging } from '#contract/paging.ts'

/** How long the history of sign-ins goes back. */
export const SIGN_IN_DAYS = 180

/** Who came in, or why not: everything but the first two needed the right password. */
export const SIGN_IN_OUTCOMES = ['in', 'wrong_password', 'wrong_code', 'not_active', 'address'] as const
/** By what: the password alone, with a code of the app, or with a recovery code. Calls with API keys are no sign-ins. */
export const SIGN_IN_WAYS = ['password', 'code', 'recovery_code'] as const

export const signInEntry = z.object({
  at: moment,
  outcome: z.enum(SIGN_IN_OUTCOMES),
  way: z.enum(SIGN_IN_WAYS),
  /** As the browser calls itself. */
  device: z.string(),
  address: z.string(),
  /** '' where nobody knows. */
  country: z.string(),
  city: z.string(),
  /** The account had not come in by this device from this network before. */
  new_device: z.boolean(),
})

/** Who signed in to an account, and who tried to. */
export const signInApi = {
  own: endpoint({
    method: 'POST',
    path: '/api/sign-in/v1/own',
    access: 'signedIn',
    reads: true,
    key: 'never',
    summary: 'Sign-ins of the own account in the last 180 days, failed ones too, newest first.',
    body: z.object(paging),
    response: listOf(signInEntry),
  }),
  of: endpoint({
    method: 'POST',
    path: '/api/sign-in/v1/of/:uuid',
    access: 'account.security',
    reads: true,
    key: 'never',
    summary: 'The same of an affiliate, or of somebody one manages.',
    params: z.object({ uuid }),
    body: z.object(paging),
    response: listOf(signInEntry),
  }),
}
