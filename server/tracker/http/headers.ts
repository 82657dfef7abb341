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
  /** Host and path of the page the link stood on. */
  referrer: string
  referrerPath: string
  /** What browsers tell by themselves beside the User-Agent. */
  hintBrands: string
  hintMobile: string
  hintPlatform: string
}

/** Headers of a request that has none. */
export function createClickHeaders(): ClickHeaders {
  return {
    userAgent: '',
    forwardedFor: '',
    language: 0,
    prefetch: false,
    referrer: '',
    referrerPath: '',
    hintBrands: '',
    hintMobile: '',
    hintPlatform: '',
  }
}

/** Forgets what the last request told. */
export function clearClickHeaders(headers: ClickHeaders): void {
  headers.userAgent = ''
  headers.forwardedFor = ''
  headers.language = 0
  headers.prefetch = false
  headers.referrer = ''
  headers.referrerPath = ''
  headers.hintBrands = ''
  headers.hintMobile = ''
  headers.hintPlatform = ''
}

/** What the plain rules are told of the headers. */
export function toldByHeaders(headers: ClickHeaders): ToldByHeaders {
  const { language, prefetch, referrer, referrerPath, hintBrands, hintMobile, hintPlatform } = headers
  const hints = hintsIn(headers) ? `${hintBrands}|${hintMobile}|${hintPlatform}` : ''
  const letters = language === 0 ? '' : String.fromCharCode(language >> 8, language & 0xff)
  return { language: letters, prefetch, referrer, referrerPath, hints }
}

/** Whether a browser told anything of itself beside its User-Agent. */
export function hintsIn({ hintBrands, hintMobile, hintPlatform }: ClickHeaders): boolean {
  return hintBrands !== '' || hintMobile !== '' || hintPlatform !== ''
}

/** Longer ones are cut, each by its kind. */
export const LONGEST = { referrer: 128, referrerPath: 255, hintBrands: 200, hintMobile: 4, hintPlatform: 24 } as const

/**
 * Reads where the link stood: the host in small letters and the path, without the query, which is nobody's business. Of
 * an app (`android-app://…`) the host is its name.
 */
export function readReferrer(header: string, into: ClickHeaders): void {
  const scheme = header.indexOf('://')
  if (scheme <= 0 || scheme > 20) return
  const start = scheme + 3
  let end = start
  let from = start
  for (
    let code = header.charCodeAt(end);
    end < header.length && code !== SLASH && code !== QUESTION && code !== HASH;
    code = header.charCodeAt(++end)
  )
    if (code === AT) from = end + 1
  let pathEnd = end
  while (pathEnd < header.length && header.charCodeAt(pathEnd) !== QUESTION && header.charCodeAt(pathEnd) !== HASH) pathEnd++
  into.referrer = rowText(header.slice(from, Math.min(end, from + LONGEST.referrer)).toLowerCase(), LONGEST.referrer)
  into.referrerPath = rowText(header.slice(end, Math.min(pathEnd, end + LONGEST.referrerPath)), LONGEST.referrerPath)
}

/** A header as a row takes it without escaping anything: cut, printable ASCII, no backslash. */
export function rowText(text: string, longest: number): string {
  const cut = text.length > longest ? text.slice(0, longest) : text
  for (let i = 0; i < cut.length; i++) {
    const code = cut.charCodeAt(i)
    if (code < 0x20 || code > 0x7e || code === BACKSLASH) return cut.replace(/[^ -[\]-~]/g, '')
  }
  return cut
}

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
          if (!languageSeen) into.language = languageOf(raw[i + 1]!)
          languageSeen = true
        } else if (is(name, 'X-Forwarded-For', 'x-forwarded-for')) {
          into.forwardedFor = into.forwardedFor === '' ? raw[i + 1]! : `${into.forwardedFor},${raw[i + 1]!}`
        }
        break
      case 16:
        if (!mobileSeen && is(name, 'Sec-CH-UA-Mobile', 'sec-ch-ua-mobile')) {
          into.hintMobile = rowText(raw[i + 1]!, LONGEST.hintMobile)
          mobileSeen = true
        }
        break
      case 18:
        if (!platformSeen && is(name, 'Sec-CH-UA-Platform', 'sec-ch-ua-platform')) {
          into.hintPlatform = rowText(raw[i + 1]!, LONGEST.hintPlatform)
          platformSeen = true
        }
        break
      case 5:
      case 7:
      case 9:
      case 11:
        if (is(name, 'Referer', 'referer')) {
          if (!referrerSeen) readReferrer(raw[i + 1]!, into)
          referrerSeen = true
          break
        }
        if (is(name, 'Sec-CH-UA', 'sec-ch-ua')) {
          if (!brandsSeen) into.hintBrands = rowText(raw[i + 1]!, LONGEST.hintBrands)
          brandsSeen = true
          break
        }
        if (/^(?:x-moz|purpose|x-purpose|sec-purpose)$/i.test(name) && /prefetch|prerender|preview/i.test(raw[i + 1]!)) into.prefetch = true
        break
    }
  }
}

/** The twin of `readLanguage`: two letters as (first << 8) | second, 0 for none. */
export function languageOf(header: string): number {
  let at = 0
  while (header.charCodeAt(at) === 0x20 || header.charCodeAt(at) === 0x09) at++
  const first = header.charCodeAt(at) | 0x20
  const second = header.charCodeAt(at + 1) | 0x20
  const third = header.charCodeAt(at + 2) | 0x20
  return isLetter(first) && isLetter(second) && !isLetter(third) ? (first << 8) | second : 0
}

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a
}

function is(name: string, usual: string, lower: string): boolean {
  return name === usual || name === lower || name.toLowerCase() === lower
}
