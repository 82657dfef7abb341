import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { copyIn, copyOut } from './copy.ts'

let database: TestDatabase
let client: pg.Client

beforeAll(async () => {
  database = await cloneDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('rows that are copied out and in again are the same, more than fit into memory at once', async () => {
  await client.query(
    `create table source as select n, repeat(md5(n::text), 40) as text, null::int as nothing from generate_series(1, 20000) as n`,
  )
  await client.query('create table target (like source)')
  const other = new pg.Client({ connectionString: database.url })
  await other.connect()
  try {
    await copyIn(other, 'copy target from stdin', copyOut(client, 'copy source to stdout'))
  } finally {
    await other.end()
  }
  const { rows } = await client.query(
    'select count(*)::int as rows, (select count(*)::int from (select * from source except select * from target) as missing) as missing from target',
  )
  expect(rows).toEqual([{ rows: 20_000, missing: 0 }])
})

test('a row that does not fit refuses the whole copy, and the connection goes on', async () => {
  await client.query('create table strict (n int)')
  const rows = (async function* () {
    yield Buffer.from('1\nabc\n')
  })()
  await expect(copyIn(client, 'copy strict from stdin', rows)).rejects.toThrow(/abc/)
  expect((await client.query('select count(*)::int as rows from strict')).rows).toEqual([{ rows: 0 }])
})

test('a source that fails refuses the whole copy', async () => {
  const rows = (async function* () {
    yield Buffer.from('1\n')
    throw new Error('the file is cut off')
  })()
  await expect(copyIn(client, 'copy strict from stdin', rows)).rejects.toThrow(/the file is cut off/)
})

test('a copy of a table that is missing says so', async () => {
  await expect(Array.fromAsync(copyOut(client, 'copy nowhere to stdout'))).rejects.toThrow(/nowhere/)
})
