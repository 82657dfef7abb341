import {
  AD_PARAMETER_NAMES,
  CLICK_PARAMETERS,
  MAX_AD_ID_LENGTH,
  MAX_UNREAD_LENGTH,
  MAX_VALUE_LENGTH,
  PARAMETER_NAMES,
  type ClickParameter,
} from '#server/rules/click/click-parameters.ts'

/** Position of each parameter in `from` and `to`. */
export const PARAMETER = Object.fromEntries(CLICK_PARAMETERS.map((name, position) => [name, position])) as Record<ClickParameter, number> // every name is in the list

/** Where the id of an ad network stands in `from` and `to`: behind the parameters. */
export const AD_ID = CLICK_PARAMETERS.length

/**
 * The decoded values of one query: parameter p is `bytes[from[p]..to[p])`. `ad` is the position of the ad network's own
 * parameter in AD_PARAMETER_NAMES, -1 = none. Further ones are `ads`, what nothing took is `unread`. Reused for every click.
 */
export type ParsedParameters = {
  bytes: Uint8Array
  from: Int32Array
  to: Int32Array
  ad: number
  ads: KeptPairs
  unread: KeptPairs
}
/** `name=value&…` as it came: `bytes[0..end)`. */
export type KeptPairs = { bytes: Uint8Array; end: number }

/** Queries longer than this go the plain path. */
export const LONGEST_QUERY = 8192

/**
 * The bytes-only twin of `readClickParameters`: one pass, nothing allocated. Returns false for what it leaves to the
 * plain path: values that are not ASCII, and queries too long for its buffer.
 */
export function createParameterParser(): { parsed: ParsedParameters; parse(query: Uint8Array, start: number, end: number): boolean } {
  const parsed: ParsedParameters = {
    bytes: new Uint8Array(LONGEST_QUERY),
    from: new Int32Array(CLICK_PARAMETERS.length + 1),
    to: new Int32Array(CLICK_PARAMETERS.length + 1),
    ad: -1,
    ads: { bytes: new Uint8Array(MAX_UNREAD_LENGTH), end: 0 },
    unread: { bytes: new Uint8Array(MAX_UNREAD_LENGTH), end: 0 },
  }
  const { bytes, from, to } = parsed

  /** Keeps a pair that nothing takes; false where it is not plain ASCII. */
  const keep = (into: KeptPairs, query: Uint8Array, start: number, end: number): boolean => {
    let at = into.end
    if (end > start && at > 0 && at < MAX_UNREAD_LENGTH) into.bytes[at++] = AMPERSAND
    for (let i = start; i < end; i++) {
      const byte = query[i]!
      if (byte < SPACE || byte >= DELETE) return false
      if (at < MAX_UNREAD_LENGTH) into.bytes[at++] = byte
    }
    into.end = at
    return true
  }

  const parse = (query: Uint8Array, start: number, end: number): boolean => {
    if (end - start > LONGEST_QUERY) return false
    from.fill(0)
    to.fill(0)
    parsed.ad = -1
    parsed.ads.end = 0
    parsed.unread.end = 0
    let seen = 0
    let used = 0
    let at = start
    while (at < end) {
      const name = at
      let hash = HASH_START
      let byte = 0
      while (at < end && (byte = query[at]!) !== EQUALS && byte !== AMPERSAND) {
        hash = Math.imul(hash ^ byte, HASH_STEP)
        at++
      }
      const found = findParameter(query, name, at, hash)
      if (at < end && byte === EQUALS) at++
      const isAd = found >= AD_ID
      if (found < 0 || (isAd ? parsed.ad >= 0 : seen & (1 << found))) {
        while (at < end && query[at] !== AMPERSAND) at++
        if (!keep(isAd ? parsed.ads : parsed.unread, query, name, at)) return false
        at++
        continue
      }
      const parameter = isAd ? AD_ID : found
      if (!isAd) seen |= 1 << parameter
      from[parameter] = used
      const limit = used + (isAd ? MAX_AD_ID_LENGTH : MAX_VALUE_LENGTH)
      while (at < end && (byte = query[at]!) !== AMPERSAND) {
        at++
        if (PLAIN[byte] === 0) {
          if (byte === PLUS) byte = SPACE
          else if (byte === PERCENT && at + 1 < end) {
            const high = HEX[query[at]!]!
            const low = HEX[query[at + 1]!]!
            if (high >= 0 && low >= 0) {
              byte = (high << 4) | low
              at += 2
            }
          }
          if (byte >= 0x80) return false
          if (byte < SPACE || byte === DELETE) continue
        }
        if (used < limit) bytes[used++] = byte
      }
      to[parameter] = used
      if (isAd && used > from[AD_ID]!) parsed.ad = found - AD_ID
      at++
    }
    return true
  }
  return { parsed, parse }
}

const EQUALS = 0x3d
const AMPERSAND = 0x26
const PLUS = 0x2b
const PERCENT = 0x25
const SPACE = 0x20
const DELETE = 0x7f

// Bytes that stand for themselves.
const PLAIN = Uint8Array.from({ length: 256 }, (_value, byte) =>
  byte >= SPACE && byte < DELETE && byte !== PLUS && byte !== PERCENT ? 1 : 0,
)

const HEX = new Int8Array(256).fill(-1)
for (let digit = 0; digit < 16; digit++) {
  HEX[digit.toString(16).charCodeAt(0)] = digit
  HEX[digit.toString(16).toUpperCase().charCodeAt(0)] = digit
}

// Names by FNV-1a hash, open addressing, laid out in arrays; a hit is compared in full, so nobody can collide with a name.
const HASH_START = 0x811c9dc5 | 0
const HASH_STEP = 0x01000193
const PLACES = 511
const NAMES: readonly (readonly [string, number])[] = [
  ...[...PARAMETER_NAMES].map(([name, parameter]) => [name, PARAMETER[parameter]] as const),
  ...AD_PARAMETER_NAMES.map((name, position) => [name, AD_ID + position] as const),
]
const LETTERS = Buffer.from(NAMES.map(([name]) => name).join(''), 'latin1')
const nameStart = new Uint16Array(PLACES + 1)
const nameLength = new Uint8Array(PLACES + 1)
const nameParameter = new Int8Array(PLACES + 1)
let letters = 0
for (const [name, parameter] of NAMES) {
  let place = Buffer.from(name, 'latin1').reduce((hash, byte) => Math.imul(hash ^ byte, HASH_STEP), HASH_START) & PLACES
  while (nameLength[place] !== 0) place = (place + 1) & PLACES
  nameStart[place] = letters
  nameLength[place] = name.length
  nameParameter[place] = parameter
  letters += name.length
}

function findParameter(query: Uint8Array, from: number, to: number, hash: number): number {
  for (let place = hash & PLACES; nameLength[place] !== 0; place = (place + 1) & PLACES) {
    if (nameLength[place] !== to - from) continue
    const start = nameStart[place]!
    let i = from
    while (i < to && LETTERS[start + i - from] === query[i]) i++
    if (i === to) return nameParameter[place]!
  }
  return -1
}
