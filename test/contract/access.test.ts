import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { can, ROLES, type Role } from '#contract/access.ts'
import { API, roomOf } from '#server/access/api.ts'
import { changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { KEY_SCOPES } from '#contract/people/key-scope.ts'
import { newKey } from '#server/features/people/api-key/key-actor.service.ts'
import { hashToken } from '#server/platform/secret.ts'
import { savedViewApi } from '#contract/traffic/view.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { watchRows } from '#test/support/run/watch-rows.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { makeStranger, type Stranger } from '#test/support/make/stranger.ts'
import { ATTEMPTS } from './strangers-rows.ts'

/** A uuid and a number that belong to nobody. */
const STRANGER = '00000000-0000-4000-8000-000000000000'

const endpoints = Object.entries(API).flatMap(([feature, group]) =>
  Object.entries<Endpoint>(group).map(([name, endpoint]) => ({ id: `${feature}.${name}`, endpoint })),
)

let api: TestApi
/** Somebody of each role; nothing those calls do that only ask for rights, or are refused, takes anything from them. */
let people: Record<Role, Caller>
/** Every row there is, by table. */
let rows: () => Promise<Record<string, string>>
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  people = await oneOfEach()
  rows = await watchRows(api.db)
})

async function oneOfEach(): Promise<Record<Role, Caller>> {
  return Object.fromEntries(await Promise.all(ROLES.map(async (role) => [role, await api.as(role)]))) as Record<Role, Caller> // every role is there
}

afterAll(() => api.close())

describe('every endpoint asks for a token and the permission it names', () => {
  test.each(endpoints)('$id', async ({ id, endpoint }) => {
    const statuses: Record<string, number> = {}
    const expected: Record<string, string> = {}
    const callers: [string, Pick<Caller, 'call'>][] = [['guest', api.guest]]
    // who signs out or ends sessions does not come back
    callers.push(...Object.entries(id.startsWith('auth.') ? await oneOfEach() : people))
    // all of them at once: what each is let into has nothing to do with the others
    const answers = await Promise.all(callers.map(([, caller]) => caller.call(endpoint, { params: { uuid: STRANGER } })))
    for (const [index, [name]] of callers.entries()) {
      statuses[name] = answers[index]?.status ?? 0
      const role = ROLES.find((candidate) => candidate === name)
      expected[name] = can(role, endpoint.access) ? 'let in' : role === undefined ? 'refused 401' : 'refused 403'
    }
    const seen = Object.fromEntries(
      Object.entries(statuses).map(([name, status]) => [name, status === 401 ? 'refused 401' : status === 403 ? 'refused 403' : 'let in']),
    )
    expect(seen).toEqual(expected)
  })

  describe('and an API key for the scope of its room', () => {
    /** A key of somebody with some scopes, as it stands in the database. */
    async function withKey(role: Role, scopes: readonly string[]): Promise<Pick<Caller, 'call'>> {
      const key = newKey()
      const { accountId } = people[role]
      const row = { account_id: accountId, name: scopes.join(), token_hash: hashToken(key), hint: '', scopes: [...scopes], allowed_ips: [] }
      await api.db
        .insertInto('api_key')
        .values({ ...row, created_at: new Date(api.clock.now()) })
        .execute()
      return { call: caller(api.url, key) }
    }
    const keys = new Map<string, Pick<Caller, 'call'>>()
    const keyFor = async (role: Role, scopes: readonly string[]) => {
      const name = `${role} ${scopes.join()}`
      const found = keys.get(name) ?? (await withKey(role, scopes))
      keys.set(name, found)
      return found
    }
    const guarded = endpoints.filter(({ endpoint }) => endpoint.access !== 'public')
    test.each(guarded)('$id', async ({ endpoint }) => {
      const role = ROLES.find((candidate) => can(candidate, endpoint.access)) ?? 'admin'
      const room = roomOf(endpoint)
      const needed = `${room}.${changesSomething(endpoint) ? 'write' : 'read'}`
      const enough = (scope: string) => scope === needed || (needed.endsWith('.read') && scope === `${room}.write`)
      const answered = async (scopes: readonly string[]) => {
        const { errors } = await (await keyFor(role, scopes)).call(endpoint, { params: { uuid: STRANGER } })
        return Object.keys(errors).filter((code) => ['1060', '1061', '1062'].includes(code))
      }
      const lacking = KEY_SCOPES.filter((scope) => !enough(scope))
      const refused = endpoint.key === 'never' ? ['1061'] : endpoint.key === 'always' ? [] : ['1060']
      expect({ lacking: await answered(lacking), all: await answered(KEY_SCOPES) }).toEqual({
        lacking: refused,
        all: endpoint.key === 'never' ? ['1061'] : [],
      })
    })

    test('which never reaches how somebody signs in, who works here, or what mail goes out by, nor the rules money is paid by', () => {
      const open = guarded.filter(
        ({ id, endpoint }) =>
          /^(auth|secondFactor|apiKey|acting|security|smtp)\.|passwordLink|invite|^manager\.(create|update|setStatus)/i.test(id) &&
          endpoint.key !== 'never',
      )
      expect(open.map(({ id }) => id).toSorted()).toEqual(['auth.me', 'security.setting', 'smtp.read'])
      // who has to be two, and what is paid how and by whose fee, is changed by people alone
      const rules = guarded.filter(({ endpoint }) => /^\/api\/setting\/v1\/update-(billing|payments|company|series)$/.test(endpoint.path))
      expect(rules.map(({ endpoint }) => endpoint.key)).toEqual(['never', 'never', 'never', 'never'])
    })
  })

  test('what says that it changes nothing changes nothing', async () => {
    const reading = endpoints.filter(({ endpoint }) => endpoint.reads || (endpoint.method === 'GET' && endpoint.access !== 'public'))
    const before = await rows()
    for (const { endpoint } of reading)
      await people[ROLES.find((role) => can(role, endpoint.access)) ?? 'admin'].call(endpoint, { params: { uuid: STRANGER } })
    expect(await rows()).toEqual(before)
  })

  test('a call that reads by its name says so', () => {
    const reads =
      /\/(list|options|preview|figures|history|people|entries|accounts|trial|own|[a-z-]+-list|own-[a-z]*(entries|accounts)|series|run)(\/:uuid)?$/
    expect(endpoints.filter(({ endpoint }) => reads.test(endpoint.path) && changesSomething(endpoint)).map(({ id }) => id)).toEqual([])
  })

  test('every path is /api/<feature>/v1/<verb>, and none is served twice', () => {
    const paths = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(new Set(paths).size).toBe(paths.length)
    for (const { endpoint } of endpoints) expect(endpoint.path).toMatch(/^\/api\/[a-z-]+\/v1\/[a-z-]+(\/:uuid)?$/)
  })

  // what the tests of this file visit is what there is; one path implemented twice keeps the API from starting
  test('what is declared is served, and nothing else', () => {
    const declared = endpoints.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(served(api).toSorted()).toEqual([...declared, 'GET /api/openapi.json', 'GET /api/partner/v1/openapi.json', ...OTHERS].toSorted())
  })
})

test('every list a call takes has a most, so that none outgrows what a statement can carry', () => {
  const endless = endpoints.flatMap(({ id, endpoint: { params, query, body } }) =>
    Object.entries({ params, query, body }).flatMap(([part, schema]) =>
      endlessIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), `${id} ${part}`),
    ),
  )
  expect(endless).toEqual([])
})

test('every call that asks for rows by the page gets 50 unless it says, and never more than 100', () => {
  const paged = endpoints.flatMap(({ id, endpoint: { query, body } }) =>
    [query, body].flatMap((schema) => {
      const { properties } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
      return typeof properties?.['count'] === 'object' ? [{ id, ...properties['count'] }] : []
    }),
  )
  expect(paged.filter((count) => count.default !== 50 || count.maximum !== 100)).toEqual([])
  expect(paged.length).toBeGreaterThan(10)
})

/** Where systems that push leads elsewhere change only the host: their paths, which have tests of their own. */
const OTHERS = [
  'POST /api/signup/procform',
  'POST /api/pull/customers',
  'POST /api/affiliates/v2/leads',
  'GET /api/affiliates/v2/leads',
  'GET /api/affiliates/v2/goal-types',
]

/** `METHOD /path` of all that is served below /api, read off the tree Fastify draws of it. */
function served({ app }: TestApi): string[] {
  const above: string[] = []
  return app.server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const { indent = '', path = '', methods = '' } = /^(?<indent>.*)[├└]── (?<path>\S+)(?: \((?<methods>.+)\))?$/.exec(line)?.groups ?? {}
      const depth = indent.length / 4
      above[depth] = `${above[depth - 1] ?? ''}${path}`
      return methods.split(', ').map((method) => `${method} ${above[depth]}`)
    })
    .filter((route) => /^(?!HEAD)\w+ \/api\//.test(route))
}

/** Where a JSON schema takes lists without `maxItems`, or fields of any name without `maxProperties`. */
function endlessIn(schema: unknown, place: string): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const list = 'type' in schema && schema.type === 'array' && !('maxItems' in schema)
  const names = 'propertyNames' in schema && schema.propertyNames
  const chosen = typeof names === 'object' && names !== null && 'enum' in names
  const record = names !== false && !chosen && !('maxProperties' in schema)
  return [...(list || record ? [place] : []), ...Object.entries(schema).flatMap(([name, part]) => endlessIn(part, `${place}.${name}`))]
}

const ID = /(^|_)(uuids?|ids?)$/
/** Fields whose names end like an id and which are texts of the outside world. */
const TEXTS = ['click_id', 'external_id', 'vat_id', 'transaction_id']

/** Whether a call names a row: in its path, or anywhere in its body; those of statistics name what they filter by. */
function takesId({ path, body }: Endpoint): boolean {
  return (
    path.includes('/:') ||
    namesOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' })).some(
      (name) => name === 'filters' || (ID.test(name) && !TEXTS.includes(name)),
    )
  )
}

function namesOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const own = 'properties' in schema && typeof schema.properties === 'object' ? Object.keys(schema.properties ?? {}) : []
  return [...own, ...Object.values(schema).flatMap(namesOf)]
}

describe("a stranger's row does not exist, and stays as it is", () => {
  /** The roles that do not see everything, none of whose scopes holds a row of the stranger's. */
  const NARROW = ['manager', 'team lead', 'affiliate'] as const
  let stranger: Stranger
  let callers: Record<(typeof NARROW)[number], Caller>
  let head: Caller
  let admin: Caller
  /** The stranger's rows with those of an admin in their place, where people have rows of their own. */
  let ofAdmin: Stranger
  beforeAll(async () => {
    stranger = await makeStranger(api)
    callers = { manager: await api.as('manager'), 'team lead': await api.as('team lead'), affiliate: await api.as('affiliate') }
    head = await api.as('head')
    admin = await api.as('admin')
    const session = await api.db.selectFrom('session').select('uuid').where('account_id', '=', admin.accountId).executeTakeFirstOrThrow()
    const view = await admin.call(savedViewApi.save, { body: { screen: 'affiliates', name: 'Of an admin', address: 'x=1' } })
    ofAdmin = { ...stranger, manager: admin, affiliate: admin, session, view: view.data }
  })

  async function expectUnchanged(before: Record<string, string>): Promise<void> {
    expect(await rows()).toEqual(before)
    expect((await stranger.manager.call(authApi.me)).status).toBe(200)
  }

  const byId = endpoints.filter(({ endpoint }) => takesId(endpoint) && NARROW.some((role) => can(role, endpoint.access)))
  test.each(byId)('$id', async ({ id, endpoint }) => {
    const attempt = ATTEMPTS[id]
    if (attempt === undefined) throw new Error(`${id} takes an id: say in strangers-rows.ts which row of a stranger's it must not reach`)
    const { answer: expected, adds = false, ...input } = attempt(stranger)
    const before = await rows()
    for (const role of NARROW.filter((candidate) => can(candidate, endpoint.access))) {
      const { status, data, fields } = await callers[role].call(endpoint, input)
      const seen = status === 200 ? data : status === 404 ? 'missing' : { status, fields }
      if (expected === 'missing') expect(seen, role).toBe('missing')
      else expect(seen, role).toMatchObject(expected)
    }
    if (!adds) await expectUnchanged(before)
  })

  /** What names a person's own rows, all else being open to head; whom head may make is told in manager.test.ts. */
  const ofPeople = byId.filter(
    ({ id, endpoint }) => /^(manager|auth|savedView)\./.test(id) && id !== 'manager.create' && can('head', endpoint.access),
  )
  test.each(ofPeople)('$id of an admin, for head', async ({ id, endpoint }) => {
    const { answer: expected = 'missing', ...input } = ATTEMPTS[id]?.(ofAdmin) ?? {}
    const before = await rows()
    const { status, data } = await head.call(endpoint, input)
    expect(status === 404 ? 'missing' : data).toEqual(expected === 'missing' ? expected : expect.objectContaining(expected))
    await expectUnchanged(before)
    expect((await admin.call(authApi.me)).status).toBe(200)
  })

  test('nothing is attempted on an endpoint that is gone', () => {
    expect(Object.keys(ATTEMPTS).filter((id) => !byId.some((one) => one.id === id))).toEqual([])
  })

  test('a row of nobody is missing too', async () => {
    for (const { endpoint } of byId.filter(({ endpoint }) => endpoint.path.includes('/:') && endpoint.method === 'GET'))
      for (const role of ROLES.filter((candidate) => can(candidate, endpoint.access))) {
        const caller = people[role]
        for (const uuid of [STRANGER, '999999999'])
          expect((await caller.call(endpoint, { params: { uuid } })).status, `${endpoint.path} ${role}`).toBe(404)
      }
  })
})

/** Whether a call brings named values: a GET carries no body, and some bodies are no objects. */
const takesFields = ({ method, body }: Endpoint) => method !== 'GET' && body instanceof z.ZodObject

describe('a field nobody knows is refused by its name', () => {
  test.each(endpoints)('$id', async ({ endpoint }) => {
    const role = ROLES.find((candidate) => can(candidate, endpoint.access))
    const caller = role === undefined || endpoint.access === 'public' ? api.guest : people[role]
    const inQuery = await caller.call(endpoint, { params: { uuid: STRANGER }, query: { surplus: 'x' } } as object)
    expect({ status: inQuery.status, fields: inQuery.fields }).toMatchObject({ status: 400, fields: { surplus: 'Unknown field' } })
    if (!takesFields(endpoint)) return
    const inBody = await caller.call(endpoint, { params: { uuid: STRANGER }, body: { surplus: 'x' } })
    expect(inBody.status).toBe(400)
    expect(inBody.fields).toMatchObject({ surplus: 'Unknown field' })
  })

  test('of every body but the few that are bytes', () => {
    const skipped = endpoints.filter(({ endpoint }) => endpoint.method !== 'GET' && !takesFields(endpoint))
    expect(skipped.map(({ id }) => id).toSorted()).toEqual([
      'blacklist.import',
      'blacklist.preview',
      'conversionImport.read',
      'domain.importUnsafe',
      'file.upload',
      'import.read',
      'leadListImport.read',
      'reconciliation.read',
      'suppression.import',
      'suppression.preview',
    ])
  })

  test.each(['constructor', '__proto__', 'toString'])('also when every object has one called %s', async (name) => {
    const { admin } = people
    // written out: in a literal of an object it would name the prototype
    const body = JSON.parse(`{"${name}":"x"}`) as object
    const { status, fields } = await admin.call(affiliateApi.list, { body })
    expect({ status, named: Object.entries(fields) }).toEqual({ status: 400, named: [[name, 'Unknown field']] })
  })

  test('also deep inside of the body, beside what is wrong there', async () => {
    const { admin } = people
    const { status, fields } = await admin.call(affiliateApi.create, {
      body: { ...affiliateInput({ name: '' }), contacts: { foo: 'x' } as Record<string, string> },
    })
    expect({ status, fields }).toEqual({ status: 400, fields: { name: 'Required', 'contacts.foo': 'Unknown field' } })
  })
})
