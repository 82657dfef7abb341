import { createHash } from 'node:crypto'
import { kindOf, kindOfPath } from '../postback-names.ts'
import { pairsOf, pairsOfJson, readJson, type Pair } from '../postback-reading.ts'

/** A call as it is kept: without secrets. */
export type KeptCall = { method?: string; path: string; query: string; body: string }

const MOST_PAIRS = 300
const LIKE_AN_ID = /^(\*\*\*|[0-9]{4,}|[0-9a-hjkmnp-tv-z]{40}|(?=.*\d)[\w-]{20,})$/i

/**
 * What calls of one integration have in common, as a short text: the path, how the body is written, under which name our
 * click id stands, and which names there are that speak of a result. Values, and what is only told beside, make no other.
 */
export function shapeOf(call: KeptCall, clickId: string): string {
  const names = pairsOfKept(call).flatMap(({ name, value }) => {
    const plain = name.toLowerCase().replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, '#')
    if (clickId !== '' && value.toLowerCase().includes(clickId)) return [`${plain}=click`]
    return isTelling(name) ? [plain] : []
  })
  const path = call.path
    .split(/([/:])/)
    .map((part) => (LIKE_AN_ID.test(part) ? '*' : part.toLowerCase()))
    .join('')
  const text = [path, bodyKind(call.body), ...new Set(names.toSorted())].join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

/** The parameters of a kept call, those of its query first; of a list in its body those of the first member. */
export function pairsOfKept({ query, body }: KeptCall): Pair[] {
  const inBody = bodyKind(body) === 'json' ? jsonPairs(body) : body === '' || bodyKind(body) === 'other' ? [] : pairsOf(body.trim())
  return [...pairsOf(query), ...inBody].slice(0, MOST_PAIRS)
}

function jsonPairs(body: string): Pair[] {
  const { value } = readJson(body)
  return pairsOfJson(Array.isArray(value) ? value[0] : value)
}

/** How a body is written. */
export function bodyKind(body: string): 'none' | 'json' | 'form' | 'other' {
  const text = body.trim()
  if (text === '') return 'none'
  if (/^[[{]/.test(text)) return 'json'
  return /^[^\s<>"'{}=:;,]+=[^\r\n]*$/.test(text) ? 'form' : 'other'
}

function isTelling(name: string): boolean {
  const path = kindOfPath(name)
  const kind = path === null ? kindOf(name) : path.kind
  return kind !== undefined && kind !== 'token' && kind !== 'signature' && kind !== 'timestamp'
}
