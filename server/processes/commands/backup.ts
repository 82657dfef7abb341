import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { noteBackup } from '#server/platform/files/last-backup.ts'
import { readConfig } from '#server/platform/config.ts'
import type { Env } from '../supervisor/databases.ts'
import { onEnd } from './on-end.ts'
import { connectDatabases } from '../supervisor/database-connection.ts'
import { writeBackup } from './write-backup.ts'
import { printLine, StartError } from '../supervisor/console-output.ts'

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
    await writeBackup(config.dataDir, addresses, half)
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
