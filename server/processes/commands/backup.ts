import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { dumpBusiness, freezeBusiness } from '#server/backup/business.ts'
import { dumpFolder } from '#server/backup/folder.ts'
import { noteBackup } from '#server/platform/files/last-backup.ts'
import { BACKUP_FORMAT, type BackupHeader, type BackupManifest } from '#server/backup/manifest.ts'
import { dumpStatistics, listStatistics } from '#server/backup/statistics.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { createArchive } from '#server/platform/files/archive.ts'
import { endProcess } from '#server/platform/process/identity.ts'
import type { Env } from '../supervisor/databases.ts'
import { recordedProcesses } from '../supervisor/leftovers.ts'
import { onEnd } from './on-end.ts'
import { connectDatabases } from '../supervisor/database-connection.ts'
import { pauseIngest, type Addresses } from '../supervisor/running.ts'
import { printLine, StartError } from '../supervisor/console-output.ts'
import { version } from '../supervisor/version.ts'

/**
 * `npm run backup -- <file>`: writes the whole instance into one file, whether it runs or not. Visitors notice nothing;
 * while it is written, new clicks wait in the spool.
 */
export async function backup(env: Env, target: string | undefined): Promise<void> {
  if (target === undefined) throw new StartError('Say where to: npm run backup -- /path/to/ohma-backup.tar.zst')
  const file = resolve(target)
  if (existsSync(file)) throw new StartError(`${file} exists already. Choose another name; a backup overwrites nothing.`)
  const config = readConfig(env, 'start')
  const { addresses, end } = await connectDatabases(env, config)
  const half = `${file}.part`
  const giveUp = async () => {
    rmSync(half, { force: true })
    await end()
    process.exit(1)
  }
  onEnd(() => void giveUp())
  try {
    await write(config.dataDir, addresses, half)
    renameSync(half, file)
    noteBackup(config.dataDir, new Date())
  } finally {
    rmSync(half, { force: true })
    await end()
  }
  printLine(`wrote ${file} (${(statSync(file).size / 1024 / 1024).toFixed(1)} MB)`)
  printLine(
    'what is sealed in it (second factors, the mail server) opens only with the SECRET_KEY of this instance: keep that apart from it',
  )
}

async function write(dataDir: string, addresses: Addresses, file: string): Promise<void> {
  const archive = createArchive(file)
  const clickhouse = openClickhouse(addresses.clickhouseUrl, { requestTimeoutMs: 3_600_000 })
  // The business data first: whatever it refers to is then in the statistics or the spool, which are read later.
  const business = await freezeBusiness(addresses.databaseUrl)
  const resume = pauseIngest(dataDir)
  try {
    await endIngester(dataDir)
    const [described, statistics] = [await business.describe(), await listStatistics(clickhouse)]
    const header: BackupHeader = { format: BACKUP_FORMAT, version, created_at: new Date().toISOString(), ...described, statistics }
    await archive.add('header.json', JSON.stringify(header))
    printLine('writing the business data')
    const businessTotals = await dumpBusiness(business.client, header.business, archive)
    printLine('writing the statistics')
    const statisticsTotals = await dumpStatistics(clickhouse, statistics, archive)
    const files = await dumpFolder(dataDir, clickhouse, archive)
    const manifest: BackupManifest = { business: businessTotals, statistics: statisticsTotals, files }
    await archive.add('manifest.json', JSON.stringify(manifest))
    await archive.close()
  } finally {
    resume()
    await Promise.all([business.end(), clickhouse.close()])
  }
}

/** The ingester stops in order, after the segment it is sending; its supervisor waits with the next one. */
async function endIngester(dataDir: string): Promise<void> {
  for (const { name, ...identity } of recordedProcesses(dataDir)) {
    if (name === 'ingester') await endProcess(identity, [{ signal: 'SIGTERM', waitMs: 20_000 }])
  }
}
