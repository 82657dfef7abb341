import type { Trx } from '#server/platform/pg/database.ts'
import { takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { announce } from '../snapshot/snapshot.queries.ts'
import { capKey, capTerms, lockCounters, pauseOffers, saveCounters, type Counter } from './cap.queries.ts'
import type { Change } from '../conversion/change.ts'

/**
 * Gives each change its place in the daily cap of its offer, or takes it back. Conversions are counted also where there
 * is no cap, so that one set at noon knows of the morning.
 *
 * Exact under concurrency: the counters are locked in the order of (offer, day), before anything else of the change, and
 * written once. What finds no place is declined or unpaid as the offer says; what staff want to approve is refused.
 * Places that become free revive nothing.
 */
export async function settleCaps(trx: Trx, changes: readonly Change[], now: number): Promise<{ kept: Change[]; refused: Change[] }> {
  const wanting = changes.filter((change) => takesPlace(change.after.status) && !(change.before && takesPlace(change.before.status)))
  const leaving = changes.filter((change) => change.before?.cap_day && !takesPlace(change.after.status))
  if (wanting.length === 0 && leaving.length === 0) return { kept: [...changes], refused: [] }

  const terms = await capTerms(
    trx,
    [...wanting, ...leaving].map((change) => change.after.offer_id),
  )
  const dayOf = new Map(
    wanting.map((change) => [change, dayIn(change.after.created_at.getTime(), terms.get(change.after.offer_id)?.time_zone ?? 'UTC')]),
  )
  const counters = await lockCounters(trx, terms, [
    ...[...dayOf].map(([change, day]) => ({ offerId: change.after.offer_id, day })),
    ...leaving.map((change) => ({ offerId: change.after.offer_id, day: change.before?.cap_day ?? '' })),
  ])

  const kept: Change[] = []
  const refused: Change[] = []
  for (const change of changes) {
    const day = dayOf.get(change)
    if (day === undefined) {
      kept.push(leave(change, counters))
      continue
    }
    const counter = counters.get(capKey(change.after.offer_id, day))
    if (counter === undefined) throw new Error(`offer ${change.after.offer_id} is gone`) // its conversion refers to it
    if (counter.limit === null || counter.used < counter.limit) {
      counter.used++
      kept.push({ ...change, after: { ...change.after, cap_day: day } })
    } else if (change.origin === 'staff') refused.push(change)
    else kept.push(overCap(change, counter.action))
  }
  await saveCounters(
    trx,
    [...counters.values()].filter((counter) => counter.used !== counter.before),
  )
  await announceFlips(trx, [...counters.values()], now)
  return { kept, refused }
}

function leave(change: Change, counters: Map<string, Counter>): Change {
  const day = change.before?.cap_day
  if (!day || takesPlace(change.after.status)) return change
  const counter = counters.get(capKey(change.after.offer_id, day))
  if (counter !== undefined) counter.used = Math.max(0, counter.used - 1)
  return { ...change, after: { ...change.after, cap_day: null } }
}

function overCap(change: Change, action: Counter['action']): Change {
  const after = { ...change.after, cap_day: null, reason: 'cap_reached' }
  if (action === 'unpaid') return { ...change, after: { ...after, payout: '0.0000' } }
  return { ...change, after: { ...after, status: 'declined', hold_until: null } }
}

/** Tells the trackers of caps that became full or free, and pauses the offers that ask for it. */
async function announceFlips(trx: Trx, counters: Counter[], now: number): Promise<void> {
  const flipped = counters.filter(({ limit, before, used }) => limit !== null && before >= limit !== used >= limit)
  const pausing = flipped
    .filter(({ action, limit, used }) => action === 'pause' && limit !== null && used >= limit)
    .map((one) => one.offerId)
  for (const id of await pauseOffers(trx, pausing)) {
    await recordAudit(trx, null, now, {
      action: 'set_status',
      entity: 'offer',
      entityId: id,
      before: { status: 'active' },
      after: { status: 'paused', reason: 'cap_reached' },
    })
  }
  await announce(trx, 'offer', [...new Set(flipped.map((one) => one.offerId))])
}
