import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { startLoop } from '#server/platform/jobs/loop.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { raiseAlarms } from '#server/features/network/system/alarm.jobs.ts'
import { backupSetting, SELF_CHECKS, type SystemRunKind } from '#contract/network/system.ts'
import { backUp, tryBackup, type RunCommand } from '#server/features/network/system/backup.service.ts'
import { askDueRuns } from '#server/features/network/system/due.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { runOwnCommand } from '#server/platform/process/command.ts'
import { deleteOldRuns } from '#server/features/network/system/run.queries.ts'
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
  const ending = new AbortController()
  const loops = [
    startLoop('long work', 2_000, async () => ((await workOnRuns(db, clock, worksOf(own, clock, ending.signal))) ? 'more' : 'done')),
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
      ending.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

/** Asks for whatever the clock asks for, and measures once an hour. */
async function askDue(own: { db: Db; clickhouse: Clickhouse; dataDir: string }, now: number): Promise<void> {
  const { db } = own
  const measured = await sizesSince(db, new Date(now - HOUR))
  if (!measured.some(({ at }) => now - at.getTime() < HOUR)) await measureSizes(own, now)
  await askDueRuns(db, now)
  await deleteOldRuns(db, new Date(now - KEPT_MS))
}

function worksOf(
  { db, clickhouse, dataDir }: { db: Db; clickhouse: Clickhouse; dataDir: string },
  clock: Clock,
  signal: AbortSignal,
): Record<SystemRunKind, RunWork> {
  const run: RunCommand = (args, env) => runOwnCommand(args, { ...process.env, ...env }, signal)
  const sizes = async () => (await sizesSince(db, new Date(0))).reduce((sum, { bytes }) => sum + bytes, 0)
  return {
    self_check: async (tell) => ({ checks: await checkItself({ db, clickhouse }, clock.now(), (done) => tell(done, SELF_CHECKS.length)) }),
    backup: async () => backUp({ dataDir, run, sizes }, await getSetting(db, backupSetting), clock.now()),
    trial: async () => tryBackup({ run }, await getSetting(db, backupSetting)),
  }
}
