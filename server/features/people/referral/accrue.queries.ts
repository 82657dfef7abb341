import { sql, type RawBuilder } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

export type MonthFacts = {
  referral_id: number
  referrer_id: number
  /** Its first day. */
  month: string
  currency: Currency
  is_kept: boolean
  is_active: boolean
  target: string
  last_target: string
  claim: string
  booked: string
  invoiced: string
}

/**
 * What each referral comes to by month, in the zone of the network: its share of the approved payouts of who was brought, by the time of the
 * conversion, from the sign-up for as many months as the terms say; rounded once, half away from zero, to the decimals of accruals. Beside it
 * what stands in the books.
 */
function facts(zone: string, referralId: number | null): RawBuilder<MonthFacts> {
  const chosen = (id: string) => (referralId === null ? sql`true` : sql`${sql.ref(id)} = ${referralId}`)
  return sql<MonthFacts>`
    with earned as (
      select r.id as referral_id, date_trunc('month', c.created_at at time zone ${zone})::date as month, c.currency,
             round(sum(c.payout) * r.percent * 0.01, greatest(4, u.decimals)) as target
        from referral r join conversion c on c.affiliate_id = r.affiliate_id and c.created_at >= r.created_at
         and c.created_at < (r.created_at at time zone ${zone} + make_interval(months => r.months)) at time zone ${zone}
        join currency u on u.code = c.currency
       where c.status = 'approved' and not c.test and ${chosen('r.id')} group by r.id, 2, 3, u.decimals
    ), kept as (
      select m.referral_id, m.month, m.currency, sum(m.amount) as booked, sum(m.target) as last_target, sum(m.claim) as claim,
             coalesce(sum(m.amount) filter (where exists (select from invoice_line l where l.referral_month_id = m.id and l.live)), 0) as invoiced
        from referral_month m where ${chosen('m.referral_id')} group by 1, 2, 3
    )
    select r.id as referral_id, r.referrer_id, x.month::text as month, x.currency, r.state in ('held', 'refused') as is_kept, f.status = 'active' as is_active,
           coalesce(target, 0) as target, coalesce(last_target, 0) as last_target, coalesce(claim, 0) as claim, coalesce(booked, 0) as booked,
           coalesce(invoiced, 0) as invoiced
      from (select * from earned full join kept using (referral_id, month, currency)) x join referral r on r.id = x.referral_id join affiliate f on f.id = r.referrer_id`
}

/** Referrals of which something is to be booked or noted, by number, at most so many after one. */
export async function listMoved(db: DbOrTrx, zone: string, after: number, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct referral_id as id from (${facts(zone, null)}) x
     where referral_id > ${after} and (target <> last_target or case when is_kept then least(claim, invoiced) else claim end <> booked)
     order by 1 limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Locks a referral and its months, so that whoever else accrues it, or puts it on an invoice, waits. */
export async function lockReferral(trx: Trx, id: number): Promise<void> {
  await sql`select from referral where id = ${id} for no key update`.execute(trx)
  await sql`select from referral_month where referral_id = ${id} order by id for update`.execute(trx)
}

/** The months of one referral, the earliest first. */
export async function factsOf(trx: Trx, zone: string, referralId: number): Promise<MonthFacts[]> {
  const { rows } = await sql<MonthFacts>`select * from (${facts(zone, referralId)}) x order by month, currency`.execute(trx)
  return rows
}

type Which = Pick<MonthFacts, 'referral_id' | 'month' | 'currency'>

/** The latest row of a month that is on no invoice; undefined where there is none. */
export async function openRow(trx: Trx, { referral_id, month, currency }: Which): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from referral_month m where referral_id = ${referral_id} and month = ${month}::date and currency = ${currency}
       and not exists (select from invoice_line l where l.referral_month_id = m.id and l.live) order by n desc limit 1`.execute(trx)
  return rows[0]?.id
}

/** Makes the next row of a month. */
export async function insertRow(trx: Trx, { referral_id, month, currency }: Which, at: Date): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into referral_month (referral_id, month, currency, n, updated_at)
    select ${referral_id}::int, ${month}::date, ${currency}::text, coalesce(max(n), 0) + 1, ${at}::timestamptz from referral_month
     where referral_id = ${referral_id} and month = ${month}::date and currency = ${currency} returning id`.execute(trx)
  return rows[0]?.id ?? ''
}

/** Adds to what a row came to; answers the number of the booking. */
export async function addToRow(trx: Trx, id: string, amount: string, at: Date): Promise<number> {
  const row = await trx
    .updateTable('referral_month')
    .set((is) => ({ amount: is('amount', '+', amount), bookings: is('bookings', '+', 1), updated_at: at }))
    .where('id', '=', id)
    .returning('bookings')
    .executeTakeFirstOrThrow()
  return row.bookings
}

/** Notes at the first row of a month what it was the share of, and what of that was earned. */
export async function noteClaim(
  trx: Trx,
  { referral_id, month, currency }: Which,
  noted: { target: string; claim: string },
): Promise<void> {
  await trx
    .updateTable('referral_month')
    .set(noted)
    .where('referral_id', '=', referral_id)
    .where('month', '=', month)
    .where('currency', '=', currency)
    .where('n', '=', 1)
    .execute()
}
