/** Seeded chance: the same seed gives the same network, so that figures can be compared between runs. */
export type Random = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  whole(min: number, max: number): number
  /** 32 random bits. */
  bits(): number
  pick<Value>(values: readonly Value[]): Value
  /** True with this probability. */
  chance(probability: number): boolean
  /** A positive number, log-normal around a median; `spread` is the standard deviation of its logarithm. */
  logNormal(median: number, spread: number): number
}

/** sfc32, seeded by four words; passes the usual batteries and is fast in JavaScript's 32-bit integers. */
export function seededRandom(seed: number): Random {
  let a = seed | 0
  let b = 0x9e3779b9 | 0
  let c = 0x243f6a88 | 0
  let d = 1
  const bits = () => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 20; warm++) bits()
  const next = () => bits() / 0x100000000
  const whole = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    bits,
    whole,
    pick: (values) => values[whole(0, values.length - 1)]!, // callers give at least one
    chance: (probability) => next() < probability,
    // Box and Muller
    logNormal: (median, spread) => median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
  }
}

/** Draws from weighted values by their running sums; weights need not add up to one. */
export function weighted<Value>(choices: readonly (readonly [Value, number])[]): (random: Random) => Value {
  const sums: number[] = []
  let total = 0
  for (const [, weight] of choices) sums.push((total += weight))
  return (random) => {
    const point = random.next() * total
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! > point) high = middle // within the array: low < high
      else low = middle + 1
    }
    return choices[low]![0] // as above
  }
}

/** Zipf's weights for `count` ranks: the first is the largest. */
export function zipf(count: number, exponent = 1): number[] {
  return Array.from({ length: count }, (_none, rank) => 1 / (rank + 1) ** exponent)
}

/** A uuid by chance that is the same every time. */
export function uuidOf(random: Random): string {
  const hex = Array.from({ length: 4 }, () => random.bits().toString(16).padStart(8, '0')).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
