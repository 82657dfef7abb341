import { sql } from 'kysely'
import type { DomainCheckName } from '#contract/network/domain.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** So many that fail are named. */
const MOST_NAMED = 20

/** The verified domains in use: how many there are, and those that fail by name, what people were told of first. */
export async function domainsOfUse(db: DbOrTrx) {
  const inUse = db.selectFrom('domain').where('verified_at', 'is not', null).where('burnt_at', 'is', null)
  const [counted, failing] = await Promise.all([
    inUse.select([sql<number>`count(*)::int`.as('used'), sql<number>`count(failing)::int`.as('failing_count')]).executeTakeFirstOrThrow(),
    inUse
      .where('failing', 'is not', null)
      .select(['host', 'failing_since', 'told_at'])
      .select(sql<Exclude<DomainCheckName, 'record'>>`failing`.as('failing'))
      .orderBy(sql`told_at is null`)
      .orderBy('failing_since')
      .orderBy('id')
      .limit(MOST_NAMED)
      .execute(),
  ])
  return { ...counted, failing }
}
