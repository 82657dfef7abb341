import { setTimeout as pause } from 'node:timers/promises'

/** Waits so many milliseconds for work, then throws. The work itself goes on: nothing can call it back. */
export async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const done = new AbortController()
  const tooLate = pause(ms, undefined, { signal: done.signal }).then(() => {
    throw new Error(`no answer within ${ms} ms`)
  })
  try {
    return await Promise.race([work, tooLate])
  } finally {
    done.abort()
  }
}
