import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import type { Mail, MailQueue } from '#server/features/network/mail/queue.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'
import { findAddressee } from '../account/account.queries.ts'

/** Where something was done to an account, and who tells its owner. */
export type ToldFrom = { address: string; device: string; mail: MailQueue }

/** What owners are told of their sign-in: whoever did not do it has to know. */
type Event = 'password_changed' | 'email_changed' | 'payment_method_changed' | 'payment_method_code' | 'api_key_made' | 'new_device'
type Usual = 'name' | 'device' | 'address' | 'time'
type Own<Told extends Event> = Omit<Mail<Told>['values'], Usual>
/** In whose language and zone the values are written. */
export type Reader = { language: 'en' | 'uk'; time_zone: string }

/** Tells the owner of an account what was done to how it signs in: when, on which device and from where. */
export async function tellOwner<Told extends Event>(
  trx: Trx,
  now: number,
  accountId: number,
  { mail, address, device }: ToldFrom,
  { event, values }: { event: Told; values: Own<Told> | ((reader: Reader) => Own<Told>) },
): Promise<void> {
  if (!(await isMailSetUp(trx))) return
  const { to, name, time, reader } = await ownerOf(trx, now, accountId)
  const usual = { name, device: deviceName(device), address, time }
  const own = typeof values === 'function' ? values(reader) : values
  const all = { ...own, ...usual } as Mail<Told>['values'] // those it takes beside the usual ones
  await mail.add(trx, now, { event, to, values: all })
}

/** Tells the owner of an account that staff took its second factor off. */
export async function tellOfReset(trx: Trx, now: number, accountId: number, mail: MailQueue): Promise<void> {
  const { to, name, time } = await ownerOf(trx, now, accountId)
  await mail.add(trx, now, { event: 'second_factor_reset', to, values: { name, time } })
}

/** Whom to write to, and the moment as they read it. */
async function ownerOf(trx: Trx, now: number, accountId: number) {
  const { email, name, language, time_zone } = await findAddressee(trx, accountId)
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: time_zone }).format(now)
  return { to: { email, language, accountId }, name, time, reader: { language, time_zone } }
}

/** A device in words its owner knows, "Chrome · Windows"; what nobody knows stays as it calls itself. */
export function deviceName(userAgent: string): string {
  const { browser, os } = describeUserAgent(userAgent)
  const known = [browser, os].filter((one) => one !== '' && one !== 'Other')
  return known.length === 0 ? userAgent.slice(0, 200) : known.join(' · ')
}
