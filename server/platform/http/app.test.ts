import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startApi, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** The status and the headers of the answer to these bytes. */
async function answerTo(bytes: string) {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.on('data', (part) => {
    text += String(part)
  })
  socket.write(bytes)
  await once(socket, 'end')
  socket.destroy()
  const [first = '', ...lines] = text.split('\r\n\r\n')[0]?.split('\r\n') ?? []
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 2)]
  })
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers) }
}
const get = (path: string) => answerTo(`GET ${path} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n\r\n`)

test.each([
  ['a path nobody serves', () => get('/api/nothing/v1/at-all'), 404],
  ['a path that cannot be decoded', () => get('/%E0%A4%A'), 400],
  ['bytes that are no HTTP', () => answerTo('hello\r\n\r\n'), 400],
  ['headers that are too long', () => answerTo(`GET / HTTP/1.1\r\nHost: panel\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`), 431],
])('%s is answered with the headers of every answer', async (_what, ask, status) => {
  const plain = await get('/api/health')
  const { 'x-request-id': id, ...headers } = (await ask()).headers
  expect(id).toMatch(/^[\w-]{36}$/)
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-content-type-options': 'nosniff',
    'x-frame-options': expect.any(String),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  for (const name of Object.keys(plain.headers).filter((one) => /^(x|cross|content-security|referrer|origin)-/.test(one)))
    if (name !== 'x-request-id') expect([name, headers[name]]).toEqual([name, plain.headers[name]])
  expect((await ask()).status).toBe(status)
})
