import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import { href } from '#contract/screens.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { mailPasswordLink } from '../account/account.service.ts'
import { deleteDecisionMail, findApplicants, findWithoutPassword, updateApplications } from './application.queries.ts'

/** What is needed to write to people. */
export type Post = { mail: MailQueue; publicUrl: string }

/** Decisions can be taken back for a moment: so long their mail waits. */
const SECOND_THOUGHT = 15_000

/**
 * Keeps what was decided about those who signed up, and has them told by mail: that they are let in, or are not and why. Who is let in
 * and never signed up, such as one out of a file, has no password: they are mailed the link that sets one.
 */
export async function tellDecision(
  trx: DbOrTrx,
  now: number,
  { mail, publicUrl }: Post,
  decided: readonly { id: number; status: string }[],
  { status, reason }: { status: string; reason: string },
): Promise<void> {
  if (status !== 'active' && status !== 'rejected') return
  if (status === 'active' && (await isMailSetUp(trx)))
    for (const account of await findWithoutPassword(
      trx,
      decided.map(({ id }) => id),
    ))
      await mailPasswordLink(trx, now, { mail, publicUrl }, account, SECOND_THOUGHT)
  // who was active before is no applicant any more
  const ids = decided.filter((one) => one.status === 'moderation' || one.status === 'unverified').map(({ id }) => id)
  const applicants = await findApplicants(trx, ids)
  const those = applicants.map(({ affiliate_id }) => affiliate_id)
  await updateApplications(trx, those, { decided_at: new Date(now), reason: status === 'rejected' ? reason : '' })
  for (const { id, email, name, language } of applicants) {
    const to = { email, language, accountId: id }
    const letter = { to, wait: SECOND_THOUGHT }
    if (status === 'active')
      await mail.add(trx, now, { ...letter, event: 'registration_approved', values: { name, link: `${publicUrl}${href('login')}` } })
    else await mail.add(trx, now, { ...letter, event: 'registration_rejected', values: { name, reason } })
  }
}

/** The same undone: what has not been sent yet is not sent. */
export async function untellDecision(trx: DbOrTrx, back: readonly { id: number; account_id: number; at: Date }[]): Promise<void> {
  if (back.length === 0) return
  await updateApplications(
    trx,
    back.map(({ id }) => id),
    { decided_at: null, reason: '' },
  )
  await deleteDecisionMail(trx, back)
}
