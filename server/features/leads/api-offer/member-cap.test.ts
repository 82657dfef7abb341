import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOfferApi, type StoredTerms } from '#contract/leads/api-offer.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
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

/** An offer with one product of these terms; each lead says whether it was asked, or what kept it. */
async function offerOf(terms: Partial<StoredTerms>) {
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const { uuid } = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms }])
  const send = async (more: object = {}) => {
    const { data } = await affiliate.call(leadApi.send, { body: leadOf(uuid, { ...more }) })
    const { events } = (await admin.call(userSessionApi.detail, { params: { uuid: data.session_uuid } })).data
    const [considered] = events.flatMap((one) => (one.kind === 'considered' ? one.members : []))
    return considered?.check ?? data.status
  }
  const deposit = async () => {
    const lead = mock.leads.at(-1)?.externalId ?? ''
    const query = new URLSearchParams({ lead_id: lead, status: 'FTD' }).toString()
    expect((await fetch(`${api.url}${pushPath(secretKey, product.uuid)}?${query}`)).status).toBe(200)
  }
  const told = async () => {
    const { list } = (await admin.call(notificationApi.list, { body: {} })).data
    return list.filter(({ kind, offer }) => kind.startsWith('cap_') && offer?.uuid === uuid).map(({ kind, count }) => `${kind} ${count}`)
  }
  return { send, deposit, told, product }
}
const nextDay = () => api.clock.advance(86_400_000)

test('a limit of what is sent counts what is refused too, one of what is accepted gives the place back; staff hear of 80 % and of the end, once', async () => {
  const sent = await offerOf({ caps: [{ period: 'day', limit: 2, measure: 'sends' }] })
  expect([await sent.send({ first_name: 'Reject' }), await sent.send(), await sent.send()]).toEqual(['rejected', 'accepted', 'cap'])
  const taken = await offerOf({ caps: [{ period: 'day', limit: 5 }] })
  const answers: string[] = []
  for (const first_name of ['Anna', 'Reject', 'Anna', 'Anna']) answers.push(await taken.send({ first_name }))
  expect([answers, await taken.told()]).toEqual([['accepted', 'rejected', 'accepted', 'accepted'], []])
  // a place that is given back and taken again is told of once
  for (const first_name of ['Reject', 'Anna', 'Anna', 'Anna']) answers.push(await taken.send({ first_name }))
  expect(answers.slice(4)).toEqual(['rejected', 'accepted', 'accepted', 'cap'])
  expect(await taken.told()).toEqual(['cap_full 100', 'cap_nearly_full 80'])
  nextDay()
  expect([await sent.send(), await taken.send()]).toEqual(['accepted', 'accepted'])
})

test('limits of a goal and of revenue stop leads once they are reached, refuse no conversion, and begin anew with their period', async () => {
  const ftd = await offerOf({ caps: [{ period: 'day', limit: 2, measure: 'goal', goal: 'ftd' }] })
  expect(await ftd.send()).toBe('accepted')
  await ftd.deposit()
  expect([await ftd.told(), await ftd.send()]).toEqual([[], 'accepted'])
  await ftd.deposit()
  expect([await ftd.told(), await ftd.send()]).toEqual([['cap_full 100'], 'cap'])
  const revenue = await offerOf({ caps: [{ period: 'month', limit: 500, measure: 'revenue' }] })
  for (const _ of [1, 2]) {
    expect(await revenue.send()).toBe('accepted')
    await revenue.deposit()
  }
  // 600 of 500: what was earned is never refused
  expect([await revenue.told(), await revenue.send()]).toEqual([['cap_full 120'], 'cap'])
  nextDay()
  expect([await ftd.send(), await revenue.send()]).toEqual(['accepted', 'cap'])
})

test('a product that rejects more than it may is passed over until its answers of a day say otherwise', async () => {
  const picky = await offerOf({ reject_above: 50 })
  for (let at = 0; at < 20; at++)
    expect(await picky.send({ first_name: at < 9 ? 'Anna' : 'Reject' })).toBe(at < 9 ? 'accepted' : 'rejected')
  expect(await picky.send()).toBe('rejections')
  // what lacked something was never sent there: it is no answer of theirs
  const refused = api.db.updateTable('lead_send').where('product_id', '=', picky.product.id).where('status', 'in', ['rejected', 'invalid'])
  await refused.set({ status: 'invalid' }).execute()
  expect(await picky.send()).toBe('accepted')
  await refused.set({ status: 'rejected' }).execute()
  expect(await picky.send()).toBe('rejections')
  nextDay()
  expect(await picky.send()).toBe('accepted')
})

test('a product whose system needs more than the offer asks for is named so, and no lead without it is sent there', async () => {
  const node = { path: 'city', type: 'string' as const, value: '{{lead.city | upper}}', required: true, omit_if_empty: true }
  const spec = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, nodes: [...MOCK_SPEC.request.nodes, node] } }
  const asking = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec)
  const other = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const { uuid } = await makeLeadOffer(api.db, admin, advertiser.uuid, [
    { ...asking, terms: { caps: [{ period: 'day', limit: 1 }] } },
    other,
  ])
  const { groups } = (await admin.call(apiOfferApi.get, { params: { uuid } })).data
  expect(groups[0]?.members.map(({ needs }) => needs)).toEqual([['city'], []])
  const { list } = (await admin.call(apiOfferApi.products, { body: { search: asking.uuid } })).data
  expect(list.map(({ needs }) => needs)).toEqual([['city']])
  const send = async (more: object) => {
    const { data } = await affiliate.call(leadApi.send, { body: leadOf(uuid, { ...more }) })
    const { events } = (await admin.call(userSessionApi.detail, { params: { uuid: data.session_uuid } })).data
    const members = events.flatMap((one) => (one.kind === 'considered' ? one.members : []))
    return [
      data.status,
      members.map(({ check, detail }) => [check, detail['missing']]),
      events.filter(({ kind }) => kind === 'sent').length,
    ]
  }
  const passed = [null, undefined]
  // and takes no place of its limit
  expect(await send({})).toEqual(['accepted', [['fields', 'city'], passed], 1])
  expect(await send({ city: 'Milano' })).toEqual(['accepted', [passed], 1])
})
