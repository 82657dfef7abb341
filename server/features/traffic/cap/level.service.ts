import type { z } from 'zod'
import { fromUnits, toUnits, UNITS } from '#contract/money/amount.ts'
import type { capLevel, OfferCap, partnerCapLevel } from '#contract/offers/offer-cap.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { hasRoom } from '#server/rules/offer/cap.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { readCounters, readManyCounters, type CounterKey } from './cap.queries.ts'

type Offer = { id: number; caps: OfferCap[]; time_zone: string }

/** How far the caps of an offer are filled in the periods that run, as staff see it: in the order of its caps. */
export async function capLevels(db: DbOrTrx, now: number, offer: Offer): Promise<z.input<typeof capLevel>[]> {
  const used = await usedNow(db, now, offer, null)
  return offer.caps.map((cap) => levelOf(cap, used(cap)).level)
}

/** Of the caps of many offers those that are filled to so many percent in the periods that run, the fullest first. */
export async function nearlyFullCaps<One extends Offer>(
  db: DbOrTrx,
  now: number,
  offers: readonly One[],
  percent: number,
): Promise<{ offer: One; level: z.input<typeof capLevel>; percent: number; starts: number }[]> {
  const capped = offers.flatMap((offer) =>
    offer.caps.map((cap) => ({ offer, cap, offerId: offer.id, period: cap.period, ...periodOf(cap.period, now, offer.time_zone) })),
  )
  const counters = Map.groupBy(capped.length === 0 ? [] : await readManyCounters(db, capped), ({ offerId }) => offerId)
  return capped
    .map(({ offer, cap, starts }) => ({
      offer,
      starts,
      ...levelOf(
        cap,
        amountsOf(
          (counters.get(offer.id) ?? []).filter((one) => one.starts === starts),
          cap,
        ),
      ),
    }))
    .filter((one) => one.percent >= percent)
    .toSorted((one, other) => other.percent - one.percent)
}

/** How far caps of several offers are filled in the periods that run, with regard to one affiliate: of those for each its own. In their order. */
export async function levelsFor<One extends { id: number; cap: OfferCap; time_zone: string }>(
  db: DbOrTrx,
  now: number,
  rows: readonly One[],
  affiliateId: number,
): Promise<{ row: One; used: string; percent: number }[]> {
  const wanted = rows.map((row) => ({ row, offerId: row.id, period: row.cap.period, ...periodOf(row.cap.period, now, row.time_zone) }))
  const counters = Map.groupBy(wanted.length === 0 ? [] : await readManyCounters(db, wanted, affiliateId), ({ offerId }) => offerId)
  return wanted.map(({ row, starts }) => {
    const now = (counters.get(row.id) ?? []).filter((one) => one.starts === starts)
    const { level, percent } = levelOf(row.cap, amountsOf(now, row.cap))
    return { row, used: level.used, percent }
  })
}

/** The same as an affiliate sees it: its own in figures, those of the whole offer as a share. */
export async function ownCapLevels(
  db: DbOrTrx,
  now: number,
  offer: Offer,
  affiliateId: number,
): Promise<z.input<typeof partnerCapLevel>[]> {
  const used = await usedNow(db, now, offer, affiliateId)
  return offer.caps.map((cap) => {
    const [amount = 0n] = used(cap)
    const share = amount <= 0n ? 0n : (amount * 100n) / toUnits(cap.limit)
    return { ...cap, used: cap.scope === 'offer' ? null : written(cap, amount), percent: Number(share > 100n ? 100n : share) }
  })
}

/** The caps that have no room for a conversion in the periods it was received in, and how far they are filled there by now. */
export async function fullCaps(
  db: DbOrTrx,
  offer: Offer,
  { at, affiliateId, payout }: { at: number; affiliateId: number; payout: string },
): Promise<{ cap: OfferCap; used: string; percent: string }[]> {
  const used = await usedNow(db, at, offer, affiliateId)
  return offer.caps.flatMap((cap) => {
    const [amount = 0n] = used(cap)
    const limit = toUnits(cap.limit)
    if (hasRoom({ used: amount, limit }, cap.measure === 'payout' ? toUnits(payout) : UNITS)) return []
    return [{ cap, used: written(cap, amount), percent: String((amount * 100n) / limit) }]
  })
}

async function usedNow(db: DbOrTrx, now: number, { id, caps, time_zone: zone }: Offer, affiliateId: number | null) {
  const starts = new Map(caps.map(({ period }) => [period, periodOf(period, now, zone).starts]))
  const periods = [...starts].map(([period, begins]) => ({ period, starts: begins }))
  const counters = periods.length === 0 ? [] : await readCounters(db, id, periods, affiliateId)
  return (cap: OfferCap) => amountsOf(counters, cap)
}

function amountsOf(counters: readonly (CounterKey & { used: string })[], { period, scope, measure }: OfferCap): bigint[] {
  return counters
    .filter((one) => one.period === period && one.measure === measure && (one.affiliateId === 0) === (scope === 'offer'))
    .map((one) => toUnits(one.used))
}

function levelOf(cap: OfferCap, amounts: readonly bigint[]): { level: z.input<typeof capLevel>; percent: number } {
  const limit = toUnits(cap.limit)
  const most = amounts.reduce((most, one) => (one > most ? one : most), 0n)
  const full = cap.scope === 'offer' ? 0 : amounts.filter((one) => one >= limit).length
  return { level: { ...cap, used: written(cap, most), full }, percent: Number((most * 100n) / limit) }
}

/** Conversions as a whole number. */
function written({ measure }: OfferCap, units: bigint): string {
  return measure === 'conversions' ? String(units / UNITS) : fromUnits(units)
}
