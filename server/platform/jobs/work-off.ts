import { DatabaseError } from 'pg'
import { log } from '../log.ts'

const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000
/** What has failed so often in a row has failed for some hours: what can be told apart in it and fails is left to people. */
const MOST_FAILURES = 8

/** Something that waits to be worked off; `failures` = how often in a row that went wrong. */
type Waiting = { failures: number }
/** Things that wait: which is next, what is done with it, and how it is put back. */
type Line<One extends Waiting> = {
  next(): Promise<One | undefined>
  work(one: One): Promise<void>
  putBack(one: One, until: Date): Promise<void>
}

/**
 * Works on what is next in a line; answers whether there may be more. What goes wrong is logged and put back, for a minute at first and
 * twice as long each time: it holds up nothing behind it, and is tried again by itself.
 */
export async function workOff<One extends Waiting>(name: string, now: number, { next, work, putBack }: Line<One>): Promise<boolean> {
  const one = await next()
  if (one === undefined) return false
  try {
    await work(one)
  } catch (error) {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** one.failures, LONGEST_WAIT_MS)
    log.error({ err: error, failures: one.failures + 1, wait_ms: wait }, name)
    await putBack(one, new Date(now + wait))
  }
  return true
}

/** Whether this is the last time it is tried as a whole. */
export function isLastTry({ failures }: Waiting): boolean {
  return failures >= MOST_FAILURES - 1
}

/** What the database says of what stands in a row, and of nothing else. */
export function isAboutRow(error: unknown): boolean {
  return error instanceof DatabaseError && /^2[23]/.test(error.code ?? '')
}

/**
 * Settles the next rows of something together; where that fails for one of them (`blames`), each by itself, and the one that fails is
 * refused. Answers what settling said last; `isSome`: there were rows.
 */
export async function settleApart<Came>(
  most: number,
  {
    settle,
    refuse,
    isSome,
    blames = isAboutRow,
  }: {
    settle(most: number): Promise<Came>
    refuse(error: unknown): Promise<Came>
    isSome(came: Came): boolean
    blames?(error: unknown): boolean
  },
): Promise<Came> {
  const orElse = async (some: number, instead: (error: unknown) => Promise<Came>) => {
    try {
      return await settle(some)
    } catch (error) {
      if (!blames(error)) throw error
      return instead(error)
    }
  }
  return orElse(most, async () => {
    let came = await orElse(1, refuse)
    for (let row = 1; row < most && isSome(came); row++) came = await orElse(1, refuse)
    return came
  })
}
