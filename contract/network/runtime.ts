import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { languageCode } from '#contract/fields.ts'

/** What the web needs before anybody signs in; no secrets. Cookie names come from here, as the specification asks. */
export const runtimeSettings = z.object({
  partner_title: z.string(),
  logo: z.string().nullable(),
  colour: z.string(),
  language: languageCode,
  /** Those people may choose. */
  languages: z.array(languageCode),
  cookies: z.object({
    token: z.string(),
    role: z.string(),
    uuid: z.string(),
    type: z.string(),
    email: z.string(),
    oldToken: z.string(),
    oldRole: z.string(),
    oldUuid: z.string(),
  }),
  require_signature: z.boolean(),
  /** Where the API is asked; null = where the page comes from. Calls to another host than the page's are blocked. */
  api_origin: z.string().nullable(),
  error_reporting_dsn: z.string().nullable(),
  /** Whether whoever comes by may sign up. */
  signup: z.boolean(),
  tracking_url: z.string(),
  /** Whether this server gets certificates by itself. */
  acme: z.boolean(),
  demo: z.boolean(),
  version: z.string(),
})

/** Apart from the settings themselves: every page asks for it before anything else, and nothing of theirs. */
export const runtimeApi = {
  runtime: endpoint({
    method: 'GET',
    path: '/api/setting/v1/runtime',
    access: 'public',
    summary: 'Settings the web needs before sign-in.',
    response: runtimeSettings,
  }),
}
