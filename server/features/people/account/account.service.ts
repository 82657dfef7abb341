import type { z } from 'zod'
import type { Role } from '#contract/access.ts'
import { accountFields } from '#contract/people/account.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import { refuseBeyond } from '../auth/limit.service.ts'
import { deletePasswordLinks } from '../auth/link.queries.ts'
import { createLink, LINK_LIFE, linkAddress } from '../auth/link.service.ts'
import { findManagerId } from '../manager/manager.queries.ts'
import { findAddressee, insertAccount, updateAccount } from './account.queries.ts'

type Fields = { [Name in keyof typeof accountFields]: z.output<(typeof accountFields)[Name]> }

/**
 * Makes an account for whoever is made with it, and hands its set-password link over. Throws `email_taken`.
 */
export async function createAccount(
  trx: DbOrTrx,
  now: number,
  actor: Actor,
  role: Role,
  input: Fields,
  way: LinkWay | null,
): Promise<{ id: number; uuid: string } & HandedOver> {
  const values = { ...pickFields(input, accountFields), role, created_at: new Date(now) }
  const account = await refuseTakenEmail(() => insertAccount(trx, values))
  return { ...account, ...(await handOver(trx, now, actor, way, account.id)) }
}

/**
 * Changes an account, and its role where one is given. Links that sign in go to its address, so only who may see such a link
 * names another one, in the panel, and those on their way to the one before end. Throws `email_taken`, `key_never`, and `invalid_input` at the e-mail.
 */
export async function changeAccount(
  trx: DbOrTrx,
  actor: Actor,
  before: { account_id: number; email: string },
  input: Fields,
  role?: Role,
): Promise<void> {
  if (input.email !== before.email) {
    if (actor.key !== null) throw new AppError('key_never', { fields: { email: BY_HAND } })
    if (!may(actor, 'account.password_link')) throw new AppError('invalid_input', { fields: { email: OTHER_ADDRESS } })
    await deletePasswordLinks(trx, before.account_id)
  }
  await refuseTakenEmail(() => updateAccount(trx, before.account_id, { ...pickFields(input, accountFields), ...(role && { role }) }))
}

const BY_HAND = 'The e-mail somebody signs in with is changed in the panel'
const OTHER_ADDRESS = 'Only an admin or head gives an account another e-mail'

/**
 * Makes a fresh set-password link for somebody, if they were found, and hands it over; the one before stops working. With `show`
 * it is shown to those who may see it even where it could be mailed. Throws `not_found`, `link_for_admins`, and
 * `too_many_attempts` where they mail more within an hour than anybody needs.
 */
export async function renewPasswordLink(
  trx: DbOrTrx,
  now: number,
  actor: Actor,
  entity: 'affiliate' | 'manager',
  found: { id: number; account_id: number } | undefined,
  { way, show }: { way: LinkWay; show: boolean },
): Promise<HandedOver> {
  if (found === undefined) throw new AppError('not_found')
  const handed = await handOver(trx, now, actor, way, found.account_id, show)
  if (handed.link === null && !handed.mailed) throw new AppError('link_for_admins')
  // what is refused is taken back with its mail
  if (handed.mailed) {
    await refuseBeyond(trx, now, 'link_mail', String(actor.accountId))
    await refuseBeyond(trx, now, 'link_mail_to', String(found.account_id))
  }
  await recordAudit(trx, actor, now, {
    action: 'password_link',
    entity,
    entityId: found.id,
    after: handed.link === null ? null : { shown: true },
  })
  return handed
}

/** How a link reaches its owner: by mail, whose sender writes it below the panel's address of then, or shown below that of now. */
export type LinkWay = { mail: MailQueue; publicUrl: string; panel: PanelAddress }

/** What became of a set-password link: mailed to its owner, shown to who made it, or neither. */
export type HandedOver = { link: string | null; mailed: boolean }

/**
 * Makes the link of an account and mails it where mail is set up. Otherwise, and where they ask to be shown it, those see it who
 * may: whoever has it can sign in as that person. Nobody else gets one made.
 */
async function handOver(trx: DbOrTrx, now: number, actor: Actor, way: LinkWay | null, id: number, show = false): Promise<HandedOver> {
  if (way === null) return { link: null, mailed: false }
  if (!show && (await isMailSetUp(trx))) {
    await mailPasswordLink(trx, now, way, { id, ...(await findAddressee(trx, id)) })
    return { link: null, mailed: true }
  }
  // a program does not get to sign in as somebody
  if (!may(actor, 'account.password_link') || actor.key !== null) return { link: null, mailed: false }
  return { link: linkAddress(await way.panel(trx), await createLink(trx, now, 'set_password', id)), mailed: false }
}

type Addressee = { id: number } & Pick<Awaited<ReturnType<typeof findAddressee>>, 'email' | 'name' | 'language'>

/** Mails an account a fresh set-password link, after `wait` ms; the one before stops working. */
export async function mailPasswordLink(
  trx: DbOrTrx,
  now: number,
  { mail, publicUrl }: Pick<LinkWay, 'mail' | 'publicUrl'>,
  { id, email, name, language }: Addressee,
  wait = 0,
): Promise<void> {
  const link = linkAddress(publicUrl, await createLink(trx, now, 'set_password', id))
  const to = { email, language, accountId: id }
  await mail.add(trx, now, { event: 'set_password', to, values: { name, link }, expires: now + LINK_LIFE.set_password, wait })
}

type Managed = { manager_id: number | null; manager: { uuid: string } | null }

/**
 * The manager chosen; none means oneself for those who see only their own, so that nobody loses sight of what they make.
 * Keeping the one there is `before` is always allowed, even one who has left. Throws `unknown_reference`.
 */
export async function managerFor(db: DbOrTrx, actor: Actor, uuid: string | null, before?: Managed): Promise<number | null> {
  if (before !== undefined && uuid === (before.manager?.uuid ?? null)) return before.manager_id
  if (uuid === null) return actor.scope.kind === 'managers' ? actor.managerId : null
  const managerId = await findManagerId(db, actor.scope, uuid)
  if (managerId === undefined) throw new AppError('unknown_reference', { fields: { manager_uuid: 'Choose a manager of yours' } })
  return managerId
}

/** What a write answers that may meet an address somebody has. Throws `email_taken`. */
export async function refuseTakenEmail<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (violates(error, 'account_email_key')) throw new AppError('email_taken', { fields: { email: 'This e-mail is already in use' } })
    throw error
  }
}

/** Whether PostgreSQL refused something because of this named constraint. */
function violates(error: unknown, constraint: string): boolean {
  return typeof error === 'object' && error !== null && 'constraint' in error && error.constraint === constraint
}
