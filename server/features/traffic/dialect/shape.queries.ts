import { sql } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { needsMapping } from '#server/features/traffic/postback/log.queries.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'

/** So many groups are shown, and of those that nobody authorised so many of one advertiser, and of one click. */
const MOST_GROUPS = 100
const MOST_OF_ADVERTISER = 10
const MOST_OF_CLICK = 3

/**
 * Calls that look alike and were not understood, at most 100 groups, each with its latest call. First those whose sender may
 * report, as a token tells (or the hash of the network's): any visitor has a click id, and must not push these out.
 */
export function listShapes(db: Db, scope: Scope, networkHash: string | null) {
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
      sql<boolean>`bool_or(${isAuthorized(networkHash)})`.as('authorized'),
    ])
  const placed = db
    .selectFrom(groups.as('a'))
    .selectAll()
    .select([
      sql<number>`row_number() over (partition by a.authorized, a.advertiser_id order by a.last_at desc, a.last_id desc)`.as(
        'of_advertiser',
      ),
      sql<number>`row_number() over (partition by a.authorized, a.click_id order by a.last_at desc, a.last_id desc)`.as('of_click'),
    ])
  return db
    .selectFrom(placed.as('g'))
    .innerJoin('postback_in as p', 'p.id', 'g.last_id')
    .innerJoin('advertiser as v', 'v.id', 'g.advertiser_id')
    .select(['g.shape', 'g.calls', 'g.first_at', 'g.last_at', 'g.reasons', 'p.method', 'p.path', 'p.query', 'p.body'])
    .select(reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' }).$notNull().as('advertiser'))
    .where(sql<boolean>`(g.authorized or (g.of_advertiser <= ${MOST_OF_ADVERTISER} and g.of_click <= ${MOST_OF_CLICK}))`)
    .orderBy('g.authorized', 'desc')
    .orderBy('g.last_at', 'desc')
    .limit(MOST_GROUPS)
    .execute()
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

function ofShape(db: DbOrTrx, advertiserId: number, shape: string) {
  return db.selectFrom('postback_in as p').where('p.advertiser_id', '=', advertiserId).where('p.shape', '=', shape).where(needsMapping())
}
