import type { z } from 'zod'
import type { applicationApi } from '#contract/people/application.ts'
import { registrationSetting } from '#contract/people/registration.ts'
import type { Actor } from '#server/access/actor.ts'
import type { PanelAddress } from '#server/features/network/domain/address.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { findByEmail } from '../account/account.queries.ts'
import { managerFor } from '../account/account.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { refuseBeyond } from '../auth/limit.service.ts'
import { signupAddress } from '../auth/link.service.ts'
import type { Post } from './decision.service.ts'
import { insertInvitation, isInvited, revokeInvitations } from './invitation.queries.ts'

const LIFE = 14 * 86_400_000

/**
 * Invites an address: by mail, or where none is set up by the link that is answered. An earlier invitation of the same address
 * in scope ends; another's is a mistake at the e-mail. Throws `email_taken`, `unknown_reference`, `too_many_attempts`, and `limit_reached` while registration is closed.
 */
export async function invite(
  db: Db,
  now: number,
  actor: Actor,
  { mail, publicUrl, panel }: Post & { panel: PanelAddress },
  { email, language, manager_uuid }: z.output<typeof applicationApi.invite.body>,
): Promise<{ uuid: string; link: string | null }> {
  return db.transaction().execute(async (trx) => {
    const { mode } = await getSetting(trx, registrationSetting)
    if (mode === 'closed')
      throw new AppError('invalid_input', { fields: { email: 'Registration is closed: nobody can sign up, by invitation neither' } })
    const manager_id = await managerFor(trx, actor, manager_uuid)
    if ((await findByEmail(trx, email)) !== undefined)
      throw new AppError('email_taken', { fields: { email: 'This e-mail is already in use' } })
    await refuseBeyond(trx, now, 'invite', String(actor.accountId))
    const mailed = await isMailSetUp(trx)
    await revokeInvitations(trx, now, { scope: actor.scope, email })
    // a colleague's stands: who is invited twice would be lost to whoever asked first
    if (await isInvited(trx, now, email))
      throw new AppError('invalid_input', { fields: { email: 'Somebody else has invited this address' } })
    const token = newToken()
    const expires = now + LIFE
    const made = await insertInvitation(trx, {
      token_hash: hashToken(token),
      email,
      language,
      manager_id,
      invited_by: actor.accountId,
      mailed,
      created_at: new Date(now),
      expires_at: new Date(expires),
    })
    const link = signupAddress(publicUrl, token)
    if (mailed) await mail.add(trx, now, { event: 'invitation', to: { email, language }, values: { link }, expires })
    await recordAudit(trx, actor, now, {
      action: 'invite',
      entity: 'invitation',
      entityId: made.id,
      after: { email, language, manager_id },
    })
    return { uuid: made.uuid, link: mailed ? null : signupAddress(await panel(trx), token) }
  })
}

/** Takes an invitation in scope back. Throws `not_found` where there is none that could still be used. */
export async function revokeInvitation(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const [revoked] = await revokeInvitations(trx, now, { scope: actor.scope, uuid })
    if (revoked === undefined) throw new AppError('not_found')
    await recordAudit(trx, actor, now, { action: 'revoke', entity: 'invitation', entityId: revoked.id })
  })
}
