import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import type { TestApi } from '../run/api.ts'

/** Where an affiliate is paid: by PayPal and at once, unless said otherwise. */
export async function makeMethod(
  { db, databaseUrl, clock }: TestApi,
  affiliateId: number,
  more: { system?: string; values?: Record<string, string>; locked_until?: Date } = {},
): Promise<void> {
  const { secretKey } = readConfig({ DATABASE_URL: databaseUrl }, 'test')
  const { system = 'paypal', values = { email: 'ann@example.com' }, locked_until = null } = more
  const sealed = openSealer(secretKey, 'payment method').seal(JSON.stringify(values))
  const row = { affiliate_id: affiliateId, system, place: 1, sealed, masked: 'a•••', locked_until, created_at: new Date(clock.now()) }
  await db.insertInto('payment_method').values(row).execute()
}
