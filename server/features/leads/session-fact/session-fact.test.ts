import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { rebuildFacts } from '#server/features/traffic/fact/rebuild.service.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { rebuildSessionFacts } from './rebuild.service.ts'
import { countSessions } from './session-fact.jobs.ts'

const ASKED: ReportInput = {
  period: { preset: 'today' },
  zone: 'UTC',
  offer_type: 'api',
  group: [],
  metrics: ['leads', 'leads_accepted', 'leads_rejected', 'leads_duplicate', 'leads_waiting', 'lead_acceptance', 'sends', 'send_acceptance'],
}

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
let offer: { uuid: string }

/** One lead each: taken, refused by both products, sent in again, tried only. */
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ clickhouse: true, env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const products = [
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now()),
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now()),
  ]
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, products, { repeat_days: null })
  const taken = leadOf(offer.uuid, { sub1: 'spring' })
  for (const body of [taken, leadOf(offer.uuid, { first_name: 'Reject' }), taken, leadOf(offer.uuid, { test: true })])
    expect((await affiliate.call(leadApi.send, { body })).status).toBeLessThan(300)
  await counted()
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

/** Everything that is due is told and has arrived; then nothing is due. */
async function counted(): Promise<void> {
  while ((await countSessions(api.db, 2)) > 0);
  await sendOutbox(api.db, api.clickhouse)
}
const figures = async (body: ReportInput = {}, caller = admin) => {
  const { status, data } = await caller.call(reportApi.run, { body: { ...ASKED, ...body } })
  expect(status, JSON.stringify(data)).toBe(200)
  return data
}
const totals = async (body: ReportInput = {}) => {
  const { leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting } = (await figures(body)).summary.totals
  return [leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting]
}

test('leads and what became of them are figures, with their sends for staff', async () => {
  expect((await figures()).summary.totals).toEqual({
    leads: 3,
    leads_accepted: 1,
    leads_rejected: 1,
    leads_duplicate: 1,
    leads_waiting: 0,
    lead_acceptance: 33.3333,
    sends: 3,
    send_acceptance: 33.3333,
  })
  const by = async (group: 'sub1' | 'lead_reason' | 'send_outcome' | 'advertiser', metric: 'leads' | 'sends') =>
    (await figures({ group: [group], metrics: [metric], sort: metric })).list.map(({ keys, values }) => [keys[0]?.label, values[metric]])
  expect(await by('sub1', 'leads')).toEqual([
    ['spring', 2],
    ['', 1],
  ])
  expect(await by('send_outcome', 'sends')).toEqual([
    ['rejected', 2],
    ['accepted', 1],
  ])
  expect(await by('lead_reason', 'leads')).toEqual([
    ['', 1],
    ['rejected', 1],
    ['repeat', 1],
  ])
  expect(await by('advertiser', 'sends')).toEqual([['Zephyr Brokers', 3]])
})

test('sends and leads are grouped and filtered by product, with names for whose advertiser it is, and never for affiliates', async () => {
  const metrics = ['leads', 'sends', 'conversions'] as const
  const by = async (body: ReportInput = {}, caller = admin) =>
    (await figures({ group: ['product'], metrics: [...metrics], sort: 'sends', ...body }, caller)).list.map(({ keys, values }) => ({
      id: keys[0]?.id,
      name: keys[0]?.label,
      ...values,
    }))
  const all = await by()
  expect(all).toMatchObject([
    { name: expect.stringMatching(/^Product /), sends: 2, conversions: null },
    { name: expect.stringMatching(/^Product /), sends: 1 },
    { id: '0', leads: 2, sends: 0 },
  ])
  expect(new Set(all.map(({ name }) => name)).size).toBe(3)
  const [first] = all
  // whoever asks for one product is shown no money and no clicks of all the others beside it
  const one = await figures({ metrics: [...metrics, 'clicks', 'revenue'], filters: { product: [first?.id ?? ''] } })
  expect(one.summary.totals).toMatchObject({ sends: 2, leads: first?.leads, conversions: null, clicks: null })
  expect((await figures({ metrics: ['sends'], filters: { advertiser: [advertiser.uuid] } })).summary.totals).toEqual({ sends: 3 })
  const manager = await api.as('manager')
  expect(await by({}, manager)).toEqual([])
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: manager.managerId ?? 0 })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  expect((await by({}, manager)).map(({ name }) => name)).toEqual([`Product #${first?.id}`, expect.stringMatching(/^Product #/), ''])
  for (const body of [
    { group: ['product'] },
    { filters: { product: [first?.id ?? ''] } },
    { sort: 'product', group: ['product'] },
  ] as ReportInput[])
    expect((await affiliate.call(reportApi.run, { body: { ...ASKED, metrics: ['leads'], ...body } })).status).toBe(403)
})

test('affiliates count their leads, and are told nothing of whom they were offered to', async () => {
  const { summary } = await figures({ metrics: ['leads', 'leads_accepted', 'lead_cr'] }, affiliate)
  expect(summary.totals).toMatchObject({ leads: 3, leads_accepted: 1 })
  const other = await api.as('affiliate')
  expect((await figures({ metrics: ['leads'] }, other)).summary.totals).toEqual({ leads: 0 })
  for (const body of [
    { metrics: ['sends'] },
    { metrics: ['answer_time'] },
    { group: ['send_outcome'], metrics: ['leads'] },
  ] as ReportInput[])
    expect((await affiliate.call(reportApi.run, { body: { ...ASKED, ...body } })).status).toBe(403)
})

test('a change restates the day the lead came, and counts once however often it is looked at', async () => {
  await api.db.updateTable('user_session').set({ status: 'ambiguous' }).where('status', '=', 'accepted').execute()
  await counted()
  expect(await totals()).toEqual([3, 0, 1, 1, 1])
  await api.db.updateTable('user_session').set({ status: 'accepted' }).where('status', '=', 'ambiguous').execute()
  await counted()
  // all of them once more
  await api.db.insertInto('session_due').columns(['session_id']).expression(api.db.selectFrom('user_session').select('id')).execute()
  await counted()
  expect(await totals()).toEqual([3, 1, 1, 1, 0])
})

test('a change that is not committed yet is counted after it is', async () => {
  await api.db.updateTable('user_session').set({ reason: 'nobody_took_it' }).where('status', '=', 'rejected').execute()
  await api.db.transaction().execute(async (trx) => {
    await trx.updateTable('user_session').set({ status: 'queued' }).where('status', '=', 'rejected').execute()
    await countSessions(api.db)
  })
  await counted()
  expect(await totals()).toEqual([3, 1, 0, 1, 1])
  await api.db.updateTable('user_session').set({ status: 'rejected', reason: 'rejected' }).where('status', '=', 'queued').execute()
  await counted()
})

test('made anew they are the same, those of conversions beside them', async () => {
  const before = await totals()
  await api.db.updateTable('user_session').set({ status: 'converted' }).where('status', '=', 'accepted').execute()
  await countSessions(api.db)
  // what waits for conversions' facts stays where it is, and so does what waits for leads'
  expect(await rebuildFacts(api.db, api.clickhouse)).toBe(1)
  expect(await rebuildSessionFacts(api.db, api.clickhouse)).toBe(6)
  await counted()
  expect(await totals()).toEqual(before)
  expect((await figures({ metrics: ['conversions', 'leads', 'lead_cr'] })).summary.totals).toEqual({
    conversions: 1,
    leads: 3,
    lead_cr: 33.3333,
  })
})
