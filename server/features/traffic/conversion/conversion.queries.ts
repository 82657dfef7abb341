import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { TrafficType } from '#contract/leads/traffic-type.ts'
import { VISITOR_FACTS } from '#contract/traffic/click-column.ts'
import { isFilter } from '#contract/traffic/dimension.ts'
import { CONVERSION_FILTERS, type conversionFilters } from '#contract/traffic/conversion.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { containing } from '#server/platform/pg/paging.ts'
import type { SortKey } from '#server/platform/pg/list-page.ts'
import { isWithin, rawPage } from '#server/platform/pg/raw-list.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isTold } from '#server/features/offers/offer/goal.queries.ts'
import { BLANK_CARRIED } from '#server/rules/click/click-row.ts'
import { conditionsFor, emptyKeys } from '#server/statistics/asked.ts'
import { columnOf, isNumbered } from '#server/statistics/expression.ts'
import { idsOf } from '../report/entity.queries.ts'
import { isNamed } from '../report/keys.service.ts'
import type { Numbers } from '../report/question.service.ts'

type Filters = Omit<z.output<typeof conversionFilters>, 'traffic'> & {
  /** undefined = both. */
  traffic: TrafficType | undefined
}

/** Raw conversions in scope, newest first, up to the moment `until`; `numbers` are those of what filters name, `after` leads to the next page. */
export async function listConversions(db: Db, scope: Scope, filters: Filters, numbers: Numbers, until: Date) {
  const { found } = await conversionsFound(db, scope, filters, numbers, until)
  return pageConversions(found, scope, filters)
}

/** The conversions filters are about, `c` with its offer, goal, affiliate `f` and advertiser; within an object, as a query itself must not be awaited. */
export async function conversionsFound(db: DbOrTrx, scope: Scope, filters: Filters, numbers: Numbers, until: Date) {
  const [landings, prelandings] = [
    await idsOf(db, scope, 'landing', filters.landing_uuid),
    await idsOf(db, scope, 'prelanding', filters.prelanding_uuid),
  ]
  const { offer_type: type } = filters
  const found = conversionsInScope(db, scope)
    .where(isWithin(filters, until, 'c.created_at'))
    .$if(type !== null, (query) => query.where('o.type', '=', type ?? 'direct'))
    .$if(filters.traffic !== undefined, (query) => query.where(isOfTraffic(filters.traffic ?? 'warm')))
    .$if(filters.offer_uuid.length > 0, (query) => query.where('o.uuid', 'in', filters.offer_uuid))
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', filters.affiliate_uuid))
    // nobody finds out by filtering whose advertiser it is
    .$if(filters.advertiser_uuid.length > 0, (query) => query.where('v.uuid', 'in', filters.advertiser_uuid).where(seesAdvertiser(scope)))
    .$if(filters.landing_uuid.length > 0, (query) => query.where(sql<boolean>`c.landing = any(${landings}::int[])`))
    .$if(filters.prelanding_uuid.length > 0, (query) => query.where(sql<boolean>`c.prelanding = any(${prelandings}::int[])`))
    .$if(filters.status.length > 0, (query) => query.where('c.status', 'in', filters.status))
    .$if(filters.goal.length > 0, (query) =>
      query.where('g.code', 'in', filters.goal).$if(scope.kind === 'affiliate', (own) => own.where('g.hidden', '=', false)),
    )
    .$if(filters.geo.length > 0, (query) => query.where('c.geo', 'in', filters.geo))
    .where(isFiltered(scope, filters.filters, numbers))
    .$if(filters.search !== '', (query) => query.where(isCalled(filters.search)))
  return { found }
}

/** Conversions of second sales carry that they are. */
function isOfTraffic(traffic: TrafficType) {
  return traffic === 'cold' ? sql<boolean>`c.carried ->> 'traffic' = 'cold'` : sql<boolean>`c.carried ->> 'traffic' is distinct from 'cold'`
}

/** One page of some conversions, how many there are and what they come to. */
export async function pageConversions(found: Found, scope: Scope, filters: Filters) {
  const [amounts, page] = await Promise.all([
    addUp(found),
    rawPage(
      found.select([...COLUMNS]).select(namesSeen(scope)),
      filters,
      { [filters.sort]: sortKey(scope, filters.sort) },
      { at: 'c.created_at', id: 'c.id', atOf: (row) => row.created_at },
    ),
  ])
  return { rows: amounts.reduce((sum, { rows }) => sum + Number(rows), 0), amounts, ...page }
}

type Found = ReturnType<typeof conversionsInScope>

const LOST = sql<boolean>`c.status in ('declined', 'trash')`

/** How many conversions there are in each currency, most first, and their money: read by the one statement that counts them. */
function addUp(found: Found) {
  return found
    .select(['c.currency', sql<string>`count(*)`.as('rows')])
    .select([sql<string>`sum(c.payout)`.as('payout'), sql<string>`sum(c.revenue)`.as('revenue')])
    .select(sql<string>`sum(c.revenue) - sum(c.payout)`.as('profit'))
    .select([
      sql<string | null>`sum(c.payout) filter (where ${LOST})`.as('lost_payout'),
      sql<string | null>`sum(c.revenue) filter (where ${LOST})`.as('lost_revenue'),
    ])
    .groupBy('c.currency')
    .orderBy('rows', 'desc')
    .orderBy('c.currency')
    .execute()
}
export type ConversionSums = Awaited<ReturnType<typeof addUp>>

/** Only the newest are found by an index; any other order reads what counting reads anyway. */
function sortKey(scope: Scope, sort: Filters['sort']): SortKey {
  switch (sort) {
    case 'profit':
      return sql`(c.revenue - c.payout)`
    case 'payment':
      return 'c.payment_state'
    case 'offer':
      return 'o.title'
    case 'goal':
      return scope.kind === 'affiliate' ? sql`(case when not g.hidden then g.title end)` : 'g.title'
    case 'affiliate':
      return sql`(case when ${seesAffiliate(scope)} then a.name end)`
    case 'advertiser':
      return sql`(case when ${seesAdvertiser(scope)} then v.name end)`
    case 'created_at':
    case 'id':
    case 'status':
    case 'payout':
    case 'revenue':
    case 'amount':
    case 'hold_until':
    case 'click_at':
    case 'click_id':
    case 'transaction_id':
    case 'reason':
      return `c.${sort}`
    default:
      return sql`nullif(${keyIn(scope, sort)}, '')`
  }
}

export type ConversionListRow = Awaited<ReturnType<typeof pageConversions>>['list'][number]

/** The conversions in scope of one click, oldest first, at most 100. */
export function listConversionsOfClick(db: Db, scope: Scope, clickIds: readonly string[]): Promise<ConversionListRow[]> {
  return conversionsInScope(db, scope)
    .select([...COLUMNS])
    .select(namesSeen(scope))
    .where('c.click_id', 'in', [...clickIds])
    .orderBy('c.id')
    .limit(100)
    .execute()
}

/** One conversion in scope by uuid or number, with names. */
export function getConversion(db: DbOrTrx, scope: Scope, key: string) {
  return conversionsInScope(db, scope)
    .select([...COLUMNS, 'c.rule', 'c.affiliate_id', 'c.goal_id', 'c.within_cap'])
    .select(namesSeen(scope))
    .where(keyIs(key, { uuid: 'c.uuid', id: 'c.id' }))
    .executeTakeFirst()
}

/** Conversions in scope by uuid, locked in the order of their numbers until the transaction ends. */
export function lockConversions(trx: DbOrTrx, scope: Scope, uuids: readonly string[]) {
  return conversionsInScope(trx, scope)
    .selectAll('c')
    .where('c.uuid', 'in', [...uuids])
    .orderBy('c.id')
    .forUpdate('c')
    .execute()
}

function conversionsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('affiliate as f', 'f.id', 'c.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .where(inScope(scope, { affiliateId: 'c.affiliate_id', affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }))
    .where(isTold(scope))
}

const COLUMNS = [
  'c.uuid',
  'c.id',
  'c.created_at',
  'c.click_at',
  'c.click_id',
  'c.transaction_id',
  'c.status',
  'c.payment_state',
  'c.reason',
  'c.hold_until',
  'c.currency',
  'c.payout',
  'c.revenue',
  'c.amount',
  'c.geo',
  'c.device',
  'c.os',
  'c.browser',
  'c.lang',
  'c.landing',
  'c.prelanding',
  'c.source',
  'c.subs',
  'c.aff_click_id',
  'c.ip',
  'c.ua',
  'c.carried',
  'o.uuid as offer_uuid',
  'o.id as offer_number',
  'o.title as offer_title',
  'o.type as offer_type',
  'g.code as goal_code',
  'g.title as goal_title',
  'g.hidden as goal_hidden',
  'a.uuid as affiliate_uuid',
  'f.id as affiliate_number',
  'a.name as affiliate_name',
  'v.uuid as advertiser_uuid',
  'v.id as advertiser_number',
  'v.name as advertiser_name',
] as const

/** Which of the two partners may be named: a manager sees the other side of a conversion only where it is theirs too. */
function namesSeen(scope: Scope) {
  return [seesAffiliate(scope).as('sees_affiliate'), seesAdvertiser(scope).as('sees_advertiser')] as const
}

function seesAffiliate(scope: Scope): RawBuilder<boolean> {
  return isInScope(scope, { affiliateId: 'c.affiliate_id', affiliateManager: 'f.manager_id' })
}

function seesAdvertiser(scope: Scope): RawBuilder<boolean> {
  return isInScope(scope, { advertiserManager: 'v.manager_id' })
}

function isCalled(text: string): RawBuilder<boolean> {
  const number = /^\d{1,18}$/.test(text) ? sql`or c.id = ${text}::bigint` : sql``
  const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? sql`or c.uuid = ${text}::uuid` : sql``
  return sql`(c.click_id = ${text.toLowerCase()} or c.transaction_id = ${text} or (c.aff_click_id = ${text} and c.aff_click_id <> '')
    or (c.carried ->> 'ad_id' = ${text} and c.carried ->> 'ad_id' <> '') ${number} ${uuid})`
}

/**
 * The filters by what reports are filtered by. No index holds the texts: what a person filters by is common among conversions or
 * narrowed by days, and the list counts its result anyway, which reads the same rows (docs/architecture.md).
 */
function isFiltered(scope: Scope, filters: Filters['filters'], numbers: Numbers): RawBuilder<boolean> {
  const conditions = CONVERSION_FILTERS.flatMap((id) => {
    const nothing = isFilter(id) ? emptyKeys(id) : ['']
    return conditionsFor(filters[id], id === 'geo' ? ['', ...nothing] : nothing, numbersIn(numbers, id)).map(
      ({ is, contains = '', not }) => {
        const key = keyIn(scope, id)
        const either = [
          ...(is.length > 0 ? [isFilter(id) && isNumbered(id) ? sql`${key} = any(${is}::int[])` : sql`${key} = any(${is}::text[])`] : []),
          ...(contains === '' ? [] : [sql`${key} ilike ${containing(contains)}`]),
        ]
        const found = either.length === 0 ? sql`false` : sql`(${sql.join(either, sql` or `)})`
        return not ? sql`not ${found}` : found
      },
    )
  })
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

type ConversionFilter = (typeof CONVERSION_FILTERS)[number]

function numbersIn(numbers: Numbers, id: ConversionFilter) {
  return isFilter(id) && isNamed(id) ? numbers.get(id) : undefined
}

/** What a filter looks at. Nobody finds out by filtering whose a conversion is, or which hidden goal it has: it has none to them. */
function keyIn(scope: Scope, id: ConversionFilter): RawBuilder<unknown> {
  switch (id) {
    case 'offer':
      return sql`c.offer_id`
    case 'goal':
      return scope.kind === 'affiliate' ? sql`(case when g.hidden then 0 else c.goal_id end)` : sql`c.goal_id`
    case 'affiliate':
      return sql`(case when ${seesAffiliate(scope)} then c.affiliate_id else 0 end)`
    case 'manager':
      return sql`(case when ${seesAffiliate(scope)} then coalesce(f.manager_id, 0) else 0 end)`
    case 'advertiser':
      return sql`(case when ${seesAdvertiser(scope)} then c.advertiser_id else 0 end)`
    case 'currency':
      return sql`c.currency`
    default:
      return clickText(id)
  }
}

/** What a conversion holds of its click, as it is presented. */
function clickText(id: ConversionFilter): RawBuilder<unknown> {
  const sub = /^sub(\d+)$/.exec(id)
  if (sub !== null) return sql`coalesce(c.subs[${Number(sub[1])}::int], '')`
  const fact = VISITOR_FACTS.find((one) => one === id)
  if (fact !== undefined) return sql`coalesce(c.carried ->> ${fact}, ${BLANK_CARRIED[fact]})`
  return sql.ref(`c.${isFilter(id) ? columnOf(id) : id}`)
}
