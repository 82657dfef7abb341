import { sql } from 'kysely'
import type { z } from 'zod'
import type { landingApi } from '#contract/offers/landing.ts'
import { BROKEN_AFTER } from '#contract/offers/offer-landing.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows, isFoundBy, isUuidOf } from '#server/platform/pg/paging.ts'
import { OWN_ACCESS } from '../access/access.queries.ts'
import { landingIsFor, landingIsInScope } from './landing.queries.ts'

/** The landings of offers in their order; a deleted one stays until somebody takes it out, or its payout rows would silently hold for all. */
export function listOfferLandings(db: DbOrTrx, offerIds: number[]) {
  return db
    .selectFrom('offer_landing as x')
    .innerJoin('landing as l', 'l.id', 'x.landing_id')
    .select([
      'x.offer_id',
      'x.weight',
      'l.uuid',
      'l.id',
      'l.name',
      'l.url',
      'l.type',
      'l.status',
      'l.reason',
      'l.language',
      'l.preview',
      'l.privacy',
      'l.failures',
    ])
    .where(sql<boolean>`x.offer_id = any(${offerIds}::int[])`)
    .orderBy('x.offer_id')
    .orderBy('x.position')
    .orderBy('l.id')
    .execute()
}
export type OfferLandingRow = Awaited<ReturnType<typeof listOfferLandings>>[number]

/**
 * Number and type of the landings that may stand in an offer of the scope and of this advertiser, by uuid; those `offerId` has
 * already need only fit the advertiser. Locked, so that they stay what they are.
 */
export async function landingIdsOf(
  db: DbOrTrx,
  scope: Scope,
  uuids: string[],
  { offerId, advertiserId }: { offerId: number | null; advertiserId: number | null },
): Promise<Map<string, { id: number; type: string }>> {
  if (uuids.length === 0) return new Map()
  const rows = await db
    .selectFrom('landing as l')
    .leftJoin('advertiser as d', 'd.id', 'l.advertiser_id')
    .select(['l.id', 'l.uuid', 'l.type'])
    .where(sql<boolean>`l.uuid = any(${uuids}::uuid[])`)
    // one of leads has those of nobody in particular
    .where(sql<boolean>`(l.advertiser_id is null or l.advertiser_id = ${advertiserId}::int)`)
    .where((where) =>
      where.or([
        sql<boolean>`(l.status <> 'deleted' and ${landingIsInScope(scope)})`,
        sql<boolean>`exists (select from offer_landing x where x.offer_id = ${offerId}::int and x.landing_id = l.id)`,
      ]),
    )
    .orderBy('l.id')
    .forShare('l')
    .execute()
  return new Map(rows.map(({ uuid, ...row }) => [uuid, row]))
}

/** Replaces the landings of an offer, which must be locked. */
export async function replaceOfferLandings(
  db: DbOrTrx,
  offerId: number,
  landings: { landing_id: number; weight: number }[],
): Promise<void> {
  await db.deleteFrom('offer_landing').where('offer_id', '=', offerId).execute()
  const rows = landings.map((landing, position) => ({ ...landing, offer_id: offerId, position }))
  if (rows.length > 0) await db.insertInto('offer_landing').values(rows).execute()
}

/** How many landings an offer has. */
export function countOfferLandings(db: DbOrTrx, offerId: number): Promise<number> {
  return countRows(db.selectFrom('offer_landing').where('offer_id', '=', offerId))
}

/** Puts a landing behind those an offer has. */
export async function addOfferLanding(db: DbOrTrx, offerId: number, landingId: number, weight: number): Promise<void> {
  await db
    .insertInto('offer_landing')
    .values({
      offer_id: offerId,
      landing_id: landingId,
      weight,
      position: sql<number>`(select coalesce(max(position) + 1, 0) from offer_landing where offer_id = ${offerId})`,
    })
    .execute()
}

/** The offers that have these landings, each with the landing's uuid. */
export function offersWith(db: DbOrTrx, landingIds: number[]) {
  return db
    .selectFrom('offer_landing as x')
    .innerJoin('landing as l', 'l.id', 'x.landing_id')
    .select(['x.offer_id', 'l.uuid'])
    .where(sql<boolean>`x.landing_id = any(${landingIds}::int[])`)
    .orderBy('x.offer_id')
    .orderBy('l.id')
    .execute()
}

/** The active landings an affiliate may send visitors to in an offer. */
export function listPartnerLandings(db: DbOrTrx, affiliateId: number, offerId: number) {
  return partnerLandings(db, affiliateId)
    .select(['l.id', 'l.name', 'l.type', 'l.language', 'l.preview', 'l.url'])
    .select(sql<boolean>`l.failures >= ${BROKEN_AFTER}`.as('broken'))
    .where('l.status', '=', 'active')
    .where('x.offer_id', '=', offerId)
    .orderBy('x.position')
    .orderBy('l.id')
    .execute()
}
export type PartnerLandingRow = Awaited<ReturnType<typeof listPartnerLandings>>[number]

/** Whether an offer has a landing visitors are led to who ask for none. */
export async function hasDrawnLanding(db: DbOrTrx, offerId: number): Promise<boolean> {
  const found = await db
    .selectFrom('offer_landing as x')
    .innerJoin('landing as l', 'l.id', 'x.landing_id')
    .select('l.id')
    .where('x.offer_id', '=', offerId)
    .where('x.weight', '>', 0)
    .where('l.type', '=', 'landing')
    .where('l.status', '=', 'active')
    .where('l.privacy', '=', 'public')
    .executeTakeFirst()
  return found !== undefined
}

/** The active landings an affiliate may send visitors to, of several offers. */
export function listKnownLandings(db: DbOrTrx, affiliateId: number, offerIds: readonly number[]) {
  return partnerLandings(db, affiliateId)
    .select(['x.offer_id', 'l.id', 'l.uuid', 'l.name'])
    .where('l.status', '=', 'active')
    .where(sql<boolean>`x.offer_id = any(${offerIds}::int[])`)
    .execute()
}

/** Whether an affiliate may send visitors to a landing in any offer. */
export async function isPartnerLanding(db: DbOrTrx, affiliateId: number, landingId: number): Promise<boolean> {
  const found = partnerLandings(db, affiliateId).select('l.id').where('l.status', '=', 'active').where('l.id', '=', landingId)
  return (await found.executeTakeFirst()) !== undefined
}

/** Active landings of an affiliate's offers to choose from, by name; asked for by its uuid, one that was active. None of `type` means both. */
export function listPartnerLandingOptions(
  db: DbOrTrx,
  affiliateId: number,
  { search, type }: Pick<z.output<typeof landingApi.options.body>, 'search' | 'type'>,
) {
  return partnerLandings(db, affiliateId)
    .select(['l.uuid', 'l.id', 'l.name', 'l.type', 'l.status', 'l.language'])
    .select(sql<string>`''`.as('url'))
    .distinct()
    .where((where) => where.or([where('l.status', '=', 'active'), isUuidOf(search, 'l.uuid')]))
    .where(isFoundBy(search, { texts: ['l.name'], id: 'l.id', uuid: 'l.uuid' }))
    .$if(type.length > 0, (query) => query.where('l.type', 'in', type))
    .orderBy('l.name')
    .limit(50)
    .execute()
}

/** Landings to send visitors to: those for the affiliate in running offers it may promote. */
function partnerLandings(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('offer_landing as x')
    .innerJoin('landing as l', 'l.id', 'x.landing_id')
    .innerJoin('offer as o', 'o.id', 'x.offer_id')
    .leftJoin('offer_access as a', (join) => join.onRef('a.offer_id', '=', 'o.id').on('a.affiliate_id', '=', affiliateId))
    .where(landingIsFor(affiliateId))
    .where('o.status', 'in', ['active', 'paused'])
    .where(OWN_ACCESS, '=', 'approved')
}
