import { sql } from 'kysely'
import type { Actor } from '#server/access/actor.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows, isFoundBy, pageOf } from '#server/platform/pg/paging.ts'
import { OWN_ACCESS } from '../access/access.queries.ts'

export type KeptRow = { code: string; offer_id: number; affiliate_id: number; kept_from: string }

/** One page of the links kept for an offer and affiliates in scope, newest first, and how many there are. */
export async function listKeptLinks(db: Db, scope: Scope, offerId: number, filters: { count: number; page: number; search: string }) {
  const { search } = filters
  const found = keptLinks(db, scope)
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .where('l.offer_id', '=', offerId)
    .$if(search !== '', (query) =>
      query.where(isFoundBy(search, { texts: ['l.kept_from', 'a.name', 'a.email'], id: 'f.id', uuid: 'a.uuid' })),
    )
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['l.code', 'l.kept_from', 'l.created_at', 'a.uuid', 'f.id', 'a.name'])
      .select(
        sql<boolean>`exists (select from offer o left join offer_access a on a.offer_id = o.id and a.affiliate_id = l.affiliate_id
          where o.id = l.offer_id and ${OWN_ACCESS} = 'approved')`.as('access'),
      )
      .orderBy('l.created_at', 'desc')
      .orderBy('l.code')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** Those of some kept links that are of affiliates in scope, kept from everybody else. */
export function lockKeptLinks(trx: DbOrTrx, scope: Scope, codes: readonly string[]) {
  return keptLinks(trx, scope)
    .select(['l.code', 'l.offer_id', 'l.affiliate_id', 'l.kept_from'])
    .where(sql<boolean>`l.code = any(${[...codes]}::text[])`)
    .orderBy('l.code')
    .forUpdate('l')
    .execute()
}

/** Whom some codes stand for already, short links among them. */
export function linksByCode(trx: DbOrTrx, codes: readonly string[]) {
  return trx
    .selectFrom('link')
    .select(['code', 'offer_id', 'affiliate_id', 'kept_from'])
    .where(sql<boolean>`code = any(${[...codes]}::text[])`)
    .execute()
}

/** How many links are kept in all, and how many of each of some affiliates. */
export async function countKeptLinks(trx: DbOrTrx, affiliates: readonly number[]): Promise<{ all: number; of: Map<number, number> }> {
  const [all, rows] = [
    await countRows(trx.selectFrom('link').where('kept_from', 'is not', null)),
    await trx
      .selectFrom('link')
      .select(['affiliate_id', sql<number>`count(*)::int`.as('links')])
      .where('kept_from', 'is not', null)
      .where(sql<boolean>`affiliate_id = any(${[...affiliates]}::int[])`)
      .groupBy('affiliate_id')
      .execute(),
  ]
  return { all, of: new Map(rows.map(({ affiliate_id, links }) => [affiliate_id, links])) }
}

export async function insertKeptLinks(trx: DbOrTrx, now: number, rows: readonly KeptRow[]): Promise<void> {
  await insertRows(
    trx,
    'link',
    rows.map((row) => ({ ...row, params: {}, created_at: new Date(now) })),
  )
}

export async function deleteKeptLinks(trx: DbOrTrx, codes: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('link')
    .where(sql<boolean>`code = any(${[...codes]}::text[])`)
    .where('kept_from', 'is not', null)
    .execute()
}

/** Affiliates in scope by what lines may call them: external id, e-mail, number. */
export function affiliatesCalled(trx: DbOrTrx, { scope }: Actor, words: readonly string[]) {
  const said = [...words]
  return trx
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id', 'f.external_id', 'a.email'])
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
    .where(
      sql<boolean>`(f.external_id = any(${said}::text[]) or a.email = any(${said.map((word) => word.toLowerCase())}::text[])
        or f.id = any(${said.filter((word) => /^[1-9]\d{0,8}$/.test(word)).map(Number)}::int[]))`,
    )
    .execute()
}

function keptLinks(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('link as l')
    .innerJoin('affiliate as f', 'f.id', 'l.affiliate_id')
    .where('l.kept_from', 'is not', null)
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
}
