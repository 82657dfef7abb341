import { sql } from 'kysely'
import { ANSWERS_TICKET } from '#server/features/network/notification/tell.queries.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** A ticket in which something was said that nobody was mailed yet, once it has been quiet since a moment, or began before another; kept from others who mail. */
export function lockDueTicket(trx: Trx, { quietSince, begunBefore }: { quietSince: Date; begunBefore: Date }) {
  return trx
    .selectFrom('ticket as t')
    .select(['t.id', 't.subject'])
    .where((where) =>
      where(
        't.id',
        'in',
        where
          .selectFrom('ticket_message as m')
          .select('m.ticket_id')
          .where('m.mail_due', '=', true)
          .groupBy('m.ticket_id')
          .having(sql<boolean>`max(m.at) <= ${quietSince} or min(m.at) <= ${begunBefore}`),
      ),
    )
    .orderBy('t.id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** What was said in it that is to be mailed, in order. */
export function dueMessages(trx: Trx, ticketId: number) {
  return trx
    .selectFrom('ticket_message as m')
    .innerJoin('account as a', 'a.id', 'm.author_id')
    .select(['m.id', 'm.by_staff', 'm.author_id', 'a.name as author', sql<string>`left(m.body, 2000)`.as('body')])
    .where('m.ticket_id', '=', ticketId)
    .where('m.mail_due', '=', true)
    .orderBy('m.id')
    .limit(50)
    .execute()
}

/** Whom a side of a ticket is: its active affiliate, or who answers it; each with up to which message they have read it; not those who want it with their digest, or not at all. */
export async function readersOf(db: DbOrTrx, ticketId: number, staff: boolean) {
  const { rows } = await sql<{ id: number; email: string; name: string; language: 'en' | 'uk'; read_id: number }>`
    select a.id, a.email, a.name, a.language, coalesce(r.read_id, 0) as read_id
      from ticket t join affiliate f on f.id = t.affiliate_id
      ${
        staff
          ? sql`join manager m on m.status = 'active' join account a on a.id = m.account_id and ${ANSWERS_TICKET}`
          : sql`join account a on a.id = f.account_id and f.status = 'active'`
      }
      left join notification_choice c on c.account_id = a.id and c.kind = 'ticket_message'
      left join notification_digest g on g.account_id = a.id
      left join ticket_reader r on r.ticket_id = t.id and r.account_id = a.id
     where t.id = ${ticketId} and coalesce(c.mail, 'now') = 'now' and not coalesce(g.stopped, false) order by a.id limit 20`.execute(db)
  return rows
}

/** They are mailed, or need not be. */
export async function settleMessages(trx: Trx, ids: number[]): Promise<void> {
  await trx.updateTable('ticket_message').set({ mail_due: false }).where('id', 'in', ids).execute()
}
