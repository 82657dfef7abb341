import { QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { call } from './call.ts'
import type { CallError } from './call-error.ts'

/** The one cache of server data; emptied at every sign-in and sign-out. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Every attempt that fails shows its notification, so nothing is retried behind people's backs.
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
})

/**
 * Options of a query over an endpoint: `useQuery(query(affiliateApi.get, { params: { uuid } }))`.
 * `quiet` leaves a failure to the screen alone.
 */
export function query<E extends Endpoint>(endpoint: E, input: CallInput<E>, { quiet = false } = {}) {
  return queryOptions<CallOutput<E>, CallError, CallOutput<E>, readonly [string, CallInput<E>]>({
    queryKey: [endpoint.path, input],
    queryFn: ({ signal }) => call(endpoint, input, { signal, quiet }),
  })
}

/**
 * A mutation over an endpoint. After success the data of the endpoints in `invalidate` is fetched anew, then `onSuccess` runs.
 * `form` keeps failures that name fields away from the notifications: the form shows them.
 */
export function useSave<E extends Endpoint>(
  endpoint: E,
  options: { onSuccess?: (data: CallOutput<E>, input: CallInput<E>) => void; invalidate?: readonly Endpoint[]; form?: boolean } = {},
) {
  const client = useQueryClient()
  return useMutation<CallOutput<E>, CallError, CallInput<E>>({
    mutationFn: (input) => call(endpoint, input, { form: options.form }),
    onSuccess: async (data, input) => {
      await invalidate(client, options.invalidate ?? [])
      options.onSuccess?.(data, input)
    },
  })
}

/** Where the paths of the inbox begin. */
export const INBOX = '/api/inbox/v1/'

/** Where the paths of the log begin. */
const LOG = '/api/audit/v1/'

/** Fetches anew what waits for a decision, where it is on the screen; resolves once it is there. */
export function refetchInbox(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(INBOX) })
}

/**
 * Marks what was read from these endpoints as out of date; what is on the screen is fetched again in the background. So is what
 * waits for a decision and what the log says, whatever was saved.
 */
export function invalidate(client: QueryClient, endpoints: readonly Endpoint[]): Promise<void> {
  for (const endpoint of endpoints) void client.invalidateQueries({ queryKey: [endpoint.path] })
  void client.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith(LOG) })
  void refetchInbox(client)
  return Promise.resolve()
}
