import { afterAll, beforeAll, expect, test } from 'vitest'
import { OPEN_TERMS } from '#contract/leads/api-offer.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let affiliate: Caller
let address = ''
const offers = new Map<'education_leadgen' | 'loans_insurance' | 'finance_trading', string>()
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  const admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  const advertiser = await makeAdvertiser(api.db)
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), { ...MOCK_SPEC, statuses: {} })
  await api.db.updateTable('integration').set({ type: 'loans_insurance' }).execute()
  for (const type of ['education_leadgen', 'loans_insurance'] as const) {
    const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { type })
    // 200 of 300 for a lead, and where more comes of it nothing more for that
    for (const [code, was] of [
      ['sale', 'registration'],
      ['lead', 'ftd'],
    ] as const)
      await api.db.updateTable('goal').set({ code }).where('offer_id', '=', offer.id).where('code', '=', was).execute()
    offers.set(type, offer.uuid)
  }
  // an integration of one kind takes leads of another here: only its words matter
  offers.set('finance_trading', (await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { type: 'finance_trading' })).uuid)
  address = `${api.url}${pushPath(secretKey, product.uuid)}`
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

async function send(type: 'education_leadgen' | 'loans_insurance' | 'finance_trading') {
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offers.get(type) ?? '', { zip: '20121' }) })
  expect(data.status).toBe('accepted')
  const id = mock.leads.at(-1)?.externalId
  const say = async (status: string) =>
    expect((await fetch(`${address}?lead_id=${id}&status=${encodeURIComponent(status)}&amount=77`)).status).toBe(200)
  const booked = async () => {
    const rows = await api.db
      .selectFrom('conversion as c')
      .innerJoin('goal as g', 'g.id', 'c.goal_id')
      .select(['g.code', 'c.status', 'c.payout'])
      .where('c.click_id', '=', data.click_id)
      .orderBy('g.code')
      .execute()
    return rows.map(({ code, status, payout }) => `${code} ${status} ${Number(payout)}`)
  }
  return { say, booked }
}
const available = async () => {
  const found = await api.db
    .selectFrom('ledger_account')
    .select('balance')
    .where('owner_id', '=', affiliate.affiliateId)
    .where('kind', '=', 'affiliate_available')
    .executeTakeFirst()
  return Math.abs(Number(found?.balance ?? 0))
}

test('a lead that is paid for itself is paid for no longer once its advertiser says that it was none, and again once it was one', async () => {
  const { say, booked } = await send('education_leadgen')
  expect(await booked()).toEqual(['lead approved 200'])
  expect(await available()).toBe(200)
  await say('Callback')
  // no interest is no fault of the lead
  await say('Not interested')
  expect(await booked()).toEqual(['lead approved 200'])
  await say('Wrong number')
  expect(await booked()).toEqual(['lead declined 200'])
  expect(await available()).toBe(0)
  await say('Callback')
  expect(await booked()).toEqual(['lead approved 200'])
  for (const word of ['rejected', 'trash']) await say(word)
  expect(await booked()).toEqual(['lead declined 200'])
  expect(await available()).toBe(0)
  await say('sold')
  await say('sold')
  expect(await booked()).toEqual(['lead approved 200'])
  expect(await available()).toBe(200)
})

test('of a lead that came to a sale the sale is taken back, and the lead stays paid', async () => {
  const { say, booked } = await send('loans_insurance')
  await say('sold')
  await say('cancelled')
  expect(await booked()).toEqual(['lead approved 200', 'sale declined 0'])
  const none = await send('loans_insurance')
  await none.say('trash')
  expect(await none.booked()).toEqual(['lead declined 200'])
})

test('a registration somebody priced is paid for no longer once it was none, before a deposit and after one; one without a price stays', async () => {
  const uuid = offers.get('finance_trading') ?? ''
  const { id } = await api.db.selectFrom('offer').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const free = await send('finance_trading')
  await free.say('fraud')
  expect(await free.booked()).toEqual(['registration approved 0'])
  const prices = [
    { goal: 'registration', geos: [], price: '2', payout: '1' },
    { goal: 'ftd', geos: [], price: '300', payout: '200' },
  ]
  const group = api.db.selectFrom('offer_group').select('id').where('offer_id', '=', id)
  const terms = JSON.stringify({ ...OPEN_TERMS, prices })
  await api.db.updateTable('offer_member').set({ terms }).where('group_id', 'in', group).execute()
  const before = await send('finance_trading')
  expect(await before.booked()).toEqual(['registration approved 1'])
  await before.say('fraud')
  expect(await before.booked()).toEqual(['registration declined 1'])
  await before.say('Callback')
  expect(await before.booked()).toEqual(['registration approved 1'])
  const after = await send('finance_trading')
  for (const word of ['sold', 'fraud']) await after.say(word)
  expect(await after.booked()).toEqual(['ftd declined 200', 'registration declined 1'])
})

test('what was agreed with an affiliate is paid whatever the product says of its price, and the advertiser pays the price', async () => {
  const uuid = offers.get('education_leadgen') ?? ''
  const { id } = await api.db.selectFrom('offer').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const prices = [{ goal: 'lead', geos: [], price: '120', payout: '90' }]
  const group = api.db.selectFrom('offer_group').select('id').where('offer_id', '=', id)
  await api.db
    .updateTable('offer_member')
    .set({ terms: JSON.stringify({ ...OPEN_TERMS, prices }) })
    .where('group_id', 'in', group)
    .execute()
  expect(await (await send('education_leadgen')).booked()).toEqual(['lead approved 90'])
  const goal = await api.db.selectFrom('goal').select('id').where('offer_id', '=', id).where('code', '=', 'lead').executeTakeFirstOrThrow()
  const agreed = { offer_id: id, goal_id: goal.id, position: 9, payout_fixed: '101', payout_percent: '0', revenue_fixed: '300' }
  await api.db
    .insertInto('payout_rule')
    .values({ ...agreed, revenue_percent: '0', affiliate_ids: [affiliate.affiliateId ?? 0] })
    .execute()
  expect(await (await send('education_leadgen')).booked()).toEqual(['lead approved 101'])
  const { revenue } = await api.db.selectFrom('conversion').select('revenue').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  expect(Number(revenue)).toBe(120)
})
