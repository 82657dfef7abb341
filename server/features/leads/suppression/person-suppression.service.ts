import { openLeadVault } from '#server/features/leads/session/vault.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { maskedEmail, maskedPhone } from '#server/rules/lead/contact.ts'
import { getContacts } from './suppression.queries.ts'
import { suppressContacts } from './suppression.service.ts'

type Why = Omit<Parameters<typeof suppressContacts>[3], 'advertiser_id' | 'offer_id'>

/**
 * Suppresses whoever a session or person is, everywhere, by telephone and e-mail address, in the transaction of what says so; answers
 * how many entries were added. A test is nobody.
 */
export async function suppressPerson(
  trx: Trx,
  secretKey: string | null,
  now: number,
  { person_id, sealed }: { person_id: string; sealed: Buffer | null },
  why: Why,
): Promise<number> {
  const { phone_hash, email_hash, test } = await getContacts(trx, person_id)
  if (test) return 0
  const told = sealed === null ? {} : openLeadVault(secretKey).openTold(sealed)
  const contacts = [
    ...(phone_hash === null ? [] : [{ kind: 'phone' as const, hash: phone_hash, shown: maskedPhone(told.phone ?? '') || '***' }]),
    ...(email_hash === null ? [] : [{ kind: 'email' as const, hash: email_hash, shown: maskedEmail(told.email ?? '') || '***' }]),
  ]
  return suppressContacts(trx, now, contacts, { ...why, advertiser_id: null, offer_id: null })
}
