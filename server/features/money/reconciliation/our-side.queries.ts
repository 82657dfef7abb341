import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { LeadHistoryStatus } from '#contract/leads/lead-history.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT } from '#server/rules/lead/states.ts'
import type { PostbackWord } from '#server/rules/conversion/postback-meaning.ts'

/** Whose report it is: an advertiser's, or the export of an affiliate's tracker. */
export type Whose = { advertiserId: number } | { affiliateId: number }

type OurRow = {
  id: string
  at: number
  click_at: number
  transaction_id: string | null
  click_id: string
  aff_click_id: string
  offer_id: number
  goal_id: number
  repeatable: boolean
  affiliate_id: number
  status: ConversionStatus
  reason: string
  revenue: string
  payout: string
  amount: string | null
  currency: Currency
  invoiced: boolean
  test: boolean
}

/** More conversions than a period of one advertiser may hold. */
export const MOST_OF_OURS = 300_000

const COLUMNS = sql`c.id::text, (extract(epoch from c.created_at) * 1000)::float8 as at, (extract(epoch from c.click_at) * 1000)::float8 as click_at,
  c.transaction_id, c.click_id, c.aff_click_id, c.offer_id, c.goal_id, (select g.repeatable from goal g where g.id = c.goal_id) as repeatable, c.affiliate_id, c.status, c.reason, c.revenue::text, c.payout::text, c.amount::text, c.currency,
  (c.payment_state <> 'open' or c.billed <> 0 or exists (select from advertiser_invoice_line l where l.conversion_id = c.id and l.live)) as invoiced, c.test`

function whose(of: Whose) {
  return 'advertiserId' in of ? sql<boolean>`c.advertiser_id = ${of.advertiserId}` : sql<boolean>`c.affiliate_id = ${of.affiliateId}`
}

/** Conversions received in a period, `to` exclusive; at most one more than there may be. */
export async function oursOfPeriod(db: DbOrTrx, of: Whose, from: number, to: number): Promise<OurRow[]> {
  const { rows } = await sql<OurRow>`
    select ${COLUMNS} from conversion c
     where ${whose(of)} and c.created_at >= ${new Date(from)} and c.created_at < ${new Date(to)}
     order by c.created_at, c.id limit ${MOST_OF_OURS + 1}`.execute(db)
  return rows
}

/** Conversions that a report names, whenever they came: by transaction whatever its case, by click id, by the affiliate's click id. */
export async function oursNamed(
  db: DbOrTrx,
  of: Whose,
  named: { transactions: readonly string[]; clicks: readonly string[]; subs: readonly string[] },
): Promise<OurRow[]> {
  const byTransaction =
    'advertiserId' in of
      ? sql`select c.id from conversion c where c.advertiser_id = ${of.advertiserId} and c.transaction_id is not null
              and lower(c.transaction_id) = any(${named.transactions.map((text) => text.toLowerCase())}::text[])`
      : sql`select c.id from conversion c where c.affiliate_id = ${of.affiliateId} and c.transaction_id = any(${[...named.transactions]}::text[])`
  const { rows } = await sql<OurRow>`
    select ${COLUMNS} from conversion c
     where ${whose(of)} and c.id in (
       ${byTransaction}
       union select c.id from conversion c where c.click_id = any(${[...named.clicks]}::text[])
       union select c.id from conversion c where c.aff_click_id <> '' and c.aff_click_id = any(${[...named.subs]}::text[]))
     order by c.created_at, c.id limit ${MOST_OF_OURS + 1}`.execute(db)
  return rows
}

/** By what the present status of conversions was given; a full cap is a rule, whoever's call met it. */
export async function decidedBy(db: DbOrTrx, ids: readonly string[]): Promise<Map<string, 'postback' | 'staff' | 'import' | 'rule'>> {
  const { rows } = await sql<{ id: string; origin: 'postback' | 'staff' | 'import' | 'rule' }>`
    select c.id::text, case when h.reason = 'cap_reached' then 'rule' else h.origin end as origin from unnest(${[...ids]}::bigint[]) as c (id)
      cross join lateral (select origin, reason from conversion_history where conversion_id = c.id order by seq desc limit 1) h`.execute(db)
  return new Map(rows.map(({ id, origin }) => [id, origin]))
}

/** The leads of some clicks, and how each stands with an advertiser; null = it was never sent it. */
export async function leadsOf(db: DbOrTrx, advertiserId: number, clickIds: readonly string[]) {
  const { rows } = await sql<{ click_id: string; id: string; test: boolean; status: LeadHistoryStatus | null }>`
    select s.click_id, s.id::text, s.test, n.status
      from user_session s
      left join lateral (
        -- what lacked something was not sent; who has the lead, or may, says so whatever was answered before or after
        select status from lead_send where session_id = s.id and advertiser_id = ${advertiserId} and status not in ('invalid', 'cancelled')
         order by status in (${words(HAS_IT)}) desc, id desc limit 1) n on true
     where s.click_id = any(${[...clickIds]}::text[])`.execute(db)
  return new Map(rows.map(({ click_id, ...lead }) => [click_id, lead]))
}

type Call = { at: number; click_id: string; transaction_id: string; reason: string }

/** Calls that were refused, or whose click nobody knew: those of an advertiser around a period, and those about some clicks. */
export async function refusedCalls(
  db: DbOrTrx,
  advertiserId: number,
  { from, to, clicks, most }: { from: number; to: number; clicks: readonly string[]; most: number },
): Promise<Call[]> {
  const { rows } = await sql<Call>`
    select (extract(epoch from received_at) * 1000)::float8 as at, click_id, transaction_id, reason from postback_in
     where outcome = 'refused' and not stranger and advertiser_id = ${advertiserId} and received_at >= ${new Date(from)} and received_at < ${new Date(to)}
    union
    select (extract(epoch from received_at) * 1000)::float8, click_id, transaction_id, case outcome when 'refused' then reason else 'click_id_unknown' end from postback_in
     where click_id <> '' and click_id = any(${[...clicks]}::text[]) and outcome in ('refused', 'unmatched') and (advertiser_id is null or advertiser_id = ${advertiserId})
     order by 1 limit ${most}`.execute(db)
  return rows
}

/** Calls about a click or a transaction of an advertiser, the newest first. */
export async function callsAbout(db: DbOrTrx, advertiserId: number, clickId: string, conversionId: string | null) {
  return db
    .selectFrom('postback_in')
    .select(['id', 'received_at', 'outcome', 'reason'])
    .where((of) =>
      of.or([
        ...(clickId === '' ? [] : [of('click_id', '=', clickId)]),
        ...(conversionId === null ? [] : [of('conversion_id', '=', conversionId)]),
        ...(clickId === '' && conversionId === null ? [sql<boolean>`false`] : []),
      ]),
    )
    .where((of) => of.or([of('advertiser_id', 'is', null), of('advertiser_id', '=', advertiserId)]))
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(20)
    .execute()
}

/** Offers and goals of whose report it is, by whatever a report may call them. */
export async function offersAndGoals(db: DbOrTrx, of: Whose) {
  const all = db
    .selectFrom('goal as g')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .select(['o.id as offer_id', 'o.title as offer', 'g.id', 'g.code', 'g.title'])
    .select(sql<string>`o.uuid::text`.as('offer_uuid'))
  if ('advertiserId' in of) {
    const { advertiserId } = of
    // offers of leads are nobody's: its own are those whose leads it takes or took
    const takesLeads = sql<boolean>`o.type = 'api' and (
      exists (select from offer_group og join offer_member m on m.group_id = og.id join product p on p.id = m.product_id
               where og.offer_id = o.id and p.advertiser_id = ${advertiserId})
      or exists (select from conversion c where c.offer_id = o.id and c.advertiser_id = ${advertiserId}))`
    return all
      .where((where) => where.or([where('o.advertiser_id', '=', advertiserId), takesLeads]))
      .limit(20_000)
      .execute()
  }
  return all
    .where(sql<boolean>`o.id in (select distinct c.offer_id from conversion c where c.affiliate_id = ${of.affiliateId})`)
    .limit(20_000)
    .execute()
}

/** What an advertiser's words mean, its own and those of its dialect. */
export async function wordsOfAdvertiser(db: DbOrTrx, advertiserId: number): Promise<PostbackWord[]> {
  const { rows } = await sql<{ own: PostbackWord[]; spoken: PostbackWord[] | null }>`
    select v.postback_words as own,
           (select d.dialect -> 'words' from advertiser_dialect d where d.advertiser_id = v.id order by d.version desc limit 1) as spoken
      from advertiser v where v.id = ${advertiserId}`.execute(db)
  return [...(rows[0]?.own ?? []), ...(rows[0]?.spoken ?? [])]
}

/** Invoices of affiliates and of the advertiser that a conversion stands on. */
export async function invoicesOf(db: DbOrTrx, conversionId: string) {
  const [affiliate, advertiser] = await Promise.all([
    db
      .selectFrom('invoice_line as l')
      .innerJoin('invoice as i', 'i.id', 'l.invoice_id')
      .select(['i.uuid', 'i.number', 'i.status', 'l.amount'])
      .where('l.conversion_id', '=', conversionId)
      .where('l.live', '=', true)
      .orderBy('l.id')
      .limit(20)
      .execute(),
    db
      .selectFrom('advertiser_invoice_line as l')
      .innerJoin('advertiser_invoice as i', 'i.id', 'l.invoice_id')
      .select(['i.uuid', 'i.number', 'i.status', 'l.amount'])
      .where('l.conversion_id', '=', conversionId)
      .where('l.live', '=', true)
      .orderBy('l.id')
      .limit(20)
      .execute(),
  ])
  return { affiliate, advertiser }
}

/** How many conversions a batch changed are on an issued invoice of either side. */
export async function countIssued(db: DbOrTrx, batchId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct r.conversion_id)::int as count from reconciliation_row r
     where r.batch_id = ${batchId} and r.state = 'applied' and (
       exists (select from invoice_line l join invoice i on i.id = l.invoice_id where l.conversion_id = r.conversion_id and l.live and i.number is not null)
       or exists (select from advertiser_invoice_line l join advertiser_invoice i on i.id = l.invoice_id where l.conversion_id = r.conversion_id and l.live and i.number is not null))`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}
