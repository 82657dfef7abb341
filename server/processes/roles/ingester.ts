import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startSweeping } from '#server/ingester/sweep.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { systemClock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'

const STATUS_MS = 1_000

/** The process that carries clicks from the spool into ClickHouse: one for each machine that runs trackers. */
export async function run(config: Pick<Config, 'dataDir' | 'clickhouseUrl'>): Promise<{ stop(): Promise<void> }> {
  if (config.clickhouseUrl === null) throw new Error('The ingester needs CLICKHOUSE_URL')
  const db = openClickhouse(config.clickhouseUrl)
  const runDir = join(config.dataDir, 'run')
  await mkdir(runDir, { recursive: true, mode: 0o700 })
  const sweeper = startSweeping({
    db,
    spool: join(config.dataDir, 'spool'),
    quarantine: join(config.dataDir, 'quarantine'),
    log,
    clock: systemClock,
  })
  const publish = async () => {
    // Renamed into place: a reader never sees half of it.
    const draft = join(runDir, `ingester.json.${process.pid}`)
    await writeFile(draft, JSON.stringify(await sweeper.status()), { mode: 0o600 })
    await rename(draft, join(runDir, 'ingester.json'))
  }
  const timer = setInterval(
    () => void publish().catch((error: unknown) => log.error({ err: error }, 'ingester.json cannot be written')),
    STATUS_MS,
  )
  return {
    async stop() {
      clearInterval(timer)
      await sweeper.stop()
      await publish()
      await db.close()
    },
  }
}
