import type { Preferences } from '#contract/people/preference.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** How somebody likes the panel to be; undefined where they never said. */
export function findPreferences(db: DbOrTrx, accountId: number) {
  return db
    .selectFrom('preference')
    .select(['density', 'first_day', 'default_period', 'home'])
    .where('account_id', '=', accountId)
    .executeTakeFirst()
}

/** Keeps how somebody likes the panel to be. */
export async function storePreferences(db: DbOrTrx, now: number, accountId: number, chosen: Preferences): Promise<void> {
  const values = { ...chosen, updated_at: new Date(now) }
  await db
    .insertInto('preference')
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}
