import { sql } from 'kysely'
import type { billingSetting } from '#contract/money/billing.ts'
import type { Db } from '#server/platform/pg/database.ts'

/** Puts rules of billing in force, past the API; those that are not named are as before. */
export async function setBilling(db: Db, values: Partial<typeof billingSetting.defaults>): Promise<void> {
  await sql`update setting set value = value || ${JSON.stringify(values)}::jsonb where key = 'billing'`.execute(db)
}

/** Lets one person alone decide again, as tests begin. */
export function letOneDecide(db: Db): Promise<void> {
  return setBilling(db, { four_eyes: false, four_eyes_limit: '0' })
}
