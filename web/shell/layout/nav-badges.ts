import { useQueries, useQuery } from '@tanstack/react-query'
import { SCREEN_IDS, type ScreenId } from '#contract/screens.ts'
import { query } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { useCan } from '#web/shell/access.ts'
import { pageOf, type WaitingEndpoint } from '#web/shell/page.ts'

/** How many things wait on each screen for the person who may decide them; asked again every minute. */
export function useNavBadges(): Partial<Record<ScreenId, number>> {
  const can = useCan()
  const { data: known = [] } = useQuery({ queryKey: ['waiting'], queryFn: loadEndpoints, staleTime: Infinity })
  const asked = known.filter(({ endpoint }) => can(endpoint.access))
  const counts = useQueries({
    queries: asked.map(({ endpoint }) => ({ ...query(endpoint, {}, { quiet: true }), refetchInterval: 60_000 })),
  })
  return Object.fromEntries(asked.map(({ id }, index) => [id, counts[index]?.data?.rows]))
}

async function loadEndpoints(): Promise<{ id: ScreenId; endpoint: WaitingEndpoint }[]> {
  const loaded = SCREEN_IDS.map(async (id) => {
    const waiting = pageOf(id)?.waiting
    return { id, endpoint: waiting && (await withinChunkTimeout(waiting)) }
  })
  return (await Promise.all(loaded)).flatMap(({ id, endpoint }) => (endpoint === undefined ? [] : [{ id, endpoint }]))
}
