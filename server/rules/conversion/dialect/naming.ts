import { AMOUNT_MEANINGS, numbersUnder, pathsIn, type Dialect, type DialectMeaning } from '#contract/traffic/dialect.ts'
import { isEarned, kindOf } from '../postback-names.ts'
import type { Pair } from '../postback-reading.ts'

/** Names by which systems tell what a conversion pays, and not the sale, though nothing in them says so (reference: postback-dialects 2.4, 3.3, 3.4). */
const PAID_BY: Readonly<Record<string, string>> = { cake: 'p', voluum: 'p', redtrack: 'sum' }

/** Whether an amount may be what a sale brought somebody and not the sale: by its name, or by what it is in a known system. */
export function isEarnedIn(preset: string, name: string): boolean {
  return isEarned(name) || PAID_BY[preset] === name.toLowerCase()
}

/** What is read whatever a dialect passes over: who calls, and whose click it is. */
const ALWAYS: ReadonlySet<string> = new Set(['click_id', 'token', 'signature', 'timestamp'])

/**
 * Parameters with what a dialect says that they mean. Names are compared whole and without regard to case; one that the
 * dialect does not name stays as it came, or is left out where it passes over others.
 */
export function namedBy(dialect: Dialect, json: unknown): (pair: Pair) => Pair[] {
  const known = new Map<string, { means: DialectMeaning; of: string | null; numbers: Pair['numbers'] }[]>()
  for (const { name, means } of dialect.names) {
    const at = name.indexOf('?')
    const of = at < 0 ? null : name.slice(at + 1)
    for (const path of pathsOf(at < 0 ? name : name.slice(0, at), json)) {
      const plain = path.toLowerCase()
      const numbers = AMOUNT_MEANINGS.has(means) ? numbersUnder(dialect, name) : undefined
      known.set(plain, [...(known.get(plain) ?? []), { means, of, numbers }])
    }
  }
  return (pair) => {
    // put together out of several
    if (pair.means !== undefined) return [{ ...pair, numbers: dialect.numbers }]
    const named = known.get(pair.name.trim().toLowerCase())
    if (named !== undefined)
      return named.flatMap(({ means, of, numbers }): Pair[] => {
        const value = of === null ? pair.value : parameterOf(pair.value, of)
        if (value === null || means === 'ignored') return []
        const earned = means === 'amount' && isEarnedIn(dialect.preset, pair.name.trim())
        return [{ ...pair, value, means, ...(numbers && { numbers }), ...(earned && { earned }) }]
      })
    const kind = dialect.others === 'pass' ? kindOf(pair.name) : undefined
    return dialect.others === 'ask' || (kind !== undefined && ALWAYS.has(kind))
      ? [{ ...pair, numbers: numbersUnder(dialect, pair.name) }]
      : []
  }
}

/** Names under which a dialect expects a secret. */
export function secretNames({ names }: Dialect): Set<string> {
  return new Set(names.flatMap(({ name, means }) => (means === 'token' ? [name.toLowerCase()] : [])))
}

/** Names under which a dialect expects why something was turned down. */
export function rejectionNames(dialect: Dialect | null | undefined): Set<string> {
  return new Set(dialect?.names.flatMap(({ name, means }) => (means === 'rejection' ? [name.toLowerCase()] : [])))
}

/** A path as values of JSON are called: `a[0].b` → `a.0.b`, `a[name=x].b` → that of each such member. */
function pathsOf(path: string, json: unknown): string[] {
  const filtered = /^([^[\]]+)\[([\w$-]+)=([^\]]*)\](.*)$/.exec(path)
  // a form may well have a name with brackets
  if (filtered === null) return [...new Set([path, path.replaceAll(/\[(\w+)\]/g, '.$1')])]
  const [, list = '', key = '', wanted = '', rest = ''] = filtered
  const members = valueAt(json, list)
  if (!Array.isArray(members)) return []
  return members.flatMap((member: unknown, index) => {
    const value = valueAt(member, key)
    const isOne = (typeof value === 'string' || typeof value === 'number') && String(value).toLowerCase() === wanted.toLowerCase()
    return isOne ? pathsOf(`${list}.${index}${rest}`, json) : []
  })
}

/** What stands at a path of names with dots between; undefined where nothing does. */
export function valueAt(json: unknown, path: string): unknown {
  let at = json
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name] // an object, as just checked
  }
  return at
}

/** A parameter of an address that stands in a value. */
function parameterOf(address: string, name: string): string | null {
  const at = address.indexOf('?')
  if (at < 0) return null
  const [query = ''] = address.slice(at + 1).split('#')
  return new URLSearchParams(query).get(name)
}

/** Whether a call comes where a dialect says that calls come. */
export function isOnPath({ path }: Pick<Dialect, 'path'>, called: string): boolean {
  return pathsIn(path).some((one) => segmentsOf(one, called) !== null)
}

/** What a path says: segments of `name:value` where the dialect has some, and those it names by their place, `path.2`. */
export function pairsOfPath({ path, names }: Pick<Dialect, 'path' | 'names'>, called: string): Pair[] {
  const given = called.split('/').filter((segment) => segment !== '')
  const placed = names.flatMap(({ name }) => {
    const place = Number(/^path\.([1-9])$/.exec(name)?.[1] ?? 0)
    return place === 0 || place > given.length ? [] : [{ name, value: decoded(given[place - 1] ?? '') }]
  })
  const paired = pathsIn(path).flatMap((one) => (one.endsWith('**') ? [segmentsOf(one, called) ?? []] : []))
  const said = paired.find((segments) => segments.length > 0)
  if (said === undefined) return placed
  return withoutBrackets(said).flatMap((bare) => {
    const at = bare.indexOf(':')
    return at <= 0 ? [] : [{ name: bare.slice(0, at), value: decoded(bare.slice(at + 1)) }]
  })
}

/** Segments without the brackets of items, which may be encoded, slashes between their parts and all; other brackets are part of a value. */
function withoutBrackets(segments: readonly string[]): string[] {
  let isOpen = false
  return segments.flatMap((segment) => {
    isOpen ||= /^(?:\[|%5B)/i.test(segment)
    if (!isOpen) return [segment]
    const isLast = /(?:\]|%5D)$/i.test(segment)
    if (isLast) isOpen = false
    return segment
      .replace(/^(?:\[|%5B)/i, '')
      .replace(/(?:\]|%5D)$/i, '')
      .split(/%2F/i)
  })
}

/** The segments of a path that the asterisks of a pattern stand for; null = it is another path. */
function segmentsOf(pattern: string, called: string): string[] | null {
  const [wanted, given] = [pattern, called].map((path) => path.split('/').filter((segment) => segment !== '')) as [string[], string[]]
  const open = wanted.at(-1) === '**'
  const fixed = open ? wanted.slice(0, -1) : wanted
  if (open ? given.length <= fixed.length : given.length !== fixed.length) return null
  const found: string[] = []
  for (const [index, segment] of fixed.entries()) {
    if (!isLike(segment.toLowerCase(), (given[index] ?? '').toLowerCase())) return null
    if (segment.includes('*')) found.push(given[index] ?? '')
  }
  return open ? given.slice(fixed.length) : found
}

/** Whether a segment is what a pattern says, in time that grows with its length: it comes from outside. */
function isLike(pattern: string, given: string): boolean {
  const at = pattern.indexOf('#')
  const pieces = at < 0 ? pattern.split('*') : [pattern.slice(0, at), pattern.slice(at + 1)]
  const [first = '', last = ''] = [pieces[0], pieces.at(-1)]
  if (pieces.length === 1) return given === pattern
  if (given.length < first.length + last.length || !given.startsWith(first) || !given.endsWith(last)) return false
  const inner = given.slice(first.length, given.length - last.length)
  if (at >= 0) return /^\d+$/.test(inner)
  let from = 0
  for (const piece of pieces.slice(1, -1)) {
    const found = inner.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return true
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
