import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import type pg from 'pg'

// `pg` hands COPY to whatever query object is active. What it needs of one, and of its connection, is stated here.
type Connection = {
  query(sql: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
  stream: Duplex
}

const HIGH_WATER_BYTES = 4 * 1024 * 1024

/** Streams what `copy … to stdout` sends, in pieces of any size; the server waits while the reader is slow. */
export async function* copyOut(client: pg.Client, sql: string): AsyncGenerator<Buffer> {
  const waiting: Buffer[] = []
  let bytes = 0
  let ended = false
  let failure: Error | undefined
  let source: Connection | undefined
  let wake = () => {}
  submit(client, {
    submit(connection: Connection) {
      source = connection
      connection.query(sql)
    },
    handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection) {
      waiting.push(Buffer.from(chunk)) // it lies in the parser's own memory, which the next message overwrites
      bytes += chunk.length
      if (bytes > HIGH_WATER_BYTES) connection.stream.pause()
      wake()
    },
    handleError(error: Error) {
      failure = error
      ended = true
      wake()
    },
    handleCommandComplete() {},
    handleReadyForQuery() {
      ended = true
      wake()
    },
  })
  for (;;) {
    while (waiting.length > 0) {
      const batch = Buffer.concat(waiting.splice(0))
      bytes = 0
      source?.stream.resume()
      yield batch
    }
    if (failure) throw failure
    if (ended) return
    await new Promise<void>((resolve) => (wake = resolve))
    wake = () => {}
  }
}

/** Feeds `copy … from stdin`. Either all rows go in or the statement fails and none does. */
export async function copyIn(client: pg.Client, sql: string, rows: AsyncIterable<Buffer>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined
    const feed = async (connection: Connection) => {
      for await (const chunk of rows) {
        if (failure) return
        connection.sendCopyFromChunk(chunk)
        if (connection.stream.writableNeedDrain) await Promise.race([once(connection.stream, 'drain'), once(connection.stream, 'close')])
      }
      connection.endCopyFrom()
    }
    submit(client, {
      submit: (connection: Connection) => connection.query(sql),
      handleCopyInResponse: (connection: Connection) =>
        void feed(connection).catch((error: Error) => connection.sendCopyFail(error.message)),
      handleError(error: Error) {
        failure = error
        reject(error)
      },
      handleCommandComplete() {},
      handleReadyForQuery: () => (failure ? undefined : resolve()),
    })
  })
}

function submit(client: pg.Client, query: object): void {
  // `pg` documents `submit()` as the door for query objects of one's own; its types know only the built-in ones.
  client.query(query as pg.Submittable)
}
