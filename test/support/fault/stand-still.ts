import { sql, type KyselyPlugin } from 'kysely'
import { expect } from 'vitest'
import type { Db } from '#server/platform/pg/database.ts'

/**
 * The same database, on which whoever asks the first statement that names all of these tables or words stands still behind it, with whatever
 * is locked by then, until `go`. `there` resolves once somebody does.
 */
export function standingStill(db: Db, ...named: string[]): { db: Db; there: Promise<void>; go(): void } {
  const [there, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let at: object | undefined
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const text = JSON.stringify(node, (_name, value: unknown) => (Buffer.isBuffer(value) || typeof value === 'bigint' ? '' : value))
      if (at === undefined && named.every((name) => text.includes(name))) at = queryId
      return node
    },
    async transformResult({ result, queryId }) {
      if (queryId === at) {
        there.resolve()
        await gone.promise
      }
      return result
    },
  }
  return { db: db.withPlugin(plugin), there: there.promise, go: () => gone.resolve() }
}

/** Resolves once so many wait in a database for what others hold, or `until` is over: then nobody made it wait. */
export async function waiting(db: Db, many = 1, until?: Promise<unknown>): Promise<void> {
  let over = false
  const end = () => void (over = true)
  until?.then(end, end)
  const count = async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
    return over ? many : rows.length
  }
  await expect.poll(count, { interval: 10, timeout: 20_000 }).toBeGreaterThanOrEqual(many)
}
