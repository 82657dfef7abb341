import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { preparedOn, type Db, type DbOrTrx } from './database.ts'
import { behind, inPipeline, together } from './pipeline.ts'

let database: TestDatabase
let db: Db

beforeAll(async () => {
  database = await cloneDatabase()
  db = preparedOn(database.db)
  await sql`create table piped (id int primary key)`.execute(db)
})
afterAll(() => database.drop())
beforeEach(() => sql`delete from piped`.execute(db))

const write = (on: DbOrTrx, id: number) => sql`insert into piped (id) values (${id})`.execute(on)
const count = async (on: DbOrTrx) =>
  Number((await sql<{ n: string }>`select count(*) as n from piped where id > ${0}`.execute(on)).rows[0]?.n)

test('statements asked for together are run in their order, each seeing those before it', async () => {
  const [, one, , two] = await inPipeline(db, (trx) =>
    together(
      trx,
      () => write(trx, 1),
      () => count(trx),
      () => write(trx, 2),
      () => count(trx),
    ),
  )
  expect([one, two, await count(db)]).toEqual([1, 2, 2])
})

test('a statement nothing waits for fails the transaction it is left behind in, and says why', async () => {
  const left = inPipeline(db, async (trx) => {
    await write(trx, 1)
    await behind(trx, write(trx, 1))
    await behind(trx, write(trx, 2))
    return 'done'
  })
  await expect(left).rejects.toThrow(/duplicate key/)
  expect(await count(db)).toBe(0)
  // whoever fails beside it hears the same
  const beside = inPipeline(db, async (trx) => {
    await behind(trx, write(trx, 3))
    await behind(trx, write(trx, 3))
    await write(trx, 4)
  })
  await expect(beside).rejects.toThrow(/duplicate key/)
  expect(await count(db)).toBe(0)
})

test.each([
  ['in a pipeline', (work: (trx: DbOrTrx) => Promise<unknown>) => inPipeline(db, work)],
  ['in a transaction of Kysely’s', (work: (trx: DbOrTrx) => Promise<unknown>) => db.transaction().execute(work)],
])('what goes on while another part fails is written by nobody, %s', async (_where, run) => {
  const steps = async (on: DbOrTrx) => {
    for (let id = 10; id < 20; id++) await write(on, id)
  }
  const failing = run((trx) =>
    together(
      trx,
      () => steps(trx),
      () => sql`select 1 / ${0}::int`.execute(trx),
      () => steps(trx),
    ),
  )
  await expect(failing).rejects.toThrow(/division by zero|duplicate key/)
  expect(await count(db)).toBe(0)
  // the connection goes on as before
  await inPipeline(db, (trx) => together(trx, ...[1, 2, 3].map((id) => () => write(trx, id))))
  expect(await count(db)).toBe(3)
})

test('what cannot be sent is followed by no commit', async () => {
  const unsendable = { toPostgres: () => { throw new Error('no such value') } } // prettier-ignore
  const failing = inPipeline(db, async (trx) => {
    await behind(trx, write(trx, 1))
    await behind(trx, sql`insert into piped (id) values (${unsendable})`.execute(trx))
  })
  await expect(failing).rejects.toThrow(/no such value/)
  expect(await count(db)).toBe(0)
})
