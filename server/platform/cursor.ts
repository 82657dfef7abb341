import { z } from 'zod'
import { AppError } from './errors.ts'

/** Where the next page of a list begins, as text that says nothing to its reader; `kind` keeps lists from taking each other's. */
export function writeCursor(kind: string, parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify([kind, ...parts])).toString('base64url')
}

/** The parts of a cursor of a kind, as their schemas want them; undefined without one. Throws `bad_request` for what we did not write. */
export function readCursor<const Parts extends readonly [z.ZodType, ...z.ZodType[]]>(
  kind: string,
  text: string | undefined,
  parts: Parts,
): { [Index in keyof Parts]: z.output<Parts[Index]> } | undefined {
  if (text === undefined) return undefined
  const [found, ...rest] = listIn(text)
  const read = z.tuple(parts as never).safeParse(rest) // zod wants the list to be mutable
  if (found !== kind || !read.success) throw new AppError('bad_request', { fields: { cursor: 'Take next_cursor of the page before' } })
  return read.data as { [Index in keyof Parts]: z.output<Parts[Index]> } // each part by its schema
}

/** The number of a row, as cursors hold it. */
export const rowNumber = z.int().min(1).max(2_147_483_647)

/** A page out of one row more than it has: the rest says that there is another, which begins behind its last row. */
export function cutPage<Row>(
  rows: readonly Row[],
  count: number,
  cursorOf: (last: Row) => string,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, count)
  const last = page.at(-1)
  return { page, next_cursor: rows.length > count && last !== undefined ? cursorOf(last) : null }
}

function listIn(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
