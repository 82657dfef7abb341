/** Whether an offer takes leads at all now. */
export function isRunning(
  { status, start_at, stop_at }: { status: string; start_at: Date | null; stop_at: Date | null },
  now: number,
): boolean {
  return status === 'active' && (start_at === null || start_at.getTime() <= now) && (stop_at === null || now < stop_at.getTime())
}
