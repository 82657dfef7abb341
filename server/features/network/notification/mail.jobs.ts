import { hasOwnLetter, type NotificationChoice } from '#contract/network/notification.ts'
import { notificationTarget } from '#contract/network/notification-target.ts'
import { screensFor } from '#contract/screens.ts'
import type { Actor } from '#server/access/actor.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { choicesOf } from './choice.service.ts'
import { lockDigest, nextToMail, noteDigest, planDigest, settleMail, waitingOf, type Waiting } from './mail.queries.ts'
import { listNotifications } from './notification.queries.ts'
import { wordsOf } from './notification-text.ts'

/** What is older was told while nobody could mail it, and is no news. */
const OLDEST_MS = 36 * 3_600_000
/** A mail has so many lines, and says how many more there are. */
const MOST_LINES = 50

export type NotificationMailer = { db: Db; mail: MailQueue; publicUrl: string; unsubscribeAt: (accountUuid: string) => string }

/**
 * Mails one person what they were told, as they chose: what is wanted at once a minute after the first of it, all together; the rest
 * once a day at their hour. One transaction, so that it neither is lost nor goes out twice. Answers how many people it looked at, 0 or 1.
 */
export function mailNotifications(parts: NotificationMailer, now: number): Promise<number> {
  return parts.db.transaction().execute(async (trx) => {
    const accountId = await nextToMail(trx, now)
    if (accountId === undefined) return 0
    // another worker may have something else of the same person
    const nextAt = await lockDigest(trx, accountId)
    const waiting = await waitingOf(trx, accountId)
    const reader = await actorOfAccount(trx, accountId)
    if (reader === undefined || !(await isMailSetUp(trx))) {
      await settleMail(trx, uuidsOf(waiting), null)
      return 1
    }
    const side = reader.affiliateId === null ? 'staff' : 'affiliate'
    const { stopped, hour, choices } = await choicesOf(trx, accountId, side)
    const sorted = sortOut(waiting, stopped ? [] : choices, now)
    await settleMail(trx, uuidsOf(sorted.done), null)
    await send(parts, trx, now, reader, 'notifications', sorted.now)
    await settleMail(trx, uuidsOf(sorted.now), null)
    if (sorted.daily.length === 0) return 1
    const who = { accountId, zone: reader.timeZone, hour }
    if (nextAt !== null && nextAt.getTime() <= now) {
      await send(parts, trx, now, reader, 'notification_digest', sorted.daily)
      await settleMail(trx, uuidsOf(sorted.daily), null)
      await noteDigest(trx, now, who)
    } else {
      await settleMail(trx, uuidsOf(sorted.daily), nextAt ?? (await planDigest(trx, now, who)))
    }
    return 1
  })
}

/** What is to be mailed now, what with the digest, and what not: kinds nobody wants, what was read or is old, and what has letters of its own. */
function sortOut(waiting: readonly Waiting[], choices: readonly NotificationChoice[], now: number) {
  const wayOf = (one: Waiting) => {
    if (one.read || now - one.at.getTime() > OLDEST_MS) return 'off'
    const way = choices.find(({ kind }) => kind === one.kind)?.mail ?? 'off'
    // what is said in a ticket comes at once in a letter of its own, which says more
    return hasOwnLetter(one.kind) || (way === 'now' && one.kind === 'ticket_message') ? 'off' : way
  }
  const sorted = Map.groupBy(waiting, wayOf)
  return { done: sorted.get('off') ?? [], now: sorted.get('now') ?? [], daily: sorted.get('daily') ?? [] }
}

/** One mail of them, in the reader's language and with the names they may know; none where they have been taken back or say nothing any more. */
async function send(
  { mail, publicUrl, unsubscribeAt }: NotificationMailer,
  trx: Trx,
  now: number,
  reader: Actor,
  event: 'notifications' | 'notification_digest',
  those: readonly Waiting[],
): Promise<void> {
  if (those.length === 0) return
  const { list } = await listNotifications(trx, now, reader, { count: MOST_LINES, page: 1 }, uuidsOf(those))
  if (list.length === 0) return
  const side = reader.affiliateId === null ? 'staff' : 'affiliate'
  const screens = new Set(screensFor(reader.role))
  const lines = [...Map.groupBy(list, ({ kind }) => kind)].flatMap(([kind, group]) =>
    hasOwnLetter(kind)
      ? []
      : group.map((one) => {
          const target = notificationTarget(one, (screen) => screens.has(screen))
          return `• ${wordsOf({ ...one, kind }, side, reader.language)}\n${publicUrl}${target}`
        }),
  )
  const more = those.length - list.length
  await mail.add(trx, now, {
    event,
    to: { email: reader.email, language: reader.language, accountId: reader.accountId },
    values: {
      name: reader.name,
      count: String(those.length),
      items: [...lines, ...(more > 0 ? [`+ ${more}`] : [])].join('\n'),
      unsubscribe: unsubscribeAt(reader.uuid),
    },
  })
}

const uuidsOf = (those: readonly { uuid: string }[]) => those.map(({ uuid }) => uuid)
