import { sql } from 'kysely'
import { MOST_TOLD } from '#contract/network/ticket.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'

/** Where changed tickets are announced; what is said there is a `TicketNotice` as JSON. */
export const TICKET_CHANNEL = 'ticket'

/**
 * Numbers a change of tickets and announces it, as the last thing a transaction does: the lock makes the numbers those of the order of
 * commits, so that who has seen one has missed none below it. `told` = its affiliate may know.
 */
export async function announceTickets(trx: Trx, ids: readonly number[], told: boolean): Promise<void> {
  if (ids.length === 0) return
  await lockName(trx, 'ticket change')
  await sql`
    with numbered as (select id, nextval('ticket_change') as change from unnest(${[...ids].toSorted((a, b) => a - b)}::int[]) as id),
    changed as (
      update ticket t set change = n.change, told_change = case when ${told} then n.change else t.told_change end
        from numbered n where t.id = n.id returning t.affiliate_id
    )
    select pg_notify(${TICKET_CHANNEL}, json_build_object('affiliate', f.id, 'manager', f.manager_id, 'told', ${told}::boolean)::text)
      from affiliate f where f.id in (select affiliate_id from changed)`.execute(trx)
}

/** The number of the last change there is. */
export async function lastChange(db: Db): Promise<string> {
  const { last } = await db
    .selectFrom('ticket')
    .select(sql<string>`coalesce(max(change), 0)::text`.as('last'))
    .executeTakeFirstOrThrow()
  return last
}

/** The tickets in scope that have changed after a change, in the order they did; one more than is told one by one. */
export function changesAfter(db: Db, scope: Scope, staff: boolean, after: string) {
  const change = sql.ref<string>(staff ? 't.change' : 't.told_change')
  return db
    .selectFrom('ticket as t')
    .innerJoin('affiliate as f', 'f.id', 't.affiliate_id')
    .where(inScope(scope, { affiliateId: 't.affiliate_id', affiliateManager: 'f.manager_id' }))
    .where(sql<boolean>`${change} > ${after}::bigint`)
    .select(['t.uuid', sql<string>`${change}::text`.as('change')])
    .orderBy(change)
    .limit(MOST_TOLD + 1)
    .execute()
}
