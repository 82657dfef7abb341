import { setImmediate as breathe } from 'node:timers/promises'
import { BLACKLIST_KINDS, MOST_BLACKLIST_ROWS, type BlacklistKind } from '#contract/leads/blacklist.ts'
import { readFile } from '#server/features/people/import/read-file.ts'
import { AppError } from '#server/platform/errors.ts'
import { isNetwork } from '#server/platform/network.ts'
import { readListed, type ListedValue } from '#server/rules/lead/integrity/blacklist.ts'

export type ReadEntry = ListedValue & { line: number; kind: BlacklistKind; note: string; expires: Date | null }
export type ReadBlacklist = { columns: string[]; good: ReadEntry[]; refused: { line: number; value: string; problem: string }[] }

/** What columns may be called; the value is in the first one where none is. */
const COLUMNS = {
  kind: ['kind', 'type', 'тип', 'вид'],
  value: ['value', 'email', 'e-mail', 'phone', 'domain', 'ip', 'name', 'first_name', 'last_name', 'значення'],
  note: ['note', 'comment', 'reason', 'примітка', 'коментар'],
  expires: ['expires', 'expires_at', 'until', 'діє до'],
} as const

/** Other words for kinds. */
const KINDS: Readonly<Record<string, BlacklistKind>> = {
  ...Object.fromEntries(BLACKLIST_KINDS.map((kind) => [kind, kind])),
  'e-mail': 'email',
  telephone: 'phone',
  address: 'ip',
  network: 'ip',
  cidr: 'ip',
  'first name': 'first_name',
  'last name': 'last_name',
}

/** The rows of a CSV file as entries, and those that are none with why. Throws `invalid_input` at `file` for what is no such file. */
export async function readBlacklist(bytes: Uint8Array, asked: BlacklistKind | 'by_row', now: number): Promise<ReadBlacklist> {
  const { columns, rows } = readFile(bytes, { encoding: 'auto', delimiter: 'auto' }, MOST_BLACKLIST_ROWS)
  const names = columns.map((name) => name.trim().toLowerCase())
  const place = (column: keyof typeof COLUMNS) => names.findIndex((name) => (COLUMNS[column] as readonly string[]).includes(name))
  const [kindAt, noteAt, expiresAt] = [place('kind'), place('note'), place('expires')]
  const valueAt = place('value') >= 0 ? place('value') : columns.length === 1 ? 0 : -1
  if (valueAt < 0) throw new AppError('invalid_input', { fields: { file: 'No column of this file is named value' } })
  const read: ReadBlacklist = { columns, good: [], refused: [] }
  // a list without a head is read whole: its first row is a value too
  const lines = isHead(names[valueAt] ?? '') ? rows : [{ line: 1, cells: columns }, ...rows]
  for (const [index, { line, cells }] of lines.entries()) {
    if (index % 200 === 199) await breathe()
    const value = cells[valueAt] ?? ''
    const kind = asked !== 'by_row' ? asked : kindOf((kindAt < 0 ? '' : (cells[kindAt] ?? '')).toLowerCase(), value)
    const expires = expiryOf(expiresAt < 0 ? '' : (cells[expiresAt] ?? ''), now)
    const found = kind === undefined ? { mistake: 'Say in a column named kind what this is' } : readListed(kind, value)
    const note = noteAt < 0 ? '' : (cells[noteAt] ?? '')
    const wrong = typeof expires === 'string' ? expires : note.length > 200 ? 'A note has at most 200 characters' : null
    if (kind === undefined || 'mistake' in found || typeof expires === 'string' || wrong !== null)
      read.refused.push({ line, value: value.slice(0, 254), problem: 'mistake' in found ? found.mistake : (wrong ?? '') })
    else read.good.push({ ...found, line, kind, note, expires })
  }
  return read
}

function isHead(name: string): boolean {
  return (COLUMNS.value as readonly string[]).includes(name)
}

/** What a row says it is; where it says nothing, what only one kind looks like. */
function kindOf(said: string, value: string): BlacklistKind | undefined {
  if (said !== '') return KINDS[said]
  if (value.includes('@') && !value.startsWith('@')) return 'email'
  if (isNetwork(value)) return 'ip'
  if (/^\+[\d\s().-]{7,}$/.test(value)) return 'phone'
  return /^[@*]?\.?[\p{L}\d-]+(\.[\p{L}\d-]+)*\.\p{L}{2,}$/u.test(value) ? 'domain' : undefined
}

/** A day, or a moment with its zone; null = for ever, a text = what is wrong with it. */
function expiryOf(text: string, now: number): Date | null | string {
  if (text === '') return null
  const at = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T23:59:59Z` : text)
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/.test(text) || Number.isNaN(at.getTime()))
    return 'Write the end as a day such as 2027-01-31'
  return at.getTime() <= now ? 'It has ended already' : at
}
