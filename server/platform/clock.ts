/** The time as the product sees it: milliseconds since 1970. Tests and the demo generator pass their own. */
export type Clock = { now(): number }

export const systemClock: Clock = { now: () => Date.now() }
