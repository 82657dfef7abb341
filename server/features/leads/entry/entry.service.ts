import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { insertEntry, takeEntry } from './entry.queries.ts'

/** So long the person has to go on. */
const LIFETIME = 30 * 60_000

/**
 * A token for where the advertiser that took a lead wants the person: what it says there opens an account, so it is told to nobody
 * but the person's browser, once. null = the advertiser said nothing.
 */
export async function makeEntry(db: Db, sessionId: string, now: number): Promise<string | null> {
  const token = newToken()
  return (await insertEntry(db, hashToken(token), sessionId, new Date(now + LIFETIME))) ? token : null
}

/** Where the person goes on, the first time within half an hour; null = nowhere any more. */
export async function openEntry(db: Db, secretKey: string | null, token: string, now: number): Promise<string | null> {
  const used = await takeEntry(db, hashToken(token), new Date(now))
  if (used === undefined || used.redirect === null) return null
  const target = openLeadVault(secretKey).openText(used.redirect)
  return /^https?:\/\//i.test(target) && URL.canParse(target) ? new URL(target).href : null
}
