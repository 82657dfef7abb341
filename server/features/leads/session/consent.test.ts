import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONSENT_FIELDS } from '#contract/leads/api-offer.ts'
import { integrityApi } from '#contract/leads/integrity.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openEntry } from '#server/features/leads/entry/entry.service.ts'
import { readConfig } from '#server/platform/config.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
const advertisers: { id: number; uuid: string }[] = []
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  for (const name of ['Zephyr Brokers', 'Boreas']) advertisers.push(await makeAdvertiser(api.db, { name }))
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const WHOLE = { given_at: '2026-10-01T10:00:00Z', text: 'Call me', version: '3', ip: '203.0.113.9', url: 'https://landing.example/form' }
const offerOf = async (more: Parameters<typeof makeLeadOffer>[4]) => {
  const products = await Promise.all(advertisers.map(({ id }) => makeMockProduct(api.db, id, mock, api.clock.now())))
  return makeLeadOffer(api.db, admin, advertisers[0]?.uuid ?? '', products, more)
}
const send = (body: object) => affiliate.call(leadApi.send, { body: body as never })
const visitsOf = async (uuid: string) => {
  const { events } = (await admin.call(userSessionApi.detail, { params: { uuid } })).data
  return events.filter(({ kind }) => kind === 'entered')
}
const sessionsOf = (offerId: number) =>
  api.db.selectFrom('user_session').select(['uuid', 'status', 'reason']).where('offer_id', '=', offerId).execute()

test('an offer that asks for a consent refuses a lead without it by the name of each part, and keeps nothing of it', async () => {
  const offer = await offerOf({ consent: { mode: 'refuse', fields: [...CONSENT_FIELDS] } })
  const refusal = { status: 422, errors: { 1152: expect.stringContaining('consent_missing') } }
  expect(await send(leadOf(offer.uuid))).toMatchObject({ ...refusal, fields: { consent: 'Required' } })
  const { url: _url, ip: _ip, ...part } = WHOLE
  expect(await send(leadOf(offer.uuid, { consent: part }))).toMatchObject({
    ...refusal,
    fields: { 'consent.ip': 'Required', 'consent.url': 'Required' },
  })
  expect((await affiliate.call(leadApi.check, { body: leadOf(offer.uuid) })).status).toBe(422)
  const { data } = await affiliate.call(leadApi.sendBatch, {
    body: { leads: [leadOf(offer.uuid), leadOf(offer.uuid, { consent: WHOLE })] },
  })
  expect(data.list.map(({ code, reason }) => [code, reason])).toEqual([
    [422, 'consent_missing'],
    [202, ''],
  ])
  const lead = leadOf(offer.uuid, { external_id: 'asked', consent: WHOLE })
  expect((await send(lead)).data.status).toBe('accepted')
  // what was taken is answered as it stands, whatever is missing now
  const { consent: _consent, ...bare } = lead as typeof lead & { consent: object }
  expect((await send(bare)).status).toBe(200)
  expect(await sessionsOf(offer.id)).toHaveLength(2)
})

test('an offer that holds such leads offers them to nobody until a person has decided', async () => {
  const offer = await offerOf({ consent: { mode: 'hold', fields: ['text'] } })
  expect((await affiliate.call(leadApi.check, { body: leadOf(offer.uuid) })).data.held).toEqual(['consent_missing'])
  const { status, data } = await send(leadOf(offer.uuid, { consent: { given_at: WHOLE.given_at } }))
  expect([status, data.status, data.reason]).toEqual([202, 'held', 'consent_missing'])
  const review = { uuids: [data.session_uuid], approve: true, note: 'Read it on the phone' }
  expect((await admin.call(integrityApi.review, { body: review })).data.changed).toBe(1)
  expect((await sessionsOf(offer.id))[0]?.status).toBe('received')
  expect((await send(leadOf(offer.uuid, { consent: WHOLE }))).data.status).toBe('accepted')
})

test('where a consent names whom it is for only they are asked, and the story says why others were not', async () => {
  const offer = await offerOf({})
  const stands = async (recipients: string[]) => {
    const { data } = await send(leadOf(offer.uuid, { consent: { ...WHOLE, recipients } }))
    const { events } = (await admin.call(userSessionApi.detail, { params: { uuid: data.session_uuid } })).data
    const checks = events.flatMap((one) => (one.kind === 'considered' ? one.members.map(({ check }) => check) : []))
    const asked = events.flatMap((one) => (one.kind === 'sent' ? [one.advertiser?.name] : []))
    return { status: data.status, checks, asked }
  }
  expect(await stands([' boreas '])).toEqual({ status: 'accepted', checks: ['consent', null], asked: ['Boreas'] })
  expect(await stands([advertisers[0]?.uuid ?? ''])).toMatchObject({ asked: ['Zephyr Brokers'] })
  expect(await stands(['Somebody Else Ltd'])).toEqual({ status: 'unsold', checks: ['consent', 'consent'], asked: [] })
  expect(await stands([])).toMatchObject({ asked: ['Zephyr Brokers'] })
})

test('a link that is used up leads to the page that thanks the person, and where none is named says that it is over', async () => {
  const follow = async (url: string) => {
    const answer = await fetch(url, { redirect: 'manual' })
    return [answer.status, answer.headers.get('location')]
  }
  const thanks = 'https://shop.example/thank-you'
  for (const [named, then] of [
    [thanks, [302, thanks]],
    ['', [410, null]],
  ] as const) {
    const offer = await offerOf({ thanks: named })
    const { data } = await send(leadOf(offer.uuid, { user_agent: 'A browser' }))
    const url = `${api.url}${new URL(data.redirect_url ?? expect.fail('no link')).pathname}`
    const [status, first] = await follow(url)
    expect([status, first]).toEqual([302, expect.not.stringContaining('thank-you')])
    expect([await follow(url), await follow(url)]).toEqual([then, then])
    expect(await visitsOf(data.session_uuid)).toMatchObject([{ country: '', other_country: null, other_address: true, other_agent: true }])
    const alike = (await send(leadOf(offer.uuid, { user_agent: 'A browser' }))).data
    const known = { country: 'DE', asn: 0, network: '', hosting: false, reserved: false }
    const parts = { db: api.db, secretKey, findAddress: () => known }
    const token = (alike.redirect_url ?? '').split('/').at(-1) ?? ''
    await openEntry(parts, token, api.clock.now(), { address: leadOf('').ip, agent: 'A browser' })
    expect(await visitsOf(alike.session_uuid)).toMatchObject([
      { country: 'DE', other_country: true, other_address: false, other_agent: false },
    ])
    // it is for staff
    const own = (await affiliate.call(userSessionApi.detail, { params: { uuid: alike.session_uuid } })).data
    expect(own.events.map(({ kind }) => kind)).not.toContain('entered')
    const late = (await send(leadOf(offer.uuid))).data.redirect_url ?? ''
    api.clock.advance(31 * 60_000)
    expect(await follow(`${api.url}${new URL(late).pathname}`)).toEqual(then)
  }
  expect(await follow(`${api.url}/in/${'x'.repeat(43)}`)).toEqual([410, null])
})
