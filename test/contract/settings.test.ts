import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { API } from '#server/access/api.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

type Answer = Record<string, unknown> & { version: number; changed: { by: string; at: string } | null }
type Section = { key: string; read: Endpoint; update: Endpoint }

const endpoints = Object.values(API).flatMap((group) => Object.values<Endpoint>(group))
const at = (path: string) => endpoints.find((endpoint) => endpoint.path === path)

/** Every section of the settings: what is read at one address and saved, with a version, at `update-` of it. */
const SETTINGS: Section[] = endpoints.flatMap((update) => {
  const [, room, key] = /^\/api\/(setting|postback)\/v1\/update-([a-z-]+)$/.exec(update.path) ?? []
  const read = at(`/api/${room}/v1/${key}`)
  return key === undefined || read === undefined ? [] : [{ key, read, update }]
})

let api: TestApi
let people: Caller[]
beforeAll(async () => {
  api = await startApi()
  people = [await api.as('admin', { name: 'Ann' }), await api.as('admin', { name: 'Bob' })]
})
afterAll(() => api.close())

test('the sections are found by their addresses', () => {
  const keys = SETTINGS.map(({ key }) => key)
  expect(keys).toEqual(expect.arrayContaining(['general', 'trafficback', 'registration', 'security', 'smtp', 'incoming']))
})

describe.each(SETTINGS)('the settings of $key', ({ key, read, update }) => {
  const open = async (person: Caller) => (await person.call(read)).data as Answer // every section has these two
  /** What is sent back of what was read: secrets go in and never come out. */
  const bodyOf = ({ changed: _changed, ...rest }: Answer) => {
    const known = Object.keys((update.body as unknown as { shape: object }).shape)
    const kept = { password: null, dkim_key: null, ...(key === 'incoming' && { token: 'new' }) }
    return Object.fromEntries(known.flatMap((name) => (name in { ...rest, ...kept } ? [[name, { ...rest, ...kept }[name]]] : [])))
  }
  /** The same with one thing changed, as whatever kind of thing it is allows. */
  const changes = (body: Record<string, unknown>): object[] =>
    Object.entries(body).flatMap(([name, value]) => {
      if (name === 'version') return []
      if (typeof value === 'boolean') return [{ ...body, [name]: !value }]
      if (typeof value === 'number') return [{ ...body, [name]: value + 1 }]
      if (value === '') return [{ ...body, [name]: name === 'url' ? 'https://else.example/' : 'Other words' }]
      if (name === 'generic' && value === null) return [{ ...body, [name]: 365 }]
      if (name === 'second_factor') return [{ ...body, [name]: ['affiliate'] }]
      if (name === 'patterns') return [{ ...body, [name]: [{ series: 'INV', year: 2100, pattern: 'FV/{year}/{n}' }] }]
      if (name === 'net') return [{ ...body, net: '30' }]
      if (value === 'block' || value === 'warn') return [{ ...body, [name]: 'off' }]
      return name === 'token' ? [body] : []
    })

  test('tell who changed them last, and are not overwritten by who read them before', async () => {
    const [ann, bob] = people as [Caller, Caller] // two were made
    const before = await open(ann)
    expect(before.changed).toBeNull()

    const statuses: number[] = []
    let saved: Answer | undefined
    for (const body of changes(bodyOf(before))) {
      const answer = await ann.call(update, { body })
      statuses.push(answer.status)
      if (answer.status === 200) {
        saved = answer.data as Answer
        break
      }
    }
    expect(saved?.changed, `no change was taken: ${statuses.join(', ')}`).toEqual({
      by: 'Ann',
      at: new Date(api.clock.now()).toISOString(),
    })
    expect(await open(bob)).toEqual(saved)

    // who read them before the other saved is told so, and nothing of theirs is kept
    expect((await bob.call(update, { body: bodyOf(before) })).status).toBe(409)
    expect(await open(bob)).toEqual(saved)
    // an unknown field is refused by its name
    const stranger = await bob.call(update, { body: { ...bodyOf(saved!), nonsense: 1 } })
    expect([stranger.status, Object.keys(stranger.fields)]).toEqual([400, ['nonsense']])
  })
})
