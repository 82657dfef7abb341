import { AppError } from './errors.ts'

/** Takes one more try of an account; what it answers takes it back. Throws `too_many_attempts`, with how long to wait. */
export type RecentTries = (accountId: number, now: number) => () => void

/** Counts what each account tries in this process: at most `most` within `withinMs`, whenever one looks. */
export function openRecentTries(most: number, withinMs: number): RecentTries {
  const tries = new Map<number, { at: number }[]>()
  return (accountId, now) => {
    const recent = (tries.get(accountId) ?? []).filter(({ at }) => at > now - withinMs)
    const [first] = recent
    if (first !== undefined && recent.length >= most)
      throw new AppError('too_many_attempts', { retryAfter: Math.ceil((first.at + withinMs - now) / 1000) })
    const made = { at: now }
    tries.set(accountId, [...recent, made])
    return () => {
      const left = (tries.get(accountId) ?? []).filter((one) => one !== made)
      if (left.length > 0) tries.set(accountId, left)
      else tries.delete(accountId)
    }
  }
}
