import { z } from 'zod'
import { addressList } from '#contract/address-list.ts'
import { endpoint } from '#contract/endpoint.ts'
import { moment, reference, requiredLine, uuid } from '#contract/fields.ts'
import { KEY_SCOPES } from './key-scope.ts'

/** So many keys of one account work at a time. */
export const MOST_KEYS = 25

/** So many calls a minute one key makes that only read, and as many that change something: neither takes what the other has. */
export const CALLS_A_MINUTE = 600

const scope = z.enum(KEY_SCOPES as [(typeof KEY_SCOPES)[number], ...(typeof KEY_SCOPES)[number][]]) // there are some
const scopes = z
  .array(scope)
  .min(1, 'Choose at least one')
  .max(KEY_SCOPES.length)
  .overwrite((chosen) => [...new Set(chosen)])

/** A key as it is shown after it was made: of itself only the last characters. */
export const apiKey = z.object({
  uuid,
  name: z.string(),
  hint: z.string(),
  scopes: z.array(scope),
  /** The lead API of these offers alone; none = whatever its scopes let. */
  offers: z.array(reference),
  allowed_ips: z.array(z.string()),
  created_at: moment,
  expires_at: moment.nullable(),
  last_used_at: moment.nullable(),
  last_address: z.string(),
  /** Those that have ended are shown for 30 days more. */
  state: z.enum(['active', 'expired', 'revoked']),
})
export type ApiKey = z.output<typeof apiKey>

export const apiKeyInput = z.object({
  name: requiredLine(60),
  scopes,
  /** Offers of leads it is bound to: then it calls nothing but the lead API, for these. */
  offer_uuids: z.array(uuid).max(50).default([]),
  allowed_ips: addressList,
  /** After so many days it ends; null = never. */
  days: z.int().min(1).max(3650).nullable(),
  password: z.string().min(1, 'Required').max(200),
  /** Of the app, or a recovery code, where a second factor is on. */
  code: z.string().trim().max(40).default(''),
})

/** API keys: by them programs call this API in their owner's name, with a part of the owner's rights. */
export const apiKeyApi = {
  own: endpoint({
    method: 'GET',
    path: '/api/api-key/v1/own',
    access: 'signedIn',
    key: 'never',
    summary: 'The own keys, newest first, and the scopes that a new one may have.',
    response: z.object({ list: z.array(apiKey), offered: z.array(scope), second_factor: z.boolean() }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/api-key/v1/create',
    access: 'signedIn',
    key: 'never',
    summary: 'Makes a key, which is answered this once. Takes the password, and a code where a second factor is on.',
    body: apiKeyInput,
    response: z.object({ key: z.string(), uuid }),
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/api-key/v1/revoke/:uuid',
    access: 'signedIn',
    key: 'never',
    summary: 'Ends one of the own keys at once.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
  of: endpoint({
    method: 'GET',
    path: '/api/api-key/v1/of/:uuid',
    access: 'account.security',
    key: 'never',
    summary: 'The keys of an affiliate, or of somebody one manages.',
    params: z.object({ uuid }),
    response: z.object({ list: z.array(apiKey) }),
  }),
  revokeOf: endpoint({
    method: 'POST',
    path: '/api/api-key/v1/revoke-of/:uuid',
    access: 'account.security',
    key: 'never',
    summary: 'Ends a key of an affiliate, or of somebody one manages, at once.',
    params: z.object({ uuid }),
    response: z.object({}),
  }),
}
