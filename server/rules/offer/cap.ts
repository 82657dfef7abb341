/** From how many percent on a cap is nearly full. */
export const NEARLY = 80

/** Whether what is asked for fits into a cap; nothing fits where something else would still. */
export function hasRoom({ used, limit }: { used: bigint; limit: bigint }, asked: bigint): boolean {
  return asked > 0n ? used + asked <= limit : used < limit
}

/** What a cap that was filled from `before` to `used` has passed, the most first; null = nothing anybody is told of. */
export function passedBy(before: bigint | null, used: bigint, limit: bigint): 'full' | 'nearly_full' | null {
  const passed = (percent: bigint) => used * 100n >= limit * percent && (before === null || before * 100n < limit * percent)
  return passed(100n) ? 'full' : passed(BigInt(NEARLY)) ? 'nearly_full' : null
}
