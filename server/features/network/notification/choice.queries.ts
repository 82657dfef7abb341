import { sql } from 'kysely'
import type { NotificationChoice } from '#contract/network/notification.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

/** What somebody chose for single kinds. */
export function listChoices(db: DbOrTrx, accountId: number) {
  return db.selectFrom('notification_choice').select(['kind', 'bell', 'mail']).where('account_id', '=', accountId).execute()
}

export function findDigest(db: DbOrTrx, accountId: number) {
  return db.selectFrom('notification_digest').select(['hour', 'stopped']).where('account_id', '=', accountId).executeTakeFirst()
}

/** Replaces what somebody chose; what waits for a digest is looked at anew. */
export async function storeChoices(
  trx: Trx,
  now: number,
  accountId: number,
  { hour, stopped, choices }: { hour: number; stopped: boolean; choices: readonly NotificationChoice[] },
): Promise<void> {
  await trx
    .insertInto('notification_digest')
    .values({ account_id: accountId, hour, stopped })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ hour, stopped, next_at: null }))
    .execute()
  await trx.deleteFrom('notification_choice').where('account_id', '=', accountId).execute()
  if (choices.length > 0)
    await trx
      .insertInto('notification_choice')
      .values(choices.map((choice) => ({ account_id: accountId, ...choice })))
      .execute()
  await trx
    .updateTable('notification')
    .set({ mail_at: new Date(now) })
    .where('account_id', '=', accountId)
    .where('mail_at', '>', new Date(now))
    .execute()
}

/** Ends these mails for who holds the link; false where there is no such account. */
export async function stopMails(db: Db, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    insert into notification_digest (account_id, stopped) select id, true from account where uuid = ${uuid}::uuid
    on conflict (account_id) do update set stopped = true returning account_id`.execute(db)
  return rows.length > 0
}
