import { createHash } from 'node:crypto'

/** What stands where something of a person was. */
const DOTS = '•••'
/** They say nothing of who it is. */
const OPEN: ReadonlySet<string> = new Set(['country', 'language', 'gender', 'user_agent'])
/** Digits at the end of a telephone by which it is known, whatever stands before or between them. */
const KNOWN_DIGITS = 7
/** Behind these a word begins though they end in a letter or digit: what an address or JSON writes in place of a sign. */
const WRITTEN_SIGN = /(?:%(?:25)*[0-9A-F]{2}|\\[nrt]|\\u[0-9A-F]{4})$/i
const ENDS_IN_LETTER = /[\p{L}\p{N}]$/u
const BEGINS_WITH_LETTER = /^[\p{L}\p{N}]/u
/** So many signs before and behind a word say whether it is one of its own. */
const NEAR = 16

/** `isWord`: it counts only where it is a word of its own. */
type Pattern = { length: number; pattern: RegExp; isWord?: true }

/**
 * Puts dots in place of a person in a text, such as a call to an advertiser and its answer: names as words in any case, addresses,
 * telephones however they are spaced, dates in any order, hashes of the contacts, and what follows the host of an address in the
 * web, for it may open an account. `tolds` by the names of the lead API: all that was told of them. The longest goes first, or a name
 * would be taken out of an e-mail of which the rest is then not known any more.
 */
export function maskPerson(...tolds: readonly Readonly<Record<string, string>>[]): (text: string) => string {
  const patterns = tolds
    .flatMap((told) => Object.entries(told))
    .flatMap(([name, value]) => (isOpen(name) || value.trim() === '' ? [] : patternsOf(name, value.trim())))
    .toSorted((a, b) => b.length - a.length)
  return (text) => {
    const shown = text
      .replace(/\b(https?:\\?\/\\?\/[^\s/\\?#"'<>]+)(\\?\/|\?)[^\s"'<>]*/gi, `$1/${DOTS}`)
      .replace(/\b(https?%3A%2F%2F[^\s/\\?#"'<>%&]+)(?:%2F|%3F)[^\s"'<>&]*/gi, `$1%2F${DOTS}`)
    return patterns.reduce(takenOut, shown)
  }
}

/** Whether what somebody tells under a name says nothing of who it is. */
export function isOpen(name: string): boolean {
  return OPEN.has(name)
}

/** Looked at by hand what stands beside a word: a pattern that says it takes a tenth of a millisecond to compile, and there are many. */
function takenOut(text: string, { pattern, isWord }: Pattern): string {
  if (isWord === undefined) return text.replace(pattern, DOTS)
  let [left, from] = ['', 0]
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const end = found.index + found[0].length
    const before = text.slice(Math.max(0, found.index - NEAR), found.index)
    if ((!ENDS_IN_LETTER.test(before) || WRITTEN_SIGN.test(before)) && !BEGINS_WITH_LETTER.test(text.slice(end, end + NEAR))) {
      left += text.slice(from, found.index) + DOTS
      from = end
    } else pattern.lastIndex = found.index + ((text.codePointAt(found.index) ?? 0) > 0xff_ff ? 2 : 1)
  }
  return left + text.slice(from)
}

function patternsOf(name: string, value: string): Pattern[] {
  const plain = spelt(value)
  if (name === 'phone') return [...phonePatterns(value), ...hashed([value, value.replace(/\D/g, '')])]
  if (name === 'email') return [...plain, ...hashed([value, value.toLowerCase()])]
  if (name === 'birth_date') return [...plain, ...datePatterns(value)]
  // each part of a name or an address alone: they are split and joined
  const parts = ['first_name', 'last_name', 'city', 'address', 'comment'].includes(name) ? value.split(/[^\p{L}\p{N}]+/u) : []
  return [...plain, ...parts.filter((part) => part.length > 2).flatMap(spelt)]
}

/** A value as a word of its own, as it is and as addresses, forms, headers, JSON and XML write it. */
function spelt(value: string): Pattern[] {
  const address = encodeURIComponent(value.toWellFormed())
  const form = address.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  const json = JSON.stringify(value).slice(1, -1)
  const ways = [
    value,
    ...[address, form].flatMap((way) => [way, way.replaceAll('%20', '+')]),
    encodeURIComponent(address),
    value.replace(/[^\x20-\x7e]/gu, (sign) => encodeURIComponent(sign.toWellFormed())),
    ...[json, json.replaceAll('/', '\\/')].flatMap((way) => [way, ascii(way)]),
    value.replace(/[&<>"']/g, (sign) => XML_SIGNS[sign] ?? sign),
  ]
  return [...new Set(ways)].map((way) => ({
    length: value.length,
    pattern: new RegExp(escaped(way), 'giu'),
    isWord: true,
  }))
}

const XML_SIGNS: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' }

function phonePatterns(value: string): Pattern[] {
  const digits = value.replace(/\D/g, '')
  if (digits.length < KNOWN_DIGITS) return []
  const end = digits.slice(-KNOWN_DIGITS).split('').join('(?:[\\s().\\/-]|%20)*')
  return [{ length: value.length, pattern: new RegExp(`(?:\\+|%2B)?[\\d\\s().-]*${end}`, 'gi') }]
}

function datePatterns(value: string): Pattern[] {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []
  if (year === '') return []
  const between = '(?:[-./\\s]|%2F|\\\\/)?'
  return [
    [year, month, day],
    [day, month, year],
    [month, day, year],
  ].map((parts) => ({ length: value.length, pattern: new RegExp(parts.join(between), 'gi') }))
}

function hashed(values: readonly string[]): Pattern[] {
  return [...new Set(values)].flatMap((value) =>
    ['md5', 'sha1', 'sha256'].map((kind) => {
      const hash = createHash(kind).update(value).digest('hex')
      return { length: hash.length, pattern: new RegExp(hash, 'gi') }
    }),
  )
}

/** As JSON written by others spells what is not ASCII. */
function ascii(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
