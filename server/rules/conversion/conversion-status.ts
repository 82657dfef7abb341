import type { ChangeOrigin, ConversionStatus } from '#contract/traffic/conversion.ts'

const DAY = 86_400_000

/**
 * Which statuses may follow which. Trash and the way back out of it is for people (staff, files) alone; a rule only
 * releases what was on hold and declines what came when a cap was full. Nothing waits any more once it is on an invoice
 * or paid.
 */
const FOLLOWS: Readonly<Record<ConversionStatus, readonly ConversionStatus[]>> = {
  pending: ['hold', 'approved', 'declined', 'trash'],
  hold: ['approved', 'pending', 'declined', 'trash'],
  approved: ['pending', 'hold', 'declined', 'trash'],
  declined: ['pending', 'hold', 'approved', 'trash'],
  trash: ['pending', 'hold', 'approved', 'declined'],
}

/** Whether a conversion may go from one status to another (or keep it with another amount). */
export function mayBecome(
  from: { status: ConversionStatus; payment_state: 'open' | 'invoiced' | 'paid' },
  to: ConversionStatus,
  origin: ChangeOrigin,
): boolean {
  if (from.payment_state !== 'open' && (to === 'pending' || to === 'hold')) return false
  if (origin === 'postback' && from.status === 'trash') return false
  return from.status === to || FOLLOWS[from.status].includes(to)
}

/** Whether a conversion in this status takes a place in the caps of its offer: from its receipt until it is declined. */
export function takesPlace(status: ConversionStatus): boolean {
  return !isLost(status)
}

/** Whether a status takes all money of a conversion back. */
export function isLost(status: ConversionStatus): boolean {
  return status === 'declined' || status === 'trash'
}

/**
 * The status a reported one comes to: approved means hold until the offer's days since the conversion are over, and hold
 * without days means that the advertiser has still to decide.
 */
export function settle(
  reported: ConversionStatus,
  conversion: { at: number; holdDays: number; now: number },
): { status: ConversionStatus; holdUntil: number | null } {
  if (reported !== 'approved' && reported !== 'hold') return { status: reported, holdUntil: null }
  const holdUntil = conversion.at + conversion.holdDays * DAY
  if (holdUntil > conversion.now) return { status: 'hold', holdUntil }
  return { status: reported === 'hold' && conversion.holdDays === 0 ? 'pending' : 'approved', holdUntil: null }
}
