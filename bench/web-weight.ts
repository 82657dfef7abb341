import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { buildDemo } from '#server/demo/build.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { systemClock } from '#server/platform/clock.ts'
import { readConfig } from '#server/platform/config.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { buildWebIfOld } from '#server/processes/commands/web-build.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { launchBrowser } from '#test/support/browser/chromium.ts'
import { startRole } from '#test/support/run/role-process.ts'
import { sessionCookies } from '#test/support/browser/session-cookies.ts'
import { fetchedBy, largestPaint, totalOf, type Fetched } from '#test/support/browser/web-weight.ts'
import { grouped, median, printTable } from './figures.ts'

/** Slow 4G as Lighthouse has it: 1.6 Mbit/s down, 750 kbit/s up, 150 ms there and back; and a processor four times slower. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const SLOWDOWN = 4

type Cookies = ReturnType<typeof sessionCookies>

/**
 * What cold sign-ins and cold dashboards of the demo network transfer, file by file, and when their largest paint comes
 * on slow 4G with a processor four times slower. `npm run bench -- web-weight [runs]`, 7 by default.
 */
export async function run(args: string[]): Promise<void> {
  const runs = Number(args[0] ?? 7)
  const dataDir = await mkdtemp(join(tmpdir(), 'ohma-bench-web-'))
  await buildWebIfOld(console.log)
  const events = await startRole('events', { DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: false })
  const browser = await launchBrowser()
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await Promise.all([migrate(url), migrateClickhouse(events.url, 'ohma')])
    const db = openDatabase(url)
    const clickhouse = openClickhouse(events.url)
    await buildDemo({ db, clickhouse, store: openFileStore(dataDir), now: Date.now(), clicks: 30_000 })
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir }, 'test')
    const app = await buildApi({ config, db, clickhouse, clock: systemClock, constantsVersion: () => 'bench' })
    const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const signIn = (page: Page) => page.locator('input[type=password]').waitFor()
    const dashboard = (page: Page) => page.locator('figure canvas').last().waitFor()
    await measure(browser, { name: 'sign-in', url: `${address}/login`, cookies: [], runs, drawn: signIn })
    await measure(browser, { name: 'sign-in in Ukrainian', url: `${address}/login`, cookies: [], language: 'uk', runs, drawn: signIn })
    for (const role of ['admin', 'affiliate'] as const) {
      const cookies = await cookiesOf(db, address, role)
      await measure(browser, { name: `dashboard of an ${role}`, url: `${address}/dashboard`, cookies, runs, drawn: dashboard })
    }
    await app.server.close()
    await Promise.all([db.destroy(), clickhouse.close()])
  } finally {
    await browser.close()
    await Promise.all([postgres.stop(), events.stop()])
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The first of a role, who in the demo is the one with the most traffic. */
async function cookiesOf(db: Db, url: string, role: 'admin' | 'affiliate'): Promise<Cookies> {
  const account = await db
    .selectFrom('account')
    .select(['id', 'uuid', 'email'])
    .where('role', '=', role)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  const { token } = await openSession(db, Date.now(), { accountId: account.id, device: 'bench', address: '127.0.0.1' })
  return sessionCookies(url, { token, role, uuid: account.uuid, email: account.email })
}

type Screen = { name: string; url: string; cookies: Cookies; language?: 'uk'; runs: number; drawn: (page: Page) => Promise<void> }

/** The first run at full speed tells the bytes, the others the times. */
async function measure(browser: Browser, { name, url, cookies, language, runs, drawn }: Screen): Promise<void> {
  let fetched: Fetched[] = []
  const paints: number[] = []
  for (let turn = 0; turn <= runs; turn++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
    await context.addCookies(cookies)
    if (language !== undefined) await context.addInitScript(`localStorage.setItem('ohma.language', '${language}')`)
    const page = await context.newPage()
    if (turn > 0) await slowDown(page)
    await page.goto(url)
    await drawn(page)
    await page.waitForLoadState('networkidle')
    if (turn === 0) fetched = await fetchedBy(page)
    else paints.push(await largestPaint(page))
    await context.close()
  }
  const kinds = Map.groupBy(fetched, ({ kind }) => kind)
  printTable(`${name}, cold, bytes on the wire`, [
    ...fetched.toSorted((a, b) => b.bytes - a.bytes).map(({ path, bytes }) => [path, grouped(bytes)]),
    ...[...kinds].map(([kind, files]) => [`${kind}: ${files.length}`, grouped(totalOf(files))]),
    [`all: ${fetched.length}`, `${grouped(totalOf(fetched))} (${(totalOf(fetched) / 1024).toFixed(1)} KB)`],
  ])
  printTable(`${name}, largest paint on slow 4G with a processor ${SLOWDOWN} times slower, ms (load ${loadavg()[0]?.toFixed(1)})`, [
    ['runs', 'median', 'least', 'most'],
    [runs, Math.round(median(paints)), Math.round(Math.min(...paints)), Math.round(Math.max(...paints))],
  ])
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', SLOW)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
}
