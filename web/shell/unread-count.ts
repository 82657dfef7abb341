import { useQuery } from '@tanstack/react-query'
import { useCan } from '#web/shell/access.ts'
import { pageOf } from '#web/shell/page.ts'
import type { ScreenId } from '#contract/screens.ts'

/** How much behind a screen the signed-in person has not read. Asked every minute, of who has no inbox that counts it: affiliates. */
export function useUnreadCount(id: ScreenId): number {
  const unread = pageOf(id)?.unread
  const hasInbox = useCan()('report.money')
  const { data } = useQuery({
    queryKey: [unread?.path ?? 'unread'],
    queryFn: ({ signal }) => unread?.ask(signal) ?? 0,
    enabled: unread !== undefined && !hasInbox,
    refetchInterval: 60_000,
  })
  return hasInbox ? 0 : (data ?? 0)
}
