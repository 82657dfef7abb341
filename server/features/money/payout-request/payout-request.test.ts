import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { billingRunApi } from '#contract/money/billing-run.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ownRequestApi, payoutRequestApi } from '#contract/money/payout-request.ts'
import { termsApi } from '#contract/money/terms.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { lockRequest } from './payout-request.queries.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(async () => {
  affiliate = await api.as('affiliate', { name: 'Iryna' })
})

const DAY = 86_400_000
const earn = (amounts: string[], currency = 'USD') =>
  makePayable(api.db, affiliate.affiliateId ?? 0, amounts, { at: api.clock.now() - DAY, currency })
const ask = (currency = 'USD') => affiliate.call(ownRequestApi.create, { body: { currency } })
const own = async () => (await affiliate.call(ownRequestApi.list)).data.list
const options = async () => (await affiliate.call(ownRequestApi.options)).data.list
const accept = (uuid: string) => admin.call(payoutRequestApi.accept, { params: { uuid } })

test('a request is of everything available, becomes an invoice when it is accepted, and is done once that is paid', async () => {
  await earn(['40', '25.5'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  expect(await options()).toEqual([{ currency: 'USD', available: '65.5000', minimum: '50.0000', problem: null, locked_until: null }])
  const { uuid } = (await ask()).data
  expect(await own()).toMatchObject([{ uuid, amount: '65.5000', state: 'open', invoice: null }])
  // what comes meanwhile is paid with it
  await earn(['10'])
  const [asked] = (await admin.call(payoutRequestApi.list, { body: { state: ['open'] } })).data.list
  expect(asked).toMatchObject({ uuid, amount: '65.5000', available: '75.5000', affiliate: { name: 'Iryna' } })

  const { invoice } = (await accept(uuid)).data
  const draft = (await admin.call(invoiceApi.get, { params: { uuid: invoice.uuid } })).data
  expect(draft).toMatchObject({ status: 'draft', net: '75.5000', payment_system: 'paypal', period_to: '2026-11-21', due_day: '2026-12-06' })
  expect(await own()).toMatchObject([{ state: 'accepted', invoice: null }])
  const at = (revision: number) => ({ params: { uuid: invoice.uuid }, body: { revision } })
  const waiting = (await admin.call(invoiceApi.send, at(draft.revision))).data
  expect(await own()).toMatchObject([{ state: 'accepted', invoice: { uuid: invoice.uuid, number: null } }])
  const issued = (await admin.call(invoiceApi.approve, at(waiting.revision))).data
  await admin.call(invoiceApi.pay, { params: { uuid: invoice.uuid }, body: paymentOf('75.5', issued.revision) })
  expect(await own()).toMatchObject([{ state: 'done', invoice: { number: issued.number } }])
  expect((await admin.call(payoutRequestApi.list, { body: { affiliate_uuid: [affiliate.uuid], state: ['done'] } })).data.list).toHaveLength(
    1,
  )
})

test('a run whose invoice is of what was asked for answers the request; one of less leaves it out, and the preview says both', async () => {
  await makePayable(api.db, affiliate.affiliateId ?? 0, ['60'], { at: api.clock.now() - 5 * DAY })
  await makeMethod(api, affiliate.affiliateId ?? 0)
  await earn(['20'])
  const { uuid } = (await ask()).data
  const of = (period_to: string) => ({ period_to, affiliate_uuids: [affiliate.uuid] })
  const preview = async (period_to: string) => (await admin.call(invoiceApi.preview, { body: of(period_to) })).data.list
  expect(await preview('2026-11-18')).toMatchObject([{ net: '60.0000', requested: '80.0000', left_out: 'requested' }])
  const short = await admin.call(invoiceApi.createFromAffiliates, { body: { key: crypto.randomUUID(), ...of('2026-11-18') } })
  expect(Object.keys(short.errors)).toEqual(['1086'])
  expect(await preview('2026-11-20')).toMatchObject([{ net: '80.0000', requested: '80.0000', left_out: null }])
  // made together with others, the answer counts it
  const other = await api.as('affiliate', { name: 'Asks for nothing' })
  await makeMethod(api, other.affiliateId ?? 0)
  await makePayable(api.db, other.affiliateId ?? 0, ['70'], { at: api.clock.now() - 5 * DAY })
  const both = { key: crypto.randomUUID(), period_to: '2026-11-18', affiliate_uuids: [affiliate.uuid, other.uuid] }
  for (const _again of [1, 2])
    expect((await admin.call(invoiceApi.createFromAffiliates, { body: both })).data).toMatchObject({ made: 1, nothing: 1, requested: 1 })
  const body = { key: crypto.randomUUID(), ...of('2026-11-20') }
  // twice at once, and it is answered once
  await Promise.all([1, 2].map(() => admin.call(invoiceApi.createFromAffiliates, { body })))
  const made = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [affiliate.uuid] } })).data.list
  expect(made).toMatchObject([{ net: '80.0000', status: 'draft' }])
  const invoice = made[0]?.uuid
  const [asked] = (await admin.call(payoutRequestApi.list, { body: { affiliate_uuid: [affiliate.uuid] } })).data.list
  expect(asked).toMatchObject({ uuid, state: 'accepted', invoice: { uuid: invoice }, decided_by: expect.any(String) })
  expect((await affiliate.call(notificationApi.list)).data.list).toMatchObject([
    { kind: 'request_decided', status: 'accepted', reason: '80.00 USD' },
  ])
  const log = await api.db
    .selectFrom('audit')
    .select('after')
    .where('entity', '=', 'payout_request')
    .where('action', '=', 'accepted')
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(log).toMatchObject([{ after: { state: 'accepted' } }])
})

test('drafts of chosen conversions answer it too where they are of all that was asked for, and not where they are of less', async () => {
  const rows = await earn(['60', '20'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  await ask()
  const make = (uuids: string[]) => admin.call(invoiceApi.createFromConversions, { body: { uuids } })
  expect((await make([rows[0]?.uuid ?? ''])).status).toBe(200)
  expect(await own()).toMatchObject([{ state: 'open' }])
  // what is left is all there is
  expect((await make([rows[1]?.uuid ?? ''])).status).toBe(200)
  expect(await own()).toMatchObject([{ state: 'accepted' }])
})

test('a run meets a request that staff decide at this moment without waiting for them, and says that it left it out', async () => {
  await earn(['90'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  const { uuid } = (await ask()).data
  const body = { key: crypto.randomUUID(), period_to: '2026-11-20', affiliate_uuids: [affiliate.uuid] }
  await api.db.transaction().execute(async (trx) => {
    await lockRequest(trx, uuid)
    expect((await admin.call(invoiceApi.createFromAffiliates, { body })).data).toMatchObject({ made: 0, nothing: 1, requested: 1 })
  })
  const [run] = (await admin.call(billingRunApi.list)).data.list
  const odd = (await admin.call(billingRunApi.failures, { params: { uuid: run?.uuid ?? '' } })).data.list
  expect(odd).toMatchObject([{ state: 'nothing', reason: 'requested' }])
  expect(await own()).toMatchObject([{ state: 'open' }])
})

test('below the minimum it is refused with both figures; own terms go before those of the payment system', async () => {
  await earn(['40'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  const refused = await ask()
  expect([refused.status, refused.errors]).toEqual([422, { 1088: '40.00 USD is below the minimum of 50.00 USD.' }])
  const { network } = (await admin.call(termsApi.get, { params: { uuid: affiliate.uuid } })).data
  const terms = { ...network, minimums: [{ currency: 'USD', amount: '40' }] }
  await admin.call(termsApi.update, { params: { uuid: affiliate.uuid }, body: { own: terms, version: 0 } })
  expect((await ask()).status).toBe(200)
  expect((await ask('EUR')).errors).toEqual({ 1088: '0.00 EUR is below the minimum of 50.00 EUR.' })
})

test('it takes a method that pays the currency and is not locked', async () => {
  await earn(['90'], 'GBP')
  await makeMethod(api, affiliate.affiliateId ?? 0, { locked_until: new Date(api.clock.now() + DAY) })
  expect((await ask('GBP')).fields).toHaveProperty('currency')
  await earn(['90'])
  expect((await ask()).errors).toHaveProperty('1089')
  expect((await options()).map(({ currency, problem }) => [currency, problem])).toEqual([
    ['GBP', 'no_method'],
    ['USD', 'method_locked'],
  ])
})

test('one is open per currency, also of two at once; withdrawn or declined, another can be asked', async () => {
  await earn(['90'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  const both = await Promise.all([ask(), ask()])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const [first] = await own()
  const withdraw = () => affiliate.call(ownRequestApi.withdraw, { params: { uuid: first?.uuid ?? '' } })
  expect([(await withdraw()).status, (await withdraw()).status]).toEqual([200, 200])
  expect((await accept(first?.uuid ?? '')).status).toBe(409)
  const { uuid } = (await ask()).data
  await admin.call(payoutRequestApi.decline, { params: { uuid }, body: { reason: 'Your traffic is being looked at' } })
  const again = async (reason: string) => (await admin.call(payoutRequestApi.decline, { params: { uuid }, body: { reason } })).status
  expect([await again('Your traffic is being looked at'), await again('Another reason')]).toEqual([200, 409])
  expect(await own()).toMatchObject([{ state: 'declined', reason: 'Your traffic is being looked at' }, { state: 'withdrawn' }])
  const told = async () => (await affiliate.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'request_decided')
  expect(await told()).toMatchObject([{ status: 'declined', reason: 'Your traffic is being looked at' }])
  expect((await ask()).status).toBe(200)
})

test('two who accept it make one invoice; one that is deleted opens it again, one that is declined says why', async () => {
  await earn(['90'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  const { uuid } = (await ask()).data
  const waiting = (await admin.call(inboxApi.list, { body: { kind: 'money', count: 10 } })).data.list
  expect(waiting).toContainEqual(
    expect.objectContaining({ id: uuid, reason: 'request', money: expect.objectContaining({ payout: '90.0000' }) }),
  )
  const both = await Promise.all([accept(uuid), accept(uuid)])
  const after = (await admin.call(inboxApi.list, { body: { kind: 'money', count: 10 } })).data.list
  expect(after.map(({ id }) => id)).not.toContain(uuid)
  const told = (await affiliate.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'request_decided')
  expect(told).toMatchObject([{ status: 'accepted', reason: '90.00 USD' }])
  const [id] = both.map(({ data }) => data.invoice.uuid)
  expect(both.map(({ data }) => data.invoice.uuid)).toEqual([id, id])
  const draft = (await admin.call(invoiceApi.get, { params: { uuid: id ?? '' } })).data
  await admin.call(invoiceApi.remove, { params: { uuid: draft.uuid }, body: { revision: draft.revision } })
  expect(await own()).toMatchObject([{ uuid, state: 'open', amount: '90.0000', reason: '', decided_at: null, invoice: null }])
  const statuses = async () =>
    (await affiliate.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'request_decided').map(({ status }) => status)
  expect((await statuses()).toSorted()).toEqual(['accepted', 'open'])
  const log = await api.db
    .selectFrom('audit')
    .select('after')
    .where('entity', '=', 'payout_request')
    .where('action', '=', 'reopen')
    .execute()
  expect(log).toMatchObject([{ after: { state: 'open' } }])
  // made by a run it is the same; meanwhile it asked for what came since, which is of both then
  const body = { key: crypto.randomUUID(), period_to: '2026-11-20', affiliate_uuids: [affiliate.uuid] }
  const [made] = (await admin.call(invoiceApi.createFromAffiliates, { body })).data.invoices
  expect(await own()).toMatchObject([{ state: 'accepted' }])
  await earn(['60'])
  await ask()
  await earn(['10'])
  await admin.call(invoiceApi.remove, { params: { uuid: made?.uuid ?? '' }, body: { revision: 2 } })
  const [later, first] = await own()
  expect([later, first]).toMatchObject([
    { state: 'open', amount: '160.0000' },
    { uuid, state: 'joined' },
  ])
  const { invoice } = (await accept(later?.uuid ?? '')).data
  const sent = (await admin.call(invoiceApi.send, { params: { uuid: invoice.uuid }, body: { revision: 2 } })).data
  const reason = 'Your traffic is being looked at'
  await admin.call(invoiceApi.decline, { params: { uuid: invoice.uuid }, body: { revision: sent.revision, reason } })
  const declined = (await admin.call(invoiceApi.get, { params: { uuid: invoice.uuid } })).data
  await admin.call(invoiceApi.remove, { params: { uuid: invoice.uuid }, body: { revision: declined.revision } })
  expect(await own()).toMatchObject([{ state: 'declined', reason }, { state: 'joined' }])
})

test('nobody reaches a stranger’s request', async () => {
  await earn(['90'])
  await makeMethod(api, affiliate.affiliateId ?? 0)
  const { uuid } = (await ask()).data
  const other = await api.as('affiliate')
  expect((await other.call(ownRequestApi.withdraw, { params: { uuid } })).status).toBe(404)
  expect((await other.call(ownRequestApi.list)).data.list).toEqual([])
})
