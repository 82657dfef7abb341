import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { systemHealth } from '#contract/network/dashboard.ts'
import { lastBackup } from '#server/platform/files/last-backup.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { dayOfPlaces } from '#server/platform/geo/place.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { outboxLag } from '#server/features/traffic/fact/outbox.queries.ts'
import { problemIn } from '#server/features/network/mail/mail.present.ts'
import { mailQueue } from '#server/features/network/mail/mail.queries.ts'
import { postbackQueues } from './dashboard.queries.ts'

type Health = z.output<typeof systemHealth>
type State = Health['state']
type Process = Health['processes'][number]

/** A process writes its file each second: this old, it hangs or is gone. */
const SILENT_S = 10
/** Files of processes that left for good are passed over. */
const FORGOTTEN_S = 86_400
/** What went wrong with mail before is no news. */
const DAY = 86_400_000
/** Clicks and conversions are in reports within two seconds; the panel says so when it takes this long. */
const LATE_S = { warn: 20, bad: 120 }

/** How this instance is: what its processes say in `<dataDir>/run`, the queues in PostgreSQL, and whether statistics answer. */
export async function readHealth(
  { db, clickhouse, dataDir }: { db: Db; clickhouse: Clickhouse; dataDir: string },
  now: number,
): Promise<Health> {
  const [processes, outbox, postbacks, statistics, last_backup_at, mail] = await Promise.all([
    readProcesses(join(dataDir, 'run'), now),
    outboxLag(db),
    postbackQueues(db, now),
    pingStatistics(clickhouse),
    lastBackup(dataDir),
    mailQueue(db, now - DAY),
  ])
  const oldest_s = outbox.oldest === null ? null : seconds(now - outbox.oldest.getTime())
  const lag = processes.map((process) => process.figures['lag_ms']).find((value) => typeof value === 'number')
  const states: State[] = [
    ...processes.map((process) => process.state),
    late(oldest_s ?? 0),
    statistics.state,
    postbacks.deliveries_dead > 0 ? 'warn' : 'ok',
  ]
  return {
    at: new Date(now).toISOString(),
    state: worst(states),
    processes,
    ingest_lag_s: lag === undefined ? null : seconds(lag),
    outbox: { rows: outbox.rows, oldest_s },
    postbacks: { ...postbacks, last_at: postbacks.last_at?.toISOString() ?? null },
    mail: { waiting: mail.waiting, last_problem: mail.last_error === '' ? null : problemIn(mail.last_error).detail },
    statistics,
    last_backup_at,
    places_of: dayOfPlaces(),
  }
}

async function readProcesses(folder: string, now: number): Promise<Process[]> {
  // Without the folder nobody runs here: the processes of this instance are elsewhere.
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^(tracker-.+|ingester)\.json$/.test(name)).toSorted()
  const found = await Promise.all(names.map((name) => readProcess(join(folder, name), name.replace(/\.json$/, ''), now)))
  return found.filter((process) => process !== null && process.age_s < FORGOTTEN_S) as Process[] // filtered just now
}

const status = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]).catch(null))

async function readProcess(path: string, name: string, now: number): Promise<Process | null> {
  try {
    const figures = status.parse(JSON.parse(await readFile(path, 'utf8')))
    const written = figures['written_at'] ?? figures['at'] ?? 0
    const age_s = seconds(now - (typeof written === 'string' ? Date.parse(written) : Number(written)))
    return { name, age_s, figures, state: age_s > SILENT_S ? 'bad' : stateOf(figures) }
  } catch {
    // removed or half written this very moment
    return null
  }
}

function stateOf(figures: Process['figures']): State {
  const number = (name: string) => Number(figures[name] ?? 0)
  const bad = number('lost') > 0 || (figures['engine_away_since'] ?? null) !== null
  const warn =
    number('rows_quarantined') > 0 || number('unconfirmed') > 0 || number('postbacks_waiting') > 0 || number('snapshot_silent_ms') > 60_000
  return worst([bad ? 'bad' : 'ok', warn ? 'warn' : 'ok', late(number('lag_ms') / 1000)])
}

async function pingStatistics(clickhouse: Clickhouse): Promise<Health['statistics']> {
  const started = performance.now()
  try {
    await (await clickhouse.query({ query: 'SELECT 1', format: 'JSONCompact', abort_signal: AbortSignal.timeout(3_000) })).text()
    return { state: 'ok', ms: Math.round(performance.now() - started) }
  } catch {
    // that it does not answer is the answer
    return { state: 'bad', ms: null }
  }
}

function late(age: number): State {
  return age > LATE_S.bad ? 'bad' : age > LATE_S.warn ? 'warn' : 'ok'
}

function worst(states: readonly State[]): State {
  return states.includes('bad') ? 'bad' : states.includes('warn') ? 'warn' : 'ok'
}

function seconds(ms: number): number {
  return Math.max(0, Math.round(ms / 100) / 10)
}
