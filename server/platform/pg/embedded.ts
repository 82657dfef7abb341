import { spawn, type ChildProcess } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '#server/platform/process/free-port.ts'
import { commandOf, endProcess, identityOf } from '#server/platform/process/identity.ts'
import { settleHome, type Home } from './embedded-home.ts'

export type EmbeddedPostgres = {
  pid: number
  port: number
  /** Where the cluster lies. */
  folder: string
  /** Connection string of a database of this server. */
  url(database: string): string
  /** Resolves when the server is gone, for whatever reason, to a line that says how. */
  exited: Promise<string>
  /** Rolls open transactions back, writes a checkpoint and waits until the server is gone; harder means after `withinMs`. */
  stop(withinMs?: number): Promise<void>
}

/**
 * Starts the PostgreSQL of a data folder as a child on a loopback port, making the cluster first where there is none.
 * A server that a killed supervisor left behind is stopped first.
 *
 * - `durable: false` (tests only) gives up safety in a power cut for speed.
 * - `port` asks for a certain port, so that a restarted server is found by those who knew the old one.
 * - `printLine` hears one line about each unusual thing done.
 */
export async function startPostgres(options: {
  dataDir: string
  durable?: boolean
  port?: number
  printLine?: (line: string) => void
}): Promise<EmbeddedPostgres> {
  const printLine = options.printLine ?? (() => {})
  const durable = options.durable ?? true
  const home = settleHome(options.dataDir, printLine)
  if (!existsSync(join(home.cluster, 'PG_VERSION'))) await makeCluster(home, durable)
  refuseOtherVersion(home)
  await stopLeftover(home, printLine)
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort())
    const outcome = await launch(home, port, durable)
    if ('server' in outcome) return outcome.server
    // Two causes pass by themselves: somebody was faster at the port, or the last children of a killed server still live.
    const passing = /could not bind|could not create any TCP|still in use|lock file "postmaster.pid" already exists/.test(outcome.failure)
    if (!passing || attempt >= 20) throw new Error(`PostgreSQL did not start: ${lastLines(outcome.failure)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function makeCluster(home: Home, durable: boolean): Promise<void> {
  const passwordFile = `${home.cluster}.initial-password`
  mkdirSync(home.cluster, { recursive: true, mode: 0o700 })
  writeFileSync(passwordFile, `${home.password}\n`, { mode: 0o600 })
  if (home.owner) {
    chownSync(passwordFile, home.owner.uid, home.owner.gid)
    chownSync(home.cluster, home.owner.uid, home.owner.gid)
  }
  try {
    // The built-in locale sorts and folds Unicode the same way on every machine, whatever locales it has.
    const args = ['-D', home.cluster, '-U', 'ohma', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8', '--locale=C']
    args.push(
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
      ...(durable ? ['--data-checksums'] : ['--no-data-checksums', '--no-sync']),
    )
    // Thousands of rounds of hashing at each connection are for passwords somebody could guess; ours is 24 random bytes.
    args.push('-c', 'scram_iterations=1')
    const { code, output } = await finish(run(home, 'initdb', args))
    if (code === 0) return
    // A half-made cluster would be taken for a whole one by the next start.
    for (const name of ['PG_VERSION', 'global', 'base']) rmSync(join(home.cluster, name), { recursive: true, force: true })
    throw new Error(`PostgreSQL could not prepare ${home.cluster}: ${lastLines(output)}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function refuseOtherVersion(home: Home): void {
  const cluster = readFileSync(join(home.cluster, 'PG_VERSION'), 'utf8').trim()
  const bki = readFileSync(join(home.programs, 'share/postgresql/postgres.bki'), 'utf8').slice(0, 40)
  const programs = /PostgreSQL (\d+)/.exec(bki)?.[1]
  if (programs !== undefined && cluster !== programs) {
    throw new Error(
      `${home.cluster} was written by PostgreSQL ${cluster}; this version of Ohma brings ${programs}. Make a backup with the version that wrote it and restore it here.`,
    )
  }
}

/** A server of this cluster whose supervisor was killed still runs: stop it in order. Anything else is left alone. */
async function stopLeftover(home: Home, printLine: (line: string) => void): Promise<void> {
  const file = join(home.cluster, 'postmaster.pid')
  if (!existsSync(file)) return
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const identity = identityOf(pid)
  if (identity === null) return // PostgreSQL itself clears a file whose process is gone
  const command = commandOf(pid)
  if (!command?.[0]?.endsWith('/postgres') || !command.includes(home.cluster)) {
    rmSync(file) // the number belongs to somebody else by now
    return
  }
  printLine(`stopping a PostgreSQL (process ${pid}) that an earlier run left behind`)
  await endProcess(identity, [
    { signal: 'SIGINT', waitMs: 8_000 },
    { signal: 'SIGQUIT', waitMs: 4_000 },
    { signal: 'SIGKILL', waitMs: 4_000 },
  ])
}

const COMMON_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  effective_cache_size: '512MB',
  max_wal_size: '512MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '1',
  io_method: 'sync', // three workers fewer; the business data fits the cache
  huge_pages: 'off',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  password_encryption: 'scram-sha-256',
}
const CARELESS_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  max_connections: '200',
  autovacuum_naptime: '10min',
}

/**
 * Memory by two megabytes at a time, for connections that come and go: it spares a third of PostgreSQL's page faults, which are dear
 * where a machine is a guest of another. Connections that stay have no use for so much.
 */
const SHORT_LIVED = { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' }

async function launch(home: Home, port: number, durable: boolean): Promise<{ server: EmbeddedPostgres } | { failure: string }> {
  const settings = { ...COMMON_SETTINGS, ...(durable ? {} : CARELESS_SETTINGS) }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = run(home, 'postgres', ['-D', home.cluster, '-p', String(port), ...given], durable ? {} : SHORT_LIVED)
  let output = ''
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`))
  })
  const ready = new Promise<true>((resolve) => {
    const hear = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-8_000)
      if (output.includes('database system is ready to accept connections')) resolve(true)
    }
    child.stderr?.on('data', hear)
    child.stdout?.on('data', hear)
  })
  const first = await Promise.race([ready, ended])
  const pid = child.pid
  if (first !== true || pid === undefined) return { failure: `${output}${output === '' ? first : ''}` }
  let gone = false
  const exited = ended.then((how) => {
    gone = true
    return `PostgreSQL ${how}: ${lastLines(output)}`
  })
  const stop = async (withinMs = 10_000) => {
    if (!gone) child.kill('SIGINT')
    // Ended at once it recovers from its log at the next start; ended by SIGKILL its children may outlive it for a moment.
    const timers = [setTimeout(() => child.kill('SIGQUIT'), withinMs), setTimeout(() => child.kill('SIGKILL'), withinMs + 1_500)]
    await exited
    for (const timer of timers) clearTimeout(timer)
  }
  const url = (database: string) => `postgres://ohma:${home.password}@127.0.0.1:${port}/${database}`
  return { server: { pid, port, folder: home.cluster, url, exited, stop } }
}

function run(home: Home, program: 'initdb' | 'postgres', args: string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(join(home.programs, 'bin', program), args, {
    ...home.owner,
    cwd: home.owner ? '/' : home.cluster,
    // Nothing of ours: PGDATA, PGPORT and the like would change what it does, secrets would be readable in its process entry.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A Ctrl-C in the terminal goes to the whole group; PostgreSQL must outlive those who still write to it.
    detached: true,
  })
}

function finish(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, output: error.message }))
    child.once('close', (code) => resolve({ code, output }))
  })
}

function lastLines(output: string): string {
  const telling = output.split('\n').filter((line) => /FATAL|PANIC|ERROR|HINT|error:|rror/.test(line))
  return (telling.length > 0 ? telling : output.trim().split('\n'))
    .slice(-3)
    .join(' ')
    .replace(/^\S+ \S+ UTC \[\d+\] /, '')
    .trim()
}
