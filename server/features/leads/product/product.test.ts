import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { integrationApi } from '#contract/leads/integration.ts'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { productApi, type ProductDetail } from '#contract/leads/product.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let manager: Caller
let advertiser: { id: number; uuid: string }
let integration: string
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  admin = await api.as('admin')
  manager = await api.as('manager')
  advertiser = await makeAdvertiser(api.db, { managerId: manager.managerId })
  integration = await published('Mock CRM', SPEC)
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const SPEC = integrationSpec.parse({
  credentials: [
    { key: 'api_key', label: 'API key', secret: true },
    { key: 'box', label: 'Box', secret: false, required: false },
  ],
  request: {
    method: 'POST',
    url: '{{product.host}}/leads',
    headers: [{ name: 'Authorization', value: "{{cred.api_key | prefix:'Bearer '}}" }],
    body: 'json',
    nodes: ['first_name', 'last_name', 'email', 'phone', 'country']
      .map((name) => ({ path: name, value: `{{lead.${name}}}` }))
      .concat([
        { path: 'external_id', value: '{{send.lead_id}}' },
        { path: 'box', value: '{{cred.box}}' },
      ]),
    timeout_ms: 1000,
  },
  response: {
    rules: [
      { when: [{ at: 'success', op: 'truthy' }], outcome: 'accepted' },
      { when: [{ at: '', op: 'eq', value: '409' }], outcome: 'duplicate' },
      { when: [{ at: 'message', op: 'contains', value: 'cap' }], outcome: 'no_capacity' },
      {
        when: [
          { at: 'success', op: 'falsy' },
          { at: 'message', op: 'exists' },
        ],
        outcome: 'rejected',
      },
    ],
    extract: { external_id: ['id'], redirect_url: ['redirect_url'], error_text: ['message', 'error'] },
  },
  pull: {
    request: {
      method: 'GET',
      url: '{{product.host}}/leads',
      query: [
        { name: 'from', value: '{{poll.from}}' },
        { name: 'to', value: '{{poll.to}}' },
      ],
      headers: [{ name: 'Authorization', value: "{{cred.api_key | prefix:'Bearer '}}" }],
    },
    by: 'window',
    rows: ['data'],
    id: ['id'],
    status: ['status'],
    amount: ['ftd_amount'],
    sale_when: [{ at: 'ftd_amount', op: 'gt', value: '0' }],
  },
  statuses: { new: 'new' },
})

const take = async <Data>(
  answer: Promise<{ status: number; data: Data; errors: Record<string, string>; fields: Record<string, string> }>,
) => {
  const { status, data, errors, fields } = await answer
  expect({ status, errors, fields }).toMatchObject({ status: 200, errors: {} })
  return data
}
async function published(title: string, spec: typeof SPEC): Promise<string> {
  const made = await take(
    admin.call(integrationApi.create, { body: { title, type: 'finance_trading', notes: '', preset: '', copy_of: null } }),
  )
  return (await publish(made.uuid, spec)).uuid
}
async function publish(uuid: string, spec: typeof SPEC) {
  const { version } = await take(admin.call(integrationApi.get, { params: { uuid } }))
  const saved = await take(admin.call(integrationApi.save, { params: { uuid }, body: { spec, note: '', version } }))
  return take(admin.call(integrationApi.publish, { params: { uuid }, body: { version: saved.version } }))
}
let made = 0
const FIELDS = { geos: [], time_zone: 'Europe/Kyiv', notes: '' }
const creating = (more: object = {}) => ({
  ...FIELDS,
  title: `Product ${++made}`,
  host: mock.host,
  advertiser_uuid: advertiser.uuid,
  integration_uuid: integration,
  credentials: { api_key: mock.key },
  ...more,
})
const create = (more: object = {}) => take(manager.call(productApi.create, { body: creating(more) }))
const updating = ({ title, host, geos, time_zone, notes, version, version_number }: ProductDetail, more: object = {}) => ({
  title,
  host,
  geos,
  time_zone,
  notes,
  version,
  version_number,
  credentials: {},
  ...more,
})
const runTest = async ({ uuid, version_number }: { uuid: string; version_number: number }, values: Record<string, string> = {}) =>
  take(manager.call(productApi.test, { params: { uuid }, body: { version_number, values, country: 'DE' } }))
const get = (uuid: string) => take(manager.call(productApi.get, { params: { uuid } }))

describe('a product', () => {
  test('is ready once their system accepted a test, and no longer when its account, address or version is another', async () => {
    const one = await create()
    expect(one).toMatchObject({ ready: false, version_number: 1, newest: 1, tested_at: null })
    const run = await runTest(one)
    expect(run).toMatchObject({ outcome: 'accepted', extracted: { external_id: 'M-1', redirect_url: 'https://mock.example/•••' } })
    expect(mock.leads[0]).toMatchObject({ externalId: run.uuid, phone: expect.stringMatching(/^\+49\d+$/) })
    expect(await get(one.uuid)).toMatchObject({ ready: true, version: one.version })

    const other = await take(
      manager.call(productApi.update, { params: { uuid: one.uuid }, body: updating(one, { credentials: { box: '7' } }) }),
    )
    expect(other).toMatchObject({ ready: false, tested_at: null })
    await runTest(other, { 'lead.email': 'second@example.com' })
    expect((await get(one.uuid)).ready).toBe(true)

    await publish(integration, { ...SPEC, request: { ...SPEC.request, timeout_ms: 2000 } })
    const behind = await get(one.uuid)
    expect(behind).toMatchObject({ ready: true, version_number: 1, newest: 2 })
    const taken = await take(manager.call(productApi.update, { params: { uuid: one.uuid }, body: updating(behind, { version_number: 2 }) }))
    expect(taken).toMatchObject({ ready: false, version_number: 2 })
    // a test by the newest version before it is taken over counts as soon as it is
    expect(await runTest(taken, { 'lead.email': 'third@example.com' })).toMatchObject({ outcome: 'accepted', version_number: 2 })
    expect((await get(one.uuid)).ready).toBe(true)
    const third = await manager.call(productApi.update, { params: { uuid: one.uuid }, body: updating(taken, { version_number: 1 }) })
    expect(third).toMatchObject({ status: 422, fields: { version_number: expect.any(String) } })
  })

  test.each([
    ['Reject', 'rejected', 'Invalid phone', 3],
    ['Denied', 'rejected', 'Country is not served', 3],
    ['Full', 'no_capacity', 'Daily cap reached', 2],
    ['Duplicate', 'duplicate', 'Lead exists', 1],
    ['Broken', 'ambiguous', 'HTTP 500, and no rule fits the answer', null],
    ['Silent', 'ambiguous', 'No answer in time', null],
    ['Reset', 'ambiguous', 'The connection was cut before they answered', null],
  ])('tells what their system says to %s', async (name, outcome, reason, rule) => {
    const one = await create()
    const run = await runTest(one, { 'lead.first_name': name, 'lead.email': `${name}@example.com` })
    expect(run).toMatchObject({ outcome, reason, calls: [{ step: '', method: 'POST', rule }] })
    expect(await get(one.uuid)).toMatchObject({ ready: false })
    const listed = await take(manager.call(productApi.tests, { params: { uuid: one.uuid }, body: {} }))
    expect(listed).toMatchObject({ summary: { rows: 1 }, list: [{ uuid: run.uuid, outcome, by: expect.any(String) }] })
    expect(run.by).toBe(listed.list[0]?.by)
  })

  test('keeps its secrets from everybody: the detail, the log, tests and what their system repeats', async () => {
    const secret = 'top-secret/key+1'
    const one = await create({ credentials: { api_key: secret, box: 'eu' } })
    expect(one.credentials).toEqual([
      { key: 'api_key', label: 'API key', secret: true, required: true, set: true, value: '' },
      { key: 'box', label: 'Box', secret: false, required: false, set: true, value: 'eu' },
    ])
    const run = await runTest(one)
    expect(run).toMatchObject({ outcome: 'config_error' })
    // they answered with the key in the error
    expect(run.calls[0]?.answer?.body).toContain('••••••')
    expect(run.calls[0]?.headers).toContainEqual({ name: 'authorization', value: 'Bearer ••••••' })
    const kept = await api.db.selectFrom('product_test').selectAll().execute()
    const logged = await api.db.selectFrom('audit').selectAll().execute()
    for (const text of [JSON.stringify(run), JSON.stringify(kept), JSON.stringify(logged)]) expect(text).not.toContain(secret)
    const row = await api.db.selectFrom('product').select('credentials').where('uuid', '=', one.uuid).executeTakeFirstOrThrow()
    expect(row.credentials.toString('utf8')).not.toContain(secret)
  })

  test('gives no secret to another address than it was entered for', async () => {
    const one = await create({ credentials: { api_key: 'top-secret', box: 'eu' } })
    const moved = (more: object = {}) =>
      manager.call(productApi.update, { params: { uuid: one.uuid }, body: updating(one, { host: 'https://elsewhere.example', ...more }) })
    expect(await moved()).toMatchObject({ status: 422, fields: { 'credentials.api_key': expect.any(String) } })
    expect(await moved({ credentials: { api_key: null } })).toMatchObject({ status: 422 })
    expect(await get(one.uuid)).toMatchObject({ host: mock.host, version: one.version })
    // a path of the same host is no other address, and whoever knows the secret may take it along
    const path = updating(one, { host: `${mock.host}/v2` })
    const there = await take(manager.call(productApi.update, { params: { uuid: one.uuid }, body: path }))
    expect(await moved({ credentials: { api_key: 'top-secret' }, version: there.version })).toMatchObject({ status: 200 })
  })

  test('keeps a secret that a later version calls a plain field', async () => {
    const secret = 'top-secret/key+2'
    const uuid = await published('Mock that tells', SPEC)
    const one = await create({ integration_uuid: uuid, credentials: { api_key: secret, box: 'eu' } })
    const plain = SPEC.credentials.map((field) => ({ ...field, secret: false }))
    await publish(uuid, { ...SPEC, credentials: plain })
    const run = await runTest({ uuid: one.uuid, version_number: 2 })
    expect(JSON.stringify(run)).not.toContain(secret)
    // a version without the field between them changes nothing
    await publish(uuid, { ...SPEC, credentials: plain.slice(1), request: { ...SPEC.request, headers: [] }, pull: null })
    await publish(uuid, { ...SPEC, credentials: plain })
    const body = updating(one, { version_number: 4 })
    const there = await take(manager.call(productApi.update, { params: { uuid: one.uuid }, body }))
    expect(there.credentials).toMatchObject([
      { key: 'api_key', secret: true, set: true, value: '' },
      { key: 'box', secret: false, value: 'eu' },
    ])
    expect(JSON.stringify(await runTest(there))).not.toContain(secret)
    const logged = await api.db.selectFrom('product_test').select('calls').execute()
    expect(JSON.stringify(logged)).not.toContain(secret)
  })

  test('takes no secret along to a version that calls somebody else', async () => {
    const call = { ...SPEC.request, url: 'https://thief.example/leads' }
    const step = { name: 'look', request: call, response: SPEC.response, give: {}, keep_seconds: 0 }
    const versions: [title: string, spec: typeof SPEC][] = [
      ['Mock elsewhere', { ...SPEC, request: call }],
      ['Mock that looks elsewhere', { ...SPEC, steps: [step] }],
      ['Mock behind the host', { ...SPEC, request: { ...SPEC.request, url: '{{product.host}}@thief.example/leads' } }],
    ]
    for (const [title, spec] of versions) {
      const uuid = await published(title, SPEC)
      const one = await create({ integration_uuid: uuid, credentials: { api_key: 'top-secret', box: 'eu' } })
      await publish(uuid, spec)
      const params = { uuid: one.uuid }
      const tested = await manager.call(productApi.test, { params, body: { version_number: 2, values: {}, country: 'DE' } })
      expect(tested).toMatchObject({ status: 422, fields: { version_number: expect.any(String) } })
      const kept = await manager.call(productApi.update, { params, body: updating(one, { version_number: 2 }) })
      expect(kept).toMatchObject({ status: 422, fields: { 'credentials.api_key': expect.any(String) } })
      expect(await get(one.uuid)).toMatchObject({ version_number: 1, version: one.version })
      // whoever knows it may enter it for them
      const anew = updating(one, { version_number: 2, credentials: { api_key: 'top-secret' } })
      expect(await take(manager.call(productApi.update, { params, body: anew }))).toMatchObject({ version_number: 2, ready: false })
    }
  })

  test('logs in first where its integration says so, and shows nothing of the token', async () => {
    const uuid = await published('Mock with log-in', {
      ...SPEC,
      steps: [
        {
          name: 'login',
          request: {
            ...SPEC.request,
            url: '{{product.host}}/login',
            headers: [],
            nodes: [{ path: 'key', type: 'string', value: '{{cred.api_key}}', required: true, omit_if_empty: true }],
          },
          response: { rules: [{ when: [{ at: 'token', op: 'exists', value: '' }], outcome: 'accepted', reason: '' }], extract: {} },
          give: { token: ['token'] },
          keep_seconds: 0,
        },
      ],
      request: {
        ...SPEC.request,
        url: '{{product.host}}/token/leads',
        headers: [{ name: 'Authorization', value: 'Bearer {{step.login.token}}', omit_if_empty: false }],
      },
    })
    const one = await create({ integration_uuid: uuid })
    const run = await runTest(one, { 'lead.email': 'login@example.com' })
    expect(run).toMatchObject({ outcome: 'accepted', calls: [{ step: 'login' }, { step: '' }] })
    expect(JSON.stringify(run)).not.toContain(mock.key)
    const wrong = await runTest(await create({ integration_uuid: uuid, credentials: { api_key: 'wrong-key' } }))
    expect(wrong).toMatchObject({
      outcome: 'config_error',
      reason: 'The answer of login holds no step.login.token',
      calls: [{ step: 'login' }],
    })
  })

  test('shows what its system says became of leads, without changing anything', async () => {
    const one = await create()
    await runTest(one, { 'lead.email': 'pulled@example.com' })
    const lead = mock.leads.at(-1)
    if (lead) Object.assign(lead, { status: 'Deposited', deposit: '250' })
    const pulled = await take(
      manager.call(productApi.testPull, { params: { uuid: one.uuid }, body: { version_number: one.version_number, days: 7, ids: [] } }),
    )
    expect(pulled.problem).toBe('')
    expect(pulled.rows.at(-1)).toMatchObject({ id: lead?.id, status: 'Deposited', meaning: null, sale: true, amount: '250' })
    expect(pulled.rows[0]).toMatchObject({ status: 'New', meaning: 'new', sale: false })
  })

  test('is refused by name: a strange key, a missing one, a private or plain address, a title twice, somebody else’s advertiser', async () => {
    const refusal = async (more: object) => {
      const { status, fields } = await manager.call(productApi.create, { body: creating(more) })
      return [status, Object.keys(fields)]
    }
    expect(await refusal({ credentials: { api_key: 'a', token: 'b' } })).toEqual([422, ['credentials.token']])
    expect(await refusal({ credentials: {} })).toEqual([422, ['credentials.api_key']])
    expect(await refusal({ host: 'http://10.0.0.1' })).toEqual([422, ['host']])
    expect(await refusal({ host: 'http://advertiser.example' })).toEqual([422, ['host']])
    expect(await refusal({ host: 'https://u:p@advertiser.example' })).toEqual([400, ['host']])
    const one = await create()
    expect(await refusal({ title: one.title.toUpperCase() })).toEqual([422, ['title']])
    const stranger = await makeAdvertiser(api.db, {})
    expect(await refusal({ advertiser_uuid: stranger.uuid })).toEqual([422, ['advertiser_uuid']])
    const other = await api.as('manager')
    expect(await other.call(productApi.get, { params: { uuid: one.uuid } })).toMatchObject({ status: 404 })
    expect(
      await other.call(productApi.test, { params: { uuid: one.uuid }, body: { version_number: 1, values: {}, country: 'DE' } }),
    ).toMatchObject({ status: 404 })
    expect(await (await api.as('affiliate')).call(productApi.list, { body: {} })).toMatchObject({ status: 403 })
  })

  test('is made by integrations that were published, as a manager finds them; the others are named as such', async () => {
    await take(
      admin.call(integrationApi.create, { body: { title: 'Mock never out', type: 'generic', notes: '', preset: '', copy_of: null } }),
    )
    const { list } = await take(manager.call(productApi.integrations, { body: { search: 'mock' } }))
    expect(list.find(({ name }) => name === 'Mock never out')).toMatchObject({ version_number: null, credentials: [] })
    expect(list.find(({ name }) => name === 'Mock CRM')?.credentials.map(({ key }) => key)).toEqual(['api_key', 'box'])
  })

  test('is found by title and whose it is by staff in scope, to look for its leads, archived ones last; affiliates find none', async () => {
    const lead = await api.as('team lead')
    const [theirs, others] = [
      await makeAdvertiser(api.db, { name: 'Quail Bank', managerId: lead.managerId }),
      await makeAdvertiser(api.db, { name: 'Quail Trust' }),
    ]
    const make = (of: { uuid: string }, title: string) =>
      take(admin.call(productApi.create, { body: creating({ title, advertiser_uuid: of.uuid }) }))
    const old = await make(theirs, 'A desk')
    const open = await make(theirs, 'B desk')
    const foreign = await make(others, 'C desk')
    await take(admin.call(productApi.setStatus, { body: { uuids: [old.uuid], status: 'archived' } }))
    const names = async (who: Caller, search: string) =>
      (await take(who.call(productApi.options, { body: { search } }))).list.map(({ name }) => name)
    const ownNames = ['B desk · Quail Bank', 'A desk · Quail Bank']
    expect(await names(admin, 'quail')).toEqual(['B desk · Quail Bank', 'C desk · Quail Trust', 'A desk · Quail Bank'])
    expect(await names(lead, '')).toEqual(ownNames)
    expect(await names(lead, 'b des')).toEqual(ownNames.slice(0, 1))
    // a filter that has one says what it is called
    expect(await names(lead, old.uuid)).toEqual(ownNames.slice(1))
    expect(await names(lead, foreign.uuid)).toEqual([])
    expect(await names(manager, 'quail')).toEqual([])
    expect(await (await api.as('affiliate')).call(productApi.options, { body: { search: open.uuid } })).toMatchObject({ status: 403 })
    const { version_id, integration_id } = await api.db
      .selectFrom('product')
      .select(['version_id', 'integration_id'])
      .where('uuid', '=', open.uuid)
      .executeTakeFirstOrThrow()
    const at = new Date(api.clock.now())
    const common = {
      advertiser_id: theirs.id,
      version_id,
      integration_id,
      host: mock.host,
      time_zone: 'UTC',
      currency: 'USD',
      credentials: Buffer.from('x'),
    }
    await api.db
      .insertInto('product')
      .values(Array.from({ length: 60 }, (_, number) => ({ ...common, title: `Many ${number}`, created_at: at, updated_at: at })))
      .execute()
    expect(await names(lead, '')).toHaveLength(50)
  })

  test('of two people who save at once the second is told', async () => {
    const one = await create()
    const both = await Promise.all(
      [1, 2].map((at) => manager.call(productApi.update, { params: { uuid: one.uuid }, body: updating(one, { notes: `note ${at}` }) })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  })
})
