import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { can, ROLES } from '#contract/access.ts'
import { API } from '#contract/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { startApi, type Caller, type TestApi } from '#test/support/api.ts'

/** A uuid and a number that belong to nobody. */
const STRANGER = '00000000-0000-4000-8000-000000000000'

const endpoints = Object.entries(API).flatMap(([feature, group]) =>
  Object.entries<Endpoint>(group).map(([name, endpoint]) => ({ id: `${feature}.${name}`, endpoint })),
)

let api: TestApi
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
})
afterAll(() => api.close())

describe('every endpoint asks for a token and the permission it names', () => {
  test.each(endpoints)('$id', async ({ endpoint }) => {
    const statuses: Record<string, number> = {}
    const expected: Record<string, string> = {}
    const callers: [string, Pick<Caller, 'call'>][] = [['guest', api.guest]]
    for (const role of ROLES) callers.push([role, await api.as(role)])
    for (const [name, caller] of callers) {
      const answer = await caller.call(endpoint, { params: { uuid: STRANGER } })
      statuses[name] = answer.status
      const role = ROLES.find((candidate) => candidate === name)
      expected[name] = can(role, endpoint.access) ? 'let in' : role === undefined ? 'refused 401' : 'refused 403'
    }
    const seen = Object.fromEntries(
      Object.entries(statuses).map(([name, status]) => [name, status === 401 ? 'refused 401' : status === 403 ? 'refused 403' : 'let in']),
    )
    expect(seen).toEqual(expected)
  })

  test('every path is /api/<feature>/v1/<verb>, and none is served twice', () => {
    const paths = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { endpoint } of endpoints) expect(endpoint.path).toMatch(/^\/api\/[a-z-]+\/v1\/[a-z-]+(\/:uuid)?$/)
  })
})

describe('a row of somebody else does not exist', () => {
  const byKey = endpoints.filter(
    ({ endpoint }) => endpoint.path.endsWith('/:uuid') && endpoint.access !== 'public' && endpoint.method === 'GET',
  )
  test.each(byKey)('$id', async ({ endpoint }) => {
    for (const role of ROLES.filter((candidate) => can(candidate, endpoint.access))) {
      const caller = await api.as(role)
      for (const uuid of [STRANGER, '999999999']) expect((await caller.call(endpoint, { params: { uuid } })).status, role).toBe(404)
    }
  })
})
