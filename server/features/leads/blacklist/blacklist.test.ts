import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CallOutput } from '#contract/endpoint.ts'
import { blacklistApi } from '#contract/leads/blacklist.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const HOUR = 3_600_000
let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

const list = async (body: object = {}) => (await admin.call(blacklistApi.list, { body })).data.list
async function upload<Of extends typeof blacklistApi.preview | typeof blacklistApi.import>(
  of: Of,
  text: string,
  query: Record<string, string>,
) {
  const response = await fetch(`${api.url}${of.path}?${new URLSearchParams(query)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.from(text)),
  })
  return ((await response.json()) as { data: CallOutput<Of> & { fields?: Record<string, string> } }).data // as every endpoint answers
}
const preview = (text: string) => upload(blacklistApi.preview, text, {})
const take = (text: string, query: Record<string, string> = {}) => upload(blacklistApi.import, text, query)

test('a file is looked through, taken once, tells what it refused, and is taken back but for what somebody wrote since', async () => {
  const text = [
    'kind;value;note;expires',
    'email;one@bad.example;fraud;2031-01-31',
    ';two@bad.example;;',
    'phone;+39 333 222 11 00;;',
    'ip;203.0.113.77/24;;',
    ';bad.example;;',
    'first name;Test;;',
    ';Test;;',
    'email;nobody;;',
    'email;one@bad.example;again;',
    'ip;0.0.0.0/0;;',
    'domain;late.example;;2020-01-01',
  ].join('\n')
  const seen = await preview(text)
  expect([seen.good, seen.there, seen.bad]).toEqual([7, 1, 4])
  expect(seen.refused.map(({ line, problem }) => [line, problem])).toEqual([
    [8, 'Say in a column named kind what this is'],
    [9, 'This is not an e-mail address'],
    [11, 'This network is too wide: at most /8, of IPv6 /19'],
    [12, 'It has ended already'],
  ])
  expect(await list()).toEqual([])

  // two at once add each value once
  const [first, second] = await Promise.all([take(text, { name: 'bad.csv' }), take(text, { name: 'bad.csv' })])
  expect([first.made, second.made].toSorted()).toEqual([0, 6])
  expect(first.refused.length).toBe(4)
  const kept = await list()
  expect(kept.map(({ kind, shown }) => `${kind} ${shown}`).toSorted()).toEqual([
    'domain bad.example',
    'email o***@b***.example',
    'email t***@b***.example',
    'first_name t***',
    'ip 203.0.113.0/24',
    'phone ***100',
  ])
  const rows = await api.db.selectFrom('blacklist_entry').selectAll().execute()
  expect(JSON.stringify([kept, rows, await api.db.selectFrom('audit').selectAll().execute()])).not.toMatch(/one@|two@|2221100/)
  // a contact is found by the whole of it, a domain by its parts
  for (const [search, found] of [
    ['ONE@bad.example', 1],
    ['one@bad', 0],
    ['+393332221100', 1],
    ['ad.exam', 1],
    ['203.0.113', 1],
    ['fraud', 1],
  ] as const)
    expect([search, (await list({ search })).length]).toEqual([search, found])

  await admin.call(blacklistApi.add, { body: { kind: 'domain', value: '@bad.example', note: 'for sure' } })
  const made = first.made === 6 ? first.uuid : second.uuid
  const undone = await Promise.all([1, 2].map(() => admin.call(blacklistApi.undo, { body: { uuid: made } })))
  expect(undone.map(({ data }) => data.changed).toSorted()).toEqual([0, 5])
  expect((await list()).map(({ shown, note }) => [shown, note])).toEqual([['bad.example', 'for sure']])
  expect((await admin.call(blacklistApi.imports)).data.list.find(({ uuid }) => uuid === made)).toMatchObject({
    file_name: 'bad.csv',
    removed: 5,
    undo_until: null,
  })
})

test('a file of one column needs no head, one of something else is refused, and after a day nothing is taken back', async () => {
  const data = await take('a@list.example\nb@list.example', { kind: 'email' })
  expect([data.made, data.bad]).toEqual([2, 0])
  expect((await preview('')).fields).toEqual({ file: 'This file is empty' })
  expect((await preview('name,age\nAnna,5')).bad).toBe(1)
  expect((await preview('person,age\nAnna,5')).fields).toEqual({ file: 'No column of this file is named value' })
  api.clock.advance(25 * HOUR)
  expect((await admin.call(blacklistApi.undo, { body: { uuid: data.uuid } })).status).toBe(409)
})

test('one value at a time is checked by what it is, kept until its end, and removed', async () => {
  const add = (body: object) => admin.call(blacklistApi.add, { body: body as { kind: 'email'; value: string } })
  expect((await add({ kind: 'ip', value: '203.0.113.999' })).fields).toEqual({
    value: 'Write an address or a network such as 203.0.113.0/24',
  })
  expect((await add({ kind: 'domain', value: 'x.example', expires_at: '2020-01-01T00:00:00Z' })).fields).toEqual({
    expires_at: 'It has ended already',
  })
  const { data } = await add({ kind: 'last_name', value: 'Nobody' })
  expect(data).toMatchObject({ shown: 'n***', file: null, expires_at: null })
  expect((await add({ kind: 'last_name', value: ' nobody ', note: 'twice' })).data.uuid).toBe(data.uuid)
  for (const [who, status] of [
    ['manager', 403],
    ['affiliate', 403],
    ['head', 200],
  ] as const)
    expect((await (await api.as(who)).call(blacklistApi.list, { body: {} })).status).toBe(status)
  expect((await admin.call(blacklistApi.remove, { body: { uuids: [data.uuid] } })).data).toEqual({ changed: 1 })
  expect((await admin.call(blacklistApi.remove, { body: { uuids: [data.uuid] } })).data).toEqual({ changed: 0 })
})
