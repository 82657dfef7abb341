import { CLICK_ID_LENGTH } from '../../click/click-id.ts'
import { POSTBACK_PATH } from '../postback-hand-over.ts'
import { readJson, pairsOf, pairsOfJson, type Pair } from '../postback-reading.ts'
import { bodyKind, type KeptCall } from './shape.ts'
import { valueAt } from './naming.ts'

/** One name in calls of a shape, with what they hold under it. */
export type Column = { name: string; values: string[]; distinct: number; isClick: boolean; inBody: boolean }
/** `unknown` = the parameter whose status nobody understood, '' = none. */
export type Sample = { call: KeptCall; clickId: string; unknown?: string }

const MOST_COLUMNS = 300
const HIDDEN = '***'

/** What calls of one shape hold, name by name; of lists, of each member. `list` says where a list stands, '' = nowhere. */
export function columnsOf(samples: readonly Sample[]): { columns: Column[]; list: string; calls: number } {
  const list = listIn(samples)
  const rows = samples.flatMap(({ call, clickId }) => rowsOf(call, list).map((pairs) => ({ pairs, clickId })))
  const columns = new Map<string, { name: string; values: string[]; isClick: boolean; inBody: boolean }>()
  for (const { pairs, clickId } of rows) {
    for (const { name, value, inBody } of pairs) {
      const key = name.toLowerCase()
      if (!columns.has(key) && columns.size >= MOST_COLUMNS) continue
      const column = columns.get(key) ?? { name, values: [], isClick: false, inBody }
      columns.set(key, column)
      if (value.trim() === '' || value === HIDDEN) continue
      column.values.push(value.trim())
      column.isClick ||= holdsClick(value, clickId, list !== '')
    }
  }
  return {
    columns: [...columns.values()].map((one) => ({ ...one, distinct: new Set(one.values).size })),
    list,
    calls: rows.length,
  }
}

function holdsClick(value: string, clickId: string, inList: boolean): boolean {
  const plain = value.toLowerCase()
  // of a list the id of one member is known, and the others look alike
  return clickId !== '' && (plain.includes(clickId) || (inList && plain.length === CLICK_ID_LENGTH && /^[0-9a-hjkmnp-tv-z]+$/.test(plain)))
}

type Said = Pair & { inBody: boolean }

function rowsOf(call: KeptCall, list: string): Said[][] {
  const outside = [...segments(call.path), ...pairsOf(call.query)].map((pair) => ({ ...pair, inBody: false }))
  const kind = bodyKind(call.body)
  if (kind === 'form') return [[...outside, ...pairsOf(call.body.trim()).map((pair) => ({ ...pair, inBody: true }))]]
  if (kind !== 'json') return [outside]
  const { value } = readJson(call.body)
  const members = list === '' ? [value] : list === '.' ? value : valueAt(value, list)
  return (Array.isArray(members) ? members : [value])
    .slice(0, 50)
    .map((member: unknown) => [...outside, ...pairsOfJson(member).map((pair) => ({ ...pair, inBody: true }))])
}

/** The parts of a path that is not our own, as `path.1`, `path.2` …; of `name:value` by its name. */
function segments(path: string): Pair[] {
  if (path === POSTBACK_PATH) return []
  return path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment, index) => {
      const at = segment.indexOf(':')
      return at <= 0
        ? { name: `path.${index + 1}`, value: segment }
        : { name: segment.slice(0, at).replace(/^\[/, ''), value: segment.slice(at + 1) }
    })
}

/** Where in the JSON of these calls a list stands whose members name clicks. */
function listIn(samples: readonly Sample[]): string {
  for (const { call, clickId } of samples) {
    if (bodyKind(call.body) !== 'json' || clickId === '') continue
    const { value } = readJson(call.body)
    const found = listWith(value, clickId, '')
    if (found !== null) return found
  }
  return ''
}

function listWith(value: unknown, clickId: string, at: string): string | null {
  if (Array.isArray(value)) {
    const members = value.every((member) => typeof member === 'object' && member !== null && !Array.isArray(member))
    // note_attributes and meta_data are lists too, of one order
    const isOfPairs = value.every((member: object) => Object.keys(member).length <= 3 && ('value' in member || 'key' in member))
    return members && !isOfPairs && JSON.stringify(value).toLowerCase().includes(clickId) ? at || '.' : null
  }
  if (typeof value !== 'object' || value === null || at.split('.').length > 3) return null
  for (const [name, member] of Object.entries(value)) {
    const found = listWith(member, clickId, at === '' ? name : `${at}.${name}`)
    if (found !== null) return found
  }
  return null
}
