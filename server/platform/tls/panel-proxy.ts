import { Agent, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { pipeline } from 'node:stream'
import { isListed } from '../network.ts'

/** Belongs to one connection and not to the next; what tells of proxies before us is told anew. */
const NOT_PASSED =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|http2-settings|forwarded|x-forwarded-.*|x-real-ip)$/i
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
      const onward = ask(
        { agent, host: '127.0.0.1', port: panel.port, method, path: url, headers: headersFor(request, trusted), timeout: SILENT_MS },
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
  // without it Node would write a body of GET or DELETE without saying where it ends
  const chunked = request.headers['transfer-encoding'] === undefined ? [] : ['transfer-encoding', 'chunked']
  const secure = (socket as Partial<TLSSocket>).encrypted === true // plain sockets have no such field
  return [
    ...passed(request),
    ...chunked,
    'x-forwarded-for',
    before === '' ? peer : `${before}, ${peer}`,
    'x-forwarded-proto',
    secure ? 'https' : 'http',
  ]
}

/** The headers that are for the other side, as they came. */
function passed({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/[\s,]+/))
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!NOT_PASSED.test(name) && !named.has(name.toLowerCase())) kept.push(name, rawHeaders[i + 1] ?? '')
  }
  return kept
}
