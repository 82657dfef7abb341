import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offerApi } from '#contract/offers/offer.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { receivePostback } from './receive.service.ts'

const HOUR = 3_600_000

let api: TestApi
let admin: Caller
let affiliate: Caller
let keys: ClickIdKeys
let offer: Awaited<ReturnType<typeof makeOffer>>
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
  keys = await makeClickKeys(api.db)
  offer = await makeOffer(api.db)
})
afterAll(() => api.close())

async function clickOf(flags: number) {
  const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() - HOUR })
  await storeClicks(api.clickhouse, [click], { flags })
  return click.id
}
const tryCall = (body: { click_id: string; [name: string]: string }, caller = admin) => caller.call(postbackApi.testCall, { body })
const conversions = () => api.db.selectFrom('conversion').selectAll().orderBy('id').execute()
const transfers = async () => (await api.db.selectFrom('ledger_transfer').select('id').execute()).length
const log = (clickId: string) =>
  api.db
    .selectFrom('postback_in')
    .select(['outcome', 'reason', 'http_status', 'answer'])
    .where('click_id', '=', clickId)
    .orderBy('id')
    .execute()

describe('a test call', () => {
  test("is read as its advertiser's, answered, kept as a test and booked nowhere", async () => {
    const trial = await clickOf(CLICK_FLAG.test)
    const { status, data } = await tryCall({
      click_id: trial.toUpperCase(),
      goal: 'sale',
      status: 'approved',
      amount: '12.5',
      txn_id: 'T-1',
    })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      sent: `/postback?click_id=${trial}&goal=sale&status=approved&amount=12.5&txn_id=T-1`,
      http_status: 200,
      reason: '',
      understood: { goal: { code: 'sale', title: 'Sale' }, status: 'approved', amount: '12.5', currency: 'USD' },
    })
    expect(JSON.parse(data.answer)).toEqual({ status: 'success', outcome: 'test' })
    expect(await log(trial)).toMatchObject([{ outcome: 'test', reason: '', http_status: 200 }])
    expect(await conversions()).toEqual([])
    const { after } = await api.db.selectFrom('audit').select('after').where('action', '=', 'test_call').executeTakeFirstOrThrow()
    expect(after).toMatchObject({ click_id: trial, txn_id: 'T-1' })
  })

  test('that nobody would understand says why, and leaves nothing to be replayed', async () => {
    const trial = await clickOf(CLICK_FLAG.test)
    const { data } = await tryCall({ click_id: trial, status: 'flourished' })
    expect(data).toMatchObject({ http_status: 422, reason: 'status_unknown', understood: null })
    expect(data.detail).toContain('flourished')
    expect((await tryCall({ click_id: trial, goal: 'no-such' })).data).toMatchObject({ http_status: 422, reason: 'goal_unknown' })
    expect(await log(trial)).toMatchObject([
      { outcome: 'test', reason: 'status_unknown', http_status: 422 },
      { outcome: 'test', reason: 'goal_unknown', http_status: 422 },
    ])
    const { data: refused } = await admin.call(postbackApi.list, { body: { outcome: ['refused'], search: trial } })
    expect(refused.list).toEqual([])
  })

  test('that names the transaction of a real conversion leaves it as it is', async () => {
    const real = await clickOf(0)
    const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
    await receivePostback(parts, handOver({ click_id: real, txn_id: 'PAID', status: 'approved', token: offer.token }))
    const [before, booked] = [await conversions(), await transfers()]
    expect(before).toMatchObject([{ transaction_id: 'PAID', status: 'approved' }])
    const trial = await clickOf(CLICK_FLAG.test)
    expect((await tryCall({ click_id: trial, txn_id: 'PAID', status: 'declined' })).data.understood).toMatchObject({ status: 'declined' })
    expect([await conversions(), await transfers()]).toEqual([before, booked])
  })

  test('takes the id of a stored test click and nothing else', async () => {
    const real = await clickOf(0)
    const unstored = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() })
    for (const click_id of [real, unstored.id, 'nonsense', '']) {
      const answer = await tryCall({ click_id, status: 'approved' })
      expect([click_id, answer.status, Object.keys(answer.fields)]).toEqual([click_id, 422, ['click_id']])
    }
    expect(await log(unstored.id)).toEqual([])
  })

  test('is for those who have the settings', async () => {
    const trial = await clickOf(CLICK_FLAG.test)
    expect((await tryCall({ click_id: trial, status: 'approved' }, await api.as('head'))).status).toBe(200)
    for (const role of ['manager', 'team lead', 'affiliate'] as const)
      expect((await tryCall({ click_id: trial, status: 'approved' }, await api.as(role))).status).toBe(403)
  })
})

test('a test link carries what an affiliate could put into it, and no landing of another offer', async () => {
  const make = (body: object) =>
    admin.call(offerApi.testLink, { params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate.uuid, ...body } })
  const url = new URL((await make({ sub1: 'a b&c', source: 'x', click_id: 'mine' })).data.url)
  expect(Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'test'))).toEqual({
    offer_id: String(offer.id),
    pid: String(affiliate.affiliateId),
    sub1: 'a b&c',
    source: 'x',
    click_id: 'mine',
  })
  expect(url.searchParams.get('test')).toMatch(/^\w+\.\w{32}$/)
  expect(await make({ landing: '999' })).toMatchObject({ status: 422, fields: { landing: expect.any(String) } })
})
