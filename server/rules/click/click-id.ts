import type { SnapshotKeys } from '../offer/snapshot.ts'
import { sipHash, sipKey, type SipKey } from './siphash.ts'

/**
 * Click ids describe themselves, so that a postback is checked without a lookup and its row is found by the table's own
 * sort key (affiliate, ts, rnd).
 *
 * 25 bytes = 40 characters of lower-case base32: key version (8 bits), tag (64), then masked: time in ms (48), offer (24),
 * affiliate (24), random (32). The tag is SipHash-2-4 of version and body; the mask is SipHash-2-4-128 of the tag under a
 * second key. A wrong digit changes the tag or the body, an outsider sees neither time nor ids.
 */
export const CLICK_ID_LENGTH = 40

/** Whatever in a text may be a click id; each is still to be read. */
const LIKE_CLICK_IDS = /(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{40}(?![0-9a-z])/gi
/** So many of them are tried, of one text and of all. */
const TRIED_OF_ONE = 20
const TRIED = 50

/** Ids of offers and affiliates have to fit 24 bits. */
export const MAX_ID = 0xffffff

export type ClickIdKeys = { current: number; keys: ReadonlyMap<number, { mac: SipKey; mask: SipKey }> }

export type ClickIdParts = { at: number; offerId: number; affiliateId: number; random: number }

// Crockford's alphabet: no i, l, o, u, so nobody mistakes one sign for another.
const ALPHABET = Buffer.from('0123456789abcdefghjkmnpqrstvwxyz', 'latin1')
const DIGITS = new Int8Array(128).fill(-1)
for (let digit = 0; digit < 32; digit++) {
  const code = ALPHABET[digit]! // 32 letters
  DIGITS[code] = digit
  DIGITS[String.fromCharCode(code).toUpperCase().charCodeAt(0)] = digit
}

const TAG = 1
const BODY = 9
const BYTES = 25

// Reused by every call: nothing here survives one, and nothing in this file waits.
const id = new Uint8Array(BYTES)
const signed = new Uint8Array(17)
const hash = new Int32Array(4)
const text = Buffer.alloc(CLICK_ID_LENGTH)

/** Makes the keys of a snapshot ready for use. Throws when the current one is missing or malformed. */
export function readClickIdKeys(keys: Pick<SnapshotKeys, 'current' | 'keys'>): ClickIdKeys {
  const ready = new Map(keys.keys.map((key) => [key.version & 0xff, { mac: sipKey(key.mac), mask: sipKey(key.mask) }]))
  if (!ready.has(keys.current)) throw new Error(`click id key ${keys.current} is missing`)
  return { current: keys.current, keys: ready }
}

/** A new click id. `at` is in whole milliseconds; ids are below 2^24; `random` is 32 bits. */
export function mintClickId(parts: ClickIdParts, keys: ClickIdKeys): string {
  writeClickId(text, 0, parts.at, parts.offerId, parts.affiliateId, parts.random, keys)
  return text.toString('latin1', 0, CLICK_ID_LENGTH)
}

/** The same into a buffer, without an allocation: 40 ASCII bytes from `offset`. */
export function writeClickId(
  out: Uint8Array,
  offset: number,
  at: number,
  offer: number,
  affiliate: number,
  random: number,
  keys: ClickIdKeys,
): void {
  const key = keys.keys.get(keys.current)! // readClickIdKeys made sure
  signed[0] = keys.current
  const high = Math.floor(at / 0x100000000)
  const low = at >>> 0
  signed[1] = high >>> 8
  signed[2] = high
  signed[3] = low >>> 24
  signed[4] = low >>> 16
  signed[5] = low >>> 8
  signed[6] = low
  signed[7] = offer >>> 16
  signed[8] = offer >>> 8
  signed[9] = offer
  signed[10] = affiliate >>> 16
  signed[11] = affiliate >>> 8
  signed[12] = affiliate
  signed[13] = random >>> 24
  signed[14] = random >>> 16
  signed[15] = random >>> 8
  signed[16] = random
  sipHash(key.mac, signed, 0, 17, hash)
  id[0] = keys.current
  putTag()
  for (let i = 0; i < 16; i++) id[BODY + i] = signed[1 + i]!
  applyMask(key.mask)

  for (let group = 0, at5 = 0; group < CLICK_ID_LENGTH; group += 8, at5 += 5) {
    const a = id[at5]!
    const b = id[at5 + 1]!
    const c = id[at5 + 2]!
    const d = id[at5 + 3]!
    const e = id[at5 + 4]!
    const to = offset + group
    out[to] = ALPHABET[a >>> 3]!
    out[to + 1] = ALPHABET[((a & 7) << 2) | (b >>> 6)]!
    out[to + 2] = ALPHABET[(b >>> 1) & 31]!
    out[to + 3] = ALPHABET[((b & 1) << 4) | (c >>> 4)]!
    out[to + 4] = ALPHABET[((c & 15) << 1) | (d >>> 7)]!
    out[to + 5] = ALPHABET[(d >>> 2) & 31]!
    out[to + 6] = ALPHABET[((d & 3) << 3) | (e >>> 5)]!
    out[to + 7] = ALPHABET[e & 31]!
  }
}

/** What a click id says, or null when it is mistyped, forged or of a key we do not have. Upper or lower case alike. */
export function readClickId(value: string, keys: ClickIdKeys): ClickIdParts | null {
  if (value.length !== CLICK_ID_LENGTH) return null
  let bits = 0
  let held = 0
  let at = 0
  for (let i = 0; i < CLICK_ID_LENGTH; i++) {
    const code = value.charCodeAt(i)
    const digit = code < 128 ? DIGITS[code]! : -1
    if (digit < 0) return null
    bits = (bits << 5) | digit
    held += 5
    if (held >= 8) {
      held -= 8
      id[at++] = bits >>> held
      bits &= (1 << held) - 1
    }
  }
  const version = id[0]!
  const key = keys.keys.get(version)
  if (key === undefined) return null
  applyMask(key.mask)
  signed[0] = version
  for (let i = 0; i < 16; i++) signed[1 + i] = id[BODY + i]!
  sipHash(key.mac, signed, 0, 17, hash)
  let difference = 0
  for (let i = 0; i < 8; i++) difference |= id[TAG + i]! ^ ((hash[i >> 2]! >>> (8 * (i & 3))) & 0xff)
  if (difference !== 0) return null
  return {
    at: ((signed[1]! << 8) | signed[2]!) * 0x100000000 + word(3),
    offerId: word(6) & MAX_ID,
    affiliateId: word(9) & MAX_ID,
    random: word(13),
  }
}

function word(from: number): number {
  return ((signed[from]! << 24) | (signed[from + 1]! << 16) | (signed[from + 2]! << 8) | signed[from + 3]!) >>> 0
}

function putTag(): void {
  for (let i = 0; i < 8; i++) id[TAG + i] = hash[i >> 2]! >>> (8 * (i & 3))
}

/** The mask depends on the tag alone, so applying it twice restores the body. */
function applyMask(mask: SipKey): void {
  sipHash(mask, id, TAG, TAG + 8, hash, true)
  for (let i = 0; i < 16; i++) id[BODY + i] = id[BODY + i]! ^ (hash[i >> 2]! >>> (8 * (i & 3)))
}

/** What in a text may be a click id, in lower case; at most 20. */
export function likeClickIds(text: string): string[] {
  return (text.match(LIKE_CLICK_IDS) ?? []).slice(0, TRIED_OF_ONE).map((found) => found.toLowerCase())
}

/** The first click id of ours that stands anywhere in some texts, in lower case, and what it says. */
export function findClickId(texts: readonly string[], keys: ClickIdKeys): { id: string; parts: ClickIdParts } | null {
  const tried = texts.flatMap(likeClickIds).slice(0, TRIED)
  for (const id of tried) {
    const parts = readClickId(id, keys)
    if (parts !== null) return { id, parts }
  }
  return null
}
