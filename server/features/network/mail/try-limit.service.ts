import { AppError } from '#server/platform/errors.ts'

const WINDOW = 10 * 60_000
const MOST = 20

export type TryLimit = (accountId: number, now: number) => void

/** Counts the checks and test messages of each person in this process; throws `too_many_attempts` where there are too many. */
export function openTryLimit(): TryLimit {
  const tries = new Map<number, number[]>()
  return (accountId, now) => {
    const recent = (tries.get(accountId) ?? []).filter((at) => at > now - WINDOW)
    const [oldest = now] = recent
    if (recent.length >= MOST) throw new AppError('too_many_attempts', { retryAfter: Math.ceil((oldest + WINDOW - now) / 1000) })
    tries.set(accountId, [...recent, now])
  }
}
