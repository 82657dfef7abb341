/** Whether a moment is within the dates of an offer; null = open, the end is exclusive. In milliseconds. */
export function isWithin({ start_at, stop_at }: { start_at: number | null; stop_at: number | null }, at: number): boolean {
  return (start_at === null || at >= start_at) && (stop_at === null || at < stop_at)
}

/** Whether an offer, as its row has it, takes anything now. */
export function isRunning(
  { status, start_at, stop_at }: { status: string; start_at: Date | null; stop_at: Date | null },
  now: number,
): boolean {
  return status === 'active' && isWithin({ start_at: start_at?.getTime() ?? null, stop_at: stop_at?.getTime() ?? null }, now)
}
