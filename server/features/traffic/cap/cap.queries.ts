import { sql } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'

/** The places of one offer on one day: `before` as they were locked, `used` as they will be saved. */
export type Counter = {
  offerId: number
  day: string
  limit: number | null
  action: CapTerms['over_cap_action']
  before: number
  used: number
}
export type CapTerms = {
  id: number
  daily_cap: number | null
  over_cap_action: 'trafficback' | 'decline' | 'unpaid' | 'pause'
  time_zone: string
}

/** What offers say of their daily cap, by offer. */
export async function capTerms(trx: Trx, offerIds: number[]): Promise<Map<number, CapTerms>> {
  const rows = await trx
    .selectFrom('offer')
    .select(['id', 'daily_cap', 'over_cap_action', 'time_zone'])
    .where('id', 'in', [...new Set(offerIds)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Makes the counters that are missing and locks all of them, in their order, so that two batches never wait for each other. */
export async function lockCounters(
  trx: Trx,
  terms: Map<number, CapTerms>,
  wanted: { offerId: number; day: string }[],
): Promise<Map<string, Counter>> {
  const { rows } = await sql<{ offer_id: number; day: string; used: number }>`
    insert into cap_counter as counter (offer_id, day, used)
    select distinct offer_id, day, 0
      from unnest(${wanted.map((one) => one.offerId)}::int[], ${wanted.map((one) => one.day)}::date[]) as wanted (offer_id, day)
     order by offer_id, day
    on conflict (offer_id, day) do update set used = counter.used
    returning offer_id, day, used`.execute(trx)
  return new Map(
    rows.map((row) => {
      const offer = terms.get(row.offer_id)
      return [
        capKey(row.offer_id, row.day),
        {
          offerId: row.offer_id,
          day: row.day,
          limit: offer?.daily_cap ?? null,
          action: offer?.over_cap_action ?? 'decline',
          before: row.used,
          used: row.used,
        },
      ]
    }),
  )
}

/** Writes how many places are used now. */
export async function saveCounters(trx: Trx, changed: Counter[]): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update cap_counter as counter set used = fresh.used
      from unnest(${changed.map((one) => one.offerId)}::int[], ${changed.map((one) => one.day)}::date[], ${changed.map((one) => one.used)}::int[]) as fresh (offer_id, day, used)
     where counter.offer_id = fresh.offer_id and counter.day = fresh.day`.execute(trx)
}

/** Pauses those of some offers that are active; answers which. */
export async function pauseOffers(trx: Trx, offerIds: number[]): Promise<number[]> {
  if (offerIds.length === 0) return []
  const paused = await trx
    .updateTable('offer')
    .set({ status: 'paused' })
    .where('id', 'in', offerIds)
    .where('status', '=', 'active')
    .returning('id')
    .execute()
  return paused.map(({ id }) => id)
}

/** What `lockCounters` files a counter under. */
export function capKey(offerId: number, day: string): string {
  return `${offerId} ${day}`
}
