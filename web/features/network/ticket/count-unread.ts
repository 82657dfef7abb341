import { ticketApi } from '#contract/network/ticket.ts'
import { call } from '#web/api/call.ts'

/** In how many tickets something is unread. */
export async function countUnread(signal: AbortSignal): Promise<number> {
  return (await call(ticketApi.unread, {}, { signal, quiet: true })).rows
}
