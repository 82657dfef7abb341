import type { FastifyReply } from 'fastify'
import type { Actor } from '#server/access/actor.ts'
import { openStreams, type Stream, type StreamParts } from '#server/features/people/auth/stream.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { getRecold, RECOLD_CHANNEL } from './recold.queries.ts'

/** Several changes in one moment are told once. */
const GATHERED_MS = 500

type Watched = { id: number; key: string; waiting: boolean }
export type RecoldStreams = {
  /** Answers a request by the changes of a distribution in scope until either side ends it. Throws `not_found`, `too_many_attempts`. */
  open(actor: Actor, key: string, reply: FastifyReply): Promise<void>
}

/** Tells that something has changed, never what: whoever hears of it asks, in its own scope. */
export function openRecoldStreams(parts: StreamParts): RecoldStreams {
  const { db } = parts
  const tell = (stream: Stream<Watched>) => {
    const { of } = stream
    if (of.waiting) return
    of.waiting = true
    setTimeout(() => {
      of.waiting = false
      stream.write('event: recold\ndata: {"kind":"changed"}\n\n')
    }, GATHERED_MS).unref()
  }
  const streams = openStreams<Watched>(parts, {
    right: 'cold.read',
    mayHear: async ({ scope }, { key }) => (await getRecold(db, scope, key)) !== undefined,
    channel: RECOLD_CHANNEL,
    most: 2_000,
    onNotice: (id, open) => {
      for (const stream of open) if (String(stream.of.id) === id) tell(stream)
    },
    wake: tell,
  })
  return {
    async open(actor, key, reply) {
      const row = await getRecold(db, actor.scope, key)
      if (row === undefined) throw new AppError('not_found')
      const watched = { id: row.id, key: row.uuid, waiting: false }
      await streams.open(actor, reply, watched, 'retry: 3000\nevent: ready\ndata: {}\n\n')
    },
  }
}
