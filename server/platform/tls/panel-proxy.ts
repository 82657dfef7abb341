import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { pipeline } from 'node:stream'
import { isListed } from '../network.ts'

/** Belongs to one connection and not to the next; what tells of proxies before us is told anew. */
const NOT_PASSED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings|forwarded|x-forwarded-.*|x-real-ip)$/i
/** What tells where a request ends and whom it is for: nobody may have it dropped on the way by naming it in `Connection`. */
const KEPT_WHOLE = ['content-length', 'transfer-encoding', 'host']
/** Methods whose body servers need not expect; with one they never share a connection. */
const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])
/** The longest the panel may say nothing at all; its live streams say something more often. */
const SILENT_MS = 120_000

/**
 * Hands requests on to the panel on this machine, over plain kept connections, with the address they came from: what a client says of it
 * is believed only behind one of `trusted`. Bodies, uploads and live streams pass through as they come.
 */
export function openPanelProxy(panel: { port: number }, trusted: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 32 })
  return {
    pass(request: IncomingMessage, response: ServerResponse): void {
      const { method, url = '/', socket } = request
      // an address with a scheme and a host, as proxies are sent
      if (!url.startsWith('/')) return plainly(response, 400, 'This is no proxy.')
      if (isAmbiguous(request)) return plainly(response, 400, 'This request can be read in two ways.')
      // should a body ever be read as the next request, then as nobody else's: this connection ends with it
      const own = BODILESS.has(method ?? '') && hasBody(request)
      const onward = ask(
        {
          agent: own ? false : agent,
          host: '127.0.0.1',
          port: panel.port,
          method,
          path: url,
          headers: headersFor(request, trusted),
          timeout: SILENT_MS,
        },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.statusMessage, passed(answer))
          pipeline(answer, response, () => {})
        },
      )
      onward.on('timeout', () => onward.destroy(new Error('the panel is silent')))
      onward.on('error', () => {
        if (response.headersSent) response.destroy()
        else plainly(response, 502, 'The panel is not there just now. Try again in a moment.')
      })
      response.on('close', () => onward.destroy())
      // a body that breaks off must not become the beginning of the next request
      pipeline(request, onward, (error) => error && !socket.destroyed && !response.headersSent && onward.destroy())
    },
    close: () => agent.destroy(),
  }
}

/** A short answer of ours, after which the connection ends. */
export function plainly(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', connection: 'close' })
  response.end(text)
}

function headersFor(request: IncomingMessage, trusted: readonly string[]): string[] {
  const { socket } = request
  const peer = socket.remoteAddress ?? ''
  const before = isListed(peer, trusted) ? String(request.headers['x-forwarded-for'] ?? '') : ''
  const secure = (socket as Partial<TLSSocket>).encrypted === true // plain sockets have no such field
  return [
    ...passed(request),
    ...framing(request),
    'x-forwarded-for',
    before === '' ? peer : `${before}, ${peer}`,
    'x-forwarded-proto',
    secure ? 'https' : 'http',
  ]
}

/** Where the body ends, said once: Node would write one of GET or DELETE without saying it. */
function framing({ headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['transfer-encoding', 'chunked']
  return headers['content-length'] === undefined ? [] : ['content-length', headers['content-length']]
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** Whether two servers could disagree on where the request ends or whom it is for. */
function isAmbiguous(request: IncomingMessage): boolean {
  const { headers, headersDistinct: all } = request
  const coding = headers['transfer-encoding']
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || headers['content-length'] !== undefined)) return true
  if (KEPT_WHOLE.some((name) => (all[name]?.length ?? 0) > 1)) return true
  const named = hopsOf(request)
  return KEPT_WHOLE.some((name) => named.has(name))
}

/** The headers `Connection` names: they end here. */
function hopsOf({ headers }: IncomingMessage): Set<string> {
  return new Set((headers.connection ?? '').toLowerCase().split(/[\s,;"]+/))
}

/** The headers that are for the other side, as they came; of a request without what frames it. */
function passed(message: IncomingMessage): string[] {
  const { rawHeaders } = message
  const isRequest = message.method !== undefined && message.method !== null
  const named = hopsOf(message)
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    const lower = name.toLowerCase()
    if (NOT_PASSED.test(name) || (isRequest && lower === 'content-length')) continue
    if (!named.has(lower) || KEPT_WHOLE.includes(lower)) kept.push(name, rawHeaders[i + 1] ?? '')
  }
  return kept
}
