import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { log } from '#server/platform/log.ts'
import { json, notFound } from './answers.ts'
import type { Clicks } from './clicks.ts'
import type { Postbacks } from './postbacks.ts'

export type TrackerRoutes = { clicks: Clicks; postbacks: Postbacks; isReady(): boolean }

/** The public server of a tracker: clicks first, then the few other paths; everything else is a plain 404. */
export function createTrackerServer(routes: TrackerRoutes): Server {
  const { clicks } = routes
  const server = createServer(
    { keepAliveTimeout: 30_000, headersTimeout: 20_000, requestTimeout: 30_000, optimizeEmptyRequests: true },
    (request, response) => {
      const url = request.url ?? ''
      // `/click?` by its signs: the path of nearly every request.
      if (url.startsWith('/click') && (url.length === 6 || url.charCodeAt(6) === QUESTION)) {
        if (isRead(request)) clicks.click(request, response, url.slice(7))
        else notFound(response)
        return
      }
      route(routes, request, response, url)
    },
  )
  server.on('clientError', refuse)
  return server
}

const QUESTION = 0x3f

function route({ clicks, postbacks, isReady }: TrackerRoutes, request: IncomingMessage, response: ServerResponse, url: string): void {
  const at = url.indexOf('?')
  const path = at < 0 ? url : url.slice(0, at)
  const query = at < 0 ? '' : url.slice(at + 1)
  if (path === '/postback' && (request.method === 'GET' || request.method === 'POST')) {
    void postbacks
      .receive(request, query, clicks.addressOf(request))
      .then((answer) => json(response, answer.status, answer.body))
      .catch((error: unknown) => {
        log.warn({ err: error }, 'a postback broke off')
        if (!response.headersSent) json(response, 400, '{"status":"incomplete"}')
      })
  } else if (!isRead(request)) notFound(response)
  else if (path.startsWith('/c/')) clicks.shortLink(request, response, path.slice(3), query)
  else if (path.startsWith('/go/')) clicks.goOn(response, path.slice(4), query)
  else if (path === '/livez') json(response, 200, '{"status":"alive"}')
  else if (path === '/readyz') json(response, isReady() ? 200 : 503, `{"snapshot":${isReady()}}`)
  else notFound(response)
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
