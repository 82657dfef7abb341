import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { insertTextOnce } from '#server/platform/clickhouse/insert-once.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { CLICK_COLUMNS } from '#server/rules/click/click-row.ts'
import { clickRow, SEGMENT_HEADER } from '#test/support/make/click-rows.ts'
import { startRole, type RoleProcess } from '#test/support/run/role-process.ts'
import { clickRowsSql } from './click-generator.ts'
import { cpuSeconds, grouped, median, percentile, printTable } from './figures.ts'

const SEGMENT_ROWS = 100_000
const SEGMENTS = 4
const ROUNDS = 3

/**
 * How fast segments go over HTTP into the raw table and its three roll-ups, synced, beside the same rows into a table
 * without roll-ups and without sync; then how old a click is when it becomes visible, at 10,000 a second.
 */
export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ohma-bench-ingest-'))
  const events = await startRole('events', { DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  try {
    await migrateClickhouse(events.url, 'ohma')
    const db = openClickhouse(events.url, { requestTimeoutMs: 120_000 })
    await throughput(db, events)
    await freshness(db, dataDir, events)
    await db.close()
  } finally {
    await events.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function throughput(db: Clickhouse, events: RoleProcess): Promise<void> {
  const shape = { rows: 20_000_000, affiliates: 500, offers: 200, days: 90, end: new Date('2026-11-01T00:00:00Z') }
  const bodies: Buffer[] = []
  for (let index = 0; index < SEGMENTS; index++) {
    const rows = clickRowsSql(shape, 5_000_000 + index * SEGMENT_ROWS, SEGMENT_ROWS)
    const result = await db.exec({ query: `SELECT * REPLACE (toDecimal64(ts, 3) AS ts) FROM (${rows}) FORMAT TabSeparated` })
    bodies.push(Buffer.concat(await result.stream.toArray()))
  }
  await db.command({ query: 'CREATE TABLE plain AS click ENGINE = MergeTree PARTITION BY toYYYYMM(ts) ORDER BY (affiliate, ts)' })
  const plain = (body: Buffer) =>
    db.insert({
      table: 'plain',
      columns: [...CLICK_COLUMNS] as [string, ...string[]],
      values: Readable.from([body], { objectMode: false }),
      format: 'TabSeparated',
    }) // never empty
  let token = 0
  const synced = (body: Buffer) =>
    insertTextOnce(db, { table: 'click_inlet', columns: CLICK_COLUMNS, rows: body, token: `bench-${token++}` })
  const twoAtOnce = async (insert: (body: Buffer) => Promise<unknown>) => {
    const half = SEGMENTS / 2
    const series = async (part: Buffer[]) => {
      for (const body of part) await insert(body)
    }
    await Promise.all([series(bodies.slice(0, half)), series(bodies.slice(half))])
  }
  const oneByOne = async (insert: (body: Buffer) => Promise<unknown>) => {
    for (const body of bodies) await insert(body)
  }
  const variants = {
    'plain, one by one': () => oneByOne(plain),
    'raw + 3 roll-ups, synced, one by one': () => oneByOne(synced),
    'plain, two at once': () => twoAtOnce(plain),
    'raw + 3 roll-ups, synced, two at once': () => twoAtOnce(synced),
  }
  const seconds = new Map<string, number[]>()
  const cpu = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, insert] of Object.entries(variants)) {
      const cpuBefore = cpuSeconds(events.child.pid ?? 0)
      const started = performance.now()
      await insert()
      seconds.set(name, [...(seconds.get(name) ?? []), (performance.now() - started) / 1000])
      cpu.set(name, [...(cpu.get(name) ?? []), cpuSeconds(events.child.pid ?? 0) - cpuBefore])
    }
  }
  const rate = (name: string) => (SEGMENT_ROWS * SEGMENTS) / median(seconds.get(name) ?? [])
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0) / (SEGMENTS * SEGMENT_ROWS)
  printTable(
    `Ingest over HTTP: ${SEGMENTS} segments of ${grouped(SEGMENT_ROWS)} rows, ${bytes.toFixed(0)} bytes a row, median of ${ROUNDS} rounds (load ${loadavg()[0]?.toFixed(1)})`,
    [
      ['', 'rows/s', 'of plain', 'CPU µs/row'],
      ...Object.keys(variants).map((name) => [
        name,
        grouped(rate(name)),
        (rate(name) / rate(name.includes('two') ? 'plain, two at once' : 'plain, one by one')).toFixed(2),
        ((median(cpu.get(name) ?? []) * 1e6) / (SEGMENT_ROWS * SEGMENTS)).toFixed(2),
      ]),
    ],
  )
}

const CLICKS_PER_SECOND = 10_000
const ROTATION_MS = 500
const FRESHNESS_SECONDS = 12

async function freshness(db: Clickhouse, dataDir: string, events: RoleProcess): Promise<void> {
  const folder = join(dataDir, 'spool', 't1')
  await mkdir(folder, { recursive: true })
  const ingester = await startRole('ingester', { DATA_DIR: dataDir, CLICKHOUSE_URL: events.url, LOG_LEVEL: 'silent' })
  const affiliate = 4_000_000
  const perSegment = (CLICKS_PER_SECOND * ROTATION_MS) / 1000
  let written = 0
  const write = async () => {
    const until = performance.now() + FRESHNESS_SECONDS * 1000
    for (let segment = 0; performance.now() < until; segment++) {
      // A tracker opens its segment with the first click and rotates it half a second later.
      const opened = Date.now()
      await wait(ROTATION_MS)
      const rows = Array.from({ length: perSegment }, (_, index) =>
        clickRow({
          affiliate,
          ts: ((opened + (index * ROTATION_MS) / perSegment) / 1000).toFixed(3),
          rnd: index,
          offer: (index % 50) + 1,
          visitor: index,
        }),
      )
      const id = `t1-${opened}-${String(segment).padStart(6, '0')}`
      await writeFile(join(folder, id), SEGMENT_HEADER + rows.join(''), { flush: true })
      await rename(join(folder, id), join(folder, `${id}.seg`))
      written += perSegment
    }
  }
  const ages: number[] = []
  let writing = true
  const look = async () => {
    let newest = 0
    while (writing) {
      const result = await db.query({
        query: `SELECT toUnixTimestamp64Milli(max(ts)) AS at FROM click WHERE affiliate = ${affiliate}`,
        format: 'JSONEachRow',
      })
      const at = Number((await result.json<{ at: string }>())[0]?.at ?? 0)
      // Just before a segment shows, the click after the newest one seen is at its oldest.
      if (at > newest && newest > 0) ages.push(Date.now() - newest)
      newest = Math.max(newest, at)
      await wait(10)
    }
  }
  const looking = look()
  await write()
  writing = false
  await looking
  while ((await readdir(folder)).length > 0) await wait(20)
  await ingester.stop()
  const stored = await db.query({ query: `SELECT count() AS n FROM click WHERE affiliate = ${affiliate}`, format: 'JSONEachRow' })
  printTable(
    `Freshness at ${grouped(CLICKS_PER_SECOND)} clicks/s for ${FRESHNESS_SECONDS} s: age of the oldest click of a segment when it shows (goal: at most 2,000 ms)`,
    [
      ['p50', 'p95', 'worst', 'written', 'stored'],
      [
        `${median(ages)} ms`,
        `${percentile(ages, 0.95)} ms`,
        `${Math.max(...ages)} ms`,
        grouped(written),
        grouped(Number((await stored.json<{ n: string }>())[0]?.n)),
      ],
    ],
  )
}
