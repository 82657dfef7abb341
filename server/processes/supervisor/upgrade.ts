import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { databaseOf } from '#server/platform/clickhouse/client.ts'
import { missingClickhouseMigrations } from '#server/platform/clickhouse/migrate.ts'
import { bytesBelow, growingFolders, lackOf } from '#server/platform/files/space.ts'
import { missingMigrations } from '#server/platform/pg/migrate.ts'
import { writeBackup } from '../commands/write-backup.ts'
import { printLine, StartError } from './console-output.ts'
import { UPGRADES } from './data-folder.ts'
import type { Env } from './databases.ts'
import { version } from './version.ts'

/** So many are kept: that of the upgrade before as well. */
const KEPT = 2
const MEGABYTE = 1024 * 1024

/**
 * Backs up what an older version has written before this one changes it: below the data folder, named after the version it can be
 * restored with. Does nothing where nothing will be changed. Throws `StartError` where it cannot be written: then nothing was changed.
 */
export async function backUpBeforeUpgrade(dataDir: string, from: string, shared: Env): Promise<void> {
  const addresses = { databaseUrl: shared['DATABASE_URL'] ?? '', clickhouseUrl: shared['CLICKHOUSE_URL'] ?? '' }
  const missing = await missingMigrations(addresses.databaseUrl)
  if (missing === null) return
  const statistics = await missingClickhouseMigrations(addresses.clickhouseUrl, databaseOf(addresses.clickhouseUrl))
  if (missing.length + statistics.length === 0) return
  const folder = join(dataDir, UPGRADES)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) if (name.endsWith('.part')) rmSync(join(folder, name))
  await refuseFullDisk(dataDir, folder)
  printLine(`this is newer than what ${dataDir} holds (Ohma ${from}): backing it up first`)
  const file = join(folder, `ohma-${from}-before-${version}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.tar.zst`)
  try {
    await writeBackup(dataDir, addresses, `${file}.part`)
    renameSync(`${file}.part`, file)
  } catch (error) {
    rmSync(`${file}.part`, { force: true })
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The backup before the upgrade failed: ${why}\nNothing was changed. Put that right, or go on without one: UPGRADE_BACKUP=0`,
    )
  }
  printLine(`wrote ${file} (${(statSync(file).size / MEGABYTE).toFixed(1)} MB): the way back to ${from}`)
  const all = readdirSync(folder).filter((name) => name.endsWith('.tar.zst'))
  const oldest = all.toSorted((a, b) => statSync(join(folder, a)).mtimeMs - statSync(join(folder, b)).mtimeMs)
  for (const name of oldest.slice(0, -KEPT)) rmSync(join(folder, name))
}

/** Packed, it takes less than half of what it is packed from. */
async function refuseFullDisk(dataDir: string, folder: string): Promise<void> {
  const sizes = await Promise.all(growingFolders(dataDir).map((one) => (existsSync(one) ? bytesBelow(one, new Set([UPGRADES])) : 0)))
  const needed = sizes.reduce((sum, size) => sum + size, 0) / 2
  const lack = await lackOf(folder, needed)
  if (lack !== null)
    throw new StartError(
      `There is no space for the backup before the upgrade: ${lack}.\nNothing was changed. Make room, or go on without one: UPGRADE_BACKUP=0`,
    )
}
