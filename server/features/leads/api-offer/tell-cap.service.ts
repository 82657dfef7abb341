import { productCapReason } from '#contract/network/notification.ts'
import { tellCredit } from '#server/features/network/notification/tell.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { passedBy } from '#server/rules/offer/cap.ts'
import { counterKey, isCounted, readLevels, windowsOf, type CapWindow } from './cap-window.queries.ts'
import { findPlace } from './lead-parts.queries.ts'

/** Tells who looks after the advertiser of a product of a limit that is nearly full or full now, each once in a period. */
export async function tellCap(
  trx: Trx,
  now: number,
  { advertiserId, title }: { advertiserId: number; title: string },
  { owner, of, period, starts, limit, offerId }: CapWindow,
  { before, used }: { before: number | null; used: number },
): Promise<void> {
  const passed = passedBy(before === null ? null : BigInt(before), BigInt(used), BigInt(limit))
  if (passed === null) return
  const kind = `cap_${passed}` as const
  const count = Math.floor((used * 100) / limit)
  // a product is told of by its name: what it counts stands in the offer, or with the product itself
  const notice = {
    kind,
    offerId,
    status: period,
    reason: productCapReason({ title, whole: of === 'product' }),
    count,
    once: `${kind} ${owner} ${period} ${starts.getTime()}`,
  }
  await tellCredit(trx, now, notice, advertiserId)
}

/** The same of limits that count conversions, once one of a member's leads was booked. */
export async function tellBooked(trx: Trx, now: number, memberId: number): Promise<void> {
  const place = await findPlace(trx, memberId)
  const windows = place === undefined ? [] : windowsOf(place, now).filter((window) => !isCounted(window))
  if (place === undefined || windows.length === 0) return
  const levels = await readLevels(trx, windows)
  for (const window of windows) await tellCap(trx, now, place, window, { before: null, used: levels.get(counterKey(window)) ?? 0 })
}
