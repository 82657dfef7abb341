import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { Dialect, DialectMeaning } from '#contract/traffic/dialect.ts'

/** A dialect in which a parameter says this; null = what its name says by itself. */
export function withMeaning(dialect: Dialect, name: string, means: DialectMeaning | null): Dialect {
  const others = dialect.names.filter((one) => one.name.toLowerCase() !== name.toLowerCase())
  return { ...dialect, names: means === null ? others : [...others, { name, means }] }
}

/** What a parameter says in a dialect; null = it is not named there. */
export function meaningIn({ names }: Dialect, name: string): DialectMeaning | null {
  return names.find((one) => one.name.toLowerCase() === name.toLowerCase())?.means ?? null
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

/** What a known system's words say by now that a dialect saved of an earlier version lacks; null = nothing, or it is of no known system. */
export function newInPreset(saved: Dialect | null, preset: Dialect | undefined): Pick<Dialect, 'names' | 'words'> | null {
  if (saved === null || preset === undefined || saved.preset !== preset.preset) return null
  // before versions were noted it was the first
  if ((saved.preset_version || 1) >= preset.preset_version) return null
  const names = preset.names.filter(({ name }) => meaningIn(saved, name) === null)
  const words = preset.words.filter(({ word }) => wordIn(saved, word) === '')
  return names.length + words.length === 0 ? null : { names, words }
}

/** The same dialect with what is new in its system; what was changed in it stays. */
export function updatedBy(saved: Dialect, preset: Dialect): Dialect {
  const { names, words } = newInPreset(saved, preset) ?? { names: [], words: [] }
  return {
    ...saved,
    names: [...saved.names, ...names].slice(0, 100),
    words: [...saved.words, ...words].slice(0, 200),
    preset_version: preset.preset_version,
  }
}
