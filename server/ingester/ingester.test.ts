import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClickhouse, type Clickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { identityOf } from '#server/platform/process/identity.ts'
import { clickRow, SEGMENT_HEADER } from '#test/support/make/click-rows.ts'
import { startRole, type RoleProcess } from '#test/support/run/role-process.ts'
import type { IngesterStatus } from './sweep.ts'

// once in `npm test`, again and again in `npm run torture`
const ROUNDS = process.env['TORTURE'] ? 6 : 1

let dataDir: string
let env: Record<string, string>
let events: RoleProcess
let ingester: RoleProcess
let db: Clickhouse
let counter = 0

const startEvents = () => startRole('events', env)
const startIngester = () => startRole('ingester', env)
const folder = (tracker: string) => join(dataDir, 'spool', tracker)

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ohma-ingester-'))
  env = { DATA_DIR: dataDir, EVENTS_PORT: String(await freePort()), LOG_LEVEL: 'silent' }
  events = await startEvents()
  env['CLICKHOUSE_URL'] = events.url
  await migrateClickhouse(events.url, 'ohma')
  db = openClickhouse(events.url)
  ingester = await startIngester()
})
afterAll(async () => {
  await ingester.stop()
  await db.close()
  await events.stop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Writes a sealed segment as a tracker does: whole under another name first. Returns its id. */
const seal = async (tracker: string, rows: string, id = `${tracker}-${Date.now()}-${String(counter++).padStart(6, '0')}`) => {
  await mkdir(folder(tracker), { recursive: true })
  await writeFile(join(folder(tracker), `${id}.draft`), `${SEGMENT_HEADER}${rows}`)
  await rename(join(folder(tracker), `${id}.draft`), join(folder(tracker), `${id}.seg`))
  return id
}
const waiting = async (tracker: string) =>
  (await readdir(folder(tracker))).filter((name) => name.endsWith('.seg') || name.endsWith('.open'))
const emptied = (tracker: string) => expect.poll(() => waiting(tracker), { timeout: 20_000 }).toEqual([])
const nonces = async (affiliate: number) => {
  const result = await db.query({
    query: 'SELECT sub2 FROM click WHERE affiliate = {affiliate:UInt32} ORDER BY sub2',
    query_params: { affiliate },
    format: 'JSONEachRow',
  })
  return (await result.json<{ sub2: string }>()).map(({ sub2 }) => sub2)
}
const status = async () => JSON.parse(await readFile(join(dataDir, 'run', 'ingester.json'), 'utf8')) as IngesterStatus

describe('the ingester', () => {
  it('stores a sealed segment within two seconds and deletes it', async () => {
    const started = performance.now()
    await seal('t1', clickRow({ affiliate: 10, sub2: 'a' }) + clickRow({ affiliate: 10, sub2: 'b' }))
    await expect.poll(() => nonces(10), { interval: 20 }).toEqual(['a', 'b'])
    expect(performance.now() - started).toBeLessThan(2000)
    await emptied('t1')
  })

  it('changes nothing when the same segment comes five times', async () => {
    const rows = clickRow({ affiliate: 11, sub2: 'once' })
    const id = await seal('t1', rows)
    for (let copy = 1; copy < 5; copy++) {
      await emptied('t1')
      await seal('t1', rows, id)
    }
    await emptied('t1')
    expect(await nonces(11)).toEqual(['once'])
    const result = await db.query({
      query: 'SELECT sum(clicks) AS clicks FROM click_by_affiliate WHERE affiliate = 11',
      format: 'JSONEachRow',
    })
    expect(await result.json()).toEqual([{ clicks: '1' }])
  })

  it('sets rows aside that cannot be read and stores all others', async () => {
    const before = (await status().catch(() => null))?.rows_quarantined ?? 0
    const bad = [
      clickRow({ affiliate: 12, ip: 'nonsense' }),
      clickRow({ affiliate: 12, geo: 'USA' }),
      'too\tfew\n',
      clickRow({ affiliate: 12, ts: 'yesterday' }),
    ]
    const good = (index: number) => clickRow({ affiliate: 12, sub2: String(index).padStart(4, '0') })
    const id = await seal(
      't1',
      Array.from({ length: 500 }, (_, index) => good(index) + (bad[index % 125 === 7 ? Math.floor(index / 125) : 4] ?? '')).join(''),
    )
    await emptied('t1')
    expect(await nonces(12)).toEqual(Array.from({ length: 500 }, (_, index) => String(index).padStart(4, '0')))
    expect(await readFile(join(dataDir, 'quarantine', `${id}.seg`), 'utf8')).toBe(SEGMENT_HEADER + bad.join(''))
    await expect.poll(async () => (await status()).rows_quarantined).toBe(before + 4)
  })

  it('sets a file aside that is no segment, and goes on', async () => {
    await mkdir(folder('t1'), { recursive: true })
    await writeFile(join(folder('t1'), 't1-0000000000001-000000.seg'), 'not ours\n')
    await seal('t1', clickRow({ affiliate: 13, sub2: 'after' }))
    await emptied('t1')
    expect(await nonces(13)).toEqual(['after'])
    expect(await readdir(join(dataDir, 'quarantine'))).toContain('t1-0000000000001-000000.seg')
  })

  it('seals what a tracker that is gone left open, without its torn row, and leaves a living one alone', async () => {
    const zeros = '\0'.repeat(4096)
    for (const tracker of ['gone', 'alive']) await mkdir(folder(tracker), { recursive: true })
    await writeFile(join(folder('alive'), 'lock'), JSON.stringify(identityOf(process.pid)))
    await writeFile(join(folder('gone'), 'lock'), JSON.stringify({ pid: process.pid, started: 'before' }))
    await writeFile(
      join(folder('alive'), 'alive-1772359200123-000001.open'),
      SEGMENT_HEADER + clickRow({ affiliate: 14, sub2: 'not yet' }) + zeros,
    )
    await writeFile(
      join(folder('gone'), 'gone-1772359200123-000001.open'),
      `${SEGMENT_HEADER}${clickRow({ affiliate: 14, sub2: 'whole' })}177235${zeros}`,
    )
    await writeFile(join(folder('gone'), 'gone-1772359200123-000002.open'), SEGMENT_HEADER + zeros)
    await writeFile(join(folder('gone'), 'pb-gone-1772359200123-000003.open'), '{}\n')
    await expect.poll(() => waiting('gone'), { timeout: 10_000 }).toEqual(['pb-gone-1772359200123-000003.open'])
    expect(await waiting('alive')).toEqual(['alive-1772359200123-000001.open'])
    expect(await nonces(14)).toEqual(['whole'])
  })

  it('keeps everything while the engine is away and tells how far it is behind', async () => {
    await events.stop()
    const ids = [
      await seal('t1', clickRow({ affiliate: 15, sub2: '1' })),
      await seal('t2', clickRow({ affiliate: 15, sub2: '2' })),
      await seal('t1', clickRow({ affiliate: 15, sub2: '3' })),
    ]
    await expect.poll(async () => (await status()).engine_away_since, { timeout: 10_000 }).not.toBeNull()
    await expect.poll(async () => (await status()).lag_ms, { timeout: 10_000 }).toBeGreaterThan(500)
    expect([...(await waiting('t1')), ...(await waiting('t2'))].sort()).toEqual(ids.map((id) => `${id}.seg`).sort())
    events = await startEvents()
    await emptied('t1')
    await emptied('t2')
    expect(await nonces(15)).toEqual(['1', '2', '3'])
    await expect.poll(async () => (await status()).lag_ms, { timeout: 5_000 }).toBe(0)
  })

  it('stores every click exactly once although it and the engine are killed again and again', { timeout: 120_000 }, async () => {
    const sent: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      for (let segment = 0; segment < 40; segment++) {
        const names = Array.from(
          { length: 200 },
          (_, index) => `${round}-${String(segment).padStart(2, '0')}-${String(index).padStart(3, '0')}`,
        )
        sent.push(...names)
        await seal(segment % 2 === 0 ? 'ta' : 'tb', names.map((sub2) => clickRow({ affiliate: 16, sub2 })).join(''))
      }
      // In the middle of the work: some segments are stored, some are on their way.
      await expect.poll(async () => (await waiting('ta')).length, { interval: 5, timeout: 20_000 }).toBeLessThan(20 - (round % 4) * 4)
      const both = round % 2 === 0
      if (both) await events.kill()
      await ingester.kill()
      if (both) events = await startEvents()
      ingester = await startIngester()
      await emptied('ta')
      await emptied('tb')
    }
    expect(await nonces(16)).toEqual(sent.sort())
    const rollup = await db.query({ query: 'SELECT sum(clicks) AS clicks FROM click_by_geo WHERE offer = 1', format: 'JSONEachRow' })
    const raw = await db.query({
      query: "SELECT count() AS clicks FROM click WHERE offer = 1 AND reason = '' AND flags = 0",
      format: 'JSONEachRow',
    })
    expect(await rollup.json()).toEqual(await raw.json())
  })
})
