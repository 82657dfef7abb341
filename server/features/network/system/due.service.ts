import { backupSetting } from '#contract/network/system.ts'
import { dueMoments } from '#server/rules/backup-files.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { askRun, latestRuns } from './run.queries.ts'
import { sizesSince } from './size.queries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/**
 * Asks for the long work that is due: the books once a day, a backup at its hour, a trial of the latest once a week. Whoever asks twice
 * asks once; what was due while nobody ran is done once, late.
 */
export async function askDueRuns(db: Db, now: number): Promise<void> {
  const [runs, backups] = await Promise.all([latestRuns(db), getSetting(db, backupSetting)])
  const asked = (kind: string) => runs.find((run) => run.kind === kind)?.asked_at.getTime() ?? null
  const checked = asked('self_check')
  // the first one when the network is a while old: a start has other things to do
  if (checked === null ? await isOlderThan(db, now - HOUR) : now - checked >= DAY) await askRun(db, now, 'self_check', null)
  if (!backups.on) return
  const { last } = dueMoments(now, backups.hour, backups.time_zone)
  if ((asked('backup') ?? 0) < last) await askRun(db, now, 'backup', null)
  const done = runs.some(({ kind, state }) => kind === 'backup' && state === 'done')
  if (backups.trial && done && now - (asked('trial') ?? 0) >= WEEK) await askRun(db, now, 'trial', null)
}

/** Sizes are measured from the first minute on. */
async function isOlderThan(db: Db, moment: number): Promise<boolean> {
  const [first] = await sizesSince(db, new Date(0))
  return first !== undefined && first.first_at.getTime() < moment
}
