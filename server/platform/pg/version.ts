import { AppError } from '#server/platform/errors.ts'

/**
 * Refuses a change that was made looking at an earlier state of a locked row than the one there is: without it the
 * later of two people would undo what the first one saved. The `version` columns count by themselves. Throws `conflict`.
 */
export function refuseStale(current: { version: number }, seen: number): void {
  if (current.version !== seen) throw new AppError('conflict')
}
