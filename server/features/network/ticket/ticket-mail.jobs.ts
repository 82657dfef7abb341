import { href } from '#contract/screens.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { dueMessages, lockDueTicket, readersOf, settleMessages } from './ticket-mail.queries.ts'

/** Messages that follow each other so closely are one mail; who goes on writing is not waited for longer than the other. */
const QUIET_MS = 60_000
const LONGEST_MS = 5 * 60_000
const LONGEST_TEXT = 4_000

/**
 * Mails what was said in one ticket to those of the other side who have not read it since: several messages at once are one mail, and
 * who reads live gets none. All or nothing, so that it is neither lost nor sent twice. Answers how many tickets it was, 0 or 1.
 */
export function mailTicketMessages({ db, mail, publicUrl }: { db: Db; mail: MailQueue; publicUrl: string }, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const ticket = await lockDueTicket(trx, { quietSince: new Date(now - QUIET_MS), begunBefore: new Date(now - LONGEST_MS) })
    if (ticket === undefined) return 0
    const due = await dueMessages(trx, ticket.id)
    for (const byStaff of [true, false]) {
      const said = due.filter((message) => message.by_staff === byStaff)
      if (said.length === 0) continue
      for (const reader of await readersOf(trx, ticket.id, !byStaff)) {
        const unread = said.filter(({ id, author_id }) => id > reader.read_id && author_id !== reader.id)
        if (unread.length === 0) continue
        const { id: accountId, email, language, name } = reader
        await mail.add(trx, now, {
          event: 'ticket_message',
          to: { email, language, accountId },
          values: {
            name,
            author: [...new Set(unread.map(({ author }) => author))].join(', '),
            number: String(ticket.id),
            subject: ticket.subject,
            text: unread
              .map(({ body }) => body || '…')
              .join('\n\n')
              .slice(0, LONGEST_TEXT),
            link: `${publicUrl}${href('tickets')}?ticket=${ticket.id}`,
          },
        })
      }
    }
    await settleMessages(
      trx,
      due.map(({ id }) => id),
    )
    return 1
  })
}
