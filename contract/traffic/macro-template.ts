import { FOREIGN_MACRO, MACRO_ALIASES } from './macro-alias.ts'

/** Where a template is used. `offer` covers landing URLs too; `app` is the address of an offer that may lead to an app. */
export const MACRO_PLACES = ['offer', 'app', 'trafficback', 'postback'] as const
export type MacroPlace = (typeof MACRO_PLACES)[number]
/** Macros there are, and where each may be used. */
export type KnownMacros = readonly { name: string; where: readonly MacroPlace[] }[]

export type MacroValues = Readonly<Record<string, string>>
export type TemplateMacro = { macro: string; raw: boolean; map: ReadonlyMap<string, string> | null }
export type Template = readonly (string | TemplateMacro)[]
export type TemplateError = { code: 'not_a_url' | 'macro_in_host' | 'unknown_macro' | 'macro_not_here' | 'bad_map'; macro: string }

/**
 * Reads a URL with macros: `{sub1}` URL-encoded, `{_sub1}` raw, `{status:approved=1,declined=2}` mapped. In postbacks the
 * names other platforms have for ours are read too. What stands in other systems' brackets (`${SUBID}`) is theirs, and stays.
 *
 * With errors the template must not be saved; it can still be expanded (unknown macros stay as text, macros inside the
 * host vanish, so that a visitor's value never decides which host is reached).
 */
export function readTemplate(text: string, where: MacroPlace, macros: KnownMacros): { template: Template; errors: TemplateError[] } {
  const errors: TemplateError[] = []
  const template: (string | TemplateMacro)[] = []
  const hostEnd = endOfHost(text)
  if (hostEnd < 0 || (where !== 'app' && APP_SCHEME.test(text))) errors.push({ code: 'not_a_url', macro: '' })
  let literal = ''
  let last = 0
  const foreign = [...text.matchAll(FOREIGN_MACRO)].map(({ index, 0: whole }) => [index, index + whole.length] as const)
  for (const match of text.matchAll(/\{([^{}]*)\}/g)) {
    if (foreign.some(([from, to]) => match.index >= from && match.index < to)) continue
    literal += text.slice(last, match.index)
    last = match.index + match[0].length
    const macro = readBraces(match[1] ?? '', where, macros, errors)
    if (macro === null) literal += match[0]
    else if (match.index < hostEnd || hostEnd < 0) errors.push({ code: 'macro_in_host', macro: macro.macro })
    else {
      if (literal !== '') template.push(headerSafe(literal))
      literal = ''
      template.push(macro)
    }
  }
  literal += text.slice(last)
  if (literal !== '') template.push(headerSafe(literal))
  return { template: withAsciiHost(template), errors }
}

/** Puts values in place of macros; a value that is missing becomes nothing. The result is printable ASCII. */
export function expand(template: Template, values: MacroValues): string {
  let out = ''
  for (const part of template) {
    if (typeof part === 'string') out += part
    else {
      const value = values[part.macro] ?? ''
      const mapped = part.map?.get(value) ?? value
      out += part.raw ? headerSafe(mapped) : encodeValue(mapped)
    }
  }
  return out
}

/** Percent-encodes everything but letters, digits and `-._~`, so that a value stays one value wherever it lands. */
export function encodeValue(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replace(/[!'()*]/g, percent)
}

/** Keeps a URL's own signs, drops control characters (a header cannot be broken), encodes all else that no URL may hold. */
export function headerSafe(text: string): string {
  let kept = ''
  let last = 0
  for (const { index, 0: whole } of text.matchAll(FOREIGN_MACRO)) {
    kept += encodedSigns(text.slice(last, index)) + encodedSigns(whole, /[ "<>\\^`|]/g)
    last = index + whole.length
  }
  return kept + encodedSigns(text.slice(last))
}

function encodedSigns(text: string, signs = /[ "<>\\^`{|}]/g): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .replace(signs, percent)
    .replace(/[^\u0000-\u007f]+/g, encodeURIComponent)
}

function percent(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** What stands between the braces of a macro; null = none, or one nobody knows, which is then among the errors. */
export function readBraces(inner: string, where: MacroPlace, macros: KnownMacros, errors: TemplateError[]): TemplateMacro | null {
  const match = /^(_?)([a-z][a-z0-9_]*)(?::(.*))?$/.exec(inner)
  const own = macros.find((macro) => macro.name === match?.[2])
  const known = own ?? (where === 'postback' ? macros.find(({ name }) => name === MACRO_ALIASES.get(match?.[2] ?? '')) : undefined)
  if (!match || !known) {
    errors.push({ code: 'unknown_macro', macro: inner })
    return null
  }
  if (!known.where.includes(where)) errors.push({ code: 'macro_not_here', macro: known.name })
  let map: Map<string, string> | null = null
  if (match[3] !== undefined) {
    const pairs = match[3].split(',').map((pair) => pair.split('='))
    if (pairs.some((pair) => pair.length !== 2 || pair[0] === '')) errors.push({ code: 'bad_map', macro: known.name })
    map = new Map(pairs.map(([from = '', to = '']) => [from.trim(), to.trim()]))
  }
  return { macro: known.name, raw: match[1] === '_', map }
}

/** Addresses that open a shop of apps on a phone. */
const APP_SCHEME = /^(market|itms-appss?):\/\//i

/** Where path, query or fragment begin; -1 when the text is no address of the web or of an app. */
function endOfHost(text: string): number {
  const app = APP_SCHEME.test(text) ? /^[a-z-]+:\/\/[a-z0-9.-]+(?=[/?#]|$)/i.exec(text) : null
  if (app) return app[0].length
  const match = /^https?:\/\/[^/?#\\{}@\s]+(?=[/?#]|$)/i.exec(text)
  if (match) {
    try {
      return new URL(match[0]).host === '' ? -1 : match[0].length
    } catch {}
    return -1
  }
  const loose = /^https?:\/\/[^/?#\\@\s]+(?=[/?#]|$)/i.exec(text)
  return loose ? loose[0].length : -1
}

/** A host in another script becomes its ASCII form: a percent-encoded host reaches nobody. */
function withAsciiHost(template: Template): Template {
  const [first, ...rest] = template
  if (typeof first !== 'string') return template
  const match = /^(https?:\/\/)([^/?#]*%[^/?#]*)(.*)$/is.exec(first)
  if (!match) return template
  try {
    return [`${match[1]}${new URL(`${match[1]}${match[2]}`).host}${match[3]}`, ...rest]
  } catch {
    return template
  }
}
