import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { Mismatch } from '#server/rules/lead/entry-visit.ts'

/** An entry as it is made: `thankYouUrl` is the page of the form it came by; '' = the offer's. */
export type NewEntry = { tokenHash: Buffer; expiresAt: Date; thankYouUrl: string }

/** Makes an entry to what the advertiser that took a session said the person goes on to; false where it said nothing. */
export async function insertEntry(db: DbOrTrx, sessionId: string, { tokenHash, expiresAt, thankYouUrl }: NewEntry): Promise<boolean> {
  const { rows } = await sql`
    insert into lead_entry (token_hash, send_id, expires_at, thank_you_url)
    select ${tokenHash}::bytea, id, ${expiresAt}::timestamptz, ${thankYouUrl} from lead_send
     where session_id = ${sessionId} and status = 'accepted' and redirect is not null limit 1
    returning send_id`.execute(db)
  return rows.length > 0
}

/** What the lead of an entry told of itself: sealed, null where it was forgotten; undefined where there is no such entry. */
export function findLead(db: DbOrTrx, tokenHash: Buffer) {
  return db
    .selectFrom('lead_entry as e')
    .innerJoin('lead_send as n', 'n.id', 'e.send_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['s.sealed', 's.country'])
    .where('e.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Uses an entry up, of many at once for one, with from where it was opened; undefined where it is used, over or none. */
export function takeEntry(db: DbOrTrx, tokenHash: Buffer, now: Date, visit: Mismatch & { country: string }) {
  return db
    .updateTable('lead_entry as e')
    .from('lead_send as n')
    .set({ used_at: now, ...visit })
    .whereRef('n.id', '=', 'e.send_id')
    .where('e.token_hash', '=', tokenHash)
    .where('e.used_at', 'is', null)
    .where('e.expires_at', '>', now)
    .returning('n.redirect')
    .executeTakeFirst()
}

/** Where the person of an entry goes once it is used up: the page of the form they filled in, else that of the offer; '' = neither names one. */
export async function findThanks(db: DbOrTrx, tokenHash: Buffer): Promise<string> {
  const found = await db
    .selectFrom('lead_entry as e')
    .innerJoin('lead_send as n', 'n.id', 'e.send_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .innerJoin('api_offer as o', 'o.offer_id', 's.offer_id')
    .select(sql<string>`coalesce(nullif(e.thank_you_url, ''), o.thank_you_url)`.as('url'))
    .where('e.token_hash', '=', tokenHash)
    .executeTakeFirst()
  return found?.url ?? ''
}

/** When the entries of a session were opened, and from where. */
export function listVisits(db: DbOrTrx, sessionId: string) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('lead_entry as e', 'e.send_id', 'n.id')
    .select([sql<Date>`e.used_at`.as('at'), 'e.country', 'e.other_country', 'e.other_address', 'e.other_agent'])
    .where('n.session_id', '=', sessionId)
    .where('e.used_at', 'is not', null)
    .orderBy('e.used_at')
    .limit(20)
    .execute()
}
