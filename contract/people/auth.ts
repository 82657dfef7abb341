import { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import { countryCode, email, languageCode, moment, newPassword, requiredLine, timeZone, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'

export const credentials = z.object({
  email: z.string().trim().toLowerCase().min(1, 'Required').max(254),
  password: z.string().min(1, 'Required').max(200),
})

/** What a sign-in answers with; the web keeps it in cookies. `user_role` and `type` are lower-case. */
export const login = z.object({
  token: z.string(),
  user_role: z.enum(ROLES),
  uuid,
  type: z.enum(['manager', 'affiliate']),
  email: z.string(),
})

/** The password was right, and a second factor is asked for: the token goes to `secondFactor.signIn` within five minutes. */
export const secondStep = z.object({ second_factor: z.string() })

export const profile = z.object({
  uuid,
  email: z.string(),
  user_role: z.enum(ROLES),
  type: z.enum(['manager', 'affiliate']),
  name: z.string(),
  language: languageCode,
  time_zone: z.string(),
  currency,
  country: countryCode.nullable(),
  /** Set while a member of staff acts as this affiliate. */
  acting: z.object({ name: z.string(), expires_at: moment, may_change: z.boolean() }).nullable(),
})

export const profileInput = z.object({ name: requiredLine(), language: languageCode, time_zone: timeZone })

export const session = z.object({
  uuid,
  device: z.string(),
  address: z.string(),
  created_at: moment,
  last_seen_at: moment,
  current: z.boolean(),
  /** The affiliate one acts as by it; null for a sign-in. */
  acting_as: z.string().nullable(),
})

/** Sign-in, own profile, password and sessions. Paths of the specification are kept to the letter. */
export const authApi = {
  login: endpoint({
    method: 'POST',
    path: '/api/auth/v1/login',
    access: 'public',
    summary: 'Signs in with e-mail and password; who has a second factor is answered what the second step takes.',
    body: credentials,
    response: z.union([login, secondStep]),
  }),
  logout: endpoint({
    method: 'GET',
    path: '/api/auth/v1/logout',
    access: 'public',
    summary: 'Ends the session of the token sent, if there is one.',
    response: z.object({}),
  }),
  getAffiliateToken: endpoint({
    method: 'POST',
    path: '/api/auth/v1/get-affiliate-token',
    access: 'affiliate.act_as',
    key: 'never',
    summary: 'Gives a token to act as an affiliate; both people stand in the audit log.',
    body: z.object({ uuid }),
    response: z.object({ token: z.string(), uuid, email: z.string(), expires_at: moment }),
  }),
  me: endpoint({
    method: 'GET',
    path: '/api/auth/v1/me',
    access: 'signedIn',
    key: 'always',
    whileSettingUp: true,
    summary: 'Who the token belongs to.',
    response: profile,
  }),
  updateProfile: endpoint({
    method: 'POST',
    path: '/api/auth/v1/update-profile',
    access: 'signedIn',
    key: 'never',
    summary: 'Changes the own name, language and time zone.',
    body: profileInput,
    response: profile,
  }),
  changePassword: endpoint({
    method: 'POST',
    path: '/api/auth/v1/change-password',
    access: 'signedIn',
    key: 'never',
    summary: 'Changes the own password and ends all other sessions; with `end_keys` the own API keys too.',
    body: z.object({ current: z.string().min(1, 'Required').max(200), password: newPassword, end_keys: z.boolean().default(false) }),
    response: z.object({}),
  }),
  sessions: endpoint({
    method: 'GET',
    path: '/api/auth/v1/sessions',
    access: 'signedIn',
    key: 'never',
    summary: 'The own sessions and those one acts as an affiliate by, newest first.',
    response: z.object({ list: z.array(session) }),
  }),
  revokeSession: endpoint({
    method: 'POST',
    path: '/api/auth/v1/revoke-session',
    access: 'signedIn',
    key: 'never',
    summary: 'Ends one of the own sessions, and with it whatever one acts by from it.',
    body: z.object({ uuid }),
    response: z.object({}),
  }),
  passwordRecovery: endpoint({
    method: 'POST',
    path: '/api/auth/v1/password-recovery',
    access: 'public',
    summary:
      'Has a link mailed that sets another password, if the address is somebody’s who may sign in; the answer never tells. `mail` says whether this network sends mail at all.',
    body: z.object({ email }),
    response: z.object({ mail: z.boolean() }),
  }),
  checkLink: endpoint({
    method: 'POST',
    path: '/api/auth/v1/check-link',
    access: 'public',
    summary: 'Tells whether a set-password link is still valid.',
    body: z.object({ token: z.string().max(200) }),
    response: z.object({ email: z.string(), setup: z.boolean() }),
  }),
  setPassword: endpoint({
    method: 'POST',
    path: '/api/auth/v1/set-password',
    access: 'public',
    summary:
      'Sets the password behind a one-time link; sessions and API keys of the account end. On a new instance `email` and `name` make the first admin.',
    body: z.object({ token: z.string().max(200), password: newPassword, email: email.optional(), name: requiredLine().optional() }),
    response: z.object({ email: z.string() }),
  }),
}
