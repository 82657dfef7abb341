import { findAddress as findByTables } from '#server/features/leads/integrity/address-facts.ts'
import type { LeadParts } from '#server/features/leads/session/receive.service.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { mismatchOf } from '#server/rules/lead/entry-visit.ts'
import { findLead, findThanks, insertEntry, takeEntry, type NewEntry } from './entry.queries.ts'

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

/**
 * Where the person goes on, the first time within half an hour; afterwards to the page that thanks them; null = nowhere. How who opens it
 * differs from the lead is kept, and nothing of who they are.
 */
export async function openEntry(
  { db, secretKey, findAddress = findByTables }: LeadParts,
  token: string,
  now: number,
  visitor: { address: string; agent: string },
): Promise<string | null> {
  const tokenHash = hashToken(token)
  const lead = await findLead(db, tokenHash)
  if (lead === undefined) return null
  const vault = openLeadVault(secretKey)
  const told = lead.sealed === null ? {} : vault.openTold(lead.sealed)
  const country = findAddress(visitor.address)?.country ?? ''
  const mismatch = mismatchOf(
    { country: lead.country, address: told['ip'] ?? '', agent: told['user_agent'] ?? '' },
    { country, ...visitor },
  )
  const used = await takeEntry(db, tokenHash, new Date(now), { country, ...mismatch })
  const redirect = used?.redirect ?? null
  const target = redirect === null ? null : addressOf(vault.openText(redirect))
  return target ?? addressOf(await findThanks(db, tokenHash))
}

function addressOf(text: string): string | null {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text).href : null
}
