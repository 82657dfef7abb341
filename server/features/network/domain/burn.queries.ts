import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { DomainRow } from './domain.queries.ts'

type Used = Pick<DomainRow, 'id' | 'host' | 'kind' | 'is_default'>

/**
 * Active affiliates whose links a tracking domain begins: those it is assigned to, those approved for an offer it is assigned to, and
 * where it is the default one everybody who may run an offer, or keeps a short link.
 */
function concerned({ id, kind, is_default }: Used) {
  return sql`select f.id, f.account_id from affiliate f
    where f.status = 'active' and ${kind === 'tracking'}::boolean and (
      exists (select from domain_assignment x where x.domain_id = ${id} and x.affiliate_id = f.id)
      or exists (select from domain_assignment x join offer_access c on c.offer_id = x.offer_id and c.status = 'approved'
                  where x.domain_id = ${id} and x.affiliate_id is null and c.affiliate_id = f.id)
      or ${is_default}::boolean and (
        exists (select from offer_access c where c.affiliate_id = f.id and c.status = 'approved')
        or exists (select from link l where l.affiliate_id = f.id)))`
}

/** How many affiliates, offers and short links a domain concerns. */
export async function countUses(db: DbOrTrx, domain: Used): Promise<{ affiliates: number; offers: number; short_links: number }> {
  const { rows } = await sql<{ affiliates: number; offers: number; short_links: number }>`
    with concerned as (${concerned(domain)})
    select (select count(*)::int from concerned) as affiliates,
           (select count(distinct c.offer_id)::int from offer_access c join concerned f on f.id = c.affiliate_id
              join offer o on o.id = c.offer_id and o.status in ('active', 'paused')
             where c.status = 'approved' and (${domain.is_default}::boolean
               or exists (select from domain_assignment x where x.domain_id = ${domain.id}
                    and coalesce(x.affiliate_id, c.affiliate_id) = c.affiliate_id and coalesce(x.offer_id, c.offer_id) = c.offer_id))) as offers,
           (select count(*)::int from link l join concerned f on f.id = l.affiliate_id where l.kept_from is null) as short_links`.execute(
    db,
  )
  return rows[0] ?? { affiliates: 0, offers: 0, short_links: 0 }
}

/** Tells affiliates concerned that their links begin differently from now on: before what was assigned is moved. `next`: '' = the configured address. */
export async function tellReplaced(db: DbOrTrx, now: number, domain: Used, next: string): Promise<void> {
  await sql`insert into notification (account_id, kind, at, status, reason, once)
    select f.account_id, 'domain_replaced', ${new Date(now)}::timestamptz, ${next}, ${domain.host}, ${onceOf(domain, now)}
      from (${concerned(domain)}) f
     order by f.account_id
    on conflict (account_id, once) do nothing`.execute(db)
}

/** Forgets what they were told: it was taken back. */
export async function untellReplaced(db: DbOrTrx, domain: Used, at: Date): Promise<void> {
  await db.deleteFrom('notification').where('kind', '=', 'domain_replaced').where('once', '=', onceOf(domain, at.getTime())).execute()
}

function onceOf({ id }: Used, at: number): string {
  return `domain ${id} replaced ${at}`
}
