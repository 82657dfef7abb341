import type { Dialect } from '#contract/traffic/dialect.ts'
import { isOnPath } from '#server/rules/conversion/dialect/naming.ts'
import { findClickId, readClickId, type ClickIdKeys, type ClickIdParts } from '#server/rules/click/click-id.ts'
import { POSTBACK_PATH, type ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import type { OfferTerms } from '../../conversion/terms.queries.ts'
import type { TermsOf } from './interpret.service.ts'
import { callsIn, parsePostback, valuesOf, type ParsedPostback, type PostbackFields } from './parse.service.ts'

/** A call as its advertiser's dialect reads it, or the calls it is a list of. */
export type Spoken = { version: number; dialect: Dialect } & ({ parsed: ParsedPostback } | { calls: ReceivedPostback[] })

/**
 * Reads a call in the dialect of the advertiser whose offer's click stands in it, wherever that is; null where nobody's
 * dialect says anything of such a call.
 */
export async function speak(
  received: ReceivedPostback,
  parsed: ParsedPostback,
  { keys, termsOf, inList = false }: { keys: ClickIdKeys; termsOf: TermsOf; inList?: boolean },
): Promise<Spoken | null> {
  const spoken = (await termsNamed(received, parsed, keys, termsOf))?.spoken ?? null
  if (spoken === null || spoken.dialect === null) return null
  const { version, dialect } = spoken
  if (received.path !== POSTBACK_PATH && !isOnPath(dialect, received.path)) return null
  const calls = inList ? [received] : callsIn(received, dialect)
  return calls.length > 1 ? { version, dialect, calls } : { version, dialect, parsed: parsePostback(calls[0] ?? received, dialect) }
}

/** Whether a call holds a click id of ours, wherever that stands. */
export function namesClick(received: ReceivedPostback, { fields }: ParsedPostback, keys: ClickIdKeys): boolean {
  return clickNamed(received, fields, keys) !== null
}

/** The terms of the offer whose click a call names; undefined where it names none. */
function termsNamed(
  received: ReceivedPostback,
  { fields }: ParsedPostback,
  keys: ClickIdKeys,
  termsOf: TermsOf,
): Promise<OfferTerms | undefined> {
  const parts = clickNamed(received, fields, keys)
  return parts === null ? Promise.resolve(undefined) : termsOf(parts.offerId)
}

function clickNamed(received: ReceivedPostback, fields: PostbackFields, keys: ClickIdKeys): ClickIdParts | null {
  const said = readClickId(fields.click_id, keys)
  return said ?? findClickId([received.path, received.query, received.body, ...valuesOf(received)], keys)?.parts ?? null
}
