import { useQuery } from '@tanstack/react-query'
import type { CallOutput } from '#contract/endpoint.ts'
import type { inboxApi } from '#contract/network/inbox.ts'
import { call } from '#web/api/call.ts'
import { INBOX } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { useCan } from '#web/shell/access.ts'

/**
 * How much of each kind waits for the signed-in person's decision: the one source of sidebar, bell and dashboard. Asked every
 * minute, and after everything that is saved. Undefined until it is known, and for affiliates.
 */
export function useInboxCounts(): CallOutput<typeof inboxApi.counts> | undefined {
  const asked = useCan()('report.money')
  const { data } = useQuery({
    queryKey: [`${INBOX}counts`],
    queryFn: async ({ signal }) => {
      const { inboxApi } = await withinChunkTimeout(() => import('#contract/network/inbox.ts'))
      return call(inboxApi.counts, {}, { signal, quiet: true })
    },
    enabled: asked,
    refetchInterval: 60_000,
  })
  return data
}
