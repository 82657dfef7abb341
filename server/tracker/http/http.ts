import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable, type Duplex } from 'node:stream'
import { MARK_PATH } from '#server/platform/instance-mark.ts'
import { log } from '#server/platform/log.ts'
import { METRICS_TYPE } from '#server/platform/metrics/text.ts'
import { isMisdirected } from '#server/platform/tls/request-host.ts'
import { json, notFound, visitorOf, type Visitor } from '../core/answers.ts'
import type { ClickRequest, Clicks, LostClick } from '../core/clicks.ts'
import { Query } from '../core/query.ts'
import { createClickHeaders } from '../core/told.ts'
import { KEEP_ALIVE_MS, openFastLane } from './fast-lane.ts'
import { readClickHeaders } from './headers.ts'
import { isForeignPath } from '#server/rules/click/foreign-link.ts'
import { isPostbackPath } from '#server/rules/conversion/postback-hand-over.ts'
import { isSecretName } from '#server/rules/conversion/postback-names.ts'
import { LONGEST_POSTBACK, type Call, type PostbackAnswer, type Postbacks } from '../postback/postbacks.ts'
import { repairedRequest } from './repaired-request.ts'

/** Longer addresses are no clicks. */
const LONGEST_CLICK = 16 * 1024

export type TrackerRoutes = {
  clicks: Clicks
  postbacks: Postbacks
  isReady(): boolean
  /** What `/metrics` answers to this Authorization header; null = there is no such page for whoever asks. */
  metrics?(authorization: string | undefined): Promise<string> | null
  /** What tells under any name that it leads to this network; '' where the process does not know. */
  mark: string
}

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
  const asked: ClickRequest = { query: new Query(), head: false, peer: '', headers }
  const limits = { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: 20_000, requestTimeout: 30_000, maxHeaderSize: LONGEST_POSTBACK }
  const server = createServer(limits, (request, response) => {
    const url = request.url ?? ''
    const at = url.indexOf('?')
    const path = at < 0 ? url : url.slice(0, at)
    asked.query.setText(at < 0 ? '' : url.slice(at + 1))
    asked.head = request.method === 'HEAD'
    asked.peer = request.socket.remoteAddress ?? ''
    readClickHeaders(request.rawHeaders, headers)
    if (isMisdirected(request)) visitorOf(response).answer(421, [], '')
    else if (url.length > LONGEST_CLICK && !isPostbackPath(path) && !clicks.areNamed([url])) visitorOf(response).answer(414, [], '')
    else if (path === '/click' && isRead(request)) clicks.click(asked, visitorOf(response))
    else route(routes, request, response, asked, path)
  })
  const connect = server.listeners('connection') as ((this: Server, connection: Duplex) => void)[]
  server.on('clientError', (error: ClientError, socket: Socket) => {
    const again = error.rawPacket && repairedRequest(socket, error.rawPacket, error.bytesParsed ?? 0)
    if (again) for (const take of connect) take.call(server, again)
    else refuse(error, socket)
  })
  return server
}

function route(routes: TrackerRoutes, request: IncomingMessage, response: ServerResponse, asked: ClickRequest, path: string): void {
  const { clicks, postbacks, isReady, mark } = routes
  const visitor = visitorOf(response)
  const post = (received: Promise<PostbackAnswer | null>) => answerPostback(visitor, received, () => response.headersSent)
  const keepBeside = () => keepLost(routes, { method: 'GET', path, query: asked.query.text, ip: clicks.addressOf(asked) }, null)
  const saying = saysSomething(request, asked.query.text, path)
  const metrics = path === '/metrics' && isRead(request) ? routes.metrics?.(request.headers.authorization) : undefined
  if (metrics) answerMetrics(response, metrics)
  else if (isPostbackPath(path) && (saying || ['GET', 'POST', 'PUT'].includes(request.method ?? '')))
    post(postbacks.receive(request, asked.query.text, clicks.addressOf(asked)))
  // a link of another platform with a click id of ours in it is a postback
  else if (isRead(request) && isForeignPath(path) && !clicks.areNamed([asked.query.text]) && clicks.foreign(asked, visitor, path)) return
  else if (isRead(request) && path.startsWith('/c/')) clicks.shortLink(asked, visitor, path.slice(3))
  else if (isRead(request) && path.startsWith('/go/')) clicks.goOn(asked, visitor, path.slice(4))
  else if (isRead(request) && !clicks.areNamed([path, asked.query.text]) && clicks.coded(asked, visitor, path)) return
  else if (isRead(request) && path === '/livez') {
    if (saying) keepBeside()
    json(visitor, 200, '{"status":"alive"}')
  } else if (isRead(request) && path === '/readyz') {
    if (saying) keepBeside()
    json(visitor, isReady() ? 200 : 503, `{"snapshot":${isReady()}}`)
  } else if (isRead(request) && path === MARK_PATH && mark !== '') {
    visitor.answer(200, ['Content-Type', 'text/plain; charset=utf-8', 'Cache-Control', 'no-store'], mark)
  } else if (isRead(request) && !clicks.areNamed([path, asked.query.text]) && clicks.kept(asked, visitor, path)) return
  else if (saying) post(postbacks.receiveStray(request, path, asked.query.text, clicks.addressOf(asked), clicks.areNamed))
  else {
    postbacks.countStray(path)
    notFound(visitor)
  }
}

function answerMetrics(response: ServerResponse, metrics: Promise<string>): void {
  void metrics
    .then((text) => response.writeHead(200, { 'content-type': METRICS_TYPE }).end(text))
    .catch((error: unknown) => {
      log.error({ err: error }, 'the metrics cannot be read')
      response.writeHead(500).end()
    })
}

/**
 * Keeps what came on a path of clicks or of health and holds a click id of ours or a token. True = it is taken, and `visitor`
 * will be answered.
 */
export function keepLost(
  { clicks, postbacks }: Pick<TrackerRoutes, 'clicks' | 'postbacks'>,
  lost: LostClick,
  visitor: Visitor | null,
): boolean {
  const { method, path, query, ip } = lost
  if (!clicks.areNamed([path, query]) && ![...new URLSearchParams(query).keys()].some(isSecretName)) return false
  const call: Call = Object.assign(Readable.from([]), { method, headers: {} })
  answerPostback(visitor, postbacks.receiveStray(call, path, query, ip, clicks.areNamed), () => false)
  return true
}

function answerPostback(visitor: Visitor | null, received: Promise<PostbackAnswer | null>, isAnswered: () => boolean): void {
  void received
    .then((answer) => visitor && (answer === null ? notFound(visitor) : json(visitor, answer.status, answer.body)))
    .catch((error: unknown) => {
      log.warn({ err: error }, 'a postback broke off')
      if (visitor && !isAnswered()) json(visitor, 400, '{"status":"incomplete"}')
    })
}

/** Whether a request on a path nobody serves could report something at all: most are browsers' and scanners' for files. */
function saysSomething({ headers }: IncomingMessage, query: string, path: string): boolean {
  return query !== '' || Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined || path.length > 40
}

function isRead(request: IncomingMessage): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number }

/** What is no HTTP, or too long to read, gets an honest line and is cut off. */
function refuse(error: ClientError, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLong ? '414 URI Too Long' : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
