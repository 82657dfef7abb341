import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOfferApi, type StoredTerms } from '#contract/leads/api-offer.ts'
import { integrationNode } from '#contract/leads/integration-spec.ts'
import { leadFormApi } from '#contract/leads/lead-form.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { apiKeyApi, CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeKey } from '#test/support/make/api-key.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db)
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const offerOf = async () =>
  makeLeadOffer(api.db, admin, advertiser.uuid, [await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())])
const send = (body: ReturnType<typeof leadOf>) => affiliate.call(leadApi.send, { body })

test('what changed since is read without reading all leads anew, with what was sent beside the person and what it was booked as', async () => {
  const offer = await offerOf()
  const own = { external_id: 'told-1', sub1: 'campaign-7', source: 'mail' }
  const [first, second] = [await send(leadOf(offer.uuid, own)), await send(leadOf(offer.uuid))]
  api.clock.advance(60_000)
  const from = new Date(api.clock.now()).toISOString()
  const changed = async (query: object) => (await affiliate.call(leadApi.list, { query: { by: 'changed', from, ...query } })).data
  expect(await changed({})).toEqual({ list: [], next: null })
  // the older one last, within the same second
  for (const { data } of [second, first]) {
    await api.db
      .updateTable('user_session')
      .set({ changed_at: new Date(api.clock.now()) })
      .where('uuid', '=', data.session_uuid)
      .execute()
    api.clock.advance(10)
  }
  const page = await changed({ count: 1 })
  const rest = await changed({ count: 1, cursor: page.next ?? '' })
  expect([page, rest].map(({ list }) => list.map((one) => one.session_uuid))).toEqual([
    [second.data.session_uuid],
    [first.data.session_uuid],
  ])
  expect(rest.next).toBeNull()
  const [told] = rest.list
  expect(told).toMatchObject({ source: 'mail', subs: { sub1: 'campaign-7' }, goals: [{ goal: 'registration', currency: 'USD' }] })
  expect((await affiliate.call(leadApi.detail, { params: { uuid: told?.session_uuid ?? '' } })).data).toEqual(told)
})

test('a lead has a number to name it by, says whether it repeats another one, and shows contacts masked; nothing says who took it', async () => {
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { repeat_days: null })
  const [body, person] = [leadOf(offer.uuid, { external_id: 'number-1' }), { email: 'anna@mail.example', phone: '+393331110111' }]
  const first = await send({ ...body, ...person })
  const again = await send({ ...body, ...person })
  const other = await send(leadOf(offer.uuid, person))
  expect([first, again, other].map(({ status, data }) => [status, data.status, data.duplicate])).toEqual([
    [201, 'accepted', false],
    [200, 'accepted', true],
    [201, 'duplicate', true],
  ])
  expect(again.data.lead_id).toBe(first.data.lead_id)
  const seen = (await affiliate.call(userSessionApi.list, { body: { search: first.data.lead_id } })).data.list
  expect(seen.map(({ id, uuid }) => [id, uuid])).toEqual([[first.data.lead_id, first.data.session_uuid]])
  const { data } = await affiliate.call(leadApi.detail, { params: { uuid: first.data.lead_id } })
  expect(data).toMatchObject({ session_uuid: first.data.session_uuid, lead_id: first.data.lead_id, duplicate: false })
  const masked = { email: 'a***@m***.example', phone: '***111' }
  expect([data, seen[0]]).toMatchObject([masked, masked])
  const { list } = (await affiliate.call(leadApi.list, { query: { count: '2' } })).data
  expect(list).toMatchObject([
    { lead_id: other.data.lead_id, duplicate: true, ...masked },
    { lead_id: first.data.lead_id, duplicate: false, ...masked },
  ])
  const batch = (await affiliate.call(leadApi.sendBatch, { body: { leads: [{ ...body, ...person }, leadOf(offer.uuid)] } })).data.list
  expect(batch).toMatchObject([
    { code: 200, lead: { lead_id: first.data.lead_id, duplicate: true } },
    { code: 202, lead: { duplicate: false } },
  ])
  const { name } = await api.db.selectFrom('advertiser').select('name').where('id', '=', advertiser.id).executeTakeFirstOrThrow()
  for (const secret of [person.email, person.phone, name, 'accepted_by']) expect(JSON.stringify([data, list])).not.toContain(secret)
  // of who was forgotten nothing is left to mask
  await api.db.updateTable('user_session').set({ sealed: null }).where('uuid', '=', first.data.session_uuid).execute()
  const forgotten = await affiliate.call(leadApi.detail, { params: { uuid: first.data.lead_id } })
  expect(forgotten.data).toMatchObject({ email: '', phone: '' })
})

test('of a hidden goal its affiliate is told the amount alone, by lists, the lead and its screen; staff are told which it is', async () => {
  const offer = await offerOf()
  const { data } = await send(leadOf(offer.uuid))
  await api.db.updateTable('goal').set({ hidden: true, title: 'Secret step' }).where('offer_id', '=', offer.id).execute()
  await api.db.updateTable('conversion').set({ payout: '5' }).where('offer_id', '=', offer.id).execute()
  const goals = [{ goal: null, payout: '5.0000', currency: 'USD' }]
  const found = (await affiliate.call(leadApi.list, { query: { from: data.received_at } })).data.list
  expect(found.find(({ session_uuid }) => session_uuid === data.session_uuid)).toMatchObject({ goals })
  expect((await affiliate.call(leadApi.detail, { params: { uuid: data.session_uuid } })).data).toMatchObject({ goals })
  const booked = async (who: Caller) =>
    (await who.call(userSessionApi.detail, { params: { uuid: data.session_uuid } })).data.events.filter(({ kind }) => kind === 'booked')
  expect(await booked(affiliate)).toMatchObject([{ goal: null, payout: '5.0000' }])
  expect(await booked(admin)).toMatchObject([{ goal: 'Secret step' }])
})

test('a call that is named by its header is one lead, and a key is known by the name such systems have for it', async () => {
  const offer = await offerOf()
  const key = await makeKey(api, affiliate, ['leads.write'])
  const body = JSON.stringify(leadOf(offer.uuid))
  const post = async (headers: Record<string, string>, text = body) =>
    fetch(`${api.url}${leadApi.send.path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text })
  const named = { 'x-api-key': key, 'idempotency-key': 'call-1' }
  const answers = [await post(named), await post(named), await post(named, JSON.stringify(leadOf(offer.uuid)))]
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 409])
  expect((await post({ 'x-api-key': key, 'idempotency-key': 'x'.repeat(65) })).status).toBe(400)
  expect((await post({ 'x-api-key': `${key}x` })).status).toBe(401)
})

test('of many leads each is answered by itself: what cannot be read is named in its place, and told again all are the same leads', async () => {
  const offer = await offerOf()
  const key = await makeKey(api, affiliate, ['leads.write'])
  const [first, named, last] = [leadOf(offer.uuid), leadOf(offer.uuid, { external_id: 'batch-own' }), leadOf(offer.uuid)]
  const leads: unknown[] = [
    first,
    { ...leadOf(offer.uuid), email: 7, country: 'Italy', shoe: 'red' },
    'no lead at all',
    null,
    named,
    { ...leadOf(offer.uuid), phone: '12' },
    last,
  ]
  const post = async (sent: unknown[], name: string) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key, 'idempotency-key': name }
    const answer = await fetch(`${api.url}${leadApi.sendBatch.path}`, { method: 'POST', headers, body: JSON.stringify({ leads: sent }) })
    const { data } = (await answer.json()) as { data: Awaited<ReturnType<typeof affiliate.call<typeof leadApi.sendBatch>>>['data'] }
    return { status: answer.status, list: data?.list ?? [] }
  }
  const once = await post(leads, 'batch-1')
  expect(once.status).toBe(200)
  expect(once.list.map(({ index, code }) => [index, code])).toEqual([202, 400, 400, 400, 202, 422, 202].map((code, index) => [index, code]))
  const wrong = once.list.map(({ fields }) => Object.keys(fields).toSorted())
  expect(wrong).toEqual([[], ['country', 'email', 'shoe'], [''], [''], [], ['phone'], []])
  expect([0, 4, 6].map((at) => once.list[at]?.lead?.external_id)).toEqual(['batch-1-0', 'batch-own', 'batch-1-6'])
  // what was wrong is mended meanwhile: it alone is new
  const mended = leads.with(5, leadOf(offer.uuid))
  const again = await post(mended, 'batch-1')
  expect(again.list.map(({ code }) => code)).toEqual([200, 400, 400, 400, 200, 202, 200])
  expect([0, 4, 6].map((at) => again.list[at]?.lead?.session_uuid)).toEqual([0, 4, 6].map((at) => once.list[at]?.lead?.session_uuid))
  expect((await post([last, named], 'batch-1')).list.map(({ code }) => code)).toEqual([409, 200])
  const there = await api.db.selectFrom('user_session').select('id').where('offer_id', '=', offer.id).execute()
  expect(there).toHaveLength(4)
  expect((await post([null], 'batch-2')).list).toMatchObject([{ index: 0, code: 400, lead: null }])
  expect((await post([first], 'x'.repeat(62))).status).toBe(400)
})

test('who asks as often as may be what became of leads goes on sending them, and is told how many calls of a kind are left', async () => {
  const offer = await offerOf()
  const key = { call: caller(api.url, await makeKey(api, affiliate, ['leads.write'])) }
  for (let asked = 0; asked < CALLS_A_MINUTE; asked += 50) await Promise.all(Array.from({ length: 50 }, () => key.call(leadApi.statuses)))
  const refused = await key.call(leadApi.statuses)
  expect([refused.status, refused.headers.get('ratelimit-remaining')]).toEqual([429, '0'])
  // what looks at a lead and keeps nothing of it reads as well
  expect((await key.call(leadApi.check, { body: leadOf(offer.uuid) })).status).toBe(429)
  const sent = await key.call(leadApi.send, { body: leadOf(offer.uuid) })
  expect([sent.status, sent.headers.get('ratelimit-remaining')]).toEqual([201, String(CALLS_A_MINUTE - 1)])
})

test('a key bound to offers sends and reads leads of these alone, and calls nothing else', async () => {
  const [mine, other] = [await offerOf(), await offerOf()]
  const person = await withPassword(api.db, affiliate)
  const make = (offer_uuids: string[]) =>
    person.call(apiKeyApi.create, {
      body: { name: 'Bound', scopes: ['leads.write', 'traffic.read'], offer_uuids, allowed_ips: [], days: null, password: PASSWORD },
    })
  expect(await make([mine.uuid, crypto.randomUUID()])).toMatchObject({ status: 422, fields: { offer_uuids: expect.any(String) } })
  const { key } = (await make([mine.uuid])).data
  const known = (await person.call(apiKeyApi.own)).data.list.find(({ name }) => name === 'Bound')
  expect(known?.offers.map(({ uuid }) => uuid)).toEqual([mine.uuid])
  const bound = { call: caller(api.url, key) }
  const elsewhere = await send(leadOf(other.uuid))
  const taken = await bound.call(leadApi.send, { body: leadOf(mine.uuid) })
  expect(taken.status).toBe(201)
  for (const endpoint of [leadApi.send, leadApi.check])
    expect(await bound.call(endpoint, { body: leadOf(other.uuid) })).toMatchObject({ status: 403, errors: { 1069: expect.any(String) } })
  const { data } = await bound.call(leadApi.sendBatch, { body: { leads: [leadOf(other.uuid), leadOf(mine.uuid)] } })
  expect(data.list.map(({ code }) => code)).toEqual([403, 202])
  const list = (await bound.call(leadApi.list, {})).data.list
  expect(new Set(list.map(({ offer_uuid: of }) => of))).toEqual(new Set([mine.uuid]))
  expect((await bound.call(leadApi.detail, { params: { uuid: elsewhere.data.session_uuid } })).status).toBe(404)
  expect(Object.keys((await bound.call(userSessionApi.list, { body: {} as never })).errors)).toEqual(['1069'])
  // systems that change only the host are bound alike
  const pushed = await fetch(`${api.url}/api/signup/procform`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({
      ai: String(affiliate.affiliateId),
      ci: String(other.id),
      gi: '1',
      userip: '2.2.2.2',
      firstname: 'A',
      lastname: 'B',
      email: 'a.b@mail.example',
      password: 'Aa123456',
      phone: '393331230001',
    }),
  })
  expect(await pushed.json()).toMatchObject({ status: false })
  const there = await api.db.selectFrom('user_session').select('uuid').where('offer_id', '=', other.id).execute()
  expect(there).toEqual([{ uuid: elsewhere.data.session_uuid }])
})

describe('of a lead nobody takes its affiliate is told', () => {
  /** An offer of some products, each with what holds for it in its place. */
  const closedBy = async (...terms: Partial<StoredTerms>[]) => {
    const products = await Promise.all(
      terms.map(async (one) => ({ ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())), terms: one })),
    )
    return { ...(await makeLeadOffer(api.db, admin, advertiser.uuid, products)), products }
  }
  /** What `send`, `detail` and `check` say of one lead. */
  const told = async (offer: { uuid: string }, more = {}) => {
    const checked = await affiliate.call(leadApi.check, { body: leadOf(offer.uuid, more) })
    const sent = await send(leadOf(offer.uuid, more))
    const { data } = await affiliate.call(leadApi.detail, { params: { uuid: sent.data.session_uuid } })
    expect([checked.status, sent.status]).toEqual([200, 201])
    expect([data.status, data.reason]).toEqual([sent.data.status, sent.data.reason])
    return { status: data.status, reason: data.reason, takes: checked.data.takes, checked: checked.data.reason }
  }
  const unsold = (reason: string) => ({ status: 'unsold', reason, takes: 'nobody', checked: reason })
  const never = { hours: Array.from({ length: 7 }, (_, day) => (day === 6 ? [{ from: 0, until: 1 }] : [])), time_zone: 'UTC' }
  const one = { caps: [{ period: 'total' as const, limit: 1 }] }

  test('why, where all ways into the offer are closed by the same', async () => {
    api.clock.set('2026-12-09T12:00:00.000Z')
    ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
    expect(await told(await closedBy({ geos: ['PT'] }, { geos: ['BR'] }))).toEqual(unsold('geo_not_allowed'))
    expect(await told(await closedBy(never, never))).toEqual(unsold('out_of_hours'))
    const full = await closedBy(one)
    expect(await told(full)).toEqual({ status: 'accepted', reason: '', takes: 'now', checked: null })
    expect(await told(full)).toEqual(unsold('cap_reached'))
    // who takes other countries alone is no way in for this one, nor is who is put aside or takes other affiliates' leads
    const others = await closedBy(never, { geos: ['BR'] }, { affiliates: { mode: 'except', ids: [Number(affiliate.affiliateId)] } }, {})
    await api.db
      .updateTable('product')
      .set({ status: 'paused' })
      .where('id', '=', others.products[3]?.id ?? 0)
      .execute()
    expect(await told(others)).toEqual(unsold('out_of_hours'))
    expect((await affiliate.call(leadApi.statuses)).data.unsold_reasons).toEqual(expect.arrayContaining(['cap_reached', 'nobody_fits']))
  })

  test('nothing more where reasons differ, or one is none of its business', async () => {
    api.clock.set('2026-12-09T12:30:00.000Z')
    ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
    const mixed = await closedBy(one, never)
    expect((await told(mixed)).status).toBe('accepted')
    expect(await told(mixed)).toEqual(unsold('nobody_fits'))
    // one that rests, one nobody has tested, one that takes only other subs, one that takes only others' leads
    for (const values of [{ blocked: true }, { tested_version_id: null, tested_at: null }]) {
      const hidden = await closedBy(never, {})
      await api.db
        .updateTable('product')
        .set(values)
        .where('id', '=', hidden.products[1]?.id ?? 0)
        .execute()
      expect(await told(hidden)).toEqual(unsold('nobody_fits'))
    }
    expect(await told(await closedBy(never, { subs: { mode: 'only', values: ['tv'] } }))).toEqual(unsold('nobody_fits'))
    expect(await told(await closedBy({ ...never, affiliates: { mode: 'only', ids: [1] } }))).toEqual(unsold('nobody_fits'))
  })

  test('that it is kept, where the offer keeps leads until somebody opens', async () => {
    api.clock.set('2026-12-09T13:00:00.000Z')
    ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
    const product = { ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())), terms: never }
    const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { wait_hours: 168 })
    expect((await affiliate.call(leadApi.check, { body: leadOf(offer.uuid) })).data).toMatchObject({
      takes: 'later',
      reason: 'out_of_hours',
    })
    expect((await send(leadOf(offer.uuid))).data.status).toBe('queued')
  })
})

test('what every way into an offer needs in a country is required for it, in its documents, its sample, its form and by the check', async () => {
  const needing = (...names: string[]) => ({
    ...MOCK_SPEC,
    request: {
      ...MOCK_SPEC.request,
      nodes: [
        ...MOCK_SPEC.request.nodes.filter(({ path }) => !names.includes(path)),
        ...names.map((path) => integrationNode.parse({ path, value: `{{lead.${path}}}`, required: true })),
      ],
    },
  })
  const product = async (geos: string[], ...names: string[]) => ({
    ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), needing(...names))),
    terms: { geos },
  })
  const more = { type: 'gambling' as const }
  const some = [await product(['BR', 'PT'], 'phone', 'zip'), await product(['BR'], 'phone'), await product(['KE'])]
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, some, more)
  const shown = (await affiliate.call(apiOfferApi.partner, { params: { uuid: offer.uuid } })).data
  const usual = ['email', 'country', 'ip']
  expect(shown.required).toEqual(usual)
  expect(shown.countries.map(({ geo, required }) => [geo, required])).toEqual([
    ['BR', [...usual, 'phone']],
    ['KE', usual],
    ['PT', [...usual, 'phone', 'zip']],
  ])
  const { test: _test, external_id: _id, ...sample } = shown.sample
  expect(sample).toMatchObject({ country: 'BR', phone: expect.stringMatching(/^\+55/) })
  expect((await send(sample as ReturnType<typeof leadOf>)).data.status).toBe('accepted')

  const person = (country: string, also = {}) => ({
    offer_uuid: offer.uuid,
    email: `${crypto.randomUUID()}@mail.example`,
    country,
    ip: '203.0.113.9',
    ...also,
  })
  const check = async (lead: ReturnType<typeof person>) => (await affiliate.call(leadApi.check, { body: lead })).data
  const lacks = { takes: 'nobody', reason: 'fields_missing' }
  expect(await check(person('PT'))).toMatchObject({ ...lacks, required: [...usual, 'phone', 'zip'], missing: ['phone', 'zip'] })
  expect((await affiliate.call(leadApi.send, { body: person('PT') })).data).toMatchObject({ status: 'unsold', reason: 'fields_missing' })
  expect(await check(person('KE'))).toMatchObject({ takes: 'now', reason: null, missing: [] })
  expect(await check(person('PT', { phone: '+351912345678', zip: '1000' }))).toMatchObject({ takes: 'now', reason: null, missing: [] })

  const all = await makeLeadOffer(api.db, admin, advertiser.uuid, some.slice(0, 2), more)
  const everywhere = (await affiliate.call(apiOfferApi.partner, { params: { uuid: all.uuid } })).data
  expect(everywhere.required).toEqual([...usual, 'phone'])
  expect(everywhere.fields.filter(({ required }) => required).map(({ name }) => name)).toContain('phone')
  const form = { language: 'en' as const, landing: '', thank_you_url: 'https://landing.example/thanks', consent_text: '' }
  expect((await affiliate.call(leadFormApi.own, { params: { uuid: all.uuid }, body: form })).data.fields).toEqual(['email', 'phone'])
})
