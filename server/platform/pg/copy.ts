import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from, to } from 'pg-copy-streams'

/** Streams what `copy … to stdout` sends, in pieces of any size; the server waits while the reader is slow. */
export function copyOut(client: pg.Client, sql: string): Readable {
  return client.query(to(sql))
}

/** Feeds `copy … from stdin`. Either all rows go in or the statement fails and none does. */
export async function copyIn(client: pg.Client, sql: string, rows: AsyncIterable<Buffer>): Promise<void> {
  await pipeline(rows, client.query(from(sql)))
}
