/**
 * IPv4 addresses as ranges that lie one behind the other: `values[i]` holds from `starts[i]` up to the next start.
 * `index[p]` = the range that holds the first address of the 20-bit prefix p; the entry after the last closes it. With
 * shorter prefixes a look-up would wait for memory half a dozen times.
 */
export type Ranges = { starts: Uint32Array; values: Uint32Array; index: Uint32Array }

const PREFIXES = 2 ** 20
const BEHIND_PREFIX = 12

/** The same of IPv6 by the first 64 bits of an address, as two words; nobody is given less than that. */
export type WideRanges = { high: Uint32Array; low: Uint32Array; values: Uint32Array }

/** Ranges with their index. `starts` ascend and begin at 0. */
export function indexRanges(starts: Uint32Array, values: Uint32Array): Ranges {
  const index = new Uint32Array(PREFIXES + 1)
  let range = 0
  for (let prefix = 0; prefix < PREFIXES; prefix++) {
    while (range + 1 < starts.length && starts[range + 1]! <= prefix * 2 ** BEHIND_PREFIX) range++
    index[prefix] = range
  }
  index[PREFIXES] = starts.length - 1
  return { starts, values, index }
}

/** The value of the range that holds an IPv4 address in its IPv6 form. Costs about 0.05 µs. */
export function valueAt({ starts, values, index }: Ranges, address: Uint8Array): number {
  const value = wordAt(address, 12)
  const prefix = value >>> BEHIND_PREFIX
  // the last start <= value
  let low = index[prefix]!
  let high = index[prefix + 1]!
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (starts[middle]! <= value) low = middle
    else high = middle - 1
  }
  return values[low]!
}

/** The value of the range that holds an IPv6 address. Costs about 0.3 µs. */
export function wideValueAt({ high: highs, low: lows, values }: WideRanges, address: Uint8Array): number {
  const high = wordAt(address, 0)
  const low = wordAt(address, 4)
  let from = 0
  let to = highs.length - 1
  while (from < to) {
    const middle = (from + to + 1) >>> 1
    const start = highs[middle]!
    if (start < high || (start === high && lows[middle]! <= low)) from = middle
    else to = middle - 1
  }
  return values[from]!
}

/** Four bytes of an address as a number. */
export function wordAt(address: Uint8Array, at: number): number {
  return ((address[at]! << 24) | (address[at + 1]! << 16) | (address[at + 2]! << 8) | address[at + 3]!) >>> 0
}

/** Gathers ranges in ascending order; equal neighbours become one, and of two that begin together the last counts. */
export function createRangeList(): { add(high: number, low: number, value: number): void; done(): WideRanges } {
  let size = 2 ** 16
  let high = new Uint32Array(size)
  let low = new Uint32Array(size)
  let values = new Uint32Array(size)
  let ranges = 0
  const grown = (from: Uint32Array<ArrayBuffer>) => {
    const to = new Uint32Array(size)
    to.set(from)
    return to
  }
  return {
    add(startHigh, startLow, value) {
      if (ranges > 0 && high[ranges - 1] === startHigh && low[ranges - 1] === startLow) ranges--
      if (ranges > 0 && values[ranges - 1] === value) return
      if (ranges === size) {
        size *= 2
        high = grown(high)
        low = grown(low)
        values = grown(values)
      }
      high[ranges] = startHigh
      low[ranges] = startLow
      values[ranges++] = value
    },
    done: () => ({ high: high.slice(0, ranges), low: low.slice(0, ranges), values: values.slice(0, ranges) }),
  }
}
