import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/api/query.ts'
import type { FoundEndpoint } from '#web/kit/list/filter.ts'

/** What is found for what somebody types, asked for 200 ms after the last letter; the old ones stay until the new ones come. */
export function useOptions<Row>(
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
  return { options: data?.list ?? [], loading: isFetching }
}
