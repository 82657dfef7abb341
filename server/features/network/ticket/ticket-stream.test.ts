import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ticketApi } from '#contract/network/ticket.ts'
import { authApi } from '#contract/people/auth.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let manager: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  manager = await api.as('manager')
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
})
afterAll(() => api.close())

/** Follows the tickets of somebody from a change on: `next` waits for an event, `over` for the end. */
async function follow(who: Pick<Caller, 'token'>, after = '0', { url } = api) {
  const gone = new AbortController()
  const response = await fetch(`${url}${ticketApi.stream.path}?after=${after}`, {
    headers: { authorization: `Bearer ${who.token}` },
    signal: gone.signal,
  })
  let last = ''
  const events = (async function* () {
    let text = ''
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString()
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2) as [string, string]))
        if (fields['event'] === undefined) continue
        last = fields['id'] ?? last
        if (fields['event'] === 'ticket') yield JSON.parse(fields['data'] ?? '') as { kind: string; ticket: string | null }
        else yield { kind: fields['event'], ticket: null }
      }
    }
  })()
  if (response.status === 200) expect((await events.next()).value).toMatchObject({ kind: 'ready' })
  return {
    status: response.status,
    headers: response.headers,
    last: () => last,
    next: async () => (await events.next()).value,
    over: async () => (await events.next()).done,
    leave: () => gone.abort(),
  }
}

async function open(who = affiliate) {
  const body = { key: randomUUID(), subject: 'Live', body: 'Hello', category: 'general' as const }
  return (await who.call(ticketApi.create, { body })).data.uuid
}
const answer = (who: Caller, uuid: string, internal = false) =>
  who.call(ticketApi.answer, { params: { uuid }, body: { key: randomUUID(), body: 'x', internal } })

test('both sides hear of a message at once, and nobody else does', async () => {
  const other = await api.as('affiliate', { managerId: manager.managerId })
  const [staff, own, stranger] = [await follow(manager), await follow(affiliate), await follow(other)]
  expect(staff.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const ticket = await open()
  expect(await staff.next()).toEqual({ kind: 'changed', ticket })
  expect(await own.next()).toEqual({ kind: 'changed', ticket })
  // what the stranger hears first is its own
  const theirs = await open(other)
  expect(await stranger.next()).toEqual({ kind: 'changed', ticket: theirs })
  for (const one of [staff, own, stranger]) one.leave()
})

test('a note is no news for its affiliate', async () => {
  const ticket = await open()
  const [staff, own] = [await follow(manager), await follow(affiliate)]
  await answer(manager, ticket, true)
  expect(await staff.next()).toEqual({ kind: 'changed', ticket })
  const next = await open()
  expect(await own.next()).toEqual({ kind: 'changed', ticket: next })
  for (const one of [staff, own]) one.leave()
})

test('who comes back hears of each ticket that has changed meanwhile, or that there are too many', async () => {
  const before = await follow(affiliate)
  const [one, two] = [await open(), await open()]
  expect([await before.next(), await before.next()].map((event) => event?.ticket)).toEqual([one, two])
  const last = before.last()
  before.leave()
  await answer(manager, two)
  await answer(manager, one)
  await answer(manager, one)
  const again = await follow(affiliate, last)
  expect([await again.next(), await again.next()].map((event) => event?.ticket)).toEqual([two, one])
  again.leave()
  // nothing is told twice
  const third = await follow(affiliate, again.last())
  const next = await open()
  expect(await third.next()).toEqual({ kind: 'changed', ticket: next })
  third.leave()
  const many = await api.as('affiliate')
  await sql`
    insert into ticket (affiliate_id, subject, category, status, by_staff, created_at, last_at, change, told_change)
    select ${many.affiliateId}, 'x', 'general', 'open', false, now(), now(), nextval('ticket_change'), currval('ticket_change')
      from generate_series(1, 101)`.execute(api.db)
  const behind = await follow(many, last)
  expect(await behind.next()).toEqual({ kind: 'reset', ticket: null })
  behind.leave()
})

test('it ends with the session, at once, and does not open for one that has ended', async () => {
  const { token, ...rest } = await api.as('manager')
  const leaving = { token, ...rest }
  const stream = await follow(leaving)
  await leaving.call(authApi.logout)
  expect(await stream.over()).toBe(true)
  expect((await follow(leaving)).status).toBe(401)
})

test('an account holds 20 of them, and one that is left makes room', async () => {
  const who = await api.as('manager')
  const streams = []
  for (let at = 0; at < 20; at++) streams.push(await follow(who))
  expect((await follow(who)).status).toBe(429)
  streams[0]?.leave()
  await expect
    .poll(async () => {
      const stream = await follow(who)
      if (stream.status === 200) streams.push(stream)
      return stream.status
    })
    .toBe(200)
  for (const stream of streams) stream.leave()
})

test('what names no change is refused', async () => {
  for (const after of ['', '-1', 'x', '1e5', '9'.repeat(19)]) expect((await follow(manager, after)).status).toBe(400)
})

test('a server that stops ends them, and waits for nobody', async () => {
  const stopping = await startApi()
  const stream = await follow(await stopping.as('admin'), '0', stopping)
  expect(stream.status).toBe(200)
  const closed = stopping.close()
  expect(await stream.over()).toBe(true)
  await closed
})
