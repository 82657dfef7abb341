/** Draws that are the same for the same seed. */
export type Chance = {
  /** From 0 to below 1. */
  next(): number
  /** Around 1, of such a variance: what a true rate may be beside the one that was measured. */
  factor(variance: number): number
  /** How many of so many it happens to, where it happens to such a share of them. */
  among(many: number, share: number): number
}

/** mulberry32, seeded by the FNV hash of a text. */
export function openChance(seed: string): Chance {
  let state = 0x811c9dc5
  for (let at = 0; at < seed.length; at++) state = Math.imul(state ^ seed.charCodeAt(at), 0x01000193)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  // Box and Muller
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  // Marsaglia and Tsang; below 1 by one more and a power
  const gamma = (shape: number): number => {
    if (shape < 1) return gamma(shape + 1) * (1 - next()) ** (1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = normal()
      const v = (1 + c * x) ** 3
      if (v > 0 && Math.log(1 - next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
    }
  }
  // rare things, by Poisson
  const count = (expected: number) => {
    if (expected > 60) return Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()))
    const least = Math.exp(-expected)
    let happened = 0
    for (let left = next(); left > least; left *= next()) happened++
    return happened
  }
  return {
    next,
    factor: (variance) => (variance <= 1e-9 ? 1 : gamma(1 / variance) * variance),
    among(many, share) {
      if (share < 0.1) return Math.min(many, count(many * share))
      if (many > 100) {
        const drawn = Math.round(many * share + Math.sqrt(many * share * (1 - share)) * normal())
        return Math.min(many, Math.max(0, drawn))
      }
      let happened = 0
      for (let one = 0; one < many; one++) if (next() < share) happened++
      return happened
    },
  }
}
