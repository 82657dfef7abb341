import type { z } from 'zod'
import { MOST_TICKET_FILES, REOPEN_DAYS, type ticketApi } from '#contract/network/ticket.ts'
import { affiliateOf, may, type Actor } from '#server/access/actor.ts'
import { giveFiles } from '#server/features/network/file/file.service.ts'
import { readTicketNotification } from '#server/features/network/notification/notification.queries.ts'
import { tellTicket } from '#server/features/network/notification/tell.queries.ts'
import { getPartnerOffer } from '#server/features/offers/partner-offer/partner-offer.queries.ts'
import { ownAffiliate } from '#server/features/people/affiliate/affiliate.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { announceTickets } from './change.queries.ts'
import { countWritten, findByKey, insertMessage, isAnsweredSince, lockWriter, markRead } from './message.queries.ts'
import { countOpened, findLater, getTicket, insertTicket, lockTicket, updateTickets, type LockedTicket } from './ticket.queries.ts'
import { refuseActing, statusColumns, viewerOf } from './ticket.service.ts'

const AN_HOUR = 3_600_000
const REOPEN_MS = REOPEN_DAYS * 86_400_000
/** What one affiliate may write in an hour; nobody of staff is held up. */
const MOST_OPENED = 10
const MOST_WRITTEN = 60

type Input = z.output<typeof ticketApi.create.body>
type Answer = z.output<typeof ticketApi.answer.body>
type Said = Pick<Answer, 'key' | 'body' | 'files'>

/** Opens a ticket: an affiliate its own, staff one with an affiliate in scope. The same call again answers the same ticket. Throws `unknown_reference`, `invalid_input`, `too_many_attempts`. */
export async function createTicket(db: Db, now: number, actor: Actor, input: Input): Promise<{ uuid: string; id: number }> {
  refuseActing(actor)
  const { subject, category, priority } = input
  return db.transaction().execute(async (trx) => {
    await lockWriter(trx, actor.accountId)
    const known = await findByKey(trx, actor.accountId, input.key)
    if (known !== undefined) return known
    const affiliateId = await affiliateFor(trx, actor, input.affiliate_uuid)
    const offerId = await requestedOffer(trx, actor, affiliateId, input)
    await refuseTooMany(trx, now, actor, 'open')
    const made = await addTicket(trx, now, actor, { affiliate_id: affiliateId, subject, category, priority, offer_id: offerId })
    await say(trx, now, actor, made, input)
    await announceTickets(trx, [made.id], true)
    return made
  })
}

/**
 * Says something in a ticket in scope, or notes it for staff. The same call again answers the same message. One that was closed long
 * ago goes on in a new ticket, or in the one that goes on from it already. Throws `not_found`, `forbidden`, `invalid_input`, `conflict`, `too_many_attempts`.
 */
export async function answerTicket(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { internal, seen, close, ...said }: Answer,
): Promise<{ uuid: string; id: number; message_uuid: string }> {
  refuseActing(actor)
  const staff = may(actor, 'ticket.manage')
  if (!staff && (internal || close)) throw new AppError('forbidden')
  if (said.body === '' && said.files.length === 0)
    throw new AppError('invalid_input', { fields: { body: 'Write something, or add a file' } })
  return db.transaction().execute(async (trx) => {
    await lockWriter(trx, actor.accountId)
    const known = await findByKey(trx, actor.accountId, said.key)
    if (known !== undefined) return known
    const asked = await lockTicket(trx, actor.scope, key)
    if (asked === undefined) throw new AppError('not_found')
    await refuseTooMany(trx, now, actor, 'answer')
    if (internal) return note(trx, now, actor, asked, said)
    if (staff && seen !== null && (await isAnsweredSince(trx, asked.id, actor.accountId, seen))) throw new AppError('conflict')
    const ticket = await openOne(trx, now, actor, asked)
    const message = await say(trx, now, actor, ticket, said)
    await updateTickets(trx, [ticket.id], {
      ...statusColumns(close ? 'closed' : staff ? 'waiting_user' : 'waiting_us', now, ticket.waiting_since),
      ...answerColumns(now, actor, ticket),
    })
    await announceTickets(trx, [ticket.id], true)
    return { uuid: ticket.uuid, id: ticket.id, message_uuid: message.uuid }
  })
}

/** Marks what was said in a ticket in scope up to a message as read. Throws `not_found`. */
export async function readTicket(db: Db, now: number, actor: Actor, key: string, until: string): Promise<void> {
  const ticket = await getTicket(db, actor.scope, viewerOf(actor), key)
  if (ticket === undefined) throw new AppError('not_found')
  // staff who act as an affiliate read without marking
  if (actor.acting !== null) return
  if (!(await markRead(db, ticket.id, viewerOf(actor), { uuid: until }))) throw new AppError('not_found')
  await readTicketNotification(db, actor.accountId, ticket.id, now)
}

/** When something was last said in a ticket, and when staff first answered it. */
export function answerColumns(now: number, actor: Actor, ticket: Pick<LockedTicket, 'by_staff' | 'answered_at'>) {
  const first = may(actor, 'ticket.manage') && ticket.answered_at === null && !ticket.by_staff
  return { last_at: new Date(now), ...(first && { answered_at: new Date(now) }) }
}

async function note(trx: Trx, now: number, actor: Actor, ticket: LockedTicket, { key, body, files }: Said) {
  const values = { ticket_id: ticket.id, kind: 'note' as const, author_id: actor.accountId, by_staff: true, body, key, at: new Date(now) }
  const message = await insertMessage(trx, values)
  await giveFiles(trx, actor, { kind: 'ticket', ownerId: message.id, uuids: files, field: 'files' })
  await announceTickets(trx, [ticket.id], false)
  return { uuid: ticket.uuid, id: ticket.id, message_uuid: message.uuid }
}

/** Writes a message, which its author has read; the other side is told, at once in the panel and later by mail. */
async function say(trx: Trx, now: number, actor: Actor, ticket: { id: number }, { key, body, files }: Said) {
  const staff = may(actor, 'ticket.manage')
  const by = { author_id: actor.accountId, by_staff: staff, at: new Date(now) }
  const message = await insertMessage(trx, { ticket_id: ticket.id, kind: 'message', ...by, body, key, mail_due: true })
  await giveFiles(trx, actor, { kind: 'ticket', ownerId: message.id, uuids: files.slice(0, MOST_TICKET_FILES), field: 'files' })
  await markRead(trx, ticket.id, viewerOf(actor), { id: message.id })
  await tellTicket(trx, now, { ticketId: ticket.id, toStaff: !staff, but: actor.accountId })
  return message
}

/** The ticket itself while an answer may reopen it, else the last that goes on from it, else a new one. */
async function openOne(trx: Trx, now: number, actor: Actor, asked: LockedTicket) {
  let ticket = asked
  while (ticket.closed_at !== null && now - ticket.closed_at.getTime() > REOPEN_MS) {
    const uuid = await findLater(trx, ticket.id)
    const later = uuid === undefined ? undefined : await lockTicket(trx, actor.scope, uuid)
    if (later === undefined) {
      const { affiliate_id, subject, priority, id: earlier_id } = ticket
      const category = ticket.category === 'offer_request' ? ('general' as const) : ticket.category
      return addTicket(trx, now, actor, { affiliate_id, subject, category, priority, earlier_id })
    }
    ticket = later
  }
  return ticket
}

async function addTicket(
  trx: Trx,
  now: number,
  actor: Actor,
  ticket: Pick<Parameters<typeof insertTicket>[1], 'affiliate_id' | 'subject' | 'category' | 'priority' | 'offer_id' | 'earlier_id'>,
) {
  const staff = may(actor, 'ticket.manage')
  const at = new Date(now)
  const made = await insertTicket(trx, {
    ...ticket,
    ...statusColumns(staff ? 'waiting_user' : 'waiting_us', now),
    assignee_id: staff ? actor.accountId : null,
    by_staff: staff,
    created_at: at,
    last_at: at,
  })
  await recordAudit(trx, actor, now, { action: 'create', entity: 'ticket', entityId: made.id, after: ticket })
  return { ...made, by_staff: staff, waiting_since: null, answered_at: null }
}

async function affiliateFor(trx: Trx, actor: Actor, uuid: string | null): Promise<number> {
  if (may(actor, 'ticket.manage')) {
    if (uuid === null) throw new AppError('invalid_input', { fields: { affiliate_uuid: 'Required' } })
    return ownAffiliate(trx, actor, uuid)
  }
  if (uuid !== null && uuid !== actor.uuid)
    throw new AppError('unknown_reference', { fields: { affiliate_uuid: 'Choose an affiliate of yours' } })
  return affiliateOf(actor)
}

/** The offer that an affiliate asks for: one it sees and may not run yet. */
async function requestedOffer(trx: Trx, actor: Actor, affiliateId: number, { category, offer_uuid }: Input): Promise<number | null> {
  if (category !== 'offer_request') {
    if (offer_uuid !== null) throw new AppError('invalid_input', { fields: { offer_uuid: 'Only an offer request names an offer' } })
    return null
  }
  if (may(actor, 'ticket.manage')) throw new AppError('invalid_input', { fields: { category: 'Only affiliates ask for offers' } })
  if (offer_uuid === null) throw new AppError('invalid_input', { fields: { offer_uuid: 'Required' } })
  const offer = await getPartnerOffer(trx, affiliateId, offer_uuid)
  if (offer === undefined) throw new AppError('unknown_reference', { fields: { offer_uuid: 'Choose an offer you can see' } })
  if (offer.access === 'approved') throw new AppError('invalid_input', { fields: { offer_uuid: 'You have access to this offer already' } })
  return offer.id
}

async function refuseTooMany(trx: Trx, now: number, actor: Actor, to: 'open' | 'answer'): Promise<void> {
  if (may(actor, 'ticket.manage')) return
  const since = new Date(now - AN_HOUR)
  const { rows, first } =
    to === 'open' ? await countOpened(trx, affiliateOf(actor), since) : await countWritten(trx, actor.accountId, since)
  if (rows < (to === 'open' ? MOST_OPENED : MOST_WRITTEN)) return
  throw new AppError('too_many_attempts', { retryAfter: Math.ceil(((first?.getTime() ?? now) + AN_HOUR - now) / 1000) })
}
