import { canSend, smtpSetting } from '#contract/network/smtp.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Whether messages leave: what is mailed to people otherwise has to be handed over by whoever makes it. */
export async function isMailSetUp(db: DbOrTrx): Promise<boolean> {
  return canSend(await getSetting(db, smtpSetting))
}

export type SmtpSecret = 'password' | 'dkim_key'

/** The secrets there are, sealed, with when they were set. */
export async function readSecrets(db: DbOrTrx): Promise<Partial<Record<SmtpSecret, { sealed: Buffer; set_at: Date }>>> {
  const rows = await db.selectFrom('smtp_secret').select(['name', 'sealed', 'set_at']).execute()
  return Object.fromEntries(rows.map(({ name, ...secret }) => [name, secret]))
}

export async function storeSecret(db: DbOrTrx, now: number, name: SmtpSecret, sealed: Buffer): Promise<void> {
  const values = { sealed, set_at: new Date(now) }
  await db
    .insertInto('smtp_secret')
    .values({ name, ...values })
    .onConflict((there) => there.column('name').doUpdateSet(values))
    .execute()
}

export async function deleteSecret(db: DbOrTrx, name: SmtpSecret): Promise<void> {
  await db.deleteFrom('smtp_secret').where('name', '=', name).execute()
}
