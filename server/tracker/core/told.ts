import type { ToldByHeaders } from '#server/rules/click/click-row.ts'

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
/** Where each begins. */
export const START = LONGEST.map((_length, text) => LONGEST.slice(0, text).reduce((sum, length) => sum + length, 0))
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
  return isThere(ends, TOLD.hintBrands) || isThere(ends, TOLD.hintMobile) || isThere(ends, TOLD.hintPlatform)
}

function isThere(ends: Told['ends'], text: number): boolean {
  return ends[text]! > START[text]!
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

const SPACE = 0x20
const DELETE = 0x7f
const BACKSLASH = 0x5c
