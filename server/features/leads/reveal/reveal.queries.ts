import { sql, type Insertable } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { words } from '#server/platform/pg/words.ts'
import { HAS_IT } from '#server/rules/lead/states.ts'

/** A session in scope with what is sealed of its person; null where that is gone. */
export function findSealed(db: DbOrTrx, scope: Scope, key: string) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .leftJoin('lead_send as n', (join) => join.onRef('n.session_id', '=', 's.id').on(sql<boolean>`n.status in (${words(HAS_IT)})`))
    .leftJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(['s.id', 's.uuid', 's.sealed'])
    .where(keyIs(key, { uuid: 's.uuid', id: 's.id' }))
    .where(inScope(scope, { affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }))
    .executeTakeFirst()
}

/** The leads whose contacts somebody looked at since then: each with when that was last, the longest ago first. */
export async function revealedSince(db: DbOrTrx, accountId: number, since: Date): Promise<{ sessionId: string; at: Date }[]> {
  const rows = await db
    .selectFrom('lead_reveal')
    .select(['session_id', sql<Date>`max(at)`.as('last')])
    .where('account_id', '=', accountId)
    .where('at', '>', since)
    // those of files are counted by their file
    .where('export_id', 'is', null)
    .groupBy('session_id')
    .orderBy('last')
    .execute()
  return rows.map(({ session_id, last }) => ({ sessionId: session_id, at: last }))
}

export async function insertReveal(trx: Trx, values: Insertable<Tables['lead_reveal']>): Promise<void> {
  await trx.insertInto('lead_reveal').values(values).execute()
}
