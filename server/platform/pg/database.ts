import type { Duplex } from 'node:stream'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Tables } from '#server/tables/tables.ts'
import { NamedQuery } from './named-query.ts'

export type { Tables }
export type Db = Kysely<Tables>
export type Trx = Transaction<Tables>
/** What a query takes as its first argument: the database, or a transaction, which is one too. A union of both would be checked twice. */
export type DbOrTrx = Kysely<Tables>

// A calendar day is text (2026-11-21): a Date would move it between zones.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/**
 * Opens a pool. int4 arrives as number; int8 and numeric as text, never as a float; timestamptz as Date.
 * `statement_timeout` keeps a forgotten query from holding a connection for ever. `lazyCommits` answers a commit before it
 * is on the disk: a power cut may take back the last half second, so it is for what would be made anew.
 */
export function openDatabase(connectionString: string, options: { max?: number; applicationName?: string; lazyCommits?: true } = {}): Db {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 10,
    // statements that are asked for at once, see `inPipeline`; others wait for each other as ever
    pipeline: true,
    application_name: options.applicationName ?? 'ohma',
    statement_timeout: 30_000,
    ...(options.lazyCommits && { options: '-c synchronous_commit=off' }),
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 5_000,
    // a plan is as old as its connection at most, and so is what plans take of the server's memory
    maxLifetimeSeconds: 1_800,
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  // One that breaks while it is taken, between two queries, tells only its client; the next query then fails in its caller.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    nameStatements(client, 'begin', USUAL)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  hot.set(db, new Kysely<Tables>({ dialect: new PostgresDialect({ pool: namingPool(pool) }) }))
  return db
}

const hot = new WeakMap<Db, Db>()

/**
 * The same pool for who asks the same few statements all day, such as of leads on their way: each connection plans one once and keeps
 * to it. Statements whose plan hangs on what is asked go through the database itself. A transaction stays as it is.
 */
export function preparedOn(db: Db): Db {
  return hot.get(db) ?? db
}

/**
 * Left to itself PostgreSQL plans some statements anew each time they are run, where it takes a plan for these values to be a little better:
 * of a lead that cost more than half of what the database did for it.
 */
const KEEPING_PLANS = 'begin; set local plan_cache_mode = force_generic_plan'

/** Hands out the connections of a pool with their statements named. Who opened the pool ends it. */
function namingPool(pool: pg.Pool) {
  const named = new WeakMap<pg.PoolClient, pg.PoolClient>()
  const naming = (client: pg.PoolClient): pg.PoolClient => {
    const known = named.get(client)
    if (known !== undefined) return known
    // a connection with other ways to ask: the pool's own stays as it is
    const made = Object.create(client, { release: { value: (error?: Error | boolean) => client.release(error) } }) as pg.PoolClient
    nameStatements(made, KEEPING_PLANS, HOT)
    named.set(client, made)
    return made
  }
  return { connect: async () => naming(await pool.connect()), end: async () => {}, options: pool.options }
}

/**
 * Runs what asks for a database in one transaction, of which every transaction it asks for is a part: a thousand small ones cost
 * a round trip each to begin and to end. For work that is thrown away as a whole when any of it fails.
 */
export function inOneTransaction<Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> {
  return db.transaction().execute((trx) => {
    const within = { execute: <Made>(part: (trx: Trx) => Promise<Made>) => part(trx) }
    return work(Object.assign(trx, { transaction: () => within }))
  })
}

/** Texts that vary without end would fill the memory: so many are named, and none that is longer. */
const MOST_NAMES = 4_000
const LONGEST = 8_000
/** So many texts without a name are counted; then all are counted anew. */
const MOST_COUNTED = 4_000
/** Asked for so often, a text is named: to read and plan a statement costs the server more than most statements do. */
const OFTEN = 3
/** A connection keeps statements of so many letters: a plan takes about a hundred bytes of the server's memory for each. */
const MOST_LETTERS = 150_000

/** What a conflict names has to be known when it is planned, or it names no index. */
const CONFLICT = /\bon conflict\b[^;]*?\$\d[^;]*?\bdo\s+(nothing|update)\b/i
/** What is best for the page of a list, for a sum or for one of many values hangs on what is asked, and costs more than its plan. */
const PLANNED_ANEW = new RegExp(String.raw`\boffset\b|\bgroup by\b|\b(count|sum)\s*\(|\bin \((\$\d+, ){7}|${CONFLICT.source}`, 'i')
/** “cached plan must not change result type” */
const CHANGED = '0A000'

/** What a connection keeps, whichever way it is asked, and how it is asked itself. */
type Kept = { names: Set<string>; letters: number; send: (...asked: unknown[]) => Promise<unknown> }
const keptBy = new WeakMap<object, Kept>()
let namesGiven = 0

type Names = ReturnType<typeof openNames>
const USUAL = openNames(PLANNED_ANEW)
const HOT = openNames(CONFLICT)

/** Names for what is asked for again and again, but for texts of which `anew` says that they are planned each time. */
function openNames(anew: RegExp) {
  const names = new Map<string, string | null>()
  const counts = new Map<string, number>()
  const name = (text: string): string | null => {
    if (names.size >= MOST_NAMES || text.length > LONGEST || anew.test(text)) return null
    const times = (counts.get(text) ?? 0) + 1
    if (times < OFTEN) {
      if (counts.size >= MOST_COUNTED) counts.clear()
      counts.set(text, times)
      return null
    }
    counts.delete(text)
    const made = `s${namesGiven++}`
    names.set(text, made)
    return made
  }
  return {
    /** By which the server knows a statement again; null of one that is to be read and planned now. */
    of(text: string, kept: Kept): string | null {
      const known = names.get(text)
      const its = known === undefined ? name(text) : known
      if (its === null || kept.names.has(its)) return its
      if (kept.letters + text.length > MOST_LETTERS) return null
      kept.names.add(its)
      kept.letters += text.length
      return its
    },
    never: (text: string) => void names.set(text, null),
  }
}

/**
 * Gives each statement with parameters that is asked for again and again a name, lets those of one moment leave in one packet, and a
 * transaction's `begin`, said by `beginning`, with its first statement.
 */
function nameStatements(client: pg.PoolClient, beginning: string, names: Names): void {
  const { connection } = client as unknown as { connection: { stream: Duplex } } // where its messages are written; its types leave it out
  // `pg` has many ways to ask; all but Kysely's stay as they are
  const kept = keptBy.get(connection) ?? { names: new Set(), letters: 0, send: client.query.bind(client) as Kept['send'] }
  keptBy.set(connection, kept)
  let gathering = false
  const ask = (...given: unknown[]) => {
    if (!gathering) {
      gathering = true
      connection.stream.cork()
      process.nextTick(() => {
        gathering = false
        connection.stream.uncork()
      })
    }
    return kept.send(...given)
  }
  const askNamed = (name: string, text: string, values: unknown[]) =>
    new Promise((resolve, reject) => {
      const done = (error: (Error & { code?: string }) | undefined, result: unknown) => {
        // its rows look different since a migration
        if (error?.code === CHANGED) names.never(text)
        if (error) reject(error)
        else resolve(result)
      }
      void ask(new NamedQuery(name, text, values, done))
    })
  let begun: Promise<unknown> = Promise.resolve()
  const naming = (...given: unknown[]) => {
    const [text, values] = given
    if (given.length !== 2 || typeof text !== 'string' || !Array.isArray(values)) return ask(...given)
    if (text === 'begin') {
      begun = ask(beginning)
      begun.catch(() => undefined) // the commit tells
      return Promise.resolve({ command: 'BEGIN', rowCount: null, rows: [] })
    }
    if (text === 'commit') return begun.then(() => ask(text))
    if (values.length === 0) return ask(...given)
    const name = names.of(text, kept)
    return name === null ? ask(...given) : askNamed(name, text, values)
  }
  client.query = naming as typeof client.query // the same ways
}
