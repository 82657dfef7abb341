import type { ToldByHeaders } from '#server/rules/click/click-row.ts'

/** The headers a click takes its values from, by their names in small letters; prefetches are known by several others. */
export const CLICK_HEADERS = ['user-agent', 'x-forwarded-for', 'accept-language'] as const

/** What a click needs of its headers. One object, refilled for every click. */
export type ClickHeaders = {
  userAgent: string
  forwardedFor: string
  /** Two letters as (first << 8) | second, 0 = none. */
  language: number
  prefetch: boolean
}

/** Headers of a request that has none. */
export function createClickHeaders(): ClickHeaders {
  return { userAgent: '', forwardedFor: '', language: 0, prefetch: false }
}

/** Forgets what the last request told. */
export function clearClickHeaders(headers: ClickHeaders): void {
  headers.userAgent = ''
  headers.forwardedFor = ''
  headers.language = 0
  headers.prefetch = false
}

/** What the plain rules are told of the headers. */
export function toldByHeaders({ language, prefetch }: ClickHeaders): ToldByHeaders {
  return { language: language === 0 ? '' : String.fromCharCode(language >> 8, language & 0xff), prefetch }
}

/**
 * Reads the few headers a click needs from node's raw list, chosen by the length of their names: `request.headers` would
 * build an object of all of them for every click. A repeated header counts once, the first time, save X-Forwarded-For.
 */
export function readClickHeaders(raw: readonly string[], into: ClickHeaders): void {
  clearClickHeaders(into)
  let languageSeen = false
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
      case 5:
      case 7:
      case 9:
      case 11:
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
