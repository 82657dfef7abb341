import { clearClickHeaders, keepTold, START, TOLD, type ClickHeaders, type Told } from '../core/told.ts'

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

const COLON = 0x3a
const SLASH = 0x2f
const QUESTION = 0x3f
const HASH = 0x23
const AT = 0x40

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

/** Two letters as (first << 8) | second, 0 for none, of the first three codes behind the spaces; one that is not there is NaN. */
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
