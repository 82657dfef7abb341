import type { Query } from '../core/query.ts'
import { clearClickHeaders, keepTold, TOLD, type ClickHeaders } from '../core/told.ts'
import { CLICK_HEADERS, languageOf, readReferrer } from './headers.ts'

/** What the fast lane reads of a request. One object, refilled for every request. */
export type RequestHead = {
  query: Query
  keepAlive: boolean
  headers: ClickHeaders
  /** Where in the bytes the value of Host stands. */
  hostFrom: number
  hostTo: number
}

/** Longer heads are left to node:http. */
const LONGEST_HEAD = 8192

/**
 * Reads the head of an ordinary click, `GET /click?… HTTP/1.1` with ordinary headers, that begins `bytes` and is whole.
 * Returns where it ends, or 0 for everything else, which is for node:http to judge: other methods and paths, bodies,
 * upgrades, proxies' own headers, prefetches, bytes and line ends out of the ordinary. It must never read a request in
 * another way than node:http would (fast-lane.test.ts compares them).
 */
export function readRequestHead(bytes: Buffer, into: RequestHead): number {
  const end = Math.min(bytes.length, LONGEST_HEAD)
  for (let i = 0; i < BEGINNING.length; i++) if (bytes[i] !== BEGINNING[i]) return 0
  let at = BEGINNING.length
  const query = at
  while (at < end && IN_QUERY[bytes[at]!] === 1) at++
  const queryEnd = at
  if (at + VERSION.length > end) return 0
  for (let i = 0; i < VERSION.length; i++) if (bytes[at + i] !== VERSION[i]) return 0
  at += VERSION.length

  const { headers } = into
  clearClickHeaders(headers)
  into.keepAlive = true
  // One bit for each header that may come once.
  let seen = 0
  for (;;) {
    if (at + 1 >= end) return 0
    if (bytes[at] === CR) {
      if (bytes[at + 1] !== LF || (seen & HOST) === 0) return 0
      into.query.setBytes(bytes, query, queryEnd)
      return at + 2
    }
    const name = at
    let hash = 0
    let byte = 0
    while (at < end && IN_NAME[(byte = bytes[at]!)] === 1) {
      hash = (Math.imul(hash, 31) + (byte | 0x20)) | 0
      at++
    }
    const nameEnd = at
    if (nameEnd === name || at >= end || byte !== COLON) return 0
    at++
    while (at < end && (bytes[at] === SPACE || bytes[at] === TAB)) at++
    const value = at
    while (at < end && IN_VALUE[bytes[at]!] === 1) at++
    if (at + 1 >= end || bytes[at] !== CR || bytes[at + 1] !== LF) return 0
    let valueEnd = at
    at += 2
    while (valueEnd > value && (bytes[valueEnd - 1] === SPACE || bytes[valueEnd - 1] === TAB)) valueEnd--

    const known = KNOWN.get(hash)
    if (known === undefined || !isNamed(bytes, name, nameEnd, known.name)) continue
    const { kind } = known
    if (kind === LEFT || seen & kind) return 0
    seen |= kind
    if (kind === HOST) {
      into.hostFrom = value
      into.hostTo = valueEnd
    } else if (kind === USER_AGENT) headers.userAgent = bytes.latin1Slice(value, valueEnd)
    else if (kind === FORWARDED) headers.forwardedFor = bytes.latin1Slice(value, valueEnd)
    else if (kind === LANGUAGE) headers.language = languageOf(bytes[value]!, bytes[value + 1]!, bytes[value + 2]!)
    else if (kind === REFERRER) readReferrer(headers.told, bytes, value, valueEnd)
    else if (kind === HINT_BRANDS) keepTold(headers.told, TOLD.hintBrands, bytes, value, valueEnd)
    else if (kind === HINT_MOBILE) keepTold(headers.told, TOLD.hintMobile, bytes, value, valueEnd)
    else if (kind === HINT_PLATFORM) keepTold(headers.told, TOLD.hintPlatform, bytes, value, valueEnd)
    else if (kind === CONNECTION) {
      const option = bytes.latin1Slice(value, Math.min(valueEnd, value + 12)).toLowerCase()
      if (option === 'close') into.keepAlive = false
      else if (option !== 'keep-alive') return 0
    }
  }
}

const CR = 0x0d
const LF = 0x0a
const SPACE = 0x20
const TAB = 0x09
const COLON = 0x3a

const BEGINNING = Buffer.from('GET /click?', 'latin1')
const VERSION = Buffer.from(' HTTP/1.1\r\n', 'latin1')

const bytesThat = (is: (character: string) => boolean) =>
  Uint8Array.from({ length: 256 }, (_value, byte) => Number(is(String.fromCharCode(byte))))
const IN_QUERY = bytesThat((character) => /[\x21-\x7e]/.test(character) && character !== '#')
const IN_NAME = bytesThat((character) => /[\w!#$%&'*+.^`|~-]/.test(character))
const IN_VALUE = bytesThat((character) => /[\t\x20-\x7e\x80-\xff]/.test(character))

const HOST = 1
const CONNECTION = 2
/** Headers that change how a request is read or answered. */
const LEFT = 4
const kindOf = (name: (typeof CLICK_HEADERS)[number]) => 8 << CLICK_HEADERS.indexOf(name)
const USER_AGENT = kindOf('user-agent')
const FORWARDED = kindOf('x-forwarded-for')
const LANGUAGE = kindOf('accept-language')
const REFERRER = kindOf('referer')
const HINT_BRANDS = kindOf('sec-ch-ua')
const HINT_MOBILE = kindOf('sec-ch-ua-mobile')
const HINT_PLATFORM = kindOf('sec-ch-ua-platform')
const LEFT_TO_HTTP = [
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-connection',
  'http2-settings',
  'x-moz',
  'purpose',
  'x-purpose',
  'sec-purpose',
]
type KnownHeader = { name: Buffer; kind: number }
const KNOWN = new Map<number, KnownHeader>()
for (const [text, kind] of [
  ['host', HOST],
  ['connection', CONNECTION],
  ...CLICK_HEADERS.map((name) => [name, kindOf(name)] as const),
  ...LEFT_TO_HTTP.map((name) => [name, LEFT] as const),
] as const) {
  const name = Buffer.from(text, 'latin1')
  KNOWN.set(
    name.reduce((hash, byte) => (Math.imul(hash, 31) + byte) | 0, 0),
    { name, kind },
  )
}

function isNamed(bytes: Buffer, from: number, to: number, name: Buffer): boolean {
  if (to - from !== name.length) return false
  for (let i = 0; i < name.length; i++) if ((bytes[from + i]! | 0x20) !== name[i]) return false
  return true
}

/** Whether the Host of a request that was read names `name`, lower-case ASCII, with or without a port. */
export function namesHost(bytes: Buffer, { hostFrom, hostTo }: RequestHead, name: Buffer): boolean {
  const end = hostFrom + name.length
  if (end > hostTo || (end < hostTo && bytes[end] !== COLON)) return false
  for (let i = 0; i < name.length; i++) {
    const byte = bytes[hostFrom + i]!
    if (byte !== name[i] && (byte | 0x20) !== name[i]) return false
  }
  return true
}
