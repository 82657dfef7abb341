import { sql, type Insertable } from 'kysely'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Viewer } from './ticket.queries.ts'

/** The last messages of a ticket, or those before one of them, newest first, each with the files it brought. */
export function listMessages(
  db: Db,
  { accountId, staff }: Viewer,
  ticketId: number,
  { before, count }: { before: string | null; count: number },
) {
  return db
    .selectFrom('ticket_message as m')
    .innerJoin('account as a', 'a.id', 'm.author_id')
    .where('m.ticket_id', '=', ticketId)
    .$if(!staff, (query) => query.where('m.kind', '!=', 'note'))
    .$if(before !== null, (query) =>
      query.where('m.id', '<', (of) =>
        of.selectFrom('ticket_message as b').select('b.id').where('b.ticket_id', '=', ticketId).where('b.uuid', '=', before),
      ),
    )
    .select(['m.id', 'm.uuid', 'm.kind', 'm.by_staff', 'm.body', 'm.at', 'a.name as author'])
    .select([
      sql<boolean>`m.author_id = ${accountId}`.as('own'),
      sql<{ uuid: string; name: string; size: number; picture: boolean }[]>`coalesce((
        select json_agg(json_build_object('uuid', f.uuid, 'name', f.name, 'size', f.size, 'picture', f.width is not null) order by f.place, f.uuid)
          from file f where f.kind = 'ticket' and f.owner_id = m.id), '[]')`.as('files'),
    ])
    .orderBy('m.id', 'desc')
    .limit(count)
    .execute()
}
export type MessageRow = Awaited<ReturnType<typeof listMessages>>[number]

/** Up to which message either side has read a ticket. */
export function readUpTo(db: Db, ticketId: number) {
  return db
    .selectFrom('ticket_reader as r')
    .innerJoin('account as a', 'a.id', 'r.account_id')
    .where('r.ticket_id', '=', ticketId)
    .select([
      sql<number>`coalesce(max(r.read_id) filter (where a.role = 'affiliate'), 0)`.as('affiliate'),
      sql<number>`coalesce(max(r.read_id) filter (where a.role <> 'affiliate'), 0)`.as('staff'),
    ])
    .executeTakeFirstOrThrow()
}

/** Lets one call of an account write at a time, until the transaction ends: the same one sent twice finds what the first made. */
export async function lockWriter(trx: Trx, accountId: number): Promise<void> {
  await lockName(trx, `ticket ${accountId}`)
}

/** What an account said by a call, and where. */
export function findByKey(trx: Trx, accountId: number, key: string) {
  return trx
    .selectFrom('ticket_message as m')
    .innerJoin('ticket as t', 't.id', 'm.ticket_id')
    .select(['t.uuid', 't.id', 'm.uuid as message_uuid'])
    .where('m.author_id', '=', accountId)
    .where('m.key', '=', key)
    .executeTakeFirst()
}

export function insertMessage(trx: Trx, values: Insertable<Tables['ticket_message']>) {
  return trx.insertInto('ticket_message').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

/** Puts down that something was done with tickets. */
export async function insertEvents(trx: Trx, values: Insertable<Tables['ticket_message']>[]): Promise<void> {
  if (values.length > 0) await trx.insertInto('ticket_message').values(values).execute()
}

/** How many messages an account has written since a moment, and when the first of them was. */
export function countWritten(trx: Trx, accountId: number, since: Date) {
  return trx
    .selectFrom('ticket_message')
    .select([sql<number>`count(*)::int`.as('rows'), sql<Date | null>`min(at)`.as('first')])
    .where('author_id', '=', accountId)
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
}

/** Whether a colleague has answered after a message; after one that is not of this ticket everything is. */
export async function isAnsweredSince(trx: Trx, ticketId: number, accountId: number, seen: string): Promise<boolean> {
  const answer = await trx
    .selectFrom('ticket_message as m')
    .select('m.id')
    .where('m.ticket_id', '=', ticketId)
    .where('m.by_staff', '=', true)
    .where('m.kind', 'in', ['message', 'approved', 'rejected'])
    .where('m.author_id', '!=', accountId)
    .where(sql<boolean>`m.id > coalesce((select b.id from ticket_message b where b.ticket_id = ${ticketId} and b.uuid = ${seen}::uuid), 0)`)
    .limit(1)
    .executeTakeFirst()
  return answer !== undefined
}

/**
 * Puts down that somebody has read a ticket up to a message, which is of that ticket, and for affiliates no note; what was read stays
 * read. False where there is no such message.
 */
export async function markRead(
  db: DbOrTrx,
  ticketId: number,
  { accountId, staff }: Viewer,
  message: { uuid: string } | { id: number },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into ticket_reader (ticket_id, account_id, read_id)
    select m.ticket_id, ${accountId}, m.id from ticket_message m
     where m.ticket_id = ${ticketId} and ${'uuid' in message ? sql`m.uuid = ${message.uuid}::uuid` : sql`m.id = ${message.id}`}
       and (m.kind <> 'note' or ${staff})
    on conflict (ticket_id, account_id) do update set read_id = greatest(ticket_reader.read_id, excluded.read_id)`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}

/** Whether a message may be read in a scope: by affiliates no note. */
export async function isMessageInScope(db: Db, scope: Scope, staff: boolean, messageId: number): Promise<boolean> {
  const found = await db
    .selectFrom('ticket_message as m')
    .innerJoin('ticket as t', 't.id', 'm.ticket_id')
    .innerJoin('affiliate as f', 'f.id', 't.affiliate_id')
    .where('m.id', '=', messageId)
    .where(inScope(scope, { affiliateId: 't.affiliate_id', affiliateManager: 'f.manager_id' }))
    .$if(!staff, (query) => query.where('m.kind', '!=', 'note'))
    .select('m.id')
    .executeTakeFirst()
  return found !== undefined
}
