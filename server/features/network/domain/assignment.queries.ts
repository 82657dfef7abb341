import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { MOST_ASSIGNMENTS } from '#contract/network/domain.ts'
import { isUsable } from './domain.queries.ts'

/** Whose links a domain is for: one of the two is named at least. */
export type Assignment = { affiliate_id: number | null; offer_id: number | null }

/** What a domain is assigned to, with names. */
export function listAssignments(db: DbOrTrx, domainId: number) {
  return db
    .selectFrom('domain_assignment as x')
    .leftJoin('affiliate as f', 'f.id', 'x.affiliate_id')
    .leftJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('offer as o', 'o.id', 'x.offer_id')
    .where('x.domain_id', '=', domainId)
    .select(['x.affiliate_id', 'x.offer_id'])
    .select([
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).as('affiliate'),
      reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).as('offer'),
    ])
    .orderBy('x.id')
    .limit(MOST_ASSIGNMENTS)
    .execute()
}

/** The numbers behind pairs of uuids, in one question; null where there is no such thing. */
export async function assignmentsBehind(
  db: DbOrTrx,
  pairs: readonly { affiliate_uuid: string | null; offer_uuid: string | null }[],
): Promise<(Assignment | null)[]> {
  const { rows } = await sql<{ affiliate_id: number | null; offer_id: number | null; whole: boolean }>`
    select f.id as affiliate_id, o.id as offer_id,
           (n.affiliate is null or f.id is not null) and (n.offer is null or o.id is not null) as whole
      from unnest(${pairs.map((pair) => pair.affiliate_uuid)}::uuid[], ${pairs.map((pair) => pair.offer_uuid)}::uuid[])
        with ordinality as n (affiliate, offer, place)
      left join account a on a.uuid = n.affiliate
      left join affiliate f on f.account_id = a.id
      left join offer o on o.uuid = n.offer
     order by n.place`.execute(db)
  return rows.map(({ whole, affiliate_id, offer_id }) => (whole ? { affiliate_id, offer_id } : null))
}

/** Assigns a domain; answers which of them it had not been assigned to before. */
export async function addAssignments(db: DbOrTrx, domainId: number, added: readonly Assignment[]): Promise<Assignment[]> {
  if (added.length === 0) return []
  return db
    .insertInto('domain_assignment')
    .values(added.map(({ affiliate_id, offer_id }) => ({ domain_id: domainId, affiliate_id, offer_id })))
    .onConflict((conflict) => conflict.constraint('domain_assignment_once').doNothing())
    .returning(['affiliate_id', 'offer_id'])
    .execute()
}

/** Takes assignments of a domain away: those named, or all. */
export async function removeAssignments(db: DbOrTrx, domainId: number, removed?: readonly Assignment[]): Promise<Assignment[]> {
  if (removed?.length === 0) return []
  return db
    .deleteFrom('domain_assignment as x')
    .where('x.domain_id', '=', domainId)
    .$if(removed !== undefined, (query) =>
      query.where(
        sql<boolean>`exists (select from unnest(${(removed ?? []).map((one) => one.affiliate_id)}::int[], ${(removed ?? []).map((one) => one.offer_id)}::int[])
          as n (affiliate_id, offer_id) where n.affiliate_id is not distinct from x.affiliate_id and n.offer_id is not distinct from x.offer_id)`,
      ),
    )
    .returning(['affiliate_id', 'offer_id'])
    .execute()
}

/** The usable tracking domains an affiliate may get: the default one, and what is assigned to it, or to everybody for an offer. */
export function listUsable(db: DbOrTrx, affiliateId: number, https: boolean) {
  return db
    .selectFrom('domain as d')
    .leftJoin('domain_assignment as x', (join) =>
      join.onRef('x.domain_id', '=', 'd.id').on((on) => on.or([on('x.affiliate_id', '=', affiliateId), on('x.affiliate_id', 'is', null)])),
    )
    .where('d.kind', '=', 'tracking')
    .where(isUsable(https))
    .where((where) => where.or([where('d.is_default', '=', true), where('x.id', 'is not', null)]))
    .select(['d.id', 'd.host', 'd.is_default', 'x.affiliate_id', 'x.offer_id'])
    .orderBy('d.id')
    .execute()
}
export type UsableDomain = Awaited<ReturnType<typeof listUsable>>[number]

/** The default domain of a kind, where it may be used. */
export async function findDefault(db: DbOrTrx, kind: 'panel' | 'tracking', https: boolean): Promise<string | undefined> {
  const row = await db
    .selectFrom('domain as d')
    .select('d.host')
    .where('d.kind', '=', kind)
    .where('d.is_default', '=', true)
    .where(isUsable(https))
    .executeTakeFirst()
  return row?.host
}

/** All tracking domains that may be used, the default one first. */
export async function listTracking(db: DbOrTrx, https: boolean): Promise<string[]> {
  const rows = await db
    .selectFrom('domain as d')
    .select('d.host')
    .where('d.kind', '=', 'tracking')
    .where(isUsable(https))
    .orderBy('d.is_default', 'desc')
    .orderBy('d.id')
    .limit(1000)
    .execute()
  return rows.map(({ host }) => host)
}

/** A text that is another one as soon as any link may begin differently. */
export async function domainsMark(db: DbOrTrx): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    select coalesce(md5(string_agg(concat_ws(' ', d.id, d.host, d.is_default, d.verified_at is not null, d.burnt_at is not null, d.certificate,
             d.certificate_issued_at is not null, (select string_agg(concat_ws('/', coalesce(x.affiliate_id, 0), coalesce(x.offer_id, 0)), ' ' order by x.id)
               from domain_assignment x where x.domain_id = d.id)), ',' order by d.id)), '') as mark
      from domain d`.execute(db)
  return rows[0]?.mark ?? ''
}
