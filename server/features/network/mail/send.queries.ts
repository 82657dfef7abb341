import { sql } from 'kysely'
import type { MailEvent } from '#contract/network/mail.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'

export type DueMail = {
  id: string
  uuid: string
  event: MailEvent
  language: 'en' | 'uk'
  recipient: string
  sealed: Buffer | null
  attachment: Buffer | null
  attachment_name: string
  document_id: number | null
  /** This try among them. */
  attempts: number
  expires_at: Date
}

const A_MINUTE = 60_000

/** Whether anything is to be sent now. */
export async function anyMailDue(db: Db, now: number): Promise<boolean> {
  const { rows } = await sql`select 1 from mail where ${isDue(now)} limit 1`.execute(db)
  return rows.length > 0
}

/**
 * Takes due messages for `leaseMs`, those that wait longest first: at most `limit`, and no more than the minute still has
 * room for. Workers take turns, so that the room is counted right and no message is had by two.
 */
export async function claimMail(
  db: Db,
  now: number,
  { limit, perMinute, leaseMs }: { limit: number; perMinute: number; leaseMs: number },
): Promise<DueMail[]> {
  return db.transaction().execute(async (trx) => {
    await lockName(trx, 'messages are taken')
    const { rows } = await sql<DueMail>`
      with due as (
        select id from mail where ${isDue(now)} order by next_at, id
         limit least(${limit}, greatest(0, ${perMinute} - (select count(*) from mail where taken_at > ${new Date(now - A_MINUTE)})))
           for update skip locked
      )
      update mail m set taken_at = ${new Date(now)}, leased_until = ${new Date(now + leaseMs)}, attempts = attempts + 1
        from due where m.id = due.id
      returning m.id, m.uuid, m.event, m.language, m.recipient, m.sealed, m.attachment, m.attachment_name, m.document_id, m.attempts, m.expires_at`.execute(
      trx,
    )
    return rows
  })
}

/** A document that goes along with a message. */
export function documentOf(db: DbOrTrx, id: number) {
  return db.selectFrom('document').select(['number', 'bytes']).where('id', '=', id).executeTakeFirstOrThrow()
}

/** What became of a try. Values of a message that is gone are cleared; those of one that was refused stay until they are of no use. */
export async function settleMail(
  db: DbOrTrx,
  { id, attempts }: Pick<DueMail, 'id' | 'attempts'>,
  now: number,
  result: { status: 'sent' | 'refused' | 'failed'; subject: string; error: string } | { nextAt: number; error: string },
): Promise<void> {
  await db
    .updateTable('mail')
    .set(
      'nextAt' in result
        ? { next_at: new Date(result.nextAt), error: result.error, leased_until: null }
        : {
            status: result.status,
            subject: result.subject,
            error: result.error,
            settled_at: new Date(now),
            leased_until: null,
            ...(result.status === 'sent' && { sealed: null, attachment: null }),
          },
    )
    .where('id', '=', id)
    // whoever took it since knows better
    .where('attempts', '=', attempts)
    .where('status', '=', 'waiting')
    .execute()
}

/** Gives up what came too late; what a worker has just now is passed over. Answers how many. */
export async function expireMail(db: DbOrTrx, now: number): Promise<number> {
  const expired = await db
    .updateTable('mail')
    .set({ status: 'expired', settled_at: new Date(now), sealed: null, attachment: null, leased_until: null })
    .where('status', '=', 'waiting')
    .where('expires_at', '<=', new Date(now))
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<=', new Date(now))]))
    .executeTakeFirst()
  return Number(expired.numUpdatedRows)
}

/** Clears what filled messages that did not go, once it is of no use. */
export async function clearOldValues(db: DbOrTrx, now: number): Promise<void> {
  await db
    .updateTable('mail')
    .set({ sealed: null, attachment: null })
    .where('status', 'in', ['refused', 'failed'])
    .where('sealed', 'is not', null)
    .where('expires_at', '<=', new Date(now))
    .execute()
}

function isDue(now: number) {
  const at = new Date(now)
  return sql`status = 'waiting' and next_at <= ${at} and expires_at > ${at} and (leased_until is null or leased_until <= ${at})`
}
