const NEWLINE = 0x0a
const MAGIC = '#ohma1\t'

/** A sealed segment taken apart: the columns its header names and its whole rows as TabSeparated bytes. */
export type Segment = { columns: string[]; rows: Buffer }

/**
 * Reads a segment. Data end at the first NUL (segments are preallocated); a last row without its newline was torn by a
 * crash before anybody was told that it is stored, and is cut off. Null when the header is not one of ours.
 */
export function readSegment(bytes: Buffer): Segment | null {
  const end = endOfRows(bytes)
  const headerEnd = bytes.indexOf(NEWLINE)
  if (headerEnd < 0 || headerEnd >= end) return null
  const header = bytes.toString('latin1', 0, headerEnd)
  const columns = header.slice(MAGIC.length).split('\t')
  if (!header.startsWith(MAGIC) || !columns.every((column) => /^[a-z][a-z0-9_]*$/.test(column))) return null
  return { columns, rows: bytes.subarray(headerEnd + 1, end) }
}

/** Where the whole rows of a segment end, its header counted as one. */
export function endOfRows(bytes: Buffer): number {
  const nul = bytes.indexOf(0)
  const written = nul < 0 ? bytes.length : nul
  return written === 0 ? 0 : bytes.lastIndexOf(NEWLINE, written - 1) + 1
}

/** Number of rows in TabSeparated bytes. */
export function countRows(rows: Buffer): number {
  let count = 0
  for (let at = rows.indexOf(NEWLINE); at >= 0; at = rows.indexOf(NEWLINE, at + 1)) count += 1
  return count
}

/** Where row `index` (from 0) begins. */
export function rowStart(rows: Buffer, index: number): number {
  let at = 0
  for (let row = 0; row < index; row++) at = rows.indexOf(NEWLINE, at) + 1
  return at
}

/** Milliseconds since 1970 of a segment's creation, from its name `<tracker>-<13 digits>-<counter>`. */
export function createdAt(id: string): number {
  return Number(/-(\d{13})-\d+$/.exec(id)?.[1] ?? Number.NaN)
}
