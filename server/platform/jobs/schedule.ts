import { PgBoss } from 'pg-boss'
import { log } from '../log.ts'

/** A job by the clock: `cron` in UTC, once in the whole instance however many workers there are. */
export type ScheduledJob = { name: string; cron: string; work: () => Promise<void> }

/**
 * Runs jobs by the clock, in pg-boss's own schema of the same database: one worker takes each, a failed one is tried
 * again three times.
 */
export async function startSchedule(connectionString: string, jobs: readonly ScheduledJob[]): Promise<{ stop(): Promise<void> }> {
  const boss = new PgBoss({ connectionString, application_name: 'ohma-jobs', max: 2 })
  boss.on('error', (error) => log.error({ err: error }, 'the schedule of jobs failed'))
  await boss.start()
  for (const { name, cron, work } of jobs) {
    await boss.createQueue(name, { retryLimit: 3, retryBackoff: true, policy: 'singleton' })
    await boss.schedule(name, cron)
    await boss.work(name, { pollingIntervalSeconds: 30 }, work)
  }
  return { stop: () => boss.stop({ graceful: true, timeout: 5_000 }) }
}
