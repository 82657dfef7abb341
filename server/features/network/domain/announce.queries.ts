import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { SETTING_CHANNEL } from '../setting/setting.queries.ts'

/** Tells every process on commit that links may begin differently by now: the constants are other ones. */
export async function announceDomains(db: DbOrTrx): Promise<void> {
  await sql`select pg_notify(${SETTING_CHANNEL}, 'domain')`.execute(db)
}
