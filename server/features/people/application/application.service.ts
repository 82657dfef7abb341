import type { Actor } from '#server/access/actor.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { getAffiliate } from '../affiliate/affiliate.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { refuseBeyond } from '../auth/limit.service.ts'
import { mailConfirmation } from '../auth/recovery.service.ts'
import { findApplicants } from './application.queries.ts'
import type { Post } from './decision.service.ts'

/**
 * Mails the confirming link of an affiliate in scope once more. Throws `not_found`, `status_not_allowed` where there is nothing
 * to confirm or nothing to mail with, `too_many_attempts`.
 */
export async function sendConfirmation(db: Db, now: number, actor: Actor, post: Post, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const affiliate = await getAffiliate(trx, actor.scope, key, true)
    if (affiliate === undefined) throw new AppError('not_found')
    const [applicant] = await findApplicants(trx, [affiliate.id])
    if (applicant === undefined || affiliate.status !== 'unverified' || !(await isMailSetUp(trx))) throw new AppError('status_not_allowed')
    await refuseBeyond(trx, now, 'confirmation_mail', applicant.email)
    await mailConfirmation(trx, now, post, applicant)
    await recordAudit(trx, actor, now, { action: 'resend_confirmation', entity: 'affiliate', entityId: affiliate.id })
  })
}
