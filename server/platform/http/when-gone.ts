import type { FastifyReply } from 'fastify'

/** Fires when the caller has left before the answer: long work need not go on. */
export function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.on('close', () => reply.raw.writableFinished || gone.abort())
  return gone.signal
}
