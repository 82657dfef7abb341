import { sql } from 'kysely'
import type { SHAPE_SENDERS } from '#contract/traffic/shape.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { needsMapping } from '#server/features/traffic/postback/log.queries.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'

/** Of groups that nobody authorised so many of one source are shown: any visitor has a click id, and must not fill the list. */
const MOST_OF_ADVERTISER = 10
const MOST_OF_ADDRESS = 5
const MOST_OF_CLICK = 3
/** So much of a body is shown, in characters. */
const LONGEST_BODY = 2_000

export type ShapeSender = (typeof SHAPE_SENDERS)[number]

/**
 * One page of calls that look alike and were not understood, each group with its latest call, and how many groups there are
 * of each kind of sender: those who may report, as a token tells (or the hash of the network's), and those nobody vouches for.
 */
export async function listShapes(
  db: Db,
  scope: Scope,
  networkHash: string | null,
  { count, page, sender }: { count: number; page: number; sender: ShapeSender },
) {
  const shown = shownGroups(db, scope, networkHash)
  const [rows, list] = await Promise.all([
    db
      .selectFrom(shown.as('g'))
      .groupBy('g.authorized')
      .select(['g.authorized', sql<number>`count(*)::int`.as('rows')])
      .execute(),
    db
      .selectFrom(shown.as('g'))
      .innerJoin('postback_in as p', 'p.id', 'g.last_id')
      .innerJoin('advertiser as v', 'v.id', 'g.advertiser_id')
      .select(['g.shape', 'g.calls', 'g.first_at', 'g.last_at', 'g.reasons', 'p.method', 'p.path', 'p.query'])
      .select(sql<string>`left(p.body, ${LONGEST_BODY})`.as('body'))
      .select(reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' }).$notNull().as('advertiser'))
      .where('g.authorized', '=', sender === 'known')
      .orderBy('g.last_at', 'desc')
      .orderBy('g.last_id', 'desc')
      .limit(count)
      .offset((page - 1) * count)
      .execute(),
  ])
  const of = (authorized: boolean) => rows.find((row) => row.authorized === authorized)?.rows ?? 0
  return { list, senders: { known: of(true), unproven: of(false) } }
}

function shownGroups(db: Db, scope: Scope, networkHash: string | null) {
  const groups = db
    .selectFrom('postback_in as p')
    .innerJoin('advertiser as v', 'v.id', 'p.advertiser_id')
    .leftJoin('offer as o', 'o.id', 'p.offer_id')
    .where('p.shape', '<>', '')
    .where(needsMapping())
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .groupBy(['p.advertiser_id', 'p.shape'])
    .select(['p.advertiser_id', 'p.shape'])
    .select([
      sql<number>`count(*)::int`.as('calls'),
      sql<Date>`min(p.received_at)`.as('first_at'),
      sql<Date>`max(p.received_at)`.as('last_at'),
      sql<string[]>`array_agg(distinct p.reason)`.as('reasons'),
      sql<string>`max(p.id)`.as('last_id'),
      sql<string>`max(p.click_id)`.as('click_id'),
      sql<string>`max(p.address)`.as('address'),
      sql<boolean>`bool_or(${isAuthorized(networkHash)})`.as('authorized'),
    ])
  const latest = (source: 'advertiser_id' | 'click_id' | 'address') =>
    sql<number>`row_number() over (partition by a.authorized, ${sql.ref(`a.${source}`)} order by a.last_at desc, a.last_id desc)`
  const placed = db
    .selectFrom(groups.as('a'))
    .selectAll()
    .select([latest('advertiser_id').as('of_advertiser'), latest('click_id').as('of_click'), latest('address').as('of_address')])
  return db
    .selectFrom(placed.as('b'))
    .selectAll()
    .where(
      sql<boolean>`(b.authorized or (b.of_advertiser <= ${MOST_OF_ADVERTISER} and b.of_click <= ${MOST_OF_CLICK} and b.of_address <= ${MOST_OF_ADDRESS}))`,
    )
}

/** Kept calls that need a mapping and have no shape: they came before there were any, or were settled later. At most `most`, the oldest first. */
export function listShapeless(db: DbOrTrx, most: number) {
  return db
    .selectFrom('postback_in as p')
    .select(['p.id', 'p.path', 'p.query', 'p.body', 'p.click_id'])
    .where('p.shape', '=', '')
    .where('p.advertiser_id', 'is not', null)
    .where(needsMapping())
    .orderBy('p.id')
    .limit(most)
    .execute()
}

/** Gives calls their shapes, unless they have some by now. */
export async function setShapes(db: DbOrTrx, shapes: readonly { id: string; shape: string }[]): Promise<void> {
  await sql`
    update postback_in p set shape = given.shape
      from unnest(${shapes.map(({ id }) => id)}::bigint[], ${shapes.map(({ shape }) => shape)}::text[]) as given (id, shape)
     where p.id = given.id and p.shape = ''`.execute(db)
}

/** Of `p` of an offer `o` of an advertiser `v`: it was authorised, or came with a token that would do it. */
function isAuthorized(networkHash: string | null) {
  const hash = (token: string) => sql`encode(sha256(convert_to(${sql.ref(token)}, 'UTF8')), 'hex')`
  return sql<boolean>`coalesce(p.authorized, false) or coalesce(p.token_hash = any(array[
    ${hash('v.postback_token')}, ${hash('v.previous_token')}, ${hash('o.postback_token')}, ${networkHash}::text]), false)`
}

/** The newest calls of a shape, at most `most`, before a number where one is given. */
export function listOfShape(db: DbOrTrx, advertiserId: number, shape: string, most: number, before: string | null = null) {
  return ofShape(db, advertiserId, shape)
    .select(['p.id', 'p.method', 'p.path', 'p.query', 'p.body', 'p.click_id'])
    .select(
      sql<string>`case when p.reason = 'status_unknown' then coalesce(p.answer -> 'body' ->> 'parameter', '') else '' end`.as('unknown'),
    )
    .$if(before !== null, (query) => query.where('p.id', '<', before!))
    .orderBy('p.id', 'desc')
    .limit(most)
    .execute()
}

/** How many calls of a shape wait. */
export async function countOfShape(db: DbOrTrx, advertiserId: number, shape: string): Promise<number> {
  const { count } = await ofShape(db, advertiserId, shape)
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Offers that calls of a shape are about and that have no goal of a code, at most `most`. */
export function offersLacking(db: DbOrTrx, advertiserId: number, shape: string, code: string, most: number) {
  return ofShape(db, advertiserId, shape)
    .innerJoin('offer as o', 'o.id', 'p.offer_id')
    .select(['o.uuid', 'o.id', 'o.title as name'])
    .distinct()
    .where(sql<boolean>`not exists (select from goal g where g.offer_id = o.id and not g.retired and lower(g.code) = ${code})`)
    .orderBy('o.id')
    .limit(most)
    .execute()
}

function ofShape(db: DbOrTrx, advertiserId: number, shape: string) {
  return db.selectFrom('postback_in as p').where('p.advertiser_id', '=', advertiserId).where('p.shape', '=', shape).where(needsMapping())
}
