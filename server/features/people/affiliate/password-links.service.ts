import type { z } from 'zod'
import type { affiliateApi } from '#contract/people/affiliate.ts'
import type { Actor } from '#server/access/actor.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { mailPasswordLink, type LinkWay } from '../account/account.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { isWithinLimit } from '../auth/limit.service.ts'
import { lockAddressees } from './affiliate.queries.ts'

/**
 * Mails set-password links to those of some affiliates in scope who are active and have no password; others are counted by why they are
 * passed over. Throws `mail_missing`.
 */
export async function mailPasswordLinks(
  db: Db,
  now: number,
  actor: Actor,
  uuids: string[],
  way: LinkWay,
): Promise<z.output<typeof affiliateApi.passwordLinks.response>> {
  return db.transaction().execute(async (trx) => {
    const found = await lockAddressees(trx, actor.scope, uuids)
    const active = found.filter(({ status }) => status === 'active')
    const without = active.filter(({ has_password }) => !has_password)
    if (without.length > 0 && !(await isMailSetUp(trx))) throw new AppError('mail_missing')
    const mailed: number[] = []
    for (const { id, account_id, email, name, language } of without) {
      const mayHave = await isWithinLimit(trx, now, 'link_mail_to', String(account_id))
      if (!mayHave || !(await isWithinLimit(trx, now, 'link_mail_many', String(actor.accountId)))) continue
      await mailPasswordLink(trx, now, way, { id: account_id, email, name, language })
      mailed.push(id)
    }
    await recordAudit(
      trx,
      actor,
      now,
      mailed.map((entityId) => ({ action: 'password_link', entity: 'affiliate', entityId })),
    )
    return {
      mailed: mailed.length,
      with_password: active.length - without.length,
      not_active: found.length - active.length,
      later: without.length - mailed.length,
    }
  })
}
