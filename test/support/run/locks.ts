import { sql } from 'kysely'
import { expect, onTestFinished } from 'vitest'
import type { Db, Trx } from '#server/platform/pg/database.ts'

/** Holds what `take` locks until the function it answers is called, or the test is over. */
export async function holdLock(db: Db, take: (trx: Trx) => Promise<unknown>): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const done = db.transaction().execute(async (trx) => {
    await take(trx)
    taken.resolve()
    await held.promise
  })
  await Promise.race([taken.promise, done])
  const letGo = async () => {
    held.resolve()
    await done
  }
  onTestFinished(letGo)
  return letGo
}

/** Waits until so many others wait for a lock of a database. */
export async function untilWaiting(db: Db, many: number): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
      return rows.length
    })
    .toBe(many)
}
