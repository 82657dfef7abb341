import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { Option } from '#web/kit/list/filter.ts'

/**
 * How well an option fits what was typed, 0 the best: it is its code, letter by letter ("DE" is Germany before Denmark); its name begins
 * so; it is its code in other letters; one of its words begins so; it stands anywhere. undefined = not at all.
 */
export function matchOf({ value, label }: Option, typed: string): number | undefined {
  const wanted = plain(typed)
  const name = plain(label)
  if (value === typed.trim()) return 0
  if (name.startsWith(wanted)) return 1
  if (plain(value) === wanted) return 2
  const at = name.indexOf(wanted)
  if (at < 0) return undefined
  return words(name).some((start) => name.startsWith(wanted, start)) ? 3 : 4
}

/** What fits what was typed, the best first; of equals the one that stood first. `optionOf` tells by what a row is found. */
export function bestMatches<Row>(rows: readonly Row[], typed: string, optionOf: (row: Row) => Option): Row[] {
  return bestFirst(
    rows.filter((row) => matchOf(optionOf(row), typed) !== undefined),
    typed,
    optionOf,
  )
}

/** What a server found, the best first; what it found by something else, such as an e-mail address, comes last. */
export function bestFirst<Row>(rows: readonly Row[], typed: string, optionOf: (row: Row) => Option): Row[] {
  if (typed.trim() === '') return [...rows]
  const ranked = rows.map((row) => ({ row, match: matchOf(optionOf(row), typed) ?? 5 }))
  return ranked.toSorted((one, other) => one.match - other.match).map(({ row }) => row)
}

/** Lists of Mantine: all of them stand in this order once something is typed (`panel-theme.ts`), within each group of those that have some. */
export const filterByMatch: OptionsFilter = ({ options, search, limit }) => {
  const fitting = (some: readonly ComboboxItem[]) => bestMatches(some, search, (option) => option).slice(0, limit)
  const single = options.flatMap((option) => ('group' in option ? [] : [option]))
  const groups = options.flatMap((option) => ('group' in option ? [option] : []))
  return [...fitting(single), ...groups.map((group) => ({ ...group, items: fitting(group.items) })).filter(({ items }) => items.length > 0)]
}

/** Without case, accents and typographic apostrophes: people type what their keyboard has. */
function plain(text: string): string {
  return text.trim().toLocaleLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/[’ʼ]/g, "'")
}

/** Where words begin. */
function words(text: string): number[] {
  return [...text.matchAll(/(?<![\p{L}\p{N}'])[\p{L}\p{N}]/gu)].map(({ index }) => index)
}
