import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { areNetworksCompiled } from '#server/platform/geo/network.ts'
import { arePlacesCompiled } from '#server/platform/geo/place.ts'
import { readConfig, type Config, type Mode } from '#server/platform/config.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { giveBackOnceIdle } from '#server/platform/process/give-back.ts'
import { startChild } from './child.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'
import { takeFolder, writeWhole } from './data-folder.ts'
import { readyOrGone, runOnce, startDatabases, type Env } from './databases.ts'
import { demoIsMade, makeDemo, printLogins } from './demo-network.ts'
import { endLeftovers } from './leftovers.ts'
import { refuseTakenPort } from './port-check.ts'
import { keptKey, makeKey } from './secret-key.ts'
import { isUpToDate } from './up-to-date.ts'
import { forgetAddresses, recordAddresses, whileIngestPaused } from './running.ts'
import { printLine } from './console-output.ts'
import { version } from './version.ts'
import { buildWebIfOld } from '../commands/web-build.ts'

/**
 * `npm start`, `serve` and `dev`: runs every part of an instance on this machine until SIGTERM or SIGINT.
 * Throws what the operator can put right before anything of the instance is running.
 */
export async function supervise(env: Env, mode: Exclude<Mode, 'test'>): Promise<void> {
  const config = readConfig(env, mode)
  const embedded = config.databaseUrl === null && config.clickhouseUrl === null
  const folder = takeFolder(config.dataDir, { version, demo: config.demo && embedded && mode !== 'serve' })
  const supervisor = createSupervisor(config.dataDir, (line) => printLine(line))
  endOnSignals(supervisor, folder.release)
  try {
    forgetAddresses(config.dataDir)
    await endLeftovers(config.dataDir, printLine)
    await refuseTakenPort(config.host, config.port, 'PORT')
    await refuseTakenPort(config.host, config.trackerPort, 'TRACKER_PORT')
    if (config.tls.mode !== 'off') {
      await refuseTakenPort(config.tls.host, config.tls.httpsPort, 'HTTPS_PORT')
      await refuseTakenPort(config.tls.host, config.tls.httpPort, 'HTTP_PORT')
    }
    printLine(`Ohma ${version} starts on ${config.dataDir}`)
    const demo = folder.state.network === 'demo'
    const shared = sharedEnv(env, config, mode, demo)
    const web = mode === 'dev' ? undefined : buildWebIfOld(printLine)
    web?.catch(() => {}) // awaited below, when the databases are ready
    const places = compilePlaces(shared)
    const database = demo ? 'ohma_demo' : 'ohma'
    await startDatabases(supervisor, config, shared, database, printLine)
    shared['SECRET_KEY'] ??= await firstKey(config.dataDir, shared)
    if (demo && !demoIsMade(config.dataDir)) await makeDemo(config.dataDir, shared, printLine)
    else if (!embedded || folder.fresh || !(await isUpToDate(shared))) {
      // the demo network is made anew at any time: nobody goes back to it
      if (embedded && !demo && !folder.fresh && config.upgradeBackup) {
        // rare: what writes backups is loaded by no other start
        const { backUpBeforeUpgrade } = await import('./upgrade.ts')
        await backUpBeforeUpgrade(config.dataDir, folder.state.version, shared)
      }
      await runOnce('migrate', shared, printLine)
    }
    folder.settle()
    await Promise.all([web, places])
    await addRoles(supervisor, config, shared, { mode, demo })
  } catch (error) {
    if (supervisor.stopping()) return
    await supervisor.stop()
    folder.release()
    throw error
  }
  const addresses = `Ohma is ready at ${config.publicUrl} (clicks and postbacks: ${config.trackingUrl})`
  printLine(addresses)
  if (folder.state.network === 'demo') printLogins(config.dataDir)
  giveBackOnceIdle()
}

/** What every child inherits: the operator's settings, and how the parts of this instance reach each other. */
function sharedEnv(env: Env, config: Config, mode: Mode, demo: boolean): Env {
  return {
    ...env,
    OHMA_MODE: mode,
    DATA_DIR: config.dataDir,
    DEMO: demo ? '1' : '0',
    SECRET_KEY: config.secretKey ?? keptKey(config.dataDir) ?? undefined,
    INTERNAL_SECRET: config.internalSecret,
    METRICS_TOKEN: config.metricsToken ?? keptToken(config.dataDir),
  }
}

async function firstKey(dataDir: string, shared: Env): Promise<string> {
  const key = await makeKey(dataDir, shared['DATABASE_URL'] ?? '')
  printLine(`made the key of this instance: ${dataDir}/secret-key. Keep a copy of it with your backups`)
  return key
}

/** Compiles, beside everything else, what trackers look up addresses in: they would do it last, one after the other. */
async function compilePlaces(shared: Env): Promise<void> {
  if (arePlacesCompiled() && areNetworksCompiled()) return
  printLine('compiling the tables of places')
  // what could not be compiled here the tracker compiles, or says why not
  await runOnce('geo', shared, printLine).catch(() => {})
  printLine('the tables of places are compiled')
}

async function addRoles(supervisor: Supervisor, config: Config, shared: Env, { mode, demo }: { mode: Mode; demo: boolean }): Promise<void> {
  shared['INTERNAL_URL'] = `http://127.0.0.1:${await freePort()}`
  if (demo) shared['DEMO_ADVERTISERS'] = `http://127.0.0.1:${await freePort()}`
  const role = (name: string, stage: 'doors' | 'drain', roles: string, extra: Env = {}, before = async () => {}) => {
    return supervisor.add(name, stage, async () => {
      await before()
      const child = startChild(roles, { ...shared, OHMA_PROCESS: name, ...extra })
      await readyOrGone(child)
      return child
    })
  }
  const trackers = Array.from({ length: config.trackers }, (_, index) => `t${index + 1}`)
  await Promise.all([
    role('api', 'doors', 'api,worker'),
    ...trackers.map((name) => role(config.trackers === 1 ? 'tracker' : `tracker ${name}`, 'doors', 'tracker', { TRACKER_NAME: name })),
    ...(demo ? [role('advertisers', 'drain', 'advertisers')] : []),
    role('ingester', 'drain', 'ingester', {}, () => whileIngestPaused(config.dataDir, supervisor.stopping)),
  ])
  recordAddresses(config.dataDir, { databaseUrl: shared['DATABASE_URL'] ?? '', clickhouseUrl: shared['CLICKHOUSE_URL'] ?? '' })
  if (mode === 'dev') await (await import('../commands/develop.ts')).watchSources(supervisor, config, printLine)
}

function endOnSignals(supervisor: Supervisor, release: () => void): void {
  let asked = 0
  const end = async (signal: string) => {
    asked += 1
    if (asked > 1) return
    printLine(`${signal}: stopping`)
    const began = performance.now()
    await supervisor.stop()
    release()
    printLine(`stopped in ${((performance.now() - began) / 1000).toFixed(1)} s`)
    process.exit(0)
  }
  process.on('SIGTERM', () => void end('SIGTERM'))
  process.on('SIGINT', () => void end('Ctrl-C'))
  process.on('SIGHUP', () => void end('the terminal was closed'))
}

/** What scrapers bring to read the metrics, kept for whoever may read our own files. */
function keptToken(dataDir: string): string {
  const file = join(dataDir, 'metrics-token')
  if (!existsSync(file)) writeWhole(file, `${randomBytes(24).toString('hex')}\n`, 0o600)
  return readFileSync(file, 'utf8').trim()
}
