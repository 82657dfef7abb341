import type { z } from 'zod'
import { href } from '#contract/screens.ts'
import { ownProfileFields, type ownProfile, type ownProfileApi } from '#contract/people/own-profile.ts'
import { affiliateOf, may, type Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { requireLanguage } from '#server/features/network/setting/general.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { hashToken } from '#server/platform/secret.ts'
import { findAddressee, updateAccount } from '../account/account.queries.ts'
import { refuseTakenEmail } from '../account/account.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { checkPassword } from '../auth/check-password.service.ts'
import { refuseBeyond } from '../auth/limit.service.ts'
import { deletePasswordLinks, findLink, findWaitingEmail, useLink } from '../auth/link.queries.ts'
import { createLink, LINK_LIFE } from '../auth/link.service.ts'
import { ownOnly } from '../auth/own-only.ts'
import { tellOwner, type ToldFrom } from '../auth/tell-owner.service.ts'
import { isEmailTaken } from '../registration/registration.queries.ts'
import { phoneOf } from './phone.ts'
import { getAffiliate, updateAffiliates } from './affiliate.queries.ts'

type Input = z.output<typeof ownProfileApi.update.body>
const FOR_ALL = { kind: 'all' } as const

/** The own profile of an affiliate. */
export async function readOwnProfile(db: DbOrTrx, now: number, actor: Actor): Promise<z.input<typeof ownProfile>> {
  const [row, { language }, mail, new_email] = await Promise.all([
    own(db, actor),
    findAddressee(db, actor.accountId),
    isMailSetUp(db),
    findWaitingEmail(db, actor.accountId, now),
  ])
  return { ...row, language, mail, new_email }
}

/** Changes it. Throws `conflict`, `unknown_reference`, `invalid_input`. */
export async function updateOwnProfile(db: Db, now: number, actor: Actor, { version, ...input }: Input): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await own(trx, actor, true)
    refuseStale(row, version)
    const { language } = await findAddressee(trx, actor.accountId)
    const before = { ...pickFields({ ...row, language }, ownProfileFields) }
    if (input.language !== language) await requireLanguage(trx, input.language)
    if (input.currency !== row.currency) await requireCurrency(trx, input.currency)
    const phone = phoneOf(input.phone, row.phone)
    const { name, time_zone, language: spoken, ...affiliate } = { ...input, phone }
    await updateAccount(trx, actor.accountId, { name, time_zone, language: spoken })
    await updateAffiliates(trx, [row.id], affiliate)
    await recordAudit(trx, actor, now, { action: 'update', entity: 'affiliate', entityId: row.id, before, after: { ...input, phone } })
    await announce(trx, 'affiliate', [row.id])
  })
}

/** Whose address it is in the log; only who has a page for the own profile changes it alone. Throws `forbidden`. */
function logged(actor: Actor) {
  ownOnly(actor)
  if (actor.affiliateId !== null) return { entity: 'affiliate', entityId: actor.affiliateId } as const
  if (!may(actor, 'setting.general')) throw new AppError('forbidden')
  return { entity: 'account', entityId: actor.accountId } as const
}

/** Mails a link to another address. What is whose is never told: nothing is mailed to an address somebody has. Throws `wrong_password`, `mail_not_set_up`. */
export async function askForEmail(
  db: Db,
  now: number,
  actor: Actor,
  { email, password }: { email: string; password: string },
  from: ToldFrom & { publicUrl: string },
): Promise<void> {
  const subject = logged(actor)
  if (!(await isMailSetUp(db)))
    throw new AppError('invalid_input', { fields: { email: 'This network sends no mail yet: ask your manager to change it' } })
  await checkPassword(db, now, actor, password, 'password')
  if (email === actor.email) throw new AppError('invalid_input', { fields: { email: 'This is your address already' } })
  await refuseBeyond(db, now, 'change_email', String(actor.accountId))
  await db.transaction().execute(async (trx) => {
    const token = await createLink(trx, now, 'change_email', actor.accountId, email)
    await recordAudit(trx, actor, now, { action: 'ask_email', ...subject })
    if (await isEmailTaken(trx, email)) return
    const { name, language } = await findAddressee(trx, actor.accountId)
    const link = `${from.publicUrl}${href('settingsProfile')}?email=${token}`
    const values = { name, link }
    await from.mail.add(trx, now, {
      event: 'email_change',
      to: { email, language, accountId: actor.accountId },
      values,
      expires: now + LINK_LIFE.change_email,
    })
  })
}

/** Takes the address a link was mailed to; links to the old one end, and the old one is told. Throws `link_expired`, `email_taken`. */
export async function confirmOwnEmail(db: Db, now: number, actor: Actor, token: string, from: ToldFrom): Promise<{ email: string }> {
  const subject = logged(actor)
  return db.transaction().execute(async (trx) => {
    const link = await findLink(trx, hashToken(token), now, ['change_email'], true)
    // a link somebody else was mailed does not exist
    if (link === undefined || link.new_email === null || link.account_id !== actor.accountId) throw new AppError('link_expired')
    const email = link.new_email
    const { email: before } = await findAddressee(trx, actor.accountId)
    await tellOwner(trx, now, actor.accountId, from, { event: 'email_changed', values: {} })
    await refuseTakenEmail(() => updateAccount(trx, actor.accountId, { email }))
    await useLink(trx, link.token_hash, now)
    await deletePasswordLinks(trx, actor.accountId)
    const change = { before: { email: before }, after: { email } }
    await recordAudit(trx, actor, now, { action: 'change_email', ...subject, ...change })
    return { email }
  })
}

async function own(db: DbOrTrx, actor: Actor, lock = false) {
  const row = await getAffiliate(db, FOR_ALL, String(affiliateOf(actor)), lock)
  if (row === undefined) throw new AppError('not_found')
  return row
}
