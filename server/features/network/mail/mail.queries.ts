import { sql, type Insertable } from 'kysely'
import type { z } from 'zod'
import type { mailFilters } from '#contract/network/mail.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { containing, countRows, pageOf } from '#server/platform/pg/paging.ts'

export async function insertMail(trx: DbOrTrx, values: Insertable<Tables['mail']>): Promise<void> {
  await trx.insertInto('mail').values(values).execute()
}

const SORT_COLUMNS = {
  created_at: 'm.created_at',
  status: 'm.status',
  event: 'm.event',
  recipient: 'm.recipient',
  attempts: 'm.attempts',
  settled_at: 'm.settled_at',
} as const satisfies Record<z.output<typeof mailFilters>['sort'], string>

/** One page of the log, and how many messages it has in all; of what fills one only whether it is still there. */
export async function listMail(db: Db, now: number, filters: z.output<typeof mailFilters>) {
  const found = db
    .selectFrom('mail as m')
    .$if(filters.search !== '', (query) => query.where('m.recipient', 'ilike', containing(filters.search)))
    .$if(filters.status.length > 0, (query) => query.where('m.status', 'in', filters.status))
    .$if(filters.event.length > 0, (query) => query.where('m.event', 'in', filters.event))
    .$if(filters.from !== null, (query) => query.where('m.created_at', '>=', new Date(filters.from ?? 0)))
    .$if(filters.to !== null, (query) => query.where('m.created_at', '<', new Date(filters.to ?? 0)))
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select([
        'm.uuid',
        'm.event',
        'm.language',
        'm.recipient',
        'm.subject',
        'm.status',
        'm.attempts',
        'm.created_at',
        'm.next_at',
        'm.settled_at',
        'm.expires_at',
        'm.error',
      ])
      .select(sql<boolean>`m.status in ('refused', 'failed') and m.sealed is not null and m.expires_at > ${new Date(now)}`.as('again'))
      .orderBy(SORT_COLUMNS[filters.sort], (order) => (filters.direction === 'asc' ? order.asc() : order.desc()).nullsLast())
      .orderBy('m.id', filters.direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** Queues messages once more that did not go and whose values are still there; answers which. */
export function requeueMail(db: DbOrTrx, now: number, uuids: readonly string[]) {
  return db
    .updateTable('mail')
    .set({ status: 'waiting', settled_at: null, next_at: new Date(now), leased_until: null })
    .where('uuid', 'in', [...uuids])
    .where('status', 'in', ['refused', 'failed'])
    .where('sealed', 'is not', null)
    .where('expires_at', '>', new Date(now))
    .returning(['id', 'recipient'])
    .execute()
}

/** How much waits, and what went wrong last. */
export async function mailQueue(db: DbOrTrx, since: number): Promise<{ waiting: number; failed: number; last_error: string }> {
  const { rows } = await sql<{ waiting: number; failed: number; last_error: string | null }>`
    select (select count(*)::int from mail where status = 'waiting') as waiting,
           (select count(*)::int from mail where created_at > ${new Date(since)} and status in ('refused', 'failed', 'expired')) as failed,
           (select error from mail where created_at > ${new Date(since)} and error <> '' and status in ('waiting', 'refused', 'failed')
             order by coalesce(settled_at, taken_at) desc nulls last limit 1) as last_error`.execute(db)
  return { waiting: rows[0]?.waiting ?? 0, failed: rows[0]?.failed ?? 0, last_error: rows[0]?.last_error ?? '' }
}

/** Removes what is older; answers how many. */
export async function deleteMailBefore(db: DbOrTrx, time: Date): Promise<number> {
  return Number(
    (await db.deleteFrom('mail').where('created_at', '<', time).where('status', '<>', 'waiting').executeTakeFirst()).numDeletedRows,
  )
}
