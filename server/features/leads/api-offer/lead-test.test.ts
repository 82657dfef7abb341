import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOfferApi } from '#contract/leads/api-offer.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let offer: { id: number; uuid: string; members: number[] }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const terms = { caps: [{ period: 'day' as const, limit: 1 }], repeat_days: null }
  const products = await Promise.all(
    [1, 2].map(async () => ({ ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())), terms })),
  )
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, products)
  await api.db.updateTable('offer').set({ status: 'draft' }).where('id', '=', offer.id).execute()
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (values: object = {}, country = 'IT') => {
  const body = { affiliate_uuid: affiliate.uuid, country, values }
  return (await admin.call(apiOfferApi.test, { params: { uuid: offer.uuid }, body })).data
}

test('a test lead goes the whole way of an offer that is still a draft, and leaves no mark on caps, books and figures', async () => {
  const before = mock.leads.length
  for (let at = 0; at < 2; at++) {
    const taken = await send({ email: `test.${at}@mail.example` })
    expect(taken).toMatchObject({
      outcome: 'accepted',
      rounds: [
        {
          considered: [{ check: null, product: { name: expect.any(String) } }],
          send: { outcome: 'accepted', advertiser: { name: 'Zephyr Brokers' }, extracted: { external_id: expect.any(String) } },
        },
      ],
    })
    const [call] = taken.rounds[0]!.send!.calls
    expect(call).toMatchObject({ step: '', method: 'POST', answer: { status: 201 }, rule: 0 })
    expect(call!.body).toContain(`test.${at}@mail.example`)
    expect(JSON.stringify(taken)).not.toContain(mock.key)
    expect((await admin.call(apiOfferApi.testGet, { params: { uuid: taken.session.uuid } })).data).toEqual(taken)
  }
  expect(mock.leads.length).toBe(before + 2)
  // whom the advertiser had is asked about again, and it says so itself
  const known = await send({ email: 'test.0@mail.example' })
  expect(known).toMatchObject({
    outcome: 'duplicate',
    rounds: [{ send: { outcome: 'duplicate' } }, { send: { outcome: 'duplicate' } }, { send: null }],
  })
  const sessions = await api.db
    .selectFrom('user_session')
    .select(['status', 'reason', 'test', 'click_id'])
    .where('offer_id', '=', offer.id)
    .orderBy('id')
    .execute()
  expect(sessions).toMatchObject([
    { status: 'test', reason: 'accepted', test: true },
    { status: 'test', reason: 'accepted', test: true },
    { status: 'test', reason: 'duplicate', test: true },
  ])
  const owners = offer.members.map((id) => `member ${id}`)
  expect(await api.db.selectFrom('lead_counter').select('used').where('owner', 'in', owners).execute()).toEqual([])
  expect(await api.db.selectFrom('conversion').select('id').where('offer_id', '=', offer.id).orderBy('id').execute()).toEqual([])
  expect(await api.db.selectFrom('product_pull').select('product_id').execute()).toEqual([])
  expect((await affiliate.call(leadApi.list, {})).data.list).toEqual([])
})

test('why each was passed over is told, and who refuses is followed by the next', async () => {
  const refused = await send({ first_name: 'Reject' })
  expect(refused.outcome).toBe('rejected')
  expect(refused.rounds.map(({ send: made }) => made?.outcome ?? null)).toEqual(['rejected', 'rejected', null])
  await api.db
    .insertInto('lead_counter')
    .values({
      owner: `member ${offer.members[0]}`,
      period: 'day',
      starts: new Date(Math.floor(api.clock.now() / 86_400_000) * 86_400_000),
      used: 1,
    })
    .execute()
  const second = await send()
  expect(second.rounds[0]!.considered.map(({ check }) => check)).toEqual(['cap', null])
  expect(second.outcome).toBe('accepted')
  // an answer nobody understands ends it, as of a real lead
  expect(await send({ first_name: 'Silent' })).toMatchObject({ outcome: 'ambiguous' })
})

test('whose the offer or the affiliate is not, learns nothing; what is wrong is named', async () => {
  const params = { uuid: offer.uuid }
  const manager = await api.as('manager')
  const body = { affiliate_uuid: affiliate.uuid, country: 'IT' }
  expect((await manager.call(apiOfferApi.test, { params, body })).status).toBe(404)
  const { session } = await send()
  expect((await manager.call(apiOfferApi.testGet, { params: { uuid: session.uuid } })).status).toBe(404)
  const wrong = await admin.call(apiOfferApi.test, { params, body: { ...body, values: { phone: '12' } } })
  expect({ status: wrong.status, fields: Object.keys(wrong.fields) }).toEqual({ status: 422, fields: ['phone'] })
})
