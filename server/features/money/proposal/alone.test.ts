import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { setBilling } from '#test/support/make/billing.ts'
import { makeIssued, makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { bookReceipt, makeDebtor, receiptOf } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const DAY = 86_400_000
let api: TestApi
let anna: Caller
let hanna: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  await api.db.insertInto('currency_rate').values({ base: 'USD', currency: 'EUR', day: '2026-11-18', rate: '1.25' }).execute()
  ;[anna, hanna] = await Promise.all([api.as('admin', { name: 'Anna' }), api.as('head', { name: 'Hanna' })])
})
afterAll(() => api.close())

const limit = (four_eyes: boolean) => setBilling(api.db, { four_eyes, four_eyes_limit: '150' })
/** An approved invoice of somebody new. */
async function issued(amount = '100'): Promise<InvoiceDetail> {
  await limit(false)
  const { affiliateId } = await api.as('affiliate', { name: 'Iryna' })
  const made = await makeIssued(anna, await makePayable(api.db, affiliateId ?? 0, [amount], { at: api.clock.now() - DAY }))
  await limit(true)
  return made
}
const euros = { moved: { currency: 'EUR', amount: '120.00', sure: true } }
const pay = (by: Caller, { uuid, revision }: { uuid: string; revision: number }, amount: string, more: object = {}) =>
  by.call(invoiceApi.pay, { params: { uuid }, body: { ...paymentOf(amount, revision), ...more } })
const state = ({ data }: { data: InvoiceDetail }) => (data.payments.length > 0 ? 'booked' : 'proposed')
const open = async () => (await anna.call(proposalApi.list, { body: { state: ['open'] } })).data.list
const refuse = (uuid: string) => hanna.call(proposalApi.refuse, { params: { uuid }, body: { reason: 'No' } })

test('what one person lets go alone within a day counts together: beyond the rate, as a large fee, in advance, to whomever', async () => {
  const four = [await issued(), await issued(), await issued('100'), await issued('10'), await issued()] as const
  // 1.00 USD is 0.80 EUR: 149 USD beyond, of which one alone passes, also of two at once
  const both = await Promise.all([pay(anna, four[0], '1', euros), pay(anna, four[1], '1', euros)])
  expect(both.map(state).toSorted()).toEqual(['booked', 'proposed'])
  expect(state(await pay(anna, four[2], '100', { fee: '11', fee_sure: true }))).toBe('proposed')
  expect(state(await pay(anna, four[3], '11', { in_advance: true }))).toBe('proposed')
  // what is none of that is paid as ever, and so is what somebody else gives
  expect(state(await pay(anna, four[4], '99'))).toBe('booked')
  expect(state(await pay(hanna, await issued(), '1', euros))).toBe('booked')
  // what two people gave counts for neither
  const [mine] = (await open()).filter(({ amount }) => amount === '1.0000')
  expect((await hanna.call(proposalApi.confirm, { params: { uuid: mine?.uuid ?? '' } })).status).toBe(200)
  api.clock.advance(DAY + 1000)
  ;[anna, hanna] = await Promise.all([api.as('admin', { name: 'Anna' }), api.as('head', { name: 'Hanna' })])
  expect(await findDifferences(api.db)).toEqual([])
})

test('a large fee that is said later counts with what its booker gave alone', async () => {
  const [first, second] = [await issued(), await issued('40')]
  expect(state(await pay(anna, first, '1', euros))).toBe('booked')
  const { uuid, revision } = (await pay(anna, second, '40', { settled: false })).data
  const settle = (by: Caller) => by.call(invoiceApi.settle, { params: { uuid }, body: { revision, fee: '5', fee_sure: true } })
  expect((await settle(anna)).fields).toHaveProperty('fee')
  expect((await settle(hanna)).data.status).toBe('paid')
  expect(await findDifferences(api.db)).toEqual([])
})

test('receipts paid back beyond the rate, or by who booked them, count together within a day', async () => {
  const received = async (by: Caller) => {
    const acme = await makeDebtor(api.db, [], { at: api.clock.now() - DAY })
    return (await bookReceipt(by, { ...receiptOf(acme, '1.00'), moved: { currency: 'EUR', amount: '0.80' } } as never)).data
  }
  const back = (by: Caller, { uuid, revision }: { uuid: string; revision: number }, more: object = euros) =>
    by.call(receiptApi.payBack, { params: { uuid }, body: { revision, amount: '1.00', moved: euros.moved, ...more } })
  const all = await Promise.all([received(anna), received(anna), received(hanna), received(hanna)])
  const both = await Promise.all([back(hanna, all[0]), back(hanna, all[1])])
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)[0]).toBe(200)
  const [refused] = both.filter(({ status }) => status !== 200)
  expect(refused?.errors).toEqual({ 1082: expect.stringContaining('Who may: ') })
  // her own, at the rate of the day: 1.00 with the 149.00 of before
  expect((await back(hanna, all[2], { moved: { currency: 'EUR', amount: '0.80' } })).errors).toHaveProperty('1082')
  expect((await back(anna, all[2])).status).toBe(200)
  expect(await findDifferences(api.db)).toEqual([])
})

test('the key of a proposed payment names one call of one person, and nothing once that was refused', async () => {
  const made = await issued('10')
  const body = { ...paymentOf('200', made.revision, { in_advance: true }), note: 'as agreed' }
  const call = (by: Caller, more: object = {}) => by.call(invoiceApi.pay, { params: { uuid: made.uuid }, body: { ...body, ...more } })
  expect(state(await call(anna))).toBe('proposed')
  expect((await call(anna)).status).toBe(200)
  const others = [{ day: '2026-11-20' }, { source_id: 2 }, { external_id: 'T-9' }, { note: '' }, { settled: false }, { amount: '201' }]
  for (const more of others) expect((await call(anna, more)).status).toBe(409)
  expect((await call(hanna)).status).toBe(409)
  const [one] = await open()
  expect((await refuse(one?.uuid ?? '')).status).toBe(200)
  expect((await call(anna)).errors).toHaveProperty('1021')
  expect((await call(anna, { revision: made.revision + 1 })).errors).toHaveProperty('1021')
  expect((await call(hanna)).status).toBe(409)
  // confirmed it is the booked one, of who proposed it
  const again = { ...body, ...paymentOf('200', made.revision + 1, { in_advance: true }) }
  const renewed = (by: Caller, more: object = {}) => by.call(invoiceApi.pay, { params: { uuid: made.uuid }, body: { ...again, ...more } })
  await renewed(anna)
  const [next] = await open()
  expect((await hanna.call(proposalApi.confirm, { params: { uuid: next?.uuid ?? '' } })).status).toBe(200)
  expect(state(await renewed(anna))).toBe('booked')
  expect([(await renewed(hanna)).status, (await renewed(anna, { note: 'x' })).status]).toEqual([409, 409])
})
