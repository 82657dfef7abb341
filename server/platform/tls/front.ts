import { hkdfSync } from 'node:crypto'
import { createServer as createHttp, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http'
import { createServer as createTls, type Server as TlsServer, type TLSSocket } from 'node:tls'
import type { Certificates } from './certificates.ts'
import { openPanelProxy, plainly } from './panel-proxy.ts'
import { hostIn, isMisdirected } from './request-host.ts'

/** What the names that lead here are for. */
export type Hosts = { panel: ReadonlySet<string>; tracking: ReadonlySet<string> }

const LIMITS = { headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 30_000, maxHeaderSize: 64 * 1024 }
const HANDSHAKE_MS = 10_000
const MOST_CONNECTIONS = 50_000
/** Session tickets are sealed with another key this often: who records traffic gains little by a key. */
const TICKET_KEY_MS = 12 * 3_600_000
const CHALLENGE = '/.well-known/acme-challenge/'
const CLICKS = /^\/(?:click|postback|c\/|go\/)/

type FrontOptions = {
  certificates: Certificates
  hosts: () => Hosts
  /** The tracker's own server: connections to tracking names are given to it as they are, so that clicks stay on the fast lane. */
  tracker: HttpServer
  panel: { port: number }
  /** Proxies whose X-Forwarded-For is believed. */
  trusted: readonly string[]
  /** Whether clicks are answered on plain http too, instead of being sent to https first. */
  plainClicks: boolean
  /** Where https is, for what is sent there. */
  httpsPort: () => number
  /** The same for all processes that share the port: each opens the tickets of the others. */
  ticketSecret: string
  /** What proves to a certificate authority that a name is ours. */
  findChallenge(token: string): Promise<string | null>
}

/**
 * The doors of an instance that stands alone: `secure` ends TLS and chooses by the name that was asked for, `plain` sends to https, but
 * for proofs of certificate authorities, names that have no certificate yet, and clicks. Neither listens yet.
 */
export function openFront(options: FrontOptions): { secure: TlsServer; plain: HttpServer; stop(): void } {
  const { certificates, hosts, tracker } = options
  const proxy = openPanelProxy(options.panel, options.trusted)
  const panel = createHttp(LIMITS, (request, response) => {
    if (isMisdirected(request)) return plainly(response, 421, 'This connection is for another name.')
    return proxy.pass(request, response)
  })
  const secure = createTls({
    SNICallback: (name, done) => done(null, certificates.contextFor(name.toLowerCase())),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: HANDSHAKE_MS,
    ticketKeys: ticketKeys(options.ticketSecret, Date.now()),
    noDelay: true,
  })
  secure.maxConnections = MOST_CONNECTIONS
  // strangers' broken handshakes are their own matter
  secure.on('tlsClientError', (_error, socket: TLSSocket) => socket.destroy())
  secure.on('secureConnection', (socket: TLSSocket) => {
    const name = socket.servername
    if (!name || certificates.contextFor(name.toLowerCase()) === undefined) return void socket.destroy()
    return void (hosts().panel.has(name.toLowerCase()) ? panel : tracker).emit('connection', socket)
  })
  const rotate = setInterval(() => secure.setTicketKeys(ticketKeys(options.ticketSecret, Date.now())), TICKET_KEY_MS / 12)
  rotate.unref()
  const plain = createHttp(LIMITS, (request, response) => void answerPlainly(options, proxy.pass, request, response))
  plain.maxConnections = MOST_CONNECTIONS
  return {
    secure,
    plain,
    stop() {
      clearInterval(rotate)
      secure.close()
      plain.close()
      panel.closeIdleConnections()
      plain.closeIdleConnections()
      setTimeout(() => {
        panel.closeAllConnections()
        plain.closeAllConnections()
        proxy.close()
      }, 4_000).unref()
    },
  }
}

type Pass = (request: IncomingMessage, response: ServerResponse) => void

async function answerPlainly(options: FrontOptions, toPanel: Pass, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { hosts, certificates, tracker } = options
  const url = request.url ?? '/'
  if (url.startsWith(CHALLENGE)) {
    const answer = await options.findChallenge(url.slice(CHALLENGE.length)).catch(() => null)
    if (answer === null) return plainly(response, 404, 'Not found.')
    return void response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(answer)
  }
  const host = hostIn(request.headers.host ?? '')
  const { panel, tracking } = hosts()
  const toTracker = () => void tracker.emit('request', request, response)
  const known = panel.has(host) || tracking.has(host)
  const secured = known && certificates.contextFor(host) !== undefined
  // whoever looks whether a name leads here asks by either way
  if (url.startsWith('/.well-known/')) return panel.has(host) ? toPanel(request, response) : toTracker()
  if (secured && !(tracking.has(host) && options.plainClicks)) {
    const port = options.httpsPort()
    const location = `https://${host}${port === 443 ? '' : `:${port}`}${url.startsWith('/') ? url : '/'}`
    return void response.writeHead(308, { location, 'content-length': '0', 'cache-control': 'no-store' }).end()
  }
  if (panel.has(host)) return toPanel(request, response)
  // of a server nobody has named yet only the address is known: the panel is set up there, until it has a name with a certificate
  const named = [...panel].some((name) => certificates.contextFor(name) !== undefined)
  return known || named || CLICKS.test(url) ? toTracker() : toPanel(request, response)
}

function ticketKeys(secret: string, now: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `ohma tickets ${Math.floor(now / TICKET_KEY_MS)}`, 48))
}
