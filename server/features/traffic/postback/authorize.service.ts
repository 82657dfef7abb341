import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { PostbackRefusal } from '#contract/traffic/postback.ts'
import { isListed } from '#server/platform/network.ts'
import type { OfferTerms } from '../conversion/terms.queries.ts'
import type { IncomingSettings } from './incoming.queries.ts'
import type { ParsedPostback } from './parse.service.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'

/** How far the clock of who signs may be off, in ms. */
const TOLERANCE = 5 * 60_000

/**
 * Whether whoever sent a postback may report conversions of the offer: by the offer's own token, its advertiser's or the
 * network's; from an address on the lists, where there are any. Instead of the token a signature may be sent:
 * `signature = hex(HMAC-SHA256(token, timestamp + '.' + query + '.' + body))` with the query as it was sent, less
 * `signature` and `timestamp`, and `timestamp` in seconds or milliseconds, at most five minutes off. A wrong signature
 * refuses also beside a right token.
 */
export function authorize(
  received: ReceivedPostback,
  parsed: ParsedPostback,
  terms: OfferTerms,
  settings: IncomingSettings,
): PostbackRefusal | null {
  const tokens = tokensOf(terms, settings)
  const { token, signature, timestamp } = parsed.secrets
  if (signature !== '') {
    const at = /^\d{10}$/.test(timestamp) ? Number(timestamp) * 1000 : /^\d{13}$/.test(timestamp) ? Number(timestamp) : Number.NaN
    if (!(Math.abs(Date.parse(received.received_at) - at) <= TOLERANCE)) return 'signature_stale'
    const text = `${timestamp}.${unsigned(received.query)}.${received.body}`
    if (
      !oneOf(
        signature.toLowerCase(),
        tokens.map((secret) => createHmac('sha256', secret).update(text).digest('hex')),
      )
    )
      return 'signature_wrong'
  } else if (token === '' || !oneOf(token, tokens)) return 'token_wrong'
  for (const list of [terms.allowed_ips, settings.allowed_ips]) {
    if (list.length > 0 && !isListed(received.ip, list)) return 'ip_not_allowed'
  }
  return null
}

/** The secrets a postback of an offer may be sent with. */
export function tokensOf(terms: OfferTerms, settings: IncomingSettings): string[] {
  return [terms.postback_token, terms.advertiser_token, settings.token].filter((token): token is string => token !== null && token !== '')
}

function unsigned(query: string): string {
  return query
    .split('&')
    .filter((pair) => !/^(signature|timestamp)=/i.test(pair))
    .join('&')
}

/** Compares with every candidate in the same time whatever matches; hashing makes all sides equally long. */
function oneOf(given: string, candidates: readonly string[]): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  const wanted = digest(given)
  let found = false
  for (const candidate of candidates) found = timingSafeEqual(wanted, digest(candidate)) || found
  return found
}
