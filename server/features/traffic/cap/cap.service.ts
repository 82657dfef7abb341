import { fromUnits, toUnits, UNITS } from '#contract/money/amount.ts'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { together } from '#server/platform/pg/pipeline.ts'
import { takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { hasRoom, passedBy } from '#server/rules/offer/cap.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { tellApproved, tellStaff, type Notice } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '../snapshot/snapshot.queries.ts'
import {
  affiliatesSince,
  capTerms,
  clearCounters,
  counterName,
  holdCaps,
  insertCounters,
  lockCounters,
  pauseOffers,
  saveCounters,
  type CapTerms,
  type Wanted,
} from './cap.queries.ts'
import type { Change, ConversionDraft } from '../conversion/change.ts'

/** In hundred-millionths, as amounts are. */
type Counter = Wanted & { limit: bigint; before: bigint; used: bigint; fresh: boolean }
/** `asked`: only where there is room. `owed`: in any case, so that a counter may stand above its limit. */
type Claim = { place: 'asked' | 'owed'; conversions: bigint; payout: bigint }

/**
 * Gives each change its place in the caps of its offer, or takes it back. A conversion takes a place when it is received,
 * as pending as much as approved, and keeps it until it is declined; what was within the caps when it came is never
 * declined by one later, nor is what staff approve, nor a raise of its payout: then the counter shows the excess. What
 * came declined never had a place: its first approval asks for one. What finds no room is declined or unpaid as the offer
 * says; a later approval of it asks again. Places that become free revive nothing.
 *
 * In a cap of payouts a conversion holds its payout, and nothing where that is below zero: it makes no room for others.
 * What pays nothing is never refused by a full one, nor what costs the affiliate by any: accepted without a place, which
 * may cost later but never pays.
 *
 * Exact under concurrency: the counters are locked in the order of their keys, before anything else of the change, and
 * written once. Answers the changes as they are to be recorded; one that asked again in vain is left out. `held`: the caps of their
 * offers, where they are locked already.
 */
export async function settleCaps(trx: Trx, changes: readonly Change[], now: number, held?: HeldCaps): Promise<Change[]> {
  const claims = new Map(changes.flatMap((change) => claimOf(change).map((claim) => [change, claim])))
  if (claims.size === 0) return [...changes]
  const offerIds = [...claims.keys()].map((change) => change.after.offer_id)
  const terms = held ?? (await holdTerms(trx, offerIds))
  const counters = await countersOf(trx, claims.keys(), terms)

  const kept: Change[] = []
  for (const change of changes) {
    const claim = claims.get(change)
    const offer = terms.get(change.after.offer_id)
    if (claim === undefined || offer === undefined) {
      kept.push(change)
      continue
    }
    const own = offer.caps
      .flatMap((cap) => counters.get(counterName(wantedFor(change.after, offer, cap))) ?? [])
      .filter(({ measure, currency }) => measure === 'conversions' || currency === change.after.currency)
    const full = own.filter((counter) => !hasRoom(counter, claim[counter.measure]))
    if (claim.place === 'owed' || full.length === 0) {
      for (const counter of own) counter.used += claim[counter.measure]
      kept.push(takesPlace(change.after.status) ? { ...change, after: { ...change.after, within_cap: true } } : change)
    } else kept.push(...overCap(change, full, offer.over_cap_action))
  }
  const all = [...counters.values()]
  await saveCounters(
    trx,
    all.filter((one) => one.used !== one.before).map((one) => ({ ...one, used: fromUnits(one.used) })),
  )
  await tellFilled(trx, all, now)
  await announceFlips(trx, all, terms, now)
  return kept
}

/** What offers say of their caps, which stay so until the transaction ends. */
export type HeldCaps = ReadonlyMap<number, CapTerms>
export async function holdTerms(trx: Trx, offerIds: readonly number[]): Promise<HeldCaps> {
  const [, terms] = await together(
    trx,
    () => holdCaps(trx, offerIds),
    () => capTerms(trx, offerIds),
  )
  return terms
}

/** Counts anew what the caps of an offer have taken in the periods that run. Its caps must be locked; the caller announces the offer. */
export async function recountCaps(trx: Trx, offerId: number, now: number): Promise<void> {
  await clearCounters(trx, offerId)
  const offer = (await capTerms(trx, [offerId])).get(offerId)
  const wanted: Wanted[] = []
  for (const { period, scope, measure } of offer?.caps ?? []) {
    const span = periodOf(period, now, offer?.time_zone ?? 'UTC')
    for (const affiliateId of scope === 'offer' ? [0] : await affiliatesSince(trx, offerId, span.starts))
      wanted.push({ offerId, affiliateId, period, measure, currency: offer?.currency ?? '', ...span })
  }
  if (wanted.length > 0) await insertCounters(trx, wanted)
}

/** What a change takes of the caps of its offer, or gives back; none where nothing of it changes. */
function claimOf(change: Change): [] | [Claim] {
  const { before, after } = change
  const had = before !== null && before.within_cap && takesPlace(before.status)
  const has = takesPlace(after.status)
  // accepted unpaid when a cap was full: it holds no place
  if (change.unpaid || (before !== null && !before.within_cap && takesPlace(before.status))) return []
  const payout = (has ? heldBy(after) : 0n) - (had ? heldBy(before) : 0n)
  const conversions = (has ? UNITS : 0n) - (had ? UNITS : 0n)
  if (payout === 0n && conversions === 0n) return []
  const asks = has && !had && change.origin !== 'staff' && (before === null || !before.within_cap)
  return [{ place: asks ? 'asked' : 'owed', conversions, payout }]
}

function wantedFor(row: ConversionDraft, offer: CapTerms, { period, scope, measure }: OfferCap): Wanted {
  const span = periodOf(period, row.created_at.getTime(), offer.time_zone)
  return { offerId: offer.id, affiliateId: scope === 'offer' ? 0 : row.affiliate_id, period, measure, currency: offer.currency, ...span }
}

function heldBy({ payout }: ConversionDraft): bigint {
  return payout.startsWith('-') ? 0n : toUnits(payout)
}

async function countersOf(trx: Trx, changes: Iterable<Change>, terms: HeldCaps): Promise<Map<string, Counter>> {
  const wanted = new Map<string, Wanted & { limit: bigint }>()
  for (const { after } of changes) {
    const offer = terms.get(after.offer_id)
    for (const cap of offer?.caps ?? []) {
      const one = offer && wantedFor(after, offer, cap)
      if (one !== undefined) wanted.set(counterName(one), { ...one, limit: toUnits(cap.limit) })
    }
  }
  if (wanted.size === 0) return new Map()
  const locked = await lockCounters(trx, [...wanted.values()])
  return new Map(
    [...wanted].map(([name, one]) => {
      const { used, fresh } = locked.get(name) ?? { used: '0', fresh: true }
      return [name, { ...one, before: toUnits(used), used: toUnits(used), fresh }]
    }),
  )
}

function overCap({ before, after, ...change }: Change, full: readonly Counter[], action: CapTerms['over_cap_action']): Change[] {
  const payout = toUnits(after.payout)
  const harmless = payout < 0n || (payout === 0n && full.every(({ measure }) => measure === 'payout'))
  const outside = { ...after, within_cap: false, reason: 'cap_reached' }
  if (action === 'unpaid' || harmless) return [{ ...change, before, after: payout > 0n ? { ...outside, payout: '0.0000' } : outside }]
  // it stays what it was
  if (before?.status === 'declined' && before.reason === outside.reason && before.amount === outside.amount) return []
  return [{ ...change, before, after: { ...outside, status: 'declined', hold_until: null } }]
}

/** Tells staff of caps of whole offers that are nearly full or full now, each once in a period that runs. */
async function tellFilled(trx: Trx, counters: readonly Counter[], now: number): Promise<void> {
  const notices = counters.flatMap((counter): Notice[] => {
    const { affiliateId, limit, before, used, offerId, period, measure, starts, ends } = counter
    if (affiliateId !== 0 || used <= before || ends <= now) return []
    const passed = passedBy(counter.fresh ? null : before, used, limit)
    if (passed === null) return []
    const kind = `cap_${passed}` as const
    return [
      {
        kind,
        offerId,
        status: period,
        reason: measure,
        count: Number((used * 100n) / limit),
        once: `${kind} ${offerId} ${period} ${measure} ${starts}`,
      },
    ]
  })
  await tellStaff(trx, now, notices, { side: 'advertiser', permission: 'offer.write', but: null })
}

/** Tells the trackers of caps that became full or free, and pauses the offers that ask for it; their affiliates hear of it. */
async function announceFlips(trx: Trx, counters: Counter[], terms: HeldCaps, now: number): Promise<void> {
  const isFull = (counter: Counter) => counter.used >= counter.limit
  const flipped = counters.filter((counter) => (counter.fresh ? isFull(counter) : counter.before >= counter.limit !== isFull(counter)))
  const pausing = flipped
    .filter((counter) => counter.affiliateId === 0 && isFull(counter) && terms.get(counter.offerId)?.over_cap_action === 'pause')
    .map((one) => one.offerId)
  const paused = await pauseOffers(trx, [...new Set(pausing)])
  for (const id of paused) {
    await recordAudit(trx, null, now, {
      action: 'set_status',
      entity: 'offer',
      entityId: id,
      before: { status: 'active' },
      after: { status: 'paused', reason: 'cap_reached' },
    })
  }
  await tellApproved(
    trx,
    now,
    paused.map((offerId) => ({ kind: 'offer_paused', offerId })),
  )
  await announce(trx, 'offer', [...new Set(flipped.map((one) => one.offerId))])
}
