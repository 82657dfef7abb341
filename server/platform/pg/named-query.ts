import pg from 'pg'

/** What `pg` keeps of the rows of an answer: where they stand in a row, how each is read, and an empty row. */
type Shape = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown }
type Connection = { describe(what: unknown): void }
/** A statement of `pg` as it is inside, which its types leave out. */
type Statement = {
  name: string
  _result: Shape
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleRowDescription(message: unknown): void
}
type Done = (error: Error | undefined, result: unknown) => void
const Query = pg.Query as unknown as new (text: string, values: unknown[], done: Done) => Statement

/** Of a connection the rows of its named statements, and the same connection when nothing is to be described any more. */
type Known = { shapes: Map<string, Shape>; quiet: Connection }
const knownOf = new WeakMap<Connection, Known>()

/**
 * A statement with a name: how its rows look is asked for once in a connection, and known from then on, since the server refuses to run it
 * once they would look different. Described each time, half of what is read of a short answer is what it looks like. Handed over whole,
 * too: of a plain description `pg` makes a copy that costs more than the rest of sending it.
 */
export class NamedQuery extends Query {
  #known: Known | undefined

  constructor(name: string, text: string, values: unknown[], done: Done) {
    super(text, values, done)
    this.name = name
  }

  override prepare(connection: Connection): void {
    const known = knownOf.get(connection) ?? {
      shapes: new Map<string, Shape>(),
      quiet: Object.create(connection, { describe: { value: () => undefined } }) as Connection, // the same but for this
    }
    knownOf.set(connection, known)
    this.#known = known
    const shape = known.shapes.get(this.name)
    if (shape === undefined) return super.prepare(connection)
    Object.assign(this._result, shape)
    this._accumulateRows = true
    super.prepare(known.quiet)
  }

  override handleRowDescription(message: unknown): void {
    super.handleRowDescription(message)
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    this.#known?.shapes.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}
