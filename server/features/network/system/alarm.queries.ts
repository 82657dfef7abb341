import { sql } from 'kysely'
import { STAFF_ROLES, can } from '#contract/access.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Named = { line: string; subject: string }

/** Notes what is wrong at this moment; who was noted before keeps the moment it began. */
export async function noteAlarms(trx: Trx, now: Date, wrong: readonly Named[]): Promise<void> {
  if (wrong.length === 0) return
  await trx
    .insertInto('system_alarm')
    .values(wrong.map((one) => ({ ...one, since: now, seen_at: now })))
    .onConflict((conflict) => conflict.columns(['line', 'subject']).doUpdateSet({ seen_at: now }))
    .execute()
}

/** Forgets what has been well since a moment. */
export async function endAlarms(trx: Trx, before: Date): Promise<void> {
  await trx.deleteFrom('system_alarm').where('seen_at', '<', before).execute()
}

/** Takes those that have lasted since a moment, are wrong now and were told to nobody; they count as told. */
export async function takeAlarms(trx: Trx, now: Date, since: Date): Promise<(Named & { since: Date })[]> {
  return trx
    .updateTable('system_alarm')
    .set({ told_at: now })
    .where('told_at', 'is', null)
    .where('since', '<=', since)
    .where('seen_at', '=', now)
    .returning(['line', 'subject', 'since'])
    .execute()
}

/** Who looks after the instance, for a message. */
export async function keepersOf(db: DbOrTrx): Promise<{ id: number; email: string; name: string; language: 'en' | 'uk' }[]> {
  const roles = STAFF_ROLES.filter((role) => can(role, 'system.health'))
  const { rows } = await sql<{ id: number; email: string; name: string; language: 'en' | 'uk' }>`
    select a.id, a.email, a.name, a.language from account a join manager m on m.account_id = a.id
     where m.status = 'active' and a.role = any(${roles}::text[]) order by a.id limit 50`.execute(db)
  return rows
}
