import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { LEAD_ROLL_UPS } from '#server/statistics/lead-source.ts'
import type { ReportPlan } from '#server/statistics/plan.ts'
import { runReport } from '#server/statistics/report.ts'
import { startRole } from '#test/support/run/role-process.ts'
import { grouped, median, percentile, printTable } from './figures.ts'

// npm run bench -- lead-reports [--sessions=10000000] [--days=230]
//
// Reports of leads over so many sessions of the days up to 1 November 2026, a send each and a second one of every fourth, of 100
// affiliates, 60 offers and 40 products, a tenth restated once. Each report is asked for in turn as it is, and with a second less of
// its period, which no roll-up can answer: the facts themselves. Goal: the general ones below 300 ms.

const END = Date.parse('2026-11-01T00:00:00Z')
const PART = 250_000
const ROUNDS = 9

/** Runs the bench: prints how long reports of leads take out of the roll-ups and out of the facts, and how large both are. */
export async function run(args: string[]): Promise<void> {
  const given = (name: string, otherwise: number) =>
    Number(args.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1] ?? otherwise)
  const [sessions, days] = [given('sessions', 10_000_000), given('days', 230)]
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-lead-reports-'))
  const events = await startRole('events', { DATA_DIR: dataDir, LOG_LEVEL: 'silent', EVENTS_MEMORY_MB: '2048' })
  try {
    await migrateClickhouse(events.url, 'ohma')
    const db = openClickhouse(events.url, { requestTimeoutMs: 600_000 })
    const since = performance.now()
    for (let from = 0; from < sessions; from += PART)
      await db.command({
        query: part(from, Math.min(PART, sessions - from), (days * 86_400_000) / sessions),
        clickhouse_settings: { max_execution_time: 600 },
      })
    console.log(`filled in ${((performance.now() - since) / 1000).toFixed(0)} s`)
    await sizes(db)
    await times(db)
    await db.close()
  } finally {
    await events.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Sessions one after the other, `apart` ms each, with their sends and, of a tenth, the state before. */
function part(from: number, many: number, apart: number): string {
  const columns =
    'kind, sign, ts, session_ts, session, affiliate, offer, advertiser, product, geo, device, os, browser, lang, source, sub1, sub2, origin, traffic, status, reason, outcome, ms'
  return `INSERT INTO session_fact (${columns})
WITH cityHash64(n) AS h, 1 + toUInt32(60 * pow((h % 1000003) / 1000003, 3)) AS offer,
     toDateTime64(${END / 1000}, 3, 'UTC') - toIntervalMillisecond(toInt64(n * ${apart})) AS came
SELECT step.1 AS kind, step.2 AS sign, if(kind = 'send', came + toIntervalSecond(h % 40), came) AS ts, came AS session_ts, n AS session,
  1 + toUInt32(100 * pow((h % 999983) / 999983, 2)) AS affiliate, offer, 1 + product % 12 AS advertiser,
  if(kind = 'session' AND step.3 NOT IN ('accepted', 'converted'), 0, offer % 37 + 1 + h % 3) AS product,
  ['IT', 'DE', 'PL', 'ES', 'CZ'][1 + offer % 3 + h % 3] AS geo, ['mobile', 'mobile', 'desktop', 'tablet'][1 + h % 4] AS device,
  ['android', 'ios', 'windows', 'macos', 'linux'][1 + intDiv(h, 7) % 5] AS os, ['chrome', 'safari'][1 + h % 2] AS browser, 'en' AS lang, '' AS source,
  toString(h % 50) AS sub1, toString(h % 100000) AS sub2, 'api' AS origin, if(h % 20 = 0, 'cold', 'warm') AS traffic, step.3 AS status,
  if(step.3 = 'rejected', 'rejected', '') AS reason, if(kind = 'send', step.4, '') AS outcome, if(kind = 'send', 300 + h % 2000, 0) AS ms
FROM (SELECT number + ${from} AS n FROM numbers(${many}))
ARRAY JOIN arrayConcat(
  [('session', 1, ['accepted', 'accepted', 'rejected', 'converted', 'closed', 'duplicate'][1 + h % 6], ''), ('send', 1, ['accepted', 'accepted', 'rejected', 'converted', 'closed', 'duplicate'][1 + h % 6], if(h % 6 IN (2, 5), 'rejected', 'accepted'))],
  if(h % 4 = 0, [('send', 1, ['accepted', 'accepted', 'rejected', 'converted', 'closed', 'duplicate'][1 + h % 6], 'rejected')], []),
  if(h % 10 = 0, [('session', 1, 'received', ''), ('session', -1, 'received', '')], [])) AS step`
}

async function sizes(db: Clickhouse): Promise<void> {
  const answer = await db.query({
    query: `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'ohma' AND table IN {tables:Array(String)} GROUP BY table ORDER BY bytes DESC`,
    query_params: { tables: ['session_fact', ...LEAD_ROLL_UPS] },
    format: 'JSONEachRow',
  })
  const tables = await answer.json<{ table: string; rows: string; bytes: string }>()
  printTable('tables', [
    ['table', 'rows', 'MB'],
    ...tables.map(({ table, rows, bytes }) => [table, grouped(Number(rows)), (Number(bytes) / 1e6).toFixed(0)]),
  ])
}

const METRICS = [
  'leads',
  'leads_accepted',
  'leads_rejected',
  'leads_duplicate',
  'leads_waiting',
  'lead_acceptance',
  'sends',
  'send_acceptance',
  'answer_time',
] as const

async function times(db: Clickhouse): Promise<void> {
  const offers = Array.from({ length: 61 }, (_none, index) => index + 1)
  const plan = (days: number, groups: ReportPlan['groups'], changes: Partial<ReportPlan> = {}): ReportPlan => ({
    range: { from: END - days * 86_400_000, to: END },
    zone: 'Europe/Kyiv',
    time: 'conversion',
    groups,
    metrics: METRICS,
    conditions: [],
    search: [],
    scope: { kind: 'all' },
    ofType: { type: 'api', leads: offers },
    lookups: { managerOf: new Map(), currencyOf: new Map(), hiddenGoals: [], leadGoals: [], asAffiliate: false },
    rates: null,
    order: { metric: 'leads' },
    direction: 'desc',
    limit: 50,
    offset: 0,
    ...changes,
  })
  const reports: [string, ReportPlan][] = [
    ['30 days by day', plan(30, ['day'])],
    ['7 days by offer', plan(7, ['offer'])],
    ['30 days by offer and day', plan(30, ['offer', 'day'])],
    ['30 days by affiliate', plan(30, ['affiliate'])],
    ['30 days by advertiser', plan(30, ['advertiser'])],
    ['30 days by country', plan(30, ['geo'])],
    ['30 days by system', plan(30, ['os'])],
    ['30 days by status', plan(30, ['lead_status'])],
    ['the year by month', plan(229, ['month'])],
    ['an affiliate, 30 days by day', plan(30, ['day'], { scope: { kind: 'affiliate', affiliate: 1 } })],
    ['an affiliate, 30 days by offer', plan(30, ['offer'], { scope: { kind: 'affiliate', affiliate: 1 } })],
    ['30 days by sub1', plan(30, ['sub1'])],
  ]
  const rows: string[][] = []
  for (const [name, one] of reports) {
    const raw = { ...one, range: { ...one.range, to: one.range.to - 1000 } }
    const took: Record<'now' | 'raw', number[]> = { now: [], raw: [] }
    const read: Record<'now' | 'raw', string> = { now: '', raw: '' }
    for (let round = 0; round < ROUNDS; round++)
      for (const [which, asked] of [
        ['raw', raw],
        ['now', one],
      ] as const) {
        const since = performance.now()
        const { timing } = await runReport(db, asked)
        took[which].push(performance.now() - since)
        read[which] = `${timing.source} ${grouped(timing.rows_read)}`
      }
    const figures = (of: number[]) => `${median(of).toFixed(0)} (${percentile(of, 0.1).toFixed(0)}–${percentile(of, 0.9).toFixed(0)})`
    rows.push([name, figures(took.raw), figures(took.now), read.raw, read.now])
  }
  printTable(`Reports of leads, ms, ${ROUNDS} in turn, p50 (p10–p90), load ${loadavg()[0]?.toFixed(1)}`, [
    ['report', 'facts', 'now', 'read of facts', 'read now'],
    ...rows,
  ])
}
