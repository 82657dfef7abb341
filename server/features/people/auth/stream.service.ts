import type { FastifyReply } from 'fastify'
import { may, type Actor } from '#server/access/actor.ts'
import type { HttpApp } from '#server/access/implement.ts'
import type { Clock } from '#server/platform/clock.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listen } from '#server/platform/pg/listen.ts'
import { findActor } from './session.service.ts'

/** Proxies close what says nothing for a minute; a session whose end nobody announced is noticed by then. */
const HEARTBEAT_MS = 15_000
/** Of one account: one for each tab that is looked at. */
const MOST_STREAMS = 20
/** Where sessions are announced that have ended, by their numbers (0052_session_ended.sql). */
const SESSION_CHANNEL = 'session_ended'

/** An answer that stays open, with what its feature keeps of it. */
export type Stream<Of> = { actor: Actor; of: Of; write(text: string): void; end(): void; isOpen(): boolean }
export type StreamParts = { db: Db; databaseUrl: string | null; clock: Clock; server: HttpApp['server'] }
type Kind<Of> = {
  right: Parameters<typeof may>[1]
  /** Whether somebody who has that right may go on hearing of it. */
  mayHear?(actor: Actor, of: Of): Promise<boolean>
  channel: string
  onNotice(payload: string, streams: ReadonlySet<Stream<Of>>): void
  /** After a lost connection: something may have been announced meanwhile. */
  wake(stream: Stream<Of>): void
  /** Of this process. */
  most: number
}

/**
 * Streams of events of one kind, open while who asked is signed in and may hear them. Who does not take what it is told is cut off, and
 * asks again.
 */
export function openStreams<Of>({ db, databaseUrl, clock, server }: StreamParts, kind: Kind<Of>) {
  const streams = new Set<Stream<Of>>()
  let listener: ReturnType<typeof listen> | undefined
  let heart: NodeJS.Timeout | undefined

  const beat = async (stream: Stream<Of>) => {
    try {
      const { actor, of } = stream
      const present = await findActor(db, actor.token, clock.now(), actor.address)
      if (present === undefined || present.outside || !may(present, kind.right)) return stream.end()
      if (kind.mayHear !== undefined && !(await kind.mayHear(present, of))) return stream.end()
      stream.actor = present
      stream.write(': still here\n\n')
    } catch {
      // the database is away: who is signed in cannot be told just now
      stream.end()
    }
  }
  const onSessionEnd = (id: string) => {
    for (const stream of streams) if (String(stream.actor.sessionId) === id) stream.end()
  }
  const begin = async (url: string) => {
    const channels = { [kind.channel]: (payload: string) => kind.onNotice(payload, streams), [SESSION_CHANNEL]: onSessionEnd }
    const listening = await listen(url, channels, async () => {
      for (const stream of streams) kind.wake(stream)
    })
    heart = setInterval(() => {
      for (const stream of streams) void beat(stream)
    }, HEARTBEAT_MS)
    heart.unref()
    return listening
  }
  const listening = (url: string) =>
    (listener ??= begin(url).catch((error: unknown) => {
      // whoever asks next tries again
      listener = undefined
      throw error
    }))
  server.addHook('preClose', async () => {
    clearInterval(heart)
    for (const stream of streams) stream.end()
    await (await listener?.catch(() => undefined))?.stop()
  })

  return {
    /** Answers a request by a stream, which begins with `first`. Throws `too_many_attempts`. */
    async open(actor: Actor, reply: FastifyReply, of: Of, first: string): Promise<Stream<Of>> {
      const own = [...streams].filter((stream) => stream.actor.accountId === actor.accountId).length
      if (own >= MOST_STREAMS || streams.size >= kind.most) throw new AppError('too_many_attempts', { retryAfter: 60 })
      if (databaseUrl === null) throw new AppError('not_ready')
      // nobody listens before the first one asks
      await listening(databaseUrl)
      const { raw } = reply
      const stream: Stream<Of> = {
        actor,
        of,
        isOpen: () => streams.has(stream),
        write: (text) => {
          if (text !== '' && streams.has(stream) && !raw.write(text)) stream.end()
        },
        end: () => {
          if (!streams.delete(stream)) return
          raw.end()
          // whoever does not read does not hear of the end either
          setTimeout(() => raw.destroy(), 1_000).unref()
        },
      }
      // proxies that would gather it are asked not to; its connection ends with it, or a server that stops would wait for the next request
      reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' })
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
      reply.hijack()
      raw.writeHead(200, Object.fromEntries(headers))
      streams.add(stream)
      raw.on('close', () => streams.delete(stream))
      raw.on('error', () => streams.delete(stream))
      stream.write(first)
      // its session may have ended while it was opened
      void beat(stream)
      return stream
    },
  }
}
