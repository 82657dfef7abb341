import { transformOf, type TransformContext } from './transform.ts'

/** What macros stand for, by their whole name: `lead.first_name`, `cred.api_key`, `step.login.token`. */
export type Values = Readonly<Record<string, string>>

/** A transform's argument: what was written in quotes or as a bare word, or the value of a macro. */
type Argument = { text: string } | { macro: string }
type Piece = string | { macro: string; transforms: readonly { name: string; args: readonly Argument[] }[] }
export type Template = readonly Piece[]
export type TemplateMistake = { code: 'open' | 'unknown_macro' | 'unknown_transform' | 'arguments'; at: string }

const MACRO = /\{\{(.*?)\}\}/gs
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
  for (const { index, 0: whole, 1: inner = '' } of text.matchAll(MACRO)) {
    if (index > last) template.push(text.slice(last, index))
    last = index + whole.length
    template.push(readMacro(inner, whole, known, mistakes))
  }
  if (last < text.length) template.push(text.slice(last))
  if (template.some((piece) => typeof piece === 'string' && piece.includes('{{'))) mistakes.push({ code: 'open', at: text.slice(0, 60) })
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

/** Puts values in place of macros; what has none is nothing. Never throws: a transform that cannot read its value leaves nothing. */
export function fill(template: Template, values: Values, context: TransformContext): string {
  return template
    .map((piece) => {
      if (typeof piece === 'string') return piece
      return piece.transforms.reduce(
        (value, { name, args }) =>
          transformOf(name)?.apply(
            value,
            args.map((arg) => ('macro' in arg ? (values[arg.macro] ?? '') : arg.text)),
            context,
          ) ?? '',
        values[piece.macro] ?? '',
      )
    })
    .join('')
}
