import fc from 'fast-check'
import { sql } from 'kysely'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { answer } from './ask.ts'
import { choose, wish, type Wish } from './choose.ts'
import type { World } from './world.ts'

const NAME = 'storm'
/** How PostgreSQL tells that a connection was ended from outside, and that two waited for each other. */
const CUT = new Set(['57P01', '08006', '08003'])
const DEADLOCK = '40P01'
/** What the product allows one statement, and what a storm allows it: who starves on a busy machine is slow, and no fault of the books. */
const SLOW_MS = 30_000
const PATIENCE_MS = 300_000

export type Storm = {
  /** How many asks were done, refused, and cut off by a kill. */
  done: number
  refused: number
  cut: number
  kills: number
  /** How many took longer than the product lets one statement take. */
  slow: number
  /** What nobody may see: a deadlock, or whatever is no answer of the product. */
  faults: string[]
}

/** The address of a database whose connections wait long, for a machine with more work than cores; who waits for another who waits for it is told even so. */
export function patient(url: string): string {
  const asked = new URL(url)
  for (const name of ['statement_timeout', 'idle_in_transaction_session_timeout']) asked.searchParams.set(name, String(PATIENCE_MS))
  return asked.href
}

/** Asks so many things from so many connections at once, and ends one of them from outside now and then, in the middle of whatever it does. */
export async function rage(
  world: World,
  url: string,
  {
    operations,
    connections,
    seed,
    killEvery,
    papers,
  }: { operations: number; connections: number; seed: number; killEvery: number; papers: number },
): Promise<Storm> {
  const pools = Array.from({ length: connections }, () => openDatabase(patient(url), { max: 1, applicationName: NAME, lazyCommits: true }))
  const wishes = fc.sample(fc.noBias(wish), { numRuns: operations, seed }).map((one, at) => cheaper(one, at, papers))
  const storm: Storm = { done: 0, refused: 0, cut: 0, kills: 0, slow: 0, faults: [] }
  const queue = wishes.entries()
  const kill = async () => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${NAME} and state <> 'idle' and datname = current_database()
      order by random() limit 1`.execute(world.db)
    storm.kills++
  }
  const ask = async (db: Db) => {
    for (const [at, wished] of queue) {
      const began = performance.now()
      try {
        if (at % killEvery === killEvery - 1) await kill()
        const chosen = await choose(world, db, wished)
        const told = await answer(world, db, world.staff[wished.by]!, chosen)
        if (told.done) storm.done++
        else if (told.code === 'internal_error') storm.faults.push(`${chosen.do}: ${told.code}`)
        else storm.refused++
      } catch (error) {
        const code = codeOf(error)
        if (CUT.has(code) || /terminat|Connection ended|not queryable|ECONNRESET|EPIPE/i.test(String(error))) storm.cut++
        else
          storm.faults.push(
            `${wished.kind}: ${code === DEADLOCK ? 'deadlock' : String(error)} ${error instanceof Error ? (error.stack ?? '').split('\n').slice(1, 9).join(' ') : ''}`,
          )
      } finally {
        if (performance.now() - began > SLOW_MS) storm.slow++
      }
    }
  }
  await Promise.all(pools.map(ask))
  await Promise.all(pools.map((pool) => pool.destroy()))
  return storm
}

/** What draws a document, or asks for a password, costs as much as twenty others: of so many one is asked for, in place of the rest advertisers call. */
function cheaper(one: Wish, at: number, papers: number): Wish {
  return DEAR.has(one.kind) && at % papers !== 0 ? { ...one, kind: 'report' } : one
}
const DEAR = new Set<Wish['kind']>(['approve', 'cancel', 'issue', 'credit', 'release file'])

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
