import { sql } from 'kysely'
import { can, STAFF_ROLES } from '#contract/access.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Takes domains whose look is due; another worker takes them again only after `again`, should this one die. */
export function takeDue(db: DbOrTrx, now: number, again: number, count: number) {
  return db
    .updateTable('domain')
    .set({ next_check_at: new Date(again) })
    .where(
      sql<boolean>`id in (select id from domain where next_check_at <= ${new Date(now)} order by next_check_at limit ${count} for update skip locked)`,
    )
    .returning('id')
    .execute()
}

/** Those who look after the domains, to be written to. */
export function listKeepers(db: DbOrTrx) {
  return db
    .selectFrom('account as a')
    .innerJoin('manager as m', 'm.account_id', 'a.id')
    .where('m.status', '=', 'active')
    .where(
      'a.role',
      'in',
      STAFF_ROLES.filter((role) => can(role, 'setting.domains')),
    )
    .select(['a.id', 'a.email', 'a.name', 'a.language'])
    .orderBy('a.id')
    .limit(100)
    .execute()
}
