import type { TicketStatus } from '#contract/network/ticket.ts'
import type { Tone } from '#web/kit/show/status-badge.tsx'

const STAFF_TONES: Readonly<Record<TicketStatus, Tone>> = { open: 'info', waiting_us: 'waiting', waiting_user: 'good', closed: 'muted' }
const OWN_TONES: Readonly<Record<TicketStatus, Tone>> = { open: 'info', waiting_us: 'info', waiting_user: 'waiting', closed: 'muted' }

/** How a status looks to either side: what waits for who looks is to be seen. */
export function toneOf(status: TicketStatus, staff: boolean): Tone {
  return (staff ? STAFF_TONES : OWN_TONES)[status]
}

/** The text of a status: "waiting for us" is said from where one stands. */
export function statusKey(status: TicketStatus, staff: boolean): `status.${TicketStatus}` | `own.${TicketStatus}` {
  return staff ? `status.${status}` : `own.${status}`
}
