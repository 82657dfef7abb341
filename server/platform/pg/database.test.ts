import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { openDatabase, preparedOn, type Db } from './database.ts'

let database: TestDatabase
/** Of one connection, which is asked what it was told to keep. */
let db: Db
beforeAll(async () => {
  database = await cloneDatabase()
})
beforeEach(() => {
  db = openDatabase(database.url, { max: 1 })
})
afterEach(() => db.destroy())
afterAll(() => database.drop())

/** How often the server planned each statement it keeps whose text has `word` in it: anew, and once for all. */
const kept = async (word: string) => {
  const { rows } = await sql<{ statement: string; plans: number }>`
    select statement, (generic_plans + custom_plans)::int as plans from pg_prepared_statements`.execute(db)
  return rows.filter(({ statement }) => statement.includes(word) && !statement.includes('pg_prepared'))
}
const times = async (count: number, ask: (n: number) => Promise<unknown>) => {
  for (let n = 1; n <= count; n++) await ask(n)
}

test('what is asked for again and again is read once by the server; what is asked twice, pages of lists, and what names a partial index by a value, are not kept', async () => {
  await times(2, (n) => sql`select ${n}::int as twice`.execute(db))
  await times(6, (n) => sql`select ${n}::int as often`.execute(db))
  await times(6, (n) => sql`select ${n}::int as paged limit 1 offset 0`.execute(db))
  await sql`create table once (kind text, state text)`.execute(db)
  await sql`create unique index on once (kind) where state = 'open'`.execute(db)
  await times(8, (n) =>
    sql`insert into once values (${String(n % 2)}, 'open') on conflict (kind) where state = ${'open'} do nothing`.execute(db),
  )
  expect(await kept('once')).toEqual([])
  expect(await kept('twice')).toEqual([])
  expect(await kept('paged')).toEqual([])
  expect(await kept('often')).toEqual([{ statement: 'select $1::int as often', plans: 4 }])
  // another connection reads it at its first asking
  const { rows } = await sql<{ often: number }>`select ${7}::int as often`.execute(db)
  expect(rows).toEqual([{ often: 7 }])
})

test('sums, lists of many values and what would fill the memory of a connection are planned anew', async () => {
  const many = (count: number) => sql.join(Array.from({ length: count }, (_none, n) => sql`${n}`))
  await times(5, (n) => sql`select count(*) as counted where ${n}::int > 0`.execute(db))
  await times(5, (n) => sql`select 1 as grouped where ${n}::int > 0 group by 1`.execute(db))
  await times(5, () => sql`select 1 as few where 1 in (${many(7)})`.execute(db))
  await times(5, () => sql`select 1 as lots where 1 in (${many(8)})`.execute(db))
  expect(await kept('counted')).toEqual([])
  expect(await kept('grouped')).toEqual([])
  expect(await kept('lots')).toEqual([])
  expect(await kept('few')).toHaveLength(1)
  const long = 'x'.repeat(2_000)
  for (let text = 0; text < 100; text++) await times(4, (n) => sql`select ${n}::int as ${sql.raw(`"f${text}" /* ${long} */`)}`.execute(db))
  const keeps = (await kept('/* x')).length
  expect([keeps > 60, keeps < 75]).toEqual([true, true])
  // whichever way the connection is asked, and what it keeps stays named
  await times(4, (n) => sql`select ${n}::int as hot_too /* ${sql.raw(long)} */`.execute(preparedOn(db)))
  expect(await kept('hot_too')).toEqual([])
  expect((await kept('few'))[0]?.plans).toBe(3)
  await sql`select 1 as few where 1 in (${many(7)})`.execute(db)
  expect((await kept('few'))[0]?.plans).toBe(4)
})

test('a statement whose rows look different since a migration fails once at most, and is never kept again', async () => {
  await sql`create table shape (x integer)`.execute(db)
  await sql`insert into shape values (1)`.execute(db)
  const ask = () => sql`select * from shape where x = ${1}::int`.execute(db)
  await times(4, ask)
  await sql`alter table shape add column y text`.execute(db)
  await expect(ask()).rejects.toThrow('cached plan must not change result type')
  expect((await ask()).rows).toEqual([{ x: 1, y: null }])
})

test('a transaction whose first statement fails is over, and the connection serves the next', async () => {
  const failing = db.transaction().execute((trx) => sql`select 1 / ${0}::int`.execute(trx))
  await expect(failing).rejects.toThrow('division by zero')
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ deep: boolean }>`select now() < clock_timestamp() as deep where ${1}::int = 1`.execute(trx)
    expect(rows).toHaveLength(1)
  })
  // nothing at all is a transaction too
  await db.transaction().execute(async () => {})
  expect((await sql<{ one: number }>`select ${1}::int as one`.execute(db)).rows).toEqual([{ one: 1 }])
})
