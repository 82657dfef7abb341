import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as askPlainly, type IncomingMessage, type Server } from 'node:http'
import { Agent, request as ask } from 'node:https'
import { once } from 'node:events'
import { connect as open, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChallenge } from '#server/features/network/certificate/certificate.queries.ts'
import { readFront } from '#server/features/network/certificate/front.service.ts'
import { getDueCertificate, renewAt } from '#server/features/network/certificate/issue.service.ts'
import { startSnapshotFeed, type SnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { systemClock } from '#server/platform/clock.ts'
import { readConfig, type Config } from '#server/platform/config.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startAcmeServer, type AcmeServer } from '#test/support/run/acme-server.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { until } from '#test/support/run/instance.ts'
import { trackerEnv } from '#test/support/run/tracker.ts'
import { makeAffiliateId, makeOffer } from '#test/support/make/money.ts'
import { startInternal } from './internal.ts'
import { run } from './tracker.ts'

// An instance that stands alone: a certificate authority proves its names over port 80, and both ports serve panel and clicks.
const PANEL = 'panel.network-of-ohma.org'
const CLICKS = 'go.network-of-ohma.org'
const HOUR = 3_600_000
const dataDir = mkdtempSync(join(tmpdir(), 'ohma-front-'))
let database: TestDatabase
let feed: SnapshotFeed
let internal: Awaited<ReturnType<typeof startInternal>>
let tracker: Awaited<ReturnType<typeof run>>
let panel: Server
let authority: AcmeServer
let config: Config
let link: string
const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string; port: number | undefined }[] = []

beforeAll(async () => {
  const [panelPort, httpsPort, httpPort, internalPort] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  ;[database, authority] = await Promise.all([cloneDatabase(), startAcmeServer({ port: () => httpPort })])
  const { db } = database
  const offer = await makeOffer(db)
  link = `/click?offer_id=${offer.id}&pid=${await makeAffiliateId(db)}`
  for (const [host, kind] of [
    [PANEL, 'panel'],
    [CLICKS, 'tracking'],
  ] as const)
    await addDomain(host, kind)
  feed = await startSnapshotFeed({ db, databaseUrl: database.url, clock: systemClock })
  const tls = {
    TLS: 'acme',
    PORT: String(panelPort),
    HTTPS_PORT: String(httpsPort),
    HTTP_PORT: String(httpPort),
    ACME_URL: authority.directory,
  }
  const url = `http://127.0.0.1:${internalPort}`
  config = readConfig(await trackerEnv(dataDir, { url }, { ...tls, HOST: '127.0.0.1' }), 'test')
  internal = await startInternal({
    url,
    secret: config.internalSecret,
    feed,
    receivePostbacks: async () => [],
    countStrays: async () => true,
    findClick: async () => null,
    readFront: () => readFront(db, config),
    findChallenge: (token) => findChallenge(db, token, systemClock.now()),
  })
  panel = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body, port: request.socket.remotePort })
      response.writeHead(200, { 'x-panel': 'yes' }).end('the panel')
    })
  }).listen(panelPort, '127.0.0.1')
  tracker = await run(config)
  await until('the tracker knows the offer', async () => (await fetch(`${tracker.url}/readyz`)).status === 200)
}, 120_000)
afterAll(async () => {
  await tracker?.stop()
  await internal?.stop()
  await feed?.stop()
  panel?.close()
  await authority?.close()
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
}, 120_000)

async function addDomain(host: string, kind: 'panel' | 'tracking'): Promise<void> {
  const now = new Date()
  const values = {
    host,
    kind,
    certificate: 'acme' as const,
    token: 'x',
    verified_at: now,
    verified_by: 'dns' as const,
    created_at: now,
    updated_at: now,
  }
  await database.db.insertInto('domain').values(values).execute()
}

const domain = (host: string) =>
  database.db
    .selectFrom('domain')
    .select(['certificate_issued_at', 'certificate_expires_at', 'certificate_error'])
    .where('host', '=', host)
    .executeTakeFirstOrThrow()

type Answer = { status: number; headers: IncomingMessage['headers']; body: string }

/** Asks over TLS by a name, with another Host where one is given. */
function secure(
  servername: string,
  path: string,
  options: { headers?: Record<string, string>; agent?: Agent; method?: string; body?: string } = {},
) {
  const { headers = {}, agent, method = 'GET', body } = options
  return new Promise<Answer>((resolve, reject) => {
    const to = {
      host: '127.0.0.1',
      port: config.tls.httpsPort,
      servername,
      ca: authority.ca,
      path,
      method,
      agent: agent ?? (false as const),
    }
    const asked = ask({ ...to, headers: { host: servername, 'user-agent': 'Mozilla/5.0', ...headers } }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function plainAs(host: string, path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    askPlainly({ host: '127.0.0.1', port: config.tls.httpPort, path, headers: { host } }, (response) => {
      let body = ''
      response.on('data', (chunk: Buffer) => (body += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
      .on('error', reject)
      .end()
  })
}

test('before there is a certificate the panel is reached by the plain door alone', async () => {
  expect((await plainAs('203.0.113.7', '/login')).body).toBe('the panel')
  expect((await plainAs(PANEL, '/login')).body).toBe('the panel')
  await expect(secure(PANEL, '/')).rejects.toThrow()
})

test(
  'each name is proven and gets its certificate once, however many workers look, and both are served within seconds',
  { timeout: 60_000 },
  async () => {
    const { db } = database
    const look = () => getDueCertificate({ db, config }, Date.now())
    await Promise.all([look(), look(), look(), look()])
    await look()
    expect(authority.orders.toSorted()).toEqual([CLICKS, PANEL])
    expect(await domain(CLICKS)).toMatchObject({ certificate_error: '', certificate_issued_at: expect.any(Date) })
    // keys lie sealed
    const { sealed } = await db.selectFrom('certificate').select('sealed').where('host', '=', CLICKS).executeTakeFirstOrThrow()
    expect(sealed?.toString('latin1')).not.toContain('PRIVATE KEY')
    await until('https answers', async () => (await secure(CLICKS, link).catch(() => ({ status: 0 }))).status === 302)
    await until('https answers for the panel', async () => (await secure(PANEL, '/').catch(() => ({ status: 0 }))).status === 200)
  },
)

test('a name is led to what it is for, on one connection, and to nothing else', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let i = 0; i < 3; i++) expect((await secure(CLICKS, link, { agent })).status).toBe(302)
  agent.destroy()
  expect((await secure(CLICKS, '/login')).status).toBe(404)
  expect((await secure(PANEL, link)).headers['x-panel']).toBe('yes')
  // a connection for one name is not used for another, whichever way it is read
  expect((await secure(CLICKS, link, { headers: { host: PANEL } })).status).toBe(421)
  expect((await secure(CLICKS, '/livez', { headers: { host: PANEL } })).status).toBe(421)
  expect((await secure(PANEL, '/', { headers: { host: CLICKS } })).status).toBe(421)
  expect((await secure(CLICKS, link, { headers: { host: `${CLICKS.toUpperCase()}:443` } })).status).toBe(302)
  await expect(secure('stranger.example.org', '/')).rejects.toThrow()
  await expect(handshake({ servername: CLICKS, maxVersion: 'TLSv1.1', minVersion: 'TLSv1' })).rejects.toThrow()
})

test('the panel hears the address a request came from, whatever the client says of it', async () => {
  const lies = {
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=203.0.113.9',
    'x-real-ip': '203.0.113.9',
  }
  await secure(PANEL, '/api/thing', {
    headers: { ...lies, 'x-mine': 'kept', connection: 'x-hop', 'x-hop': 'dropped' },
    method: 'POST',
    body: 'a body',
  })
  const { headers, body, method, url } = seen.at(-1)!
  expect({ body, method, url }).toEqual({ body: 'a body', method: 'POST', url: '/api/thing' })
  expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https', host: PANEL, 'x-mine': 'kept' })
  for (const name of ['x-forwarded-host', 'forwarded', 'x-real-ip', 'x-hop']) expect(headers).not.toHaveProperty(name)
})

test('a body of a method that has none cannot become a request of its own', async () => {
  const before = seen.length
  const socket = await handshake({ servername: PANEL })
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  socket.write(
    `GET /first HTTP/1.1\r\nHost: ${PANEL}\r\nTransfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
  )
  await once(socket, 'data')
  socket.destroy()
  await secure(PANEL, '/second')
  expect(seen.slice(before).map(({ url }) => url)).toEqual(['/first', '/second'])
})

test('a request that can be read in two ways is refused, at both doors, and nothing of it reaches the panel', async () => {
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  const sized = `Content-Length: ${hidden.length}\r\n`
  const chunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`
  const coded = 'Transfer-Encoding: chunked\r\n'
  const two: [headers: string, body: string, method?: string][] = [
    [`${sized}Connection: content-length, close\r\n`, hidden],
    [`${sized}Connection: close\r\nConnection: Content-Length\r\n`, hidden, 'POST'],
    [`${coded}Connection: transfer-encoding\r\n`, chunks],
    ['Connection: host\r\n', ''],
    ['Host: other.example\r\n', ''],
    [`${sized}${sized}`, hidden],
    [`${sized}Content-Length: 0\r\n`, hidden],
    [`Content-Length: +${hidden.length}\r\n`, hidden],
    [`${sized}${coded}`, chunks, 'POST'],
    ['Transfer-Encoding: xchunked\r\n', chunks, 'POST'],
    ['Transfer-Encoding: gzip, chunked\r\n', chunks, 'POST'],
    [`${coded}${coded}`, chunks, 'POST'],
    ['Transfer-Encoding : chunked\r\n', chunks, 'POST'],
    ['Transfer-Encoding:\x0bchunked\r\n', chunks, 'POST'],
  ]
  const before = seen.length
  for (const [headers, body, method = 'GET'] of two) {
    const socket = await handshake({ servername: PANEL })
    expect(await said(socket, `${method} /first HTTP/1.1\r\nHost: ${PANEL}\r\n${headers}\r\n${body}`), headers).toMatch(/^HTTP\/1.1 400/)
  }
  const plainly = await said(
    open(config.tls.httpPort, '127.0.0.1'),
    `GET /.well-known/x HTTP/1.1\r\nHost: ${PANEL}\r\n${sized}Connection: content-length\r\n\r\n${hidden}`,
  )
  expect(plainly).toMatch(/^HTTP\/1.1 400/)
  await secure(PANEL, '/second')
  expect(seen.slice(before).map(({ url }) => url)).toEqual(['/second'])
})

test('bodies of methods that have none arrive as bodies, on a connection nobody else uses', async () => {
  const before = seen.length
  const hidden = 'GET /hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  await secure(PANEL, '/warm')
  const { port: shared } = seen.at(-1)!
  const trailed = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\nX-Forwarded-For: 1.1.1.1\r\n\r\n`
  for (const [head, body] of [
    ['GET', `Content-Length: ${hidden.length}\r\n\r\n${hidden}`],
    ['DELETE', `Content-Length: ${hidden.length}\r\nExpect: 100-continue\r\n\r\n${hidden}`],
    ['GET', `Content-Length: ${hidden.length}\r\nUpgrade: websocket\r\nConnection: upgrade, close\r\n\r\n${hidden}`],
    ['OPTIONS', `Transfer-Encoding: chunked\r\nTrailer: X-Forwarded-For\r\n\r\n${trailed}`],
  ] as const) {
    const socket = await handshake({ servername: PANEL })
    const answer = await said(socket, `${head} /framed HTTP/1.1\r\nHost: ${PANEL}\r\n${body}`, 'the panel')
    expect(answer, body).toContain('200 OK')
    const { port, headers, ...got } = seen.at(-1)!
    expect(got).toEqual({ method: head, url: '/framed', body: hidden })
    expect(headers).toMatchObject({ connection: 'close', 'x-forwarded-for': '127.0.0.1' })
    expect(port).not.toBe(shared)
  }
  await secure(PANEL, '/after')
  expect(seen.slice(before).map(({ url }) => url)).toEqual(['/warm', '/framed', '/framed', '/framed', '/framed', '/after'])
  expect(seen.at(-1)!.port).toBe(shared)
})

test('plain http leads to https, but for clicks', async () => {
  expect(await plainAs(PANEL, '/login?a=b')).toMatchObject({
    status: 308,
    headers: { location: `https://${PANEL}:${config.tls.httpsPort}/login?a=b` },
  })
  expect((await plainAs(CLICKS, link)).status).toBe(302)
  expect((await plainAs('stranger.example.org', '/login')).status).toBe(404)
  expect((await plainAs(PANEL, '/.well-known/acme-challenge/nothing')).status).toBe(404)
})

test('a certificate is renewed at two thirds of its life, and connections that stand are not cut', { timeout: 30_000 }, async () => {
  const now = Date.now()
  for (const random of [0, 0.5, 1]) expect(renewAt(0, 90 * 24 * HOUR, random) / (90 * 24 * HOUR)).toBeCloseTo(2 / 3 + (random - 0.5) / 10)
  const standing = await handshake({ servername: CLICKS })
  const first = standing.getPeerCertificate().serialNumber
  expect(await getDueCertificate({ db: database.db, config }, now + 50 * 24 * HOUR)).toBe(0)
  while ((await getDueCertificate({ db: database.db, config }, now + 66 * 24 * HOUR)) > 0);
  expect(authority.orders).toHaveLength(4)
  await until('the new one is shown', async () => {
    const socket = await handshake({ servername: CLICKS })
    const { serialNumber } = socket.getPeerCertificate()
    socket.destroy()
    return serialNumber !== first
  })
  standing.write(`GET ${link} HTTP/1.1\r\nHost: ${CLICKS}\r\n\r\n`)
  const [answer] = (await once(standing, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 302/)
  standing.destroy()
})

test('a name that fails is tried ever more seldom, never five times an hour, and says why', { timeout: 30_000 }, async () => {
  const host = 'lost.network-of-ohma.org'
  await addDomain(host, 'tracking')
  authority.refused.set(host, 'no such name in DNS')
  const begin = Date.now()
  for (let minute = 0; minute < 60; minute++) await getDueCertificate({ db: database.db, config }, begin + minute * 60_000)
  expect(authority.orders.filter((one) => one === host)).toHaveLength(3)
  expect((await domain(host)).certificate_error).toContain('no such name in DNS')
  authority.refused.clear()
  await getDueCertificate({ db: database.db, config }, begin + 24 * HOUR)
  expect(await domain(host)).toMatchObject({ certificate_error: '', certificate_issued_at: expect.any(Date) })
  expect(authority.accounts).toBe(1)
})

function handshake(options: ConnectionOptions): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: config.tls.httpsPort, ca: authority.ca, ...options }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** What is answered to raw text, until the connection ends or this is in it. */
async function said(socket: Socket, text: string, last?: string): Promise<string> {
  let answer = ''
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString()
    if (last !== undefined && answer.includes(last)) socket.destroy()
  })
  socket.on('error', () => {})
  socket.write(text)
  await once(socket, 'close')
  return answer
}
