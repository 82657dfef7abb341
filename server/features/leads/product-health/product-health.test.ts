import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { productHealthApi } from '#contract/leads/product-health.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

const DAY = 86_400_000
let mock: MockAdvertiser
let api: TestApi
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

test('a product shows what its leads came to in the days asked for, why, how full its caps are, and that it stopped', async () => {
  const [admin, manager, stranger, affiliate] = await Promise.all([
    api.as('admin'),
    api.as('manager'),
    api.as('manager'),
    api.as('affiliate'),
  ])
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const mine = { manager_id: manager.managerId ?? 0 }
  await api.db.updateTable('advertiser').set(mine).where('id', '=', advertiser.id).execute()
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const terms = { caps: [{ period: 'day' as const, limit: 9 }] }
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms }])
  const send = (first_name: string) => affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name }) })
  const health = async (body: object = {}, who = manager) => (await who.call(productHealthApi.list, { body })).data.list
  await send('Anna')
  api.clock.advance(3 * DAY)
  for (const name of ['Anna', 'Berta', 'Reject', 'Duplicate', 'Full', 'Broken']) await send(name)
  // one that lacked what is asked for was never sent: their answers alone make the rate
  const { data: lacking } = await send('Reject')
  const { id } = await api.db.selectFrom('user_session').select('id').where('uuid', '=', lacking.session_uuid).executeTakeFirstOrThrow()
  const missing = { status: 'invalid' as const, reason: 'City is missing' }
  await api.db.updateTable('lead_send').set(missing).where('session_id', '=', id).execute()
  const figures = {
    accepted: 2,
    rejected: 1,
    duplicate: 1,
    no_capacity: 1,
    ambiguous: 1,
    error: 0,
    sent: 6,
    unsendable: 1,
    accept_rate: '50.00',
  }
  const [row] = await health({ days: 1 })
  expect(row).toMatchObject({ ...figures, state: 'ok', advertiser: { name: 'Zephyr Brokers' }, last_status_at: null })
  expect(row?.last_accepted_at).toBe(new Date(api.clock.now()).toISOString())
  expect(row?.p95).toBeGreaterThanOrEqual(row?.p50 ?? Infinity)
  expect(row?.reasons).toContainEqual({ status: 'rejected', reason: 'Invalid phone', count: 1 })
  expect(row?.reasons).toContainEqual({ ...missing, count: 1 })
  // the place of an unclear one stays taken
  expect(row?.caps).toMatchObject([{ offer: { uuid: offer.uuid }, period: 'day', limit: 9, used: 3 }])
  expect((await health({ days: 7 }))[0]).toMatchObject({ accepted: 3, sent: 7, accept_rate: '60.00' })
  for (const name of ['Reject', 'Duplicate']) await send(name)
  expect((await health({ days: 7 }))[0]).toMatchObject({ accepted: 3, sent: 9, accept_rate: '42.86' })

  expect(await health({ stopped: true })).toEqual([])
  await api.db
    .updateTable('lead_send')
    .set({ reason: 'No such person: anna@mail.example, +39 333 123 45 67' })
    .where('status', '=', 'rejected')
    .execute()
  await api.db.updateTable('product').set({ blocked: true, failures: 1 }).where('id', '=', product.id).execute()
  const [stopped] = await health({ stopped: true, product_uuid: [product.uuid] })
  expect(stopped).toMatchObject({ state: 'blocked', failures: 1 })
  expect(stopped?.reasons).toContainEqual({ status: 'rejected', reason: 'No such person: ••• •••', count: 2 })
  expect(await health({}, stranger)).toEqual([])
  expect((await affiliate.call(productHealthApi.list, {})).status).toBe(403)
})
