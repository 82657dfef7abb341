import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import { isListed } from '#server/platform/network.ts'
import type { OfferTerms } from '../../conversion/terms.queries.ts'
import type { IncomingSettings, SentBy } from './incoming.queries.ts'
import type { ParsedPostback } from './parse.service.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'

/** How far the clock of who signs may be off, in ms. */
const TOLERANCE = 5 * 60_000

/**
 * Whether whoever sent a postback may report conversions of the offer, by what its advertiser asks for: a token (the
 * offer's own, the advertiser's or the network's), an address on the advertiser's list, either, or both; and from an
 * address on the network's list, where there is one. Instead of the token a signature may be sent:
 * `signature = hex(HMAC-SHA256(token, timestamp + '.' + query + '.' + body))` with the query as it was sent, less
 * `signature` and `timestamp`, and `timestamp` in seconds or milliseconds, at most five minutes off. A wrong signature
 * refuses whatever else is right. Where a dialect is spoken, the token may stand in the path or be a key in a header, and a
 * header may sign the body with a secret of the advertiser's system or with a token, which is enough where addresses alone are asked for.
 */
export function authorize(
  received: ReceivedPostback,
  parsed: ParsedPostback,
  terms: OfferTerms,
  settings: IncomingSettings,
  openSecret?: (sealed: Buffer) => string,
): PostbackRefusal | null {
  const tokens = takenTokens(terms, settings, Date.parse(received.received_at))
  const { token, signature, timestamp, others } = parsed.secrets
  const signed = terms.spoken?.dialect?.signature ?? null
  const given = signed === null ? '' : (received.headers[signed.header] ?? '')
  if (signed !== null && given !== '') {
    const { secret } = terms.spoken ?? {}
    const own = secret && openSecret ? [openSecret(Buffer.from(secret, 'base64'))] : []
    if (!isSignedBy(received.body, given, signed.encoding, [...own, ...tokens])) return 'signature_wrong'
    // a shop's calls come from wherever it runs: where an address would do, who signs the body itself needs none
    const needed = terms.postback_auth === 'ip' ? 'either' : terms.postback_auth
    return weigh(true, received.ip, { ...terms, postback_auth: needed }, settings)
  }
  if (signature === '') {
    const known = tokens.map(hashOf)
    const isRight = [token, ...others].map((one) => one !== '' && oneOf(hashOf(one), known)).includes(true)
    return weigh(isRight, received.ip, terms, settings)
  }
  const at = /^\d{10}$/.test(timestamp) ? Number(timestamp) * 1000 : /^\d{13}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(Date.parse(received.received_at) - at) <= TOLERANCE)) return 'signature_stale'
  const text = `${timestamp}.${unsigned(received.query)}.${received.body}`
  const signatures = tokens.map((secret) => createHmac('sha256', secret).update(text).digest('hex'))
  if (!oneOf(hashOf(signature.toLowerCase()), signatures.map(hashOf))) return 'signature_wrong'
  return weigh(true, received.ip, terms, settings)
}

/** Whether the signature of a body is that of one of some secrets. */
export function isSignedBy(body: string, given: string, encoding: 'hex' | 'base64', secrets: readonly string[]): boolean {
  const signatures = secrets.map((one) => createHmac('sha256', one).update(body).digest(encoding))
  const plain = given.replace(/^sha256=/i, '')
  return oneOf(hashOf(encoding === 'hex' ? plain.toLowerCase() : plain), signatures.map(hashOf))
}

/** The same of a stored one: as of now, from what was kept of it. A signature that was wrong or stale stays so. */
export function authorizeAgain(sent: SentBy, terms: OfferTerms, settings: IncomingSettings, now: number): PostbackRefusal | null {
  if (sent.authorized === true) return null
  if (sent.reason === 'signature_wrong' || sent.reason === 'signature_stale') return sent.reason
  const { tokenHash } = sent
  return weigh(tokenHash !== null && oneOf(tokenHash, takenTokens(terms, settings, now).map(hashOf)), sent.address, terms, settings)
}

/** The secrets a postback of an offer may be sent with, and the one before, whether or not it is still taken: none of them is kept. */
export function tokensOf(terms: OfferTerms, settings: IncomingSettings): string[] {
  return [terms.postback_token, terms.advertiser_token, terms.previous_token, settings.token].filter(isToken)
}

/** Those that were taken at a moment: a call that waited on a tracker counts by when it came in. */
function takenTokens(terms: OfferTerms, settings: IncomingSettings, at: number): string[] {
  const { previous_token, previous_token_until: until } = terms
  const isTaken = until !== null && at < until.getTime()
  return [terms.postback_token, terms.advertiser_token, isTaken ? previous_token : null, settings.token].filter(isToken)
}

/** Whether a token is there: an empty one is none. */
export function isToken(token: string | null): token is string {
  return token !== null && token !== ''
}

/** What is kept of a token: enough to know it again. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Whether what an advertiser asks for is there: a right token, an address on its list, either, or both. */
export function weigh(
  tokenIsRight: boolean,
  address: string,
  terms: Pick<OfferTerms, 'postback_auth' | 'allowed_ips'>,
  settings: Pick<IncomingSettings, 'allowed_ips'>,
): PostbackRefusal | null {
  if (settings.allowed_ips.length > 0 && !isListed(address, settings.allowed_ips)) return 'ip_not_allowed'
  const addressIsListed = isListed(address, terms.allowed_ips)
  switch (terms.postback_auth) {
    case 'token':
      return tokenIsRight ? null : 'token_wrong'
    case 'ip':
      return addressIsListed ? null : 'ip_not_allowed'
    case 'either':
      return tokenIsRight || addressIsListed ? null : 'token_wrong'
    case 'both':
      return !tokenIsRight ? 'token_wrong' : addressIsListed ? null : 'ip_not_allowed'
  }
}

function unsigned(query: string): string {
  return query
    .split('&')
    .filter((pair) => !/^(signature|timestamp)=/i.test(pair))
    .join('&')
}

/** Compares hashes, which are equally long, with every candidate in the same time whatever matches. */
function oneOf(given: string, candidates: readonly string[]): boolean {
  const wanted = Buffer.from(given)
  let found = false
  for (const candidate of candidates) found = timingSafeEqual(wanted, Buffer.from(candidate)) || found
  return found
}
