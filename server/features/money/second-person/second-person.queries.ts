import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { Tie } from '#server/rules/second-person.ts'

/** More than any network has of those who approve. */
const MOST = 500

/** Who has one of some roles, by name; also who had one since a moment, and was blocked, deleted or given another role after. */
export async function approversSince(
  db: DbOrTrx,
  roles: readonly string[],
  since: Date,
): Promise<{ id: number; name: string; active: boolean }[]> {
  const { rows } = await sql<{ id: number; name: string; active: boolean }>`
    select a.id, a.name, m.status = 'active' and a.role = any(${roles}::text[]) as active
      from account a join manager m on m.account_id = a.id
     where (a.role = any(${roles}::text[]) or exists (select from audit e where e.entity = 'manager' and e.entity_id = m.id::text
             and e.at > ${since} and e.before ->> 'role' = any(${roles}::text[])))
       and (m.status = 'active' or exists (select from audit e where e.entity = 'manager' and e.entity_id = m.id::text
             and e.at > ${since} and e.before ->> 'status' = 'active'))
     order by a.name, a.id limit ${MOST}`.execute(db)
  return rows
}

/** Who got people of the network into their hands since a moment, by the log. */
export async function tiesSince(db: DbOrTrx, since: Date): Promise<Tie[]> {
  const { rows } = await sql<Tie>`
    select h.by, m.account_id as whom, bool_or(e.action = 'create') as made
      from audit e join manager m on m.id::text = e.entity_id
      cross join lateral (values (e.actor_id), (e.acting_id)) as h (by)
     where e.entity = 'manager' and e.at > ${since} and h.by is not null
       and (e.action = 'create'
         or (e.action = 'update' and (e.after -> 'role' is not null or e.after -> 'email' is not null))
         or (e.action = 'password_link' and e.after ->> 'shown' = 'true'))
     group by h.by, m.account_id`.execute(db)
  return rows
}
