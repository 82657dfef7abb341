import { canSend, smtpSetting } from '#contract/network/smtp.ts'
import { backupSetting, STORAGE_PARTS } from '#contract/network/system.ts'
import { domainsOfUse } from '#server/features/network/domain/health.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { outboxLag } from '#server/features/traffic/fact/outbox.queries.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { lastBackup } from '#server/platform/files/last-backup.ts'
import { leastSpace } from '#server/platform/files/space.ts'
import { dayOfPlaces } from '#server/platform/geo/place.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { jobState, lastClickQuarter, mailState, postbackQueues } from './queue.queries.ts'
import { latestRuns } from './run.queries.ts'
import { sizesSince } from './size.queries.ts'
import { readStatusFiles } from '#server/platform/process/status-files.ts'

export type SystemParts = { db: Db; clickhouse: Clickhouse; dataDir: string; demo: boolean }
export type Seen = Awaited<ReturnType<typeof lookAround>>

const WEEK = 7 * 86_400_000
/** Less than that says nothing about a day. */
const SHORTEST_SPAN = 86_400_000
/** What grows slower does not fill a disk. */
const LEAST_GROWTH = 1024 * 1024

/** Everything the system page, the health of the dashboard, alarms and metrics are made of, read once. */
export async function lookAround({ db, clickhouse, dataDir, demo }: SystemParts, now: number) {
  const [files, outbox, postbacks, statistics, backup_at, mail, smtp, jobs, storage, runs, quarter, backups, domains] = await Promise.all([
    readStatusFiles(dataDir, now),
    outboxLag(db),
    postbackQueues(db, now),
    pingStatistics(clickhouse),
    lastBackup(dataDir),
    mailState(db, now),
    getSetting(db, smtpSetting),
    jobState(db, now),
    lookAtStorage(db, dataDir, now),
    latestRuns(db),
    lastClickQuarter(clickhouse).catch(() => null),
    getSetting(db, backupSetting),
    domainsOfUse(db),
  ])
  return {
    demo,
    files,
    outbox,
    postbacks,
    statistics,
    backup_at,
    mail,
    canSend: canSend(smtp),
    jobs,
    storage,
    runs,
    quarter,
    backups,
    domains,
    places_of: dayOfPlaces(),
  }
}

async function pingStatistics(clickhouse: Clickhouse): Promise<{ ms: number | null }> {
  const started = performance.now()
  try {
    await (await clickhouse.query({ query: 'SELECT 1', format: 'JSONCompact', abort_signal: AbortSignal.timeout(3_000) })).text()
    return { ms: Math.round(performance.now() - started) }
  } catch {
    // that it does not answer is the answer
    return { ms: null }
  }
}

async function lookAtStorage(db: Db, dataDir: string, now: number) {
  const [space, sizes] = await Promise.all([leastSpace(dataDir), sizesSince(db, new Date(now - WEEK))])
  const parts = STORAGE_PARTS.flatMap((part) => {
    const size = sizes.find((one) => one.part === part)
    if (size === undefined) return []
    const span = size.at.getTime() - size.first_at.getTime()
    const per_day = span < SHORTEST_SPAN ? null : Math.round(((size.bytes - size.first_bytes) / span) * 86_400_000)
    return [{ part, bytes: size.bytes, per_day }]
  })
  const growth = parts.every(({ per_day }) => per_day === null) ? null : parts.reduce((sum, { per_day }) => sum + (per_day ?? 0), 0)
  return {
    measured_at: sizes[0]?.at.toISOString() ?? null,
    /** The first measure of the last week. */
    since: sizes[0]?.first_at.toISOString() ?? null,
    parts,
    free_bytes: space?.free ?? null,
    total_bytes: space?.total ?? null,
    days_left: growth === null || growth < LEAST_GROWTH || space === null ? null : Math.round((space.free / growth) * 10) / 10,
  }
}
