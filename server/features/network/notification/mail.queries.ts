import { sql } from 'kysely'
import type { NotificationKind } from '#contract/network/notification.ts'
import type { Trx } from '#server/platform/pg/database.ts'

/** Whom something is to be mailed to; another worker may be about it. */
export async function nextToMail(trx: Trx, now: number): Promise<number | undefined> {
  const { rows } = await sql<{ account_id: number }>`
    select account_id from notification where mail_at <= ${new Date(now)} order by mail_at limit 1`.execute(trx)
  return rows[0]?.account_id
}

export type Waiting = { uuid: string; kind: NotificationKind; at: Date; read: boolean }

/** What waits to be looked at or for the digest. */
export async function waitingOf(trx: Trx, accountId: number): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`
    select uuid, kind, at, read_at is not null as read
      from notification where account_id = ${accountId} and mail_at is not null order by at desc, id desc limit 1000`.execute(trx)
  return rows
}

/** Says when those are looked at next; null = no more. */
export async function settleMail(trx: Trx, uuids: readonly string[], mailAt: Date | null): Promise<void> {
  if (uuids.length > 0)
    await trx
      .updateTable('notification')
      .set({ mail_at: mailAt })
      .where('uuid', 'in', [...uuids])
      .execute()
}

/** When somebody's digest goes out next, where something waits for it; their row is kept from other workers until the transaction ends. */
export async function lockDigest(trx: Trx, accountId: number): Promise<Date | null> {
  await sql`insert into notification_digest (account_id) values (${accountId}) on conflict do nothing`.execute(trx)
  const found = await trx
    .selectFrom('notification_digest')
    .select('next_at')
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return found.next_at
}

/**
 * Sets the next moment of somebody's digest: that hour of their zone, today or, where it is over or today's has gone out, tomorrow.
 * An hour that the clock skips is the one after it.
 */
export async function planDigest(
  trx: Trx,
  now: number,
  { accountId, zone, hour }: { accountId: number; zone: string; hour: number },
): Promise<Date> {
  const at = sql`${new Date(now)}::timestamptz`
  const moment = (day: number) =>
    sql`((${at} at time zone ${zone})::date + ${day}::int + make_interval(hours => ${hour})) at time zone ${zone}`
  const { rows } = await sql<{ next_at: Date }>`
    update notification_digest set next_at =
      case when ${moment(0)} > ${at} and sent_on is distinct from (${at} at time zone ${zone})::date then ${moment(0)} else ${moment(1)} end
     where account_id = ${accountId} returning next_at`.execute(trx)
  const [row] = rows
  if (row === undefined) throw new Error('whose digest is planned has no row')
  return row.next_at
}

/** Notes that today's digest has gone out. */
export async function noteDigest(trx: Trx, now: number, { accountId, zone }: { accountId: number; zone: string }): Promise<void> {
  await sql`update notification_digest set next_at = null, sent_on = (${new Date(now)}::timestamptz at time zone ${zone})::date
             where account_id = ${accountId}`.execute(trx)
}
