import type { z } from 'zod'
import { createHash, type Hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { loadBusiness } from '#server/backup/business.ts'
import { writeFolderFile } from '#server/backup/folder.ts'
import { BACKUP_FORMAT, differences, type BackupHeader, type BackupManifest, type TableTotal } from '#server/backup/manifest.ts'
import { loadStatistics, statisticsTotals } from '#server/backup/statistics.ts'
import type { restoredTotals } from '#server/features/network/system/backup.service.ts'
import { rebuildSessionFacts } from '#server/features/leads/session-fact/rebuild.service.ts'
import { rebuildFacts } from '#server/features/traffic/fact/rebuild.service.ts'
import { databaseOf, openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { readConfig } from '#server/platform/config.ts'
import { readArchive } from '#server/platform/files/archive.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { onEnd } from './on-end.ts'
import { createSupervisor } from '../supervisor/supervisor.ts'
import { takeFolder } from '../supervisor/data-folder.ts'
import { endLeftovers } from '../supervisor/leftovers.ts'
import { startDatabases, type Env } from '../supervisor/databases.ts'
import type { Addresses } from '../supervisor/running.ts'
import { printLine, StartError } from '../supervisor/console-output.ts'
import { version } from '../supervisor/version.ts'

type RestoredTotals = z.output<typeof restoredTotals>
type Entry = { name: string; content: Buffer }

/**
 * `npm run restore -- <file>`: makes the instance a backup was written from, on an empty data folder only, and compares
 * the totals of every table. A restore that fails leaves the folder as empty as it was, and so does one for `trial`, which ends with a line of JSON. `asItWas` leaves the business data to the version that wrote them, for tests of upgrades.
 */
export async function restore(env: Env, source: string | undefined, { trial = false, asItWas = false } = {}): Promise<void> {
  if (source === undefined) throw new StartError('Say what to restore: npm run restore -- /path/to/ohma-backup.tar.zst')
  const file = resolve(source)
  if (!existsSync(file)) throw new StartError(`There is no file ${file}.`)
  const config = readConfig(env, 'start')
  if (config.databaseUrl !== null || config.clickhouseUrl !== null)
    throw new StartError('A restore makes databases of its own: run it without DATABASE_URL and CLICKHOUSE_URL.')
  if (trial && existsSync(config.dataDir)) {
    // an earlier trial that was killed may have left its databases running
    await endLeftovers(config.dataDir, printLine)
    empty(config.dataDir)
  }
  if (existsSync(config.dataDir) && readdirSync(config.dataDir).length > 0) {
    throw new StartError(`${config.dataDir} is not empty. A restore overwrites nothing: choose another folder with DATA_DIR.`)
  }
  const folder = takeFolder(config.dataDir, { version, demo: false })
  const supervisor = createSupervisor(config.dataDir, printLine)
  const shared: Env = { ...env, OHMA_MODE: 'start', DATA_DIR: config.dataDir }
  const undo = async () => {
    await supervisor.stop()
    empty(config.dataDir)
  }
  onEnd(() => void undo().finally(() => process.exit(1)))
  let totals: RestoredTotals
  try {
    await startDatabases(supervisor, config, shared, 'ohma', printLine)
    totals = await read(file, config.dataDir, shared, asItWas)
  } catch (error) {
    await undo()
    throw error
  }
  await supervisor.stop()
  folder.release()
  if (trial) {
    empty(config.dataDir)
    // read by whoever started it
    console.log(JSON.stringify(totals))
    return
  }
  printLine(`restored ${file} into ${config.dataDir}`)
}

async function read(file: string, dataDir: string, shared: Env, asItWas: boolean): Promise<RestoredTotals> {
  const entries = readArchive(file)
  const header = readHeader(await entries.next())
  const addresses: Addresses = { databaseUrl: shared['DATABASE_URL'] ?? '', clickhouseUrl: shared['CLICKHOUSE_URL'] ?? '' }
  await createEmpty(addresses)
  const clickhouse = openClickhouse(addresses.clickhouseUrl, { requestTimeoutMs: 3_600_000 })
  try {
    const groups = grouped(entries)
    let group = await groups.next()
    const fileSums: Record<string, string> = {}
    const business = await loadBusiness(
      addresses.databaseUrl,
      header,
      async (load) => {
        printLine('reading the business data')
        for (; !group.done && group.value.name.startsWith('business/'); group = await groups.next()) {
          await load(group.value.name.slice('business/'.length), group.value.chunks)
        }
      },
      { asItWas },
    )
    printLine('reading the statistics')
    let manifest: BackupManifest | undefined
    for (; !group.done; group = await groups.next()) {
      const { name, chunks } = group.value
      const table = header.statistics.find((entry) => `statistics/${entry.table}` === name)
      if (table) await loadStatistics(clickhouse, table, chunks)
      else if (name === 'manifest.json') manifest = JSON.parse((await whole(chunks)).toString()) as BackupManifest // written by backup.ts
      else fileSums[name] = await keepFile(dataDir, name, chunks)
    }
    if (manifest === undefined) throw new StartError('The backup is cut off: it has no manifest.')
    // its queries are those of this version
    if (!asItWas) await refillFacts(addresses.databaseUrl, clickhouse)
    return compare(manifest, business, await statisticsTotals(clickhouse, header.statistics), fileSums)
  } finally {
    await clickhouse.close()
  }
}

/** Facts are not in a backup: they follow from the conversions and sessions, and some may have been on their way just then. */
async function refillFacts(databaseUrl: string, clickhouse: Clickhouse): Promise<void> {
  const db = openDatabase(databaseUrl, { max: 2 })
  try {
    if ((await rebuildFacts(db, clickhouse)) === null || (await rebuildSessionFacts(db, clickhouse)) === null)
      throw new Error('another process moves facts on this new folder')
  } finally {
    await db.destroy()
  }
}

async function createEmpty({ databaseUrl, clickhouseUrl }: Addresses): Promise<void> {
  const admin = new URL(databaseUrl)
  const name = admin.pathname.slice(1)
  admin.pathname = '/postgres'
  await Promise.all([ensureDatabase(admin.href, name), migrateClickhouse(clickhouseUrl, databaseOf(clickhouseUrl))])
}

function readHeader(first: IteratorResult<Entry>): BackupHeader {
  if (first.done === true || first.value.name !== 'header.json') throw new StartError('This is no backup of Ohma.')
  const header = JSON.parse(first.value.content.toString()) as BackupHeader // written by backup.ts
  if (header.format > BACKUP_FORMAT)
    throw new StartError(`The backup was written by a newer version of Ohma (${header.version}); this is ${version}.`)
  printLine(`a backup of ${header.created_at}, written by Ohma ${header.version}`)
  return header
}

function compare(
  manifest: BackupManifest,
  business: Record<string, TableTotal>,
  statistics: Record<string, TableTotal>,
  files: Record<string, string>,
): RestoredTotals {
  const wrong = [...differences(manifest.business, business), ...differences(manifest.statistics, statistics)]
  for (const [name, sum] of Object.entries(manifest.files)) if (files[name] !== sum) wrong.push(`${name} differs`)
  if (wrong.length > 0) throw new StartError(`The restored data differ from the backup:\n${wrong.slice(0, 4).join('\n')}`)
  const rows = Object.values(manifest.business).reduce((sum, total) => sum + Number(total.rows), 0)
  const clicks = Number(manifest.statistics['click']?.rows ?? 0)
  printLine(`all totals agree: ${rows} business rows in ${Object.keys(business).length} tables, ${clicks} clicks`)
  return { rows, clicks }
}

async function keepFile(dataDir: string, name: string, chunks: AsyncIterable<Buffer>): Promise<string> {
  const content = await whole(chunks)
  writeFolderFile(dataDir, name.slice('files/'.length), content)
  const hash: Hash = createHash('sha256')
  return hash.update(content).digest('hex')
}

/** Puts the numbered pieces of an entry together again: `business/account/000001`, `…/000002` are one stream. */
async function* grouped(entries: AsyncGenerator<Entry>): AsyncGenerator<{ name: string; chunks: AsyncGenerator<Buffer> }> {
  let next = await entries.next()
  while (!next.done) {
    const name = groupOf(next.value.name)
    const chunks = (async function* () {
      while (!next.done && groupOf(next.value.name) === name) {
        yield next.value.content
        next = await entries.next()
      }
    })()
    yield { name, chunks }
    for await (const _unread of chunks);
  }
}

const groupOf = (name: string) => name.replace(/\/\d{6}$/, '')

async function whole(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(chunks))
}

/** Only what a restore itself has made lies there: it began on an empty folder. */
function empty(dataDir: string): void {
  const record = join(dataDir, 'postgres-folder')
  if (existsSync(record)) {
    const cluster = readFileSync(record, 'utf8').trim()
    rmSync(cluster, { recursive: true, force: true })
    // kept apart it has a folder of its own, with a copy of the programs
    if (/^\/var\/lib\/ohma-[0-9a-f]{12}\/postgres$/.test(cluster)) rmSync(dirname(cluster), { recursive: true, force: true })
  }
  for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true })
}
