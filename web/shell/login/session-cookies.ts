import { ROLES, type Role } from '#contract/access.ts'
import type { Runtime } from '../runtime.ts'

export type CookieNames = Runtime['cookies']
export type CookieName = keyof CookieNames

/** What the session cookies of a signed-in person hold. */
export type SessionCookies = Partial<Record<CookieName, string>>

/** The part of `document` cookies need, so that tests run without one. */
export type CookieDocument = { cookie: string }

/** Thirty days, as long as a session lives without use. */
const MAX_AGE = 30 * 24 * 60 * 60

/** Reads the session cookies. */
export function readCookies(document: CookieDocument, names: CookieNames): SessionCookies {
  const all = new Map(
    cookiesOf(document)
      .split('; ')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const found: SessionCookies = {}
  for (const [key, name] of entriesOf(names)) {
    const value = all.get(name)
    if (value !== undefined && value !== '') found[key] = decode(value)
  }
  return found
}

/** Writes session cookies: `SameSite=Strict`, the whole site, and only over https where the page came over https. */
export function writeCookies(document: CookieDocument, names: CookieNames, values: SessionCookies, secure: boolean): void {
  for (const [key, name] of entriesOf(names)) {
    const value = values[key]
    if (value !== undefined)
      set(document, `${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${MAX_AGE}; SameSite=Strict${secure ? '; Secure' : ''}`)
  }
}

/** Removes the named session cookies, or all of them. */
export function clearCookies(document: CookieDocument, names: CookieNames, secure: boolean, only?: readonly CookieName[]): void {
  for (const [key, name] of entriesOf(names)) {
    if (only === undefined || only.includes(key)) set(document, `${name}=; Path=/; Max-Age=0; SameSite=Strict${secure ? '; Secure' : ''}`)
  }
}

/** A role as the cookies or the store hold it, lower-cased; undefined when it is none of ours. */
export function parseRole(text: string | undefined): Role | undefined {
  const lower = text?.toLowerCase()
  return ROLES.find((role) => role === lower)
}

// a page whose cookies are forbidden throws at either; the login state then holds the session as long as the page stays

function cookiesOf(document: CookieDocument): string {
  try {
    return document.cookie
  } catch {
    return ''
  }
}

function set(document: CookieDocument, cookie: string): void {
  try {
    document.cookie = cookie
  } catch {
    // see above
  }
}

function entriesOf(names: CookieNames): [CookieName, string][] {
  return Object.entries(names) as [CookieName, string][] // the keys of a literal object type
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
