import { sql } from 'kysely'
import { ACCOUNT_KINDS, accountsOf, type AccountKind } from '#contract/money/account.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'

type TrialFilters = { count: number; page: number; direction: 'asc' | 'desc'; kind: AccountKind[]; currency: string[]; search: string }

/**
 * A month by the moments of a zone; the one of its stored trial balance where it has one of that zone; and where it is the running one,
 * right after months that are all stored by this zone, the last of them.
 */
export type TrialMonth = { from: Date; to: Date; stored: string | null; after: string | null }

/**
 * What each account moved in a month, and held before it. Of a month that is stored as it stands there; of the running one what came to the
 * account since the last that is stored; otherwise what an account held at a moment is its balance less what was booked since, so only
 * the entries since the month began are read.
 */
function movedIn({ from, to, stored, after }: TrialMonth) {
  if (stored !== null) return sql`select account_id, opening, debits, credits from ledger_month where month = ${stored}`
  if (after !== null)
    return sql`
      select id as account_id, opening, debits, opening + debits - balance as credits
        from (select a.id, a.balance, a.debited - coalesce(d.debits, 0) as debits, coalesce(m.opening + m.debits - m.credits, 0) as opening
                from ledger_account a left join (select account_id, sum(debits) as debits from ledger_month group by 1) d on d.account_id = a.id
                left join ledger_month m on m.account_id = a.id and m.month = ${after}) since`
  return sql`
    select a.id as account_id, a.balance - coalesce(m.later, 0) - coalesce(m.debits, 0) + coalesce(m.credits, 0) as opening,
           coalesce(m.debits, 0) as debits, coalesce(m.credits, 0) as credits
      from ledger_account a left join (
      select e.account_id,
             coalesce(sum(e.amount) filter (where t.booked_at >= ${to}), 0) as later,
             coalesce(sum(e.amount) filter (where t.booked_at < ${to} and e.amount > 0), 0) as debits,
             coalesce(-sum(e.amount) filter (where t.booked_at < ${to} and e.amount < 0), 0) as credits
        from ledger_transfer t join ledger_entry e on e.transfer_id = t.id where t.booked_at >= ${from} group by e.account_id) m on m.account_id = a.id`
}

/** A page of the accounts that held or moved something in a month, in the order of the chart, and the sums of all of them by currency. */
export async function listTrial(db: Db, month: TrialMonth, filters: TrialFilters) {
  const { rows } = await sql<TrialResult>`
    with trial as (
      select a.id, a.kind, a.currency, m.debits, m.credits, m.opening + m.debits - m.credits as closing, m.opening,
             a.owner_id, coalesce(fa.uuid, v.uuid, p.uuid) as owner_uuid, coalesce(fa.name, v.name, p.name) as owner_name
        from ledger_account a join (${movedIn(month)}) m on m.account_id = a.id
        left join affiliate f on a.kind = any(${accountsOf('affiliate')}::text[]) and f.id = a.owner_id left join account fa on fa.id = f.account_id
        left join advertiser v on a.kind = any(${accountsOf('advertiser')}::text[]) and v.id = a.owner_id
        left join payment_source p on a.kind = any(${accountsOf('source')}::text[]) and p.id = a.owner_id),
    found as (
      select * from trial
       where (opening <> 0 or debits <> 0 or credits <> 0)
         and ${filters.kind.length === 0 ? sql`true` : sql`kind = any(${filters.kind}::text[])`}
         and ${filters.currency.length === 0 ? sql`true` : sql`currency = any(${filters.currency}::text[])`}
         and ${filters.search === '' ? sql`true` : sql`(owner_name ilike ${containing(filters.search)} or owner_id::text = ${filters.search} or owner_uuid::text = ${filters.search})`})
    select (select count(*)::int from found) as rows,
           (select coalesce(json_agg(sums order by currency), '[]') from (
              select currency, sum(opening)::text as opening, sum(debits)::text as debits, sum(credits)::text as credits, sum(closing)::text as closing
                from found group by currency) as sums) as amounts,
           (select coalesce(json_agg(page order by place), '[]') from (
              select row_number() over (${order(filters.direction)}) as place, id, kind, currency, opening::text, debits::text, credits::text, closing::text,
                     case when owner_uuid is not null then json_build_object('uuid', owner_uuid, 'id', owner_id, 'name', owner_name) end as owner
                from found ${order(filters.direction)} limit ${filters.count} offset ${(filters.page - 1) * filters.count}) as page) as list`.execute(
    db,
  )
  return rows[0] ?? { rows: 0, amounts: [], list: [] }
}

/**
 * What accounts of each kind and currency hold now, and what was debited and credited since a month began, by the day of the zone; what
 * came after the month has no day. Of a month that is stored what they held at its end, and nothing after it is read. What is in the base
 * currency needs no days where it is known without its entries. One statement, so that both are of one moment.
 */
export async function sumTrial(db: Db, month: TrialMonth, { zone, base }: { zone: string; base: string }) {
  const { from, to, stored, after } = month
  const isKnown = stored !== null || after !== null
  const known = isKnown
    ? sql`union all
      select a.kind, a.currency, to_char(${from}::timestamptz at time zone ${zone}, 'YYYY-MM-DD'), sum(k.debits), sum(k.credits)
        from (${movedIn(month)}) k join ledger_account a on a.id = k.account_id where a.currency = ${base} group by 1, 2`
    : sql``
  const held =
    stored === null
      ? sql`select kind, currency, sum(balance) as balance from ledger_account group by 1, 2`
      : sql`select a.kind, a.currency, sum(m.opening + m.debits - m.credits) as balance from ledger_month m join ledger_account a on a.id = m.account_id
             where m.month = ${stored} group by 1, 2`
  const { rows } = await sql<TrialHeld>`
    with moved as (
      select a.kind, a.currency, case when t.booked_at < ${to} then to_char(t.booked_at at time zone ${zone}, 'YYYY-MM-DD') end as day,
             coalesce(sum(e.amount) filter (where e.amount > 0), 0) as debits, coalesce(-sum(e.amount) filter (where e.amount < 0), 0) as credits
        from ledger_transfer t join ledger_entry e on e.transfer_id = t.id join ledger_account a on a.id = e.account_id
       where t.booked_at >= ${from} and ${stored === null ? sql`true` : sql`t.booked_at < ${to}`}
         and ${isKnown ? sql`a.currency <> ${base}` : sql`true`} group by 1, 2, 3 ${known})
    select h.kind, h.currency, h.balance::text, coalesce(m.days, '[]') as days
      from (${held}) h
      left join (select kind, currency, json_agg(json_build_object('day', day, 'debits', debits::text, 'credits', credits::text)) as days
                   from moved group by 1, 2) m on m.kind = h.kind and m.currency = h.currency
     order by h.currency, array_position(${ACCOUNT_KINDS}::text[], h.kind)`.execute(db)
  return rows
}

/**
 * Every account that held or moved something in a month, in the order of the chart. After a month that is stored, at whose end it begins,
 * only its own entries are read; without one all before it.
 */
export async function readTrial(trx: Trx, [from, to]: readonly [Date, Date], after: string | null) {
  const { rows } = await sql<Sums & { account_id: number; kind: AccountKind; owner: number }>`
    with moved as (
      select e.account_id, coalesce(sum(e.amount) filter (where t.booked_at < ${from}), 0) as opening,
             coalesce(sum(e.amount) filter (where t.booked_at >= ${from} and e.amount > 0), 0) as debits,
             coalesce(-sum(e.amount) filter (where t.booked_at >= ${from} and e.amount < 0), 0) as credits
        from ledger_transfer t join ledger_entry e on e.transfer_id = t.id
       where t.booked_at < ${to} and ${after === null ? sql`true` : sql`t.booked_at >= ${from}`} group by e.account_id),
    parts as (
      select * from moved
      union all
      select account_id, opening + debits - credits, 0, 0 from ledger_month where month = ${after}),
    sums as (select account_id, sum(opening) as opening, sum(debits) as debits, sum(credits) as credits from parts group by 1)
    select s.account_id, a.kind, a.owner_id as owner, a.currency, opening::text, debits::text, credits::text, (opening + debits - credits)::text as closing
      from sums s join ledger_account a on a.id = s.account_id where opening <> 0 or debits <> 0 or credits <> 0
     order by a.currency, array_position(${ACCOUNT_KINDS}::text[], a.kind), a.owner_id`.execute(trx)
  return rows
}

/** The month of the first booking in a zone. */
export async function firstMonth(trx: Trx, zone: string): Promise<string | null> {
  const { rows } = await sql<{ month: string | null }>`
    select to_char(min(booked_at) at time zone ${zone}, 'YYYY-MM') as month from ledger_transfer`.execute(trx)
  return rows[0]?.month ?? null
}

/** The last month that was stored. */
export function lastStored(trx: Trx) {
  return trx.selectFrom('trial_balance').select(['month', 'sha256', 'time_zone']).orderBy('month', 'desc').limit(1).executeTakeFirst()
}

export async function insertStored(
  trx: Trx,
  values: { month: string; time_zone: string; content: string; sha256: string; made_at: Date },
): Promise<void> {
  await trx.insertInto('trial_balance').values(values).execute()
}

/** Keeps what each account moved in a stored month, and held before it. */
export async function insertMonth(
  trx: Trx,
  rows: { month: string; account_id: number; opening: string; debits: string; credits: string }[],
): Promise<void> {
  await insertRows(trx, 'ledger_month', rows)
}

/** The months that are stored, by the clock of which zone, the first one first. */
export function listMonths(db: Db) {
  return db.selectFrom('trial_balance').select(['month', 'time_zone']).orderBy('month').execute()
}

/** What was stored, the youngest month first, with the hash each names; `json` where one is asked for. */
export async function listStored(db: Db, uuid: string | null) {
  const { rows } = await sql<{ uuid: string; month: string; sha256: string; previous: string | null; made_at: Date; json: string | null }>`
    select uuid, month, sha256, made_at, lag(sha256) over (order by month) as previous, case when uuid::text = ${uuid} then content end as json
      from trial_balance order by month desc limit 120`.execute(db)
  return rows
}

type TrialHeld = {
  kind: AccountKind
  currency: string
  balance: string
  days: { day: string | null; debits: string; credits: string }[]
}
type Sums = { currency: string; opening: string; debits: string; credits: string; closing: string }
type TrialResult = {
  rows: number
  amounts: Sums[]
  list: (Sums & { id: number; kind: AccountKind; owner: { uuid: string; id: number; name: string } | null })[]
}

function order(direction: 'asc' | 'desc') {
  const way = direction === 'asc' ? sql`asc` : sql`desc`
  return sql`order by currency ${way}, array_position(${ACCOUNT_KINDS}::text[], kind) ${way}, owner_id ${way}, id ${way}`
}
