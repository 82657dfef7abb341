import { dumpBusiness, freezeBusiness } from '#server/backup/business.ts'
import { dumpFolder } from '#server/backup/folder.ts'
import { BACKUP_FORMAT, type BackupHeader, type BackupManifest } from '#server/backup/manifest.ts'
import { dumpStatistics, listStatistics } from '#server/backup/statistics.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { createArchive } from '#server/platform/files/archive.ts'
import { endProcess } from '#server/platform/process/identity.ts'
import { recordedProcesses } from '../supervisor/leftovers.ts'
import { pauseIngest, type Addresses } from '../supervisor/running.ts'
import { printLine } from '../supervisor/console-output.ts'
import { version } from '../supervisor/version.ts'

/** Writes a whole instance into a file, whether it runs or not; new clicks wait in the spool meanwhile. The file is whole when it resolves. */
export async function writeBackup(dataDir: string, addresses: Addresses, file: string): Promise<void> {
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
