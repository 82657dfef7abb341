import { transformOf, type TransformContext } from './transform.ts'

/** What macros stand for, by their whole name: `lead.first_name`, `cred.api_key`, `step.login.token`. */
export type Values = Readonly<Record<string, string>>

/** A transform's argument: what was written in quotes or as a bare word, or the value of a macro. */
type Argument = { text: string } | { macro: string }
type Piece = string | { macro: string; transforms: readonly { name: string; args: readonly Argument[] }[] }
export type Template = readonly Piece[]
export type TemplateMistake = { code: 'open' | 'unknown_macro' | 'unknown_transform' | 'arguments' | 'too_many'; at: string }

/** So many transforms one text may hold. */
export const MOST_TRANSFORMS = 40
/** No text a call is made of grows longer, neither in the end nor between two transforms. */
export const LONGEST_TEXT = 262_144
/** So many characters all transforms of one call may read and write together: whatever a spec says, a call is written in milliseconds. */
const MOST_WORK = 4_000_000
/** What is left of that for the texts of one call. */
export type Allowance = { left: number }

/** Gathers what a call says of some macros: the words their values stand in once they are transformed. */
export type Gather = { of: (macro: string) => boolean; words: Set<string> }

/** A fresh one for each call. */
export function allowance(): Allowance {
  return { left: MOST_WORK }
}

const NAME = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)+$/i

/**
 * Reads text with macros, `{{lead.phone | digits | substr:0,3}}`. Arguments stand in single quotes, as a bare word, or are macros
 * themselves (`hmac:'sha256',cred.secret`). `known` says which macros there are; without it any name is taken.
 * With mistakes it must not be saved.
 */
export function readTemplate(text: string, known?: (macro: string) => boolean): { template: Template; mistakes: TemplateMistake[] } {
  const mistakes: TemplateMistake[] = []
  const template: Piece[] = []
  let last = 0
  // sought by hand: a pattern would begin anew at each pair of braces nobody closed
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', last)) {
    const close = text.indexOf('}}', open + 2)
    if (close < 0) break
    if (open > last) template.push(text.slice(last, open))
    last = close + 2
    template.push(readMacro(text.slice(open + 2, close), text.slice(open, last), known, mistakes))
  }
  if (last < text.length) template.push(text.slice(last))
  if (template.some((piece) => typeof piece === 'string' && piece.includes('{{'))) mistakes.push({ code: 'open', at: text.slice(0, 60) })
  const transforms = template.reduce((sum, piece) => sum + (typeof piece === 'string' ? 0 : piece.transforms.length), 0)
  if (transforms > MOST_TRANSFORMS) mistakes.push({ code: 'too_many', at: String(MOST_TRANSFORMS) })
  return { template, mistakes }
}

function readMacro(inner: string, whole: string, known: ((macro: string) => boolean) | undefined, mistakes: TemplateMistake[]): Piece {
  const [first = '', ...rest] = splitOutside(inner, '|').map((part) => part.trim())
  if (!NAME.test(first) || known?.(first) === false) mistakes.push({ code: 'unknown_macro', at: first === '' ? whole : first })
  const transforms = rest.map((part) => {
    const colon = part.indexOf(':')
    const name = (colon < 0 ? part : part.slice(0, colon)).trim()
    const args = colon < 0 ? [] : splitOutside(part.slice(colon + 1), ',').map((arg) => readArgument(arg.trim()))
    const transform = transformOf(name)
    if (transform === undefined) mistakes.push({ code: 'unknown_transform', at: name })
    else if (args.length < transform.least || args.length > transform.most) mistakes.push({ code: 'arguments', at: name })
    for (const arg of args) if ('macro' in arg && known?.(arg.macro) === false) mistakes.push({ code: 'unknown_macro', at: arg.macro })
    return { name, args }
  })
  return { macro: first, transforms }
}

function readArgument(text: string): Argument {
  if (/^'.*'$/s.test(text)) return { text: text.slice(1, -1).replaceAll("\\'", "'") }
  return NAME.test(text) ? { macro: text } : { text }
}

/** Cuts at a sign that does not stand in quotes. */
function splitOutside(text: string, sign: string): string[] {
  const parts: string[] = []
  let from = 0
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "'" && text[at - 1] !== '\\') quoted = !quoted
    else if (text[at] === sign && !quoted) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}

/**
 * Puts values in place of macros; what has none is nothing. Null = it grows too long, or takes more work than is left. Never throws: a
 * transform that cannot read its value leaves nothing. `gather` hears what the macros it asks about became.
 */
export function fill(template: Template, values: Values, context: TransformContext, work: Allowance, gather?: Gather): string | null {
  let filled = ''
  const said: [from: number, to: number][] = []
  for (const piece of template) {
    const text = typeof piece === 'string' ? piece : transformed(piece, values, context, work)
    if (text === null || filled.length + text.length > LONGEST_TEXT) return null
    work.left -= text.length
    if (work.left < 0) return null
    if (gather !== undefined && text !== '' && typeof piece !== 'string' && says(piece, values, gather.of))
      said.push([filled.length, filled.length + text.length])
    filled += text
  }
  for (const [from, to] of said) gather?.words.add(wordAround(filled, from, to))
  return filled
}

function says({ macro, transforms }: Exclude<Piece, string>, values: Values, of: Gather['of']): boolean {
  const macros = [macro, ...transforms.flatMap(({ args }) => args.flatMap((arg) => ('macro' in arg ? [arg.macro] : [])))]
  return macros.some((one) => of(one) && (values[one] ?? '') !== '')
}

/** So far a word is followed to both sides. */
const BESIDE = 64

/** A part of a text with the letters and digits that stand right beside it. */
function wordAround(text: string, from: number, to: number): string {
  const part = text.slice(from, to)
  const before = /^[\p{L}\p{N}]/u.test(part) ? (/[\p{L}\p{N}]*$/u.exec(text.slice(Math.max(0, from - BESIDE), from))?.[0] ?? '') : ''
  const behind = /[\p{L}\p{N}]$/u.test(part.slice(-2)) ? (/^[\p{L}\p{N}]*/u.exec(text.slice(to, to + BESIDE))?.[0] ?? '') : ''
  return `${before}${part}${behind}`
}

function transformed(
  { macro, transforms }: Exclude<Piece, string>,
  values: Values,
  context: TransformContext,
  work: Allowance,
): string | null {
  let value = values[macro] ?? ''
  for (const { name, args } of transforms) {
    const given = args.map((arg) => ('macro' in arg ? (values[arg.macro] ?? '') : arg.text))
    const transform = transformOf(name)
    if (transform === undefined) return ''
    work.left -= value.length + given.reduce((sum, text) => sum + text.length, LEAST_WORK) + (transform.work?.(value, given) ?? 0)
    if (work.left < 0 || (transform.grown?.(value, given) ?? 0) > LONGEST_TEXT) return null
    value = transform.apply(value, given, context)
    if (value.length > LONGEST_TEXT) return null
  }
  return value
}

/** What any transform costs, however short its value. */
const LEAST_WORK = 100
