import { mixRandom } from '#server/rules/offer/match.ts'

/** The same visitor on the same offer and affiliate within this time is a duplicate. */
export const DUPLICATE_WINDOW_S = 24 * 60 * 60

export type DuplicateMemory = { isDuplicate(visitor: number, offerId: number, affiliateId: number, at: number): boolean }

/**
 * A bounded memory of who clicked what: 2^`bits` places of 8 bytes, a newer click takes the place of an older one. Best
 * effort per tracker: it may forget, and takes one in four thousand million strangers for a known one. It only flags.
 */
export function createDuplicateMemory(bits = 18): DuplicateMemory {
  const places = new Uint32Array(2 << bits)
  const mask = (1 << bits) - 1
  return {
    isDuplicate(visitor, offerId, affiliateId, at) {
      const low = mixRandom((visitor >>> 0) ^ offerId, 4)
      const fingerprint = mixRandom(low ^ Math.floor(visitor / 0x100000000), affiliateId)
      const place = (mixRandom(fingerprint, offerId) & mask) * 2
      const second = Math.floor(at / 1000)
      const known = places[place] === fingerprint && second - places[place + 1]! < DUPLICATE_WINDOW_S
      places[place] = fingerprint
      // The window slides: who keeps clicking stays known.
      places[place + 1] = second
      return known
    },
  }
}
