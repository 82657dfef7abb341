import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from './address.ts'
import { sendOutbound } from './send.ts'
import { checkTarget, readTarget } from './target.ts'

const NOBODY = { allow: [] }
let server: Server
let port: number
let seen: string[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.1:${port}/private` }).end()
    else if (request.url === '/endless') response.writeHead(200).write('x'.repeat(100_000))
    else if (request.url === '/never') return
    else if (request.url === '/reset') request.socket.destroy()
    else response.end('OK')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port // a TCP server has one
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const PRIVATE = [
  '127.0.0.1', '0x7f.1', '0177.0.0.1', '2130706433', '127.1', '0.0.0.0', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254',
  '100.64.0.1', '100.127.255.255', '192.0.0.192', '198.18.0.1', '224.0.0.1', '255.255.255.255', '[::1]', '[::]', '[fd00::1]', '[fc00::1]', '[fe80::1]', '[ff02::1]',
  '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[2001:db8::1]', '[fec0::1]',
  'localhost', 'LOCALHOST', 'localhost.', 'app.localhost', 'metadata.google.internal', 'printer.local', 'intranet',
] // prettier-ignore

describe('an outgoing request', () => {
  test.each(PRIVATE)('to %s is refused at save and when sending, and opens no connection', async (host) => {
    seen = []
    expect(typeof readTarget(`http://${host}:${port}/`, NOBODY)).toBe('string')
    expect(await checkTarget(`http://${host}:${port}/`, NOBODY)).toMatch(/private network/)
    expect(await sendOutbound({ url: `http://${host}:${port}/`, method: 'GET', timeoutMs: 1_000 }, NOBODY)).toMatchObject({
      status: null,
      error: 'refused_target',
    })
    expect(seen).toEqual([])
  })

  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'gopher://example.com',
    'http://user:secret@example.com/',
    'http://user@example.com/',
    '//example.com',
    'example.com',
  ])('to %s is refused because of how it is written', (url) => expect(typeof readTarget(url, NOBODY)).toBe('string'))

  test.each(['93.184.216.34', '8.8.8.8', '2606:4700::1111', '172.32.0.1', '100.128.0.1', '192.169.0.1'])('may go to %s', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )

  test('to a name that leads to a private address is refused at save, and inside the socket when it changed its mind since', async () => {
    seen = []
    const answers = [
      [{ address: '93.184.216.34', family: 4 }],
      [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    ]
    let asked = 0
    const rebinding = { allow: [], resolve: () => Promise.resolve(answers[Math.min(asked++, 1)] ?? []) }
    const url = `http://rebinding.example:${port}/`
    expect(await checkTarget(url, rebinding)).toBeNull()
    expect(await sendOutbound({ url, method: 'GET', timeoutMs: 1_000 }, rebinding)).toMatchObject({
      status: null,
      error: 'private_address',
    })
    expect(await checkTarget(url, rebinding)).toBe('This host leads to a private network.')
    const unknown = { allow: [], resolve: () => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })) }
    expect(await checkTarget(url, unknown)).toBeNull()
    expect(await sendOutbound({ url, method: 'GET', timeoutMs: 1_000 }, unknown)).toMatchObject({ error: 'host_not_found' })
    expect(seen).toEqual([])
  })

  test('to a host on the list of exceptions is sent, and follows no redirect', async () => {
    const policy = { allow: [`127.0.0.1:${port}`] }
    seen = []
    expect(await sendOutbound({ url: `http://127.0.0.1:${port}/ok?a=1`, method: 'GET', timeoutMs: 1_000 }, policy)).toMatchObject({
      status: 200,
      error: '',
      body: 'OK',
    })
    expect(await sendOutbound({ url: `http://127.0.0.1:${port}/redirect`, method: 'GET', timeoutMs: 1_000 }, policy)).toMatchObject({
      status: 302,
      error: '',
    })
    expect(seen).toEqual(['GET /ok?a=1', 'GET /redirect'])
    expect(await sendOutbound({ url: `http://127.0.0.1:${port + 1}/`, method: 'GET', timeoutMs: 1_000 }, policy)).toMatchObject({
      error: 'refused_target',
    })
  })

  test('is bounded in time and size, and says what went wrong', async () => {
    const policy = { allow: ['127.0.0.1'] }
    const send = (path: string) =>
      sendOutbound({ url: `http://127.0.0.1:${port}${path}`, method: 'POST', body: 'a=1', timeoutMs: 300 }, policy)
    const endless = await send('/endless')
    expect(endless.status).toBe(200)
    expect(endless.body).toHaveLength(4_096)
    expect(await send('/never')).toMatchObject({ status: null, error: 'timed_out' })
    expect(await send('/reset')).toMatchObject({ status: null, error: 'connection_reset' })
    expect(await sendOutbound({ url: 'http://127.0.0.1:1/', method: 'GET', timeoutMs: 300 }, policy)).toMatchObject({
      status: null,
      error: 'connection_refused',
    })
  })
})
