import type { z } from 'zod'
import type { SystemRunKind, systemResult } from '#contract/network/system.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { claimRun, failAbandoned, keepRun, settleRun } from './run.queries.ts'

/** A worker that says nothing for so long is gone. */
const LEASE_MS = 60_000
const BEAT_MS = 15_000
const LONGEST_ERROR = 1_000

export type RunResult = z.output<typeof systemResult>
/** One kind of work; it tells how far it is, and throws what went wrong. */
export type RunWork = (tell: (done: number, total: number) => Promise<void>) => Promise<RunResult>

/**
 * Does one piece of long work that was asked for; true where there was one. Two workers never do the same, and what a worker that
 * died had begun is given up and said to have been interrupted: the clock or somebody asks again.
 */
export async function workOnRuns(db: Db, clock: { now(): number }, works: Readonly<Record<SystemRunKind, RunWork>>): Promise<boolean> {
  await failAbandoned(db, clock.now())
  const run = await claimRun(db, clock.now(), LEASE_MS)
  if (run === undefined) return false
  const lease = () => new Date(clock.now() + LEASE_MS)
  const beat = setInterval(() => void keepRun(db, run.id, { leased_until: lease() }).catch(() => {}), BEAT_MS)
  try {
    const result = await works[run.kind]((done, total) => keepRun(db, run.id, { done, total, leased_until: lease() }))
    await settleRun(db, clock.now(), run.id, { error: '', result })
  } catch (error) {
    log.error({ err: error, kind: run.kind }, 'long work of the instance failed')
    const message = error instanceof Error ? error.message : String(error)
    await settleRun(db, clock.now(), run.id, { error: message.slice(0, LONGEST_ERROR) || 'failed', result: {} })
  } finally {
    clearInterval(beat)
  }
  return true
}
