import { afterAll, beforeAll, expect, test } from 'vitest'
import { clickApi } from '#contract/traffic/click.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { storeTraffic, testClick, testFact } from '#test/support/make/traffic.ts'
import { openClickFinder } from '../click/click.queries.ts'
import { receivePostback } from '../postback/incoming/receive.service.ts'

const NOW = '2026-11-21T10:00:00Z'
const TODAY: ReportInput = { period: { preset: 'today' }, zone: 'UTC', metrics: ['clicks', 'uniques', 'conversions', 'payout'] }

let api: TestApi
let admin: Caller
let affiliate: Caller
let offers: Record<'direct' | 'api', { id: number; uuid: string }>

/** One affiliate with two clicks and a conversion on a direct link, and three clicks and two conversions on an offer of leads. */
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: NOW })
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  const advertiser = await makeAdvertiser(api.db)
  const [direct, leads] = [
    await makeOffer(api.db, { advertiserId: advertiser.id }),
    await makeOffer(api.db, { advertiserId: advertiser.id }),
  ]
  offers = { direct, api: leads }
  const a = affiliate.affiliateId ?? 0
  const ts = Date.parse('2026-11-21T08:00:00Z')
  const click = (offer: number, rnd: number) =>
    testClick({ ts: ts + rnd, rnd, affiliate: a, offer, advertiser: offer === direct.id ? advertiser.id : 0, visitor: rnd })
  const fact = (offer: number, conversion: number, payout: string) =>
    testFact({ conversion, ts, click_ts: ts, affiliate: a, offer, advertiser: advertiser.id, payout, revenue: '9' })
  await storeTraffic(api.clickhouse, {
    clicks: [click(direct.id, 1), click(direct.id, 2), click(leads.id, 3), click(leads.id, 4), click(leads.id, 5)],
    facts: [fact(direct.id, 1, '3'), fact(leads.id, 2, '5'), fact(leads.id, 3, '7')],
  })
  const keys = await makeClickKeys(api.db)
  for (const offer of [direct, leads]) {
    const made = makeClick(keys, { offerId: offer.id, affiliateId: a, at: api.clock.now() - 2 * 86_400_000 })
    await storeClicks(api.clickhouse, [made])
    const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
    await receivePostback(parts, handOver({ click_id: made.id, token: offer.token }, { received_at: NOW }))
  }
  await api.db.updateTable('offer').set({ type: 'api', advertiser_id: null }).where('id', '=', leads.id).execute()
  await api.db.insertInto('api_offer').values({ offer_id: leads.id, integration_type: 'generic', wait_hours: 0, repeat_days: 0 }).execute()
})
afterAll(() => api.close())

const totals = async (caller: Caller, body: ReportInput) => {
  const { data } = await caller.call(reportApi.run, { body: { ...TODAY, ...body } })
  const { clicks, uniques, conversions, payout } = data.summary.totals
  return [clicks, uniques, conversions, Number(payout), data.timing.source]
}

test.each<[string, ReportInput, string]>([
  ['by offers', { group: ['offer'] }, 'click_by_offer'],
  ['by affiliates, whose roll-up keeps no offers', { group: ['affiliate'] }, 'click_by_affiliate'],
  ['by what only rows hold', { group: ['sub1'] }, 'click'],
])('figures of direct links and of offers of leads stay apart %s', async (_name, body, source) => {
  expect(await totals(admin, { ...body, offer_type: 'direct' })).toEqual([2, 2, 1, 3, source])
  expect(await totals(admin, { ...body, offer_type: 'api' })).toEqual([3, 3, 2, 12, source])
  expect(await totals(admin, body)).toEqual([5, 5, 3, 15, source])
})

test('and so do an affiliate’s own, charts included', async () => {
  expect((await totals(affiliate, { offer_type: 'api' })).slice(0, 4)).toEqual([3, 3, 2, 12])
  const { data } = await affiliate.call(reportApi.series, {
    body: { period: { preset: 'today' }, zone: 'UTC', metrics: ['clicks'], offer_type: 'direct' },
  })
  expect(data.lines[0]?.points.clicks?.reduce<number>((sum, value) => sum + Number(value), 0)).toBe(2)
})

test('clicks are listed and counted by the type of their offer', async () => {
  for (const [offer_type, count] of [
    ['direct', 2],
    ['api', 3],
    [null, 5],
  ] as const) {
    const { data } = await admin.call(clickApi.list, { body: { period: { preset: 'today' }, zone: 'UTC', offer_type } })
    expect([data.list.length, data.summary.rows, data.summary.totals?.counted]).toEqual([count, count, count])
  }
})

test('conversions are listed by the type of their offer, and say it', async () => {
  for (const type of ['direct', 'api'] as const) {
    const { data } = await admin.call(conversionApi.list, { body: { offer_type: type } })
    expect(data.list.map(({ offer, offer_type }) => [offer.uuid, offer_type])).toEqual([[offers[type].uuid, type]])
  }
})
