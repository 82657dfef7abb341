import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, uuid } from '#contract/fields.ts'
import { commaList, cursorPageOf, cursorPaging } from '#contract/partner-page.ts'
import { TICKET_STATUSES, ticketDetail, ticketInput, ticketMessage, ticketRow } from './ticket.ts'

/** A ticket as its affiliate knows it. */
const partnerTicketRow = ticketRow.omit({ affiliate: true, assignee: true })
const partnerTicket = ticketDetail.omit({ affiliate: true, assignee: true, may_decide: true })

/** Tickets, for programs of affiliates. */
export const partnerApiTicketApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/partner/v1/tickets',
    access: 'partner.api',
    summary: 'Your tickets, the newest first.',
    query: z.object({ ...cursorPaging, status: commaList(z.enum(TICKET_STATUSES), TICKET_STATUSES.length), search: line(100).default('') }),
    response: cursorPageOf(partnerTicketRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/partner/v1/tickets/:uuid',
    access: 'partner.api',
    summary: 'One ticket of yours, without its messages.',
    params: byUuid,
    response: partnerTicket,
  }),
  messages: endpoint({
    method: 'GET',
    path: '/api/partner/v1/ticket-messages/:uuid',
    access: 'partner.api',
    summary: 'What was said in a ticket, the newest first.',
    params: byUuid,
    query: z.object(cursorPaging),
    response: cursorPageOf(ticketMessage),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/partner/v1/tickets',
    access: 'partner.api',
    summary: 'Opens a ticket.',
    body: z.object({
      subject: ticketInput.shape.subject,
      body: ticketInput.shape.body,
      category: ticketInput.shape.category.exclude(['offer_request']).default('general'),
      priority: ticketInput.shape.priority,
    }),
    response: z.object({ uuid, id: z.int() }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/partner/v1/ticket-messages/:uuid',
    access: 'partner.api',
    summary: 'Says something in a ticket; answers the ticket it stands in, a new one where it was closed long ago.',
    params: byUuid,
    body: z.object({ body: ticketInput.shape.body }),
    response: z.object({ uuid, id: z.int(), message_uuid: uuid }),
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/partner/v1/ticket-close/:uuid',
    access: 'partner.api',
    summary: 'Closes a ticket; an answer opens it again.',
    params: byUuid,
    response: z.object({ changed: z.int() }),
  }),
}
