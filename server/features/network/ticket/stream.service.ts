import type { FastifyReply } from 'fastify'
import { MOST_TOLD, type ticketEvent } from '#contract/network/ticket.ts'
import type { z } from 'zod'
import { can } from '#contract/access.ts'
import { may, type Actor } from '#server/access/actor.ts'
import type { HttpApp } from '#server/access/implement.ts'
import { findActor } from '#server/features/people/auth/session.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { AppError } from '#server/platform/errors.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listen } from '#server/platform/pg/listen.ts'
import { changesAfter, lastChange, TICKET_CHANNEL } from './change.queries.ts'

/** Proxies close what says nothing for a minute; a session whose end nobody announced is noticed by then. */
const HEARTBEAT_MS = 15_000
/** Of one account: one for each tab that is looked at. */
const MOST_STREAMS = 20
const MOST_IN_ALL = 5_000
/** Where sessions are announced that have ended, by their numbers (0052_session_ended.sql). */
const SESSION_CHANNEL = 'session_ended'

type Stream = {
  actor: Actor
  reply: FastifyReply
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
 * told last, in its own scope, so that nothing is missed, held back in memory, or told to who may not know. Who does not take what it is
 * told is cut off, and asks again from where it was.
 */
export function openTicketStreams({
  db,
  databaseUrl,
  clock,
  server,
}: {
  db: Db
  databaseUrl: string | null
  clock: Clock
  server: HttpApp['server']
}): TicketStreams {
  const streams = new Set<Stream>()
  let listener: ReturnType<typeof listen> | undefined
  let heart: NodeJS.Timeout | undefined

  const end = (stream: Stream) => {
    if (!streams.delete(stream)) return
    stream.reply.raw.end()
    // whoever does not read does not hear of the end either
    setTimeout(() => stream.reply.raw.destroy(), 1_000).unref()
  }
  const write = (stream: Stream, text: string) => {
    if (text !== '' && streams.has(stream) && !stream.reply.raw.write(text)) end(stream)
  }
  const wake = async (stream: Stream) => {
    stream.again = true
    if (stream.busy) return
    stream.busy = true
    try {
      while (stream.again && streams.has(stream)) {
        stream.again = false
        write(stream, await newsFor(db, stream))
      }
    } catch (error) {
      log.warn({ err: error }, 'a stream of tickets ends: what has changed could not be read')
      end(stream)
    } finally {
      stream.busy = false
    }
  }
  const onNotice = (payload: string) => {
    const notice = JSON.parse(payload) as Notice // written by announceTickets
    for (const stream of streams) if (mayConcern(stream.actor, notice)) void wake(stream)
  }
  const onSessionEnd = (id: string) => {
    for (const stream of streams) if (String(stream.actor.sessionId) === id) end(stream)
  }
  const beat = async (stream: Stream) => {
    try {
      const { actor } = stream
      const present = await findActor(db, actor.token, clock.now(), actor.address)
      if (present === undefined || present.outside || !may(present, 'ticket.read')) return end(stream)
      stream.actor = present
      write(stream, ': still here\n\n')
    } catch {
      // the database is away: who is signed in cannot be told just now
      end(stream)
    }
  }
  const begin = async (url: string) => {
    heart = setInterval(() => {
      for (const stream of streams) void beat(stream)
    }, HEARTBEAT_MS)
    heart.unref()
    // after a lost connection everybody reads what was announced meanwhile
    return listen(url, { [TICKET_CHANNEL]: onNotice, [SESSION_CHANNEL]: onSessionEnd }, async () => {
      for (const stream of streams) void wake(stream)
    })
  }
  server.addHook('preClose', async () => {
    clearInterval(heart)
    for (const stream of streams) end(stream)
    await (await listener)?.stop()
  })

  return {
    async open(actor, after, reply) {
      const own = [...streams].filter((stream) => stream.actor.accountId === actor.accountId).length
      if (own >= MOST_STREAMS || streams.size >= MOST_IN_ALL) throw new AppError('too_many_attempts', { retryAfter: 60 })
      if (databaseUrl === null) throw new AppError('not_ready')
      // nobody listens before the first one asks
      await (listener ??= begin(databaseUrl))
      const from = after === '0' ? await lastChange(db) : after
      const stream: Stream = { actor, reply, after: from, busy: false, again: false }
      // proxies that would gather it are asked not to; its connection ends with it, or a server that stops would wait for the next request
      reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' })
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
      reply.hijack()
      reply.raw.writeHead(200, Object.fromEntries(headers))
      streams.add(stream)
      reply.raw.on('close', () => streams.delete(stream))
      reply.raw.on('error', () => streams.delete(stream))
      write(stream, `retry: 3000\nid: ${from}\nevent: ready\ndata: {}\n\n`)
      await wake(stream)
      // its session may have ended while it was opened
      await beat(stream)
    },
  }
}

/** What a stream is told: the tickets that have changed, or that there are too many to name. */
async function newsFor(db: Db, stream: Stream): Promise<string> {
  const { actor } = stream
  const changes = await changesAfter(db, actor.scope, can(actor.role, 'ticket.manage'), stream.after)
  if (changes.length > MOST_TOLD) {
    stream.after = await lastChange(db)
    return event(stream.after, { kind: 'reset', ticket: null })
  }
  stream.after = changes.at(-1)?.change ?? stream.after
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
