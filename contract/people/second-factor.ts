import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, uuid } from '#contract/fields.ts'
import { login } from './auth.ts'

const password = z.string().min(1, 'Required').max(200)
/** Six digits of the app, or a recovery code; spaces and dashes do not count. */
const code = z.string().trim().min(1, 'Required').max(40)
const recoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

/** How somebody stands with the second factor. */
export const secondFactorState = z.object({
  on: z.boolean(),
  since: moment.nullable(),
  /** Recovery codes nobody has used yet. */
  recovery_codes_left: z.int(),
  /** Whether the role must have one. */
  compulsory: z.boolean(),
})

/** The second factor of a sign-in: codes of an app (TOTP, RFC 6238), and recovery codes for who lost it. */
export const secondFactorApi = {
  signIn: endpoint({
    method: 'POST',
    path: '/api/second-factor/v1/sign-in',
    access: 'public',
    summary: 'The second step of a sign-in: the token `login` answered with, and a code of the app or a recovery code.',
    body: z.object({ token: z.string().min(1, 'Required').max(1000), code }),
    response: login,
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/second-factor/v1/state',
    access: 'signedIn',
    key: 'never',
    whileSettingUp: true,
    summary: 'How the own second factor stands.',
    response: secondFactorState,
  }),
  begin: endpoint({
    method: 'POST',
    path: '/api/second-factor/v1/begin',
    access: 'signedIn',
    key: 'never',
    whileSettingUp: true,
    summary:
      'Begins to set up the own second factor: the secret for the app, as text and as a picture to scan. It counts once a code confirms it.',
    body: z.object({ password }),
    response: z.object({ secret: z.string(), address: z.string(), qr: z.string() }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/second-factor/v1/confirm',
    access: 'signedIn',
    key: 'never',
    whileSettingUp: true,
    summary:
      'Turns the second factor on by a first code of the app, and ends all other sessions. Ten recovery codes are answered this once.',
    body: z.object({ code }),
    response: recoveryCodes,
  }),
  renewCodes: endpoint({
    method: 'POST',
    path: '/api/second-factor/v1/renew-codes',
    access: 'signedIn',
    key: 'never',
    summary: 'Ten new recovery codes in the place of all earlier ones.',
    body: z.object({ password, code }),
    response: recoveryCodes,
  }),
  turnOff: endpoint({
    method: 'POST',
    path: '/api/second-factor/v1/turn-off',
    access: 'signedIn',
    key: 'never',
    summary: 'Turns the own second factor off and ends all other sessions; refused where the role must have one.',
    body: z.object({ password, code }),
    response: z.object({}),
  }),
  of: endpoint({
    method: 'GET',
    path: '/api/second-factor/v1/of/:uuid',
    access: 'account.security',
    key: 'never',
    summary: 'How the second factor of an affiliate, or of somebody one manages, stands.',
    params: z.object({ uuid }),
    response: secondFactorState,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/second-factor/v1/reset/:uuid',
    access: 'account.security',
    key: 'never',
    summary: 'Takes the second factor off somebody who lost it, ends their sessions and tells them by mail.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
}
