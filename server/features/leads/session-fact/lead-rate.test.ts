import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { countSessions } from './session-fact.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let product: { id: number; uuid: string }
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ clickhouse: true, env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db)
  product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (offer: { uuid: string }) => {
  expect((await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })).status).toBeLessThan(300)
  return mock.leads.at(-1)?.externalId ?? expect.fail('not sent')
}
const pay = async (lead: string, transaction_id: string) => {
  const query = new URLSearchParams({ lead_id: lead, status: 'FTD', amount: '100', currency: 'USD', transaction_id })
  expect((await fetch(`${api.url}${pushPath(secretKey, product.uuid)}?${query.toString()}`)).status).toBe(200)
}
/** What the report says of one offer. */
const figures = async (offer: { uuid: string }, by = admin) => {
  while ((await countSessions(api.db, 100)) > 0);
  await sendOutbox(api.db, api.clickhouse)
  const asked = { period: { preset: 'today' }, zone: 'UTC', offer_type: 'api', group: ['offer'] } as const
  const body = {
    ...asked,
    metrics: ['conversions', 'leads', 'lead_cr'] as const,
    filters: { offer: [offer.uuid] },
    sort: 'lead_cr' as const,
  }
  const { data } = await by.call(reportApi.run, { body: { ...body, group: [...body.group], metrics: [...body.metrics] } })
  return data.summary.totals
}

test('a lead counts once in the rate of leads, however many goals it reaches and however often it pays in', async () => {
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { redeposit: true })
  const [first] = [await send(offer), await send(offer)]
  expect(await figures(offer)).toEqual({ conversions: 2, leads: 2, lead_cr: 0 })
  for (const deposit of ['1', '2', '3', '4']) await pay(first, deposit)
  // two registrations, a first deposit and three more
  expect(await figures(offer)).toEqual({ conversions: 6, leads: 2, lead_cr: 50 })
  // whoever may not hear of deposits is told of what they may hear of
  await api.db.updateTable('goal').set({ hidden: true }).where('offer_id', '=', offer.id).where('code', '=', 'ftd').execute()
  expect(await figures(offer, affiliate)).toMatchObject({ leads: 2, lead_cr: 100 })
})

test('where the lead itself is the result, that is what counts', async () => {
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { redeposit: true })
  await send(offer)
  await api.db.updateTable('goal').set({ code: 'deposit' }).where('offer_id', '=', offer.id).where('code', '=', 'ftd').execute()
  expect(await figures(offer)).toEqual({ conversions: 1, leads: 1, lead_cr: 100 })
})
