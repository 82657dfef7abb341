import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { partnerApiTicketApi } from '#contract/network/partner-api.ts'
import { ticketFilters } from '#contract/network/ticket.ts'
import type { Actor } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { cutPage, readCursor, rowNumber, writeCursor } from '#server/platform/cursor.ts'
import { AppError } from '#server/platform/errors.ts'
import { answerTicket, createTicket } from './answer.service.ts'
import { listMessages, readUpTo } from './message.queries.ts'
import { presentMessages, presentRow, presentTicket } from './ticket.present.ts'
import { getTicket, listTickets, type FoundTicket } from './ticket.queries.ts'
import { closeTicket, viewerOf } from './ticket.service.ts'

const NO_MORE = { files: [] }
const AS_USUAL = { internal: false, seen: null, close: false }
const NEWEST = { sort: 'id', direction: 'desc', page: 1 } as const

/** Tickets for programs of affiliates. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  const find = async (actor: Actor, key: string): Promise<FoundTicket> => {
    const ticket = await getTicket(db, actor.scope, viewerOf(actor), key)
    if (ticket === undefined) throw new AppError('not_found')
    return ticket
  }

  implement(app, partnerApiTicketApi, {
    list: async ({ query: { cursor, count, ...asked }, actor }) => {
      const viewer = viewerOf(actor)
      const [before] = readCursor('tickets', cursor, [rowNumber]) ?? [null]
      const filters = { ...ticketFilters.parse({ ...asked, ...NEWEST }), count: count + 1 }
      const { list } = await listTickets(db, actor.scope, viewer, filters, before)
      const { page, next_cursor } = cutPage(list, count, ({ id }) => writeCursor('tickets', [id]))
      return { data: page.map((row) => presentRow(row, viewer)), next_cursor }
    },

    get: async ({ params, actor }) => presentTicket(await find(actor, params.uuid), viewerOf(actor), false),

    messages: async ({ params, query: { cursor, count }, actor }) => {
      const { id } = await find(actor, params.uuid)
      const [before] = readCursor('messages', cursor, [z.uuid()]) ?? [null]
      const [rows, read] = await Promise.all([listMessages(db, viewerOf(actor), id, { before, count: count + 1 }), readUpTo(db, id)])
      const { page, next_cursor } = cutPage(rows, count, (last) => writeCursor('messages', [last.uuid]))
      return { data: presentMessages(page, read).toReversed(), next_cursor }
    },

    // what tells a message sent twice is the name of the call
    create: ({ db: work, body, actor }) =>
      createTicket(work, clock.now(), actor, { ...body, ...NO_MORE, key: randomUUID(), offer_uuid: null, affiliate_uuid: null }),

    answer: ({ db: work, params, body, actor }) =>
      answerTicket(work, clock.now(), actor, params.uuid, { ...body, ...NO_MORE, key: randomUUID(), ...AS_USUAL }),

    close: async ({ db: work, params, actor }) => ({ changed: await closeTicket(work, clock.now(), actor, params.uuid) }),
  })
}
