import { sql, type Expression } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { invoiceApi } from '#contract/money/invoice.ts'
import type { LEFT_OUT } from '#contract/money/run-shape.ts'
import type { Company } from '#contract/money/document.ts'
import type { PaymentSettings, PERIOD_ENDS } from '#contract/money/payment.ts'
import { VAT_CATEGORIES } from '#contract/money/vat.ts'
import type { z } from 'zod'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { missingOfCompany } from '#server/features/money/tax-profile/missing.ts'
import { availableTo } from '#server/features/money/ledger/available.queries.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { reference } from '#server/platform/pg/reference.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { payoutSince } from './cut-off.queries.ts'
import { CHANGED, PAYABLE } from './invoice.queries.ts'
import { hasEnded, IS_PAYABLE, OPEN_ADJUSTMENT, OPEN_MONTH } from './line.queries.ts'
import { UNDRAFTED, waitsForNote } from './note.queries.ts'

type PayableFilters = z.output<typeof invoiceApi.payable.body>
export type PayableFilter = NonNullable<z.output<typeof invoiceApi.createFromConversions.body>['filter']>

/** Whose the chosen conversions are, in one order. */
export async function chosenOwners(trx: Trx, uuids: readonly string[]): Promise<{ affiliate_id: number; currency: Currency }[]> {
  const { rows } = await sql<{ affiliate_id: number; currency: Currency }>`
    select distinct affiliate_id, currency from conversion where uuid = any(${[...uuids]}::uuid[]) order by affiliate_id, currency`.execute(
    trx,
  )
  return rows
}

/** How the affiliate was paid the last time; '' where it never was. */
export async function usualSystem(trx: Trx, affiliateId: number): Promise<string> {
  const row = await trx
    .selectFrom('invoice')
    .select('payment_system')
    .where('affiliate_id', '=', affiliateId)
    .where('payment_system', '<>', '')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.payment_system ?? ''
}

/** A page of approved conversions that are on no invoice, how many there are, and what they come to. Days are those of `zone`. */
export async function listPayable(db: Db, scope: Scope, filters: PayableFilters, zone: string) {
  const found = payable(db, scope, filters, zone)
  const rows = found
    .select([sql<number>`c.id::int`.as('id'), 'c.uuid', 'c.created_at', 'c.currency', 'c.payout', 'g.title as goal'])
    .select([
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).$notNull().as('affiliate'),
      reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).$notNull().as('offer'),
    ])
  const [page, amounts] = await Promise.all([
    listPage(rows, { id: 'c.id', created_at: 'c.created_at', payout: 'c.payout' }, filters),
    found
      .select(['c.currency', sql<string>`sum(c.payout)::text`.as('payout')])
      .groupBy('c.currency')
      .orderBy('c.currency')
      .execute(),
  ])
  return { ...page, amounts }
}

/** How many match a filter, and the numbers of the first of them, by affiliate and currency with what they come to. */
export async function payableIds(db: DbOrTrx, scope: Scope, filters: PayableFilter, zone: string, most: number) {
  const found = payable(db, scope, filters, zone)
    .select(['c.id', 'c.affiliate_id', 'c.currency', 'c.payout'])
    .limit(most + 1)
  return groupsOf(db, found)
}

/** The same of chosen ones. */
export async function chosenIds(db: DbOrTrx, uuids: readonly string[]) {
  const found = db
    .selectFrom('conversion as c')
    .where(sql<boolean>`${IS_PAYABLE} and c.uuid = any(${[...uuids]}::uuid[])`)
    .select(['c.id', 'c.affiliate_id', 'c.currency', 'c.payout'])
  return groupsOf(db, found)
}

async function groupsOf(db: DbOrTrx, found: Expression<unknown>) {
  const { rows } = await sql<{ affiliate_id: number; currency: Currency; ids: string[]; amount: string }>`
    select c.affiliate_id, c.currency, array_agg(c.id::text order by c.id) as ids, round(sum(c.payout), u.decimals)::text as amount
      from (${found}) c join currency u on u.code = c.currency group by 1, 2, u.decimals order by 1, 2`.execute(db)
  return rows
}

function payable(db: DbOrTrx, scope: Scope, filters: PayableFilter, zone: string) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('affiliate as f', 'f.id', 'c.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .where('c.status', '=', 'approved')
    .where('c.payment_state', '=', 'open')
    .where('c.test', '=', false)
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', filters.affiliate_uuid))
    .$if(filters.offer_uuid.length > 0, (query) => query.where('o.uuid', 'in', filters.offer_uuid))
    .$if(filters.currency.length > 0, (query) => query.where('c.currency', 'in', filters.currency))
    .$if(filters.from !== null, (query) =>
      query.where(sql<boolean>`c.created_at >= (${filters.from}::date::timestamp at time zone ${zone})`),
    )
    .$if(filters.to !== null, (query) =>
      query.where(sql<boolean>`c.created_at < ((${filters.to}::date + 1)::timestamp at time zone ${zone})`),
    )
}

/** Of a period by hand its own minimum; of a schedule those whose terms name it, each with their minimum. */
export type Asked = {
  until: Date
  periodTo: string
  now: Date
  /** Of the network, in which months of referrals end. */
  zone: string
  minimum: string | null
  affiliateUuids: readonly string[]
  schedule: string | null
  /** Only those whose terms say so, and whoever is left out, so that it is seen. Null: all. */
  makes: (typeof PERIOD_ENDS)[number] | null
  network: PaymentSettings
  company: Company
}
export type PreviewRow = {
  affiliate: { uuid: string; id: number; name: string }
  currency: Currency
  conversions: number
  corrections: number
  net: string
  vat: string
  total: string
  later: string | null
  mode: 'self_billing' | 'statement'
  payment_system: string
  due_day: string
  left_out: (typeof LEFT_OUT)[number] | null
  reasons: (typeof LEFT_OUT)[number][]
  minimum: string
  /** What its terms say happens at the end of a period. */
  makes: (typeof PERIOD_ENDS)[number]
  /** What it asked to be paid and nobody decided yet: this answers it, or it is left out by it. */
  requested: string | null
}

/** What each affiliate would get on an invoice, in each currency, and why some get none; the largest first. */
export async function previewInvoices(db: DbOrTrx, asked: Asked, most: number | null): Promise<PreviewRow[]> {
  const { network, company } = asked
  const forNote = await waitsForNote(db)
  // as sending asks for it: less of it is wanted without VAT
  const lacking = VAT_CATEGORIES.filter((category) => missingOfCompany(company, category).length > 0)
  const systems = network.systems
    .filter(({ active }) => active)
    .flatMap(({ code, currencies, minimums, days }) =>
      currencies.map((currency) => ({ code, currency, minimum: minimums[currency] ?? null, days })),
    )
  const general = Object.fromEntries(network.minimums.map(({ currency, amount }) => [currency, amount]))
  const days = sql`coalesce(t.hold_days, ${network.hold_days}::int)`
  const { rows } = await sql<PreviewRow>`
    with parts as (
      select c.affiliate_id, c.currency, count(*) as conversions, 0 as corrections, sum(c.payout) as amount
        from conversion c left join affiliate_terms t on t.affiliate_id = c.affiliate_id
       where c.status = 'approved' and c.payment_state = 'open' and not c.test and c.created_at < ${asked.until}
         and c.created_at < ${asked.now}::timestamptz - make_interval(days => ${days}) group by 1, 2
      union all
      select c.affiliate_id, c.currency, 0, count(*), sum(${PAYABLE} - ${payoutSince(asked.until)} - c.invoiced) from conversion c
       where ${CHANGED} and ${UNDRAFTED} and not ${forNote}
         and ${PAYABLE} - ${payoutSince(asked.until)} <> c.invoiced group by 1, 2
      union all
      select d.affiliate_id, d.currency, 0, count(*), sum(d.amount) from adjustment d
       where ${OPEN_ADJUSTMENT} and d.at < ${asked.until} group by 1, 2
      union all
      select r.referrer_id, m.currency, 0, count(*), sum(m.amount) from referral_month m join referral r on r.id = m.referral_id
       where ${OPEN_MONTH} and ${hasEnded(new Date(Math.min(asked.until.getTime(), asked.now.getTime())), asked.zone)} group by 1, 2
    ), sums as (select affiliate_id, currency, sum(conversions)::int as conversions, sum(corrections)::int as corrections, sum(amount) as amount from parts group by 1, 2),
    later as (
      select affiliate_id, currency, sum(amount) as amount from (
        select c.affiliate_id, c.currency, ${payoutSince(asked.until)} as amount from conversion c
         where ${CHANGED} and ${UNDRAFTED} and not ${forNote}
        union all
        select d.affiliate_id, d.currency, d.amount from adjustment d
         where ${OPEN_ADJUSTMENT} and d.at >= ${asked.until}) booked group by 1, 2
    ), systems as (select * from jsonb_to_recordset(${JSON.stringify(systems)}::jsonb) as y (code text, currency text, minimum numeric, days int)),
    judged as (
      select s.*, q.amount as requested, nullif(w.amount, 0)::text as later, round(s.amount, u.decimals) as net, json_build_object('uuid', a.uuid, 'id', f.id, 'name', a.name) as affiliate,
           coalesce(m.code, '') as payment_system, coalesce(t.makes, ${network.makes}) as makes,
           lowest.minimum,
           to_char(${asked.periodTo}::date + coalesce(t.net, ${Number(network.net)}::int) + coalesce(m.days, 0), 'YYYY-MM-DD') as due_day,
           case when x.bills then 'self_billing' else 'statement' end as mode,
           case when x.bills and x.vat_category = 'S' then round(round(s.amount, u.decimals) * x.vat_rate / 100, u.decimals) else 0 end as vat,
           array_remove(array[
             case when s.amount <= 0 then 'negative' end,
             case when s.amount > 0 and (round(s.amount, u.decimals) = 0 or round(s.amount, u.decimals) < lowest.minimum) then 'below_minimum' end,
             case when q.amount is not null and round(s.amount, u.decimals) < round(q.amount, u.decimals)
               and s.amount < ${availableTo(sql`s.affiliate_id`, sql`s.currency`)} then 'requested' end,
             case when f.status <> 'active' then 'not_active' end,
             case when m.code is null then 'no_method' end,
             case when m.locked_until > ${asked.now} then 'method_locked' end,
             case when x.bills and (x.vat_category = any(${lacking}::text[]) or '' in (x.name, x.address, x.town, coalesce(x.country, ''), coalesce(x.vat_category, ''))
                    or x.vat_category in ('S', 'AE') and x.vat_id = ''
                    or x.vat_category = 'E' and x.exemption = '') then 'profile_incomplete' end,
             case when ${company.self_billing} and x.agreed_text <> ${company.agreement} then 'not_agreed' end,
             case when exists (select from invoice i where i.affiliate_id = s.affiliate_id and i.currency = s.currency
                    and i.status in ('draft', 'waiting') and i.deleted_at is null) then 'live_invoice' end], null) as reasons
        from sums s join affiliate f on f.id = s.affiliate_id join account a on a.id = f.account_id join currency u on u.code = s.currency
        left join later w on w.affiliate_id = s.affiliate_id and w.currency = s.currency
        left join affiliate_terms t on t.affiliate_id = s.affiliate_id
        left join payout_request q on q.affiliate_id = s.affiliate_id and q.currency = s.currency and q.state = 'open'
        left join lateral (select p.*, ${company.self_billing} and p.agreed_text = ${company.agreement} as bills from tax_profile p
          where p.affiliate_id = s.affiliate_id) x on true
        left join lateral (select y.code, y.minimum, y.days, p.locked_until from payment_method p join systems y on y.code = p.system and y.currency = s.currency
          where p.affiliate_id = s.affiliate_id and p.removed_at is null order by p.place, p.id limit 1) m on true
        cross join lateral (select coalesce(${asked.minimum}::numeric, (t.minimums ->> s.currency)::numeric, m.minimum,
          (${JSON.stringify(general)}::jsonb ->> s.currency)::numeric, 0) as minimum) lowest
       where ${asked.affiliateUuids.length === 0 ? sql`true` : sql`a.uuid = any(${[...asked.affiliateUuids]}::uuid[])`}
         and ${asked.schedule === null ? sql`true` : sql`coalesce(t.schedule, ${network.schedule}) = ${asked.schedule}`})
    select affiliate, currency, conversions, corrections, net::text, vat::text, (net + vat)::text as total, later, mode, payment_system, due_day,
           reasons[1] as left_out, reasons, minimum::text, makes, requested::text from judged
     where ${asked.makes === null ? sql`true` : sql`(makes = ${asked.makes} or reasons <> '{}')`}
     order by reasons <> '{}', currency, net desc, affiliate_id limit ${most}`.execute(db)
  return rows
}
