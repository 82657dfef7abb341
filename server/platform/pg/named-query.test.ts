import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '#test/support/run/database.ts'
import { NamedQuery } from './named-query.ts'

let database: Awaited<ReturnType<typeof cloneDatabase>>
let client: pg.Client
const described: string[] = []
beforeAll(async () => {
  database = await cloneDatabase()
  client = new pg.Client({ connectionString: database.url, pipeline: true })
  await client.connect()
  const { connection } = client as unknown as { connection: { describe(what: { name: string }): void } } // its types leave it out
  const describe = connection.describe.bind(connection)
  connection.describe = (what) => {
    described.push(what.name)
    describe(what)
  }
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

const run = (name: string, text: string, values: unknown[]) =>
  new Promise<pg.QueryResult>((resolve, reject) => {
    const done = (error: Error | undefined, result: unknown) => (error ? reject(error) : resolve(result as pg.QueryResult)) // what `pg` answers
    client.query(new NamedQuery(name, text, values, done) as unknown as pg.Query)
  })

test('a named statement is described once in a connection, and its rows are read as before, also where several are on their way', async () => {
  const text = `select n, n * 2.5 as half, now() is not null as yes, case when n = 2 then null else array[n] end as list, '{"a": 1}'::jsonb as doc
                  from generate_series(1, $1::int) as n`
  const first = await run('rows', text, [3])
  const count = described.length
  const [again, other, fewer] = await Promise.all([
    run('rows', text, [3]),
    run('other', 'select $1::text as word', ['x']),
    run('rows', text, [1]),
  ])
  expect(described.length).toBe(count + 1)
  expect([first.rows, first.fields, first.rowCount]).toEqual([again.rows, again.fields, again.rowCount])
  expect(again.rows[1]).toEqual({ n: 2, half: '5.0', yes: true, list: null, doc: { a: 1 } })
  expect([other.rows, fewer.rows.length, (await run('rows', text, [0])).rows]).toEqual([[{ word: 'x' }], 1, []])
})

test('one whose rows would look different is refused by the server, not misread', async () => {
  await client.query('create table shape (x integer); insert into shape values (1)')
  const ask = () => run('shape', 'select * from shape where x is not null and $1::int is not null', [1])
  expect((await ask()).rows).toEqual([{ x: 1 }])
  await client.query('alter table shape add column y text')
  await expect(ask()).rejects.toThrow('cached plan must not change result type')
})
