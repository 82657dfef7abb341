import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { openLeadSender } from '#server/features/leads/send/send.jobs.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { inParallel } from '#test/support/make/money.ts'
import { caller, type Caller } from '#test/support/run/api.ts'
import { cpuOfFamily, grouped, median, percentile, printTable } from './figures.ts'
import type { SendOrder } from './load/lead-sender.ts'

// npm run bench -- leads [--count=3000] [--one=400] [--sessions=1000000]
//
// API, worker, PostgreSQL (which syncs its commits), mock advertiser and generator share the cores; the mock is a process of its own.
// "Stored and answered" sends leads a hundred a call over HTTP, eight calls at a time: each is checked, sealed, its person found, and
// answered 202. "Through the cascade" is a worker that offers them: the first of two products refuses a tenth, the second takes what is
// left; booked as conversions. "One lead" is a call that waits for its lead to be taken and booked at no money, one after the other out of
// a third process, with the statistics of tables gathered, beside the same call of that process to the mock alone: our own is the difference of their medians, so it holds the way
// of the call to the API and its answer back, and all that API and database do. Its processor time is that of the API and of PostgreSQL
// with what it does beside. Lists: so many sessions of a hundred affiliates in the table, first pages as an admin and an affiliate see them.
// Goals: 500 a second stored, 100 a second through, 10 ms of our own, lists below 100 ms.

/** Runs the bench: prints leads a second, what one lead costs beside the mock alone, and how long lists take. */
export async function run(args: string[]): Promise<void> {
  const given = (name: string, otherwise: number) =>
    Number(args.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise)
  const count = given('count', 3000)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-leads-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: true })
  const [advertising, sending] = await Promise.all([startChild('lead-mock.ts'), startChild('lead-sender.ts')])
  const mock = advertising.said as { host: string; key: string } // as it says it
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir, OUTBOUND_ALLOW: mock.host.slice('http://'.length) }, 'test')
    const clickhouse = openClickhouse('http://nobody@127.0.0.1:1')
    const clock = { now: () => Date.now() }
    const app = await buildApi({ config, db, clickhouse, clock, constantsVersion: () => 'bench' })
    const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const as = async (role: 'admin' | 'manager' | 'affiliate'): Promise<Caller> => {
      const account = await makeAccount(db, role)
      const { token } = await openSession(db, clock.now(), { accountId: account.accountId, device: 'bench', address: '127.0.0.1' })
      return { ...account, token, call: caller(address, token) }
    }
    const [admin, affiliate] = [await as('admin'), await as('affiliate')]
    const advertiser = await makeAdvertiser(db)
    const products = [
      await makeMockProduct(db, advertiser.id, mock, clock.now()),
      await makeMockProduct(db, advertiser.id, mock, clock.now()),
    ]
    const offer = await makeLeadOffer(db, admin, advertiser.uuid, products)
    const lead = (at: number) => leadOf(offer.uuid, { first_name: at % 10 === 0 ? 'Reject' : 'Anna' })
    const rows: string[][] = [['what', 'seconds', 'leads a second']]
    const rate = async (what: string, leads: number, work: () => Promise<unknown>) => {
      const since = performance.now()
      await work()
      const seconds = (performance.now() - since) / 1000
      rows.push([what, seconds.toFixed(1), grouped(leads / seconds)])
    }

    const batches = Array.from({ length: Math.ceil(count / 100) }, () => Array.from({ length: 100 }, (_none, at) => lead(at)))
    await rate('stored and answered 202', batches.length * 100, () =>
      inParallel(batches, 8, async (leads) => {
        const { data } = await affiliate.call(leadApi.sendBatch, { body: { leads } })
        if (data.list.some(({ code }) => code !== 202)) throw new Error('a lead was not taken')
      }),
    )
    await sql`update user_session set next_try_at = now()`.execute(db)
    const underWay = new Map()
    const policy = { allow: config.outboundAllow }
    const sender = openLeadSender({ db, clock, policy, secretKey: config.secretKey, findClick: async () => null, underWay })
    await rate('through the cascade', batches.length * 100, async () => {
      // as the worker does: again at once while leads are taken up, else after a moment
      while ((await sender.tick()) > 0 || (await sender.room(100)) || (await open(db)) > 0);
      await sender.idle()
    })
    printTable(`${grouped(batches.length * 100)} leads, load ${loadavg()[0]?.toFixed(1)}`, rows)
    const ask = async (order: SendOrder): Promise<number[]> => {
      sending.child.send(order)
      return (await once(sending.child, 'message'))[0] as number[] // how long each took
    }
    const to = { api: { to: 'api', address, token: affiliate.token }, mock: { to: 'mock', ...mock } } as const
    await printOne(db, (where, leads) => ask({ ...to[where], leads, offer: offer.uuid }), given('one', 400), postgres.pid)
    const managers = { main: await as('manager'), rest: await as('manager'), sells: await as('manager') }
    await printLists(db, { admin, affiliate, ...managers }, given('sessions', 1_000_000), offer.id, mock)
    await app.server.close()
    await clickhouse.close()
    await db.destroy()
  } finally {
    advertising.child.kill()
    sending.child.kill()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function open(db: Db): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from user_session where next_try_at is not null`.execute(db)
  return rows[0]?.rows ?? 0
}

/** Starts a process of `load/` and waits for the first it says. */
async function startChild(file: string): Promise<{ child: ChildProcess; said: unknown }> {
  const child = fork(join(import.meta.dirname, 'load', file))
  const [said] = await once(child, 'message')
  return { child, said }
}

/** One lead after the other in turn: the whole way, and the mock asked by itself. The first ones are not counted: code is not compiled yet. */
async function printOne(
  db: Db,
  send: (to: 'api' | 'mock', leads: number) => Promise<number[]>,
  leads: number,
  postgresPid: number,
): Promise<void> {
  await send('api', 200)
  await send('mock', 100)
  // as an instance older than its first minutes has it: plans that were made of empty tables are made anew
  await sql`vacuum analyze`.execute(db)
  await send('api', 100)
  const [alone, whole]: [number[], number[]] = [[], []]
  let [node, database] = [0, 0]
  for (let part = 0; part < 4; part++) {
    alone.push(...(await send('mock', leads / 4)))
    const [ours, theirs] = [process.cpuUsage(), cpuOfFamily(postgresPid)]
    whole.push(...(await send('api', leads / 4)))
    const { user, system } = process.cpuUsage(ours)
    node += (user + system) / 1000
    database += (cpuOfFamily(postgresPid) - theirs) * 1000
  }
  const line = (name: string, found: number[]) => [name, median(found).toFixed(1), percentile(found, 0.95).toFixed(1)]
  printTable(`one lead, ms; load ${loadavg()[0]?.toFixed(1)}`, [
    ['what', 'p50', 'p95'],
    line('mock alone', alone),
    line('sent, taken and answered', whole),
    ['our own', (median(whole) - median(alone)).toFixed(1), (percentile(whole, 0.95) - percentile(alone, 0.95)).toFixed(1)],
    ['processor time: API, PostgreSQL', (node / leads).toFixed(1), (database / leads).toFixed(1)],
  ])
}

/**
 * First pages of lists over so many sessions. `affiliate` brings one of a hundred, `main` looks after 33 others, `rest` after one who brings
 * one of ten thousand, and `sells` after an advertiser who takes one of two thousand.
 */
async function printLists(
  db: Db,
  { admin, affiliate, main, rest, sells }: Record<'admin' | 'affiliate' | 'main' | 'rest' | 'sells', Caller>,
  sessions: number,
  offerId: number,
  mock: Parameters<typeof makeMockProduct>[2],
) {
  const part = 100_000
  const others = await inParallel(
    Array.from({ length: 99 }, (_none, at) => at),
    8,
    (at) => makeAccount(db, 'affiliate', { managerId: at < 33 ? main.managerId : null }),
  )
  const small = await makeAccount(db, 'affiliate', { managerId: rest.managerId })
  const buyer = await makeAdvertiser(db, { managerId: sells.managerId })
  const bought = await makeMockProduct(db, buyer.id, mock, Date.now())
  const at = new Date()
  const brings = [affiliate, ...others].map(({ affiliateId }) => affiliateId)
  await db.connection().execute(async (connection) => {
    // statistics need not hear of each
    await sql`set session_replication_role = replica`.execute(connection)
    for (let from = 1; from <= sessions; from += part) {
      const to = Math.min(sessions, from + part - 1)
      await sql`insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, status, told, country, draw, received_at, decided_at, changed_at)
        select (select min(id) from person), case when n % 10000 = 0 then ${small.affiliateId}::int else (${brings}::int[])[1 + n % 100] end, ${offerId}::int,
               'bench-' || n, 'api', (array['accepted', 'rejected', 'closed', 'converted'])[1 + n % 4],
               '{}', (array['IT', 'DE', 'PL'])[1 + n % 3], 0.5, ${at}::timestamptz - n * interval '2 seconds', ${at}::timestamptz - n * interval '2 seconds', ${at}::timestamptz - n * interval '2 seconds'
          from generate_series(${from}::int, ${to}::int) n`.execute(connection)
      await sql`insert into lead_send (session_id, person_id, product_id, advertiser_id, version_id, attempt, status, outcome, asked_at, answered_at)
        select s.id, s.person_id, p.id, p.advertiser_id, p.version_id, 1,
               case when s.status = 'rejected' then 'rejected' else 'accepted' end, case when s.status = 'rejected' then 'rejected' else 'accepted' end,
               s.received_at, s.received_at
          from user_session s join (select p.id, p.advertiser_id, (select min(id) from integration_version) as version_id from product p) p
            on p.id = case when s.id % 2000 = 0 then ${bought.id}::int else (select min(id) from product) end
         where s.click_id like 'bench-%' and s.received_at between ${at}::timestamptz - ${to}::int * interval '2 seconds' and ${at}::timestamptz - ${from}::int * interval '2 seconds'
           and s.status <> 'closed'`.execute(connection)
    }
    await sql`set session_replication_role = default`.execute(connection)
  })
  await sql`vacuum analyze user_session, lead_send`.execute(db)
  const rows: string[][] = [['list', 'p50 ms', 'p95 ms']]
  const day = { preset: 'last_7_days' }
  for (const [name, who, body] of [
    ['admin, newest', admin, {}],
    ['admin, seven days', admin, { period: day }],
    ['admin, one status', admin, { status: ['converted'] }],
    ['admin, sorted by country', admin, { sort: 'country' }],
    ['admin, one system', admin, { os: ['ios'] }],
    ['affiliate, newest', affiliate, {}],
    ['affiliate, one status', affiliate, { status: ['converted'] }],
    ['affiliate, seven days', affiliate, { period: day }],
    ['manager of a third, newest', main, {}],
    ['manager of a third, one status', main, { status: ['converted'] }],
    ['manager of one small affiliate, newest', rest, {}],
    ['manager of one small affiliate, one status', rest, { status: ['converted'] }],
    ['manager of one small affiliate, seven days', rest, { period: day }],
    ['manager of one small affiliate, one system', rest, { os: ['ios'] }],
    ['manager of a small advertiser, newest', sells, {}],
    ['manager of a small advertiser, one status', sells, { status: ['converted'] }],
  ] as const) {
    const found: number[] = []
    for (let round = 0; round < 7; round++) {
      const since = performance.now()
      const { status } = await who.call(userSessionApi.list, { body: body as never }) // as a screen sends it
      if (status !== 200) throw new Error(`${name}: ${status}`)
      found.push(performance.now() - since)
    }
    rows.push([name, median(found).toFixed(0), percentile(found, 0.95).toFixed(0)])
  }
  printTable(`lists over ${grouped(sessions)} sessions`, rows)
}
