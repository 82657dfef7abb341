import { PostgresDialect, Transaction } from 'kysely'
import type { Db, DbOrTrx, Tables, Trx } from './database.ts'

/** Of transactions whose statements may be on their way at once, what their commit leaves behind. */
const behindOf = new WeakMap<DbOrTrx, Promise<unknown>[]>()

/**
 * A transaction whose statements may be on their way at once: those asked for `together` leave together, are run in the order they were
 * asked for, each seeing what those before it did and holding what they locked, and cost one round trip. Kysely's own transactions let
 * a statement go only once the one before was answered.
 */
export async function inPipeline<Result>(db: Db, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  const writing: Promise<unknown>[] = []
  const written = () => Promise.all(writing)
  try {
    const result = await db.transaction().execute(async (queued) => {
      const { trx, close } = await pipelined(queued)
      behindOf.set(trx, writing)
      try {
        const done = await work(trx)
        // what cannot even be sent has failed by then: it is followed by no commit
        await Promise.race([written(), new Promise((sent) => void process.nextTick(sent))])
        return done
      } finally {
        close()
      }
    })
    await written()
    return result
  } catch (error) {
    // rather why than that it was rolled back
    await written()
    throw error
  }
}

/** The same for what only reads: the answer is there before the transaction is over, whose end changes nothing of it. */
export function readInPipeline<Result>(db: Db, read: (trx: Trx) => Promise<Result>): Promise<Result> {
  return new Promise((answer, fail) => {
    const reading = inPipeline(db, async (trx) => answer(await read(trx)))
    reading.catch(fail) // unless it was answered
  })
}

/**
 * Does several things that do not wait for each other: at once in a transaction that is `inPipeline`, else one after the other. Then
 * nothing of them comes after a rollback, as it may when a transaction of Kysely's is asked for them by `Promise.all`.
 */
export async function together<const Asked extends readonly (() => Promise<unknown>)[]>(
  db: DbOrTrx,
  ...asked: Asked
): Promise<{ -readonly [Place in keyof Asked]: Awaited<ReturnType<Asked[Place]>> }> {
  const answers: unknown[] = behindOf.has(db) ? await Promise.all(asked.map((ask) => ask())) : []
  if (!behindOf.has(db)) for (const ask of asked) answers.push(await ask())
  return answers as { -readonly [Place in keyof Asked]: Awaited<ReturnType<Asked[Place]>> } // one answer each, in their order
}

/**
 * Hands over a statement, one that was asked for already, whose answer nothing of the transaction waits for: in one that is `inPipeline`
 * the commit leaves right behind it. Where it fails that commit is a rollback, and the caller hears why.
 */
export async function behind(trx: Trx, writing: Promise<unknown>): Promise<void> {
  const all = behindOf.get(trx)
  if (all === undefined) return void (await writing)
  writing.catch(() => undefined) // told by `inPipeline`
  all.push(writing)
}

/** The same transaction without Kysely's queue in front of its connection, which keeps the order by itself; closed once it is to end. */
async function pipelined(queued: Trx): Promise<{ trx: Trx; close(): void }> {
  const asking = queued.getExecutor()
  const connection = await asking.provideConnection((one) => Promise.resolve(one))
  let open = true
  const executor = asking.withConnectionProvider({
    // behind a rollback it would be a statement by itself
    provideConnection: (consumer) => (open ? consumer(connection) : Promise.reject(new Error('the transaction is over'))),
  })
  return { trx: new Transaction<Tables>({ config: { dialect }, dialect, driver, executor }), close: () => (open = false) }
}

/** Asked for nothing: a transaction opens no connections. */
const dialect = new PostgresDialect({ pool: () => Promise.reject(new Error('a transaction opens no connection')) })
const driver = dialect.createDriver()
