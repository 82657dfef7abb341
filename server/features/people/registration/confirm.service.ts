import type { z } from 'zod'
import { type registrationApi, registrationSetting } from '#contract/people/registration.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { hashToken } from '#server/platform/secret.ts'
import { updateAffiliates } from '../affiliate/affiliate.queries.ts'
import { updateApplications } from '../application/application.queries.ts'
import type { Post } from '../application/decision.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { limitLine } from '../auth/limit.service.ts'
import { findLink, useLink } from '../auth/link.queries.ts'
import { lockAffiliateOf } from './registration.queries.ts'
import { receive } from './registration.service.ts'

/**
 * Confirms the address of whoever holds the link: in an open network they are in, else staff decide. Whom staff have
 * decided about already stays as they are. A link works once. Throws `link_expired`, `too_many_attempts`.
 */
export async function confirmEmail(
  db: Db,
  now: number,
  post: Post,
  token: string,
  from: string,
): Promise<z.input<typeof registrationApi.confirm.response>> {
  await limitLine(db, now, 'confirm', from)
  return db.transaction().execute(async (trx) => {
    const link = await findLink(trx, hashToken(token), now, ['confirm_email'], true)
    if (link === undefined || link.account_id === null) throw new AppError('link_expired')
    await useLink(trx, link.token_hash, now)
    const found = await lockAffiliateOf(trx, link.account_id)
    if (found === undefined) throw new AppError('link_expired')
    await updateApplications(trx, [found.id], { confirmed_at: new Date(now) })
    const { email } = found
    if (found.status !== 'unverified') return { status: found.status === 'active' ? 'active' : 'moderation', email }
    const { mode } = await getSetting(trx, registrationSetting)
    const status = mode === 'open' ? 'active' : 'moderation'
    await updateAffiliates(trx, [found.id], { status })
    const change = { before: { status: found.status }, after: { status } }
    await recordAudit(trx, null, now, { action: 'confirm_email', entity: 'affiliate', entityId: found.id, ...change })
    await announce(trx, 'affiliate', [found.id])
    await receive(trx, now, post, { affiliateId: found.id, status, mailed: true }, { ...found, id: link.account_id })
    return { status, email }
  })
}
