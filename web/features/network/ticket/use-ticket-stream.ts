import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ticketApi } from '#contract/network/ticket.ts'
import { call } from '#web/api/call.ts'
import { refetchInbox } from '#web/api/query.ts'
import { followStream } from '#web/api/stream.ts'
import { apiOrigin } from '#web/shell/runtime.ts'
import { useSession } from '#web/shell/session.ts'

/** Where the paths of tickets and of notifications begin. */
const TICKETS = '/api/ticket/v1/'
const NOTIFICATIONS = '/api/notification/v1/'

/** Keeps what is shown of tickets as it is now, while the page is looked at. */
export function useTicketStream(): void {
  const client = useQueryClient()
  const { token } = useSession()
  useEffect(() => {
    if (token === '') return
    const refresh = () => {
      void client.invalidateQueries({
        predicate: ({ queryKey: [path] }) => String(path).startsWith(TICKETS) || String(path).startsWith(NOTIFICATIONS),
      })
      void refetchInbox(client)
    }
    return followStream({
      token,
      address: (after) => new URL(`${ticketApi.stream.path}?after=${after}`, apiOrigin() ?? location.origin),
      // whichever has changed: what is on the screen is asked for again
      onEvent: refresh,
      // a call that hears the same ends the session on the screen
      onRefused: () => void call(ticketApi.unread, {}, { quiet: true }).catch(() => undefined),
    })
  }, [client, token])
}
