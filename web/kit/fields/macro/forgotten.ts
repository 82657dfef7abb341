import { FOREIGN_MACRO, HASHED_MACRO } from '#contract/traffic/macro-alias.ts'
import { isPlaceholderWord, isUnfilledMacro } from '#contract/traffic/placeholder.ts'

export type MacroHint = { code: 'fragment' | 'placeholder' | 'brace' | 'menu' | 'html'; text: string }
type Piece = { name: string; value: string; inPath?: boolean }

/** What may be a mistake in the address of a postback, and may be meant: it can be saved all the same. */
export function addressHints(text: string): MacroHint[] {
  const bare = withoutMacros(text)
  const hash = bare.indexOf('#')
  const [path = '', ...query] = (hash < 0 ? bare : bare.slice(0, hash)).replace(/^[a-z-]+:\/\/[^/?]*/i, '').split('?')
  const segments = path.split('/').map((value) => ({ name: '', value, inPath: true }))
  const fragment = hash < 0 ? [] : [{ code: 'fragment' as const, text: bare.slice(hash) }]
  return [...fragment, ...hintsOf(text, [...segments, ...pairsOf(query.join('?'))])]
}

/** The same of the body of a postback. */
export function bodyHints(text: string, kind: 'form' | 'json'): MacroHint[] {
  if (kind === 'form') return hintsOf(text, pairsOf(withoutMacros(text)))
  let name = ''
  const quoted: Piece[] = []
  for (const { 1: string = '', 2: colon } of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)) {
    if (colon === undefined) quoted.push({ name, value: string })
    else name = string
  }
  const values = quoted.map(({ value }) => value).join(' ')
  return hintsOf(
    values,
    quoted.map((one) => ({ ...one, value: withoutMacros(one.value) })),
  )
}

/** The same of the value of a header. */
export function headerHints(text: string): MacroHint[] {
  return hintsOf(
    text,
    withoutMacros(text)
      .split(/\s+/)
      .map((value) => ({ name: '', value })),
  )
}

/** Each kind of mistake with all that has it. */
function hintsOf(text: string, pieces: readonly Piece[]): MacroHint[] {
  const loose = [...(text.match(FOREIGN_MACRO) ?? []), ...(text.match(HASHED_MACRO) ?? []), ...(text.match(LOOSE_MACRO) ?? [])]
  const having = (is: (piece: Piece) => boolean) => pieces.filter(is).map(({ value }) => value)
  const hints = {
    placeholder: [...loose, ...having((piece) => !hasLooseMacro(piece.value) && isForgotten(piece))],
    brace: having(({ value }) => /[{}]/.test(value)),
    menu: having(({ name, value }) => ONE_OF.test(name) && MENU.test(value)),
    html: text.match(/&amp;/gi)?.slice(0, 1) ?? [],
  }
  return (['placeholder', 'brace', 'menu', 'html'] as const).flatMap((code) =>
    hints[code].length === 0 ? [] : [{ code, text: [...new Set(hints[code])].join(', ') }],
  )
}

/** Those that are told wherever they stand within a value. */
const LOOSE_MACRO = /%%\w+%%|@@\w+@@|!!!\w+!!!/g
const ONE_OF = /status|state|goal|event|currency|action|type/i
const MENU = /^[a-z_]+([,|][a-z_]+)+$/i
/** What manuals tell to replace, beside the words that are refused of what comes in: there an advertiser may well mean these. */
const LEFT_OUT = /^(replace(_?me)?|your_\w+|x{3,})$/i
const OWN_NAME = /^sub_?id$/i

function isForgotten({ name, value, inPath }: Piece): boolean {
  if (/[{}]/.test(value)) return false
  if (isUnfilledMacro(value) || isUnfilledMacro(decoded(value))) return true
  // `/clickid/…` names what follows it
  if (inPath === true) return LEFT_OUT.test(value) || (isShouted(value) && isPlaceholderWord(value))
  const saysItsName = /^[a-z_]{3,}$/i.test(value) && value.toLowerCase() === name.toLowerCase() && !ONE_OF.test(name)
  return isPlaceholderWord(value) || LEFT_OUT.test(value) || OWN_NAME.test(value) || saysItsName
}

function isShouted(value: string): boolean {
  return value === value.toUpperCase()
}

function hasLooseMacro(value: string): boolean {
  return value.match(LOOSE_MACRO) !== null
}

/** Ours will be filled; those of other systems are told by themselves. */
function withoutMacros(text: string): string {
  return text
    .replaceAll(FOREIGN_MACRO, '')
    .replaceAll(HASHED_MACRO, '')
    .replace(/\{[^{}]*\}/g, '0')
}

function pairsOf(text: string): Piece[] {
  return text.split(/[&\n]/).map((pair) => {
    const at = pair.indexOf('=')
    return { name: pair.slice(0, Math.max(at, 0)), value: pair.slice(at + 1).trim() }
  })
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
