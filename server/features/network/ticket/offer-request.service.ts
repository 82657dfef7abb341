import type { z } from 'zod'
import type { ticketApi } from '#contract/network/ticket.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { tellTicket } from '#server/features/network/notification/tell.queries.ts'
import { decideAccessWithin } from '#server/features/offers/access/access.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { answerColumns } from './answer.service.ts'
import { announceTickets } from './change.queries.ts'
import { findByKey, insertMessage, lockWriter, markRead } from './message.queries.ts'
import { lockTicket, updateTickets } from './ticket.queries.ts'
import { refuseActing, statusColumns, viewerOf } from './ticket.service.ts'

/**
 * Decides about the access that an offer request in scope asks for, and says so in the ticket, all or nothing. The same call again
 * changes nothing. Throws `not_found`, `forbidden` where the offer is somebody else's, `conflict` where it is decided.
 */
export async function decideOfferRequest(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { key: callKey, status, reason }: z.output<typeof ticketApi.decideOffer.body>,
): Promise<void> {
  refuseActing(actor)
  if (!may(actor, 'offer.write')) throw new AppError('forbidden')
  await db.transaction().execute(async (trx) => {
    await lockWriter(trx, actor.accountId)
    if ((await findByKey(trx, actor.accountId, callKey)) !== undefined) return
    const ticket = await lockTicket(trx, actor.scope, key)
    if (ticket === undefined) throw new AppError('not_found')
    if (ticket.category !== 'offer_request' || ticket.offer_uuid === null) throw new AppError('status_not_allowed')
    if (ticket.offer_answer !== null) throw new AppError('conflict')
    // who asked by the list of offers too is answered by this; who was let in meanwhile stays
    const entry = { offer_uuid: ticket.offer_uuid, affiliate_uuid: ticket.affiliate_uuid }
    const { offers } = await decideAccessWithin(trx, now, actor, [entry], { status, reason })
    if (offers === 0) throw new AppError('forbidden')
    const said = { kind: status, author_id: actor.accountId, by_staff: true, body: reason, key: callKey, at: new Date(now), mail_due: true }
    const message = await insertMessage(trx, { ticket_id: ticket.id, ...said })
    await markRead(trx, ticket.id, viewerOf(actor), { id: message.id })
    await updateTickets(trx, [ticket.id], {
      ...statusColumns('waiting_user', now),
      ...answerColumns(now, actor, ticket),
      offer_answer: status,
    })
    const change = { before: { offer_answer: null }, after: { offer_answer: status } }
    await recordAudit(trx, actor, now, { action: 'decide_offer', entity: 'ticket', entityId: ticket.id, ...change })
    // the affiliate is told of its access already; this is for a colleague who answers the ticket
    await tellTicket(trx, now, { ticketId: ticket.id, toStaff: true, but: actor.accountId })
    await announceTickets(trx, [ticket.id], true)
  })
}
