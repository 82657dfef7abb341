/** How people of a vertical behave: when they click, from what, how long they take, and what advertisers make of it. */
export type Habit = {
  /** Clicks by local hour from midnight, of any sum. */
  hours: readonly number[]
  /** Saturday and Sunday against other days. */
  weekend: number
  /** Weight of phones against other machines. */
  phones: number
  /** Minutes from the click to the first result: median and spread of a log-normal. */
  first: readonly [minutes: number, spread: number]
  /** The same from the first to each later goal, and how many get there. */
  later: readonly [minutes: number, spread: number, share: number]
  /** What advertisers say in the end, of a hundred; the rest is approved. */
  declined: number
  trash: number
  /** So many hours advertisers of it take for their decision; 0 = they report when they have decided. */
  decision: number
  reasons: readonly string[]
}

/** People sleep, lunch, and scroll in the evening. */
const EVENING = [28, 18, 12, 9, 8, 11, 20, 34, 48, 58, 64, 68, 74, 72, 68, 66, 67, 70, 78, 90, 100, 98, 78, 50]
const OFFICE = [8, 4, 3, 3, 4, 9, 24, 48, 78, 98, 100, 94, 82, 84, 92, 90, 80, 66, 56, 54, 52, 44, 30, 16]
const NIGHT = [92, 78, 56, 36, 22, 14, 12, 16, 22, 28, 32, 36, 42, 42, 42, 44, 48, 54, 62, 74, 86, 96, 100, 100]
const MATCHES = [34, 20, 12, 8, 6, 6, 10, 16, 26, 34, 40, 48, 58, 60, 58, 60, 66, 78, 94, 100, 98, 88, 70, 50]
const BREAKS = [40, 26, 14, 8, 8, 14, 34, 60, 66, 54, 52, 58, 78, 74, 60, 56, 62, 76, 84, 90, 96, 100, 90, 66]

const HABITS: Readonly<Record<string, Habit>> = {
  // a bank account takes days: identity, letter, first card
  finance: {
    hours: OFFICE,
    weekend: 0.72,
    phones: 0.8,
    first: [2_600, 0.9],
    later: [9_000, 0.7, 0.32],
    declined: 24,
    trash: 1,
    decision: 60,
    reasons: ['Existing customer', 'Identity not confirmed', 'Score too low', 'Age below the limit', 'Duplicate application'],
  },
  insurance: {
    hours: OFFICE,
    weekend: 0.66,
    phones: 0.8,
    first: [14, 1.1],
    later: [8_000, 0.8, 0.2],
    declined: 27,
    trash: 3,
    decision: 36,
    reasons: ['Phone not reached', 'Invalid phone number', 'Duplicate lead', 'Area not served'],
  },
  nutra: {
    hours: EVENING,
    weekend: 1.12,
    phones: 1.7,
    first: [6, 1.0],
    later: [5_700, 0.6, 0.3],
    declined: 34,
    trash: 9,
    decision: 20,
    reasons: ['Phone not reached', 'Customer refused', 'Invalid phone number', 'Duplicate order', 'Parcel not collected'],
  },
  gambling: {
    hours: NIGHT,
    weekend: 1.24,
    phones: 1.4,
    first: [7, 1.0],
    later: [420, 1.4, 0.36],
    declined: 17,
    trash: 3,
    decision: 44,
    reasons: ['Minimum deposit not reached', 'Bonus abuse', 'Self-excluded player', 'Second account', 'Incentivised traffic'],
  },
  betting: {
    hours: MATCHES,
    weekend: 1.5,
    phones: 1.4,
    first: [9, 1.0],
    later: [600, 1.3, 0.34],
    declined: 18,
    trash: 2,
    decision: 44,
    reasons: ['Minimum deposit not reached', 'Second account', 'Bonus abuse', 'Country not served'],
  },
  dating: {
    hours: NIGHT,
    weekend: 1.08,
    phones: 1.6,
    first: [4, 0.8],
    later: [1_900, 1.2, 0.12],
    declined: 20,
    trash: 5,
    decision: 12,
    reasons: ['E-mail not confirmed', 'Duplicate profile', 'Age below the limit', 'Bot suspected'],
  },
  ecommerce: {
    hours: EVENING,
    weekend: 1.1,
    phones: 1.1,
    first: [190, 1.5],
    later: [4_300, 0.9, 0.2],
    declined: 16,
    trash: 2,
    decision: 72,
    reasons: ['Order returned', 'Order cancelled', 'Payment failed', 'Test order', 'Existing customer'],
  },
  // the store tells of an install within minutes
  games: {
    hours: BREAKS,
    weekend: 1.2,
    phones: 1.8,
    first: [8, 0.8],
    later: [2_900, 1.0, 0.22],
    declined: 9,
    trash: 4,
    decision: 0,
    reasons: ['Install from a device farm', 'Click flooding suspected', 'Second install of a device', 'Below the minimum version'],
  },
  education: {
    hours: EVENING,
    weekend: 0.95,
    phones: 0.9,
    first: [35, 1.3],
    later: [10_200, 0.4, 0.2],
    declined: 12,
    trash: 2,
    decision: 24,
    reasons: ['Trial of a known customer', 'Payment failed', 'E-mail not confirmed'],
  },
  software: {
    hours: BREAKS,
    weekend: 0.94,
    phones: 0.8,
    first: [55, 1.3],
    later: [9_800, 0.5, 0.18],
    declined: 13,
    trash: 2,
    decision: 24,
    reasons: ['Refunded', 'Payment failed', 'Chargeback', 'Existing customer'],
  },
}
const APPS: Habit = { ...HABITS['games']!, hours: BREAKS, weekend: 1.02, reasons: HABITS['games']!.reasons }

/** The habits of a vertical; of one the demo says nothing of those of shops. */
export function habitOf(vertical: string): Habit {
  return HABITS[vertical] ?? (vertical === 'utilities' ? APPS : HABITS['ecommerce']!)
}
