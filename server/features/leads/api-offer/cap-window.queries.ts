import { sql } from 'kysely'
import type { MEMBER_MEASURES, StoredTerms } from '#contract/leads/api-offer.ts'
import type { ProductCap } from '#contract/leads/product.ts'
import type { CapPeriod } from '#contract/offers/offer-cap.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { together } from '#server/platform/pg/pipeline.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT, TOOK } from '#server/rules/lead/states.ts'

type Measure = (typeof MEMBER_MEASURES)[number]
/** The counter of one cap in the period that runs: its key in `lead_counter`, and how far it may go. */
export type CapWindow = {
  owner: string
  /** Whose cap it is: of a place in one offer, or of the product over all of them. */
  of: 'member' | 'product'
  period: CapPeriod
  starts: Date
  /** By whose days. */
  zone: string
  limit: number
  measure: Measure
  /** Of `goal` alone; '' else. */
  goal: string
  memberId: number
  offerId: number
}
/** What names a counter. */
export type CounterKey = Pick<CapWindow, 'owner' | 'period' | 'starts'>

/** The windows of a member's caps that run at a moment, in the order of its caps. */
export function windowsOf(
  { id, offer_id, terms }: { id: number; offer_id: number; terms: Pick<StoredTerms, 'caps' | 'time_zone'> },
  now: number,
): CapWindow[] {
  return terms.caps.map(({ period, limit, measure = 'accepted', goal = '' }) => ({
    // leads it has are counted under its name alone
    owner: [`member ${id}`, measure === 'accepted' ? '' : measure, measure === 'goal' ? goal : ''].filter(Boolean).join(' '),
    of: 'member',
    period,
    starts: new Date(periodOf(period, now, terms.time_zone).starts),
    zone: terms.time_zone,
    limit,
    measure,
    goal: measure === 'goal' ? goal : '',
    memberId: id,
    offerId: offer_id,
  }))
}

/** The same of a member's product: one counter of each, whichever offer takes a place in it. */
export function productWindowsOf(
  row: { id: number; offer_id: number; product_id: number; product_caps: readonly ProductCap[]; product_zone: string },
  now: number,
): CapWindow[] {
  return row.product_caps.map(({ period, measure, limit }) => ({
    owner: [`product ${row.product_id}`, measure === 'accepted' ? '' : measure].filter(Boolean).join(' '),
    of: 'product',
    period,
    starts: new Date(periodOf(period, now, row.product_zone).starts),
    zone: row.product_zone,
    limit,
    measure,
    goal: '',
    memberId: row.id,
    offerId: row.offer_id,
  }))
}

/** Whether leads take places in it: what counts conversions is read of them. */
export function isCounted({ measure }: Pick<CapWindow, 'measure'>): boolean {
  return measure === 'accepted' || measure === 'sends'
}

/**
 * Counts into the counters of caps somebody has just set what was sent in their periods before: whoever sets a limit at noon means the day.
 * `offerId`: of a place in an offer, whose product it is; null = of the product over all offers. One that counts already is never lowered.
 */
export async function countBefore(
  trx: DbOrTrx,
  set: readonly { window: CapWindow; productId: number; offerId: number | null }[],
): Promise<void> {
  const counted = set.filter(({ window }) => isCounted(window))
  if (counted.length === 0) return
  await sql`
    insert into lead_counter as c (owner, period, starts, used)
    select w.owner, w.period, w.starts, n.used
      from unnest(${counted.map(({ window }) => window.owner)}::text[], ${counted.map(({ window }) => window.period)}::text[],
                  ${counted.map(({ window }) => window.starts)}::timestamptz[], ${counted.map(({ window }) => window.measure)}::text[],
                  ${counted.map(({ productId }) => productId)}::int[], ${counted.map(({ offerId }) => offerId)}::int[])
           as w (owner, period, starts, measure, product_id, offer_id)
     cross join lateral (
       select count(*)::int as used from lead_send n join user_session s on s.id = n.session_id
        where n.product_id = w.product_id and n.asked_at >= w.starts and not s.test and (w.offer_id is null or s.offer_id = w.offer_id)
          and (w.measure = 'sends' or n.status in (${words(HAS_IT)}) or n.passed_on)) n
     where n.used > 0
     -- places are taken in this order
     order by w.period, w.owner
        on conflict (owner, period, starts) do update set used = greatest(c.used, excluded.used)`.execute(trx)
}

/** How far caps are filled, by `counterKey`; one nobody has counted yet is left out. */
export async function readLevels(db: DbOrTrx, windows: readonly CapWindow[]): Promise<Map<string, number>> {
  const [counted, booked] = [windows.filter(isCounted), windows.filter((one) => !isCounted(one))]
  const levels = await together(
    db,
    () => readCounters(db, counted),
    () => readBooked(db, booked),
  )
  return new Map(levels.flat())
}

async function readCounters(db: DbOrTrx, windows: readonly CapWindow[]): Promise<[string, number][]> {
  if (windows.length === 0) return []
  const { rows } = await sql<CounterKey & { used: number }>`
    select c.owner, c.period, c.starts, c.used from lead_counter c
      join unnest(${windows.map(({ owner }) => owner)}::text[], ${windows.map(({ period }) => period)}::text[],
                  ${windows.map(({ starts }) => starts)}::timestamptz[]) as w (owner, period, starts) using (owner, period, starts)`.execute(
    db,
  )
  return rows.map((row) => [counterKey(row), row.used])
}

/** What leads of members came to since their periods began: conversions of a goal, or the whole units of what they bring. */
async function readBooked(db: DbOrTrx, windows: readonly CapWindow[]): Promise<[string, number][]> {
  if (windows.length === 0) return []
  const { rows } = await sql<CounterKey & { used: number }>`
    select w.owner, w.period, w.starts, coalesce(b.used, 0)::int as used
      from unnest(${windows.map(({ owner }) => owner)}::text[], ${windows.map(({ period }) => period)}::text[],
                  ${windows.map(({ starts }) => starts)}::timestamptz[], ${windows.map(({ memberId }) => memberId)}::int[],
                  ${windows.map(({ offerId }) => offerId)}::int[], ${windows.map(({ measure }) => measure)}::text[],
                  ${windows.map(({ goal }) => goal)}::text[]) as w (owner, period, starts, member_id, offer_id, measure, goal)
      cross join lateral (
        select case when w.measure = 'goal' then count(*) else least(floor(coalesce(sum(c.revenue), 0)), 2000000000) end as used
          from conversion c join goal g on g.id = c.goal_id join offer o on o.id = c.offer_id
          join user_session s on s.click_id = c.click_id
          join lead_send n on n.session_id = s.id and n.status in (${words(TOOK)})
         where c.offer_id = w.offer_id and c.created_at >= w.starts and c.status in ('pending', 'hold', 'approved')
           and n.member_id = w.member_id
           and (w.measure <> 'goal' or g.code = w.goal) and (w.measure <> 'revenue' or c.currency = o.currency)) b`.execute(db)
  return rows.map((row) => [counterKey(row), row.used])
}

/** When those of several limits that are full have all begun anew; null = one of them never does. `filled` stands in their order. */
export function emptiesAt(windows: readonly CapWindow[], filled: readonly { limit: number; used: number }[], now: number): number | null {
  const full = windows.filter((_, at) => (filled[at]?.used ?? 0) >= (filled[at]?.limit ?? Infinity))
  if (full.length === 0 || full.some(({ period }) => period === 'total')) return null
  return Math.max(...full.map(({ period, zone }) => periodOf(period, now, zone).ends))
}

/** Names a counter among those read. */
export function counterKey({ owner, period, starts }: CounterKey): string {
  return `${owner} ${period} ${starts.getTime()}`
}
