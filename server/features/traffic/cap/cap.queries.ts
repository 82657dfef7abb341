import { sql } from 'kysely'
import type { CapPeriod, OfferCap } from '#contract/offers/offer-cap.ts'
import type { overCapAction } from '#contract/offers/offer-fields.ts'
import { type Currency } from '#contract/money/amount.ts'
import type { z } from 'zod'
import { compileOnce, writeOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** What offers say of their caps. */
export type CapTerms = {
  id: number
  caps: OfferCap[]
  over_cap_action: z.output<typeof overCapAction>
  time_zone: string
  currency: Currency
}
/** Names a counter: that of one period, of the whole offer (0) or one affiliate. */
export type CounterKey = { offerId: number; affiliateId: number; period: CapPeriod; starts: number; measure: OfferCap['measure'] }
export type Wanted = CounterKey & {
  ends: number
  /** Payouts in others are not counted. */
  currency: Currency
}
/** `used` in the measure's unit; `fresh` = nobody has counted before. */
export type LockedCounter = { used: string; fresh: boolean }

/** Keeps the caps of offers as they are until the transaction ends: whoever changes them waits, and conversions wait for that change. */
export async function holdCaps(trx: Trx, offerIds: readonly number[]): Promise<void> {
  await heldCaps(trx, { offerIds: [...offerIds] })
}
const heldCaps = writeOnce(
  ({ offerIds }: { offerIds: number[] }) => sql`
    select pg_advisory_xact_lock_shared(hashtextextended('caps ' || id, 0))
      from (select distinct id from unnest(${offerIds}::int[]) as id order by id) as offers`,
)

/** Waits until no conversion of an offer is being written, and keeps others waiting until the transaction ends. Before the offer's row is locked. */
export async function lockCaps(trx: Trx, offerId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('caps ' || ${offerId}::int, 0))`.execute(trx)
}

/** What offers say of their caps, by offer. */
export async function capTerms(db: DbOrTrx, offerIds: readonly number[]): Promise<Map<number, CapTerms>> {
  const rows = await termsOfCaps(db, { offerIds: [...new Set(offerIds)] })
  return new Map(rows.map((row) => [row.id, row]))
}
const termsOfCaps = compileOnce((db, { offerIds }: { offerIds: number[] }) =>
  db
    .selectFrom('offer')
    .select(['id', 'caps', 'over_cap_action', 'time_zone', 'currency'])
    .where(sql<boolean>`id = any(${offerIds}::int[])`),
)

/**
 * Locks counters in the order of their keys, so that two batches never wait for each other; those that are missing are
 * counted from the conversions first, before any is locked: waiting for another's insert with a lock in hand could close a circle.
 */
export async function lockCounters(trx: Trx, wanted: readonly Wanted[]): Promise<Map<string, LockedCounter>> {
  const keys = wantedRows(wanted)
  const there = await sql<{ rows: number }>`select count(*)::int as rows from cap_counter join ${keys} using (${KEY})`.execute(trx)
  const made = (there.rows[0]?.rows ?? 0) < wanted.length ? await insertCounters(trx, wanted) : new Set<string>()
  const { rows } = await sql<CounterRow>`
    select ${KEY}, used::text from cap_counter as counter join ${keys} using (${KEY}) order by ${KEY} for update of counter`.execute(trx)
  return new Map(rows.map((row) => [nameOf(row), { used: row.used, fresh: made.has(nameOf(row)) }]))
}

/** Writes what counters are at now. */
export async function saveCounters(trx: Trx, changed: readonly (CounterKey & { used: string })[]): Promise<void> {
  if (changed.length === 0) return
  await sql`
    update cap_counter as counter set used = fresh.used
      from unnest(${changed.map((one) => one.offerId)}::int[], ${changed.map((one) => one.affiliateId)}::int[], ${changed.map((one) => one.period)}::text[],
                  ${changed.map((one) => new Date(one.starts))}::timestamptz[], ${changed.map((one) => one.measure)}::text[], ${changed.map((one) => one.used)}::numeric[])
        as fresh (offer_id, affiliate_id, period, starts, measure, used)
     where (counter.offer_id, counter.affiliate_id, counter.period, counter.starts, counter.measure)
         = (fresh.offer_id, fresh.affiliate_id, fresh.period, fresh.starts, fresh.measure)`.execute(trx)
}

/** Forgets what was counted for an offer whose caps are locked. */
export async function clearCounters(trx: Trx, offerId: number): Promise<void> {
  await trx.deleteFrom('cap_counter').where('offer_id', '=', offerId).execute()
}

/** Counts from the conversions what is not counted yet; answers what was. */
export async function insertCounters(trx: Trx, wanted: readonly Wanted[]): Promise<Set<string>> {
  const { rows } = await sql<CounterRow>`
    insert into cap_counter (${KEY}, used)
    select ${KEY}, (
        select case when wanted.measure = 'payout' then coalesce(sum(greatest(c.payout, 0)), 0) else count(*) end
          from conversion c
         where c.offer_id = wanted.offer_id and (wanted.affiliate_id = 0 or c.affiliate_id = wanted.affiliate_id)
           and c.within_cap and c.status in ('pending', 'hold', 'approved') and c.created_at >= wanted.starts and c.created_at < wanted.ends
           and (wanted.measure <> 'payout' or c.currency = wanted.currency))
      from ${wantedRows(wanted)} order by ${KEY}
    on conflict do nothing
    returning ${KEY}, used::text`.execute(trx)
  return new Set(rows.map(nameOf))
}

/** The affiliates that have conversions of an offer since a moment. */
export async function affiliatesSince(db: DbOrTrx, offerId: number, since: number): Promise<number[]> {
  const rows = await db
    .selectFrom('conversion')
    .select('affiliate_id')
    .distinct()
    .where('offer_id', '=', offerId)
    .where('created_at', '>=', new Date(since))
    .execute()
  return rows.map((row) => row.affiliate_id)
}

/** What is counted of an offer in some periods: of everybody, or of the whole offer and one affiliate. */
export async function readCounters(
  db: DbOrTrx,
  offerId: number,
  periods: readonly { period: CapPeriod; starts: number }[],
  affiliateId: number | null,
): Promise<(CounterKey & { used: string })[]> {
  const rows = await db
    .selectFrom('cap_counter')
    .select(['offer_id', 'affiliate_id', 'period', 'starts', 'measure', 'used'])
    .where('offer_id', '=', offerId)
    .where(
      sql<boolean>`(period, starts) in (select * from unnest(${periods.map((one) => one.period)}::text[], ${periods.map((one) => new Date(one.starts))}::timestamptz[]))`,
    )
    .$if(affiliateId !== null, (query) => query.where('affiliate_id', 'in', [0, affiliateId ?? 0]))
    .execute()
  return rows.map(readCounter)
}

/** What is counted of some offers, each in some periods: of the whole offer and of every affiliate, or of one of them. */
export async function readManyCounters(
  db: DbOrTrx,
  wanted: readonly { offerId: number; period: CapPeriod; starts: number }[],
  affiliateId: number | null = null,
): Promise<(CounterKey & { used: string })[]> {
  const { rows } = await sql<CounterRow>`
    select ${KEY}, used::text from cap_counter
     where (offer_id, period, starts) in (select * from unnest(${wanted.map((one) => one.offerId)}::int[], ${wanted.map((one) => one.period)}::text[],
       ${wanted.map((one) => new Date(one.starts))}::timestamptz[]))
       and (${affiliateId}::int is null or affiliate_id in (0, ${affiliateId}::int))`.execute(db)
  return rows.map(readCounter)
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
export function counterName({ offerId, affiliateId, period, starts, measure }: CounterKey): string {
  return `${offerId} ${affiliateId} ${period} ${starts} ${measure}`
}

type CounterRow = {
  offer_id: number
  affiliate_id: number
  period: CapPeriod
  starts: Date
  measure: OfferCap['measure']
  used: string
}

function readCounter(row: CounterRow): CounterKey & { used: string } {
  const { offer_id: offerId, affiliate_id: affiliateId, period, starts, measure, used } = row
  return { offerId, affiliateId, period, starts: starts.getTime(), measure, used }
}

function nameOf(row: CounterRow): string {
  return counterName(readCounter(row))
}

const KEY = sql.raw('offer_id, affiliate_id, period, starts, measure')

function wantedRows(wanted: readonly Wanted[]) {
  return sql`unnest(${wanted.map((one) => one.offerId)}::int[], ${wanted.map((one) => one.affiliateId)}::int[], ${wanted.map((one) => one.period)}::text[],
      ${wanted.map((one) => new Date(one.starts))}::timestamptz[], ${wanted.map((one) => new Date(one.ends))}::timestamptz[],
      ${wanted.map((one) => one.measure)}::text[], ${wanted.map((one) => one.currency)}::text[])
    as wanted (offer_id, affiliate_id, period, starts, ends, measure, currency)`
}
