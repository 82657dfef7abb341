import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { isWithinLimit, limitLine } from './limit.service.ts'
import { createLink, LINK_LIFE, linkAddress, signupAddress } from './link.service.ts'
import { findRecipient, insertMailRequest, takeMailRequests } from './recovery.queries.ts'

/**
 * Asks for a link that sets another password. Whose the address is nobody looks here: what is done, and how long it takes, is
 * the same for a stranger's, somebody's and one that is blocked; a worker does the rest. Throws `too_many_attempts`.
 */
export async function askForRecovery(db: Db, now: number, email: string, from: string): Promise<void> {
  await limitLine(db, now, 'recovery', from)
  await insertMailRequest(db, { kind: 'recovery', email, at: new Date(now) })
}

/** Asks for the link that confirms an address once more, in the same way. Throws `too_many_attempts`. */
export async function askForConfirmation(db: Db, now: number, email: string, from: string): Promise<void> {
  await limitLine(db, now, 'resend', from)
  await insertMailRequest(db, { kind: 'confirmation', email, at: new Date(now) })
}

const AT_ONCE = 20

/**
 * Mails the links that were asked for: of a forgotten password to who may sign in, of an address to who has not confirmed it.
 * All others get nothing, and so does an address that was asked for too often. Answers how many requests there were.
 */
export async function answerMailRequests(
  { db, mail, publicUrl }: { db: Db; mail: MailQueue; publicUrl: string },
  now: number,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const requests = await takeMailRequests(trx, AT_ONCE)
    if (requests.length === 0 || !(await isMailSetUp(trx))) return requests.length
    // always in one order, so that two workers never wait for each other's counts
    for (const { kind, email } of requests.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
      const to = await findRecipient(trx, email)
      if (to === undefined || to.status !== (kind === 'recovery' ? 'active' : 'unverified')) continue
      if (!(await isWithinLimit(trx, now, kind === 'recovery' ? 'recovery_mail' : 'confirmation_mail', email))) continue
      if (kind === 'recovery') {
        const link = linkAddress(publicUrl, await createLink(trx, now, 'recovery', to.id))
        await mail.add(trx, now, {
          event: 'password_recovery',
          to: { email, language: to.language, accountId: to.id },
          values: { name: to.name, link },
          expires: now + LINK_LIFE.recovery,
        })
      } else await mailConfirmation(trx, now, { mail, publicUrl }, to)
    }
    return requests.length
  })
}

type Recipient = { id: number; email: string; name: string; language: 'en' | 'uk' }

/** Mails the link that confirms somebody's address; the one before stops working. */
export async function mailConfirmation(
  trx: DbOrTrx,
  now: number,
  { mail, publicUrl }: { mail: MailQueue; publicUrl: string },
  { id, email, name, language }: Recipient,
): Promise<void> {
  const link = signupAddress(publicUrl, await createLink(trx, now, 'confirm_email', id))
  await mail.add(trx, now, {
    event: 'email_confirmation',
    to: { email, language, accountId: id },
    values: { name, link },
    expires: now + LINK_LIFE.confirm_email,
  })
}
