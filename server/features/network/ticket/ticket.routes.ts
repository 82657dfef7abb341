import { ticketApi } from '#contract/network/ticket.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { AppError } from '#server/platform/errors.ts'
import { answerTicket, createTicket, readTicket } from './answer.service.ts'
import { listAssignees } from './assignee.queries.ts'
import { listMessages, readUpTo } from './message.queries.ts'
import { decideOfferRequest } from './offer-request.service.ts'
import { openTicketStreams } from './stream.service.ts'
import { presentMessages, presentRow, presentTicket } from './ticket.present.ts'
import { countUnreadTickets, firstAnswers, getTicket, listTickets, type FoundTicket } from './ticket.queries.ts'
import { assignTickets, changeTicketStatus, closeTicket, updateTicket, viewerOf } from './ticket.service.ts'

const DAY = 86_400_000

/** Tickets: what affiliates ask, and what staff answer. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const streams = openTicketStreams({ db, databaseUrl: config.databaseUrl, clock, server: app.server })

  const find = async (actor: Actor, key: string): Promise<FoundTicket> => {
    const ticket = await getTicket(db, actor.scope, viewerOf(actor), key)
    if (ticket === undefined) throw new AppError('not_found')
    return ticket
  }

  implement(app, ticketApi, {
    list: async ({ body, actor }) => {
      const viewer = viewerOf(actor)
      const { rows, list } = await listTickets(db, actor.scope, viewer, body)
      return { list: list.map((row) => presentRow(row, viewer)), summary: { rows } }
    },

    get: async ({ params, actor }) => {
      const ticket = await find(actor, params.uuid)
      const waits = ticket.category === 'offer_request' && ticket.offer !== null && ticket.offer_answer === null
      return presentTicket(ticket, viewerOf(actor), waits && may(actor, 'ticket.manage') && may(actor, 'offer.write') && ticket.own_offer)
    },

    messages: async ({ params, body, actor }) => {
      const { id } = await find(actor, params.uuid)
      const [rows, read] = await Promise.all([listMessages(db, viewerOf(actor), id, { ...body, count: body.count + 1 }), readUpTo(db, id)])
      return { list: presentMessages(rows.slice(0, body.count), read), more: rows.length > body.count }
    },

    unread: async ({ actor }) => ({ rows: await countUnreadTickets(db, actor.scope, viewerOf(actor)) }),

    figures: ({ body, actor }) => firstAnswers(db, actor.scope, new Date(clock.now() - body.days * DAY)),

    create: ({ body, actor }) => createTicket(db, clock.now(), actor, body),

    answer: ({ params, body, actor }) => answerTicket(db, clock.now(), actor, params.uuid, body),

    read: async ({ params, body, actor }) => {
      await readTicket(db, clock.now(), actor, params.uuid, body.until)
      return {}
    },

    close: async ({ params, actor }) => ({ changed: await closeTicket(db, clock.now(), actor, params.uuid) }),

    setStatus: async ({ body, actor }) => ({ changed: await changeTicketStatus(db, clock.now(), actor, body) }),

    assign: async ({ body, actor }) => ({ changed: await assignTickets(db, clock.now(), actor, body) }),

    update: async ({ params, body, actor }) => {
      await updateTicket(db, clock.now(), actor, params.uuid, body)
      return {}
    },

    assignees: async ({ body, actor }) => ({ list: await listAssignees(db, actor.scope, body.search) }),

    decideOffer: async ({ params, body, actor }) => {
      await decideOfferRequest(db, clock.now(), actor, params.uuid, body)
      return {}
    },

    stream: async ({ query, actor, reply }) => {
      await streams.open(actor, query.after, reply)
      return new Uint8Array() // the stream has answered
    },
  })
}
