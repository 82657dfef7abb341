import { sql } from 'kysely'
import { leadFields, OPEN_TERMS, type LeadParts, type StoredTerms } from '#contract/leads/api-offer.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { isOwn } from '#server/features/offers/offer/offer.queries.ts'
import { insertRows, recordsOf } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { columnsOf, pickFields } from '#server/platform/pg/fields.ts'
import { isFoundBy } from '#server/platform/pg/paging.ts'

/** What of an offer is about leads alone; undefined = no API offer. */
export function getLeadFields(db: DbOrTrx, offerId: number) {
  return db.selectFrom('api_offer').select(columnsOf(leadFields, 'api_offer')).where('offer_id', '=', offerId).executeTakeFirst()
}

export async function saveLeadFields(db: DbOrTrx, offerId: number, told: Omit<LeadParts, 'groups'>): Promise<void> {
  const { integrity, consent, ...rest } = pickFields(told, leadFields)
  const fields = {
    ...rest,
    ...(integrity !== undefined && { integrity: JSON.stringify(integrity) }),
    ...(consent !== undefined && { consent: JSON.stringify(consent) }),
  }
  await db
    .insertInto('api_offer')
    .values({ offer_id: offerId, ...fields })
    .onConflict((conflict) => conflict.column('offer_id').doUpdateSet(fields))
    .execute()
}

/** The place of a product in an offer, with whose it is; undefined where it was taken out. */
export async function findPlace(db: DbOrTrx, memberId: number) {
  const row = await db
    .selectFrom('offer_member as m')
    .innerJoin('offer_group as g', 'g.id', 'm.group_id')
    .innerJoin('product as p', 'p.id', 'm.product_id')
    .select(['m.id', 'g.offer_id', 'm.terms', 'p.title', 'p.advertiser_id as advertiserId'])
    .where('m.id', '=', memberId)
    .executeTakeFirst()
  return row === undefined ? undefined : { ...row, terms: { ...OPEN_TERMS, ...row.terms } }
}

/**
 * The places of a product in offers that may still be saved, with the goals of each offer and whether that is in scope. Of a locked product:
 * whoever saves an offer with it waits, and finds the product that was saved.
 */
export async function listPlaces(trx: Trx, scope: Scope, productId: number) {
  const rows = await trx
    .selectFrom('offer_member as m')
    .innerJoin('offer_group as g', 'g.id', 'm.group_id')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .select(['m.terms', 'o.title', 'o.currency', isOwn(scope).as('own')])
    .select(
      sql<string[]>`array(select code from goal where goal.offer_id = o.id and not goal.retired order by goal.position, goal.id)`.as(
        'goals',
      ),
    )
    .where('m.product_id', '=', productId)
    .where('o.status', '!=', 'archived')
    .orderBy('o.id')
    .execute()
  return rows.map((row) => ({ ...row, terms: { ...OPEN_TERMS, ...row.terms } }))
}

/** The uuids of affiliates by their numbers. */
export async function affiliateUuids(db: DbOrTrx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id', 'a.uuid'])
    .where(sql<boolean>`f.id = any(${[...ids]}::int[])`)
    .execute()
  return new Map(rows.map(({ id, uuid }) => [id, uuid]))
}

/**
 * Products of these uuids that may stand in an offer: those in scope, and those it has already. Locked, so that they stay what they are:
 * whoever saves one of them waits, and finds the offer that was saved.
 */
export function findProducts(db: DbOrTrx, scope: Scope, uuids: readonly string[], offerId: number | null) {
  return db
    .selectFrom('product as p')
    .innerJoin('advertiser as d', 'd.id', 'p.advertiser_id')
    .innerJoin('integration as i', 'i.id', 'p.integration_id')
    .select(['p.id', 'p.uuid', 'p.status', 'p.geos', 'p.currency', 'p.prices', 'i.type'])
    .select([
      sql<boolean>`coalesce(p.tested_version_id = p.version_id, false)`.as('ready'),
      sql<boolean>`exists (select from offer_member m join offer_group g on g.id = m.group_id
        where m.product_id = p.id and g.offer_id = ${offerId}::int)`.as('had'),
    ])
    .where(sql<boolean>`p.uuid = any(${[...uuids]}::uuid[])`)
    .where((where) =>
      where.or([
        inScope(scope, { advertiserManager: 'd.manager_id' }),
        sql<boolean>`exists (select from offer_member m join offer_group g on g.id = m.group_id
          where m.product_id = p.id and g.offer_id = ${offerId}::int)`,
      ]),
    )
    .orderBy('p.id')
    .forShare('p')
    .execute()
}

type SavedGroup = Pick<LeadParts['groups'][number], 'strategy' | 'least_sample' | 'explore'> & { place: number }

/** Saves the groups of a locked offer by their places; answers the number of each. Whose turn it is stays with the place. */
export async function saveGroups(db: DbOrTrx, offerId: number, groups: readonly SavedGroup[]): Promise<Map<number, number>> {
  if (groups.length === 0) return new Map()
  const rows = groups.map((group) => ({ ...group, offer_id: offerId }))
  const known = await sql<{ id: number; place: number }>`
    update offer_group g set strategy = n.strategy, least_sample = n.least_sample, explore = n.explore
      from ${recordsOf('offer_group', rows)} n where g.offer_id = ${offerId} and g.place = n.place
    returning g.id, g.place`.execute(db)
  const there = new Set(known.rows.map(({ place }) => place))
  const fresh = rows.filter(({ place }) => !there.has(place))
  const made = fresh.length === 0 ? [] : await db.insertInto('offer_group').values(fresh).returning(['id', 'place']).execute()
  return new Map([...known.rows, ...made].map(({ id, place }) => [place, id]))
}

/** Drops the groups of an offer from a place on: whoever stays in it stands in another group by now. */
export async function dropGroups(db: DbOrTrx, offerId: number, from: number): Promise<void> {
  await db.deleteFrom('offer_group').where('offer_id', '=', offerId).where('place', '>=', from).execute()
}

type SavedMember = { group_id: number; product_id: number; place: number; weight: number; paused: boolean; terms: StoredTerms }

/** Saves the members of a locked offer. A product stays the member it was, with its counters, in whatever group it stands now. */
export async function saveMembers(db: DbOrTrx, offerId: number, members: readonly SavedMember[]): Promise<void> {
  await sql`
    delete from offer_member m using offer_group g
     where g.id = m.group_id and g.offer_id = ${offerId} and not m.product_id = any(${members.map(({ product_id }) => product_id)}::int[])`.execute(
    db,
  )
  if (members.length === 0) return
  const { rows } = await sql<{ product_id: number }>`
    update offer_member m set group_id = n.group_id, place = n.place, weight = n.weight, paused = n.paused, terms = n.terms
      from ${recordsOf('offer_member', members)} n, offer_group g
     where m.product_id = n.product_id and g.id = m.group_id and g.offer_id = ${offerId}
    returning m.product_id`.execute(db)
  const there = new Set(rows.map(({ product_id }) => product_id))
  await insertRows(
    db,
    'offer_member',
    members.filter(({ product_id }) => !there.has(product_id)),
  )
}

/** Active products of advertisers in scope by a part of a name, of one kind and those that take any; at most 50. */
export function searchProducts(db: DbOrTrx, scope: Scope, search: string, type: LeadParts['integration_type'] | undefined) {
  return db
    .selectFrom('product as p')
    .innerJoin('advertiser as d', 'd.id', 'p.advertiser_id')
    .innerJoin('integration as i', 'i.id', 'p.integration_id')
    .innerJoin('integration_version as v', 'v.id', 'p.version_id')
    .select(['p.id', 'p.uuid', 'p.title', 'p.geos', 'p.time_zone', 'p.version_id', 'v.number as version_number'])
    .select(['p.currency', 'p.prices'])
    .select(['d.uuid as advertiser_uuid', 'd.id as advertiser_id', 'd.name as advertiser'])
    .select(['i.uuid as integration_uuid', 'i.id as integration_id', 'i.title as integration', 'i.type'])
    .select(sql<boolean>`coalesce(p.tested_version_id = p.version_id, false)`.as('ready'))
    .where('p.status', '=', 'active')
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .$if(type !== undefined, (query) => query.where('i.type', 'in', [type ?? 'generic', 'generic']))
    .$if(search !== '', (query) => query.where(isFoundBy(search, { texts: ['p.title', 'd.name', 'i.title'], id: 'p.id', uuid: 'p.uuid' })))
    .orderBy('p.title')
    .orderBy('p.id')
    .limit(50)
    .execute()
}
