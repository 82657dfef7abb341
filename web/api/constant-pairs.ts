import type { z } from 'zod'
import type { constants, guestConstants } from '#contract/network/constant.ts'

/** One choice of a picker. */
export type Pair = { value: string; label: string }

type Wire = z.output<typeof constants>
type GuestWire = z.output<typeof guestConstants>

/** The constants as pickers want them: every array and map of texts is a list of value/label pairs. */
export type Constants = { [Name in Exclude<keyof Wire, 'macros' | 'partner_settings' | 'currency_format'>]: Pair[] } & {
  macros: (Pair & Omit<Wire['macros'][number], 'name'>)[]
  partner_settings: Wire['partner_settings']
  currency_format: Wire['currency_format']
}
type GuestConstants = { verticals: Pair[]; geos: Pair[]; trafficSources: Pair[]; country_code_phone: Pair[] }

/** An array becomes pairs of equal value and label; a map becomes value = key and label = text. */
export function pairsOf(source: readonly string[] | Readonly<Record<string, string>>): Pair[] {
  if (isList(source)) return source.map((value) => ({ value, label: value }))
  return Object.entries(source).map(([value, label]) => ({ value, label }))
}

/** Turns the constants of the wire into pairs. Phone codes read "name: +code". */
export function constantPairs(wire: Wire): Constants {
  const { macros, partner_settings, currency_format, country_code_phone, ...plain } = wire
  const pairs = Object.fromEntries(Object.entries(plain).map(([name, source]) => [name, pairsOf(source)]))
  return {
    ...(pairs as { [Name in keyof typeof plain]: Pair[] }), // the same keys, each through pairsOf
    country_code_phone: Object.entries(country_code_phone).map(([value, { name, code }]) => ({ value, label: phoneLabel(name, code) })),
    macros: macros.map(({ name, ...macro }) => ({ value: name, label: name, ...macro })),
    partner_settings,
    currency_format,
  }
}

/** The constants of guest pages; phone codes are keyed by prefix there. */
export function guestPairs(wire: GuestWire): GuestConstants {
  return {
    verticals: pairsOf(wire.verticals),
    geos: pairsOf(wire.geos),
    trafficSources: pairsOf(wire.traffic),
    country_code_phone: Object.entries(wire.country_code_phone).map(([prefix, name]) => ({
      value: prefix,
      label: phoneLabel(name, prefix),
    })),
  }
}

function phoneLabel(name: string, code: string): string {
  return `${name}: +${code.replace(/^\+/, '')}`
}

function isList(source: readonly string[] | Readonly<Record<string, string>>): source is readonly string[] {
  return Array.isArray(source)
}

/** Names a currency of ISO 4217 in the reader's language; what Intl does not know keeps the server's name. */
export function inReadersLanguage(language: string): (pair: Pair) => Pair {
  const names = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' })
  return ({ value, label }) => {
    const name = language === 'en' || !/^[A-Z]{3}$/.test(value) ? undefined : names.of(value)
    return { value, label: name === undefined ? label : `${value} – ${name}` }
  }
}
