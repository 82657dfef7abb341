import type { ToldByHeaders } from '#server/rules/click/click-row.ts'

/** The headers a click takes its values from, by their names in small letters; prefetches are known by several others. */
export const CLICK_HEADERS = [
  'user-agent',
  'x-forwarded-for',
  'accept-language',
  'referer',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
] as const

/** What a click needs of its headers. One object, refilled for every click. */
export type ClickHeaders = {
  userAgent: string
  forwardedFor: string
  /** Two letters as (first << 8) | second, 0 = none. */
  language: number
  prefetch: boolean
  told: Told
}

/**
 * What a browser tells of the page the link stood on and of itself, as rows hold it: text `t` is
 * `bytes[START[t]..ends[t])`, printable ASCII without a backslash.
 */
export type Told = { bytes: Buffer; ends: Uint16Array }

/** The texts of `Told`: host and path of the page, and the three hints of a browser. Longer ones are cut. */
export const TOLD = { referrer: 0, referrerPath: 1, hintBrands: 2, hintMobile: 3, hintPlatform: 4 } as const
export const LONGEST = [128, 255, 200, 4, 24] as const
const START = LONGEST.map((_length, text) => LONGEST.slice(0, text).reduce((sum, length) => sum + length, 0))
/** All of them together. */
export const LONGEST_TOLD = LONGEST.reduce((sum, length) => sum + length, 0)

/** Headers of a request that has none. */
export function createClickHeaders(): ClickHeaders {
  const told = { bytes: Buffer.alloc(LONGEST_TOLD), ends: Uint16Array.from(START) }
  return { userAgent: '', forwardedFor: '', language: 0, prefetch: false, told }
}

/** Forgets what the last request told. */
export function clearClickHeaders(headers: ClickHeaders): void {
  headers.userAgent = ''
  headers.forwardedFor = ''
  headers.language = 0
  headers.prefetch = false
  for (let text = 0; text < START.length; text++) headers.told.ends[text] = START[text]!
}

/** What the plain rules are told of the headers. */
export function toldByHeaders({ language, prefetch, told }: ClickHeaders): ToldByHeaders {
  const hints = hintsIn(told) ? `${textOf(told, TOLD.hintBrands)}|${textOf(told, TOLD.hintMobile)}|${textOf(told, TOLD.hintPlatform)}` : ''
  const letters = language === 0 ? '' : String.fromCharCode(language >> 8, language & 0xff)
  return { language: letters, prefetch, referrer: textOf(told, TOLD.referrer), referrerPath: textOf(told, TOLD.referrerPath), hints }
}

/** Whether a browser told anything of itself beside its User-Agent. */
export function hintsIn({ ends }: Told): boolean {
  for (let text = TOLD.hintBrands as number; text < START.length; text++) if (ends[text]! > START[text]!) return true
  return false
}

/** Copies a text into a row and returns where it stopped. */
export function writeTold(out: Uint8Array, at: number, { bytes, ends }: Told, text: number): number {
  const end = ends[text]!
  for (let i = START[text]!; i < end; i++) out[at++] = bytes[i]!
  return at
}

function textOf({ bytes, ends }: Told, text: number): string {
  return bytes.latin1Slice(START[text]!, ends[text]!)
}

/** Keeps a header, `bytes[from..to)`, as a row takes it without escaping anything: cut, then without what is not printable ASCII. */
export function keepTold(told: Told, text: number, bytes: Uint8Array, from: number, to: number): void {
  const end = Math.min(to, from + LONGEST[text]!)
  let at = START[text]!
  for (let i = from; i < end; i++) {
    const byte = bytes[i]!
    if (byte >= SPACE && byte < DELETE && byte !== BACKSLASH) told.bytes[at++] = byte
  }
  told.ends[text] = at
}

/**
 * Reads where the link stood: the host in small letters and the path, without the query, which is nobody's business. Of
 * an app (`android-app://…`) the host is its name.
 */
export function readReferrer(told: Told, bytes: Uint8Array, from: number, to: number): void {
  let colon = from
  while (colon < to && bytes[colon] !== COLON) colon++
  if (colon === from || colon > from + 20 || bytes[colon + 1] !== SLASH || bytes[colon + 2] !== SLASH || colon + 2 >= to) return
  let host = colon + 3
  let end = host
  for (let byte = 0; end < to && (byte = bytes[end]!) !== SLASH && byte !== QUESTION && byte !== HASH; end++)
    if (byte === AT) host = end + 1
  let pathEnd = end
  while (pathEnd < to && bytes[pathEnd] !== QUESTION && bytes[pathEnd] !== HASH) pathEnd++
  keepTold(told, TOLD.referrer, bytes, host, end)
  for (let i = START[TOLD.referrer]!; i < told.ends[TOLD.referrer]!; i++) {
    const byte = told.bytes[i]!
    if (byte >= 0x41 && byte <= 0x5a) told.bytes[i] = byte | 0x20
  }
  keepTold(told, TOLD.referrerPath, bytes, end, pathEnd)
}

const SPACE = 0x20
const DELETE = 0x7f
const COLON = 0x3a
const SLASH = 0x2f
const QUESTION = 0x3f
const HASH = 0x23
const AT = 0x40
const BACKSLASH = 0x5c

/**
 * Reads the few headers a click needs from node's raw list, chosen by the length of their names: `request.headers` would
 * build an object of all of them for every click. A repeated header counts once, the first time, save X-Forwarded-For.
 */
export function readClickHeaders(raw: readonly string[], into: ClickHeaders): void {
  clearClickHeaders(into)
  let languageSeen = false
  let referrerSeen = false
  let brandsSeen = false
  let mobileSeen = false
  let platformSeen = false
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i]!
    switch (name.length) {
      case 10:
        if (into.userAgent === '' && is(name, 'User-Agent', 'user-agent')) into.userAgent = raw[i + 1]!
        break
      case 15:
        if (is(name, 'Accept-Language', 'accept-language')) {
          if (!languageSeen) into.language = languageIn(raw[i + 1]!)
          languageSeen = true
        } else if (is(name, 'X-Forwarded-For', 'x-forwarded-for')) {
          into.forwardedFor = into.forwardedFor === '' ? raw[i + 1]! : `${into.forwardedFor},${raw[i + 1]!}`
        }
        break
      case 16:
        if (!mobileSeen && is(name, 'Sec-CH-UA-Mobile', 'sec-ch-ua-mobile')) {
          keepText(into.told, TOLD.hintMobile, raw[i + 1]!)
          mobileSeen = true
        }
        break
      case 18:
        if (!platformSeen && is(name, 'Sec-CH-UA-Platform', 'sec-ch-ua-platform')) {
          keepText(into.told, TOLD.hintPlatform, raw[i + 1]!)
          platformSeen = true
        }
        break
      case 5:
      case 7:
      case 9:
      case 11:
        if (is(name, 'Referer', 'referer')) {
          if (!referrerSeen) keepText(into.told, TOLD.referrer, raw[i + 1]!)
          referrerSeen = true
          break
        }
        if (is(name, 'Sec-CH-UA', 'sec-ch-ua')) {
          if (!brandsSeen) keepText(into.told, TOLD.hintBrands, raw[i + 1]!)
          brandsSeen = true
          break
        }
        if (/^(?:x-moz|purpose|x-purpose|sec-purpose)$/i.test(name) && /prefetch|prerender|preview/i.test(raw[i + 1]!)) into.prefetch = true
        break
    }
  }
}

function keepText(told: Told, text: number, header: string): void {
  const bytes = Buffer.from(header, 'latin1')
  if (text === TOLD.referrer) readReferrer(told, bytes, 0, bytes.length)
  else keepTold(told, text, bytes, 0, bytes.length)
}

function languageIn(header: string): number {
  const text = header.replace(/^[ \t]+/, '')
  return languageOf(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))
}

/**
 * The twin of `readLanguage`: two letters as (first << 8) | second, 0 for none, of the first three codes behind the
 * spaces; one that is not there is NaN.
 */
export function languageOf(code: number, next: number, behind: number): number {
  const first = code | 0x20
  const second = next | 0x20
  return isLetter(first) && isLetter(second) && !isLetter(behind | 0x20) ? (first << 8) | second : 0
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

function is(name: string, usual: string, lower: string): boolean {
  return name === usual || name === lower || name.toLowerCase() === lower
}
