import { connect } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

/** Requests that no endpoint ever sees are refused as clearly as the others: in the envelope of the contract. */
let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

/** Sends bytes as they stand, and reads until the server closes. */
async function send(request: string): Promise<{ status: number; body: string }> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  socket.write(request, 'latin1')
  let text = ''
  for await (const bytes of socket) text += String(bytes)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body }
}
const get = (path: string, headers = '') => send(`GET ${path} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n${headers}\r\n`)

describe('a refusal comes in the envelope', () => {
  test.each([
    ['a broken percent sign', () => get('/api/offer/v1/get/%'), 400],
    ['bytes that are no UTF-8', () => get('/api/offer/v1/get/%ff'), 400],
    ['an overlong NUL', () => get('/api/offer/v1/get/%c0%80'), 400],
    [
      'an endless parameter',
      () => send(`POST /api/offer/v1/update/${'x'.repeat(5000)} HTTP/1.1\r\nHost: panel\r\nConnection: close\r\n\r\n`),
      400,
    ],
    ['headers above 16 KB', () => get('/api/auth/v1/me', `X-Long: ${'x'.repeat(20_000)}\r\n`), 431],
    ['a method nobody knows', () => send('GETT / HTTP/1.1\r\nHost: panel\r\n\r\n'), 400],
    ['a broken length', () => send('POST /api/auth/v1/login HTTP/1.1\r\nHost: panel\r\nContent-Length: x\r\n\r\n'), 400],
    ['a TLS greeting', () => send('\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n'), 400],
  ])('%s', async (_what, request, status) => {
    const answer = await request()
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toMatchObject({ status: 'error', errors: expect.any(Object), data: {} })
  })
})

test('HEAD says about a page what GET says', async () => {
  for (const path of ['/', '/offers', '/nowhere']) {
    const statuses = await Promise.all(['GET', 'HEAD'].map(async (method) => (await fetch(`${api.url}${path}`, { method })).status))
    expect(statuses[1], path).toBe(statuses[0])
  }
})

test.each([
  ['bytes where JSON belongs', 'application/octet-stream', () => new Uint8Array(1024 * 1024)],
  [
    'a great many unknown fields',
    'application/json',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, 0]))),
  ],
])('%s are refused in few words', async (_what, type, body) => {
  const answer = await fetch(`${api.url}/api/auth/v1/login`, { method: 'POST', headers: { 'content-type': type }, body: body() })
  expect(answer.status).toBe(400)
  expect((await answer.text()).length).toBeLessThan(5_000)
})

test('a database whose connections break amid calls is answered 503, and never 500', async () => {
  const admin = await api.as('admin')
  const statuses = new Set<number>()
  let over = false
  const load = Array.from({ length: 8 }, async () => {
    while (!over) statuses.add((await admin.call(affiliateApi.list)).status)
  })
  for (let round = 0; round < 200 && !statuses.has(503) && !statuses.has(500); round++) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      .execute(api.db)
      .catch(() => undefined) // its own connection may be one that broke
  }
  over = true
  await Promise.all(load)
  expect([...statuses].toSorted()).toEqual([200, 503])
})
