import { sql } from 'kysely'
import type { Role } from '#contract/access.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** An account with what it is here; undefined for who does not work here or is not active any more. */
export async function findWorking(db: DbOrTrx, accountId: number) {
  const { rows } = await sql<{
    id: number
    uuid: string
    role: Role
    name: string
    email: string
    language: 'en' | 'uk'
    time_zone: string
    affiliate_id: number | null
    manager_id: number | null
    team: number[]
  }>`
    select a.id, a.uuid, a.role, a.name, a.email, a.language, a.time_zone, f.id as affiliate_id, m.id as manager_id,
           array(select t.id from manager t where t.team_lead_id = m.id) as team
      from account a left join affiliate f on f.account_id = a.id left join manager m on m.account_id = a.id
     where a.id = ${accountId} and coalesce(f.status, m.status) = 'active'`.execute(db)
  return rows[0]
}
