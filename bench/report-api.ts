import { loadavg } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { dashboardApi } from '#contract/network/dashboard.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { clickApi } from '#contract/traffic/click.ts'
import { reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { readConfig } from '#server/platform/config.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { buildApi } from '#server/processes/roles/api.ts'
import { makeAccount } from '#test/support/make/factories.ts'
import type { Shape } from './click-generator.ts'
import { median, percentile, printTable } from './figures.ts'

const REPEATS = 25
/** Until then V8 still compiles. */
const WARM_RUNS = 5
const ADVERTISERS = 37

/**
 * Reports through the API over real HTTP, each in turn with what one would write by hand for the same figures (payout in
 * dollars at each day's rate) straight to the engine. The goal: at most 15 ms more, above 200 ms at most 1.2 times.
 */
export async function compareWithApi(clickhouse: Clickhouse, shape: Shape, dataDir: string): Promise<void> {
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: false })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    const people = await seed(db, shape)
    const config = readConfig({ DATABASE_URL: url, DATA_DIR: dataDir }, 'test')
    const app = await buildApi({ config, db, clickhouse, clock: { now: () => shape.end.getTime() - 1 }, constantsVersion: () => 'bench' })
    const address = await app.server.listen({ host: '127.0.0.1', port: 0 })
    await measure(clickhouse, shape, address, people)
    await app.server.close()
    await db.destroy()
  } finally {
    await postgres.stop()
  }
}

type Person = { token: string }
type People = { admin: Person; affiliate: Person }

/** The partners the generated clicks name, and two people who look: an admin and the affiliate with the most clicks, number 1. */
async function seed(db: Db, { affiliates, offers, end }: Shape): Promise<People> {
  await sql`truncate account, advertiser, offer, currency_rate restart identity cascade`.execute(db)
  await sql`insert into account (role, email, name) select 'affiliate', 'a' || n || '@bench.example', 'Affiliate ' || n from generate_series(1, ${affiliates}::int) n`.execute(
    db,
  )
  await sql`insert into affiliate (account_id, status) select id, 'active' from account order by id`.execute(db)
  await sql`insert into advertiser (name, postback_token) select 'Advertiser ' || n, 't' || n from generate_series(1, ${ADVERTISERS}::int) n`.execute(
    db,
  )
  await sql`insert into offer (type, title, status, privacy, advertiser_id, currency)
    select 'direct', 'Offer ' || n, 'active', 'public', 1 + n % ${ADVERTISERS}::int, case when n % 3 = 0 then 'EUR' else 'USD' end from generate_series(1, ${offers}::int) n`.execute(
    db,
  )
  await sql`insert into currency_rate (base, currency, day, rate)
    select 'USD', 'EUR', ${end.toISOString().slice(0, 10)}::date - n, 1.1 + n * 0.0001 from generate_series(0, 100) n`.execute(db)
  const { accountId } = await makeAccount(db, 'admin')
  const first = await db.selectFrom('affiliate').select('account_id').where('id', '=', 1).executeTakeFirstOrThrow()
  const open = async (id: number) => ({
    token: (await openSession(db, end.getTime() - 1, { accountId: id, device: 'bench', address: '127.0.0.1' })).token,
  })
  return { admin: await open(accountId), affiliate: await open(first.account_id) }
}

const THIRTY_DAYS: ReportInput = {
  period: { preset: 'last_30_days' },
  zone: 'Europe/Kyiv',
  currency: 'USD',
  metrics: ['clicks', 'conversions', 'payout'],
  count: 100,
}

async function measure(clickhouse: Clickhouse, shape: Shape, address: string, { admin, affiliate }: People): Promise<void> {
  const end = `toDateTime('${shape.end.toISOString().slice(0, 19).replace('T', ' ')}', 'UTC')`
  const day = (column: string) => `toDate(${column}, 'Europe/Kyiv')`
  const within = (column: string) =>
    `${day(column)} > ${day(`${end} - 1`)} - 30 AND ${column} < ${end} AND ${column} >= ${end} - INTERVAL 31 DAY`
  const counted = `countIf(bitAnd(flags, 15) = 0 AND reason = '')`
  // What the seeded rates come to: nothing cheaper gives the same figures.
  const rate = `if(currency = 'EUR', 1.1 + dateDiff('day', toDate(ts), toDate(${end})) * 0.0001, 1)::Decimal64(8)`
  const byHand = (
    key: (column: string) => string,
    clicks: string,
    from: string,
    column: string,
    where = '',
  ) => `SELECT k, sum(c), sum(n), sum(p) FROM (
    SELECT ${key(column)} AS k, ${clicks} AS c, 0 AS n, toDecimal128(0, 12) AS p FROM ${from} WHERE ${within(column)} ${where} GROUP BY k
    UNION ALL SELECT ${key('ts')} AS k, 0, sumIf(sign, status IN ('approved', 'hold', 'pending')), sumIf(sign * payout, status IN ('approved', 'hold')) * ${rate} FROM conversion_fact WHERE ${within('ts')} ${where} GROUP BY k, currency, toDate(ts)
    ) GROUP BY k ORDER BY sum(c) DESC LIMIT 100`
  const byOffer = byHand(() => 'offer', 'sum(clicks)', 'click_by_offer', 'quarter')
  const byAffiliate = byHand(() => 'affiliate', 'sum(clicks)', 'click_by_affiliate', 'quarter')
  const reports: [name: string, person: Person, endpoint: Endpoint, body: object, direct: string][] = [
    [
      'biggest affiliate by day',
      affiliate,
      reportApi.run,
      { ...THIRTY_DAYS, group: ['day'] },
      byHand(day, 'sum(clicks)', 'click_by_affiliate', 'quarter', 'AND affiliate = 1'),
    ],
    [
      'biggest affiliate by sub1',
      affiliate,
      reportApi.run,
      { ...THIRTY_DAYS, group: ['sub1'] },
      byHand(() => 'sub1', counted, 'click', 'ts', 'AND affiliate = 1'),
    ],
    [
      'biggest affiliate, last 50 clicks',
      affiliate,
      clickApi.list,
      { period: { preset: 'last_30_days' }, zone: 'Europe/Kyiv', count: 50 },
      `SELECT * EXCEPT visitor FROM click WHERE affiliate = 1 AND ${within('ts')} AND bitAnd(flags, 15) = 0 ORDER BY ts DESC LIMIT 50`,
    ],
    ['network by offer', admin, reportApi.run, { ...THIRTY_DAYS, group: ['offer'] }, byOffer],
    ['network by affiliate', admin, reportApi.run, { ...THIRTY_DAYS, group: ['affiliate'] }, byAffiliate],
    [
      'network by country',
      admin,
      reportApi.run,
      { ...THIRTY_DAYS, group: ['geo'] },
      byHand(() => 'geo', 'sum(clicks)', 'click_by_geo', 'quarter'),
    ],
    [
      'network by device (raw)',
      admin,
      reportApi.run,
      { ...THIRTY_DAYS, group: ['device'] },
      byHand(() => 'device', counted, 'click', 'ts'),
    ],
    ['network by sub2 (raw)', admin, reportApi.run, { ...THIRTY_DAYS, group: ['sub2'] }, byHand(() => 'sub2', counted, 'click', 'ts')],
    [
      'network, last 50 clicks',
      admin,
      clickApi.list,
      { period: { preset: 'last_30_days' }, zone: 'Europe/Kyiv', count: 50 },
      `SELECT * EXCEPT visitor FROM click WHERE ${within('ts')} AND bitAnd(flags, 15) = 0 ORDER BY ts DESC LIMIT 50`,
    ],
    ['offers, plain', admin, offerApi.list, { count: 50 }, ''],
    ['offers with figures', admin, offerApi.list, { count: 50, figures: true }, byOffer],
    ['offers by EPC', admin, offerApi.list, { count: 50, sort: 'epc', direction: 'desc' }, byOffer],
    ['affiliates, plain', admin, affiliateApi.list, { count: 50 }, ''],
    ['affiliates by revenue', admin, affiliateApi.list, { count: 50, sort: 'total_revenue', direction: 'desc' }, byAffiliate],
    ['dashboard of an admin', admin, dashboardApi.staff, { zone: 'Europe/Kyiv' }, ''],
    ['dashboard of an affiliate', affiliate, dashboardApi.affiliate, { zone: 'Europe/Kyiv' }, ''],
  ]
  const table = []
  for (const [name, person, endpoint, body, direct] of reports) {
    const times: { direct: number[]; api: number[] } = { direct: [], api: [] }
    for (let repeat = -WARM_RUNS; repeat < REPEATS; repeat++) {
      const byHand = direct === '' ? Number.NaN : await timed(() => askDirectly(clickhouse, direct))
      const api = await timed(() => ask(address, person, endpoint, body))
      if (repeat < 0) continue
      times.direct.push(byHand)
      times.api.push(api)
    }
    const [hand, through] = [median(times.direct), median(times.api)]
    const goal = hand > 200 ? hand * 1.2 : hand + 15
    table.push([
      name,
      ms(hand),
      ms(through),
      ms(percentile(times.api, 0.1)),
      direct === '' ? '' : ms(through - hand),
      direct === '' ? '' : through <= goal ? 'met' : 'missed',
    ])
  }
  printTable(
    `Through the API, ms, ${REPEATS} runs each in turn (load ${loadavg()[0]?.toFixed(1)}; goal: by hand + 15 ms, above 200 ms × 1.2)`,
    [['report, 30 days', 'by hand p50', 'API p50', 'API p10', 'more', 'goal'], ...table],
  )
}

const UNCACHED = { use_query_condition_cache: 0 } as const

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

async function askDirectly(clickhouse: Clickhouse, query: string): Promise<void> {
  await (await clickhouse.query({ query, format: 'JSONCompact', clickhouse_settings: UNCACHED })).json()
}

async function ask(address: string, { token }: Person, endpoint: Endpoint, body: object): Promise<void> {
  const response = await fetch(`${address}${endpoint.path}`, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${endpoint.path}: ${response.status} ${text}`)
}

function ms(figure: number): string {
  return Number.isNaN(figure) ? '' : figure.toFixed(1)
}
