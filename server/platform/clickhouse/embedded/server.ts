import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { unlink } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { answerError, bodyOf, startAnswer } from './answer.ts'
import { openEngine, type Engine, type EngineOptions } from './engine.ts'
import { execute, type Limits } from './execute.ts'
import { readRequest, WireError, type WireRequest } from './wire.ts'

export type EventsServerOptions = EngineOptions & { port: number; password: string; log: Logger }
export type EventsServer = { url: string; stop(): Promise<void> }

export const EVENTS_USER = 'ohma'
const SLOW_MS = 5_000
const STOP_MS = 10_000

/**
 * Serves a chDB folder over ClickHouse's HTTP protocol on loopback, so that every other process talks to it with
 * `@clickhouse/client` as to a real server. Port 0 takes a free one; the returned URL holds the password.
 */
export async function serveEvents(options: EventsServerOptions): Promise<EventsServer> {
  const engine = await openEngine(options)
  const limits: Limits = { seconds: 30, longestSeconds: 600, memory: Math.round(options.memory * 0.45), resultBytes: 256 * 1024 * 1024 }
  const running = new Set<AbortController>()

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://engine')
    let queryId = url.searchParams.get('query_id') || randomUUID()
    const started = performance.now()
    let wire: WireRequest | null = null
    const gone = new AbortController()
    running.add(gone)
    response.on('close', () => response.writableFinished || gone.abort())
    try {
      if (request.method === 'GET' && (url.pathname === '/ping' || (url.pathname === '/' && !url.searchParams.has('query')))) {
        response.end('Ok.\n')
        return
      }
      if (!allowed(request, url, options.password))
        throw new WireError(
          516,
          'AUTHENTICATION_FAILED',
          'Authentication failed: password is incorrect, or there is no user with such name',
        )
      wire = await readRequest(request, url, options.scratch)
      queryId = wire.queryId ?? queryId
      const { compress } = wire
      await execute({
        engine,
        request: wire,
        limits,
        scratch: options.scratch,
        signal: gone.signal,
        start(format, summary) {
          startAnswer(response, queryId, format, summary)
          return bodyOf(response, compress, request.headers['accept-encoding'])
        },
      })
    } catch (error) {
      if (!gone.signal.aborted) answerError(response, queryId, error)
    } finally {
      running.delete(gone)
      if (wire?.data) await unlink(wire.data).catch(() => {})
      const ms = Math.round(performance.now() - started)
      // chDB keeps no query log of its own.
      if (ms > SLOW_MS && wire) options.log.warn({ ms, query_id: queryId, sql: wire.sql.slice(0, 500) }, 'slow statement')
    }
  }

  const server = createServer(
    { keepAliveTimeout: 30_000, requestTimeout: 0, maxHeaderSize: 256 * 1024 },
    (request, response) => void answer(request, response),
  )
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening').catch(async (error: unknown) => {
    await engine.close()
    throw error
  })
  // Listening on a port makes this an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${EVENTS_USER}:${options.password}@127.0.0.1:${port}`,
    stop: () => stop(server, engine, running),
  }
}

/** Lets running statements end, for a while; then ends the reports among them and closes the engine. */
async function stop(server: ReturnType<typeof createServer>, engine: Engine, running: Set<AbortController>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const patience = setTimeout(() => {
    for (const request of running) request.abort()
    server.closeAllConnections()
  }, STOP_MS)
  await closed
  clearTimeout(patience)
  await engine.close()
}

function allowed(request: IncomingMessage, url: URL, password: string): boolean {
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const [user, ...rest] = basic === undefined ? [] : Buffer.from(basic, 'base64').toString('utf8').split(':')
  const givenUser = user ?? request.headers['x-clickhouse-user']?.toString() ?? url.searchParams.get('user') ?? ''
  const givenPassword =
    basic === undefined ? (request.headers['x-clickhouse-key']?.toString() ?? url.searchParams.get('password') ?? '') : rest.join(':')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(`${givenUser}:${givenPassword}`), digest(`${EVENTS_USER}:${password}`))
}
