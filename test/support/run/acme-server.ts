import { createHash, createPublicKey, randomBytes, verify, type webcrypto } from 'node:crypto'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeAuthority } from '../make/certificate.ts'

export type AcmeServer = {
  directory: string
  /** The PEM of who signs: what clients of the tests trust. */
  ca: string
  /** How many orders were placed for a name. */
  orders: string[]
  /** Names it says no to, with what it says. */
  refused: Map<string, string>
  accounts: number
  close(): Promise<void>
}

type JsonWebKey = webcrypto.JsonWebKey
type Order = { host: string; account: string; status: string; token: string; certificate?: string }
type Signed = { payload: unknown; account: string; jwk: JsonWebKey }

/**
 * A small certificate authority (RFC 8555) of one machine: signatures, nonces and addresses of requests are checked as a real one does,
 * a name is proven by HTTP-01, asked of `port` on this machine, and certificates are really signed. `days` they last.
 */
export async function startAcmeServer(options: { port: () => number; days?: number }): Promise<AcmeServer> {
  const authority = await makeAuthority()
  const nonces = new Set<string>()
  const accounts = new Map<string, JsonWebKey>()
  const orders: Order[] = []
  const refused: AcmeServer['refused'] = new Map()

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => void answer(request.method ?? '', request.url ?? '', Buffer.concat(chunks).toString(), response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port

  const say = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
    const nonce = randomBytes(12).toString('base64url')
    nonces.add(nonce)
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const type = status >= 400 ? 'application/problem+json' : 'application/json'
    response.writeHead(status, { 'content-type': type, 'replay-nonce': nonce, ...headers }).end(text)
  }
  const orderOf = (at: number) => {
    const { status, host, certificate } = orders[at]!
    const shown = {
      status,
      identifiers: [{ type: 'dns', value: host }],
      authorizations: [`${base}/authz/${at}`],
      finalize: `${base}/finalize/${at}`,
    }
    return certificate === undefined ? shown : { ...shown, certificate: `${base}/cert/${at}` }
  }

  /** Who signed a request, and what it says; null where a real authority would refuse it. */
  const read = (url: string, text: string): Signed | null => {
    const { protected: head, payload, signature } = JSON.parse(text) as Record<'protected' | 'payload' | 'signature', string> // RFC 7515
    const decoded = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    const {
      alg,
      nonce,
      url: signedUrl,
      jwk,
      kid,
    } = decoded(head) as { alg: string; nonce: string; url: string; jwk?: JsonWebKey; kid?: string }
    const key = kid === undefined ? jwk : accounts.get(kid)
    if (alg !== 'ES256' || !nonces.delete(nonce) || signedUrl !== `${base}${url}` || key === undefined || (jwk && kid)) return null
    const publicKey = createPublicKey({ key, format: 'jwk' })
    const right = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    return right ? { payload: payload === '' ? '' : decoded(payload), account: kid ?? '', jwk: key } : null
  }

  async function answer(method: string, url: string, text: string, response: ServerResponse): Promise<void> {
    if (url === '/directory') {
      const paths = ['newNonce', 'newAccount', 'newOrder', 'revokeCert', 'keyChange'].map((name) => [name, `${base}/${name}`])
      return say(response, 200, Object.fromEntries(paths))
    }
    if (url === '/newNonce') return say(response, method === 'HEAD' ? 200 : 204, '')
    const signed = read(url, text)
    if (signed === null) return say(response, 400, { type: 'urn:ietf:params:acme:error:malformed', detail: 'the signature is wrong' })
    const [, what = '', number = ''] = url.split('/')
    const at = Number(number)
    if (what === 'newAccount') {
      const kid = `${base}/account/${accounts.size + 1}`
      accounts.set(kid, signed.jwk)
      return say(response, 201, { status: 'valid' }, { location: kid })
    }
    if (what === 'newOrder') {
      const { identifiers } = signed.payload as { identifiers: { value: string }[] } // RFC 8555, 7.4
      const host = identifiers[0]?.value ?? ''
      orders.push({ host, account: signed.account, status: 'pending', token: randomBytes(16).toString('base64url') })
      return say(response, 201, orderOf(orders.length - 1), { location: `${base}/order/${orders.length - 1}` })
    }
    const order = orders[at]
    if (order === undefined || order.account !== signed.account)
      return say(response, 404, { type: 'urn:ietf:params:acme:error:malformed', detail: 'no such thing' })
    const challenge = () => ({
      type: 'http-01',
      url: `${base}/challenge/${at}`,
      token: order.token,
      status: order.status === 'pending' || order.status === 'invalid' ? order.status : 'valid',
      ...(order.status === 'invalid' && {
        error: { type: 'urn:ietf:params:acme:error:unauthorized', detail: refused.get(order.host) ?? 'the proof was not there' },
      }),
    })
    if (what === 'challenge') {
      if (order.status === 'pending') {
        const found = await fetchAs(order.host, options.port(), `/.well-known/acme-challenge/${order.token}`)
        const proven = found === `${order.token}.${thumbprint(signed.jwk)}` && !refused.has(order.host)
        order.status = proven ? 'ready' : 'invalid'
      }
      return say(response, 200, challenge())
    }
    if (what === 'authz') {
      const { status } = challenge()
      return say(response, 200, { status, identifier: { type: 'dns', value: order.host }, challenges: [challenge()] })
    }
    if (what === 'finalize' && order.status === 'ready') {
      const { csr } = signed.payload as { csr: string } // RFC 8555, 7.4
      const certificate = await authority.sign(Buffer.from(csr, 'base64url'), options.days ?? 90)
      order.certificate = `${certificate}\n${authority.ca}\n`
      order.status = 'valid'
    }
    if (what === 'cert' && order.certificate)
      return say(response, 200, order.certificate, { 'content-type': 'application/pem-certificate-chain' })
    return say(response, 200, orderOf(at))
  }

  return {
    directory: `${base}/directory`,
    ca: authority.ca,
    get orders() {
      return orders.map(({ host }) => host)
    },
    refused,
    get accounts() {
      return accounts.size
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** RFC 7638, of a key on a curve. */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

function fetchAs(host: string, port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, headers: { host }, timeout: 5_000 }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(response.statusCode === 200 ? text : ''))
    })
    asked.on('error', () => resolve(''))
    asked.on('timeout', () => asked.destroy(new Error('silent')))
  })
}
