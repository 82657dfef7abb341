import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { startRole } from '#test/support/run/role-process.ts'
import { clickRowsSql, type Shape } from './click-generator.ts'
import { grouped, median, percentile, printTable } from './figures.ts'
import { compareWithApi } from './report-api.ts'

const STEP = 250_000
const REPEATS = 25

/**
 * Engine times of the common reports over Zipf clicks of 90 days (fewer clicks: fewer days, equally dense), bytes a click, how many cells each roll-up has, and the
 * same kind of reports through the API beside SQL written by hand.
 * `npm run bench -- reports [rows]`, 20 million by default; the filled folder is kept in the temporary folder for the
 * next run, `--fresh` makes it anew and `--drop` deletes it afterwards; `--api` does the last part only.
 */
export async function run(args: string[]): Promise<void> {
  const rows = Number(args.find((arg) => /^\d+$/.test(arg)) ?? 20_000_000)
  const shape: Shape = { rows, affiliates: 500, offers: 200, days: (90 * rows) / 20_000_000, end: new Date('2026-11-01T00:00:00Z') }
  const dataDir = join(tmpdir(), `ohma-bench-reports-${rows}`)
  const filled = join(dataDir, 'filled')
  if (args.includes('--fresh') || !existsSync(filled)) await rm(dataDir, { recursive: true, force: true })
  const events = await startRole('events', { DATA_DIR: dataDir, LOG_LEVEL: 'silent', EVENTS_MEMORY_MB: '4096' })
  try {
    await migrateClickhouse(events.url, 'ohma')
    const db = openClickhouse(events.url, { requestTimeoutMs: 600_000 })
    if (!existsSync(filled)) {
      await fill(db, shape)
      await writeFile(filled, '')
    }
    if (!args.includes('--api')) {
      await storage(db, rows)
      await times(db, shape)
    }
    await compareWithApi(db, shape, dataDir)
    await db.close()
  } finally {
    await events.stop()
    if (args.includes('--drop')) await rm(dataDir, { recursive: true, force: true })
  }
}

async function fill(db: Clickhouse, shape: Shape): Promise<void> {
  const started = performance.now()
  for (let from = 0; from < shape.rows; from += STEP) {
    await db.command({
      query: `INSERT INTO click ${clickRowsSql(shape, from, Math.min(STEP, shape.rows - from))}`,
      clickhouse_settings: { max_execution_time: 600 },
    })
  }
  await db.command({ query: FACTS, clickhouse_settings: { max_execution_time: 600 } })
  for (const table of [...TABLES, 'conversion_fact']) await db.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
  console.log(`filled ${grouped(shape.rows)} clicks in ${((performance.now() - started) / 1000).toFixed(0)} s`)
}

/** One conversion in fifty clicks; one in six of them changed its status once, as two more deltas. */
const FACTS = `INSERT INTO conversion_fact (
  conversion, sign, ts, click_ts, affiliate, offer, advertiser, landing, prelanding, goal, geo, device, os, browser, lang, source,
  sub1, sub2, sub3, sub4, sub5, sub6, sub7, sub8, sub9, sub10, currency, status, test, payout, revenue, ttc) SELECT
  cityHash64(affiliate, ts, rnd) AS conversion, step.1 AS sign, ts + 1800 AS ts, c.ts AS click_ts, affiliate, offer, advertiser, landing, prelanding, offer AS goal, geo, device, os, browser, lang, source,
  sub1, sub2, sub3, sub4, sub5, sub6, sub7, sub8, sub9, sub10, if(offer % 3 = 0, 'EUR', 'USD') AS currency, step.2 AS status, 0 AS test,
  toDecimal64(5 + rnd % 4000 / 100, 4) AS payout, toDecimal64(8 + rnd % 5000 / 100, 4) AS revenue, 1800 AS ttc
FROM click AS c
ARRAY JOIN if(rnd % 300 = 0, [(1, 'pending'), (-1, 'pending'), (1, 'approved')], [(1, ['approved', 'approved', 'hold', 'declined'][1 + rnd % 4])]) AS step
WHERE rnd % 50 = 0 AND reason = '' AND bitAnd(flags, 15) = 0`

const TABLES = ['click', 'click_by_offer', 'click_by_affiliate', 'click_by_geo']

async function storage(db: Clickhouse, clicks: number): Promise<void> {
  const result = await db.query({
    query: `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = 'ohma' AND table LIKE 'click%' GROUP BY table ORDER BY bytes DESC`,
    format: 'JSONEachRow',
  })
  const tables = await result.json<{ table: string; rows: string; bytes: string }>()
  const total = tables.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  printTable(`Storage of ${grouped(clicks)} clicks (goals: at most 55 bytes a click all-in, cells under 0.30 of the rows)`, [
    ['table', 'rows', 'of the clicks', 'bytes a click'],
    ...tables.map(({ table, rows, bytes }) => [
      table,
      grouped(Number(rows)),
      (Number(rows) / clicks).toFixed(3),
      (Number(bytes) / clicks).toFixed(2),
    ]),
    ['all', '', '', (total / clicks).toFixed(2)],
  ])
}

/** The engine's own time of each report, its caches of conditions off, data in the page cache. */
async function times(db: Clickhouse, shape: Shape): Promise<void> {
  const end = shape.end.toISOString().slice(0, 19).replace('T', ' ')
  const last30 = (column: string) =>
    `${column} >= toDateTime('${end}', 'UTC') - INTERVAL 30 DAY AND ${column} < toDateTime('${end}', 'UTC')`
  const counted = `bitAnd(flags, 15) = 0 AND reason = ''`
  const ranks = await (
    await db.query({
      query: 'SELECT affiliate, sum(clicks) AS n FROM click_by_affiliate GROUP BY affiliate ORDER BY n DESC',
      format: 'JSONEachRow',
    })
  ).json<{ affiliate: number }>()
  const [big, middle] = [ranks[0]?.affiliate, ranks[40]?.affiliate]
  const reports: [name: string, goal: string, sql: string][] = [
    [
      'biggest affiliate, 30 days by day',
      '20',
      `SELECT toDate(quarter, 'Europe/Kyiv') AS day, sum(clicks) AS clicks FROM click_by_affiliate WHERE affiliate = ${big} AND ${last30('quarter')} GROUP BY day ORDER BY day`,
    ],
    [
      'middle affiliate, 30 days by day',
      '20',
      `SELECT toDate(quarter, 'Europe/Kyiv') AS day, sum(clicks) AS clicks FROM click_by_affiliate WHERE affiliate = ${middle} AND ${last30('quarter')} GROUP BY day ORDER BY day`,
    ],
    [
      'biggest affiliate, 30 days by offer (raw)',
      '',
      `SELECT offer, countIf(${counted}) AS clicks FROM click WHERE affiliate = ${big} AND ${last30('ts')} GROUP BY offer`,
    ],
    ['biggest affiliate, last 50 clicks', '15', `SELECT * FROM click WHERE affiliate = ${big} ORDER BY affiliate DESC, ts DESC LIMIT 50`],
    ['middle affiliate, last 50 clicks', '15', `SELECT * FROM click WHERE affiliate = ${middle} ORDER BY affiliate DESC, ts DESC LIMIT 50`],
    [
      'network, 30 days by offer (roll-up)',
      '25',
      `SELECT offer, sum(clicks) AS clicks FROM click_by_offer WHERE ${last30('quarter')} GROUP BY offer ORDER BY clicks DESC`,
    ],
    [
      'network, 30 days by offer, with visitors (roll-up)',
      '',
      `SELECT offer, sum(clicks) AS clicks, uniqCombinedMerge(14)(visitors) AS visitors FROM click_by_offer WHERE ${last30('quarter')} GROUP BY offer ORDER BY clicks DESC`,
    ],
    [
      'network, 30 days by affiliate (roll-up)',
      '',
      `SELECT affiliate, sum(clicks) AS clicks FROM click_by_affiliate WHERE ${last30('quarter')} GROUP BY affiliate ORDER BY clicks DESC`,
    ],
    [
      'network, 30 days by day and country (roll-up)',
      '',
      `SELECT toDate(quarter, 'Asia/Kolkata') AS day, geo, sum(clicks) AS clicks FROM click_by_geo WHERE ${last30('quarter')} GROUP BY day, geo`,
    ],
    [
      'network, 30 days by affiliate and offer (raw)',
      '200',
      `SELECT affiliate, offer, countIf(${counted}) AS clicks FROM click WHERE ${last30('ts')} GROUP BY affiliate, offer`,
    ],
    [
      'network, 30 days visitors by country (raw)',
      '',
      `SELECT geo, uniqCombined(14)(visitor) AS visitors FROM click WHERE ${last30('ts')} AND ${counted} GROUP BY geo`,
    ],
  ]
  const rows = []
  for (const [name, goal, sql] of reports) {
    const engine: number[] = []
    const whole: number[] = []
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const started = performance.now()
      const result = await db.query({ query: sql, format: 'JSON', clickhouse_settings: { use_query_condition_cache: 0 } })
      const { statistics } = await result.json()
      whole.push(performance.now() - started)
      engine.push((statistics?.elapsed ?? Number.NaN) * 1000)
    }
    rows.push([name, median(engine).toFixed(1), percentile(engine, 0.1).toFixed(1), median(whole).toFixed(1), goal])
  }
  printTable(`Reports, ms, ${REPEATS} runs each (load ${loadavg()[0]?.toFixed(1)})`, [
    ['report', 'engine p50', 'engine p10', 'over HTTP p50', 'goal'],
    ...rows,
  ])
}
