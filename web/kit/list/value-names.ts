import { useQueries } from '@tanstack/react-query'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import type { Filter, ValueSource } from '#web/kit/list/filter.ts'

/** More than these are counted. */
const MOST_NAMED = 2

type Names = Readonly<Record<string, string>>

/**
 * The values of a filter in words: `seen` are the names its menu found, `nameOf` those the page knows. Where a name is not there yet a number
 * says enough.
 */
export function useSummary(
  filter: Filter | ValueSource,
  values: readonly string[],
  seen: Names,
  nameOf?: (value: string) => string | undefined,
): string {
  const unnamed = values.length > MOST_NAMED ? [] : values.filter((value) => seen[value] === undefined && nameOf?.(value) === undefined)
  const found = useNames(filter, unnamed)
  if (values.length > MOST_NAMED) return integer(values.length)
  const labels = values.map((value) => {
    if (filter.kind === 'choice') return filter.options.find((option) => option.value === value)?.label ?? value
    const known = nameOf?.(value) ?? seen[value]
    return filter.kind === 'reference' ? (known ?? found[value]) : (known ?? value)
  })
  return labels.every((label) => label !== undefined) ? labels.join(', ') : integer(values.length)
}

/** What the references of an address are called, asked for by their uuid or number. */
function useNames(filter: Filter | ValueSource, values: readonly string[]): Names {
  const endpoint = filter.kind === 'reference' ? filter.endpoint : undefined
  const unseen = endpoint === undefined ? [] : values.filter((value) => value !== '')
  const found = useQueries({
    queries: unseen.flatMap((search) =>
      endpoint === undefined ? [] : [{ ...query(endpoint, { body: { search } }, { quiet: true }), staleTime: 300_000 }],
    ),
  })
  const named = unseen.flatMap((value, index) => {
    const row = found[index]?.data?.list.find(({ uuid, id }) => uuid === value || String(id) === value)
    return row === undefined ? [] : [[value, row.name]]
  })
  return Object.fromEntries(named) as Record<string, string> // pairs of texts
}
