import { createHash, timingSafeEqual } from 'node:crypto'
import { PassThrough } from 'node:stream'
import Fastify from 'fastify'
import type { FrontState } from '#contract/network/front.ts'
import type { FindClick } from '#server/features/traffic/click/click.queries.ts'
import type { SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { log } from '#server/platform/log.ts'
import { continuedClick } from '#server/rules/click/click.ts'
import type { PostbackVerdict } from '#server/rules/conversion/postback-hand-over.ts'

/** A blank line this often tells a tracker that the stream of changes is alive. */
const HEARTBEAT_MS = 5_000
/** A batch of postbacks: 8 MB, and the longest one. */
const LARGEST_BODY = 10 * 1024 * 1024
/** A tracker that lets this much of the stream pile up starts over. */
const LARGEST_BACKLOG = 64 * 1024 * 1024

type Options = {
  /** `http://127.0.0.1:<port>` */
  url: string
  secret: string
  feed: SnapshotFeed
  /** Takes what a tracker hands over as JSON; its answers go to the advertisers. */
  receivePostbacks(handovers: readonly unknown[]): Promise<PostbackVerdict[]>
  /** Counts calls on paths nobody serves; false = that is no hand-over of counts. */
  countStrays(handed: unknown): Promise<boolean>
  /** Finds the stored click whose visitor goes on from a pre-landing. */
  findClick: FindClick
  /** Which names lead here, and their certificates. */
  readFront?(): Promise<FrontState>
  /** What proves to a certificate authority that a name is ours. */
  findChallenge?(token: string): Promise<string | undefined>
  heartbeatMs?: number
}

/**
 * Serves the trackers, on a port of its own that only this machine (or a private network) reaches:
 * `GET /internal/snapshot`, `GET /internal/changes?from=<seq>` (a line of JSON per change; 409 = fetch the snapshot),
 * `POST /internal/postbacks` (an array; a verdict for each), `POST /internal/strays` (counts of paths) and `GET /internal/click?affiliate=&at=&random=` (the parts of a
 * click id; 404 = not stored, or not yet; 410 = it was refused or went to no pre-landing). Every request carries the instance's secret as `x-internal-secret`.
 */
export async function startInternal(options: Options): Promise<{ stop(): Promise<void> }> {
  const { hostname, port } = new URL(options.url)
  const { feed, heartbeatMs = HEARTBEAT_MS } = options
  const isOurs = secretCheck(options.secret)
  const server = Fastify({ logger: false, bodyLimit: LARGEST_BODY, keepAliveTimeout: 60_000, forceCloseConnections: true })
  server.addHook('onRequest', async (request, reply) => {
    if (!isOurs(request.headers['x-internal-secret'])) return reply.code(401).send({})
    return undefined
  })
  server.addHook('onError', async (request, _reply, error) => {
    log.error({ err: error, url: request.url }, 'an internal request failed')
  })

  server.get('/internal/snapshot', () => feed.snapshot())
  server.get<{ Querystring: { from?: string } }>('/internal/changes', (request, reply) => {
    const from = request.query.from ?? ''
    if (!/^\d{1,16}$/.test(from)) return reply.code(400).send({})
    const stream = new PassThrough()
    const write = (text: string) => {
      stream.write(text)
      if (stream.writableLength + stream.readableLength > LARGEST_BACKLOG) stream.destroy()
    }
    const leave = feed.follow(Number(from), {
      deliver: (changes) => write(changes.map((change) => `${JSON.stringify(change)}\n`).join('')),
      end: () => stream.end(),
    })
    if (leave === null) return reply.code(409).send({})
    // the first one carries the head of the answer
    write('\n')
    const heartbeat = setInterval(write, heartbeatMs, '\n')
    stream.on('close', () => {
      clearInterval(heartbeat)
      leave()
    })
    return reply.type('application/x-ndjson').header('cache-control', 'no-store').send(stream)
  })
  server.post('/internal/postbacks', (request, reply) => {
    if (!Array.isArray(request.body)) return reply.code(400).send({})
    return options.receivePostbacks(request.body)
  })
  server.post('/internal/strays', async (request, reply) => reply.code((await options.countStrays(request.body)) ? 200 : 400).send({}))
  server.get<{ Querystring: Record<string, string> }>('/internal/click', async (request, reply) => {
    const [affiliateId = 0, at = 0, random = 0] = ['affiliate', 'at', 'random'].map((name) => Number(request.query[name]))
    if (![affiliateId, at, random].every((part) => Number.isSafeInteger(part) && part >= 0)) return reply.code(400).send({})
    const click = await options.findClick({ affiliateId, at, random })
    if (click === null) return reply.code(404).send({})
    return continuedClick(click) ?? reply.code(410).send({})
  })

  server.get('/internal/front', (_request, reply) => options.readFront?.() ?? reply.code(404).send({}))
  server.get<{ Querystring: { token?: string } }>('/internal/challenge', async (request, reply) => {
    const answer = await options.findChallenge?.(String(request.query.token ?? ''))
    return answer === undefined ? reply.code(404).send({}) : reply.type('text/plain').send(answer)
  })

  await server.listen({ host: hostname, port: Number(port) })
  return { stop: () => server.close() }
}

/** Compares in constant time; the hashes make both sides equally long. */
function secretCheck(secret: string): (given: unknown) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const expected = hash(secret)
  return (given) => typeof given === 'string' && timingSafeEqual(hash(given), expected)
}
