import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import {
  AMOUNT_MEANINGS,
  DIALECT_NUMBERS,
  numbersUnder,
  pathsIn,
  withPaths,
  type Dialect,
  type DialectMeaning,
  type DialectNumbers,
} from '#contract/traffic/dialect.ts'

/** A dialect in which a parameter says this; null = what its name says by itself. An amount stays written as it was, or as `proposed` says. */
export function withMeaning(dialect: Dialect, name: string, means: DialectMeaning | null, proposed: Dialect = dialect): Dialect {
  const others = dialect.names.filter((one) => one.name.toLowerCase() !== name.toLowerCase())
  if (means === null) return { ...dialect, names: others }
  const numbers = AMOUNT_MEANINGS.has(means) ? (namedIn(dialect, name) ?? namedIn(proposed, name))?.numbers : null
  return { ...dialect, names: [...others, { name, means, ...(numbers && { numbers }) }] }
}

/** A dialect in which the amounts under a name it lists are written so; null = as it says of all. */
export function withNumbers(dialect: Dialect, name: string, numbers: DialectNumbers | null): Dialect {
  const isIt = (one: string) => one.toLowerCase() === name.toLowerCase()
  return { ...dialect, names: dialect.names.map((one) => (isIt(one.name) ? { ...one, numbers } : one)) }
}

/** How the amounts under a name that a dialect lists are written, where it says so of that name. */
export function numbersIn(dialect: Dialect, name: string): DialectNumbers | null {
  return namedIn(dialect, name)?.numbers ?? null
}

/** What may be said of how all amounts are written: in cents only where that is said already, for of one name it is said there. */
export function numbersOfAll({ numbers }: Pick<Dialect, 'numbers'>): DialectNumbers[] {
  return DIALECT_NUMBERS.filter((one) => one !== 'minor' || numbers === 'minor')
}

/** Of these names those whose amounts a dialect reads in cents. */
export function minorNames(dialect: Dialect, names: readonly string[]): string[] {
  return names.filter((name) => numbersUnder(dialect, name) === 'minor')
}

function namedIn({ names }: Dialect, name: string): Dialect['names'][number] | undefined {
  return names.find((one) => one.name.toLowerCase() === name.toLowerCase())
}

/** What a parameter says in a dialect; null = it is not named there. */
export function meaningIn(dialect: Dialect, name: string): DialectMeaning | null {
  return namedIn(dialect, name)?.means ?? null
}

/** A word's meaning as one text, for a choice: `status:approved`, `goal:ftd`; '' = none. */
export function wordIn({ words }: Dialect, word: string): string {
  const found = words.find((one) => one.word.toLowerCase() === word.toLowerCase())
  if (found === undefined) return ''
  return found.status === null ? `goal:${found.goal ?? ''}` : `status:${found.status}`
}

/** A dialect in which a word means what was chosen. */
export function withWord(dialect: Dialect, word: string, chosen: string): Dialect {
  const others = dialect.words.filter((one) => one.word.toLowerCase() !== word.toLowerCase())
  const [kind, value = ''] = chosen.split(/:(.*)/)
  if (kind !== 'status' && kind !== 'goal') return { ...dialect, words: others }
  // a status comes out of the list of them
  const meant = kind === 'status' ? { status: value as ConversionStatus, goal: null } : { status: null, goal: value }
  return { ...dialect, words: [...others, { word, ...meant }] }
}

type News = Pick<Dialect, 'names' | 'words'> & { paths: string[] }

/** What a known system's words say by now that a dialect saved of an earlier version lacks; null = nothing, or it is of no known system. */
export function newInPreset(saved: Dialect | null, preset: Dialect | undefined): News | null {
  if (saved === null || preset === undefined || saved.preset !== preset.preset) return null
  // before versions were noted it was the first
  if ((saved.preset_version || 1) >= preset.preset_version) return null
  const names = preset.names.filter(({ name }) => meaningIn(saved, name) === null)
  const words = preset.words.filter(({ word }) => wordIn(saved, word) === '')
  const paths = pathsIn(preset.path).filter((path) => !pathsIn(saved.path).includes(path))
  return names.length + words.length + paths.length === 0 ? null : { names, words, paths }
}

/** The same dialect with what is new in its system; what was changed in it stays. */
export function updatedBy(saved: Dialect, preset: Dialect): Dialect {
  const { names, words, paths } = newInPreset(saved, preset) ?? { names: [], words: [], paths: [] }
  return {
    ...saved,
    path: withPaths(saved.path, paths),
    names: [...saved.names, ...names].slice(0, 100),
    words: [...saved.words, ...words].slice(0, 200),
    preset_version: preset.preset_version,
  }
}
