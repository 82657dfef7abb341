import { sql } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { needsMapping } from '#server/features/traffic/postback/log.queries.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'

/** Calls that look alike and were not understood, the latest 100 groups, each with its latest call. */
export function listShapes(db: Db, scope: Scope) {
  const groups = db
    .selectFrom('postback_in as p')
    .innerJoin('advertiser as v', 'v.id', 'p.advertiser_id')
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
    ])
    .orderBy('last_at', 'desc')
    .limit(100)
  return db
    .selectFrom(groups.as('g'))
    .innerJoin('postback_in as p', 'p.id', 'g.last_id')
    .innerJoin('advertiser as v', 'v.id', 'g.advertiser_id')
    .select(['g.shape', 'g.calls', 'g.first_at', 'g.last_at', 'g.reasons', 'p.method', 'p.path', 'p.query', 'p.body'])
    .select(reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' }).$notNull().as('advertiser'))
    .orderBy('g.last_at', 'desc')
    .execute()
}

/** The newest calls of a shape, at most `most`, before a number where one is given. */
export function listOfShape(db: DbOrTrx, advertiserId: number, shape: string, most: number, before: string | null = null) {
  return ofShape(db, advertiserId, shape)
    .select(['p.id', 'p.method', 'p.path', 'p.query', 'p.body', 'p.click_id'])
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
