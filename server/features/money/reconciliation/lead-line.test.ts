import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { disputeApi } from '#contract/money/dispute.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { workOffReconciliation } from './reconciliation.jobs.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ clickhouse: true, at: '2026-10-15T10:00:00Z', env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

test('a line of a click of a lead says how the lead stands with them, and which it is; nothing is made of it', async () => {
  const [theirs, others] = [await makeAdvertiser(api.db), await makeAdvertiser(api.db)]
  const product = (of: { id: number }) => makeMockProduct(api.db, of.id, mock, api.clock.now())
  const both = await makeLeadOffer(api.db, admin, theirs.uuid, [
    { ...(await product(theirs)), terms: { geos: ['IT'] } },
    await product(others),
  ])
  const send = async (more: Record<string, unknown>) => (await affiliate.call(leadApi.send, { body: leadOf(both.uuid, more) })).data
  const sent = [
    await send({ first_name: 'Reject' }), // by both
    await send({ first_name: 'Broken' }), // nobody knows
    await send({ country: 'DE', phone: '+4915112345678' }), // by the others, who took it
    await send({ test: true }),
    await send({}), // taken, and booked
  ]
  expect(sent.map(({ status }) => status)).toEqual(['rejected', 'ambiguous', 'accepted', 'test', 'accepted'])
  const report = [
    'Click;Conversion date;Status;Payout',
    ...sent.map(({ click_id }) => `${click_id};2026-10-15 11:00:00;approved;15,00`),
    `${sent[0]?.click_id};2026-10-15 11:00:00;declined;15,00`,
  ].join('\r\n')
  const uploaded = await fetch(`${api.url}${reconciliationApi.read.path}?name=october.csv&advertiser_uuid=${theirs.uuid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body: report,
  })
  const { data: read } = (await uploaded.json()) as { data: Reconciliation } // as the contract says
  const body = { revision: read.revision, reading: read.reading, period: { from: '2026-10-01', to: '2026-10-31' } }
  expect((await admin.call(reconciliationApi.match, { params: { uuid: read.uuid }, body })).status).toBe(200)
  while (await workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
  const rows = (await admin.call(reconciliationApi.rows, { body: { batch_uuid: read.uuid, agreeing: true, count: 100 } })).data.list
  const [rejected, unclear, elsewhere, , booked] = sent
  expect(rows.map(({ cause, detail, proposal, action }) => [cause, detail, proposal, action])).toEqual([
    ['lead_not_taken', rejected?.lead_id, 'ask', 'none'],
    ['lead_open', unclear?.lead_id, 'ask', 'none'],
    ['lead_not_sent', elsewhere?.lead_id, 'ask', 'none'],
    ['test', '', 'ask', 'none'],
    ['amount', '', 'correct', 'correct'],
    ['duplicate_theirs', '2', 'ask', 'none'],
  ])
  expect(rows[4]?.ours?.click_id).toBe(booked?.click_id)
  // by its number it is found
  const found = await admin.call(userSessionApi.detail, { params: { uuid: rows[0]?.detail ?? '' } })
  expect(found.data.session).toMatchObject({ uuid: rejected?.session_uuid, status: 'rejected' })
  // whoever wants one made all the same finds that it cannot be
  const choice = {
    revision: (await admin.call(reconciliationApi.get, { params: read })).data.revision,
    rows: [1, 2, 3].map((at) => rows[at - 1]?.row ?? 0),
  }
  const chosen = await admin.call(reconciliationApi.choose, { params: read, body: { ...choice, action: 'create' } })
  expect(chosen.data).toMatchObject({ changed: 0, left: 3 })
  // what goes to the advertiser holds no number of ours
  const pack = await fetch(`${api.url}${disputeApi.pack.path.replace(':uuid', read.uuid)}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ cause: ['lead_not_taken', 'lead_open', 'lead_not_sent'] }),
  })
  const table = strFromU8(unzipSync(new Uint8Array(await pack.arrayBuffer()))['differences.csv'] ?? new Uint8Array())
  expect(table.match(/,lead_(not_taken|open|not_sent),,/g)).toHaveLength(3)
})
