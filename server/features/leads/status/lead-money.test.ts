import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { leadAuthorityApi } from '#contract/leads/authority.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { workOffReconciliation } from '#server/features/money/reconciliation/reconciliation.jobs.ts'
import { runConversionImports } from '#server/features/traffic/conversion-import/conversion-import.jobs.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

// An API offer has no advertiser of its own: what became of its leads is decided, imported and reconciled like any other conversion.
const HOLD_DAYS = 14
const DAY = 86_400_000

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
let offer: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ clickhouse: true, at: '2026-10-15T10:00:00Z', env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db)
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { hold_days: HOLD_DAYS })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const say = (by: Caller, uuid: string, call_status: CallStatus, expected: CallStatus | null) =>
  by.call(leadAuthorityApi.callStatus, { params: { uuid }, body: { call_status, expected, reason: 'Their desk told us by telephone' } })

/** A lead that came to a deposit, and the conversion of it. */
async function deposit() {
  const { data: lead } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
  expect(await say(admin, lead.session_uuid, 'sale', null)).toMatchObject({ status: 200 })
  const found = await stored(lead.click_id)
  return { ...lead, uuid: found.uuid, number: String(found.id) }
}
const stored = (clickId: string) =>
  api.db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.id', 'c.uuid', 'c.status', 'c.reason', 'c.hold_until', 'c.revenue', 'c.payout', 'c.created_at'])
    .where('c.click_id', '=', clickId)
    .where('g.code', '=', 'ftd')
    .executeTakeFirstOrThrow()
const decide = (uuids: string[], status: 'approved' | 'declined', reason = '') =>
  admin.call(conversionApi.decide, { body: { uuids, status, reason } })
const sound = async () => expect(await findDifferences(api.db)).toEqual([])

test('staff decide about them, alone and beside others, and take it back', async () => {
  const lead = await deposit()
  expect(await stored(lead.click_id)).toMatchObject({ status: 'hold', payout: '200.0000', revenue: '300.0000' })
  const direct = await makeOffer(api.db)
  const click = makeClick(await makeClickKeys(api.db), { offerId: direct.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() })
  await storeClicks(api.clickhouse, [click])
  const csv = `click_id,status\n${click.id},pending`
  expect((await admin.call(conversionApi.import, { body: { csv } })).data).toMatchObject({ created: 1 })
  const other = await api.db.selectFrom('conversion').select('uuid').where('click_id', '=', click.id).executeTakeFirstOrThrow()

  const declined = await decide([lead.uuid, other.uuid], 'declined', 'Fraud')
  expect(declined).toMatchObject({ status: 200, data: { changed: 2, refused: [] } })
  expect(await stored(lead.click_id)).toMatchObject({ status: 'declined', reason: 'Fraud' })
  const { decisions } = declined.data
  expect((await admin.call(conversionApi.undo, { body: { decisions } })).data).toMatchObject({ changed: 2 })
  expect(await stored(lead.click_id)).toMatchObject({ status: 'hold' })
  // released before its days are over, as its screen says
  expect((await decide([lead.uuid], 'approved')).data).toMatchObject({ changed: 1 })
  expect(await stored(lead.click_id)).toMatchObject({ status: 'approved', hold_until: null })
  expect((await decide([lead.uuid], 'declined', 'Fraud')).data).toMatchObject({ changed: 1 })
  // what was none waits for its days again
  expect((await decide([lead.uuid], 'approved')).data).toMatchObject({ changed: 1 })
  const { status, hold_until, created_at } = await stored(lead.click_id)
  expect([status, hold_until?.getTime()]).toEqual(['hold', created_at.getTime() + HOLD_DAYS * DAY])
  await sound()
})

test('what staff say in the place of an advertiser is told and chained as theirs', async () => {
  const lead = await deposit()
  expect(await say(admin, lead.session_uuid, 'invalid_data', 'sale')).toMatchObject({ status: 200 })
  expect(await say(admin, lead.session_uuid, 'returned', 'invalid_data')).toMatchObject({ status: 200 })
  expect(await stored(lead.click_id)).toMatchObject({ status: 'declined', reason: 'by_staff' })
  const { data } = await admin.call(conversionApi.get, { params: { uuid: lead.uuid } })
  expect(data.history).toMatchObject([
    { origin: 'staff', to: 'hold' },
    { origin: 'staff', to: 'declined' },
  ])
  expect(data.history.every(({ actor }) => actor !== null)).toBe(true)
  const own = await affiliate.call(conversionApi.get, { params: { uuid: lead.uuid } })
  expect(own.data.history.map(({ origin, reason }) => [origin, reason])).toEqual([
    ['staff', ''],
    ['staff', 'by_staff'],
  ])
})

test('who answers for the affiliate alone books nothing against the advertiser', async () => {
  const manager = await api.as('manager')
  const id = manager.managerId
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: id })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  const { data: lead } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
  expect(await say(manager, lead.session_uuid, 'sale', null)).toMatchObject({ status: 403 })
  await api.db.updateTable('advertiser').set({ manager_id: id }).where('id', '=', advertiser.id).execute()
  expect(await say(manager, lead.session_uuid, 'sale', null)).toMatchObject({ status: 200 })
  await api.db.updateTable('advertiser').set({ manager_id: null }).where('id', '=', advertiser.id).execute()
})

test('a file changes them by their number, and makes none of a click alone', async () => {
  const lead = await deposit()
  const line = async (csv: string) => (await admin.call(conversionApi.import, { body: { csv } })).data
  expect(await line(`conversion_id,status,reason\n${lead.uuid},declined,Charged back`)).toMatchObject({ changed: 1, failed: [] })
  expect(await stored(lead.click_id)).toMatchObject({ status: 'declined', reason: 'Charged back' })
  expect(await line(`click_id,status\n${lead.click_id},approved`)).toMatchObject({ created: 0, failed: [{ line: 2 }] })

  const body = new TextEncoder().encode(`conversion_id,status\n${lead.number},approved`)
  const response = await fetch(`${api.url}${conversionImportApi.read.path}?name=report.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body,
  })
  const { data: read } = (await response.json()) as { data: { uuid: string; mapping: object } } // asked for a good file
  expect((await admin.call(conversionImportApi.start, { params: read, body: { mapping: read.mapping } })).status).toBe(200)
  while (await runConversionImports({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
  expect((await admin.call(conversionImportApi.rows, { params: read, body: { count: 10 } })).data.list).toMatchObject([
    { state: 'changed', reason: '' },
  ])
  const { status, hold_until, created_at } = await stored(lead.click_id)
  expect([status, hold_until?.getTime()]).toEqual(['hold', created_at.getTime() + HOLD_DAYS * DAY])
  await sound()
})

test('what an advertiser’s report approves waits for the days its offer holds', async () => {
  const lead = await deposit()
  await decide([lead.uuid], 'declined', 'Fraud')
  const { transaction_id } = await api.db
    .selectFrom('conversion')
    .select('transaction_id')
    .where('uuid', '=', lead.uuid)
    .executeTakeFirstOrThrow()
  const at = (await stored(lead.click_id)).created_at.toISOString().slice(0, 19).replace('T', ' ')
  const response = await fetch(`${api.url}${reconciliationApi.read.path}?name=october.csv&advertiser_uuid=${advertiser.uuid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body: `Order ID;Click;Conversion date;Status;Payout\r\n${transaction_id};${lead.click_id};${at};approved;300`,
  })
  const work = async () => {
    while (await workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
  }
  const read = ((await response.json()) as { data: Reconciliation }).data // asked for a good file
  await admin.call(reconciliationApi.match, {
    params: { uuid: read.uuid },
    body: { revision: read.revision, reading: read.reading, period: { from: '2026-10-01', to: '2026-10-31' } },
  })
  await work()
  let batch = (await admin.call(reconciliationApi.get, { params: { uuid: read.uuid } })).data
  const { list } = (await admin.call(reconciliationApi.rows, { body: { batch_uuid: read.uuid, agreeing: true, count: 100 } })).data
  const row = list.find(({ theirs }) => theirs?.click_id === lead.click_id)
  // a decline by staff is theirs to take back
  expect(row).toMatchObject({ proposal: 'ask' })
  await admin.call(reconciliationApi.choose, {
    params: { uuid: read.uuid },
    body: { revision: batch.revision, rows: [row?.row ?? 0], action: 'approve' },
  })
  batch = (await admin.call(reconciliationApi.get, { params: { uuid: read.uuid } })).data
  if (!batch.zone_confirmed)
    batch = (await admin.call(reconciliationApi.zone, { params: batch, body: { revision: batch.revision, offset: batch.offset } })).data
  const applied = await admin.call(reconciliationApi.apply, {
    params: { uuid: read.uuid },
    body: { revision: batch.revision, postbacks: false },
  })
  expect(applied.status).toBe(200)
  await work()
  const { status, hold_until, created_at } = await stored(lead.click_id)
  expect([status, hold_until?.getTime()]).toEqual(['hold', created_at.getTime() + HOLD_DAYS * DAY])
  await sound()
})
