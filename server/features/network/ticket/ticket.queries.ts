import { sql, type Insertable, type RawBuilder, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { StatusChange } from '#contract/fields.ts'
import type { ticketFilters, TicketStatus } from '#contract/network/ticket.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage, type SortKey } from '#server/platform/pg/list-page.ts'
import { containing, countRows } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { whoseStatusChanges } from '#server/platform/pg/status-change.ts'

type Filters = z.output<typeof ticketFilters>

/** Who looks: an affiliate reads no notes, and what it has not read are the messages of staff; for staff it is the other way round. */
export type Viewer = { accountId: number; staff: boolean }

const SORT_COLUMNS = {
  id: 't.id',
  last_at: 't.last_at',
  created_at: 't.created_at',
  waiting_since: 't.waiting_since',
  priority: sql`array_position(array['low', 'normal', 'high', 'urgent'], t.priority)`,
} as const satisfies Record<Filters['sort'], SortKey>

/** One page of the tickets in scope, and how many there are in all; with `before` only those of lower numbers. */
export function listTickets(db: Db, scope: Scope, viewer: Viewer, filters: Filters, before: number | null = null) {
  const found = ticketsInScope(db, scope)
    .$if(before !== null, (query) => query.where('t.id', '<', before))
    .$if(filters.status.length > 0, (query) => query.where('t.status', 'in', filters.status))
    .$if(filters.category.length > 0, (query) => query.where('t.category', 'in', filters.category))
    .$if(filters.priority.length > 0, (query) => query.where('t.priority', 'in', filters.priority))
    .$if(filters.affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', filters.affiliate_uuid))
    .$if(viewer.staff && filters.assigned === 'me', (query) => query.where('t.assignee_id', '=', viewer.accountId))
    .$if(viewer.staff && filters.assigned === 'nobody', (query) => query.where('t.assignee_id', 'is', null))
    .$if(filters.unread, (query) => query.where(sql<boolean>`exists (${unreadOf(viewer)})`))
    .$if(filters.search !== '', (query) => query.where(isFound(viewer, filters.search)))
    .select([...LIST_COLUMNS, 'by.uuid as assignee_uuid', 'by.name as assignee_name'])
    .select([AFFILIATE, countUnread(viewer), EXCERPT])
  return listPage(found, SORT_COLUMNS, filters)
}
export type ListedTicket = Awaited<ReturnType<typeof listTickets>>['list'][number]

/** One ticket in scope by uuid or number, with the one it goes on from and the newest that goes on from it. */
export function getTicket(db: DbOrTrx, scope: Scope, viewer: Viewer, key: string) {
  return ticketsInScope(db, scope)
    .leftJoin('offer as o', 'o.id', 't.offer_id')
    .leftJoin('advertiser as d', 'd.id', 'o.advertiser_id')
    .leftJoin('ticket as e', 'e.id', 't.earlier_id')
    .where(keyIs(key, { uuid: 't.uuid', id: 't.id' }))
    .select([...LIST_COLUMNS, 'by.uuid as assignee_uuid', 'by.name as assignee_name', 't.closed_at', 't.answered_at', 't.by_staff'])
    .select(['t.offer_answer', 'e.uuid as earlier_uuid', 'e.id as earlier_id'])
    .select([
      AFFILIATE,
      countUnread(viewer),
      reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).as('offer'),
      isInScope(scope, { advertiserManager: 'd.manager_id' }).as('own_offer'),
      sql<{ uuid: string; id: number } | null>`(
        select json_build_object('uuid', l.uuid, 'id', l.id) from ticket l where l.earlier_id = t.id order by l.id desc limit 1)`.as(
        'later',
      ),
    ])
    .executeTakeFirst()
}
export type FoundTicket = NonNullable<Awaited<ReturnType<typeof getTicket>>>

/** One ticket in scope, kept from changing meanwhile. */
export function lockTicket(trx: Trx, scope: Scope, key: string) {
  return ticketsInScope(trx, scope)
    .where(keyIs(key, { uuid: 't.uuid', id: 't.id' }))
    .leftJoin('offer as o', 'o.id', 't.offer_id')
    .select(['t.id', 't.uuid', 't.affiliate_id', 't.subject', 't.category', 't.priority', 't.status', 't.assignee_id', 't.offer_id'])
    .select(['t.offer_answer', 't.by_staff', 't.waiting_since', 't.answered_at', 't.closed_at'])
    .select(['o.uuid as offer_uuid', 'a.uuid as affiliate_uuid'])
    .forUpdate('t')
    .executeTakeFirst()
}
export type LockedTicket = NonNullable<Awaited<ReturnType<typeof lockTicket>>>

/** The newest ticket that goes on from one. */
export async function findLater(trx: Trx, ticketId: number): Promise<string | undefined> {
  const later = await trx
    .selectFrom('ticket')
    .select('uuid')
    .where('earlier_id', '=', ticketId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return later?.uuid
}

/** Locks the tickets in scope whose status would change, where one is expected only from that one, in the order of their ids. */
export function lockTickets(trx: Trx, scope: Scope, change: Partial<StatusChange<TicketStatus>> & { uuids: string[] }) {
  return whoseStatusChanges(
    ticketsInScope(trx, scope).select(['t.id', 't.status', 't.assignee_id', 'f.manager_id']),
    { uuid: 't.uuid', id: 't.id', status: 't.status' },
    change,
  )
    .forUpdate('t')
    .execute()
}

export function insertTicket(trx: Trx, values: Insertable<Tables['ticket']>) {
  return trx.insertInto('ticket').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateTickets(trx: Trx, ids: number[], values: Updateable<Tables['ticket']>): Promise<void> {
  if (ids.length > 0) await trx.updateTable('ticket').set(values).where('id', 'in', ids).execute()
}

/** How many tickets an affiliate opened since a moment, and when the first of them was. */
export function countOpened(trx: Trx, affiliateId: number, since: Date) {
  return trx
    .selectFrom('ticket')
    .select([sql<number>`count(*)::int`.as('rows'), sql<Date | null>`min(created_at)`.as('first')])
    .where('affiliate_id', '=', affiliateId)
    .where('by_staff', '=', false)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
}

/** In how many tickets that are not closed something is unread. */
export function countUnreadTickets(db: Db, scope: Scope, viewer: Viewer): Promise<number> {
  return countRows(
    ticketsInScope(db, scope)
      .where('t.status', '!=', 'closed')
      .where(sql<boolean>`exists (${unreadOf(viewer)})`),
  )
}

/** How long affiliates waited for a first answer, in seconds, of the tickets in scope that they opened since a moment. */
export function firstAnswers(db: Db, scope: Scope, since: Date) {
  return ticketsInScope(db, scope)
    .where('t.by_staff', '=', false)
    .where('t.created_at', '>', since)
    .select([
      sql<number | null>`round(percentile_cont(0.5) within group (order by extract(epoch from t.answered_at - t.created_at)))::int`.as(
        'median',
      ),
      sql<number>`count(t.answered_at)::int`.as('answered'),
      sql<number>`(count(*) filter (where t.answered_at is null and t.status <> 'closed'))::int`.as('unanswered'),
    ])
    .executeTakeFirstOrThrow()
}

function ticketsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('ticket as t')
    .innerJoin('affiliate as f', 'f.id', 't.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('account as by', 'by.id', 't.assignee_id')
    .where(inScope(scope, { affiliateId: 't.affiliate_id', affiliateManager: 'f.manager_id' }))
}

const LIST_COLUMNS = [
  't.id',
  't.uuid',
  't.subject',
  't.category',
  't.priority',
  't.status',
  't.created_at',
  't.last_at',
  't.waiting_since',
] as const
const AFFILIATE = reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).as('affiliate')

/** Messages of the other side that somebody has not read. */
function unreadOf({ accountId, staff }: Viewer): RawBuilder<unknown> {
  return sql`select 1 from ticket_message m
    where m.ticket_id = t.id and m.by_staff = ${!staff} and m.kind in ('message', 'approved', 'rejected')
      and m.id > coalesce((select r.read_id from ticket_reader r where r.ticket_id = t.id and r.account_id = ${accountId}), 0)`
}

function countUnread(viewer: Viewer) {
  return sql<number>`(select count(*)::int from (${unreadOf(viewer)} limit 100) as u)`.as('unread')
}

/** How the last thing begins that was said. */
const EXCERPT = sql<string>`coalesce((
  select left(m.body, 160) from ticket_message m
   where m.ticket_id = t.id and m.kind in ('message', 'approved', 'rejected') order by m.id desc limit 1), '')`.as('excerpt')

/** The number, a part of the subject, or all the words, of which each may be cut short, in one message that the viewer may read. */
function isFound({ staff }: Viewer, search: string): RawBuilder<boolean> {
  const words = search.match(/[\p{L}\p{N}]+/gu)?.slice(0, 10) ?? []
  const query = words.map((word) => `${word}:*`).join(' & ')
  const number = search.replace(/^#/, '')
  return sql<boolean>`(t.subject ilike ${containing(search)} or t.id::text = ${number} or t.uuid::text = ${search} ${
    query === ''
      ? sql``
      : sql`or t.id in (select m.ticket_id from ticket_message m
          where to_tsvector('simple', m.body) @@ to_tsquery('simple', ${query}) and (m.kind <> 'note' or ${staff}))`
  })`
}
