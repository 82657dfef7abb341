import type { FastifyInstance } from 'fastify'
import { bringsToken, METRICS_TYPE, metricsText, type Metric } from '../metrics/text.ts'

/** What the api answered, counted as it answers. */
export type HttpCounts = { requests: Map<string, number>; seconds: number }

/** Counts answers by the class of their status, and how long they took together. */
export function countAnswers(server: FastifyInstance): HttpCounts {
  const counts: HttpCounts = { requests: new Map(), seconds: 0 }
  server.addHook('onResponse', async (_request, reply) => {
    const kind = `${Math.floor(reply.statusCode / 100)}xx`
    counts.requests.set(kind, (counts.requests.get(kind) ?? 0) + 1)
    counts.seconds += reply.elapsedTime / 1000
  })
  return counts
}

/** `GET /metrics` of the api: for whoever brings the token; without one there is no such page. */
export function metricsRoute(server: FastifyInstance, token: string | null, read: () => Promise<Metric[]>): void {
  if (token === null) return
  server.get('/metrics', async (request, reply) => {
    if (!bringsToken(request.headers.authorization, token))
      return reply.code(401).type('text/plain').send('Send the token of the metrics: Authorization: Bearer <token>\n')
    return reply.type(METRICS_TYPE).send(metricsText(await read()))
  })
}
