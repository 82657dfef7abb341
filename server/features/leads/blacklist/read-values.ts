import { setImmediate as breathe } from 'node:timers/promises'
import { readFile } from '#server/features/people/import/read-file.ts'
import { AppError } from '#server/platform/errors.ts'
import { isNetwork } from '#server/platform/network.ts'

/** A value as it is compared and shown; `mistake` = why it is none. */
type Read = { canonical: string; shown: string } | { mistake: string }
export type ReadValue<Kind, Of> = Exclude<Of, { mistake: string }> & { line: number; kind: Kind; note: string; expires: Date | null }
export type ReadValues<Kind, Of> = {
  columns: string[]
  /** Columns that have a name nobody reads. */
  unread: string[]
  good: ReadValue<Kind, Of>[]
  refused: { line: number; value: string; problem: string }[]
}

/** What columns may be called; the value is in the first one where none is. */
const COLUMNS = {
  kind: ['kind', 'type', 'тип', 'вид'],
  value: ['value', 'email', 'e-mail', 'phone', 'domain', 'ip', 'name', 'first_name', 'last_name', 'значення'],
  note: ['note', 'comment', 'reason', 'примітка', 'коментар'],
  expires: ['expires', 'expires_at', 'until', 'діє до'],
} as const

/** Other words for kinds. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'e-mail': 'email',
  telephone: 'phone',
  address: 'ip',
  network: 'ip',
  cidr: 'ip',
  'first name': 'first_name',
  'last name': 'last_name',
}

/** Columns of which a file may have several: a list of people names a telephone beside an e-mail address, and both are meant. */
const SIDE_BY_SIDE: readonly string[] = ['email', 'phone', 'domain', 'ip']

/**
 * The values of a CSV file of contacts, domains and addresses, and those that are none with why. `asked`: what every value is; by_row =
 * as its row or its column says, else as it looks. Throws `invalid_input` at `file` for what is no such file.
 */
export async function readValues<Kind extends string, Of extends Read>(
  bytes: Uint8Array,
  { kinds, read: readOne, most }: { kinds: readonly Kind[]; read: (kind: Kind, text: string) => Of; most: number },
  asked: Kind | 'by_row',
  now: number,
): Promise<ReadValues<Kind, Of>> {
  const { columns, rows } = readFile(bytes, { encoding: 'auto', delimiter: 'auto' }, most)
  const names = columns.map((name) => name.trim().toLowerCase())
  const place = (column: keyof typeof COLUMNS) => names.findIndex((name) => (COLUMNS[column] as readonly string[]).includes(name))
  const [kindAt, noteAt, expiresAt] = [place('kind'), place('note'), place('expires')]
  const valuesAt = valueColumns(names, asked)
  const [firstAt] = valuesAt
  if (firstAt === undefined) throw new AppError('invalid_input', { fields: { file: 'No column of this file is named value' } })
  const read = new Set([...valuesAt, kindAt, noteAt, expiresAt])
  const hasHead = isHead(names[firstAt] ?? '')
  const unread = hasHead ? columns.filter((name, at) => name.trim() !== '' && !read.has(at)) : []
  const found: ReadValues<Kind, Of> = { columns, unread, good: [], refused: [] }
  // a list without a head is read whole: its first row is a value too
  const lines = hasHead ? rows : [{ line: 1, cells: columns }, ...rows]
  for (const [index, { line, cells }] of lines.entries()) {
    if (index % 200 === 199) await breathe()
    const said = kindAt < 0 ? '' : (cells[kindAt] ?? '').toLowerCase()
    const expires = expiryOf(expiresAt < 0 ? '' : (cells[expiresAt] ?? ''), now)
    const note = noteAt < 0 ? '' : (cells[noteAt] ?? '')
    const wrong = typeof expires === 'string' ? expires : note.length > 200 ? 'A note has at most 200 characters' : null
    // who has no telephone is no mistake; a row that names nothing at all is
    const told = valuesAt.filter((at) => (cells[at] ?? '') !== '')
    for (const at of told.length > 0 ? told : [firstAt]) {
      const value = cells[at] ?? ''
      const column = OTHER_WORDS[names[at] ?? ''] ?? names[at] ?? ''
      const looked = valuesAt.length > 1 && said === '' ? column : (kindOf(said, value) ?? column)
      const word = asked === 'by_row' ? looked : asked
      const kind = kinds.find((one) => one === word)
      const understood = kind === undefined ? { mistake: 'Say in a column named kind what this is' } : readOne(kind, value)
      if (kind === undefined || 'mistake' in understood || typeof expires === 'string' || wrong !== null)
        found.refused.push({ line, value: value.slice(0, 254), problem: 'mistake' in understood ? understood.mistake : (wrong ?? '') })
      // what is no mistake is a value
      else found.good.push({ ...(understood as Exclude<Of, { mistake: string }>), line, kind, note, expires })
    }
  }
  return found
}

/** Where the values are: in the first column that is called so, and in others of contacts beside it; with none, in the only one there is. */
function valueColumns(names: readonly string[], asked: string): number[] {
  const named = names.flatMap((name, at) => (isHead(name) ? [at] : []))
  const kindAt = (at: number) => OTHER_WORDS[names[at] ?? ''] ?? names[at] ?? ''
  const [first] = named
  if (first === undefined) return names.length === 1 ? [0] : []
  const several = named.filter((at) => SIDE_BY_SIDE.includes(kindAt(at)) && names.findIndex((name) => name === names[at]) === at)
  const fit = asked === 'by_row' ? several : several.filter((at) => kindAt(at) === asked)
  if (kindAt(first) !== 'value' && fit.length > 0) return fit
  return [first]
}

function isHead(name: string): boolean {
  return (COLUMNS.value as readonly string[]).includes(name)
}

/** What a row says it is; where it says nothing, what only one kind looks like. */
function kindOf(said: string, value: string): string | undefined {
  if (said !== '') return OTHER_WORDS[said] ?? said
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
