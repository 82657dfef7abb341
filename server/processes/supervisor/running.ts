import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf, isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'
import { writeWhole } from './data-folder.ts'
import { StartError } from './console-output.ts'

/** How a command of the same machine reaches the databases of a running instance. */
export type Addresses = { databaseUrl: string; clickhouseUrl: string }

const addressFile = (dataDir: string) => join(dataDir, 'run', 'instance.json')
const pauseFile = (dataDir: string) => join(dataDir, 'run', 'ingest-paused-by.json')

/** Notes the addresses; they hold passwords, so only our own user may read them. */
export function recordAddresses(dataDir: string, addresses: Addresses): void {
  writeWhole(addressFile(dataDir), JSON.stringify(addresses), 0o600)
}

/** Those of an earlier run lead nowhere. */
export function forgetAddresses(dataDir: string): void {
  rmSync(addressFile(dataDir), { force: true })
}

/** Throws `StartError` while the instance is still starting. */
export function readAddresses(dataDir: string): Addresses {
  if (!existsSync(addressFile(dataDir))) throw new StartError('The instance is still starting. Try again when it says that it is ready.')
  return JSON.parse(readFileSync(addressFile(dataDir), 'utf8')) as Addresses // only we write it
}

/** While this process lives, an ingester that ends is not started again: nothing moves from the spool to ClickHouse. */
export function pauseIngest(dataDir: string): () => void {
  writeWhole(pauseFile(dataDir), JSON.stringify(identityOf(process.pid)))
  return () => rmSync(pauseFile(dataDir), { force: true })
}

/** Resolves when nobody pauses the ingest; a pause whose process is gone does not count. */
export async function whileIngestPaused(dataDir: string, stopping: () => boolean): Promise<void> {
  while (!stopping() && existsSync(pauseFile(dataDir))) {
    const by = JSON.parse(readFileSync(pauseFile(dataDir), 'utf8')) as ProcessIdentity // only we write it
    if (!isRunning(by)) return rmSync(pauseFile(dataDir), { force: true })
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
