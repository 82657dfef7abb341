import type { Currency } from '#contract/money/amount.ts'
import type { TransferKind } from '#contract/money/transfer.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { post, type Entry, type Transfer } from './posting.service.ts'
import { difference, type Standing } from './standing.ts'

type Booking = {
  before: Standing | null
  after: Standing & { id: string; affiliate_id: number; advertiser_id: number; currency: Currency; updated_at: Date }
  /** The entry of the affiliate's history that this money belongs to. */
  seq: number
  actorId: number | null
  bookedAt?: Date | undefined
}

/**
 * Books what changes of conversions mean in money, as the difference of `standing` before and after: what the advertiser owes
 * against the network's revenue, and what the affiliate gets against its cost; what is pending stands on memo accounts. Each
 * transfer's key is the history entry it follows from, so nothing is booked twice.
 */
export function book(trx: Trx, bookings: readonly Booking[], now: number): Promise<void> {
  return post(
    trx,
    bookings.flatMap((booking) => transfersOf(booking, new Date(now))),
  )
}

/** The transfers of one change; without entries where no money moves. */
function transfersOf({ before, after, seq, actorId, bookedAt }: Booking, now: Date): Transfer[] {
  return (['revenue', 'payout'] as const).map((part) => {
    const entries = entriesOf(before, after, part)
    return {
      key: `conversion:${after.id}:${seq}:${part}`,
      kind: kindOf(part, entries),
      at: after.updated_at,
      bookedAt: bookedAt ?? now,
      actorId,
      document: { conversion_id: after.id },
      entries,
    }
  })
}

function entriesOf(before: Standing | null, after: Booking['after'], part: 'revenue' | 'payout'): Entry[] {
  const owner = part === 'revenue' ? after.advertiser_id : after.affiliate_id
  return difference(before, after, part).map((moved) => ({ ...moved, owner, currency: after.currency }))
}

/** What a transfer is called: by what it does to the profit, else by what moved beside it. */
function kindOf(part: 'revenue' | 'payout', entries: readonly Entry[]): TransferKind {
  const on = (kind: Entry['kind']) => entries.find((entry) => entry.kind === kind)?.amount ?? 0n
  if (part === 'revenue') return on('network_revenue') > 0n ? 'revenue_reversal' : 'revenue'
  const cost = on('payout_cost')
  if (cost !== 0n) return cost < 0n ? 'payout_reversal' : 'payout'
  if (on('affiliate_hold') !== 0n) return 'hold_release'
  return on('pending_cost') < 0n ? 'pending_reversal' : 'pending'
}
