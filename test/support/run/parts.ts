import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { identityOf, isRunning, type ProcessIdentity } from '#server/platform/process/identity.ts'
import { startChild } from '#server/processes/supervisor/child.ts'

/** What a test file needs to find the parts that a whole run shares; a text says why a part is missing. */
export type SharedParts = {
  postgres: { adminUrl: string; templateUrl: string } | { missing: string }
  clickhouse: { url: string } | { missing: string }
}

declare module 'vitest' {
  export interface ProvidedContext {
    parts: SharedParts
  }
}

export const TEMPLATE = 'ohma_template'
/** The settings of billing a test starts with. */
const LET_ONE_DECIDE = JSON.stringify({ four_eyes: false, four_eyes_limit: '0' })
const PREFIX = 'ohma-test-'

let started: Promise<{ parts: SharedParts; stop(): Promise<void> }> | undefined
let users = 0

/** Vitest's global set-up: one PostgreSQL with a migrated template and one events process for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1
  started ??= startParts()
  const { parts, stop } = await started
  project.provide('parts', parts)
  return async () => {
    users -= 1
    if (users === 0) await stop()
  }
}

async function startParts(): Promise<{ parts: SharedParts; stop(): Promise<void> }> {
  removeLeftFolders()
  const folder = mkdtempSync(join(tmpdir(), PREFIX))
  chmodSync(folder, 0o711) // otherwise, as root, the cluster would move to a place of its own and stay there
  writeFileSync(join(folder, 'owner.json'), JSON.stringify(identityOf(process.pid)))
  const [postgres, events] = await Promise.all([sharedPostgres(join(folder, 'pg')), sharedEvents(join(folder, 'events'))])
  return {
    parts: { postgres: postgres.part, clickhouse: events.part },
    async stop() {
      await Promise.all([postgres.stop(), events.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function sharedPostgres(dataDir: string) {
  const nothing = async () => {}
  try {
    const server = await startPostgres({ dataDir, durable: false })
    const adminUrl = server.url('postgres')
    const templateUrl = server.url(TEMPLATE)
    try {
      await ensureDatabase(adminUrl, TEMPLATE)
      await migrate(templateUrl)
      await letOneDecide(templateUrl)
      return { part: { adminUrl, templateUrl }, stop: () => server.stop() }
    } catch (error) {
      return { part: { missing: `the migrations failed: ${text(error)}` }, stop: () => server.stop() }
    }
  } catch (error) {
    return { part: { missing: text(error) }, stop: nothing }
  }
}

/** Two people for what moves money is a test of its own: those of other things do it alone, as in a network that switched it off. */
async function letOneDecide(templateUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: templateUrl })
  await client.connect()
  try {
    await client.query("insert into setting (key, value, version) values ('billing', $1, 0)", [LET_ONE_DECIDE])
  } finally {
    await client.end()
  }
}

async function sharedEvents(dataDir: string) {
  let output = ''
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, OHMA_MODE: 'test', OHMA_PROCESS: 'events', UV_THREADPOOL_SIZE: '32' }
  const child = startChild('events', env, (chunk) => (output = (output + chunk).slice(-4_000)))
  try {
    const { url } = await child.ready
    if (url === undefined) throw new Error('it reported no address')
    return { part: { url }, stop: () => child.stop(5_000) }
  } catch (error) {
    return { part: { missing: `the events process did not start: ${text(error)}\n${output}` }, stop: () => child.stop(1_000) }
  }
}

/** A run that was killed leaves its folder behind; the next one clears it when its owner is gone. */
function removeLeftFolders(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(tmpdir(), name)
    try {
      const owner = JSON.parse(readFileSync(join(folder, 'owner.json'), 'utf8')) as ProcessIdentity // written above
      if (isRunning(owner)) continue
      const pid = Number(readFileSync(join(folder, 'pg/postgres/postmaster.pid'), 'utf8').split('\n')[0])
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) process.kill(pid, 'SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    } catch {}
  }
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
