import type { Insertable } from 'kysely'
import type { MAIL_STATUSES, MailEvent } from '#contract/network/mail.ts'
import { MAIL_TEXTS } from '#server/features/network/mail/mail-text.ts'
import type { Db, Tables } from '#server/platform/pg/database.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY

/** What the demo's log tells of a message: when it was queued, how often it was tried, what the server said. */
type Row = { event: MailEvent; hours: number; life: number; attempts: number; error?: string }

/** What the mailboxes' servers said for good, and when: the rows of the newest affiliates. */
const REFUSED: readonly Row[] = [
  [75, 'recipient_refused: 550 5.1.1 <mailbox>: Recipient address rejected: User unknown'],
  [122, 'recipient_refused: 552 5.2.2 Mailbox full'],
  [260, 'message_refused: 554 5.7.1 Message rejected as spam'],
  [410, 'recipient_refused: 550 5.4.1 Recipient address rejected: Access denied'],
  [588, 'message_refused: 550 5.7.26 This mail has been blocked because the sender is unauthenticated'],
  [910, 'recipient_refused: 550 5.1.1 No such user here'],
].map(([hours, error], place) => ({
  event: place % 2 === 0 ? 'set_password' : 'password_recovery',
  hours: Number(hours),
  life: WEEK,
  attempts: 1,
  error: String(error),
}))

/** Tried until they were of no use. */
const FAILED: readonly Row[] = [
  [55, 'recipient_refused: 451 4.7.1 Greylisted, try again later', 3],
  [168, 'timed_out', 3],
  [301, 'recipient_refused: 452 4.2.2 Over quota', 9],
  [480, 'connection_refused', 3],
  [702, 'message_refused: 451 4.3.0 Temporary failure, please try again', 9],
].map(([hours, error, attempts]) => ({
  event: attempts === 9 ? 'password_changed' : 'password_recovery',
  hours: Number(hours),
  life: attempts === 9 ? DAY : HOUR,
  attempts: Number(attempts),
  error: String(error),
}))

/** Nobody could send them: the network has no server any more. */
const EXPIRED: readonly Row[] = [3, 8, 14, 21, 29, 40].map((hours) => ({ event: 'password_recovery', hours, life: HOUR, attempts: 0 }))
const WAITING: readonly Row[] = [0.4, 2, 5, 9, 52, 60].map((hours, place) => ({
  event: 'set_password',
  hours,
  life: WEEK,
  attempts: place < 4 ? 0 : 2,
  ...(place >= 4 && { error: 'recipient_refused: 451 4.7.1 Greylisted, try again later' }),
}))

/** What was mailed to everybody over time, and came. */
const SENT: readonly MailEvent[] = ['set_password', 'password_changed', 'password_recovery', 'set_password']

/**
 * The log of mail of a network that took its server away two days ago. Only rows: nothing fills these messages, their addresses
 * are kept for examples, and the demo has no server, so that none of them can leave, whatever somebody sets up.
 */
export async function makeMail(db: Db, now: number, title: string): Promise<void> {
  const people = await db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['a.id', 'a.email', 'f.country', 'a.created_at'])
    .orderBy('f.id', 'desc')
    .execute()
  const rows: Insertable<Tables['mail']>[] = []
  const add = (place: number, status: (typeof MAIL_STATUSES)[number], { event, hours, life, attempts, error = '' }: Row) => {
    const person = people[place % people.length]
    if (person === undefined) return
    const language = person.country === 'UA' ? 'uk' : 'en'
    const at = now - hours * HOUR
    const settled = { waiting: null, sent: at + 4_000 + (place % 7) * 900, refused: at + 6_000, failed: at + life, expired: at + life }[
      status
    ]
    rows.push({
      event,
      language,
      recipient: person.email,
      account_id: person.id,
      // an unsent message has none yet
      subject: status === 'waiting' || status === 'expired' ? '' : MAIL_TEXTS[event][language].subject.replaceAll('{network}', title),
      status,
      attempts,
      next_at: new Date(status === 'waiting' ? now + (1 + place) * 240_000 : at),
      expires_at: new Date(at + life),
      created_at: new Date(at),
      settled_at: settled === null ? null : new Date(settled),
      error,
    })
  }
  for (const [place, { created_at }] of people.entries()) {
    const hours = Math.max(52 + place, (now - created_at.getTime()) / HOUR)
    if (hours < 89 * 24) add(place, 'sent', { event: SENT[place % SENT.length] ?? 'set_password', hours, life: WEEK, attempts: 1 })
  }
  for (const [place, row] of REFUSED.entries()) add(place * 3 + 2, 'refused', row)
  for (const [place, row] of FAILED.entries()) add(place * 5 + 4, 'failed', row)
  for (const [place, row] of EXPIRED.entries()) add(place * 4 + 7, 'expired', row)
  for (const [place, row] of WAITING.entries()) add(place * 2 + 9, 'waiting', row)
  await db
    .insertInto('mail')
    .values(rows.toSorted((a, b) => Number(a.created_at) - Number(b.created_at)))
    .execute()
}
