import { mixRandom } from '#server/rules/offer/match.ts'
import type { OrderKeys } from './postback-order.ts'

/** Resolves when everything before it that it has to wait for has left; the answer is the caller's own leaving. */
export type Turns = (keys: OrderKeys) => Promise<() => void>

/** Lets those that share a key come one after the other, in the order in which they ask, and all others at once. */
export function createTurns(): Turns {
  const latest = new Map<string, Promise<void>>()
  return async (keys) => {
    const before = keys.map((key) => latest.get(key))
    const { promise: left, resolve } = Promise.withResolvers<void>()
    for (const key of keys) latest.set(key, left)
    await Promise.all(before)
    return () => {
      for (const key of keys) if (latest.get(key) === left) latest.delete(key)
      resolve()
    }
  }
}

/** The keys of the postbacks that wait. */
export type WaitingKeys = {
  add(keys: OrderKeys): void
  remove(keys: OrderKeys): void
  has(keys: OrderKeys): boolean
}

const PLACES = 1 << 20

/**
 * Counts keys in 4 MB, however many wait: after a night without the api there may be millions. Two keys that share a place
 * are taken for one, which only makes a postback wait that would not have to.
 */
export function createWaitingKeys(): WaitingKeys {
  const counts = new Uint32Array(PLACES)
  return {
    add(keys) {
      for (const key of keys) counts[placeOf(key)]!++
    },
    remove(keys) {
      for (const key of keys) counts[placeOf(key)]!--
    },
    has: (keys) => keys.some((key) => counts[placeOf(key)]! > 0),
  }
}

/** FNV-1a. */
function placeOf(key: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  return mixRandom(hash, 0) % PLACES
}
