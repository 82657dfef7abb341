import { MARKS } from '#server/rules/click/click-parameters.ts'
import { encodeValue, headerSafe, type MacroPlace } from '#contract/traffic/macro-template.ts'
import { MACROS, parseTemplate } from '#server/rules/macros.ts'
import type { SnapshotOffer } from '#server/rules/offer/snapshot.ts'

/**
 * A URL with macros as bytes: below 0x80 a sign of the URL, from MACRO on a macro to encode, from RAW_MACRO on one to put
 * in raw, END at the end. The first macros are the parameters from `source` on, in the order of the row.
 */
export const MACRO = 0x80
export const RAW_MACRO = 0xc0
export const END = 0xff

export const PROGRAM_MACROS = [
  ...MARKS,
  'aff_click_id',
  'idfa',
  'gaid',
  'click_id',
  'pid',
  'landing_id',
  'geo',
  'ip',
  'ua',
  'os',
  'browser',
  'device',
  'language',
  'timestamp',
  'date',
  'random',
  'reason',
  'offer_id',
] as const
export type ProgramMacro = (typeof PROGRAM_MACROS)[number]

/** Macros that have a value when a visitor is sent on. */
const CLICK_MACROS = new Set(MACROS.filter(({ where }) => where.some((place) => place !== 'postback')).map(({ name }) => name))

/** The position of a macro in a program. */
export const MACRO_POSITION = Object.fromEntries(PROGRAM_MACROS.map((name, position) => [name, position])) as Record<ProgramMacro, number> // every name is in the list

/** Longer URLs go the plain path, so that the core's buffers have a fixed size. */
const LONGEST = 4096

/** The program of a URL, or null when only the plain path can expand it. The offer's own macros are filled in now. */
export function compileProgram(url: string, where: MacroPlace, offer: Pick<SnapshotOffer, 'id' | 'name'> | null): Uint8Array | null {
  const bytes: number[] = []
  for (const part of parseTemplate(url, where).template) {
    if (typeof part === 'string') bytes.push(...Buffer.from(part, 'latin1'))
    else if (part.map !== null) return null
    else if (offer !== null && (part.macro === 'offer_id' || part.macro === 'offer_name')) {
      const value = part.macro === 'offer_id' ? String(offer.id) : offer.name
      bytes.push(...Buffer.from(part.raw ? headerSafe(value) : encodeValue(value), 'latin1'))
    } else {
      const position = PROGRAM_MACROS.findIndex((name) => name === part.macro)
      if (position < 0) {
        // what only postbacks know expands to nothing; all others are known to the plain path
        if (CLICK_MACROS.has(part.macro)) return null
        continue
      }
      bytes.push((part.raw ? RAW_MACRO : MACRO) + position)
    }
  }
  return bytes.length > LONGEST || bytes.some((byte) => byte === END) ? null : Uint8Array.from([...bytes, END])
}
