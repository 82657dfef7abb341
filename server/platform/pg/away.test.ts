import pg from 'pg'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { cloneDatabase } from '#test/support/run/database.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { isAway } from './away.ts'
import { openDatabase } from './database.ts'

async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(() => undefined).catch((error: unknown) => error)
}

test('a server that is not there or ends the connection is away, a mistake in a query is not', async () => {
  const nobody = new pg.Client({ host: '127.0.0.1', port: await freePort(), user: 'x', database: 'x' })
  expect(isAway(await errorOf(nobody.connect()))).toBe(true)

  const database = await cloneDatabase()
  const second = openDatabase(database.url, { max: 1 })
  expect(isAway(await errorOf(sql`select nonsense`.execute(second)))).toBe(false)
  expect(isAway(await errorOf(sql`select 'x'::int`.execute(second)))).toBe(false)
  // taken out of the pool, between two queries, when its server process ends: nothing of ours may end with it
  const broken = second.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(database.db)
    await expect.poll(async () => isAway(await errorOf(sql`select 1`.execute(connection)))).toBe(true)
  })
  await errorOf(broken)
  const asked = () => sql`select 1 as one`.execute(second).then((answer) => answer.rows)
  await expect.poll(() => asked().catch(() => [])).toEqual([{ one: 1 }])
  await second.destroy()
  await database.drop()
})
