import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { inScope } from '#server/platform/pg/scope.ts'
import type { Scope } from '#server/rules/scope.ts'

/** Active managers in scope to choose from, by name. */
export function listManagerOptions(db: Db, scope: Scope, search: string) {
  return managersInScope(db, scope)
    .select(['a.uuid', 'm.id', 'a.name'])
    .where('m.status', '=', 'active')
    .where('a.name', 'ilike', containing(search))
    .orderBy('a.name')
    .limit(50)
    .execute()
}

/** The id of a manager in scope to whom something may be given; undefined when there is none. */
export async function findManagerId(db: DbOrTrx, scope: Scope, uuid: string): Promise<number | undefined> {
  return (await managersInScope(db, scope).select('m.id').where('a.uuid', '=', uuid).where('m.status', '=', 'active').executeTakeFirst())
    ?.id
}

function managersInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .where(inScope(scope, { affiliateManager: 'm.id' }))
}
