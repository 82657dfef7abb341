import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { startLoop } from '#server/platform/jobs/loop.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { raiseAlarms } from '#server/features/network/system/alarm.jobs.ts'
import { SELF_CHECKS } from '#contract/network/system.ts'
import { askRun, deleteOldRuns, latestRuns } from '#server/features/network/system/run.queries.ts'
import { workOnRuns, type RunWork } from '#server/features/network/system/run.service.ts'
import { checkItself } from '#server/features/network/system/self-check.service.ts'
import { measureSizes } from '#server/features/network/system/size.jobs.ts'
import { sizesSince } from '#server/features/network/system/size.queries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const KEPT_MS = 90 * DAY

type Parts = { db: Db; clickhouse: Clickhouse; clock: Clock; config: Pick<Config, 'dataDir' | 'demo' | 'secretKey' | 'publicUrl'> }

/** What the instance does about itself: long work that was asked for or is due, alarms, and how much each part takes. */
export function startOwnWork({ db, clickhouse, clock, config }: Parts): { stop(): Promise<void> } {
  const { dataDir, demo, secretKey, publicUrl } = config
  const own = { db, clickhouse, dataDir, demo }
  const post = { mail: openMailQueue(secretKey), publicUrl }
  const loops = [
    startLoop('long work', 2_000, async () => ((await workOnRuns(db, clock, worksOf(own, clock))) ? 'more' : 'done')),
    startLoop('ask for due work', 60_000, async () => {
      await askDue(own, clock.now())
      return 'done'
    }),
    startLoop('raise alarms', 30_000, async () => {
      await raiseAlarms({ ...own, ...post }, clock.now())
      return 'done'
    }),
  ]
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Asks for whatever the clock asks for, and measures once an hour. */
async function askDue(own: { db: Db; clickhouse: Clickhouse; dataDir: string }, now: number): Promise<void> {
  const { db } = own
  const measured = await sizesSince(db, new Date(now - HOUR))
  if (!measured.some(({ at }) => now - at.getTime() < HOUR)) await measureSizes(own, now)
  const runs = await latestRuns(db)
  const checked = runs.find(({ kind }) => kind === 'self_check')
  // the first one when the network is a while old: a start has other things to do
  if (checked === undefined ? await isOlderThan(db, now - HOUR) : now - checked.asked_at.getTime() >= DAY)
    await askRun(db, now, 'self_check', null)
  await deleteOldRuns(db, new Date(now - KEPT_MS))
}

async function isOlderThan(db: Db, moment: number): Promise<boolean> {
  const [first] = await sizesSince(db, new Date(0))
  return first !== undefined && first.first_at.getTime() < moment
}

function worksOf({ db, clickhouse }: { db: Db; clickhouse: Clickhouse }, clock: Clock): Record<'self_check' | 'backup' | 'trial', RunWork> {
  return {
    self_check: async (tell) => ({ checks: await checkItself({ db, clickhouse }, clock.now(), (done) => tell(done, SELF_CHECKS.length)) }),
    backup: async () => {
      throw new Error('backups are not set up')
    },
    trial: async () => {
      throw new Error('backups are not set up')
    },
  }
}
