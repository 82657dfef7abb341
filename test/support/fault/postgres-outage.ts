import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { startPostgres, type EmbeddedPostgres } from '#server/platform/pg/embedded.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { readAddresses } from '#server/processes/supervisor/running.ts'
import { compareBooks, type Differences } from './books.ts'
import { killInTurn } from './kill-rounds.ts'
import { startInstance, until, type Instance } from '../run/instance.ts'
import { makeTrafficPlace, type NetworkProcess } from '../run/network.ts'
import { CLICKS_PER_SECOND, startTraffic, type Traffic } from './traffic-load.ts'

/** First PostgreSQL answers nobody for `frozenMs`, then it is killed and stays away for `goneMs`; without `goneMs` it goes on where it stood. */
export type Outage = { frozenMs: number; goneMs: number }

export type OutageReport = {
  seen: Traffic
  differences: Differences
  /** Postbacks that PostgreSQL has noted, one for each that was taken. */
  noted: number
  /** Redirects sent while PostgreSQL was away. */
  redirectedMeanwhile: number
  /** From the return of PostgreSQL until all postbacks taken before were applied. */
  caughtUpMs: number
  /** What the supervisor printed since the outages began. */
  output: string
}

/**
 * Runs a whole instance on a PostgreSQL of the operator's own under constant traffic, kills the victims one after the
 * other, which the supervisor brings back, and then takes that PostgreSQL away.
 */
export async function surviveOutages(outages: readonly Outage[], victims: readonly NetworkProcess[] = []): Promise<OutageReport> {
  const folder = mkdtempSync(join(tmpdir(), 'ohma-outage-'))
  chmodSync(folder, 0o711) // as root PostgreSQL runs as somebody else, who must get through
  const pgOptions = { dataDir: join(folder, 'pg'), port: await freePort() }
  let postgres = await startPostgres(pgOptions)
  const dataDir = join(folder, 'var')
  const env = { DATABASE_URL: postgres.url('ohma') }
  const instance = await startInstance({ dataDir, env })
  const db = openDatabase(env.DATABASE_URL, { max: 2 })
  let load: ReturnType<typeof startTraffic> | undefined
  try {
    await instance.printed(/ready at/)
    const clickhouse = openClickhouse(readAddresses(dataDir).clickhouseUrl)
    const place = await makeTrafficPlace(db, instance.trackerPort)
    const running = startTraffic({
      ...place,
      trackerPort: instance.trackerPort,
      clicksPerSecond: CLICKS_PER_SECOND,
      postbacksPerSecond: CLICKS_PER_SECOND / 5,
    })
    load = running
    await until('traffic flows', async () => (await noted(db, place.offerId)) >= 10)

    await killInTurn({ dataDir, kill: (name) => kill(instance, name) }, running.seen, victims, 1)

    const printed = instance.output().length
    let redirectedMeanwhile = 0
    let back = 0
    for (const outage of outages) {
      const before = running.seen.redirected.size
      postgres = await takeAway(postgres, db, outage, () => startPostgres(pgOptions))
      back = performance.now()
      redirectedMeanwhile += running.seen.redirected.size - before
      const { settled, queued } = running.seen.postbacks
      await until('the postbacks of the outage are applied', async () => (await noted(db, place.offerId)) >= settled + queued)
    }
    const caughtUpMs = performance.now() - back
    const seen = await running.stop()
    // on a slow machine the last ones still wait in the tracker
    const { settled, queued } = seen.postbacks
    await until('all postbacks are applied', async () => (await noted(db, place.offerId)) >= settled + queued)
    const differences = await compareBooks({ dataDir, db, clickhouse, ...place }, seen)
    await clickhouse.close()
    return {
      seen,
      differences,
      noted: await noted(db, place.offerId),
      redirectedMeanwhile,
      caughtUpMs,
      output: instance.output().slice(printed),
    }
  } finally {
    await load?.stop()
    await db.destroy()
    instance.signal('SIGTERM')
    await instance.exited
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Kills a part of an instance and waits until the supervisor has brought it back. */
async function kill(instance: Instance, name: NetworkProcess): Promise<void> {
  const find = () => instance.processes().find((part) => part.name === name)
  const victim = find()
  if (victim === undefined) throw new Error(`${name} does not run`)
  process.kill(victim.pid, 'SIGKILL')
  await until(`${name} is back`, () => (find()?.pid ?? victim.pid) !== victim.pid)
}

async function noted(db: Db, offerId: number): Promise<number> {
  const { rows } = await sql<{ n: string }>`select count(*) as n from postback_in where offer_id = ${offerId}`.execute(db)
  return Number(rows[0]?.n)
}

async function takeAway(postgres: EmbeddedPostgres, db: Db, { frozenMs, goneMs }: Outage, restart: () => Promise<EmbeddedPostgres>) {
  // with the postmaster halted nobody joins the list, so the question needs a connection made before
  const rows = await db.connection().execute(async (one) => {
    await sql`select 1`.execute(one)
    process.kill(postgres.pid, 'SIGSTOP')
    return (await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(one)).rows
  })
  const family = [...rows.map((row) => row.pid), postgres.pid]
  signalAll(family, 'SIGSTOP')
  await lasts(frozenMs)
  if (goneMs === 0) {
    signalAll(family, 'SIGCONT')
    return postgres
  }
  signalAll(family, 'SIGKILL')
  await postgres.exited
  await lasts(goneMs)
  return restart()
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {} // a backend may have ended by itself
  }
}

/** An outage is a length of time and nothing else; this is the one place that waits for the clock. */
function lasts(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
