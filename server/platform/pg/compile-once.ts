import type { Compilable, CompiledQuery, RawBuilder } from 'kysely'
import type { Db, DbOrTrx } from './database.ts'

/**
 * A statement that is put together once and then only filled in, for what is asked with every lead or every request: to put a long one
 * together takes longer than to send it. What `build` is given stands for the values and is no value yet: it may be put wherever a
 * parameter goes, and not looked at.
 */
export function compileOnce<Values extends object, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: DbOrTrx, values: Values) => Promise<Row[]> {
  let known: CompiledQuery<Row> | undefined
  return async (db, values) => {
    known ??= build(db, new Proxy({}, { get: (_none, name) => new Place(name) }) as Values).compile()
    const parameters = known.parameters.map((one) => (one instanceof Place ? values[one.name as keyof Values] : one))
    return (await db.executeQuery<Row>({ ...known, parameters })).rows
  }
}

/** The same of a statement that is written out. */
export function writeOnce<Values extends object, Row>(
  write: (values: Values) => RawBuilder<Row>,
): (db: DbOrTrx, values: Values) => Promise<Row[]> {
  return compileOnce((db, values) => ({ compile: () => write(values).compile(db) }))
}

/** Where a value goes in a statement, by its name. */
class Place {
  readonly name: string | symbol
  constructor(name: string | symbol) {
    this.name = name
  }
}
