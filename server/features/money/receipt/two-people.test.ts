import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { setBilling } from '#test/support/make/billing.ts'
import { makeAdvertiserIssued, makeDebtor, receiptOf } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const DAY = 86_400_000
let api: TestApi
let anna: Caller
let hanna: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  ;[anna, hanna] = await Promise.all([api.as('admin', { name: 'Anna' }), api.as('head', { name: 'Hanna' })])
  await setBilling(api.db, { four_eyes: true, four_eyes_limit: '1', receipt_limit: '100' })
})
afterAll(() => api.close())

const debtor = (amounts: readonly string[] = []) => makeDebtor(api.db, amounts, { at: api.clock.now() - DAY })
const book = (by: Caller, body: object) => by.call(receiptApi.book, { body: body as never })
const isProposed = async (by: Caller, acme: { uuid: string }, amount: string) => (await book(by, receiptOf(acme, amount))).data.proposed
const open = async () => (await hanna.call(proposalApi.list, { body: { kind: ['receipt'], state: ['open'] } })).data.list
const confirm = (by: Caller, uuid = '') => by.call(proposalApi.confirm, { params: { uuid } })
const refuse = async (uuid = '') => hanna.call(proposalApi.refuse, { params: { uuid }, body: { reason: 'No' } })

test('what one person says came in settles nothing above the limit until somebody else confirms it, and then at once', async () => {
  const acme = await debtor(['1000'])
  const issued = await makeAdvertiserIssued(anna, acme)
  const invoice = async () => (await anna.call(advertiserInvoiceApi.get, { params: { uuid: issued.uuid } })).data
  const terms = (await anna.call(advertiserBillingApi.terms, { params: { uuid: acme.uuid } })).data
  const { network: _network, ...stored } = terms
  await anna.call(advertiserBillingApi.updateTerms, {
    params: { uuid: acme.uuid },
    body: { ...stored, limits: [{ currency: 'USD', amount: '1' }] } as never,
  })
  const creditOf = async () => {
    const { list } = (await anna.call(advertiserBillingApi.list, { body: { advertiser_uuid: [acme.uuid] } as never })).data
    return list.find(({ advertiser }) => advertiser.uuid === acme.uuid)?.credit
  }
  const judged = (
    await anna.call(proposalApi.judge, { body: { kind: 'receipt', amount: '1500', currency: 'USD', advertiser_uuid: acme.uuid } })
  ).data
  expect(judged).toEqual({ proposed: true, who: ['Hanna'] })
  const body = receiptOf(acme, '1500', { key: randomUUID(), external_id: 'BANK-1' })
  const asked = await Promise.all([1, 2].map(() => book(anna, body)))
  expect(asked.map(({ data }) => data)).toEqual([1, 2].map(() => ({ proposed: true, receipt: null })))
  expect((await book(anna, { ...body, note: 'x' })).status).toBe(409)
  expect((await book(hanna, body)).status).toBe(409)
  // its number is taken while it waits
  expect((await book(hanna, { ...receiptOf(acme, '1'), external_id: 'BANK-1' })).fields).toHaveProperty('external_id')
  expect([(await invoice()).open, await creditOf()]).toEqual(['1500.0000', 'blocked'])
  const [one, ...more] = await open()
  expect(more).toEqual([])
  expect(one).toMatchObject({ whose: { uuid: acme.uuid }, side: 'advertiser', amount: '1500.0000', payment: { external_id: 'BANK-1' } })
  expect((await confirm(anna, one?.uuid)).errors).toEqual({ 1082: expect.stringContaining('Who may: Hanna.') })
  const both = await Promise.all([confirm(hanna, one?.uuid), confirm(hanna, one?.uuid)])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect([(await invoice()).status, await creditOf()]).toEqual(['paid', 'good'])
  // the call is answered by what became of it
  const again = (await book(anna, body)).data
  expect(again).toMatchObject({ proposed: false, receipt: { amount: '1500.0000', actor: 'Anna', external_id: 'BANK-1' } })
  expect(await findDifferences(api.db)).toEqual([])
})

test('small receipts add up within a day, by advertiser to the limit and over all to three times as much, also two at once', async () => {
  const acme = await debtor()
  const both = await Promise.all([isProposed(anna, acme, '60'), isProposed(anna, acme, '60')])
  expect(both.toSorted()).toEqual([false, true])
  expect(await isProposed(hanna, acme, '60')).toBe(false)
  await refuse((await open())[0]?.uuid)
  for (const amount of ['90', '90']) expect(await isProposed(anna, await debtor(), amount)).toBe(false)
  expect(await isProposed(anna, await debtor(), '60')).toBe(true)
  const [waits] = await open()
  // what two people booked is nobody's alone
  expect((await confirm(hanna, waits?.uuid)).status).toBe(200)
  expect(await isProposed(anna, await debtor(), '59.99')).toBe(false)
  api.clock.advance(DAY + 1000)
  ;[anna, hanna] = await Promise.all([api.as('admin', { name: 'Anna' }), api.as('head', { name: 'Hanna' })])
  expect((await book(anna, { ...receiptOf(acme, '60'), day: '2026-11-22' })).data.proposed).toBe(false)
  expect(await findDifferences(api.db)).toEqual([])
})

test('confirmed too late it is refused by name: its invoice is paid by then, or its number booked', async () => {
  const acme = await debtor(['100'])
  const { uuid } = await makeAdvertiserIssued(anna, acme)
  const body = receiptOf(acme, '150', { parts: [{ invoice_uuid: uuid, amount: '150' }] })
  expect((await book(anna, body)).data.proposed).toBe(true)
  const [one] = await open()
  expect((await book(hanna, receiptOf(acme, '40'))).data.proposed).toBe(false)
  const { number } = (await anna.call(advertiserInvoiceApi.get, { params: { uuid } })).data
  expect((await confirm(hanna, one?.uuid)).errors).toEqual({ 1153: expect.stringContaining(`${number} (110.00 USD). Refuse it`) })
  expect((await refuse(one?.uuid)).status).toBe(200)
  expect((await book(anna, body)).errors).toHaveProperty('1021')
  const more = receiptOf(acme, '151', { parts: [{ invoice_uuid: uuid, amount: '151' }] })
  expect((await book(anna, more)).fields).toEqual({ parts: 'This is more than is open' })
  expect(await findDifferences(api.db)).toEqual([])
})
