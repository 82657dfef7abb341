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
  return status === 'pending' || status === 'hold' || status === 'approved'
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

/**
 * Words that mean the same wherever they come from, in lower case. The same `1`, `hold`, `accepted`, `lead` or `refund` is
 * pending money at one platform and approved at another (reference: postback-dialects 1.3), so those are for advertisers
 * to map: `hold` is here because it is our own.
 */
export const STATUS_WORDS: Readonly<Record<string, ConversionStatus>> = {
  approved: 'approved', approve: 'approved', confirmed: 'approved', confirm: 'approved',
  pending: 'pending', wait: 'pending', waiting: 'pending',
  declined: 'declined', decline: 'declined', rejected: 'declined', reject: 'declined', cancelled: 'declined', canceled: 'declined', cancel: 'declined', denied: 'declined',
  hold: 'hold', on_hold: 'hold', 'on-hold': 'hold',
  trash: 'trash',
  схвалено: 'approved', підтверджено: 'approved', одобрено: 'approved', подтверждено: 'approved',
  очікує: 'pending', очікується: 'pending', ожидает: 'pending',
  відхилено: 'declined', скасовано: 'declined', відмовлено: 'declined', отклонено: 'declined', отменено: 'declined',
} // prettier-ignore

const OTHERS = new Set(
  `accept accepted refund refunded chargeback charged_back reversed reversal unapproved unconfirmed disapproved scrubbed void voided
   failed fraud spam invalid duplicate fake processing in_progress not_approved pre_approved unpaid expired
   прийнято принято відмова отказ скасування отмена відхилений отклонен отклонён отменен отменён обробка обработка повернення возврат дубль дублікат дубликат шахрайство`.split(
    /\s+/,
  ),
)

/** Whether a word speaks of a status, whatever it means by it. */
export function isStatusLike(word: string): boolean {
  return Object.hasOwn(STATUS_WORDS, word) || OTHERS.has(word)
}

const NEGATIONS = new Set('not no non un never не нет ні'.split(' '))

/** The words of a longer text that speak of a status: those known, whether there are others, whether something is denied. */
export function statusWordsIn(text: string): { statuses: ConversionStatus[]; others: boolean; negated: boolean } {
  const words = text.toLowerCase().split(/[^\p{L}]+/u)
  const statuses = words.flatMap((word) => (Object.hasOwn(STATUS_WORDS, word) ? [STATUS_WORDS[word] ?? []] : [])).flat()
  return { statuses, others: words.some((word) => OTHERS.has(word)), negated: words.some((word) => NEGATIONS.has(word)) }
}
