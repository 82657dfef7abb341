import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { NumberedChange, SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { log } from '#server/platform/log.ts'
import { isAway } from '#server/platform/pg/away.ts'

/** A blank line this often tells a tracker that the stream of changes is alive. */
const HEARTBEAT_MS = 5_000
/** A postback of 64 KB, its query, headers and JSON's escapes. */
const MAX_BODY = 1024 * 1024
/** A tracker that lets this much of the stream pile up starts over. */
const MAX_BACKLOG = 64 * 1024 * 1024

type Options = {
  /** `http://127.0.0.1:<port>` */
  url: string
  secret: string
  feed: SnapshotFeed
  /** Takes what a tracker hands over as JSON; its answer goes to the advertiser. */
  receivePostback(handover: unknown): Promise<{ httpStatus: number; body: unknown }>
  heartbeatMs?: number
}

/**
 * Serves the trackers, on a port of its own that only this machine (or a private network) reaches:
 * `GET /internal/snapshot`, `GET /internal/changes?from=<seq>` (a line of JSON per change; 409 = fetch the snapshot) and
 * `POST /internal/postback`. Every request carries the instance's secret as `x-internal-secret`.
 */
export async function startInternal(options: Options): Promise<{ stop(): Promise<void> }> {
  const { hostname, port } = new URL(options.url)
  const isOurs = secretCheck(options.secret)
  const server = createServer((request, response) => {
    handle(request, response, options, isOurs).catch((error: unknown) => {
      log.error({ err: error, url: request.url }, 'an internal request failed')
      if (response.headersSent) response.destroy()
      // 503: come back later. 500: this one cannot be taken, however often it comes.
      else answer(response, isAway(error) ? 503 : 500, {})
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(Number(port), hostname, () => resolve())
  })
  return {
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: Options,
  isOurs: (given: unknown) => boolean,
): Promise<void> {
  if (!isOurs(request.headers['x-internal-secret'])) return answer(response, 401, {})
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://internal')
  const route = `${request.method} ${pathname}`
  if (route === 'GET /internal/snapshot') return answer(response, 200, await options.feed.snapshot())
  if (route === 'GET /internal/changes') return streamChanges(response, options, searchParams.get('from') ?? '')
  if (route !== 'POST /internal/postback') return answer(response, 404, {})
  const text = await readBody(request)
  if (text === null) return answer(response, 413, {})
  let handover: unknown
  try {
    handover = JSON.parse(text)
  } catch {
    return answer(response, 400, {})
  }
  const { httpStatus, body } = await options.receivePostback(handover)
  answer(response, 200, { status: httpStatus, body })
}

function streamChanges(response: ServerResponse, { feed, heartbeatMs = HEARTBEAT_MS }: Options, from: string): void {
  if (!/^\d{1,16}$/.test(from)) return answer(response, 400, {})
  // the headers go out before the first change does; a gap is answered instead of them
  const early: NumberedChange[] = []
  const write = (changes: readonly NumberedChange[]) => {
    if (!response.headersSent) return void early.push(...changes)
    response.write(changes.map((change) => `${JSON.stringify(change)}\n`).join(''))
    if (response.writableLength > MAX_BACKLOG) response.destroy()
  }
  const leave = feed.follow(Number(from), { deliver: write, end: () => response.end() })
  if (leave === null) return answer(response, 409, {})
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  response.flushHeaders()
  write(early)
  const heartbeat = setInterval(() => response.write('\n'), heartbeatMs)
  response.on('close', () => {
    clearInterval(heartbeat)
    leave()
  })
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue // no encoding is set, so there are only buffers
    size += chunk.length
    if (size > MAX_BODY) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Compares in constant time; the hashes make both sides equally long. */
function secretCheck(secret: string): (given: unknown) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const expected = hash(secret)
  return (given) => typeof given === 'string' && timingSafeEqual(hash(given), expected)
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body))
}
