import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'
import { forgetCalls } from './kept-calls.jobs.ts'

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

test('what was said to an advertiser is dropped after thirty days, and what came of it stays', async () => {
  const [admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db)
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())])
  const send = async () => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })).data.status
  expect(await send()).toBe('accepted')
  const kept = () => api.db.selectFrom('lead_send').select(['status', 'call', 'redirect']).orderBy('id').execute()
  const now = api.clock.now()
  expect(await forgetCalls(api.db, now + 29 * DAY)).toBe(0)
  expect((await kept())[0]?.call).not.toBeNull()
  expect(await forgetCalls(api.db, now + 31 * DAY)).toBe(1)
  expect(await forgetCalls(api.db, now + 31 * DAY)).toBe(0)
  expect(await kept()).toEqual([{ status: 'accepted', call: null, redirect: null }])
})
