import { sql } from 'kysely'
import { isCreditBlocked } from '#server/features/money/advertiser-billing/credit.queries.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import { lockName } from '#server/platform/pg/lock.ts'

/** Which of an affiliate's short links are asked for; `after` names the last one of the page before. */
type LinkFilters = { count: number; page: number; offer_uuid: string[]; after?: { created_at: string; code: string } | undefined }

/** One page of an affiliate's short links, newest first, and how many there are in all. */
export async function listLinks(db: Db, affiliateId: number, { after, ...filters }: LinkFilters) {
  const found = linksOf(db, affiliateId)
    .$if(filters.offer_uuid.length > 0, (query) => query.where('o.uuid', 'in', filters.offer_uuid))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(l.created_at < ${after?.created_at}::timestamptz
          or l.created_at = ${after?.created_at}::timestamptz and l.code > ${after?.code})`,
      ),
    )
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select([...COLUMNS])
      .orderBy('l.created_at', 'desc')
      .orderBy('l.code')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}
export type LinkRow = Awaited<ReturnType<typeof listLinks>>['list'][number]

/** The short link an affiliate already has for an offer with these very parameters. */
export function findLinkLike(db: DbOrTrx, affiliateId: number, offerId: number, params: Record<string, string>) {
  return linksOf(db, affiliateId)
    .select([...COLUMNS])
    .where('l.offer_id', '=', offerId)
    .where(sql<boolean>`l.params = ${JSON.stringify(params)}::jsonb`)
    .executeTakeFirst()
}

/** How many short links an affiliate has. */
export function countLinks(db: DbOrTrx, affiliateId: number): Promise<number> {
  return countRows(db.selectFrom('link').where('affiliate_id', '=', affiliateId).where('kept_from', 'is', null))
}

/** One at a time for each affiliate: neither a limit nor "the same twice is one" has a constraint to lean on. */
export async function lockLinks(trx: Trx, affiliateId: number): Promise<void> {
  await lockName(trx, `link ${affiliateId}`)
}

export async function insertLink(
  db: DbOrTrx,
  now: number,
  link: { code: string; offer_id: number; affiliate_id: number; params: Record<string, string> },
): Promise<void> {
  await db
    .insertInto('link')
    .values({ ...link, params: JSON.stringify(link.params), created_at: new Date(now) })
    .execute()
}

/**
 * Whether the two partners of a link are active, without whom no click of it counts, and the advertiser’s credit is used up; an offer of leads
 * has no advertiser to be asked.
 */
export async function partnersOf(
  db: DbOrTrx,
  affiliateId: number,
  offerId: number,
): Promise<{ affiliate: boolean; advertiser: boolean; blocked: boolean }> {
  const { affiliate, advertiser, blocked } = await db
    .selectFrom('affiliate as f')
    .innerJoin('offer as o', (join) => join.on('o.id', '=', offerId))
    .leftJoin('advertiser as v', 'v.id', 'o.advertiser_id')
    .select(['f.status as affiliate', 'v.status as advertiser'])
    .select(isCreditBlocked('v.id').as('blocked'))
    .where('f.id', '=', affiliateId)
    .executeTakeFirstOrThrow()
  return { affiliate: affiliate === 'active', advertiser: advertiser === null || advertiser === 'active', blocked }
}

const COLUMNS = ['l.code', 'l.params', 'l.created_at', 'o.uuid as offer_uuid', 'o.id as offer_number', 'o.title as offer_name'] as const

function linksOf(db: DbOrTrx, affiliateId: number) {
  return (
    db
      .selectFrom('link as l')
      .innerJoin('offer as o', 'o.id', 'l.offer_id')
      .where('l.affiliate_id', '=', affiliateId)
      // those of another tracker were not made here
      .where('l.kept_from', 'is', null)
  )
}
