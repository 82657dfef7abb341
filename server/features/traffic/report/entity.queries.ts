import { sql } from 'kysely'
import type { DimensionId } from '#contract/traffic/dimension.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { landingIsFor } from '#server/features/offers/landing/landing.queries.ts'

/** The dimensions whose numbers stand for rows of PostgreSQL with a name. */
export type NamedDimension = Extract<
  DimensionId,
  'offer' | 'goal' | 'landing' | 'prelanding' | 'affiliate' | 'advertiser' | 'product' | 'manager'
>

export type Entity = { id: number; uuid: string; name: string }

/** More names than this are not looked through: a search finds the first ones, an order by name falls back to numbers. */
export const MOST_NAMES = 20_000

/** The entities of some numbers that the scope may know by name; others are left out. */
export function namesOf(db: DbOrTrx, scope: Scope, dimension: NamedDimension, ids: readonly number[]): Promise<Entity[]> {
  if (ids.length === 0) return Promise.resolve([])
  return entitiesInScope(db, scope, dimension)
    .where(sql<boolean>`e.id = any(${[...ids]}::int[])`)
    .execute()
}

/** The entities behind numbers and uuids; the name is '' for those the scope may not know by name. */
export async function entitiesBehind(
  db: DbOrTrx,
  scope: Scope,
  dimension: NamedDimension,
  keys: readonly (number | string)[],
): Promise<Entity[]> {
  const ids = keys.filter((key) => typeof key === 'number')
  const uuids = keys.filter((key) => typeof key === 'string')
  const found = await entitiesInScope(db, { kind: 'all' }, dimension)
    .where(sql<boolean>`(e.id = any(${ids}::int[]) or e.uuid = any(${uuids}::uuid[]))`)
    .orderBy('e.id')
    .execute()
  const known = await namesOf(
    db,
    scope,
    dimension,
    found.map(({ id }) => id),
  )
  const seen = new Set(known.map(({ id }) => id))
  return found.map((entity) => (seen.has(entity.id) ? entity : { ...entity, name: '' }))
}

/** The numbers behind uuids; strangers' are left out. */
export async function idsOf(db: DbOrTrx, scope: Scope, dimension: NamedDimension, uuids: readonly string[]): Promise<number[]> {
  if (uuids.length === 0) return []
  return (
    await entitiesInScope(db, scope, dimension)
      .where('e.uuid', 'in', [...uuids])
      .execute()
  ).map((row) => row.id)
}

/** The numbers of entities whose name contains a text. */
export async function idsByName(db: DbOrTrx, scope: Scope, dimension: NamedDimension, search: string): Promise<number[]> {
  const found = await entitiesInScope(db, scope, dimension).where('e.name', 'ilike', containing(search)).limit(MOST_NAMES).execute()
  return found.map((row) => row.id)
}

/** The place of each entity in the order of names; empty where there are too many. */
export async function ranksByName(db: DbOrTrx, scope: Scope, dimension: NamedDimension): Promise<Map<number, number>> {
  const found = await entitiesInScope(db, scope, dimension)
    .orderBy('e.name')
    .orderBy('e.id')
    .limit(MOST_NAMES + 1)
    .execute()
  return found.length > MOST_NAMES ? new Map() : new Map(found.map((row, index) => [row.id, index]))
}

function entitiesInScope(db: DbOrTrx, scope: Scope, dimension: NamedDimension) {
  return db.selectFrom(sources[dimension](db, scope).as('e')).select(['e.id', 'e.uuid', 'e.name'])
}

const landings = (db: DbOrTrx, scope: Scope) =>
  db.selectFrom('landing as l').select(['l.id', 'l.uuid', 'l.name']).where(mayNameLanding(scope))

const sources = {
  landing: landings,
  prelanding: landings,
  offer: (db: DbOrTrx, scope: Scope) =>
    db.selectFrom('offer as o').select(['o.id', 'o.uuid', 'o.title as name']).where(mayNameOffer(scope, 'o')),
  goal: (db: DbOrTrx, scope: Scope) =>
    db
      .selectFrom('goal as g')
      .innerJoin('offer as o', 'o.id', 'g.offer_id')
      .select(['g.id', 'g.uuid', sql<string>`g.title || ' · ' || o.title`.as('name')])
      .where(mayNameOffer(scope, 'o'))
      .where(scope.kind === 'affiliate' ? sql<boolean>`not g.hidden` : sql<boolean>`true`),
  affiliate: (db: DbOrTrx, scope: Scope) =>
    db
      .selectFrom('affiliate as f')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select(['f.id', 'a.uuid', 'a.name'])
      .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' })),
  advertiser: (db: DbOrTrx, scope: Scope) =>
    db
      .selectFrom('advertiser as v')
      .select(['v.id', 'v.uuid', 'v.name'])
      .where(inScope(scope, { advertiserManager: 'v.manager_id' })),
  product: (db: DbOrTrx, scope: Scope) =>
    db
      .selectFrom('product as d')
      .innerJoin('advertiser as v', 'v.id', 'd.advertiser_id')
      .select(['d.id', 'd.uuid', 'd.title as name'])
      .where(inScope(scope, { advertiserManager: 'v.manager_id' })),
  manager: (db: DbOrTrx, scope: Scope) =>
    db
      .selectFrom('manager as m')
      .innerJoin('account as a', 'a.id', 'm.account_id')
      .select(['m.id', 'a.uuid', 'a.name'])
      .where(inScope(scope, { affiliateManager: 'm.id' })),
}

/**
 * Staff know every landing; an affiliate those for it in offers it may name: one with traffic in a landing reads its name also
 * where it may not promote the offer, which who only asks for a number may not (`knownLandings`).
 */
function mayNameLanding(scope: Scope) {
  if (scope.kind !== 'affiliate') return sql<boolean>`true`
  return sql<boolean>`${landingIsFor(scope.affiliateId)}
    and exists (select from offer_landing s join offer o on o.id = s.offer_id where s.landing_id = l.id and ${mayNameOffer(scope, 'o')})`
}

/**
 * Staff know every offer. An affiliate knows those it may find or has been let into: a refused click must not tell it what
 * a private offer is called.
 */
function mayNameOffer(scope: Scope, offer: 'o') {
  if (scope.kind !== 'affiliate') return sql<boolean>`true`
  const id = sql.ref(`${offer}.id`)
  return sql<boolean>`((${sql.ref(`${offer}.privacy`)} <> 'private' and ${sql.ref(`${offer}.status`)} <> 'draft')
    or exists (select from offer_access x where x.offer_id = ${id} and x.affiliate_id = ${scope.affiliateId} and x.status <> 'pending'))`
}
