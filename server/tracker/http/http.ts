import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '#server/platform/log.ts'
import { json, notFound, visitorOf } from '../core/answers.ts'
import type { ClickRequest, Clicks } from '../core/clicks.ts'
import { KEEP_ALIVE_MS, openFastLane } from './fast-lane.ts'
import { createClickHeaders, readClickHeaders } from './headers.ts'
import { POSTBACK_PATH } from '#server/rules/conversion/postback-hand-over.ts'
import type { PostbackAnswer, Postbacks } from '../postback/postbacks.ts'

export type TrackerRoutes = { clicks: Clicks; postbacks: Postbacks; isReady(): boolean }

/**
 * The public server of a tracker: node:http with a fast lane for ordinary clicks in front. `stop` lets visitors who wait
 * be answered for `drainMs`.
 */
export function createTrackerServer(routes: TrackerRoutes): { server: Server; stop(drainMs: number): Promise<void> } {
  const server = createPlainServer(routes)
  const lane = openFastLane(server, routes.clicks)
  return {
    server,
    async stop(drainMs) {
      const closed = once(server, 'close')
      server.close()
      lane.closeIdle()
      const force = setTimeout(() => {
        server.closeAllConnections()
        lane.closeAll()
      }, drainMs)
      await closed
      clearTimeout(force)
    },
  }
}

/** The whole server in node:http alone: clicks, postbacks, health; everything else is a 404, kept where it may be a postback. */
export function createPlainServer(routes: TrackerRoutes): Server {
  const { clicks } = routes
  const headers = createClickHeaders()
  // Refilled for every request: nothing in it outlives the call.
  const asked: ClickRequest = { query: '', head: false, peer: '', headers }
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 20_000, requestTimeout: 30_000 }, (request, response) => {
    const url = request.url ?? ''
    const at = url.indexOf('?')
    const path = at < 0 ? url : url.slice(0, at)
    asked.query = at < 0 ? '' : url.slice(at + 1)
    asked.head = request.method === 'HEAD'
    asked.peer = request.socket.remoteAddress ?? ''
    readClickHeaders(request.rawHeaders, headers)
    if (path === '/click' && isRead(request)) clicks.click(asked, visitorOf(response))
    else route(routes, request, response, asked, path)
  })
  server.on('clientError', refuse)
  return server
}

function route(routes: TrackerRoutes, request: IncomingMessage, response: ServerResponse, asked: ClickRequest, path: string): void {
  const { clicks, postbacks, isReady } = routes
  const visitor = visitorOf(response)
  const post = (received: Promise<PostbackAnswer | null>) =>
    void received
      .then((answer) => (answer === null ? notFound(visitor) : json(visitor, answer.status, answer.body)))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a postback broke off')
        if (!response.headersSent) json(visitor, 400, '{"status":"incomplete"}')
      })
  const reports = ['GET', 'POST', 'PUT'].includes(request.method ?? '')
  if (path === POSTBACK_PATH && reports) post(postbacks.receive(request, asked.query, clicks.addressOf(asked)))
  else if (isRead(request) && path.startsWith('/c/')) clicks.shortLink(asked, visitor, path.slice(3))
  else if (isRead(request) && path.startsWith('/go/')) clicks.goOn(asked, visitor, path.slice(4))
  else if (isRead(request) && path === '/livez') json(visitor, 200, '{"status":"alive"}')
  else if (isRead(request) && path === '/readyz') json(visitor, isReady() ? 200 : 503, `{"snapshot":${isReady()}}`)
  else if (reports && saysSomething(request, asked.query, path))
    post(postbacks.receiveStray(request, path, asked.query, clicks.addressOf(asked), clicks.areNamed))
  else {
    postbacks.countStray(path)
    notFound(visitor)
  }
}

/** Whether a request on a path nobody serves could report something at all: most are browsers' and scanners' for files. */
function saysSomething({ headers }: IncomingMessage, query: string, path: string): boolean {
  return query !== '' || Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined || path.length > 40
}

function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

/** What is no HTTP, or too long to read, gets an honest line and is cut off. */
function refuse(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLong ? '414 URI Too Long' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
