import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** What the advertiser that took a session said the person goes on to, sealed; undefined = nothing. */
export function findRedirect(db: DbOrTrx, sessionId: string) {
  return db
    .selectFrom('lead_send')
    .select(['id', 'redirect'])
    .where('session_id', '=', sessionId)
    .where('status', '=', 'accepted')
    .where('redirect', 'is not', null)
    .executeTakeFirst()
}

export async function insertEntry(db: DbOrTrx, tokenHash: Buffer, sendId: string, expiresAt: Date): Promise<void> {
  await db.insertInto('lead_entry').values({ token_hash: tokenHash, send_id: sendId, expires_at: expiresAt }).execute()
}

/** Uses an entry up, of many at once for one; undefined where it is used, over or none. */
export function takeEntry(db: DbOrTrx, tokenHash: Buffer, now: Date) {
  return db
    .updateTable('lead_entry as e')
    .from('lead_send as n')
    .set({ used_at: now })
    .whereRef('n.id', '=', 'e.send_id')
    .where('e.token_hash', '=', tokenHash)
    .where('e.used_at', 'is', null)
    .where('e.expires_at', '>', now)
    .returning('n.redirect')
    .executeTakeFirst()
}
