import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'
import { findAddressee } from '../account/account.queries.ts'

/** Where a password was changed, and who tells its owner. */
export type ChangedFrom = { address: string; device: string; mail: MailQueue }

/** Tells the owner of an account that its password is another one: whoever did not change it has to know. */
export async function tellChanged(trx: Trx, now: number, accountId: number, { mail, address, device }: ChangedFrom): Promise<void> {
  if (!(await isMailSetUp(trx))) return
  const { email, name, language, time_zone } = await findAddressee(trx, accountId)
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: time_zone }).format(now)
  const to = { email, language, accountId }
  await mail.add(trx, now, { event: 'password_changed', to, values: { name, device: deviceName(device), address, time } })
}

/** A device in words its owner knows, "Chrome · Windows"; what nobody knows stays as it calls itself. */
function deviceName(userAgent: string): string {
  const { browser, os } = describeUserAgent(userAgent)
  const known = [browser, os].filter((one) => one !== '' && one !== 'Other')
  return known.length === 0 ? userAgent.slice(0, 200) : known.join(' · ')
}
