import { sql } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'
import { takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { recordAudit } from '#server/features/people/audit/audit.queries.ts'
import { announce } from '../snapshot/snapshot.queries.ts'
import type { Change } from './change.service.ts'

type Counter = { offerId: number; day: string; limit: number | null; action: CapTerms['over_cap_action']; before: number; used: number }
type CapTerms = { id: number; daily_cap: number | null; over_cap_action: 'trafficback' | 'decline' | 'unpaid' | 'pause'; time_zone: string }

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
    const counter = counters.get(keyOf(change.after.offer_id, day))
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
  const counter = counters.get(keyOf(change.after.offer_id, day))
  if (counter !== undefined) counter.used = Math.max(0, counter.used - 1)
  return { ...change, after: { ...change.after, cap_day: null } }
}

function overCap(change: Change, action: Counter['action']): Change {
  const after = { ...change.after, cap_day: null, reason: 'cap_reached' }
  if (action === 'unpaid') return { ...change, after: { ...after, payout: '0.0000' } }
  return { ...change, after: { ...after, status: 'declined', hold_until: null } }
}

async function capTerms(trx: Trx, offerIds: number[]): Promise<Map<number, CapTerms>> {
  const rows = await trx
    .selectFrom('offer')
    .select(['id', 'daily_cap', 'over_cap_action', 'time_zone'])
    .where('id', 'in', [...new Set(offerIds)])
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Makes the counters that are missing and locks all of them, in their order, so that two batches never wait for each other. */
async function lockCounters(
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
        keyOf(row.offer_id, row.day),
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

async function saveCounters(trx: Trx, changed: Counter[]): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update cap_counter as counter set used = fresh.used
      from unnest(${changed.map((one) => one.offerId)}::int[], ${changed.map((one) => one.day)}::date[], ${changed.map((one) => one.used)}::int[]) as fresh (offer_id, day, used)
     where counter.offer_id = fresh.offer_id and counter.day = fresh.day`.execute(trx)
}

/** Tells the trackers of caps that became full or free, and pauses the offers that ask for it. */
async function announceFlips(trx: Trx, counters: Counter[], now: number): Promise<void> {
  const flipped = counters.filter(({ limit, before, used }) => limit !== null && before >= limit !== used >= limit)
  const pausing = flipped
    .filter(({ action, limit, used }) => action === 'pause' && limit !== null && used >= limit)
    .map((one) => one.offerId)
  if (pausing.length > 0) {
    const paused = await trx
      .updateTable('offer')
      .set({ status: 'paused' })
      .where('id', 'in', pausing)
      .where('status', '=', 'active')
      .returning('id')
      .execute()
    for (const { id } of paused) {
      await recordAudit(trx, null, now, {
        action: 'set_status',
        entity: 'offer',
        entityId: id,
        before: { status: 'active' },
        after: { status: 'paused', reason: 'cap_reached' },
      })
    }
  }
  await announce(trx, 'offer', [...new Set(flipped.map((one) => one.offerId))])
}

function keyOf(offerId: number, day: string): string {
  return `${offerId} ${day}`
}
