import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { TrafficType } from '#contract/leads/traffic-type.ts'
import { LEAD_ACTIONS, UNKNOWN_OS, type USER_SESSION_SORTS, type userSessionApi } from '#contract/leads/user-session.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isTold, shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import type { SortKey } from '#server/platform/pg/list-page.ts'
import { inParts, isWithin, rawPage } from '#server/platform/pg/raw-list.ts'
import { standsSo } from './history.queries.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT } from '#server/rules/lead/states.ts'

type Page = z.output<typeof userSessionApi.list.body>
/** Which sessions are asked for, and when they came. */
export type Filters = Omit<Page, 'count' | 'page' | 'after' | 'until' | 'sort' | 'direction' | 'period' | 'zone' | 'traffic'> & {
  /** undefined = both. */
  traffic: TrafficType | undefined
  from: string | null
  to: string | null
}
/** What a search text may be, beside an id: the keyed hashes of a person's contacts. */
export type Contacts = { phone: Buffer | null; email: Buffer | null }

/** So many are counted of what a list finds; more are said to be more, and of those in another order than that of time the newest are shown. */
const MOST_COUNTED = 10_000
/** So many of the newest are looked through for what no index finds; older ones are found by asking for their days. */
const MOST = { lookedAt: 100_000 }

/**
 * User sessions in scope up to the moment `until`, and how many they are as far as they are counted. `since`: there are older ones, which
 * were not looked at.
 */
export async function listSessions(
  db: Db,
  scope: Scope,
  asked: Omit<Page, 'traffic'> & Filters,
  contacts: Contacts,
  until: Date,
  most = MOST,
) {
  const named = await namedBy(db, asked, contacts)
  const lookedAt = () => indexed(sessionsAlone(db, scope.kind === 'managers' ? { kind: 'all' } : scope), asked, named, until)
  const since = isLookedThrough(asked) ? await oldestOf(lookedAt(), most.lookedAt) : undefined
  const of = (sessions: ReturnType<typeof sessionsInScope>) => noOlder(narrowed(sessions, scope, asked, named, until), since)
  const found = of(sessionsInScope(db, scope))
  // every session has its affiliate, offer and person: where nothing is asked of others they need not be visited to count
  const alone = scope.kind !== 'managers' && asked.advertiser_uuid.length + asked.product_uuid.length + asked.gender.length === 0
  const parts = scope.kind === 'managers' ? (await sidesOf(db, scope.managerIds, asked)).map(of) : []
  const page = await pageSessions(db, scope, asked, found, alone ? of(sessionsAlone(db, scope)) : found, parts)
  return { ...page, more: page.more || since !== undefined, since }
}

/**
 * One page of some sessions; `counted` = the same ones, as they are counted fastest; `parts`: the same again, divided into what indexes find. In
 * another order than that of time it is of the newest.
 */
export async function pageSessions(
  db: Db,
  scope: Scope,
  asked: Omit<Page, 'traffic'>,
  found: Found,
  counted = found,
  parts: readonly Found[] = [],
) {
  const of = { at: 's.received_at', id: 's.id', atOf: (row: { received_at: Date }) => row.received_at }
  const newest = async () =>
    parts.length > 0
      ? found.where(await inParts(parts, of, { most: MOST_COUNTED, direction: 'desc' }))
      : noOlder(found, await oldestOf(counted, MOST_COUNTED))
  const sorted = asked.sort === 'received_at' ? found : await newest()
  const [rows, page] = await Promise.all([
    countSessions(db, parts.length > 0 ? parts : [counted]),
    rawPage(sorted.select([...COLUMNS]).select(seen(scope)), asked, { [asked.sort]: sortKey(scope, asked.sort) }, of, parts),
  ])
  return { rows: Math.min(rows, MOST_COUNTED), more: rows > MOST_COUNTED, ...page }
}

/** How many sessions these queries hold between them, counted up to one more than the most. */
async function countSessions(db: Db, parts: readonly Found[]): Promise<number> {
  const most = MOST_COUNTED + 1
  // of a single one nothing: an index alone says how many there are
  const counted = parts.map(
    (part) => sql`(${parts.length > 1 ? part.select('s.id').limit(most) : part.select(sql`1`.as('id')).limit(most)})`,
  )
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from (${sql.join(counted, sql` union `)}) found`.execute(db)
  return rows[0]?.rows ?? 0
}

/** When the last of so many newest came; undefined where there are no others. */
async function oldestOf(found: Found, most: number): Promise<Date | undefined> {
  const [oldest, other] = await found
    .select('s.received_at')
    .orderBy('s.received_at', 'desc')
    .offset(most - 1)
    .limit(2)
    .execute()
  return other === undefined ? undefined : oldest?.received_at
}

function noOlder(found: Found, since: Date | undefined): Found {
  return since === undefined ? found : found.where('s.received_at', '>=', since)
}

/** Those with an index of their own, beside the time. */
const FOUND_VERDICTS: readonly string[] = ['flagged', 'held', 'rejected']

/** Whether anything is asked for that no index finds; a search names few, of whatever kind. */
function isLookedThrough(asked: Filters): boolean {
  const { search, call_status, origin, country, gender, os, device, sent, advertiser_uuid, product_uuid, landing_uuid, integrity } = asked
  if (search !== '') return false
  const unindexed = [call_status, origin, country, gender, os, device, sent, advertiser_uuid, product_uuid, landing_uuid]
  return unindexed.some((values) => values.length > 0) || integrity.some((verdict) => !FOUND_VERDICTS.includes(verdict))
}
export type SessionListRow = Awaited<ReturnType<typeof pageSessions>>['list'][number]
export type Found = ReturnType<typeof sessionsInScope>

/** The sessions in scope up to the moment `until` that filters leave, as a query; wrapped, since a query must not be awaited itself. */
export async function foundSessions(db: DbOrTrx, scope: Scope, asked: Filters, contacts: Contacts, until: Date) {
  return { found: narrowed(sessionsInScope(db, scope), scope, asked, await namedBy(db, asked, contacts), until) }
}

type Named = { affiliateIds: number[]; offerIds: number[]; landingIds: number[]; personIds: string[] }

/** What indexes find by. */
function indexed(sessions: Found, asked: Filters, named: Named, until: Date): Found {
  return sessions
    .where(isWithin(asked, until, 's.received_at'))
    .$if(asked.traffic !== undefined, (query) => query.where('s.traffic_type', '=', asked.traffic ?? 'warm'))
    .$if(asked.status.length > 0, (query) => query.where('s.status', 'in', asked.status))
    .$if(asked.offer_uuid.length > 0, (query) => query.where(oneOf('s.offer_id', named.offerIds)))
    .$if(asked.affiliate_uuid.length > 0, (query) => query.where(oneOf('s.affiliate_id', named.affiliateIds)))
}

function narrowed(sessions: ReturnType<typeof sessionsInScope>, scope: Scope, asked: Filters, named: Named, until: Date) {
  return (
    indexed(sessions, asked, named, until)
      .$if(asked.call_status.length > 0, (query) => query.where('s.call_status', 'in', asked.call_status))
      .$if(asked.origin.length > 0, (query) => query.where('s.origin', 'in', asked.origin))
      // nobody finds out by filtering whose lead it is
      .$if(asked.affiliate_uuid.length > 0, (query) => query.where(seesAffiliate(scope)))
      // nobody finds out by filtering whose advertiser has it
      .$if(asked.advertiser_uuid.length > 0, (query) => query.where('v.uuid', 'in', asked.advertiser_uuid).where(seesAdvertiser(scope)))
      .$if(asked.product_uuid.length > 0, (query) => query.where('d.uuid', 'in', asked.product_uuid).where(seesAdvertiser(scope)))
      .$if(asked.landing_uuid.length > 0, (query) => query.where(oneOf('s.landing_id', named.landingIds)))
      .$if(asked.country.length > 0, (query) => query.where('s.country', 'in', asked.country))
      .$if(asked.gender.length > 0, (query) => query.where('p.gender', 'in', asked.gender))
      .$if(asked.os.length > 0, (query) => query.where(sql`coalesce(nullif(s.told ->> 'os', ''), ${UNKNOWN_OS})`, 'in', asked.os))
      .$if(asked.device.length > 0, (query) => query.where(sql`coalesce(nullif(s.told ->> 'device', ''), 'unknown')`, 'in', asked.device))
      .$if(asked.sent.length > 0, (query) => query.where(standsSo(scope, asked.sent)))
      .$if(asked.integrity.length > 0, (query) => query.where('s.integrity_verdict', 'in', asked.integrity))
      .$if(asked.search !== '', (query) => query.where(isCalled(asked.search, named.personIds)))
  )
}

/** One session in scope by uuid or number, with its trace. */
export function findSession(db: Db, scope: Scope, key: string) {
  return sessionsInScope(db, scope)
    .select([...COLUMNS, 's.trace', 's.decided_at', 's.integrity', 's.integrity_score'])
    .select(seen(scope))
    .where(keyIs(key, { uuid: 's.uuid', id: 's.id' }))
    .executeTakeFirst()
}

/** Who was asked to take a lead, oldest first; at most 200, as the cascade asks no more. */
export function listSendsOf(db: Db, scope: Scope, sessionId: string) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('integration_version as w', 'w.id', 'n.version_id')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(sql<IntegrationSpec['pull']>`w.spec -> 'pull'`.as('pull'))
    .select(['n.id', 'n.uuid', 'n.status', 'n.reason', 'n.http_status', 'n.asked_at', 'n.answered_at', 'n.external_id'])
    .select(['p.uuid as product_uuid', 'p.id as product_id', 'p.title as product'])
    .select(['v.uuid as advertiser_uuid', 'v.id as advertiser_id', 'v.name as advertiser'])
    .select(isInScope(scope, { advertiserManager: 'v.manager_id' }).as('sees_advertiser'))
    .where('n.session_id', '=', sessionId)
    .orderBy('n.id')
    .limit(200)
    .execute()
}

/** What advertisers said of a lead, oldest first, at most 200. */
export function listStatusesOf(db: Db, sessionId: string) {
  return db
    .selectFrom('lead_status as u')
    .innerJoin('lead_send as n', 'n.id', 'u.send_id')
    .leftJoin('account as a', 'a.id', 'u.account_id')
    .select(['u.at', 'u.source', 'u.raw', 'u.status', 'u.noted', 'u.note', 'a.name as by'])
    .where('n.session_id', '=', sessionId)
    .orderBy('u.id')
    .limit(200)
    .execute()
}

/** What people did about a lead, as the log tells it, oldest first: the latest 200. */
export async function listDeeds(db: Db, sessionId: string) {
  const rows = await db
    .selectFrom('audit as l')
    .leftJoin('account as a', (join) => join.on(sql<boolean>`a.id = coalesce(l.acting_id, l.actor_id)`))
    .select(['l.at', 'l.action', sql<string>`coalesce(a.name, '')`.as('by')])
    .select([
      sql<string>`coalesce(l.after ->> 'note', '')`.as('note'),
      sql<string>`coalesce(l.after ->> 'result', l.after ->> 'status', '')`.as('result'),
    ])
    .where('l.entity', '=', 'user_session')
    .where('l.entity_id', '=', sessionId)
    .where('l.action', 'in', LEAD_ACTIONS)
    .orderBy('l.id', 'desc')
    .limit(200)
    .execute()
  return rows.toReversed()
}

/** Who looked at the contacts of a lead, oldest first: the latest 200. */
export async function listReveals(db: Db, sessionId: string) {
  const rows = await db
    .selectFrom('lead_reveal as r')
    .innerJoin('account as a', 'a.id', 'r.account_id')
    .select(['r.at', 'r.reason', 'r.note', 'a.name as by'])
    .where('r.session_id', '=', sessionId)
    .orderBy('r.id', 'desc')
    .limit(200)
    .execute()
  return rows.toReversed()
}

/** What a lead was booked as, oldest first, as far as the caller is told of its goals. */
export function listBooked(db: Db, scope: Scope, clickId: string) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .select(['c.uuid', 'c.id', 'c.created_at', 'c.status', 'c.currency', 'c.payout', 'c.revenue'])
    .select(scope.kind === 'affiliate' ? shownGoal('title').as('title') : 'g.title')
    .where('c.click_id', '=', clickId)
    .where(isTold(scope))
    .orderBy('c.id')
    .limit(100)
    .execute()
}

/** The products of members of the cascade, as far as they are still there. */
export async function nameMembers(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { uuid: string; id: number; name: string }>()
  const rows = await db
    .selectFrom('offer_member as m')
    .innerJoin('product as p', 'p.id', 'm.product_id')
    .select(['m.id as member', 'p.uuid', 'p.id', 'p.title as name'])
    .where('m.id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ member, ...product }) => [member, product]))
}

function sessionsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('person as p', 'p.id', 's.person_id')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('lead_send as n', (join) => join.onRef('n.session_id', '=', 's.id').on(sql<boolean>`n.status in (${words(HAS_IT)})`))
    .leftJoin('product as d', 'd.id', 'n.product_id')
    .leftJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .leftJoin('recold as r', 'r.id', 's.recold_id')
    .where(inScope(scope, { affiliateId: 's.affiliate_id', affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }))
}

/**
 * The sessions in the scope of managers as two queries: those of their affiliates, and those that stand at a product of their advertisers. Neither
 * is asked where a filter names what only the other holds.
 */
async function sidesOf(db: Db, managerIds: readonly number[], asked: Filters): Promise<Found[]> {
  const { rows } = await sql<{ affiliates: number[]; products: number[] }>`
    select array(select id from affiliate where manager_id = any(${[...managerIds]}::int[])) as affiliates,
           array(select p.id from product p join advertiser v on v.id = p.advertiser_id
                  where v.manager_id = any(${[...managerIds]}::int[])) as products`.execute(db)
  const { affiliates = [], products = [] } = rows[0] ?? {}
  const [named, sold] = [asked.affiliate_uuid.length > 0, asked.advertiser_uuid.length + asked.product_uuid.length > 0]
  const all = () => (named || sold || asked.gender.length > 0 ? sessionsInScope(db, { kind: 'all' }) : sessionsAlone(db, { kind: 'all' }))
  const has = sql<boolean>`s.id in (select session_id from lead_send where ${oneOf('product_id', products)} and status in (${words(HAS_IT)}))`
  return [...(sold ? [] : [all().where(oneOf('s.affiliate_id', affiliates))]), ...(named && !sold ? [] : [all().where(has)])]
}

/** The sessions in the scope of who sees all, or of an affiliate, with nothing beside them. */
function sessionsAlone(db: Db, scope: Scope): ReturnType<typeof sessionsInScope> {
  const found = db.selectFrom('user_session as s').where(inScope(scope, { affiliateId: 's.affiliate_id' }))
  return found as unknown as ReturnType<typeof sessionsInScope> // narrowed by columns of its own alone
}

const COLUMNS = [
  's.uuid',
  's.id',
  's.received_at',
  's.changed_at',
  's.next_try_at',
  's.status',
  's.reason',
  's.call_status',
  's.origin',
  's.traffic_type',
  'r.uuid as recold_uuid',
  'r.id as recold_number',
  'r.title as recold_title',
  's.country',
  's.told',
  's.sealed',
  's.click_id',
  's.external_id',
  's.integrity_verdict',
  'p.gender',
  'o.uuid as offer_uuid',
  'o.id as offer_number',
  'o.title as offer_title',
  'a.uuid as affiliate_uuid',
  'f.id as affiliate_number',
  'a.name as affiliate_name',
  'v.uuid as advertiser_uuid',
  'v.id as advertiser_number',
  'v.name as advertiser_name',
  'd.uuid as product_uuid',
  'd.id as product_number',
  'd.title as product_title',
] as const

function seen(scope: Scope) {
  return [
    seesAffiliate(scope).as('sees_affiliate'),
    seesAdvertiser(scope).as('sees_advertiser'),
    isInScope(scope, { affiliateManager: 'r.manager_id' }).as('sees_recold'),
    sql<number>`(select count(*)::int from lead_send where session_id = s.id)`.as('sends'),
    sql<string | null>`(select case when ${isInScope(scope, { advertiserManager: 'lv.manager_id' })} then l.reason end
      from lead_send l join advertiser lv on lv.id = l.advertiser_id where l.session_id = s.id order by l.id desc limit 1)`.as(
      'last_answer',
    ),
  ] as const
}

function seesAffiliate(scope: Scope): RawBuilder<boolean> {
  return isInScope(scope, { affiliateId: 's.affiliate_id', affiliateManager: 'f.manager_id' })
}

function seesAdvertiser(scope: Scope): RawBuilder<boolean> {
  return isInScope(scope, { advertiserManager: 'v.manager_id' })
}

function sortKey(scope: Scope, sort: (typeof USER_SESSION_SORTS)[number]): SortKey {
  if (sort === 'offer') return 'o.title'
  // what nobody shows somebody is not told by the order of rows either
  return sort === 'affiliate' ? sql`(case when ${seesAffiliate(scope)} then a.name end)` : `s.${sort}`
}

/** The numbers of what is asked for by other names: with them the planner knows how many rows there are of each. */
async function namedBy(db: DbOrTrx, asked: Filters, { phone, email }: Contacts): Promise<Named> {
  const { rows } = await sql<Named>`
    select array(select f.id from affiliate f join account a on a.id = f.account_id where a.uuid = any(${asked.affiliate_uuid}::uuid[])) as "affiliateIds",
           array(select id from offer where uuid = any(${asked.offer_uuid}::uuid[])) as "offerIds",
           array(select id from landing where uuid = any(${asked.landing_uuid}::uuid[])) as "landingIds",
           array(select id from person where phone_hash = ${phone}::bytea and erased_at is null
                 union select id from person where email_hash = ${email}::bytea and erased_at is null) as "personIds"`.execute(db)
  return rows[0] ?? { affiliateIds: [], offerIds: [], landingIds: [], personIds: [] }
}

/** One alone is written as such: then an index of it gives the rows in their order. */
function oneOf(column: string, ids: readonly number[]): RawBuilder<boolean> {
  return ids.length === 1 ? sql`${sql.ref(column)} = ${ids[0]}` : sql`${sql.ref(column)} = any(${[...ids]}::int[])`
}

function isCalled(text: string, personIds: readonly string[]): RawBuilder<boolean> {
  const ways = [sql`s.click_id = ${text.toLowerCase()}`, sql`s.external_id = ${text}`]
  if (/^\d{1,18}$/.test(text)) ways.push(sql`s.id = ${text}::bigint`)
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) ways.push(sql`s.uuid = ${text}::uuid`)
  if (personIds.length > 0) ways.push(sql`s.person_id = any(${[...personIds]}::bigint[])`)
  return sql`(${sql.join(ways, sql` or `)})`
}
