import { createHmac, randomBytes } from 'node:crypto'
import type { Message } from '#server/rules/conversion/postback-message.ts'
import { openSealer, type Sealer } from '#server/platform/seal.ts'

/** What the secret headers and keys of postbacks are sealed for. */
const PURPOSE = 'postback'
const PREFIX = 'whsec_'

/** What a postback keeps sealed; `signing_secret_before` signs beside the other until `signing_before_until`. */
export type SealedSecrets = {
  sealed_headers: Buffer | null
  signing_secret: Buffer | null
  signing_secret_before: Buffer | null
  signing_before_until: Date | null
}
export type Secrets = { headers: Readonly<Record<string, string>>; keys: readonly string[] }
export const NO_SECRETS: Secrets = { headers: {}, keys: [] }

export function postbackSealer(secretKey: string | null): Sealer {
  return openSealer(secretKey, PURPOSE)
}

/** A key of Standard Webhooks: 32 random bytes. */
export function newSigningKey(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`
}

/** The secrets a postback is sent with at this moment; nothing is opened where there is none. */
export function openSecrets(row: SealedSecrets, secretKey: string | null, now: number): Secrets {
  const { sealed_headers, signing_secret, signing_secret_before, signing_before_until: until } = row
  if (sealed_headers === null && signing_secret === null) return NO_SECRETS
  const sealer = postbackSealer(secretKey)
  const keys = [signing_secret, until !== null && now < until.getTime() ? signing_secret_before : null]
  return { headers: openHeaders(sealed_headers, sealer), keys: keys.flatMap((key) => (key === null ? [] : [sealer.open(key)])) }
}

/** For headers by names somebody typed: what every object has, such as `constructor`, is none of them, and `__proto__` may be. */
export function noHeaders(): Record<string, string> {
  return Object.create(null) as Record<string, string> // nothing is in it
}

/** The value of a header that is told; what an object inherits is not. */
export function headerOf(headers: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = name.toLowerCase()
  return Object.hasOwn(headers, key) ? headers[key] : undefined
}

/** The values of secret headers by their names in small letters. */
export function openHeaders(sealed: Buffer | null, sealer: Pick<Sealer, 'open'>): Record<string, string> {
  // as `sealHeaders` wrote it
  return sealed === null ? {} : (JSON.parse(sealer.open(sealed)) as Record<string, string>)
}

/**
 * What goes over the wire. POST carries its own body, or the query of the address as a form. Where there are keys the body is signed
 * as Standard Webhooks says: the id is that of the delivery, the same at every try, and every key adds a signature.
 */
export function asRequest(of: Message & { uuid: string; tries: number }, { headers: secret, keys }: Secrets, now: number) {
  const headers: Record<string, string> = noHeaders()
  Object.assign(headers, { 'x-delivery-id': of.uuid, 'x-delivery-attempt': String(of.tries + 1) })
  for (const { name, value } of of.headers) {
    const sent = value ?? headerOf(secret, name)
    if (sent !== undefined) headers[name.toLowerCase()] = sent
  }
  if (of.method === 'GET') return { url: of.url, method: of.method, headers, body: undefined }
  const asForm = of.body_type === 'query'
  const [address = '', query = ''] = of.url.split('#')[0]?.split(/\?(.*)/s) ?? []
  const body = asForm ? query : of.body
  headers['content-type'] = of.body_type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'
  headers['content-length'] = String(Buffer.byteLength(body))
  if (keys.length > 0) {
    const at = String(Math.floor(now / 1000))
    headers['webhook-id'] = of.uuid
    headers['webhook-timestamp'] = at
    headers['webhook-signature'] = keys.map((key) => signatureOf(key, `${of.uuid}.${at}.${body}`)).join(' ')
  }
  return { url: asForm ? address : of.url, method: of.method, headers, body }
}

function signatureOf(key: string, content: string): string {
  return `v1,${createHmac('sha256', Buffer.from(key.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`
}
