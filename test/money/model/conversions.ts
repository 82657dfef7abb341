import { move, parse, refuseIf, share, type Books } from './books.ts'
import type { Conversion, Status, Terms } from './state.ts'

const DAY = 86_400_000

/** money.md §2: what stands in the books for a conversion. */
export function standing(c: Conversion | null) {
  const when = (status: Status, amount: bigint) => (c !== null && c.status === status ? amount : 0n)
  const payable = when('approved', c?.payout ?? 0n)
  const held = when('hold', c?.payout ?? 0n)
  const waiting = when('pending', c?.payout ?? 0n)
  const earned = when('approved', c?.revenue ?? 0n) + when('hold', c?.revenue ?? 0n)
  const open = c === null || c.state === 'open'
  return {
    waiting,
    held,
    payable,
    earned,
    available: open ? payable : 0n,
    correction: open ? 0n : payable - (c?.invoiced ?? 0n),
    cost: held + payable,
  }
}

/** What it was worth at the end of a period, or as far as something has taken it already, and how many of its worths that are. */
export function worthAt({ worths }: Conversion, end: number, seen: number): { payable: bigint; earned: bigint; seen: number } {
  const later = worths.findIndex(({ at }, place) => at >= end && place >= seen)
  const many = later === -1 ? worths.length : later
  return { ...(worths[many - 1] ?? { payable: 0n, earned: 0n }), seen: many }
}

/** No. 1 to 9: whatever happened to it, its accounts are moved from what it was to what it is. */
export function bookChange(books: Books, before: Conversion | null, after: Conversion): void {
  const { affiliate, terms } = after
  const [was, is] = [standing(before), standing(after)]
  const between = (from: string, to: string, owner: number, amount: bigint) =>
    move(books, terms.currency, [from, owner], [to, owner], amount)
  between('pending_cost', 'affiliate_pending', affiliate, is.waiting - was.waiting)
  between('payout_cost', 'affiliate_hold', affiliate, is.held - was.held)
  between('payout_cost', 'affiliate_available', affiliate, is.available - was.available)
  between('payout_cost', 'affiliate_correction', affiliate, is.correction - was.correction)
  between('receivable', 'network_revenue', terms.advertiser, is.earned - was.earned)
}

/** No. 14 and 17: lines change what of a conversion is on invoices; the counter-account is what stands on them. */
export function bookLines(books: Books, before: Conversion, after: Conversion): void {
  const { affiliate, terms } = after
  const [was, is] = [standing(before), standing(after)]
  const invoiced: [string, number] = ['affiliate_invoiced', affiliate]
  move(books, terms.currency, ['affiliate_available', affiliate], invoiced, was.available - is.available)
  move(books, terms.currency, ['affiliate_correction', affiliate], invoiced, was.correction - is.correction)
}

export function isLost(status: string): boolean {
  return status === 'declined' || status === 'trash'
}

/** What approved comes to while days of the hold are left. */
function settled(said: Status, createdAt: number, { holdDays }: Terms, now: number): { status: Status; holdUntil: number | null } {
  const until = createdAt + holdDays * DAY
  if (said === 'approved' && until > now) return { status: 'hold', holdUntil: until }
  return { status: said, holdUntil: null }
}

function worth({ decimals }: Terms, [fixed, percent]: [string, string], amount: bigint | null): bigint {
  const scale = Math.max(4, decimals)
  return parse(fixed) + share(amount ?? 0n, percent, scale)
}

const worths = (terms: Terms, amount: bigint | null) => ({
  payout: worth(terms, terms.payout, amount),
  revenue: worth(terms, terms.revenue, amount),
})

/** What is on an invoice waits no more. */
const mayNot = ({ state }: Conversion, status: Status) => state !== 'open' && (status === 'pending' || status === 'hold')

/** A report about a click; answers what the conversion becomes, the same one where nothing is news. */
export function reported(
  known: Conversion | undefined,
  fresh: Pick<Conversion, 'click' | 'serial' | 'affiliate' | 'terms'>,
  said: { status: Status; amount: bigint | null },
  now: number,
): Conversion {
  // all pay shares: without an amount nobody knows how much
  if (known === undefined) {
    refuseIf(said.amount === null && !isLost(said.status), 'status_not_allowed')
    const { status, holdUntil } = settled(said.status, now, fresh.terms, now)
    const own = {
      ...fresh,
      status,
      holdUntil,
      state: 'open' as const,
      invoiced: 0n,
      billed: 0n,
      createdAt: now,
      worths: [],
    }
    return { ...own, ...worths(fresh.terms, said.amount), amount: said.amount, saidStatus: said.status, saidAmount: said.amount }
  }
  const sameAmount = said.amount === null || said.amount === known.saidAmount
  const sameStatus = said.status === known.saidStatus
  if (sameAmount && sameStatus) return known
  const next = sameStatus ? { status: known.status, holdUntil: known.holdUntil } : settled(said.status, known.createdAt, known.terms, now)
  refuseIf(mayNot(known, next.status) || known.status === 'trash', 'status_not_allowed')
  refuseIf(said.amount === null && known.amount === null && !isLost(said.status), 'status_not_allowed')
  const takes = !sameAmount && !isLost(said.status)
  // a new total, or what was refunded of it: a person says which
  refuseIf(takes && (said.amount ?? 0n) < 0n && (known.amount ?? 0n) > 0n, 'status_not_allowed')
  // a decline of less than was booked: all of it, or that part
  const [back, booked] = [said.amount ?? 0n, known.saidAmount ?? 0n]
  const isPart = said.status === 'declined' && !isLost(known.status) && back !== 0n && (back < 0n ? -back : back) < booked
  refuseIf(!sameAmount && isPart, 'status_not_allowed')
  const amount = takes ? said.amount : known.amount
  const saidAmount = takes ? said.amount : known.saidAmount
  const after = { ...known, ...next, amount, saidAmount, saidStatus: said.status }
  const comesBack = isLost(known.status) && !isLost(next.status)
  return amount !== known.amount || comesBack ? { ...after, ...worths(known.terms, amount) } : after
}

/** What staff decide; the same one where it cannot be. */
export function decided(known: Conversion, status: Status, now: number): Conversion {
  const next =
    status === 'approved' && known.status === 'hold' ? { status, holdUntil: null } : settled(status, known.createdAt, known.terms, now)
  if (next.status === known.status || mayNot(known, next.status)) return known
  const after = { ...known, ...next }
  return isLost(known.status) && !isLost(next.status) ? { ...after, ...worths(known.terms, known.amount) } : after
}
