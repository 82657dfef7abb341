import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { query } from '#web/api/query.ts'
import type { OptionsEndpoint, ReferenceRow } from '#web/kit/list/filter.ts'

/** References for what somebody types, asked for 200 ms after the last letter; the old ones stay until the new ones come. */
export function useOptions(
  endpoint: OptionsEndpoint,
  search: string,
  enabled = true,
  only: object = {},
): { options: ReferenceRow[]; loading: boolean } {
  const [settled] = useDebouncedValue(search.trim(), 200)
  const { data, isFetching } = useQuery({
    ...query(endpoint, { body: { ...only, search: settled } }),
    enabled,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  return { options: data?.list ?? [], loading: isFetching }
}
