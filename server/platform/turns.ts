import { AppError } from './errors.ts'

/** Does some work of an account when its turn has come. Throws `too_many_attempts`. */
export type Turns = <Result>(accountId: number, work: () => Promise<Result>) => Promise<Result>

/**
 * Lets one piece of heavy work run at a time in this process, in the order it came, so that whoever asks for many at once keeps nobody
 * waiting who asks for anything else. Of one account at most `most` run or wait.
 */
export function openTurns(most: number): Turns {
  const asked = new Map<number, number>()
  let last: Promise<unknown> = Promise.resolve()
  return async (accountId, work) => {
    const own = asked.get(accountId) ?? 0
    if (own >= most) throw new AppError('too_many_attempts', { retryAfter: 5 })
    asked.set(accountId, own + 1)
    const done = last.then(work)
    last = done.catch(() => undefined)
    try {
      return await done
    } finally {
      const left = (asked.get(accountId) ?? 1) - 1
      if (left > 0) asked.set(accountId, left)
      else asked.delete(accountId)
    }
  }
}
