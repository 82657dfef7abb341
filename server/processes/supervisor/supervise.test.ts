import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { authApi } from '#contract/people/auth.ts'
import { commandOf, endProcess, identityOf, isRunning } from '#server/platform/process/identity.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { refuseFullDisk, takeFolder } from './data-folder.ts'
import { readAddresses } from './running.ts'
import { caller } from '#test/support/run/api.ts'
import { startInstance, until, type Instance } from '#test/support/run/instance.ts'

const root = mkdtempSync(join(tmpdir(), 'ohma-supervise-'))
chmodSync(root, 0o755)
const running: Instance[] = []
/** Where root's PostgreSQL lives when its folder is closed to others. */
let elsewhere: string | undefined

async function start(...args: Parameters<typeof startInstance>): Promise<Instance> {
  const instance = await startInstance(...args)
  running.push(instance)
  return instance
}

afterAll(async () => {
  for (const instance of running) {
    const identity = identityOf(instance.pid)
    if (identity !== null)
      await endProcess(identity, [
        { signal: 'SIGTERM', waitMs: 19_000 },
        { signal: 'SIGKILL', waitMs: 2_000 },
      ])
  }
  for (const folder of [root, ...(elsewhere ? [elsewhere] : [])]) rmSync(folder, { recursive: true, force: true })
}, 120_000)

/** Starts something that must refuse, and answers what it said. */
async function refusal(options: Parameters<typeof startInstance>[0]): Promise<string> {
  const instance = await start(options)
  const { code } = await instance.exited
  expect(code).toBe(1)
  expect(instance.output()).not.toMatch(/^\s+at /m)
  return instance.output()
}

const answers = async (instance: Pick<Instance, 'port'>, path = '/api/constant/v1/guest') =>
  (await fetch(`http://127.0.0.1:${instance.port}${path}`).catch(() => undefined))?.status === 200

describe('a start that cannot be', () => {
  test('every mistake of the environment is listed at once', async () => {
    const said = await refusal({
      dataDir: join(root, 'none'),
      env: { PORT: 'abc', TRACKERS: '0', PUBLIC_URL: 'ftp://x', SECRET_KEY: 'short' },
    })
    for (const name of ['PORT', 'TRACKERS', 'PUBLIC_URL', 'SECRET_KEY']) expect(said).toContain(name)
  })

  test('production refuses a database of others without its key, and names everything at once', async () => {
    const env = { DATABASE_URL: 'postgres://a:b@localhost:1/x', DEMO: '1', TRUST_PROXY: 'proxy' }
    const said = await refusal({ dataDir: join(root, 'none'), mode: 'serve', env })
    for (const mistake of ['SECRET_KEY is missing', 'DEMO cannot be used', 'TRUST_PROXY must list']) expect(said).toContain(mistake)
  })

  test('a key others may read, or one that is none, is refused', async () => {
    const dataDir = join(root, 'open-key')
    mkdirSync(dataDir)
    const file = join(dataDir, 'secret-key')
    writeFileSync(file, `${'0123456789abcdef'.repeat(4)}\n`, { mode: 0o644 })
    expect(await refusal({ dataDir, mode: 'serve' })).toContain(`chmod 600 ${file}`)
    writeFileSync(file, 'short\n')
    chmodSync(file, 0o600)
    expect(await refusal({ dataDir, mode: 'serve' })).toContain('holds no key')
  })

  test('a taken port is named together with who holds it', async () => {
    const port = await freePort()
    const server = createServer().listen(port, '127.0.0.1')
    try {
      const said = await refusal({ dataDir: join(root, 'taken'), ports: { port: await freePort(), trackerPort: port } })
      expect(said).toContain(`Port ${port} is already in use`)
      if (process.platform === 'linux') expect(said).toContain(`process ${process.pid}`)
      expect(said).toContain('TRACKER_PORT=')
    } finally {
      server.close()
    }
  })

  test('a folder somebody else owns is not written to', () => {
    const dataDir = join(root, 'closed')
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o555)
    // root may write anywhere, so somebody else asks
    const isRoot = process.getuid?.() === 0
    if (isRoot) process.seteuid?.(65_534)
    try {
      expect(() => takeFolder(dataDir, { version: '1.0.0', demo: false })).toThrow(/cannot be used: this user may not write there/)
    } finally {
      if (isRoot) process.seteuid?.(0)
    }
  })

  test('a full disk is told apart from a folder that is closed', () => {
    expect(() => refuseFullDisk(root, Number.MAX_SAFE_INTEGER)).toThrow(/There is no space for the data folder .* MB free/)
  })

  test('a database of the operator that cannot be reached is named', { timeout: 60_000 }, async () => {
    const env = { DATABASE_URL: 'postgres://a:b@localhost:1/x', CLICKHOUSE_URL: 'http://a:b@localhost:1/x' }
    expect(await refusal({ dataDir: join(root, 'external'), env })).toMatch(/(PostgreSQL|ClickHouse) at localhost:1 cannot be used/)
  })

  test('a folder of a newer version is left alone', async () => {
    const dataDir = join(root, 'newer')
    mkdirSync(dataDir)
    const state = JSON.stringify({ format: 99, version: '9.0.0', network: 'main' })
    writeFileSync(join(dataDir, 'ohma.json'), state)
    expect(await refusal({ dataDir })).toContain('newer version of Ohma (9.0.0)')
    expect(readFileSync(join(dataDir, 'ohma.json'), 'utf8')).toBe(state)
  })
})

test('production begins on an empty folder with nothing set, below one closed to others, refuses a second instance, survives the death of every part and of itself, makes no second key where the first has sealed something, and stops in order', async () => {
  // as root PostgreSQL, which runs as somebody else, then lives elsewhere
  const closed = join(root, 'private')
  mkdirSync(closed, { mode: 0o700 })
  const dataDir = join(closed, 'var')
  const first = await start({ dataDir, mode: 'serve' })
  await first.printed(/ready at/)
  expect(await answers(first)).toBe(true)
  if (process.getuid?.() === 0) {
    elsewhere = /PostgreSQL keeps its files in (\S+)\/postgres/.exec(first.output())?.[1] ?? ''
    expect(elsewhere).toMatch(/^\/var\/lib\/ohma-/)
  }
  const file = join(dataDir, 'secret-key')
  expect(first.output()).toContain(file)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const key = readFileSync(file, 'utf8')
  expect(key).toMatch(/^[0-9a-f]{64}\n$/)
  const token = /first admin at \S+\/set-password\/(\S+)/.exec(first.output())?.[1]
  const body = { token: token ?? '', name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
  expect(await caller(`http://localhost:${first.port}`)(authApi.setPassword, { body })).toMatchObject({ status: 200 })
  const client = new pg.Client({ connectionString: readAddresses(dataDir).databaseUrl })
  await client.connect()
  await client.query(`insert into smtp_secret (name, sealed, set_at) values ('password', '\\x00', now())`)
  await client.end()

  for (const port of [first.port, first.trackerPort]) {
    for (const path of ['/livez', '/readyz']) await until(`${path} on ${port}`, () => answers({ port }, path))
  }

  const second = await refusal({ dataDir, mode: 'serve' })
  expect(second).toContain(`already runs on ${dataDir} (process ${first.pid})`)
  expect(await answers(first)).toBe(true)

  const before = first.processes()
  expect(before.length).toBeGreaterThanOrEqual(3)
  for (const part of before) process.kill(part.pid, 'SIGKILL')
  await until('every part is back', () => {
    const now = first.processes()
    return now.length === before.length && now.every((part) => isRunning(part) && !before.some((old) => old.pid === part.pid))
  })
  await until('the api answers again', () => answers(first))

  const parts = first.processes()
  const postgres = parts.find((part) => commandOf(part.pid)?.[0]?.endsWith('/postgres'))
  first.signal('SIGKILL')
  await first.exited
  await until(
    'the children notice that nobody supervises them',
    () => parts.filter(isRunning).every((part) => part.pid === postgres?.pid),
    20_000,
  )

  // meanwhile somebody takes the key away: what it opened must not be lost for ever
  rmSync(file)
  const said = await refusal({ dataDir, mode: 'serve', ports: first })
  expect(said).toContain('left behind')
  expect(said).toContain('keeps sealed (smtp_secret)')
  expect(said).toContain(file)
  expect(existsSync(file)).toBe(false)
  expect(parts.filter(isRunning)).toEqual([])

  writeFileSync(file, key, { mode: 0o600 })
  const next = await start({ dataDir, mode: 'serve', ports: first })
  await next.printed(/ready at/)
  expect(next.output()).not.toContain('first admin at')
  expect(readFileSync(file, 'utf8')).toBe(key)
  expect(await answers(next)).toBe(true)

  const began = performance.now()
  const last = next.processes()
  next.signal('SIGTERM')
  expect(await next.exited).toEqual({ code: 0, signal: null })
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(last.filter(isRunning)).toEqual([])
}, 400_000)
