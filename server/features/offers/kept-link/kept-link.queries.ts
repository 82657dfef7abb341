import { sql } from 'kysely'
import type { Actor } from '#server/access/actor.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'

export type KeptRow = { code: string; offer_id: number; affiliate_id: number; kept_from: string }

/** One page of the links kept for an offer and affiliates in scope, newest first, and how many there are. */
export async function listKeptLinks(db: Db, scope: Scope, offerId: number, filters: { count: number; page: number }) {
  const found = keptLinks(db, scope).where('l.offer_id', '=', offerId)
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select(['l.code', 'l.kept_from', 'l.created_at', 'a.uuid', 'f.id', 'a.name'])
      .select(
        sql<boolean>`exists (select from offer o left join offer_access x on x.offer_id = o.id and x.affiliate_id = l.affiliate_id
          where o.id = l.offer_id and (x.status = 'approved' or x.status is null and o.privacy = 'public'))`.as('access'),
      )
      .orderBy('l.created_at', 'desc')
      .orderBy('l.code')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** A kept link of an affiliate in scope, kept from everybody else. */
export function lockKeptLink(trx: DbOrTrx, scope: Scope, code: string) {
  return keptLinks(trx, scope)
    .select(['l.code', 'l.offer_id', 'l.affiliate_id', 'l.kept_from'])
    .where('l.code', '=', code)
    .forUpdate('l')
    .executeTakeFirst()
}

/** Whom some codes stand for already, short links among them. */
export function linksByCode(trx: DbOrTrx, codes: readonly string[]) {
  return trx
    .selectFrom('link')
    .select(['code', 'offer_id', 'affiliate_id', 'kept_from'])
    .where(sql<boolean>`code = any(${[...codes]}::text[])`)
    .execute()
}

/** How many links are kept in all. */
export function countKeptLinks(trx: DbOrTrx): Promise<number> {
  return countRows(trx.selectFrom('link').where('kept_from', 'is not', null))
}

export async function insertKeptLinks(trx: DbOrTrx, now: number, rows: readonly KeptRow[]): Promise<void> {
  await insertRows(
    trx,
    'link',
    rows.map((row) => ({ ...row, params: {}, created_at: new Date(now) })),
  )
}

export async function deleteKeptLink(trx: DbOrTrx, code: string): Promise<void> {
  await trx.deleteFrom('link').where('code', '=', code).where('kept_from', 'is not', null).execute()
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
