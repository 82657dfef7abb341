import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { auditApi } from '#contract/people/audit.ts'
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

// npm run bench -- log [--rows=1000000] [--repeats=30]
//
// The log of changes through the API over real HTTP, as /settings/personal and the history of a thing ask it: a page and how many
// there are. The goal: under 100 ms at a million entries (three years of a busy network), whatever is asked.

const PEOPLE = 60
const THINGS = 5_000
const BATCH = 50_000

/** Runs the bench: prints what each kind of question takes. */
export async function run(args: string[]): Promise<void> {
  const given = new Map(args.map((argument) => argument.replace(/^--/, '').split('=') as [string, string | undefined])) // split gives at least one
  const rows = Number(given.get('rows') ?? 1_000_000)
  const repeats = Number(given.get('repeats') ?? 30)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-log-'))
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
    const asked = await seed(db, rows)
    await measure(address, asked, rows, repeats)
    await app.server.close()
    await db.destroy()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Asked = { token: string; person: string; thing: string }

/** Entries of three years by sixty people of whom some do much more than others, about affiliates and offers, with what changed. */
async function seed(db: Db, rows: number): Promise<Asked> {
  await sql`
    insert into account (role, name, email, created_at)
    select 'manager', 'Person ' || n, 'm' || n || '@staff.example', now() from generate_series(1, ${PEOPLE}::int) as n`.execute(db)
  await sql`insert into manager (account_id, status, type) select id, 'active', 'affiliate' from account`.execute(db)
  await sql`
    with made as (
      insert into account (role, name, email, created_at)
      select 'affiliate', 'Partner ' || n, 'p' || n || '@partners.example', now() from generate_series(1, ${THINGS}::int) as n
      returning id)
    insert into affiliate (account_id, status, created_at) select id, 'active', now() from made`.execute(db)
  // filled with its index at hand it would take ten minutes
  const { rows: texts } = await sql<{ made: string }>`select indexdef as made from pg_indexes where indexname = 'audit_text'`.execute(db)
  await sql`drop index audit_text`.execute(db)
  // a statement is given half a minute
  for (let from = 1; from <= rows; from += BATCH)
    await sql`
    insert into audit (at, actor_id, action, entity, entity_id, address, before, after)
    select now() - (${rows}::int - n) * interval '1096 days' / ${rows}::int,
           1 + floor(power(random(), 2) * ${PEOPLE})::int,
           (array['update', 'set_status', 'update', 'decide_access', 'create', 'assign_manager'])[1 + n % 6],
           (array['affiliate', 'offer', 'affiliate', 'advertiser'])[1 + n % 4],
           (1 + floor(power(random(), 2) * ${THINGS})::int)::text,
           '203.0.113.' || n % 250,
           case when n % 6 = 4 then null else jsonb_build_object('notes', md5(n::text), 'status', 'active') end,
           jsonb_build_object('notes', md5((n + 1)::text), 'status', 'inactive', 'title', 'Spring sale ' || n % 9000)
      from generate_series(${from}::int, ${Math.min(from + BATCH - 1, rows)}::int) as n`.execute(db)
  await db.connection().execute(async (one) => {
    await sql`set statement_timeout = 0`.execute(one)
    await sql`set maintenance_work_mem = '256MB'`.execute(one)
    for (const { made } of texts) await sql.raw(made).execute(one)
    await sql`vacuum analyze audit`.execute(one)
    await sql`reset statement_timeout`.execute(one)
  })
  await sql`analyze`.execute(db)
  const { accountId } = await makeAccount(db, 'admin')
  const { token } = await openSession(db, Date.now(), { accountId, device: 'bench', address: '127.0.0.1' })
  const person = await db.selectFrom('account').select('uuid').where('id', '=', 40).executeTakeFirstOrThrow()
  const thing = await sql<{ uuid: string }>`select a.uuid from affiliate f join account a on a.id = f.account_id where f.id = 300`.execute(
    db,
  )
  return { token, person: person.uuid, thing: thing.rows[0]?.uuid ?? '' }
}

function questions({ person, thing }: Asked, now: number): Record<string, { path: string; body: object; deep?: number }> {
  const list = (body: object) => ({ path: auditApi.list.path, body })
  const day = (ago: number) => new Date(now - ago * 86_400_000).toISOString()
  return {
    'first page of all': list({}),
    'the 200th page by its cursor': { ...list({ count: 100 }), deep: 200 },
    'the 5,000th page by its number': list({ page: 5_000 }),
    'oldest first': list({ direction: 'asc' }),
    'text in one entry': list({ search: '4c4d4f7b1e1b8b61' }),
    'text in about a hundred': list({ search: 'Spring sale 4321' }),
    'text in every entry': list({ search: 'Spring sale' }),
    'text of three letters': list({ search: 'a7f' }),
    'a thing by its number': list({ search: '300', entity: ['affiliate'] }),
    'text in none': list({ search: 'no such words' }),
    'history of one affiliate': { path: auditApi.history.path, body: { kind: 'affiliate', uuid: thing } },
    'one person': list({ person_uuid: [person] }),
    'one person, one action': list({ person_uuid: [person], action: ['create'] }),
    'one action': list({ action: ['set_status'] }),
    'one kind of thing': list({ entity: ['advertiser'] }),
    'one day': list({ from: day(400), to: day(399) }),
    'a year': list({ from: day(800), to: day(435) }),
    'text within a month': list({ search: 'Spring sale 12', from: day(130), to: day(100) }),
  }
}

async function measure(address: string, asked: Asked, entries: number, repeats: number): Promise<void> {
  const rows: (string | number)[][] = [['question', 'found', 'median ms', 'least', 'p95']]
  for (const [what, { path, body, deep = 1 }] of Object.entries(questions(asked, Date.now()))) {
    let page: object = body
    for (let turn = 1; turn < deep; turn++) page = { ...body, after: (await ask(address, asked.token, path, page)).after }
    const times: number[] = []
    let found = 0
    for (let turn = 0; turn < repeats + 3; turn++) {
      const begun = performance.now()
      found = (await ask(address, asked.token, path, page)).rows
      if (turn >= 3) times.push(performance.now() - begun)
    }
    rows.push([what, found, median(times).toFixed(1), Math.min(...times).toFixed(1), percentile(times, 0.95).toFixed(1)])
  }
  const load = loadavg().map((one) => one.toFixed(1))
  printTable(`the log of ${entries} entries, ${repeats} times each; load ${load.join(' ')}; ${new Date().toISOString()}`, rows)
}

async function ask(address: string, token: string, path: string, body: object): Promise<{ rows: number; after: string | null }> {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { status, data } = (await answer.json()) as { status: string; data: { summary: { rows: number }; after?: string | null } } // the list's envelope
  if (status !== 'success') throw new Error(`the question was refused: ${answer.status} ${JSON.stringify(body)}`)
  return { rows: data.summary.rows, after: data.after ?? null }
}
