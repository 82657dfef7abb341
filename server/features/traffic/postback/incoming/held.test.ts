import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { billingApi, billingSetting } from '#contract/money/billing.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { makeIssued, paymentOf } from '#test/support/make/invoices.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openReceiveParts } from './receive.service.ts'
import { receivePostbacks } from './receive-batch.service.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('postback_in').execute()
  await asks(true)
})

async function asks(ask_first: boolean) {
  const { changed: _none, ...rules } = (await admin.call(billingApi.rules, {})).data
  expect((await admin.call(billingApi.updateRules, { body: { ...rules, ask_first } })).status).toBe(200)
}

/** A conversion its affiliate was paid for, and how its advertiser calls about it. */
async function paid() {
  const keys = await makeClickKeys(api.db)
  const offer = await makeOffer(api.db, { payout: '0', revenue: '0', payoutPercent: '50', revenuePercent: '100' })
  const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() - 3_600_000 })
  await storeClicks(api.clickhouse, [click])
  const parts = openReceiveParts({ db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock })
  const say = async (query: Record<string, string>) => {
    const received_at = new Date(api.clock.now()).toISOString()
    const [answer] = await receivePostbacks(parts, [handOver({ click_id: click.id, token: offer.token, ...query }, { received_at })])
    return answer
  }
  await say({ status: 'approved', amount: '100' })
  const { uuid } = await api.db.selectFrom('conversion').select('uuid').where('click_id', '=', click.id).executeTakeFirstOrThrow()
  // what was taken back of earlier ones is owed
  const issued = await makeIssued(admin, [{ uuid }], { leave_debt: true })
  const payment = paymentOf(issued.open, issued.revision, { leave_debt: true })
  const { data } = await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: payment })
  expect(data.status).toBe('paid')
  const read = () =>
    api.db.selectFrom('conversion').select(['status', 'payout', 'payment_state']).where('uuid', '=', uuid).executeTakeFirstOrThrow()
  return { uuid, click, say, read }
}
const UNCHANGED = { status: 'approved', payout: '50.0000', payment_state: 'paid' }
const waiting = async () => (await admin.call(inboxApi.list, { body: { kind: 'postbacks', count: 10 } })).data
const apply = (id: string) => admin.call(postbackApi.replay, { body: { direction: 'in', ids: [id] } })
const refuse = (id: string, dismissed = true) => admin.call(inboxApi.dismiss, { body: { postbacks: [id], dismissed } })

describe('what an advertiser says of a paid conversion', () => {
  test('is booked as a correction where the network does not ask first, as it does from the start', async () => {
    expect(billingSetting.defaults.ask_first).toBe(false)
    await asks(false)
    const one = await paid()
    expect(await one.say({ status: 'declined' })).toMatchObject({ status: 200, body: { outcome: 'changed' } })
    expect(await one.read()).toEqual({ status: 'declined', payout: '50.0000', payment_state: 'paid' })
    expect((await waiting()).rows).toBe(0)
    expect(await findDifferences(api.db)).toEqual([])
  })

  test('is taken and changes nothing where it asks; staff see it once with its figures, and apply it once, however many click', async () => {
    const one = await paid()
    const held = { status: 200, body: { status: 'success', outcome: 'held_for_review', conversion_status: 'approved' } }
    expect(await one.say({ status: 'declined' })).toMatchObject(held)
    expect(await one.say({ status: 'declined' })).toMatchObject(held)
    expect(await one.read()).toEqual(UNCHANGED)
    const { rows, list } = await waiting()
    expect(rows).toBe(1)
    expect(list).toMatchObject([
      {
        reason: 'held_for_review',
        text: 'approved → declined',
        conversion: { uuid: one.uuid },
        money: { payout: '50.0000', revenue: '100.0000', currency: 'USD' },
      },
    ])
    const id = list[0]?.id ?? ''
    const done = await Promise.all([apply(id), apply(id), apply(id)])
    expect(done.reduce((sum, { data }) => sum + data.replayed, 0)).toBe(1)
    expect(await one.read()).toMatchObject({ status: 'declined', payment_state: 'paid' })
    expect((await waiting()).rows).toBe(0)
    expect((await refuse(id)).data.changed).toBe(0)
    expect(await findDifferences(api.db)).toEqual([])
  })

  test('stays as it is once refused, also when it is said again; either is done where two disagree, never both', async () => {
    const one = await paid()
    await one.say({ amount: '80' })
    const [{ id, text } = { id: '', text: '' }] = (await waiting()).list
    expect(text).toBe('100 → 80 USD')
    expect((await refuse(id)).data.changed).toBe(1)
    expect((await apply(id)).data.replayed).toBe(0)
    await one.say({ amount: '80' })
    expect((await waiting()).rows).toBe(0)
    expect(await one.read()).toEqual(UNCHANGED)
    expect((await refuse(id, false)).data.changed).toBe(1)
    const [applied, refused] = await Promise.all([apply(id), refuse(id)])
    expect(applied.data.replayed + refused.data.changed).toBe(1)
    expect((await one.read()).payout).toBe(applied.data.replayed === 1 ? '40.0000' : '50.0000')
    expect(await findDifferences(api.db)).toEqual([])
  })

  test('waits alike where a file brings it; what staff decide themselves asks nothing, nor does what is not paid', async () => {
    const one = await paid()
    const csv = `conversion_id,status\n${one.uuid},declined\n`
    const imported = await admin.call(conversionApi.import, { body: { csv } })
    expect(imported.data).toEqual({ created: 0, changed: 0, unchanged: 0, held: 1, failed: [] })
    expect((await admin.call(conversionApi.import, { body: { csv } })).data).toMatchObject({ held: 1 })
    expect(await one.read()).toEqual(UNCHANGED)
    const { rows, list } = await waiting()
    expect(rows).toBe(1)
    expect((await apply(list[0]?.id ?? '')).data).toMatchObject({ replayed: 1 })
    expect((await one.read()).status).toBe('declined')

    const other = await paid()
    const decide = { uuids: [other.uuid], status: 'declined' as const, reason: 'Ours' }
    expect((await admin.call(conversionApi.decide, { body: decide })).data.changed).toBe(1)
    expect((await waiting()).rows).toBe(0)
  })
})
