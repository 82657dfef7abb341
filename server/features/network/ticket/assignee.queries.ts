import { sql } from 'kysely'
import { can, STAFF_ROLES } from '#contract/access.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { containing } from '#server/platform/pg/paging.ts'

const ROLES = STAFF_ROLES.filter((role) => can(role, 'ticket.manage'))

/** Somebody active of staff who answers tickets: all of them, or those of the own accounts. */
export function findAssignee(db: DbOrTrx, uuid: string) {
  return assignees(db)
    .where('a.uuid', '=', uuid)
    .select(['a.id', 'm.id as manager_id', sql<boolean>`a.role in ('admin', 'head')`.as('sees_all')])
    .executeTakeFirst()
}

/** Whom tickets of a scope may be given to: who sees everything, and the managers whose accounts they are. */
export function listAssignees(db: Db, scope: Scope, search: string) {
  return assignees(db)
    .where('a.name', 'ilike', containing(search))
    .$if(scope.kind === 'managers', (query) =>
      query.where((where) =>
        where.or([
          where('a.role', 'in', ['admin', 'head']),
          where('m.id', '=', sql<number>`any(${scope.kind === 'managers' ? scope.managerIds : []}::int[])`),
        ]),
      ),
    )
    .select(['a.uuid', 'a.name'])
    .orderBy('a.name')
    .limit(50)
    .execute()
}

function assignees(db: DbOrTrx) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .where('m.status', '=', 'active')
    .where('a.role', 'in', ROLES)
}
