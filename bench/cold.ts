import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { openRecoldWorker } from '#server/features/leads/recold/recold.jobs.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { recoldForm } from '#test/support/make/cold.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { caller } from '#test/support/run/api.ts'
import { grouped, median, printTable } from './figures.ts'

// npm run bench -- cold [--people=10000] [--items=1000000]
//
// A second sale of so many people over HTTP: its preview, which looks at each of them (past sends of their telephones, consents, policy),
// gives each a slot by the clocks of their country, and projects what it brings out of 10,000 earlier leads; then the start, which
// does the same and keeps the plan by the hour, and a worker's first planning. Lists: first and last pages of one of so many people beside it.
// Busy: what both processes used of the processors, which says more on a machine that others work on too.
// Goals: a plan of 10,000 computed again below 2 s, pages below 100 ms.

/** Runs the bench: prints how long plans take, and pages of lists. */
export async function run(args: string[]): Promise<void> {
  const given = (name: string, otherwise: number) =>
    Number(args.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise)
  const [people, items] = [given('people', 10_000), given('items', 1_000_000)]
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-cold-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: false })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir }, 'test')
    const clickhouse = openClickhouse('http://nobody@127.0.0.1:1')
    const clock = { now: () => Date.now() }
    const app = await buildApi({ config, db, clickhouse, clock, constantsVersion: () => 'bench' })
    const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const account = await makeAccount(db, 'admin')
    const { token } = await openSession(db, clock.now(), { accountId: account.accountId, device: 'bench', address: '127.0.0.1' })
    const admin = { ...account, token, call: caller(address, token) }
    await admin.call(coldConsentSetting.update, { body: { eea: 'off', uk: 'off', ch: 'off', elsewhere: 'off', version: 0 } })
    const affiliate = await makeAccount(db, 'affiliate')
    const advertiser = await makeAdvertiser(db)
    const product = await makeMockProduct(db, advertiser.id, { host: 'http://127.0.0.1:9', key: '' }, clock.now())
    const offer = await makeLeadOffer(db, admin, advertiser.uuid, [product])
    const sealed = openLeadVault(config.secretKey).sealTold({
      first_name: 'Anna',
      last_name: 'Rossi',
      email: 'a@mail.example',
      phone: '+39331',
      ip: '203.0.113.9',
    })
    await fill(db, {
      sealed,
      affiliate: affiliate.affiliateId ?? 0,
      offer: offer.id,
      product: product.id,
      advertiser: advertiser.id,
      count: Math.max(people, 10_000, items),
    })
    const listOf = async (title: string, many: number) => {
      const list = await db
        .insertInto('lead_list')
        .values({ title, created_at: new Date(), updated_at: new Date() })
        .returning(['id', 'uuid'])
        .executeTakeFirstOrThrow()
      await sql`insert into lead_list_item (list_id, person_id, source, session_id, affiliate_id, country, via, added_at)
        select ${list.id}, person_id, 'session', id, affiliate_id, country, 'filter', now() from user_session where status = 'unsold' order by id limit ${many}`.execute(
        db,
      )
      return list
    }
    const list = await listOf('Of the plan', people)
    const large = await listOf('A large one', items)
    await sql`analyze`.execute(db)
    const rows: string[][] = [['what', 'ms, median', 'busy ms, median', 'all']]
    const time = async (what: string, times: number, work: () => Promise<{ status: number }>) => {
      const took: number[] = []
      const worked: number[] = []
      for (let round = 0; round < times; round++) {
        const before = await busy(db)
        const since = performance.now()
        const { status } = await work()
        took.push(performance.now() - since)
        worked.push((await busy(db)) - before)
        if (status !== 200) throw new Error(`${what}: ${status}`)
      }
      rows.push([what, median(took).toFixed(0), median(worked).toFixed(0), took.map((ms) => ms.toFixed(0)).join(' ')])
    }
    const hours = [...Array.from({ length: 5 }, () => [{ from: 540, until: 1080 }]), [], []]
    const form = recoldForm(list.uuid, offer.uuid, {
      payout: 'original',
      schedule: { windows_in: 'lead', hours },
      pacing: { interval_min: 5, interval_max: 15, per_day: 2000, order: 'shuffled' },
      skip: { cool_down_days: 7 },
    })
    await time(`preview of ${people} people`, 5, () => admin.call(recoldApi.preview, { body: form }))
    const { data } = await admin.call(recoldApi.create, { body: form })
    await time('start, with its plan by the hour', 1, () => admin.call(recoldApi.start, { params: { uuid: data.uuid } }))
    const worker = openRecoldWorker({
      db,
      clock,
      policy: { allow: [] },
      secretKey: config.secretKey,
      findClick: async () => null,
      underWay: new Map(),
    })
    await time('a worker plans it first', 1, async () => {
      while ((await worker.plan()) === 'more');
      return { status: 200 }
    })
    await time('pause and resume, planned again from now', 5, async () => {
      await admin.call(recoldApi.pause, { params: { uuid: data.uuid } })
      return admin.call(recoldApi.resume, { params: { uuid: data.uuid }, body: {} as never })
    })
    const last = Math.ceil(items / 50)
    await time('first page of lists', 5, () => admin.call(leadListApi.list, { body: {} as never }))
    await time(`first page of a list of ${items}`, 5, () =>
      admin.call(leadListApi.items, { params: { uuid: large.uuid }, body: { count: 50 } as never }),
    )
    await time('its last page', 5, () =>
      admin.call(leadListApi.items, { params: { uuid: large.uuid }, body: { count: 50, page: last } as never }),
    )
    await time('first page of people of the distribution', 5, () =>
      admin.call(recoldApi.items, { params: { uuid: data.uuid }, body: { count: 50 } as never }),
    )
    await time('figures of all distributions', 5, () => admin.call(recoldApi.figures, { body: {} as never }))
    printTable(`${grouped(people)} people, load ${loadavg()[0]?.toFixed(1)}`, rows)
    await app.server.close()
    await clickhouse.close()
    await db.destroy()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Milliseconds of processors that this process and the connections of its database have used: what work costs on a machine others work on too. */
async function busy(db: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity where backend_type = 'client backend'`.execute(db)
  const ticks = rows.reduce((sum, { pid }) => {
    const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number)
    return sum + user + system
  }, 0)
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + ticks * 10
}

/** People with a lead each nobody took, half of them offered to somebody; statistics and webhooks need not hear of each. */
async function fill(
  db: Db,
  of: { sealed: Buffer; affiliate: number; offer: number; product: number; advertiser: number; count: number },
): Promise<void> {
  const part = 50_000
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    for (let from = 1; from <= of.count; from += part) {
      const until = Math.min(of.count, from + part - 1)
      await sql`
        with made as (
          insert into person (phone_hash, email_hash, sealed, country, first_seen_at, last_seen_at)
          select decode(md5('p' || n), 'hex'), decode(md5('e' || n), 'hex'), ${of.sealed}, (array['IT', 'ES', 'BR', 'US', 'PL'])[1 + n % 5], now() - interval '200 days', now()
            from generate_series(${from}::int, ${until}::int) as n returning id, country),
        leads as (
          insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, status, country, sealed, draw, received_at, changed_at)
          select id, ${of.affiliate}, ${of.offer}, 'bench ' || id, 'api', 'unsold', country, ${of.sealed}, 0.5,
                 now() - interval '1 day' * (20 + id % 160), now() from made returning id, person_id, received_at)
        insert into lead_send (session_id, person_id, product_id, advertiser_id, version_id, attempt, status, outcome, asked_at)
        select id, person_id, ${of.product}, ${of.advertiser}, (select version_id from product where id = ${of.product}), 1, 'rejected', 'rejected', received_at
          from leads where id % 2 = 0`.execute(connection)
    }
    await sql`set session_replication_role = default`.execute(connection)
  })
}
