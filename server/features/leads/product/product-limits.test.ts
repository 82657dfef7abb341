import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOfferApi, type StoredTerms } from '#contract/leads/api-offer.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { productApi, type ProductDetail } from '#contract/leads/product.ts'
import { productHealthApi } from '#contract/leads/product-health.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { auditApi } from '#contract/people/audit.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { goalInput } from '#test/support/make/offers.ts'
import { apiOfferForm, groupInput, memberInput } from '#test/support/make/products.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

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

const makeProduct = () => makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
const offerWith = (...products: { id: number }[]) => makeLeadOffer(api.db, admin, advertiser.uuid, products)
const get = async (uuid: string) => (await admin.call(productApi.get, { params: { uuid } })).data
/** What a form of products sends that knows nothing of what `more` tells. */
const update = async (uuid: string, more: Partial<Pick<ProductDetail, 'hours' | 'caps' | 'time_zone' | 'notes'>>) => {
  const { title, host, geos, time_zone, notes, version, version_number } = await get(uuid)
  const body = { title, host, geos, time_zone, notes, version, version_number, credentials: {}, ...more }
  return admin.call(productApi.update, { params: { uuid }, body })
}
/** Who took a lead, and why each one before was passed over. */
const send = async (offer: { uuid: string }, first_name = 'Anna') => {
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name }) })
  const { events } = (await admin.call(userSessionApi.detail, { params: { uuid: data.session_uuid } })).data
  const considered = events.flatMap((one) => (one.kind === 'considered' ? one.members : []))
  return {
    status: data.status,
    passed: considered.flatMap(({ product, check, detail }) => (check === null ? [] : [{ id: product?.id, check, ...detail }])),
  }
}
const partnerSees = async (offer: { uuid: string }) =>
  (await affiliate.call(apiOfferApi.partner, { params: { uuid: offer.uuid } })).data.countries[0]
/** How it stands, as its offer and its own page say. */
const standing = async (offer: { uuid: string }, product: { uuid: string }) => {
  const { groups } = (await admin.call(apiOfferApi.get, { params: { uuid: offer.uuid } })).data
  const member = groups.flatMap(({ members }) => members).find((one) => one.product.uuid === product.uuid)
  const [health] = (await admin.call(productHealthApi.list, { body: { product_uuid: [product.uuid] } })).data.list
  return { offer: [member?.hindered, member?.hindered_until], product: [health?.state, health?.until] }
}
const daily = (from: number, until: number) => Array.from({ length: 7 }, () => [{ from: from * 60, until: until * 60 }])
/** The next time it is so late in UTC. */
const goTo = (hour: number, minute = 0) => {
  const then = new Date(api.clock.now() + 86_400_000).setUTCHours(hour, minute, 0, 0)
  api.clock.advance(then - api.clock.now())
  return then
}

test('hours and limits of a product are kept, refused by field, logged, and stay where a request does not tell them', async () => {
  const { uuid } = await makeProduct()
  expect(await get(uuid)).toMatchObject({ hours: null, caps: [] })
  const caps = [
    { period: 'day' as const, measure: 'accepted' as const, limit: 5 },
    { period: 'day' as const, measure: 'sends' as const, limit: 9 },
  ]
  expect((await update(uuid, { hours: daily(9, 18), caps })).status).toBe(200)
  expect((await update(uuid, { notes: 'by a program that knows no hours' })).data).toMatchObject({ hours: daily(9, 18), caps })
  const twice = await update(uuid, { hours: [[], [], [], [], [], [], []], caps: [...caps, { period: 'day', measure: 'sends', limit: 2 }] })
  expect(twice).toMatchObject({ status: 400, fields: { hours: 'It would never be open: pause it instead' } })
  expect(twice.fields).toMatchObject({ 'caps.2.period': 'There is such a cap already' })
  for (const wrong of [{ measure: 'revenue' }, { limit: 0 }, { limit: null }, { period: 'year' }])
    expect(await update(uuid, { caps: [{ ...caps[0], ...wrong }] as typeof caps })).toMatchObject({
      status: 400,
      fields: 'limit' in wrong ? { 'caps.0.limit': wrong.limit === 0 ? 'Must be 1 or more' : 'Enter a number' } : {},
    })
  expect(await get(uuid)).toMatchObject({ hours: daily(9, 18), caps })
  const { list } = (await admin.call(auditApi.history, { body: { kind: 'product', uuid } })).data
  expect(list.map(({ after }) => Object.keys(after ?? {}).toSorted())).toEqual([['notes'], ['caps', 'hours']])
})

test('a product closed by its own hours is passed over and named so; one opens when both it and its place do', async () => {
  const [closed, other] = [await makeProduct(), await makeProduct()]
  const at = goTo(12)
  await update(closed.uuid, { hours: daily(16, 20), time_zone: 'Europe/Kyiv' })
  const opens_at = new Date(at).toISOString().replace('T12', 'T14')
  const why = { id: closed.id, check: 'hours', of: 'product', zone: 'Europe/Kyiv', opens_at }
  const offer = await offerWith(closed, other)
  expect(await send(offer)).toEqual({ status: 'accepted', passed: [why] })
  expect(await standing(offer, closed)).toEqual({ offer: ['closed', opens_at], product: ['closed', opens_at] })
  expect(await standing(offer, other)).toEqual({ offer: [null, null], product: ['ok', null] })
  const { uuid: affiliateUuid } = await api.db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select('a.uuid')
    .where('f.id', '=', affiliate.affiliateId)
    .executeTakeFirstOrThrow()
  const simulated = await admin.call(apiOfferApi.simulate, {
    params: { uuid: offer.uuid },
    body: { affiliate_uuid: affiliateUuid, geo: 'IT' },
  })
  expect(simulated.data.members.map(({ check, detail }) => [check, detail['of']])).toEqual([
    ['hours', 'product'],
    [null, undefined],
  ])
  // its place opens at 13:00, the product an hour later, and both close at 17:00
  const place = { ...closed, terms: { hours: daily(13, 17), time_zone: 'UTC' } }
  const alone = await makeLeadOffer(api.db, admin, advertiser.uuid, [place])
  expect(await partnerSees(alone)).toMatchObject({ state: 'closed', opens_at, remaining: 0 })
  const [opening] = (await partnerSees(alone))?.openings ?? []
  expect(opening).toEqual({ from: opens_at, until: opens_at.replace('T14', 'T17') })
  expect((await send(alone)).passed).toEqual([{ id: closed.id, check: 'hours', zone: 'UTC', opens_at }])
  api.clock.advance(3_600_000)
  expect((await send(alone)).passed).toEqual([why].map(({ id, check, of, zone }) => ({ id, check, of, zone, opens_at })))
  api.clock.advance(3_600_000)
  expect(await send(alone)).toEqual({ status: 'accepted', passed: [] })
  // a place that opens when its product never does
  const never = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...closed, terms: { hours: daily(19, 22), time_zone: 'UTC' } }])
  expect((await send(never)).passed).toEqual([{ id: closed.id, check: 'hours', zone: 'UTC' }])
  // the product alone is open: its place is not
  expect(await standing(never, closed)).toEqual({ offer: ['closed', null], product: ['ok', null] })
  expect(await partnerSees(never)).toMatchObject({ state: 'closed', opens_at: null, openings: [] })
})

test('a limit of a product holds over two offers, gives a rejected lead’s place back, and begins anew at its own midnight', async () => {
  const [limited, other] = [await makeProduct(), await makeProduct()]
  // in Kyiv the day ends at 22:00 of UTC in winter
  goTo(21, 30)
  const cap = { period: 'day' as const, measure: 'accepted' as const, limit: 2 }
  await update(limited.uuid, { caps: [cap], time_zone: 'Europe/Kyiv' })
  const [one, two] = [await offerWith(limited, other), await offerWith(limited, other)]
  expect(await partnerSees(await offerWith(limited))).toMatchObject({ state: 'open', remaining: 2 })
  expect([await send(one), await send(two, 'Reject'), await send(two)]).toEqual([
    { status: 'accepted', passed: [] },
    { status: 'rejected', passed: [] },
    { status: 'accepted', passed: [] },
  ])
  const full = { id: limited.id, check: 'cap', of: 'product', name: 'day Europe/Kyiv', limit: '2', used: '2' }
  expect([await send(one), await send(two)]).toEqual([
    { status: 'accepted', passed: [full] },
    { status: 'accepted', passed: [full] },
  ])
  expect(await partnerSees(await offerWith(limited))).toMatchObject({ state: 'full', remaining: 0 })
  const midnight = new Date(api.clock.now() + 1_800_000).toISOString()
  expect(await standing(one, limited)).toEqual({ offer: ['full', midnight], product: ['full', midnight] })
  const health = (await admin.call(productHealthApi.list, { body: { product_uuid: [limited.uuid] } })).data
  expect(health.list[0]?.caps).toEqual([{ offer: null, ...cap, used: 2 }])
  const shown = (await admin.call(apiOfferApi.get, { params: { uuid: two.uuid } })).data.groups[0]?.members
  expect(shown?.map(({ own }) => own)).toEqual([
    { hours: null, time_zone: 'Europe/Kyiv', caps: [{ ...cap, used: 2 }], currency: 'USD', prices: [] },
    { hours: null, time_zone: 'UTC', caps: [], currency: 'USD', prices: [] },
  ])
  // whichever offer filled it, it is told of once
  const { list } = (await admin.call(notificationApi.list, { body: {} })).data
  const { title } = await get(limited.uuid)
  expect(list.filter(({ reason }) => reason.endsWith(title)).map(({ kind, reason }) => [kind, reason])).toEqual([
    ['cap_full', `whole product ${title}`],
  ])
  api.clock.advance(1_800_000)
  expect(await send(two)).toEqual({ status: 'accepted', passed: [] })
})

test('many at once over two offers take no more places than there are', async () => {
  const limited = await makeProduct()
  await update(limited.uuid, {
    caps: [
      { period: 'day', measure: 'sends', limit: 7 },
      { period: 'total', measure: 'accepted', limit: 5 },
    ],
  })
  const offers = [await offerWith(limited), await offerWith(limited)]
  const answers = await Promise.all(
    Array.from({ length: 16 }, async (_none, at) => {
      const body = leadOf(offers[at % 2]?.uuid ?? '')
      return (await affiliate.call(leadApi.send, { body })).data.status
    }),
  )
  await expect
    .poll(async () => (await api.db.selectFrom('lead_send').select('id').where('product_id', '=', limited.id).execute()).length)
    .toBe(5)
  expect(answers.filter((status) => status === 'accepted')).toHaveLength(5)
  const counters = api.db.selectFrom('lead_counter').select(['owner', 'used']).where('owner', 'like', `product ${limited.id}%`)
  expect(await counters.orderBy('owner').execute()).toEqual([
    { owner: `product ${limited.id}`, used: 5 },
    { owner: `product ${limited.id} sends`, used: 5 },
  ])
})

test('a limit set at noon counts what was sent since its day began, of a product and of its place; nothing is sold above it', async () => {
  const product = await makeProduct()
  const offer = await offerWith(product)
  goTo(11)
  for (const first_name of ['Anna', 'Reject', 'Anna', 'Silent']) await send(offer, first_name)
  const { version } = (await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data
  const goals = [
    goalInput({ code: 'registration', title: 'Registration' }),
    goalInput({ code: 'ftd', title: 'First deposit', is_default: false }),
  ]
  const form = apiOfferForm({ title: 'Limited', goals, integration_type: 'finance_trading', repeat_days: 0 })
  const limit = (caps: StoredTerms['caps']) =>
    admin.call(apiOfferApi.update, {
      params: { uuid: offer.uuid },
      body: { ...form, groups: [groupInput([memberInput(product.uuid, { caps })])], version, confirm: ['pays_more', 'no_click_id'] },
    })
  const usedNow = async () =>
    (await admin.call(apiOfferApi.get, { params: { uuid: offer.uuid } })).data.groups.flatMap(({ members }) =>
      members.map(({ used, own }) => [used, own.caps.map((one) => one.used)]),
    )
  const caps = [
    { period: 'day' as const, limit: 4 },
    { period: 'day' as const, measure: 'sends' as const, limit: 5 },
  ]
  expect((await limit(caps)).status).toBe(200)
  expect((await update(product.uuid, { caps: [{ period: 'day', measure: 'accepted', limit: 4 }] })).status).toBe(200)
  expect(await usedNow()).toEqual([[[3, 4], [3]]])
  expect([(await send(offer)).status, (await send(offer)).passed]).toMatchObject(['accepted', [{ check: 'cap' }]])
  expect(await usedNow()).toEqual([[[4, 5], [4]]])
})
