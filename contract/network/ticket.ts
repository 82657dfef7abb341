import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, paragraph, reference, requiredLine, someOf, statusChange, uuid } from '#contract/fields.ts'
import { listOf, MAX_PAGE_SIZE, paging, sorting } from '#contract/paging.ts'

/** What a ticket is about. An offer request names an offer: approving it lets the affiliate in. */
export const TICKET_CATEGORIES = ['general', 'finance', 'technical', 'offer_request'] as const
export const TICKET_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
/**
 * Who is to say something: it waits for us after a message of the affiliate, for the user (the affiliate) after one of staff.
 * Open is set by hand: staff work on it, nobody has to answer.
 */
export const TICKET_STATUSES = ['open', 'waiting_us', 'waiting_user', 'closed'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]

/** An answer reopens a closed ticket for so many days; later it makes a new one that refers to it. */
export const REOPEN_DAYS = 14
/** Files of one message. */
export const MOST_TICKET_FILES = 5
export const LONGEST_MESSAGE = 10_000
/** Figures can be asked of so many days. */
export const TICKET_FIGURE_DAYS = [7, 30, 90] as const

const status = z.enum(TICKET_STATUSES)
const category = z.enum(TICKET_CATEGORIES)
const priority = z.enum(TICKET_PRIORITIES)

/** A ticket in a list. Affiliates are told of no assignee. */
export const ticketRow = z.object({
  uuid,
  id: z.int(),
  subject: z.string(),
  category,
  priority,
  status,
  affiliate: reference.nullable(),
  assignee: z.object({ uuid, name: z.string() }).nullable(),
  created_at: moment,
  last_at: moment,
  /** Since when it waits for staff. */
  waiting_since: moment.nullable(),
  /** Messages of the other side that the caller has not read, at most 100 are counted. */
  unread: z.int(),
  /** How the last message begins that the caller may read. */
  excerpt: z.string(),
})
export type TicketRow = z.output<typeof ticketRow>

export const ticketDetail = ticketRow.omit({ excerpt: true }).extend({
  closed_at: moment.nullable(),
  /** Seconds until staff first answered; null while they have not, and of one that staff opened. */
  first_answer: z.int().nullable(),
  by_staff: z.boolean(),
  offer: reference.nullable(),
  offer_answer: z.enum(['approved', 'rejected']).nullable(),
  /** Whether the caller may decide about the offer now. */
  may_decide: z.boolean(),
  /** The closed ticket that this one goes on from, and those that go on from this one. */
  earlier: z.object({ uuid, id: z.int() }).nullable(),
  later: z.object({ uuid, id: z.int() }).nullable(),
})
export type Ticket = z.output<typeof ticketDetail>

export const ticketFile = z.object({ uuid, name: z.string(), size: z.int(), picture: z.boolean() })
export type TicketFile = z.output<typeof ticketFile>

/** Something said or done in a ticket. Notes are for staff alone: no answer to an affiliate holds one. */
export const ticketMessage = z.object({
  uuid,
  kind: z.enum(['message', 'note', 'closed', 'reopened', 'approved', 'rejected']),
  author: z.string(),
  by_staff: z.boolean(),
  own: z.boolean(),
  body: z.string(),
  at: moment,
  files: z.array(ticketFile),
  /** Whether somebody of the other side has read it; null of what they are not shown. */
  read: z.boolean().nullable(),
})
export type TicketMessage = z.output<typeof ticketMessage>

/** What a message holds. `key` names the call: sent again, it is the same message. */
const said = {
  key: uuid,
  body: paragraph(LONGEST_MESSAGE).default(''),
  files: z.array(uuid).max(MOST_TICKET_FILES).default([]),
}

export const ticketInput = z.object({
  ...said,
  body: paragraph(LONGEST_MESSAGE).min(1, 'Required'),
  subject: requiredLine(150),
  category,
  priority: priority.default('normal'),
  /** Of offer requests. */
  offer_uuid: uuid.nullable().default(null),
  /** Staff say with whom; affiliates open their own. */
  affiliate_uuid: uuid.nullable().default(null),
})

export const ticketFilters = z.object({
  ...paging,
  ...sorting(['last_at', 'created_at', 'waiting_since', 'priority', 'id']),
  /** Words of subject and messages, or the number. */
  search: line(100).default(''),
  status: someOf(status),
  category: someOf(category),
  priority: someOf(priority),
  /** Staff only: affiliates are told of no assignee. */
  assigned: z.enum(['anybody', 'me', 'nobody']).default('anybody'),
  affiliate_uuid: z.array(uuid).max(100).default([]),
  unread: z.boolean().default(false),
})

const uuids = z.array(uuid).min(1).max(1000)
const changed = z.object({ changed: z.int() })

/** Tickets in the own scope: an affiliate's own, a manager's accounts', or all. */
export const ticketApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/list',
    access: 'ticket.read',
    reads: true,
    summary: 'Tickets in the own scope.',
    body: ticketFilters,
    response: listOf(ticketRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/ticket/v1/get/:uuid',
    access: 'ticket.read',
    summary: 'One ticket, without its messages.',
    params: byUuid,
    response: ticketDetail,
  }),
  messages: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/messages/:uuid',
    access: 'ticket.read',
    reads: true,
    summary: 'The last messages of a ticket in the order they were said, or those before one of them.',
    params: byUuid,
    body: z.object({ before: uuid.nullable().default(null), count: paging.count }),
    response: z.object({ list: z.array(ticketMessage), more: z.boolean() }),
  }),
  unread: endpoint({
    method: 'GET',
    path: '/api/ticket/v1/unread',
    access: 'ticket.read',
    summary: 'In how many tickets that are not closed something is unread.',
    response: z.object({ rows: z.int() }),
  }),
  figures: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/figures',
    access: 'ticket.manage',
    reads: true,
    summary: 'How long affiliates waited for a first answer, of the tickets they opened in the last days.',
    body: z.object({ days: z.int().min(1).max(366).default(30) }),
    response: z.object({
      /** Seconds: half of those that were answered waited less; null where none was. */
      median: z.int().nullable(),
      answered: z.int(),
      unanswered: z.int(),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/create',
    access: 'ticket.read',
    summary: 'Opens a ticket: an affiliate its own, staff one with an affiliate of theirs.',
    body: ticketInput,
    response: z.object({ uuid, id: z.int() }),
  }),
  answer: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/answer/:uuid',
    access: 'ticket.read',
    summary: `Says something in a ticket, or notes it for staff. Answers the ticket it stands in: a new one where it was closed more than ${REOPEN_DAYS} days ago.`,
    params: byUuid,
    body: z.object({
      ...said,
      internal: z.boolean().default(false),
      /** The last message that staff saw when they wrote: where a colleague has answered since, it is a `conflict`. */
      seen: uuid.nullable().default(null),
      /** What becomes of it, where that is not as usual: staff may close it with their answer. */
      close: z.boolean().default(false),
    }),
    response: z.object({ uuid, id: z.int(), message_uuid: uuid }),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/read/:uuid',
    access: 'ticket.read',
    remembers: true,
    summary: 'Marks what was said up to a message as read.',
    params: byUuid,
    body: z.object({ until: uuid }),
    response: z.object({}),
  }),
  close: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/close/:uuid',
    access: 'ticket.read',
    summary: 'Closes one ticket; an answer opens it again.',
    params: byUuid,
    response: changed,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/set-status',
    access: 'ticket.manage',
    summary: 'Gives up to 1,000 tickets one status.',
    body: statusChange(status),
    response: changed,
  }),
  assign: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/assign',
    access: 'ticket.manage',
    summary: 'Gives up to 1,000 tickets to somebody of staff who may read them, or to nobody; those they may not read are passed over.',
    body: z.object({ uuids, assignee_uuid: uuid.nullable() }),
    response: changed,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/update/:uuid',
    access: 'ticket.manage',
    summary: 'Changes what a ticket is about and how urgent it is.',
    params: byUuid,
    body: z.object({ category: category.exclude(['offer_request']).optional(), priority: priority.optional() }),
    response: z.object({}),
  }),
  assignees: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/assignees',
    access: 'ticket.manage',
    reads: true,
    summary: 'Staff whom tickets in the own scope may be given to; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(z.object({ uuid, name: z.string() })) }),
  }),
  decideOffer: endpoint({
    method: 'POST',
    path: '/api/ticket/v1/decide-offer/:uuid',
    access: 'ticket.manage',
    summary: 'Approves or rejects the access that an offer request asks for, and says so in the ticket.',
    params: byUuid,
    body: z.object({ key: uuid, status: z.enum(['approved', 'rejected']), reason: paragraph(1000).default('') }),
    response: z.object({}),
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/ticket/v1/stream',
    access: 'ticket.read',
    key: 'never',
    summary: 'Tells as server-sent events which tickets in the own scope change, from a change on that was told before; `0` = from now on.',
    query: z.object({ after: z.string().regex(/^\d{1,18}$/) }),
    response: bytes,
  }),
}

/** An event of the stream; its id is the number of the change. `reset` = more has changed than is told one by one. */
export const ticketEvent = z.object({ kind: z.enum(['changed', 'reset']), ticket: uuid.nullable() })

/** So many changed tickets are told one by one to who comes back. */
export const MOST_TOLD = MAX_PAGE_SIZE
