import type { FastifyReply } from 'fastify'
import { may, type Actor } from '#server/access/actor.ts'
import type { HttpApp } from '#server/access/implement.ts'
import { findActor } from '#server/features/people/auth/session.service.ts'
import type { Clock } from '#server/platform/clock.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listen } from '#server/platform/pg/listen.ts'
import { getRecold, RECOLD_CHANNEL } from './recold.queries.ts'

/** Proxies close what says nothing for a minute; who may no longer see it is noticed by then. */
const HEARTBEAT_MS = 15_000
const MOST_STREAMS = 20
const MOST_IN_ALL = 2_000
/** Several changes in one moment are told once. */
const GATHERED_MS = 500

type Stream = { actor: Actor; reply: FastifyReply; key: string; waiting: boolean }
export type RecoldStreams = {
  /** Answers a request by the changes of a distribution in scope until either side ends it. Throws `not_found`, `too_many_attempts`. */
  open(actor: Actor, key: string, reply: FastifyReply): Promise<void>
}

/** Tells that something has changed, never what: whoever hears of it asks, in its own scope. */
export function openRecoldStreams({
  db,
  databaseUrl,
  clock,
  server,
}: {
  db: Db
  databaseUrl: string | null
  clock: Clock
  server: HttpApp['server']
}): RecoldStreams {
  const streams = new Map<number, Set<Stream>>()
  const all = () => [...streams.values()].flatMap((some) => [...some])
  let listener: ReturnType<typeof listen> | undefined
  let heart: NodeJS.Timeout | undefined

  const end = (id: number, stream: Stream) => {
    if (streams.get(id)?.delete(stream) !== true) return
    if (streams.get(id)?.size === 0) streams.delete(id)
    stream.reply.raw.end()
    // whoever does not read does not hear of the end either
    setTimeout(() => stream.reply.raw.destroy(), 1_000).unref()
  }
  const write = (id: number, stream: Stream, text: string) => {
    if (streams.get(id)?.has(stream) === true && !stream.reply.raw.write(text)) end(id, stream)
  }
  const tell = (id: number) => {
    for (const stream of streams.get(id) ?? []) {
      if (stream.waiting) continue
      stream.waiting = true
      setTimeout(() => {
        stream.waiting = false
        write(id, stream, 'event: recold\ndata: {"kind":"changed"}\n\n')
      }, GATHERED_MS).unref()
    }
  }
  const beat = async (id: number, stream: Stream) => {
    try {
      const present = await findActor(db, stream.actor.token, clock.now(), stream.actor.address)
      if (present === undefined || present.outside || !may(present, 'cold.read')) return end(id, stream)
      if ((await getRecold(db, present.scope, stream.key)) === undefined) return end(id, stream)
      stream.actor = present
      write(id, stream, ': still here\n\n')
    } catch {
      // the database is away: who is signed in cannot be told just now
      end(id, stream)
    }
  }
  const begin = (url: string) => {
    heart = setInterval(() => {
      for (const [id, some] of streams) for (const stream of some) void beat(id, stream)
    }, HEARTBEAT_MS)
    heart.unref()
    // after a lost connection everybody asks for what was announced meanwhile
    return listen(url, { [RECOLD_CHANNEL]: (payload) => tell(Number(payload)) }, async () => {
      for (const id of streams.keys()) tell(id)
    })
  }
  server.addHook('preClose', async () => {
    clearInterval(heart)
    for (const [id, some] of streams) for (const stream of some) end(id, stream)
    await (await listener)?.stop()
  })

  return {
    async open(actor, key, reply) {
      const row = await getRecold(db, actor.scope, key)
      if (row === undefined) throw new AppError('not_found')
      const own = all().filter((stream) => stream.actor.accountId === actor.accountId).length
      if (own >= MOST_STREAMS || all().length >= MOST_IN_ALL) throw new AppError('too_many_attempts', { retryAfter: 60 })
      if (databaseUrl === null) throw new AppError('not_ready')
      // nobody listens before the first one asks
      await (listener ??= begin(databaseUrl))
      const stream: Stream = { actor, reply, key: row.uuid, waiting: false }
      reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no', connection: 'close' })
      const headers = Object.entries(reply.getHeaders()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
      reply.hijack()
      reply.raw.writeHead(200, Object.fromEntries(headers))
      streams.set(row.id, (streams.get(row.id) ?? new Set()).add(stream))
      reply.raw.on('close', () => end(row.id, stream))
      reply.raw.on('error', () => end(row.id, stream))
      write(row.id, stream, 'retry: 3000\nevent: ready\ndata: {}\n\n')
    },
  }
}
