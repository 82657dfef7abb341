import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { makeAccount } from '#test/support/make/factories.ts'
import { median, percentile, printTable } from './figures.ts'

// npm run bench -- people [--affiliates=10000] [--repeats=40]
//
// The search of the list of affiliates through the API over real HTTP, as the list and the palette ask it: first page and count.
// The goal: under 100 ms, whatever part of a name, address, company or tag is typed.

/** Runs the bench: prints what each kind of search takes. */
export async function run(args: string[]): Promise<void> {
  const given = new Map(args.map((argument) => argument.replace(/^--/, '').split('=') as [string, string | undefined])) // split gives at least one
  const affiliates = Number(given.get('affiliates') ?? 10_000)
  const repeats = Number(given.get('repeats') ?? 40)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-people-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: false })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir }, 'test')
    const clickhouse = openClickhouse('http://nobody@127.0.0.1:1') // no figures are asked
    const app = await buildApi({ config, db, clickhouse, clock: { now: () => Date.now() }, constantsVersion: () => 'bench' })
    const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const token = await seed(db, affiliates)
    await measure(address, token, affiliates, repeats)
    await app.server.close()
    await db.destroy()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function seed(db: Db, affiliates: number): Promise<string> {
  await sql`
    with made as (
      insert into account (role, name, email, created_at)
      select 'affiliate', 'Person ' || md5(n::text), 'p' || n || '@' || substr(md5('h' || n), 1, 8) || '.example', now()
        from generate_series(1, ${affiliates}::int) as n
      returning id)
    insert into affiliate (account_id, status, company, tags, created_at)
    select id, 'active', 'Company ' || md5('c' || id), array['tag' || id % 50, case when id % 9 = 0 then 'vip' else 'usual' end], now() from made`.execute(
    db,
  )
  await sql`analyze`.execute(db)
  const { accountId } = await makeAccount(db, 'admin')
  return (await openSession(db, Date.now(), { accountId, device: 'bench', address: '127.0.0.1' })).token
}

const SEARCHES = {
  'a name, by six letters': '3c59dc',
  'e-mail, by a part': 'p4321@',
  'company, by eight letters': 'Company a',
  'tag of a ninth of all': 'vip',
  number: '5000',
  'one letter, found in nearly all': 'e',
  'found in none': 'zzzzzz',
}

async function measure(address: string, token: string, affiliates: number, repeats: number): Promise<void> {
  const rows: (string | number)[][] = [['search', 'found', 'median ms', 'p95 ms']]
  for (const [what, search] of Object.entries(SEARCHES)) {
    const times: number[] = []
    let found = 0
    for (let turn = 0; turn < repeats + 5; turn++) {
      const begun = performance.now()
      const answer = await fetch(address + affiliateApi.list.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ search }),
      })
      const { status, data } = (await answer.json()) as { status: string; data: { summary: { rows: number } } } // the list's envelope
      if (status !== 'success') throw new Error(`the search was refused: ${answer.status}`)
      found = data.summary.rows
      if (turn >= 5) times.push(performance.now() - begun)
    }
    rows.push([what, found, median(times).toFixed(1), percentile(times, 0.95).toFixed(1)])
  }
  const load = loadavg().map((one) => one.toFixed(1))
  printTable(`search among ${affiliates} affiliates, ${repeats} times each; load ${load.join(' ')}; ${new Date().toISOString()}`, rows)
}
