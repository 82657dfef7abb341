import type { FastifyReply } from 'fastify'
import { MOST_TOLD, type ticketEvent } from '#contract/network/ticket.ts'
import type { z } from 'zod'
import { can } from '#contract/access.ts'
import type { Actor } from '#server/access/actor.ts'
import { openStreams, type Stream, type StreamParts } from '#server/features/people/auth/stream.service.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { changesAfter, lastChange, TICKET_CHANNEL } from './change.queries.ts'

type Told = {
  /** The last change that was told. */
  after: string
  busy: boolean
  /** Something was announced while changes were being read. */
  again: boolean
}
type Notice = { affiliate: number; manager: number | null; told: boolean }

export type TicketStreams = {
  /** Answers a request by the changes of tickets in the actor's scope after one of them, '0' = from now on, until either side ends it. Throws `too_many_attempts`. */
  open(actor: Actor, after: string, reply: FastifyReply): Promise<void>
}

/**
 * The streams of this process. An announcement only wakes those it may concern: each reads for itself what has changed after what it
 * told last, in its own scope, so that nothing is missed, held back in memory, or told to who may not know.
 */
export function openTicketStreams(parts: StreamParts): TicketStreams {
  const { db } = parts
  const wake = async (stream: Stream<Told>) => {
    const { of } = stream
    of.again = true
    if (of.busy) return
    of.busy = true
    try {
      while (of.again && stream.isOpen()) {
        of.again = false
        stream.write(await newsFor(db, stream))
      }
    } catch (error) {
      log.warn({ err: error }, 'a stream of tickets ends: what has changed could not be read')
      stream.end()
    } finally {
      of.busy = false
    }
  }
  const streams = openStreams<Told>(parts, {
    right: 'ticket.read',
    channel: TICKET_CHANNEL,
    most: 5_000,
    onNotice: (payload, open) => {
      const notice = JSON.parse(payload) as Notice // written by announceTickets
      for (const stream of open) if (mayConcern(stream.actor, notice)) void wake(stream)
    },
    wake: (stream) => void wake(stream),
  })
  return {
    async open(actor, asked, reply) {
      const after = asked === '0' ? await lastChange(db) : asked
      const first = `retry: 3000\nid: ${after}\nevent: ready\ndata: {}\n\n`
      await wake(await streams.open(actor, reply, { after, busy: false, again: false }, first))
    },
  }
}

/** What a stream is told: the tickets that have changed, or that there are too many to name. */
async function newsFor(db: Db, { actor, of }: Stream<Told>): Promise<string> {
  const changes = await changesAfter(db, actor.scope, can(actor.role, 'ticket.manage'), of.after)
  if (changes.length > MOST_TOLD) {
    of.after = await lastChange(db)
    return event(of.after, { kind: 'reset', ticket: null })
  }
  of.after = changes.at(-1)?.change ?? of.after
  return changes.map(({ change, uuid }) => event(change, { kind: 'changed', ticket: uuid })).join('')
}

function event(id: string, data: z.output<typeof ticketEvent>): string {
  return `id: ${id}\nevent: ticket\ndata: ${JSON.stringify(data)}\n\n`
}

/** Whether an announcement may be about a ticket that somebody reads; reading it decides. */
function mayConcern({ scope }: Actor, { affiliate, manager, told }: Notice): boolean {
  if (scope.kind === 'all') return true
  if (scope.kind === 'affiliate') return told && scope.affiliateId === affiliate
  return manager !== null && scope.managerIds.includes(manager)
}
