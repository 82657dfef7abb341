import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { DELIVERY_STATES, type postbackLogFilters } from '#contract/traffic/postback.ts'
import { NEEDS_MAPPING, POSTBACK_OUTCOMES } from '#contract/traffic/postback-outcome.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows } from '#server/platform/pg/paging.ts'
import type { SortKey } from '#server/platform/pg/list-page.ts'
import { isWithin, rawPage } from '#server/platform/pg/raw-list.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof postbackLogFilters>

/** Of incoming postbacks `p`: refused for what a mapping would settle, not a stranger's, and not dismissed. */
export function needsMapping() {
  return sql<boolean>`(p.outcome = 'refused' and not p.stranger and p.dismissed_at is null and p.reason = any(${[...NEEDS_MAPPING]}::text[]))`
}

/** Held for review, and nobody has said anything yet. */
export function isHeldForReview() {
  return sql<boolean>`(p.outcome = 'held_for_review' and p.dismissed_at is null)`
}

/** A refund whose order was not booked yet: it waits until somebody dismisses it, however long. */
export function waitsForOrder() {
  return sql<boolean>`(p.outcome = 'refused' and p.reason = 'refund_early' and p.transaction_id <> '' and p.dismissed_at is null)`
}

/** Postbacks of advertisers, newest first. Those that show neither a known click nor an advertiser's token belong to nobody: only who sees everything sees them. */
export async function listIncoming(db: Db, scope: Scope, filters: Filters, until: Date) {
  const outcomes = POSTBACK_OUTCOMES.filter((outcome) => filters.outcome.includes(outcome))
  const found = db
    .selectFrom('postback_in as p')
    .leftJoin('offer as o', 'o.id', 'p.offer_id')
    .leftJoin('affiliate as f', 'f.id', 'p.affiliate_id')
    .leftJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('advertiser as v', 'v.id', 'p.advertiser_id')
    .leftJoin('conversion as c', 'c.id', 'p.conversion_id')
    .where(inScope(scope, PARTNERS))
    .where(isWithin(filters, until, 'p.received_at'))
    .$if(filters.outcome.length > 0, (query) =>
      query.where((where) =>
        where.or([
          where('p.outcome', 'in', outcomes.length > 0 ? outcomes : [sql<'test'>`''`]),
          ...(filters.outcome.includes('needs_mapping') ? [needsMapping()] : []),
        ]),
      ),
    )
    .$if(filters.reason.length > 0, (query) => query.where('p.reason', 'in', filters.reason))
    .$if(filters.path.length > 0, (query) =>
      query.where('p.reason', '=', 'path_unknown').where(sql<boolean>`left(p.path, 200) = any(${filters.path}::text[])`),
    )
    .$if(filters.offer_uuid.length > 0, (query) => query.where('o.uuid', 'in', filters.offer_uuid))
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', filters.affiliate_uuid))
    .$if(filters.search !== '', (query) =>
      query.where((where) =>
        where.or([where('p.click_id', '=', filters.search.toLowerCase()), where('p.transaction_id', '=', filters.search)]),
      ),
    )
  const [rows, page] = await Promise.all([
    countRows(found),
    rawPage(
      found
        .select([
          'p.id',
          'p.received_at as at',
          'p.method',
          'p.path',
          'p.query',
          'p.body',
          'p.address as ip',
          'p.outcome',
          'p.stranger',
          'p.reason',
          'p.http_status',
          'p.next_try_at',
          'p.click_id',
          'p.transaction_id',
          'p.goal_code as goal',
          'p.dismissed_at',
          nameOf('p.dismissed_by').as('dismissed_by'),
          sql<string>`coalesce(p.answer -> 'body' ->> 'parameter', '')`.as('parameter'),
          sql<string>`coalesce(p.answer -> 'body' ->> 'detail', '')`.as('detail'),
          ...NAMES,
        ])
        .select(namesSeen(scope)),
      { ...filters, direction: filters.order },
      { ...INCOMING_KEYS, ...partnersSorted(scope) },
      { at: 'p.received_at', id: 'p.id', atOf: (row) => row.at },
    ),
  ])
  return { rows, ...page }
}
export type IncomingLogRow = Awaited<ReturnType<typeof listIncoming>>['list'][number]

/** Postbacks to affiliates, newest first. */
export async function listOutgoing(db: Db, scope: Scope, filters: Filters, until: Date) {
  const states = DELIVERY_STATES.filter((state) => filters.outcome.includes(state))
  const found = deliveriesInScope(db, scope)
    .where(isWithin(filters, until, 'd.created_at'))
    .$if(filters.outcome.length > 0, (query) => query.where('d.state', 'in', states.length > 0 ? states : [sql<'held'>`''`]))
    .$if(filters.reason.length > 0, (query) => query.where('d.error', 'in', filters.reason))
    .$if(filters.offer_uuid.length > 0, (query) => query.where('o.uuid', 'in', filters.offer_uuid))
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', filters.affiliate_uuid))
    .$if(filters.search !== '', (query) =>
      query.where((where) =>
        where.or([where('c.click_id', '=', filters.search.toLowerCase()), where('c.transaction_id', '=', filters.search)]),
      ),
    )
  const [rows, page] = await Promise.all([
    countRows(found),
    rawPage(
      found
        .select([
          'd.id',
          'd.created_at as at',
          'd.method',
          'd.url',
          'd.state',
          'd.error',
          'd.http_status',
          'd.tries',
          'd.next_try_at',
          'd.dismissed_at',
          nameOf('d.dismissed_by').as('dismissed_by'),
          'c.click_id',
          'c.transaction_id',
          'g.code as goal',
          ...NAMES,
        ])
        .select(namesSeen(scope)),
      { ...filters, direction: filters.order },
      { ...OUTGOING_KEYS, ...partnersSorted(scope) },
      { at: 'd.created_at', id: 'd.id', atOf: (row) => row.at },
    ),
  ])
  return { rows, ...page }
}
export type OutgoingLogRow = Awaited<ReturnType<typeof listOutgoing>>['list'][number]

/** Of these deliveries, those in scope. */
export async function deliveriesSeen(db: DbOrTrx, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await deliveriesInScope(db, scope)
    .select('d.id')
    .where('d.id', 'in', [...ids])
    .execute()
  return rows.map((row) => row.id)
}

/** The number of a delivery in scope, by uuid or number. */
export async function findDeliverySeen(db: DbOrTrx, scope: Scope, key: string): Promise<string | undefined> {
  const row = await deliveriesInScope(db, scope)
    .select('d.id')
    .where(keyIs(key, { uuid: 'd.uuid', id: 'd.id' }))
    .executeTakeFirst()
  return row?.id
}

/** What was sent with a delivery beside its address. */
export function getSentMessage(db: DbOrTrx, id: string) {
  return db.selectFrom('postback_delivery').select(['body', 'headers']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** Of these postbacks of advertisers, those in scope. */
export async function incomingSeen(db: DbOrTrx, scope: Scope, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('postback_in as p')
    .leftJoin('affiliate as f', 'f.id', 'p.affiliate_id')
    .leftJoin('advertiser as v', 'v.id', 'p.advertiser_id')
    .select('p.id')
    .where(inScope(scope, PARTNERS))
    .where('p.id', 'in', [...ids])
    .execute()
  return rows.map((row) => row.id)
}

/** Takes postbacks of advertisers in scope that need a mapping or are held for review out of the inbox, or puts those back; answers which. */
export async function dismissIncoming(db: DbOrTrx, scope: Scope, ids: readonly string[], by: Dismissal): Promise<string[]> {
  const seen = ids.length === 0 ? [] : await incomingSeen(db, scope, ids)
  if (seen.length === 0) return []
  const rows = await db
    .updateTable('postback_in as p')
    .set({ dismissed_at: by?.at ?? null, dismissed_by: by?.accountId ?? null })
    .where('p.id', 'in', seen)
    .where(
      by === null
        ? sql<boolean>`p.dismissed_at is not null`
        : sql<boolean>`(${needsMapping()} or ${isHeldForReview()} or ${waitsForOrder()})`,
    )
    .returning('p.id')
    .execute()
  return rows.map((row) => row.id)
}

/** Takes given-up postbacks to affiliates of the scope out of the inbox, or puts those back; answers which. */
export async function dismissDeliveries(db: DbOrTrx, scope: Scope, uuids: readonly string[], by: Dismissal): Promise<string[]> {
  const rows = await db
    .updateTable('postback_delivery as d')
    .from('affiliate as f')
    .whereRef('f.id', '=', 'd.affiliate_id')
    .set({ dismissed_at: by?.at ?? null, dismissed_by: by?.accountId ?? null })
    .where(sql<boolean>`d.uuid = any(${[...uuids]}::uuid[])`)
    .where('d.state', '=', 'dead')
    .where('d.dismissed_at', by === null ? 'is not' : 'is', null)
    .where(inScope(scope, { affiliateManager: 'f.manager_id' }))
    .returning('d.id')
    .execute()
  return rows.map((row) => row.id)
}

/** When and by whom; null = not any more. */
type Dismissal = { at: Date; accountId: number } | null

function nameOf(column: string): RawBuilder<string | null> {
  return sql<string | null>`(select name from account where id = ${sql.ref(column)})`
}

const NAMES = [
  'o.uuid as offer_uuid',
  'o.id as offer_number',
  'o.title as offer_title',
  'a.uuid as affiliate_uuid',
  'f.id as affiliate_number',
  'a.name as affiliate_name',
  'v.uuid as advertiser_uuid',
  'v.id as advertiser_number',
  'v.name as advertiser_name',
  'c.uuid as conversion_uuid',
  'c.id as conversion_number',
] as const

const PARTNERS = { affiliateId: 'f.id', affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }

function deliveriesInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('postback_delivery as d')
    .innerJoin('conversion as c', 'c.id', 'd.conversion_id')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('affiliate as f', 'f.id', 'd.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .where(inScope(scope, PARTNERS))
}

function namesSeen(scope: Scope) {
  return [seesAffiliate(scope).as('sees_affiliate'), seesAdvertiser(scope).as('sees_advertiser')] as const
}

function seesAffiliate(scope: Scope) {
  return isInScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' })
}

function seesAdvertiser(scope: Scope) {
  return isInScope(scope, { advertiserManager: 'v.manager_id' })
}

type Sort = Filters['sort']
type Keys = Partial<Record<Sort, SortKey>>

const INCOMING_KEYS: Keys = {
  at: 'p.received_at',
  outcome: 'p.outcome',
  reason: 'p.reason',
  http_status: 'p.http_status',
  next_try_at: 'p.next_try_at',
  goal: 'p.goal_code',
  click_id: 'p.click_id',
  transaction_id: 'p.transaction_id',
  conversion: 'c.id',
}

const OUTGOING_KEYS: Keys = {
  at: 'd.created_at',
  outcome: 'd.state',
  reason: 'd.error',
  http_status: 'd.http_status',
  tries: 'd.tries',
  next_try_at: 'd.next_try_at',
  goal: 'g.code',
  click_id: 'c.click_id',
  transaction_id: 'c.transaction_id',
  conversion: 'c.id',
}

/** Nobody learns from the order of rows whose they are. */
function partnersSorted(scope: Scope): Keys {
  return {
    offer: 'o.title',
    affiliate: sql`case when ${seesAffiliate(scope)} then a.name end`,
    advertiser: sql`case when ${seesAdvertiser(scope)} then v.name end`,
  }
}
