import { canSend, smtpSetting } from '#contract/network/smtp.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** Whether messages leave: what is mailed to people otherwise has to be handed over by whoever makes it. */
export async function isMailSetUp(db: DbOrTrx): Promise<boolean> {
  return canSend(await getSetting(db, smtpSetting))
}
