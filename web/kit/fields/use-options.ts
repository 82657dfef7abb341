import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/api/query.ts'
import { bestFirst, bestMatches } from '#web/kit/fields/best-match.ts'
import type { FoundEndpoint, Option, ReferenceRow } from '#web/kit/list/filter.ts'

/** What is found for what somebody types, the best match first, asked for 200 ms after the last letter; until it comes, what fits of the old. */
export function useOptions<Row extends Option | ReferenceRow>(
  endpoint: FoundEndpoint<Row>,
  search: string,
  enabled = true,
  only: object = {},
): { options: Row[]; loading: boolean } {
  const [settled] = useDebouncedValue(search.trim(), 200)
  const { data, isFetching } = useQuery({
    ...query(endpoint, { body: { ...only, search: settled } }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const typed = search.trim()
  const loading = isFetching || settled !== typed
  // what was found for something else must not be chosen by Enter
  return { options: (loading ? bestMatches : bestFirst)(data?.list ?? [], typed, optionOf), loading }
}

function optionOf(row: Option | ReferenceRow): Option {
  return 'label' in row ? row : { value: String(row.id), label: row.name }
}
