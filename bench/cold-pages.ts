import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { makeRecold } from '#test/support/make/cold.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer } from '#test/support/make/leads.ts'
import { caller, type Caller } from '#test/support/run/api.ts'
import { grouped, median, percentile, printTable } from './figures.ts'

// npm run bench -- cold-pages [--items=1000000]
//
// Half of the people stand in one list, the others in five hundred; half of those of the large one are in a distribution, a third of them
// sent. Pages are asked over HTTP as the screens ask, by an admin and by a team lead whose affiliates half of the people are of. Goal: each
// below 100 ms.

/** Runs the bench: prints how long pages of lists, of a list's people and of a distribution's take. */
export async function run(args: string[]): Promise<void> {
  const items = Number(args.find((argument) => argument.startsWith('--items='))?.split('=')[1] ?? 1_000_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-cold-pages-'))
  // pages are only read: how safely they were filled is not measured
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
    const as = async (role: 'admin' | 'team lead'): Promise<Caller> => {
      const account = await makeAccount(db, role)
      const { token } = await openSession(db, clock.now(), { accountId: account.accountId, device: 'bench', address: '127.0.0.1' })
      return { ...account, token, call: caller(address, token) }
    }
    const [admin, lead] = [await as('admin'), await as('team lead')]
    const made = await fill(db, { admin, lead }, items, openLeadVault(config.secretKey).hash('phone', '+393330000007'))
    await printPages({ admin, lead }, made, items)
    await app.server.close()
    await clickhouse.close()
    await db.destroy()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** People with a lead each, of two affiliates in turn, in lists of the team lead, and one distribution. */
async function fill(db: Db, { admin, lead }: { admin: Caller; lead: Caller }, items: number, phone: Buffer) {
  const manager = await makeAccount(db, 'manager', { teamLeadId: lead.managerId })
  const [mine, other] = [await makeAccount(db, 'affiliate', { managerId: manager.managerId }), await makeAccount(db, 'affiliate')]
  const offer = await makeLeadOffer(db, admin, (await makeAdvertiser(db)).uuid, [])
  const whose = sql`case when n % 2 = 0 then ${mine.affiliateId}::int else ${other.affiliateId}::int end`
  const country = sql`(array['IT', 'DE', 'PL', 'ES', 'FR'])[1 + n % 5]`
  const part = 20_000
  await db.connection().execute(async (connection) => {
    // the counts of lists are filled below
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`insert into lead_list (title, manager_id, created_at, updated_at)
      select 'List ' || n, ${lead.managerId}::int, now() - n * interval '1 hour', now() from generate_series(1, 501) n`.execute(connection)
    for (let from = 1; from <= items; from += part) {
      const numbers = sql`generate_series(${from}::int, ${Math.min(items, from + part - 1)}::int) n`
      await sql`insert into person (phone_hash, email_hash, country, first_seen_at, last_seen_at)
        select case when n = 7 then ${phone}::bytea else int8send(n) || '\\x01' end, int8send(n), ${country}, now() - interval '60 days', now() - interval '60 days'
          from ${numbers}`.execute(connection)
      await sql`insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, status, told, country, draw, received_at, decided_at, changed_at)
        select n, ${whose}, ${offer.id}::int, 'bench-' || n, 'api', 'unsold', '{}', ${country}, 0.5, now() - interval '60 days', now(), now()
          from ${numbers}`.execute(connection)
      // half of all in the first list
      await sql`insert into lead_list_item (list_id, person_id, source, session_id, affiliate_id, country, via, added_at, removed_at)
        select case when n <= ${items / 2} then 1 else 2 + n % 500 end, n, 'session', n, ${whose}, ${country}, 'filter', now() - n * interval '1 second',
               case when n % 50 = 0 then now() end from ${numbers}`.execute(connection)
    }
    await sql`insert into lead_list_count select list_id, affiliate_id, source, country, count(*) filter (where removed_at is null), count(removed_at)
      from lead_list_item group by 1, 2, 3, 4`.execute(connection)
    await sql`update person set suppressed_at = now() where id % 40 = 0`.execute(connection)
    await sql`set session_replication_role = default`.execute(connection)
  })
  const of = { list_id: 1, offer_id: offer.id, manager_id: lead.managerId, affiliate_id: mine.affiliateId ?? 0 }
  const recold = await makeRecold(db, Date.now(), of)
  for (let from = 1; from <= items / 2; from += part)
    await sql`insert into recold_item (recold_id, list_item_id, person_id, country, affiliate_id, place, status, scheduled_at, sent_at, ended_at, skip_reason)
      select ${recold.id}::int, i.id, i.person_id, i.country, i.affiliate_id, i.id, s.status, case when s.status = 'scheduled' then now() + i.id * interval '1 second' end,
             case when s.status in ('accepted', 'rejected', 'failed') then now() - i.id * interval '1 second' end,
             case when s.status not in ('pending', 'scheduled') then now() - i.id * interval '1 second' end, case when s.status = 'skipped' then 'cool_down' else '' end
        from lead_list_item i, lateral (select case when i.id % 10000 = 0 then 'failed' when i.id < 120 then 'scheduled'
          else (array['accepted', 'rejected', 'skipped', 'pending', 'pending', 'pending'])[1 + i.id % 6] end as status) s
       where i.list_id = 1 and i.id between ${from} and ${from + part - 1}`.execute(db)
  await fillSold(db, recold.id, offer.id, items, part)
  // all of its list stand in it
  await sql`update recold set taken_item_id = (select max(id) from lead_list_item) where id = ${recold.id}`.execute(db)
  for (const table of ['person', 'user_session', 'lead_list_item', 'recold_item', 'lead_list_count'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  const { uuid } = await db.selectFrom('lead_list').select('uuid').where('id', '=', 1).executeTakeFirstOrThrow()
  return { list: uuid, recold: recold.uuid }
}

/** Those who were sent became sessions, those who were taken conversions, one in forty of them a deposit. */
async function fillSold(db: Db, recoldId: number, offerId: number, items: number, part: number): Promise<void> {
  const { id: advertiserId } = await db.selectFrom('advertiser').select('id').executeTakeFirstOrThrow()
  await db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`set statement_timeout = 0`.execute(connection)
    for (let from = 1; from <= items / 2; from += part) {
      const some = sql`i.recold_id = ${recoldId} and i.sent_at is not null and i.list_item_id between ${from} and ${from + part - 1}`
      await sql`insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, status, told, country, draw, received_at, decided_at, changed_at, recold_id)
        select i.person_id, i.affiliate_id, ${offerId}::int, 'cold-' || i.id, 'cold', case when i.status = 'accepted' then 'accepted' else 'unsold' end, '{}', i.country,
               0.5, i.sent_at, i.sent_at, i.sent_at, ${recoldId}::int from recold_item i where ${some}`.execute(connection)
      await sql`update recold_item i set session_id = s.id from user_session s where s.click_id = 'cold-' || i.id and ${some}`.execute(
        connection,
      )
      await sql`insert into conversion (offer_id, goal_id, affiliate_id, advertiser_id, click_id, click_at, transaction_id, status, payout, revenue, currency, rule,
               carried, recold_id, created_at, updated_at)
        select ${offerId}::int, g, i.affiliate_id, ${advertiserId}::int, 'cold-' || i.id, i.sent_at, i.id || '-' || g, 'approved', 0,
               case when g = 2 then 300 else 0 end, 'EUR', '{}', '{"traffic": "cold"}', ${recoldId}::int, i.sent_at, i.sent_at
          from recold_item i, generate_series(1, case when i.id % 40 = 0 then 2 else 1 end) g where ${some} and i.status = 'accepted'`.execute(
        connection,
      )
    }
    await sql`set session_replication_role = default`.execute(connection)
  })
  await sql`vacuum analyze conversion`.execute(db)
}

async function printPages(
  { admin, lead }: { admin: Caller; lead: Caller },
  { list, recold }: { list: string; recold: string },
  items: number,
) {
  const rows: string[][] = [['page', 'admin p50', 'admin p95', 'team lead p50', 'team lead p95']]
  const ofList = { params: { uuid: list } }
  const ofRecold = { params: { uuid: recold } }
  const pages: [string, (who: Caller) => Promise<{ status: number }>][] = [
    ['lists, newest', (who) => who.call(leadListApi.list, { body: {} })],
    ['lists, by people', (who) => who.call(leadListApi.list, { body: { sort: 'total' } })],
    ['lists, ready', (who) => who.call(leadListApi.list, { body: { status: ['ready'] } })],
    ['one list', (who) => who.call(leadListApi.get, ofList)],
    ['people, newest', (who) => who.call(leadListApi.items, { ...ofList, body: {} })],
    ['people, the hundredth page', (who) => who.call(leadListApi.items, { ...ofList, body: { page: 100 } })],
    ['people, by country', (who) => who.call(leadListApi.items, { ...ofList, body: { sort: 'country' } })],
    ['people of one country', (who) => who.call(leadListApi.items, { ...ofList, body: { country: ['PL'] } })],
    ['people taken out', (who) => who.call(leadListApi.items, { ...ofList, body: { shown: 'removed' } })],
    ['people, by hand', (who) => who.call(leadListApi.items, { ...ofList, body: { via: ['manual'] } })],
    ['people, by telephone', (who) => who.call(leadListApi.items, { ...ofList, body: { search: '+393330000007' } })],
    ['distributions', (who) => who.call(recoldApi.list, { body: {} })],
    ['how far one is', (who) => who.call(recoldApi.live, ofRecold)],
    ['its people', (who) => who.call(recoldApi.items, { ...ofRecold, body: {} })],
    ['its people, the hundredth page', (who) => who.call(recoldApi.items, { ...ofRecold, body: { page: 100 } })],
    ['its people, accepted', (who) => who.call(recoldApi.items, { ...ofRecold, body: { status: ['accepted'] } })],
    ['its people, failed', (who) => who.call(recoldApi.items, { ...ofRecold, body: { status: ['failed'] } })],
    ['its people of one country', (who) => who.call(recoldApi.items, { ...ofRecold, body: { country: ['PL'] } })],
  ]
  for (const [name, ask] of pages) {
    const line = [name]
    for (const who of [admin, lead]) {
      const found: number[] = []
      for (let round = 0; round < 7; round++) {
        const since = performance.now()
        const { status } = await ask(who)
        if (status !== 200) throw new Error(`${name}: ${status}`)
        found.push(performance.now() - since)
      }
      line.push(median(found).toFixed(0), percentile(found, 0.95).toFixed(0))
    }
    rows.push(line)
  }
  printTable(`${grouped(items)} people in lists, ms, load ${loadavg()[0]?.toFixed(1)}`, rows)
}
