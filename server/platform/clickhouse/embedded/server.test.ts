import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startRole, type RoleProcess } from '#test/support/run/role-process.ts'
import { openClickhouse, type Clickhouse } from '../client.ts'

let dataDir: string
let events: RoleProcess
let db: Clickhouse

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'ohma-events-'))
  events = await startRole('events', { DATA_DIR: dataDir, EVENTS_MEMORY_MB: '700' })
  db = openClickhouse(events.url, { database: 'default' })
})
afterAll(async () => {
  await db.close()
  await events.stop()
  await rm(dataDir, { recursive: true, force: true })
})

type Options = Omit<Parameters<Clickhouse['query']>[0], 'query' | 'format'>
const rows = async <Row>(query: string, options: Options = {}) => (await db.query({ ...options, query, format: 'JSONEachRow' })).json<Row>()

/** How many of the statements run that only their limit or their client's leaving ends. */
const running = async () =>
  (
    await rows<{ n: string }>(
      "select count() as n from system.processes where query like '%cityHash64(number)%' and query not like '%system.processes%' and not is_cancelled",
    )
  )[0]?.n

describe('the embedded ClickHouse', () => {
  it('answers ping, both kinds', async () => {
    expect(await db.ping()).toEqual({ success: true })
    expect(await db.ping({ select: true })).toEqual({ success: true })
  })

  it('keeps its password to its owner and refuses a wrong one', async () => {
    expect((await stat(join(dataDir, 'events-password'))).mode & 0o777).toBe(0o600)
    const stranger = openClickhouse(events.url.replace(/:[^:@]+@/, ':wrong@'), { database: 'default' })
    await expect(stranger.query({ query: 'select 1' })).rejects.toMatchObject({ code: '516', type: 'AUTHENTICATION_FAILED' })
    await stranger.close()
  })

  it('reads every result format the client knows', async () => {
    const query = "select toUInt64(1) as id, toDecimal64('1.5000', 4) as sum, 'a\tb' as text"
    expect(await (await db.query({ query, format: 'JSON' })).json()).toMatchObject({
      rows: 1,
      data: [{ id: '1', sum: '1.5000', text: 'a\tb' }],
    })
    expect(await (await db.query({ query, format: 'JSONCompact' })).json()).toMatchObject({ data: [['1', '1.5000', 'a\tb']] })
    expect(await rows(query)).toEqual([{ id: '1', sum: '1.5000', text: 'a\tb' }])
    expect(await (await db.query({ query, format: 'TabSeparated' })).text()).toBe('1\t1.5000\ta\\tb\n')
    expect(await (await db.query({ query, format: 'CSVWithNames' })).text()).toBe('"id","sum","text"\n1,1.5000,"a\tb"\n')
  })

  it('streams a large result without gaps', async () => {
    const result = await db.query({ query: 'select number from numbers(500000)', format: 'JSONEachRow' })
    let count = 0
    let sum = 0
    for await (const chunk of result.stream<{ number: string }>()) {
      for (const row of chunk) {
        count += 1
        sum += Number(row.json().number)
      }
    }
    expect([count, sum]).toEqual([500_000, (500_000 * 499_999) / 2])
  })

  it('binds typed parameters, hostile text included, and forgets them afterwards', async () => {
    const text = `it's a\ttab\nline \\ "quote" {x:String} \`; drop table t`
    const query =
      'select {text:String} as text, {number:UInt32} + 1 as number, {at:DateTime64(3)} as at, {list:Array(UInt32)} as list, {none:Nullable(String)} as none, {map:Map(String, String)} as map'
    const [row] = await rows(query, {
      query_params: { text, number: 41, at: new Date('2026-03-01T10:00:00.123Z'), list: [1, 2], none: null, map: { a: "b'c" } },
    })
    expect(row).toEqual({ text, number: '42', at: '2026-03-01 10:00:00.123', list: [1, 2], none: null, map: { a: "b'c" } })
    await expect(rows('select {text:String} as text')).rejects.toMatchObject({ code: '456' })
  })

  it('binds parameters that are too long for a URL', async () => {
    const ids = Array.from({ length: 5000 }, (_, index) => index)
    const result = await db.query({
      query: 'select length({ids:Array(UInt32)}) as n',
      format: 'JSONEachRow',
      query_params: { ids },
      use_multipart_params: true,
    })
    expect(await result.json()).toEqual([{ n: '5000' }])
  })

  it('keeps settings to the request that carries them, even when it fails', async () => {
    const threads = async () => (await rows<{ t: string }>("select toString(getSetting('max_threads')) as t"))[0]?.t
    const before = await threads()
    await rows("select toString(getSetting('max_threads')) as t", { clickhouse_settings: { max_threads: 1 } })
    await expect(rows('select nonsense', { clickhouse_settings: { max_threads: 1 } })).rejects.toThrow()
    await expect(rows('select 1', { clickhouse_settings: { no_such_setting: 1 } as never })).rejects.toMatchObject({ code: '115' })
    await db.command({ query: 'SET max_threads = 1' })
    for (let round = 0; round < 12; round++) expect(await threads()).toBe(before)
  })

  it.each([
    ['selec 1', '62', 'SYNTAX_ERROR'],
    ['select * from nowhere', '60', 'UNKNOWN_TABLE'],
    ['select nothing', '47', 'UNKNOWN_IDENTIFIER'],
    ["select throwIf(1, 'because')", '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO'],
  ])('tells the error of %s with its code and type', async (query, code, type) => {
    await expect(rows(query)).rejects.toMatchObject({ code, type })
  })

  it('inserts streams and arrays, in the database of the client, and tells how many rows', async () => {
    await db.command({ query: 'create database if not exists other' })
    const other = openClickhouse(events.url, { database: 'other' })
    await other.command({ query: 'create table t (id UInt32, text String) engine = MergeTree order by id' })
    const result = await other.insert({
      table: 't',
      values: Readable.from(['1\ta\\tb\n', '2\tc\n'], { objectMode: false }),
      format: 'TabSeparated',
      columns: ['id', 'text'],
    })
    expect(result.summary).toMatchObject({ written_rows: '2' })
    await other.insert({ table: 't', values: [{ id: 3, text: "it's" }], format: 'JSONEachRow' })
    const native = await (await other.exec({ query: 'select id + 10 as id, text from t format Native' })).stream.toArray()
    await other
      .exec({ query: 'insert into t (id, text) format Native', values: Readable.from([Buffer.concat(native)], { objectMode: false }) })
      .then((inserted) => inserted.stream.resume())
    await other.command({ query: "insert into t values (20, 'v;w')" })
    await expect
      .poll(async () => (await other.query({ query: 'select id, text from t order by id', format: 'JSONCompactEachRow' })).json())
      .toEqual([
        [1, 'a\tb'],
        [2, 'c'],
        [3, "it's"],
        [11, 'a\tb'],
        [12, 'c'],
        [13, "it's"],
        [20, 'v;w'],
      ])
    await expect(db.query({ query: 'select * from t' })).rejects.toMatchObject({ type: 'UNKNOWN_TABLE' })
    await other.close()
  })

  it('refuses a whole insert when one of its rows is bad, and names the row', async () => {
    await db.command({ query: 'create table strict (id UInt32) engine = MergeTree order by id' })
    const values = Readable.from(['1\n2\nthree\n4\n'], { objectMode: false })
    await expect(db.insert({ table: 'strict', values, format: 'TabSeparated' })).rejects.toThrow(/\(at row 3\)/)
    expect(await rows('select count() as n from strict')).toEqual([{ n: '0' }])
  })

  it('takes a blank line among the rows for a row, never for the end of the statement', async () => {
    await db.command({ query: 'create table blank (text String) engine = MergeTree order by tuple()' })
    const text = 'a\n\nDROP TABLE blank\n'
    await db.insert({ table: 'blank', values: Readable.from([text], { objectMode: false }), format: 'TabSeparated' })
    await db.command({ query: `insert into blank format TabSeparated\n${text}` })
    expect(await rows('select text, count() as n from blank group by text order by text')).toEqual([
      { text: '', n: '2' },
      { text: 'DROP TABLE blank', n: '2' },
      { text: 'a', n: '2' },
    ])
  })

  it('ends a slow statement at its limit of time and of memory', async () => {
    await expect(
      rows('select sum(cityHash64(number)) from numbers(100000000000)', { clickhouse_settings: { max_execution_time: 1 } }),
    ).rejects.toMatchObject({ code: '159' })
    await expect(rows('select groupArray(toString(number)) from numbers(100000000)')).rejects.toMatchObject({ code: '241' })
  })

  it('ends a statement whose client has gone', async () => {
    const leaving = new AbortController()
    const query = db.query({ query: 'select sum(cityHash64(number)) as s from numbers(100000000000)', abort_signal: leaving.signal })
    await expect.poll(running).toBe('1')
    leaving.abort()
    await expect(query).rejects.toThrow()
    await expect.poll(running).toBe('0')
  })

  it('runs 200 parametrised queries at once without mixing them up', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => rows<{ n: number }>('select {n:UInt32} as n', { query_params: { n: index } })),
    )
    expect(answers.map(([row]) => row?.n)).toEqual(Array.from({ length: 200 }, (_, index) => index))
  })

  it('lets neither inserts nor other reports wait for a long one', async () => {
    await db.command({ query: 'create table busy (id UInt32) engine = MergeTree order by id' })
    const leaving = new AbortController()
    const sum = 'select sum(cityHash64(number)) from numbers(100000000000)'
    // A scalar subquery is what a streamed query would compute on the calling thread.
    const long = [sum, sum, sum, `select (${sum}) as s`].map((query) =>
      rows(query, { abort_signal: leaving.signal, clickhouse_settings: { max_threads: 1 } }).catch(() => 'ended'),
    )
    await expect.poll(running).toBe('4')
    for (let id = 1; id <= 5; id++) {
      await db.insert({ table: 'busy', values: [{ id }], format: 'JSONEachRow' })
      expect(await rows('select count() as n from busy')).toEqual([{ n: String(id) }])
    }
    // none of them had ended before those got their turn
    expect(await running()).toBe('4')
    leaving.abort()
    expect(await Promise.all(long)).toEqual(['ended', 'ended', 'ended', 'ended'])
    await expect.poll(running).toBe('0')
  })
})

describe('an events process that was killed', () => {
  it('comes back by itself with what was acknowledged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ohma-events-killed-'))
    const first = await startRole('events', { DATA_DIR: folder })
    const before = openClickhouse(first.url, { database: 'default' })
    await before.command({
      query: 'create table kept (id UInt32) engine = MergeTree order by id settings fsync_after_insert = 1, fsync_part_directory = 1',
    })
    await before.insert({ table: 'kept', values: [{ id: 7 }], format: 'JSONEachRow' })
    await before.close()
    await first.kill()
    const started = performance.now()
    const second = await startRole('events', { DATA_DIR: folder })
    expect(performance.now() - started).toBeLessThan(15_000)
    const after = openClickhouse(second.url, { database: 'default' })
    expect(await (await after.query({ query: 'select id from kept', format: 'JSONEachRow' })).json()).toEqual([{ id: 7 }])
    await after.close()
    await second.stop()
    await rm(folder, { recursive: true, force: true })
  })
})
