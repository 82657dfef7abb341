/** How many lines go to the api at once. */
export type BatchSize = {
  /** How many of these lines are the next batch; at least one of them. */
  of(lines: readonly { length: number }[]): number
  /** Notes how long the api needed for a batch. */
  took(count: number, ms: number): void
}

const LEAST = 50
/** No batch holds more. */
export const MOST = 200
/** A full batch that is back so soon may be followed by a larger one. */
const QUICK_MS = 200
/** Well below what the api takes as a body. */
const LONGEST = 4 * 1024 * 1024

/**
 * Fifty, which the api takes within a second even one by one; twice as many after each full batch it took at once, up to two
 * hundred, because what a batch costs beside its postbacks is as much as fifty of them. A slow one leads back to fifty.
 */
export function openBatchSize(): BatchSize {
  let most = LEAST
  return {
    of(lines) {
      let length = 0
      const tooMany = lines.slice(0, most).findIndex((line, index) => (length += line.length) > LONGEST && index > 0)
      return tooMany === -1 ? Math.min(most, lines.length) : tooMany
    },
    took(count, ms) {
      if (ms > QUICK_MS) most = LEAST
      else if (count >= most) most = Math.min(most * 2, MOST)
    },
  }
}
