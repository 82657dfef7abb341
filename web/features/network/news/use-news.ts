import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { newsApi } from '#contract/network/news.ts'
import { notificationApi } from '#contract/network/notification.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '#web/api/call.ts'

/** How many news are unread; asked again every minute, shared with the sidebar. */
export function useUnreadNews(): number {
  const { data } = useQuery({
    queryKey: [newsApi.unread.path],
    queryFn: async ({ signal }) => (await call(newsApi.unread, {}, { signal, quiet: true })).rows,
    refetchInterval: 60_000,
  })
  return data ?? 0
}

/** Marks all as read. */
export function useReadAll() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: CallInput<typeof newsApi.readAll>) => call(newsApi.readAll, input),
    onSuccess: () => refreshNews(client),
  })
}

/** Fetches anew what shows whether news are read: lists, numbers, the bell. */
export async function refreshNews(client: QueryClient): Promise<void> {
  const paths = [newsApi.list, newsApi.unread, notificationApi.list, notificationApi.unread].map(({ path }) => path)
  await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })))
}
