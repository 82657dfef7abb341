import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { integrationApi, type IntegrationDetail } from '#contract/leads/integration.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

/** The HTTP status of a call that is refused. */
const status = async <E extends Endpoint>(who: Caller, endpoint: E, input: CallInput<E>) => (await who.call(endpoint, input)).status
const take = async <Data>(answer: Promise<{ status: number; data: Data; errors: Record<string, string> }>): Promise<Data> => {
  const { status, data, errors } = await answer
  expect({ status, errors }).toEqual({ status: 200, errors: {} })
  return data
}
const make = (title: string, preset = '') =>
  take(admin.call(integrationApi.create, { body: { title, type: 'finance_trading', notes: '', preset, copy_of: null } }))
const publish = ({ uuid, version }: IntegrationDetail) => take(admin.call(integrationApi.publish, { params: { uuid }, body: { version } }))
const save = ({ uuid, version }: IntegrationDetail, spec: IntegrationDetail['spec'], note = '') =>
  take(admin.call(integrationApi.save, { params: { uuid }, body: { spec, note, version } }))

describe('versions', () => {
  test('what was published never changes: the next save makes a draft beside it, a publication takes its place', async () => {
    const made = await make('TrackBox one', 'trackbox')
    expect(made).toMatchObject({ draft: 1, active: null, pulls: true, mistakes: [] })
    const published = await publish(made)
    expect(published).toMatchObject({ draft: null, active: 1 })
    const changed = { ...published.spec, request: { ...published.spec.request, timeout_ms: 30_000 } }
    const saved = await save(published, changed, 'slower')
    expect(saved).toMatchObject({ draft: 2, active: 1, spec: { request: { timeout_ms: 30_000 } } })
    const first = await take(admin.call(integrationApi.version, { params: { uuid: made.uuid }, query: { number: 1 } }))
    expect(first.spec.request.timeout_ms).toBe(15_000)
    const again = await save(saved, { ...changed, steps: [] }, 'slower still')
    expect(again.versions.map(({ number, state, note }) => [number, state, note])).toEqual([
      [2, 'draft', 'slower still'],
      [1, 'active', ''],
    ])
    const second = await publish(again)
    expect(second.versions.map(({ number, state }) => [number, state])).toEqual([
      [2, 'active'],
      [1, 'deprecated'],
    ])
    await expect(api.db.updateTable('integration_version').set({ spec: '{}' }).where('number', '=', 1).execute()).rejects.toThrow(
      /never changes/,
    )
  })

  test('a draft is thrown away beside an active version only, and its number comes again', async () => {
    const made = await make('Thrown')
    const body = { version: made.version }
    expect(await status(admin, integrationApi.discard, { params: { uuid: made.uuid }, body })).toBe(409)
    const published = await publish(made)
    const saved = await save(published, published.spec)
    const back = await take(admin.call(integrationApi.discard, { params: { uuid: made.uuid }, body: { version: saved.version } }))
    expect(back).toMatchObject({ draft: null, active: 1 })
    expect(await save(back, back.spec)).toMatchObject({ draft: 2 })
  })

  test('with a mistake in it a draft is saved and named, and not published', async () => {
    const made = await make('Mistaken')
    const wrong = { ...made.spec, request: { ...made.spec.request, url: '{{product.host}}/{{lead.shoe}}' } }
    const saved = await save(made, wrong)
    expect(saved.mistakes).toEqual([{ path: 'request.url', code: 'unknown_macro', at: 'lead.shoe' }])
    expect(await status(admin, integrationApi.publish, { params: { uuid: made.uuid }, body: { version: saved.version } })).toBe(422)
  })

  test('a pattern that cannot be read is named by its field when it is saved, wherever it stands', async () => {
    const made = await make('Patterns')
    const wrong = { ...made.spec, response: { ...made.spec.response, extract: { external_id: ['id', 'matches:id=(\\d+'] } } }
    const saved = await save(made, wrong)
    expect(saved.mistakes).toEqual([{ path: 'response.extract.external_id.1', code: 'pattern', at: 'id=(\\d+' }])
    const refused = await admin.call(integrationApi.publish, { params: { uuid: made.uuid }, body: { version: saved.version } })
    expect(refused).toMatchObject({ status: 422, fields: { 'spec.response.extract.external_id.1': expect.any(String) } })
    const extract = { external_id: ['id', 'matches:id=(\\d+)'] }
    expect((await save(saved, { ...wrong, response: { ...wrong.response, extract } })).mistakes).toEqual([])
  })

  test('two saves over one version: the second is refused, nothing is lost', async () => {
    const made = await make('Twice')
    const both = await Promise.allSettled([save(made, made.spec, 'a'), save(made, made.spec, 'b')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('one title, one active integration, also when both come at once', async () => {
    const both = await Promise.allSettled([make('Same'), make('sAME')])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })
})

describe('before anything is sent', () => {
  test('the preview shows every call with dots in place of secrets, and takes no secret from outside', async () => {
    const made = await make('Shown', 'pandats')
    const { calls, mistakes } = await take(
      admin.call(integrationApi.preview, {
        body: { spec: made.spec, values: { 'lead.first_name': 'Olha', 'cred.secret': 'typed in' } },
      }),
    )
    expect(mistakes).toEqual([])
    expect(calls.map(({ step, method }) => [step, method])).toEqual([
      ['login', 'POST'],
      ['', 'POST'],
    ])
    expect(calls[1]).toMatchObject({
      missing: [],
      headers: expect.arrayContaining([{ name: 'authorization', value: expect.stringContaining('•••') }]),
    })
    expect(calls[1]?.body).toContain('Olha')
    expect(JSON.stringify(calls)).not.toContain('typed in')
  })

  test('what is missing is named', async () => {
    const made = await make('Lacking')
    const { calls } = await take(admin.call(integrationApi.preview, { body: { spec: made.spec, values: { 'lead.phone': '' } } }))
    expect(calls[0]).toMatchObject({ missing: ['phone'], body: null })
  })

  test('an answer is judged without asking anybody: a 200 with an error is no acceptance', async () => {
    const { spec } = await make('Judged', 'trackbox')
    const judge = (body: string, status = 200) =>
      take(admin.call(integrationApi.simulate, { body: { response: spec.response, answer: { status, headers: {}, body } } }))
    expect(await judge('{"status":false,"errorMessage":"Invalid phone"}')).toMatchObject({ outcome: 'rejected', reason: 'Invalid phone' })
    expect(await judge('{"status":true,"addonData":{"data":{"uniqueid":"u"}}}')).toMatchObject({
      outcome: 'accepted',
      rule: 0,
      extracted: { external_id: 'u' },
    })
    expect(await judge('OK')).toMatchObject({ outcome: 'ambiguous', rule: null })
  })
})

test('archived ones are listed only when asked for, and come back', async () => {
  const { uuid } = await make('Archived')
  const find = (status: ('active' | 'archived')[]) =>
    take(admin.call(integrationApi.list, { body: { search: 'Archived', status } })).then(({ list }) => list.map((one) => one.status))
  await take(admin.call(integrationApi.setStatus, { body: { uuids: [uuid], status: 'archived' } }))
  expect([await find([]), await find(['archived'])]).toEqual([[], ['archived']])
  const taken = await make('Archived')
  expect(await status(admin, integrationApi.setStatus, { body: { uuids: [uuid], status: 'active' } })).toBe(422)
  await take(admin.call(integrationApi.setStatus, { body: { uuids: [taken.uuid], status: 'archived' } }))
  expect(await take(admin.call(integrationApi.setStatus, { body: { uuids: [uuid], status: 'active' } }))).toEqual({ changed: 1 })
})

test('managers and affiliates know of none', async () => {
  for (const role of ['manager', 'team lead', 'affiliate'] as const)
    expect(await status(await api.as(role), integrationApi.list, { body: {} })).toBe(403)
})
