/** How many people a run may take of those it could, and which limit leaves the others. */
export function roomFor({ free, perRun, perDay, taken }: { free: number; perRun: number; perDay: number; taken: number }): {
  takes: number
  left: number
  by: 'per_run' | 'per_day'
} {
  const today = Math.max(0, perDay - taken)
  const takes = Math.min(free, perRun, today)
  return { takes, left: free - takes, by: perRun <= today ? 'per_run' : 'per_day' }
}
