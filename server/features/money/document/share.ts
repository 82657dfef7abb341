/**
 * Rounds parts to whole units so that they add up to exactly `total`, a whole number of units: each down, and what is left one unit
 * each to those that lost most (largest remainder; the first of equals). No part is a unit or more away from what it was, unless the
 * total is further from their sum than there are parts.
 */
export function roundedShares(parts: readonly bigint[], total: bigint, unit: bigint): bigint[] {
  const floors = parts.map((part) => floorTo(part, unit))
  const lost = parts.map((part, at) => ({ at, rest: part - (floors[at] ?? 0n) }))
  let left = (total - floors.reduce((sum, part) => sum + part, 0n)) / unit
  const order = lost.toSorted((one, other) => (one.rest === other.rest ? one.at - other.at : one.rest > other.rest ? -1 : 1))
  for (let turn = 0; left !== 0n && order.length > 0; turn++) {
    // more to take away than was rounded down: from those that lost least
    const { at } = left > 0n ? order[turn % order.length]! : order[order.length - 1 - (turn % order.length)]!
    const step = left > 0n ? 1n : -1n
    floors[at] = (floors[at] ?? 0n) + step * unit
    left -= step
  }
  return floors
}

function floorTo(value: bigint, unit: bigint): bigint {
  const rest = ((value % unit) + unit) % unit
  return value - rest
}
