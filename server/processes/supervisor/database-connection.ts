import type { Config } from '#server/platform/config.ts'
import { createSupervisor } from './supervisor.ts'
import { isHeld, readState, takeFolder } from './data-folder.ts'
import { startDatabases, type Env } from './databases.ts'
import { endLeftovers } from './leftovers.ts'
import { readAddresses, type Addresses } from './running.ts'
import { keptKey } from './secret-key.ts'
import { printLine, StartError } from './console-output.ts'
import { version } from './version.ts'

/** The databases of a running instance, or our own start of them where none runs; `end()` leaves things as they were. */
export async function connectDatabases(env: Env, config: Config): Promise<{ addresses: Addresses; end(): Promise<void> }> {
  const { dataDir } = config
  if (readState(dataDir) === null) throw new StartError(`${dataDir} holds no instance of Ohma. Name its folder with DATA_DIR.`)
  if (isHeld(dataDir)) return { addresses: readAddresses(dataDir), end: async () => {} }
  const folder = takeFolder(dataDir, { version, demo: readState(dataDir)?.network === 'demo' })
  const supervisor = createSupervisor(dataDir, printLine)
  const shared: Env = { ...env, OHMA_MODE: 'start', DATA_DIR: dataDir, SECRET_KEY: config.secretKey ?? keptKey(dataDir) ?? undefined }
  try {
    await endLeftovers(dataDir, printLine)
    await startDatabases(supervisor, config, shared, folder.state.network === 'demo' ? 'ohma_demo' : 'ohma', printLine)
  } catch (error) {
    await supervisor.stop()
    folder.release()
    throw error
  }
  return {
    addresses: { databaseUrl: shared['DATABASE_URL'] ?? '', clickhouseUrl: shared['CLICKHOUSE_URL'] ?? '' },
    async end() {
      await supervisor.stop()
      folder.release()
    },
  }
}
