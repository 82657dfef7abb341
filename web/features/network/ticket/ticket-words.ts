import { TICKET_STATUSES, type TicketStatus } from '#contract/network/ticket.ts'
import type { Tone } from '#web/kit/show/status-badge.tsx'

/** How each status looks to staff: what waits for them is to be seen. */
export const TICKET_TONES: Readonly<Record<TicketStatus, Tone>> = {
  open: 'info',
  waiting_us: 'waiting',
  waiting_user: 'good',
  closed: 'muted',
}

/** The text of a status: "waiting for us" is said from where one stands. */
export function statusKey(status: TicketStatus, staff: boolean): `status.${TicketStatus}` | `own.${TicketStatus}` {
  return staff ? `status.${status}` : `own.${status}`
}

export const isStatus = (text: string | null): text is TicketStatus => TICKET_STATUSES.some((one) => one === text)
