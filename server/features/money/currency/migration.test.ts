import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { listClickhouseMigrations, migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { listMigrations, migrate } from '#server/platform/pg/migrate.ts'
import { canonicalJson, chainHash, GENESIS, verifyChain } from '#server/rules/conversion/history-chain.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { readChain } from '#server/features/traffic/history/history.queries.ts'
import { listBalances } from '../ledger/balance.service.ts'

/** Installations made before amounts had eight decimals. */
const FORMER = 4

let own: TestDatabase
let old: { name: string; url: string; db: Db }
let statistics: TestClickhouse
let former: Clickhouse

beforeAll(async () => {
  own = await cloneDatabase()
  statistics = await createClickhouseDatabase()
  const name = `test_former_${randomBytes(4).toString('hex')}`
  const url = new URL(own.url)
  url.pathname = name
  await run(own.url, `create database ${name}`)
  old = { name, url: url.href, db: openDatabase(url.href, { max: 2 }) }
  former = openClickhouse(statistics.url, { database: name })
})
afterAll(async () => {
  await old.db.destroy()
  await run(own.url, `drop database ${old.name} with (force)`)
  await own.drop()
  await statistics.clickhouse.command({ query: `drop database if exists ${old.name} sync` })
  await former.close()
  await statistics.drop()
})

test('money of former installations keeps its texts, balances and hash chains', async () => {
  const migrations = await listMigrations()
  const last = migrations[migrations.findIndex(({ name }) => name.endsWith('_currency.sql')) - 1]
  await migrate(old.url, last?.name)
  const body = { affiliate: 1, seq: 1, payout: '12.5000', currency: 'UAH' }
  const hash = chainHash(GENESIS.hash, canonicalJson(body))
  await run(
    old.url,
    `insert into account (id, role, email, name) overriding system value values (1, 'affiliate', 'a@example.com', 'A');
     insert into affiliate (id, account_id, status, currency) overriding system value values (1, 1, 'active', 'UAH');
     insert into advertiser (id, name, currency, postback_token) overriding system value values (1, 'B', 'JPY', 't');
     insert into offer (id, type, title, status, privacy, advertiser_id, currency) overriding system value values (1, 'direct', 'O', 'draft', 'public', 1, 'UAH');
     insert into goal (id, offer_id, code, title) overriding system value values (1, 1, 'sale', 'Sale');
     insert into payout_rule (offer_id, goal_id, payout_fixed, revenue_fixed) values (1, 1, 12.5, 15);
     insert into conversion (id, offer_id, goal_id, affiliate_id, advertiser_id, click_id, click_at, status, payout, revenue, amount, currency, rule, created_at, updated_at)
     overriding system value values (1, 1, 1, 1, 1, 'c', now(), 'approved', 12.5, 99999999999999.9999, null, 'UAH', '{}', now(), now());
     insert into conversion (id, offer_id, goal_id, affiliate_id, advertiser_id, click_id, click_at, status, payout, revenue, amount, currency, rule, created_at, updated_at)
     overriding system value values (2, 1, 1, 1, 1, 'd', now(), 'pending', 7, 9, null, 'UAH', '{}', now(), now()), (3, 1, 1, 1, 1, 'e', now(), 'pending', 4, 9, null, 'UAH', '{}', now(), now());
     insert into conversion_history (affiliate_id, seq, conversion_id, at, to_status, origin, body, hash)
     values (1, 1, 1, now(), 'approved', 'postback', '${JSON.stringify(body)}', '\\x${hash}');
     insert into history_head values (1, 1, '\\x${hash}');
     insert into ledger_account (kind, owner_id, currency, balance) values ('affiliate_available', 1, 'UAH', -12.5);`,
  )
  const before = await run(
    old.url,
    `select c.payout::text, c.revenue::text, r.payout_fixed::text from conversion c, payout_rule r where c.id = 1`,
  )

  expect((await migrate(old.url)).length).toBeGreaterThan(0)
  expect(
    await run(old.url, `select c.payout::text, c.revenue::text, r.payout_fixed::text from conversion c, payout_rule r where c.id = 1`),
  ).toEqual(before)
  expect(before).toEqual([{ payout: '12.5000', revenue: '99999999999999.9999', payout_fixed: '12.5000' }])
  expect((await listBalances(old.db, [1])).get(1)).toEqual([{ currency: 'UAH', available: '12.5000', hold: '0.0000' }])
  // what waits for the advertiser stands in the books from now on, each conversion as a transfer of its own
  expect(
    await run(
      old.url,
      `select a.kind, a.balance::text, count(e.id)::int as entries, sum(e.amount)::text as booked from ledger_account a join ledger_entry e on e.account_id = a.id group by a.id order by 1`,
    ),
  ).toEqual([
    { kind: 'affiliate_pending', balance: '-11.0000', entries: 2, booked: '-11.0000' },
    { kind: 'pending_cost', balance: '11.0000', entries: 2, booked: '11.0000' },
  ])
  const { head, list } = await readChain(old.db, 1, 0, 10)
  expect(verifyChain(list)).toEqual({ head })
})

test.each([
  [`update payout_rule set payout_fixed = 0.000000001`, /payout_rule_amounts_exact/],
  [`update payout_rule set payout_fixed = 1e15`, /payout_rule_amounts_exact/],
  [`update affiliate set currency = 'XYZ'`, /affiliate_currency_fkey/],
  [`delete from currency where code = 'XCG'`, /never deleted or renamed/],
  [`update currency set code = 'XCH' where code = 'XCG'`, /never deleted or renamed/],
])('the database itself refuses: %s', async (statement, refusal) => {
  await expect(run(old.url, statement)).rejects.toThrow(refusal)
})

test('facts of former installations keep their values, and new ones may have eight decimals', async () => {
  const migrations = await listClickhouseMigrations()
  await statistics.clickhouse.command({ query: `create database ${old.name}` })
  for (const { statements } of migrations.slice(0, FORMER)) for (const query of statements) await former.command({ query })
  const amounts = ['99999999999999.9999', '-0.0001', '0.0000', '12.3400']
  const rows = amounts.map((payout, index) => ({
    conversion: index,
    sign: 1,
    ts: `2026-0${index + 1}-05 10:00:00.000`,
    payout,
    revenue: payout,
  }))
  await former.insert({ table: 'conversion_fact', values: rows, format: 'JSONEachRow' })

  expect(await migrateClickhouse(statistics.url, old.name)).toEqual(migrations.map(({ name }) => name))
  await former.insert({ table: 'conversion_fact', values: [{ conversion: 9, sign: 1, payout: '0.00000001' }], format: 'JSONEachRow' })
  const query = 'SELECT toString(payout) AS amount, toString(reinterpretAsInt128(payout)) AS units FROM conversion_fact ORDER BY conversion'
  const found = await (await former.query({ query, format: 'JSONEachRow' })).json()
  expect(found).toEqual([
    { amount: '99999999999999.9999', units: '9999999999999999990000' },
    { amount: '-0.0001', units: '-10000' },
    { amount: '0', units: '0' },
    { amount: '12.34', units: '1234000000' },
    { amount: '0.00000001', units: '1' },
  ])
})

async function run(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
