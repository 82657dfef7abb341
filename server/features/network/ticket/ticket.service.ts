import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type ticketApi, type TicketStatus } from '#contract/network/ticket.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { recordAudit, statusChanges } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { findAssignee } from './assignee.queries.ts'
import { announceTickets } from './change.queries.ts'
import { insertEvents, isMessageInScope } from './message.queries.ts'
import { lockTicket, lockTickets, updateTickets, type Viewer } from './ticket.queries.ts'

/** How somebody looks at tickets. */
export function viewerOf(actor: Actor): Viewer {
  return { accountId: actor.accountId, staff: may(actor, 'ticket.manage') }
}

/** Whether somebody may read the message that a file belongs to. */
export function maySeeMessage(db: Db, actor: Actor, messageId: number): Promise<boolean> {
  return isMessageInScope(db, actor.scope, may(actor, 'ticket.manage'), messageId)
}

/** Staff who act as an affiliate read its tickets; what they have to say they say as themselves. Throws `forbidden`. */
export function refuseActing(actor: Actor): void {
  if (actor.acting !== null) throw new AppError('forbidden')
}

/** Gives tickets in scope one status; those outside of it are passed over. Answers how many changed. */
export async function changeTicketStatus(
  db: Db,
  now: number,
  actor: Actor,
  change: z.output<typeof ticketApi.setStatus.body>,
): Promise<number> {
  refuseActing(actor)
  return db.transaction().execute(async (trx) => {
    const changing = await lockTickets(trx, actor.scope, change)
    await giveStatus(trx, now, actor, changing, change.status)
    return changing.length
  })
}

/** Closes one ticket in scope; answers 0 where it is closed. Throws `not_found`. */
export async function closeTicket(db: Db, now: number, actor: Actor, key: string): Promise<number> {
  refuseActing(actor)
  return db.transaction().execute(async (trx) => {
    const ticket = await lockTicket(trx, actor.scope, key)
    if (ticket === undefined) throw new AppError('not_found')
    if (ticket.status === 'closed') return 0
    await giveStatus(trx, now, actor, [ticket], 'closed')
    return 1
  })
}

/** What a status brings with it. `since` = what it waited since until now. */
export function statusColumns(status: TicketStatus, now: number, since: Date | null = null) {
  const at = new Date(now)
  return { status, waiting_since: status === 'waiting_us' ? (since ?? at) : null, closed_at: status === 'closed' ? at : null }
}

async function giveStatus(
  trx: Trx,
  now: number,
  actor: Actor,
  tickets: readonly { id: number; status: TicketStatus }[],
  status: TicketStatus,
): Promise<void> {
  const ids = tickets.map(({ id }) => id)
  await updateTickets(trx, ids, statusColumns(status, now))
  const kind = status === 'closed' ? ('closed' as const) : ('reopened' as const)
  const told = tickets.filter((ticket) => ticket.status === 'closed' || status === 'closed')
  const by = { author_id: actor.accountId, by_staff: may(actor, 'ticket.manage'), at: new Date(now) }
  await insertEvents(
    trx,
    told.map(({ id }) => ({ ...by, ticket_id: id, kind, key: randomUUID() })),
  )
  await recordAudit(trx, actor, now, statusChanges('ticket', tickets, status))
  await announceTickets(trx, ids, true)
}

/** Gives tickets in scope to somebody of staff, or to nobody; those whom they may not read are passed over. Answers how many changed. Throws `unknown_reference`. */
export async function assignTickets(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, assignee_uuid }: z.output<typeof ticketApi.assign.body>,
): Promise<number> {
  refuseActing(actor)
  return db.transaction().execute(async (trx) => {
    const assignee = assignee_uuid === null ? null : await findAssignee(trx, assignee_uuid)
    if (assignee === undefined)
      throw new AppError('unknown_reference', { fields: { assignee_uuid: 'Choose somebody who answers tickets' } })
    const locked = await lockTickets(trx, actor.scope, { uuids })
    const given = locked.filter(
      (ticket) =>
        ticket.assignee_id !== (assignee?.id ?? null) &&
        (assignee === null || assignee.sees_all || ticket.manager_id === assignee.manager_id),
    )
    const ids = given.map(({ id }) => id)
    await updateTickets(trx, ids, { assignee_id: assignee?.id ?? null })
    await recordAudit(
      trx,
      actor,
      now,
      given.map(({ id, assignee_id }) => ({
        action: 'assign',
        entity: 'ticket',
        entityId: id,
        before: { assignee_id },
        after: { assignee_id: assignee?.id ?? null },
      })),
    )
    await announceTickets(trx, ids, false)
    return ids.length
  })
}

/** Changes what a ticket in scope is about and how urgent it is; an offer request stays one. Throws `not_found`, `status_not_allowed`. */
export async function updateTicket(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  input: z.output<typeof ticketApi.update.body>,
): Promise<void> {
  refuseActing(actor)
  await db.transaction().execute(async (trx) => {
    const ticket = await lockTicket(trx, actor.scope, key)
    if (ticket === undefined) throw new AppError('not_found')
    if (input.category !== undefined && ticket.category === 'offer_request') throw new AppError('status_not_allowed')
    const { category = ticket.category, priority = ticket.priority } = input
    if (category === ticket.category && priority === ticket.priority) return
    await updateTickets(trx, [ticket.id], { category, priority })
    const before = { category: ticket.category, priority: ticket.priority }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'ticket', entityId: ticket.id, before, after: { category, priority } })
    await announceTickets(trx, [ticket.id], true)
  })
}
