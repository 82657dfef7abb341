import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advertiserApi, type AdvertiserInput } from '#contract/people/advertiser.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

let counter = 0
function input(changes: Partial<AdvertiserInput> = {}): AdvertiserInput {
  counter += 1
  return {
    name: `Advertiser ${counter}`,
    email: '',
    status: 'active',
    external_id: '',
    manager_uuid: null,
    company: {},
    contacts: {},
    postback_auth: 'token',
    allowed_ips: [],
    postback_words: [],
    no_status_approved: true,
    currency: 'EUR',
    notes: '',
    ...changes,
  }
}

describe('making and changing an advertiser', () => {
  test('a VAT id is one of its country, where anybody says how those look; an old one stays until it is changed', async () => {
    const make = (vat_id: string, country: string | null) =>
      admin.call(advertiserApi.create, { body: input({ company: { vat_id, country } }) })
    const good = [
      ['DE123456789', 'DE'],
      ['de 123 456 789', 'DE'],
      ['123456789', 'DE'],
      ['ATU12345678', 'AT'],
      ['EL123456789', 'GR'],
      ['ESX1234567X', 'ES'],
    ]
    const others = [
      ['GB123456789', 'GB'],
      ['XI123456789', 'GB'],
      ['CHE-123.456.789 MWST', 'CH'],
      ['NO123456789MVA', 'NO'],
      ['301234567890', 'UA'],
      ['anything', 'US'],
    ]
    for (const [vatId = '', country = ''] of [...good, ...others]) expect((await make(vatId, country)).status, vatId).toBe(200)
    expect((await make('DE12', null)).status).toBe(200)
    for (const [vatId = '', country = ''] of [
      ['DE12345678', 'DE'],
      ['FR123456789', 'DE'],
      ['PL123', 'PL'],
      ['<b>', 'NL'],
      ['EL12', 'GR'],
    ])
      expect(Object.keys((await make(vatId, country)).fields), vatId).toEqual(['company.vat_id'])
    expect((await make('PL123', 'PL')).fields).toEqual({ 'company.vat_id': 'VAT ids of this country look like PL1234567890' })

    const { data } = await make('', 'PL')
    const old = { ...data.company, vat_id: 'PL old' }
    await api.db
      .updateTable('advertiser')
      .set({ company: JSON.stringify(old) })
      .where('id', '=', data.id)
      .execute()
    const save = async (company: typeof old) => {
      const { version } = (await admin.call(advertiserApi.get, { params: { uuid: data.uuid } })).data
      return admin.call(advertiserApi.update, { params: { uuid: data.uuid }, body: { ...input({ company }), version } })
    }
    expect((await save({ ...old, name: 'Renamed' })).data.company).toMatchObject({ name: 'Renamed', vat_id: 'PL old' })
    expect(Object.keys((await save({ ...old, country: 'DE' })).fields)).toEqual(['company.vat_id'])
  })

  test('a new one has a postback token of its own and is found by name, e-mail and number', async () => {
    const made = await admin.call(advertiserApi.create, {
      body: input({
        name: 'Shop_1 GmbH',
        email: 'Pay@Shop.example',
        company: { vat_id: 'DE123' },
        postback_auth: 'either',
        allowed_ips: ['203.0.113.7', '2001:db8::/32'],
      }),
    })
    expect(made.data).toMatchObject({
      email: 'pay@shop.example',
      company: { vat_id: 'DE123', name: '' },
      allowed_ips: ['203.0.113.7', '2001:db8::/32'],
      offers: 0,
      manager: null,
    })
    expect(made.data.postback_token).toMatch(/^[\w-]{43}$/)
    for (const search of ['shop_1', 'pay@shop', String(made.data.id)]) {
      expect((await admin.call(advertiserApi.list, { body: { search } })).data.list.map((row) => row.uuid)).toEqual([made.data.uuid])
    }
  })

  test.each(['10.0.0', '10.0.0.0/33', '::1/129', 'shop.example', ''])('"%s" is no network postbacks may come from', async (network) => {
    const answer = await admin.call(advertiserApi.create, { body: input({ allowed_ips: [network] }) })
    expect(answer).toMatchObject({ status: 400, fields: { 'allowed_ips.0': expect.stringContaining('203.0.113.7') } })
  })

  test('addresses are on the list exactly where they are asked for, and each word means one thing', async () => {
    const made = async (changes: Partial<AdvertiserInput>) => {
      const { status, fields } = await admin.call(advertiserApi.create, { body: input(changes) })
      return [status, ...Object.keys(fields)]
    }
    expect(await made({ allowed_ips: ['203.0.113.7'] })).toEqual([422, 'postback_auth'])
    for (const postback_auth of ['ip', 'either', 'both'] as const) expect(await made({ postback_auth })).toEqual([422, 'allowed_ips'])
    const word = { word: 'dep', status: null, goal: 'ftd' }
    expect(await made({ postback_words: [word, { word: 'Paid', status: 'approved', goal: null }] })).toEqual([200])
    expect(await made({ postback_words: [word, { ...word, word: 'DEP' }] })).toEqual([400, 'postback_words'])
    for (const wrong of [
      { ...word, status: 'approved' as const },
      { ...word, goal: null },
    ])
      expect(await made({ postback_words: [wrong] })).toEqual([400, 'postback_words.0.status'])
    expect(await made({ postback_words: [{ ...word, goal: 'First deposit' }] })).toEqual([400, 'postback_words.0.goal'])
    expect(await made({ postback_words: [{ ...word, word: ' ' }] })).toEqual([400, 'postback_words.0.word'])
  })

  test('one who holds a currency that is no longer active keeps it, and nobody else may choose it', async () => {
    const { data } = await admin.call(advertiserApi.create, { body: input({ currency: 'CZK' }) })
    await api.db.updateTable('currency').set({ active: false }).where('code', '=', 'CZK').execute()
    const { version } = (await admin.call(advertiserApi.get, { params: { uuid: data.uuid } })).data
    const kept = await admin.call(advertiserApi.update, {
      params: { uuid: data.uuid },
      body: { ...input({ currency: 'CZK', notes: 'kept' }), version },
    })
    expect(kept).toMatchObject({ status: 200, data: { currency: 'CZK', notes: 'kept' } })
    expect((await admin.call(advertiserApi.create, { body: input({ currency: 'CZK' }) })).fields).toHaveProperty('currency')
  })

  test('a new token replaces the old one, and neither is written to the log', async () => {
    const { data } = await admin.call(advertiserApi.create, { body: input() })
    const renewed = await admin.call(advertiserApi.renewToken, { params: { uuid: data.uuid } })
    expect(renewed.data.postback_token).not.toBe(data.postback_token)
    expect((await admin.call(advertiserApi.get, { params: { uuid: data.uuid } })).data.postback_token).toBe(renewed.data.postback_token)
    const log = JSON.stringify(await api.db.selectFrom('audit').select(['before', 'after']).where('entity', '=', 'advertiser').execute())
    expect(log).not.toContain(renewed.data.postback_token)
    expect(log).not.toContain(data.postback_token)
  })

  test('a new token may leave the one before valid for a while, which is said, not pushed on by a second click, and ended by hand', async () => {
    const { data } = await admin.call(advertiserApi.create, { body: input() })
    const at = { params: { uuid: data.uuid } }
    const until = new Date(api.clock.now() + 24 * 3_600_000).toISOString()
    const [one, two] = await Promise.all([1, 2].map(() => admin.call(advertiserApi.renewToken, { ...at, body: { keep_hours: 24 } })))
    const [made, refused] = one?.status === 200 ? [one, two] : [two, one]
    expect([made?.data.previous_token_until, refused?.status]).toEqual([until, 409])
    expect(refused?.fields['keep_hours']).toContain('end it first')
    const now = async () => (await admin.call(advertiserApi.get, at)).data
    // the form that stands open is not refused for it
    expect(await now()).toMatchObject({ postback_token: made?.data.postback_token, previous_token_until: until, version: data.version })
    expect((await admin.call(advertiserApi.renewToken, { ...at, body: { keep_hours: 3 } as never })).status).toBe(400)

    await Promise.all([admin.call(advertiserApi.endOldToken, at), admin.call(advertiserApi.endOldToken, at)])
    expect((await now()).previous_token_until).toBe(new Date(api.clock.now()).toISOString())
    const log = await api.db
      .selectFrom('audit')
      .select(['action', 'before', 'after'])
      .where('entity', '=', 'advertiser')
      .where('entity_id', '=', String(data.id))
      .orderBy('id')
      .execute()
    expect(log.slice(1)).toEqual([
      { action: 'renew_token', before: null, after: { previous_token_until: until } },
      {
        action: 'end_token',
        before: { previous_token_until: until },
        after: { previous_token_until: new Date(api.clock.now()).toISOString() },
      },
    ])
  })

  test('one with an active offer cannot be deleted, and a deleted one leaves lists and choices', async () => {
    const { data } = await admin.call(advertiserApi.create, { body: input() })
    const offer = await api.db
      .insertInto('offer')
      .values({ type: 'direct', title: 'Running', status: 'active', advertiser_id: data.id, currency: 'EUR' })
      .returning('id')
      .executeTakeFirstOrThrow()
    expect(await admin.call(advertiserApi.setStatus, { body: { uuids: [data.uuid], status: 'deleted' } })).toMatchObject({
      status: 409,
      errors: { 1022: expect.any(String) },
    })
    expect(
      (
        await admin.call(advertiserApi.update, {
          params: { uuid: data.uuid },
          body: { ...input({ status: 'deleted' }), version: data.version },
        })
      ).errors,
    ).toHaveProperty('1022')
    await api.db.updateTable('offer').set({ status: 'paused' }).where('id', '=', offer.id).execute()
    expect((await admin.call(advertiserApi.setStatus, { body: { uuids: [data.uuid], status: 'deleted' } })).data).toEqual({ changed: 1 })
    const listed = async (status: ('active' | 'deleted')[]) =>
      (await admin.call(advertiserApi.list, { body: { search: String(data.id), status } })).data.list.map((row) => row.id)
    expect(await listed([])).not.toContain(data.id)
    expect(await listed(['deleted'])).toContain(data.id)
    const late = { uuids: [data.uuid], status: 'active' as const, expected: 'inactive' as const }
    expect((await admin.call(advertiserApi.setStatus, { body: late })).data).toEqual({ changed: 0 })
    expect((await admin.call(advertiserApi.options, { body: { search: data.name } })).data.list).toEqual([])
    // a filter that has it says what it is called
    const named = { body: { search: data.uuid } }
    expect((await admin.call(advertiserApi.options, named)).data.list).toMatchObject([{ uuid: data.uuid, name: data.name }])
    expect((await (await api.as('manager')).call(advertiserApi.options, named)).data.list).toEqual([])
  })
})

test('of two changes made from the same state the second is refused, and one made from the new state is taken', async () => {
  const { data } = await admin.call(advertiserApi.create, { body: input() })
  const change = (notes: string, version: number) =>
    admin.call(advertiserApi.update, { params: { uuid: data.uuid }, body: { ...input(), notes, version } })
  const answers = await Promise.all([change('one', data.version), change('two', data.version)])
  expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  expect(answers.find((answer) => answer.status === 409)?.errors).toHaveProperty('1012')
  const saved = answers.find((answer) => answer.status === 200)
  expect(await change('three', saved?.data.version ?? 0)).toMatchObject({ status: 200, data: { notes: 'three' } })
})

describe('scopes', () => {
  test('a manager sees the own advertisers, a team lead those of the team, and a stranger’s row does not exist', async () => {
    const lead = await api.as('team lead')
    const manager = await api.as('manager', { teamLeadId: lead.managerId })
    const stranger = await api.as('manager')
    const { data: mine } = await manager.call(advertiserApi.create, { body: input() })
    const { data: theirs } = await stranger.call(advertiserApi.create, { body: input() })
    for (const caller of [manager, lead]) {
      expect((await caller.call(advertiserApi.list)).data.list.map((row) => row.uuid)).toEqual([mine.uuid])
      expect((await caller.call(advertiserApi.options)).data.list.map((row) => row.uuid)).toEqual([mine.uuid])
      expect((await caller.call(advertiserApi.get, { params: { uuid: theirs.uuid } })).status).toBe(404)
      expect((await caller.call(advertiserApi.get, { params: { uuid: String(theirs.id) } })).status).toBe(404)
      expect(
        (await caller.call(advertiserApi.update, { params: { uuid: theirs.uuid }, body: { ...input(), version: theirs.version } })).status,
      ).toBe(404)
      expect((await caller.call(advertiserApi.renewToken, { params: { uuid: theirs.uuid } })).status).toBe(404)
      expect((await caller.call(advertiserApi.setStatus, { body: { uuids: [theirs.uuid], status: 'inactive' } })).data).toEqual({
        changed: 0,
      })
    }
    expect(mine.manager).toMatchObject({ uuid: manager.uuid })
    expect(await manager.call(advertiserApi.create, { body: input({ manager_uuid: stranger.uuid }) })).toMatchObject({
      status: 422,
      fields: { manager_uuid: expect.any(String) },
    })
  })
})
