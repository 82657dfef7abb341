import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { findThanks, insertEntry, takeEntry, type NewEntry } from './entry.queries.ts'

/** So long the person has to go on. */
const LIFETIME = 30 * 60_000

/**
 * A token for where the advertiser that took a lead wants the person: what it says there opens an account, so it is told to nobody
 * but the person's browser, once. null = the advertiser said nothing. `thankYouUrl`: the page of the form it came by; '' = the offer's.
 */
export async function makeEntry(db: Db, sessionId: string, now: number, thankYouUrl = ''): Promise<string | null> {
  const { token, entry } = newEntry(now, thankYouUrl)
  return (await insertEntry(db, sessionId, entry)) ? token : null
}

/** The same before it is known who takes a lead: it is made with what they answer (`settleSend`). */
export function newEntry(now: number, thankYouUrl = ''): { token: string; entry: NewEntry } {
  const token = newToken()
  return { token, entry: { tokenHash: hashToken(token), expiresAt: new Date(now + LIFETIME), thankYouUrl } }
}

/** Where the person goes on, the first time within half an hour; afterwards to the page that thanks them; null = nowhere. */
export async function openEntry(db: Db, secretKey: string | null, token: string, now: number): Promise<string | null> {
  const used = await takeEntry(db, hashToken(token), new Date(now))
  const redirect = used?.redirect ?? null
  const target = redirect === null ? null : addressOf(openLeadVault(secretKey).openText(redirect))
  return target ?? addressOf(await findThanks(db, hashToken(token)))
}

function addressOf(text: string): string | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : null
}
