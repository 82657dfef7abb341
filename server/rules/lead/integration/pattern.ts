import { RE2JS } from 're2js'

/** Of a text so much is looked at by a pattern, in characters. */
export const LONGEST_LOOKED_AT = 65_536
/** No pattern is compiled into more instructions: each may be asked of each character. */
export const MOST_INSTRUCTIONS = 300
/**
 * So many instructions all patterns may ask of all characters of one answer together, and of one page of thousands of rows: a second at
 * worst. Counted and not timed, so that the same answer is read alike however busy the machine is.
 */
const MOST_WORK = { answer: 8_000_000, page: 20_000_000 }
/** What is left of that; below zero nothing more is looked for, and nobody knows what the answer means. */
export type Patience = { left: number }

/** A fresh one for each. */
export function patience(of: keyof typeof MOST_WORK = 'answer'): Patience {
  return { left: MOST_WORK[of] }
}

/** The first group of a pattern, else all it matched; undefined: it is not there, or nobody has looked. Patterns are of staff and texts of strangers. */
export function matchIn(text: string, pattern: string, patient: Patience): string | undefined {
  if (patient.left < 0) return undefined
  const known = compiled(pattern)
  if (known === 'wrong') return undefined
  const looked = text.slice(0, LONGEST_LOOKED_AT)
  patient.left -= known === 'long' ? Infinity : known.programSize() * (looked.length + LEAST_LENGTH)
  if (known === 'long' || patient.left < 0) return undefined
  const matcher = known.matcher(looked)
  return matcher.find() ? (matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? '') : undefined
}
/** What any look costs, however short the text. */
const LEAST_LENGTH = 20

/** The pattern of a place of an answer such as `matches:id=(\d+)`; undefined where the place is none. */
export function patternAt(place: string): string | undefined {
  return place.startsWith(MATCHES) ? place.slice(MATCHES.length) : undefined
}
const MATCHES = 'matches:'

/** What is wrong with a pattern: it cannot be read, or becomes too long; null = nothing. */
export function patternMistake(pattern: string): 'pattern' | 'pattern_long' | null {
  const found = compiled(pattern)
  return found === 'wrong' ? 'pattern' : found === 'long' ? 'pattern_long' : null
}

/** Compiled patterns of integrations: every answer is looked at by the same few. */
const patterns = new Map<string, RE2JS | 'wrong' | 'long'>()
const MOST_PATTERNS = 2000

function compiled(pattern: string): RE2JS | 'wrong' | 'long' {
  const known = patterns.get(pattern)
  if (known !== undefined) return known
  if (patterns.size >= MOST_PATTERNS) patterns.clear()
  const made = compile(pattern)
  patterns.set(pattern, made)
  return made
}

function compile(pattern: string): RE2JS | 'wrong' | 'long' {
  // to compile a long one takes long as well
  if (leastSize(pattern) > MOST_INSTRUCTIONS) return 'long'
  try {
    const made = RE2JS.compile(pattern)
    return made.programSize() > MOST_INSTRUCTIONS ? 'long' : made
  } catch {
    return 'wrong'
  }
}

/** How many instructions a pattern has at least: its signs, as often as they are repeated. Whatever is no pattern has any number. */
function leastSize(pattern: string): number {
  const open: { size: number; last: number }[] = [{ size: 0, last: 0 }]
  // flags, names of groups, classes and escapes are one sign, or none
  for (const [sign, , most] of pattern.matchAll(SIGN)) {
    const inner = open.at(-1)
    if (inner === undefined) return 0
    if (sign.startsWith('(')) open.push({ size: 0, last: 0 })
    else if (sign === ')') {
      const outer = open.at(-2)
      if (outer === undefined) return 0
      open.pop()
      outer.last = inner.size
      outer.size += inner.size
    } else if (most !== undefined) {
      const more = inner.last * (Math.max(1, Number(most.split(',').findLast((text) => text !== ''))) - 1)
      inner.size += more
      inner.last += more
    } else if (!/^[*+?|^$]/.test(sign)) {
      inner.last = 1
      inner.size += 1
    }
  }
  return open[0]?.size ?? 0
}
const SIGN =
  /(\\[pP]\{[^}]*\}|\\x\{[^}]*\}|\\.|\[\^?\]?(?:\\.|\[:[^\]]*:\]|[^\]\\])*\]|\(\?(?:P?<[^>]*>|[imsU-]*:|[imsU-]*(?=\)))?)|\{(\d{1,4}(?:,\d{0,4})?)\}|[^]/g
