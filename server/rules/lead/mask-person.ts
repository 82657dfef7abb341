import { createHash } from 'node:crypto'

/** What stands where something of a person was. */
const DOTS = '•••'
/** They say nothing of who it is. */
const OPEN = new Set(['country', 'language', 'gender', 'user_agent'])
/** Digits at the end of a telephone by which it is known, whatever stands before or between them. */
const KNOWN_DIGITS = 7
/** A word begins behind what is no letter, or what an address or JSON writes in its place. */
const BEFORE = '(?:(?<=%[0-9A-F]{2}|\\\\[nrt])|(?<![\\p{L}\\p{N}]))'

/**
 * Puts dots in place of a person in a text, such as a call to an advertiser and its answer: names as words in any case, addresses,
 * telephones however they are spaced, dates in any order, hashes of the contacts, and what follows the host of an address in the
 * web, for it may open an account. `told` by the names of the lead API.
 */
export function maskPerson(told: Readonly<Record<string, string>>): (text: string) => string {
  const patterns = Object.entries(told).flatMap(([name, value]) =>
    OPEN.has(name) || value.trim() === '' ? [] : patternsOf(name, value.trim()),
  )
  return (text) => {
    const shown = text.replace(/\b(https?:\\?\/\\?\/[^\s/\\?#"'<>]+)(\\?\/|\?)[^\s"'<>]*/gi, `$1/${DOTS}`)
    return patterns.reduce((left, pattern) => left.replace(pattern, DOTS), shown)
  }
}

function patternsOf(name: string, value: string): RegExp[] {
  const plain = spelt(value)
  if (name === 'phone') return [phonePattern(value), ...hashed([value, value.replace(/\D/g, '')])].flatMap((one) => one ?? [])
  if (name === 'email') return [...plain, ...hashed([value, value.toLowerCase()])]
  if (name === 'birth_date') return [...plain, ...datePatterns(value)]
  // each part of a name or an address alone: they are split and joined
  const parts = ['first_name', 'last_name', 'city', 'address', 'comment'].includes(name) ? value.split(/[^\p{L}\p{N}]+/u) : []
  return [...plain, ...parts.filter((part) => part.length > 2).flatMap(spelt)]
}

/** A value as a word of its own, as it is and as addresses and JSON write it. */
function spelt(value: string): RegExp[] {
  const ways = [
    value,
    encodeURIComponent(value.toWellFormed()),
    encodeURIComponent(value.toWellFormed()).replaceAll('%20', '+'),
    JSON.stringify(value).slice(1, -1),
    ascii(value),
  ]
  return [...new Set(ways)].map((way) => new RegExp(`${BEFORE}${escaped(way)}(?![\\p{L}\\p{N}])`, 'giu'))
}

function phonePattern(value: string): RegExp | null {
  const digits = value.replace(/\D/g, '')
  if (digits.length < KNOWN_DIGITS) return null
  const end = digits.slice(-KNOWN_DIGITS).split('').join('(?:[\\s().\\/-]|%20)*')
  return new RegExp(`(?:\\+|%2B)?[\\d\\s().-]*${end}`, 'gi')
}

function datePatterns(value: string): RegExp[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === '') return []
  const between = '(?:[-./\\s]|%2F|\\\\/)?'
  return [
    [year, month, day],
    [day, month, year],
    [month, day, year],
  ].map((parts) => new RegExp(parts.join(between), 'gi'))
}

function hashed(values: readonly string[]): RegExp[] {
  return [...new Set(values)].flatMap((value) =>
    ['md5', 'sha1', 'sha256'].map((kind) => new RegExp(createHash(kind).update(value).digest('hex'), 'gi')),
  )
}

/** As JSON written by others spells what is not ASCII. */
function ascii(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
