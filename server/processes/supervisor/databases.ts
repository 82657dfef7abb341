import type { Config } from '#server/platform/config.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { startChild, type Child } from './child.ts'
import type { Supervisor } from './supervisor.ts'
import type { RoleNews } from '../roles/role.ts'

/** The environment the children of one instance share. */
export type Env = Record<string, string | undefined>

/**
 * Starts the embedded databases an instance needs, both at once, and puts their addresses into `shared` as
 * DATABASE_URL and CLICKHOUSE_URL. A database of the operator's own is left to itself.
 */
export async function startDatabases(
  supervisor: Supervisor,
  config: Config,
  shared: Env,
  database: string,
  printLine: (line: string) => void,
): Promise<void> {
  await Promise.all([
    addPostgres(supervisor, config, shared, database, printLine),
    addEvents(supervisor, config, shared, database, printLine),
  ])
}

/** A child that fails before it is ready must be gone before the next try takes its ports. */
export async function readyOrGone(child: Child): Promise<RoleNews> {
  try {
    return await child.ready
  } catch (error) {
    await child.stop(1_000)
    throw error
  }
}

/** Runs roles that do their work before they report ready, and prints what they have to say. */
export async function runOnce(roles: string, shared: Env, printLine: (line: string) => void): Promise<RoleNews> {
  const child = startChild(roles, { ...shared, OHMA_PROCESS: roles })
  const news = await readyOrGone(child)
  for (const line of news.lines ?? []) printLine(line)
  await child.stop(3_000)
  return news
}

async function addPostgres(
  supervisor: Supervisor,
  config: Config,
  shared: Env,
  database: string,
  printLine: (line: string) => void,
): Promise<void> {
  if (config.databaseUrl !== null) return
  const port = await freePort()
  await supervisor.add('PostgreSQL', 'database', async () => {
    const server = await startPostgres({ dataDir: config.dataDir, port, printLine })
    shared['DATABASE_URL'] = server.url(database)
    return server
  })
  printLine('PostgreSQL runs')
}

async function addEvents(
  supervisor: Supervisor,
  config: Config,
  shared: Env,
  database: string,
  printLine: (line: string) => void,
): Promise<void> {
  if (config.clickhouseUrl !== null) return
  const port = await freePort()
  await supervisor.add('events', 'events', async () => {
    // The engine works on libuv's threads; with the usual four a long report would stop everybody else.
    const child = startChild('events', { ...shared, OHMA_PROCESS: 'events', EVENTS_PORT: String(port), UV_THREADPOOL_SIZE: '20' })
    const { url } = await readyOrGone(child)
    shared['CLICKHOUSE_URL'] = `${url}/${database}`
    return child
  })
  printLine('the events engine runs')
}
