import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { receivableSettingApi } from '#contract/money/advertiser-billing.ts'
import { exchangeApi } from '#contract/money/currency-rate.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { paymentSourceApi, payoutApi } from '#contract/money/payout.ts'
import { receiptApi, type Receipt } from '#contract/money/receipt.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { makeIssued, makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { bookReceipt, makeAdvertiserIssued, makeDebtor, receiptOf } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
let zloty: number

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
  const body = { name: 'Konto', kind: 'bank' as const, holder: 'Ohma', iban: '', bic: '', currency: 'PLN', active: true }
  zloty = (await admin.call(paymentSourceApi.create, { body })).data.id
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('currency_rate').execute()
  await rate('PLN', '2026-11-18', '0.25')
})

const rate = (currency: string, day: string, value: string) =>
  api.db.insertInto('currency_rate').values({ base: 'USD', currency, day, rate: value }).execute()
const sound = async () => expect(await findDifferences(api.db)).toEqual([])
const DAY = 86_400_000
const debtor = async (amounts = ['20']) => {
  const acme = await makeDebtor(api.db, amounts, { at: api.clock.now() - DAY })
  return { acme, invoice: await makeAdvertiserIssued(admin, acme) }
}
const makePayableAgain = async (acme: Awaited<ReturnType<typeof makeDebtor>>, amount: string) => {
  await makePayable(api.db, acme.conversions[0]?.affiliate_id ?? 0, [amount], { at: api.clock.now() - DAY, advertiserId: acme.id })
  return acme
}
const book = (acme: { uuid: string }, amount: string, more: object = {}) => bookReceipt(admin, { ...receiptOf(acme, amount), ...more })
const inZloty = (amount: string) => ({ source_id: zloty, moved: { currency: 'PLN', amount } })
/** What stands on the accounts of an exchange and of the bank, now less `before`. */
async function holds(before: Record<string, string> = {}) {
  const rows = await api.db
    .selectFrom('ledger_account')
    .select(['kind', 'owner_id', 'currency', 'balance'])
    .where('kind', 'in', ['cash', 'fx_position', 'fx_result', 'bank_fee'])
    .execute()
  const sums = rows.map((row) => {
    const name = `${row.kind} ${row.owner_id === 0 ? '' : row.owner_id === zloty ? 'konto ' : 'main '}${row.currency}`.replace('  ', ' ')
    return [name, fromUnits(toUnits(row.balance) - toUnits(before[name] ?? '0'))] as const
  })
  return Object.fromEntries(sums.filter(([, sum]) => toUnits(sum) !== 0n))
}

test('a receipt in another currency books what the bank’s rate cost, at the rate in force on its day', async () => {
  const { acme, invoice } = await debtor()
  const before = await holds()
  expect((await admin.call(exchangeApi.quote, { body: { amount: '30', currency: 'USD', to: 'PLN', day: '2026-11-21' } })).data).toEqual({
    expected: '120.0000',
    missing: null,
  })
  const { data: made } = await book(acme, '30', inZloty('118.5'))
  expect(made).toMatchObject({ amount: '30.0000', moved: { currency: 'PLN', amount: '118.5000', expected: '120.0000' } })
  expect((await admin.call(advertiserInvoiceApi.get, { params: { uuid: invoice.uuid } })).data.status).toBe('paid')
  expect(await holds(before)).toEqual({
    'cash konto PLN': '118.5000',
    'fx_position PLN': '-120.0000',
    'fx_position USD': '30.0000',
    'fx_result PLN': '1.5000',
  })
  await sound()
  // another rate changes nothing that is booked, and the bank takes back what it brought
  await api.db.updateTable('currency_rate').set({ rate: '0.5' }).execute()
  const bounced = await admin.call(receiptApi.bounce, {
    params: { uuid: made.uuid },
    body: { revision: made.revision, reason: 'Recalled' },
  })
  expect(bounced.data.state).toBe('bounced')
  expect(await holds(before)).toEqual({})
  await sound()
})

test('what was paid in advance goes back at the rate of that day', async () => {
  const { acme } = await debtor()
  const before = await holds()
  const { data: made } = await book(acme, '40', inZloty('160'))
  expect(made.in_advance).toBe('10.0000')
  await rate('PLN', '2026-11-21', '0.2')
  const back = (more: object) =>
    admin.call(receiptApi.payBack, { params: { uuid: made.uuid }, body: { revision: made.revision, amount: '10', ...more } })
  expect((await back({})).fields).toHaveProperty('moved')
  expect((await back({ moved: { currency: 'EUR', amount: '9' } })).fields).toHaveProperty('moved')
  expect((await back({ moved: { currency: 'PLN', amount: '51' } })).data.paid_back).toBe('10.0000')
  expect(await holds(before)).toEqual({
    'cash konto PLN': '109.0000',
    'fx_position PLN': '-110.0000',
    'fx_position USD': '30.0000',
    'fx_result PLN': '1.0000',
  })
  await sound()
})

test('an exchange is never guessed: another currency than the account holds, and a day without a rate, are refused by name', async () => {
  const { acme } = await debtor()
  expect((await book(acme, '30', { source_id: zloty })).fields).toEqual({
    moved: 'This account holds another currency: say what moved on it',
  })
  expect((await book(acme, '30', { source_id: zloty, moved: { currency: 'EUR', amount: '27' } })).fields).toHaveProperty('moved')
  expect((await book(acme, '30', { moved: { currency: 'USD', amount: '30' } })).fields).toHaveProperty('moved')
  for (const amount of ['0', '1.001']) expect((await book(acme, '30', inZloty(amount))).fields).toHaveProperty('moved')
  const late = await book(acme, '30', { ...inZloty('120'), day: '2026-11-17' })
  expect(late).toMatchObject({
    status: 422,
    errors: { 1130: 'There is no rate for PLN on 2026-11-17. Add it in settings.' },
    fields: { moved: 'There is no rate for PLN on 2026-11-17' },
  })
  expect((await book(acme, '30', { ...inZloty('120'), day: '2026-11-21' })).status).toBe(200)
  await sound()
})

test('a receipt short within the tolerance pays the invoice, the missing part is the bank’s fee', async () => {
  const { acme, invoice } = await debtor(['1000'])
  const rules = async (short_percent: number) => {
    const { changed: _changed, ...read } = (await admin.call(receivableSettingApi.rules)).data
    expect((await admin.call(receivableSettingApi.updateRules, { body: { ...read, short_percent } })).status).toBe(200)
  }
  await rules(2)
  const before = await holds()
  const propose = async (amount: string) =>
    (await admin.call(receiptApi.propose, { body: { advertiser_uuid: acme.uuid, currency: 'USD', amount } })).data.short
  expect([await propose('1500'), await propose('1469.99'), await propose('1470')]).toEqual([null, null, '30.0000'])
  expect((await book(acme, '1469.99', { short: true })).fields).toHaveProperty('short')
  await rules(0)
  expect((await book(acme, '1470', { short: true })).fields).toHaveProperty('short')
  await rules(2)
  const key = randomUUID()
  const answers = await Promise.all([1, 2].map(() => book(acme, '1470', { short: true, key })))
  expect(new Set(answers.map(({ data }) => data.uuid)).size).toBe(1)
  const made = answers[0]!.data // both are the same
  expect(made).toMatchObject({ amount: '1500.0000', short: '30.0000', in_advance: '0.0000', parts: [{ amount: '1500.0000' }] })
  expect((await admin.call(advertiserInvoiceApi.get, { params: { uuid: invoice.uuid } })).data).toMatchObject({
    status: 'paid',
    open: '0.0000',
  })
  expect(await holds(before)).toEqual({ 'cash main USD': '1470.0000', 'bank_fee main USD': '30.0000' })
  await sound()
  await admin.call(receiptApi.bounce, { params: { uuid: made.uuid }, body: { revision: made.revision, reason: 'Recalled' } })
  expect(await holds(before)).toEqual({})
  await sound()
  // short and in another currency at once
  const both = await book(acme, '1480', { ...inZloty('5920'), short: true })
  expect(both.data).toMatchObject({ amount: '1500.0000', short: '20.0000', moved: { expected: '5920.0000' } })
  expect(await holds(before)).toEqual({
    'cash konto PLN': '5920.0000',
    'fx_position PLN': '-5920.0000',
    'fx_position USD': '1480.0000',
    'bank_fee konto USD': '20.0000',
  })
  await sound()
})

test('what never arrived of a receipt is not free: given to other invoices or credited, it is no fee any more', async () => {
  const { changed: _changed, ...rules } = (await admin.call(receivableSettingApi.rules)).data
  await admin.call(receivableSettingApi.updateRules, { body: { ...rules, short_percent: 2 } })
  const before = await holds()
  const { acme, invoice } = await debtor(['1000'])
  const allot = (one: Receipt, parts: { invoice_uuid: string; amount: string }[]) =>
    admin.call(receiptApi.allot, { params: { uuid: one.uuid }, body: { revision: one.revision, parts } })
  const back = (one: Receipt, amount: string) =>
    admin.call(receiptApi.payBack, { params: { uuid: one.uuid }, body: { revision: one.revision, amount } })
  const short = async () => (await book(acme, '1470', { short: true })).data
  const made = await short()
  const same = (await allot(made, [{ invoice_uuid: invoice.uuid, amount: '1500' }])).data
  expect(same).toMatchObject({ amount: '1500.0000', short: '30.0000', in_advance: '0.0000' })
  expect((await allot(same, [{ invoice_uuid: invoice.uuid, amount: '1499' }])).fields).toHaveProperty('parts')
  const free = (await allot(same, [])).data
  expect(free).toMatchObject({ amount: '1470.0000', short: '0.0000', in_advance: '1470.0000' })
  expect((await admin.call(advertiserInvoiceApi.get, { params: { uuid: invoice.uuid } })).data).toMatchObject({ open: '1500.0000' })
  expect(await holds(before)).toEqual({ 'cash main USD': '1470.0000' })
  await sound()
  expect((await back(free, '1500')).fields).toHaveProperty('amount')
  expect((await back(free, '1470')).data).toMatchObject({ in_advance: '0.0000' })
  expect(await holds(before)).toEqual({})
  await sound()
  // credited as a whole: what arrived is paid in advance, no more; the fee of another invoice stays
  const other = await makeAdvertiserIssued(admin, await makePayableAgain(acme, '100'))
  const both = (await book(acme, '1647', { short: true })).data
  expect(both).toMatchObject({ amount: '1650.0000', short: '3.0000' })
  const credit = async ({ uuid }: { uuid: string }) => {
    const { revision } = (await admin.call(advertiserInvoiceApi.get, { params: { uuid } })).data
    await admin.call(advertiserInvoiceApi.credit, { params: { uuid }, body: { revision, kind: 'whole', reason: 'As agreed' } })
    return (await admin.call(receiptApi.list, { body: { advertiser_uuid: [acme.uuid] } })).data.list.find((one) => one.uuid === both.uuid)
  }
  expect(await credit(invoice)).toMatchObject({ amount: '1650.0000', short: '3.0000', in_advance: '1500.0000' })
  const last = await credit(other)
  expect(last).toMatchObject({ amount: '1647.0000', short: '0.0000', in_advance: '1647.0000' })
  expect(await holds(before)).toEqual({ 'cash main USD': '1647.0000' })
  await sound()
})

test('nothing is a fee where more arrived than its invoices get', async () => {
  const { changed: _changed, ...rules } = (await admin.call(receivableSettingApi.rules)).data
  await admin.call(receivableSettingApi.updateRules, { body: { ...rules, short_percent: 2 } })
  const { acme, invoice } = await debtor(['1000'])
  const parts = [{ invoice_uuid: invoice.uuid, amount: '1470' }]
  expect((await book(acme, '2000', { parts, short: true })).fields).toHaveProperty('short')
  expect((await book(acme, '1470', { parts, short: true })).data).toMatchObject({ short: '30.0000' })
  await sound()
})

test('an affiliate is paid from an account in another currency, once it has arrived', async () => {
  const affiliate = await api.as('affiliate')
  const issued = await makeIssued(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, ['50'], { at: api.clock.now() - DAY }))
  await makeMethod(api, affiliate.affiliateId ?? 0)
  const before = await holds()
  const body = { ...paymentOf('50', issued.revision, { settled: false }), ...inZloty('203') }
  expect((await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: { ...body, moved: null } })).fields).toHaveProperty(
    'moved',
  )
  const sent = (await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body })).data
  expect(sent.payments).toMatchObject([{ amount: '50.0000', moved: { currency: 'PLN', amount: '203.0000', expected: '200.0000' } }])
  expect(await holds(before)).toEqual({})
  await sound()
  const settled = await admin.call(invoiceApi.settle, { params: { uuid: issued.uuid }, body: { revision: sent.revision } })
  expect(settled.data.status).toBe('paid')
  expect(await holds(before)).toEqual({
    'cash konto PLN': '-203.0000',
    'fx_position PLN': '200.0000',
    'fx_position USD': '-50.0000',
    'fx_result PLN': '3.0000',
  })
  await sound()
  // what the exchange cost is the network's affair
  const own = (await affiliate.call(ownInvoiceApi.get, { params: { uuid: issued.uuid } })).data
  expect(JSON.stringify(own)).not.toContain('PLN')
})

test('a payout file leaves an account in another currency where its format allows, and comes back as it went', async () => {
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword('correct horse battery') })
    .execute()
  const affiliate = await api.as('affiliate')
  const issued = await makeIssued(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, ['10.01'], { at: api.clock.now() - DAY }))
  await makeMethod(api, affiliate.affiliateId ?? 0)
  await api.db.updateTable('invoice').set({ due_day: '2026-11-20' }).where('uuid', '=', issued.uuid).execute()
  const before = await holds()
  const asked = {
    key: randomUUID(),
    source_id: zloty,
    currency: 'USD',
    due_to: '2026-11-21',
    execution_day: '2026-11-23',
    affiliate_uuids: [affiliate.uuid],
  }
  const refused = await admin.call(payoutApi.make, { body: { ...asked, format: 'paypal' } })
  expect(refused.fields).toEqual({ source_id: 'It pays another currency' })
  const file = (await admin.call(payoutApi.make, { body: { ...asked, format: 'own' } })).data
  const head = await api.as('head')
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword('correct horse battery') })
    .execute()
  const out = await head.call(payoutApi.release, { params: { uuid: file.uuid }, body: { password: 'correct horse battery' } })
  expect(out.status).toBe(200)
  const [payment] = (await admin.call(payoutApi.payments, { body: { uuid: file.uuid } })).data.list
  const apply = (status: string, fee = '', currency = 'PLN') =>
    admin.call(payoutApi.applyResult, {
      body: { content: `reference,status,fee,fee currency\n${payment?.reference},${status},${fee},${currency}\n`, confirmed: [] },
    })
  // the rate of the day it arrived: without one it waits
  await api.db.deleteFrom('currency_rate').execute()
  expect((await apply('paid', '2')).errors).toHaveProperty('1130')
  expect(await holds(before)).toEqual({})
  await rate('PLN', '2026-11-21', '0.25')
  // nobody says what it is in: it is asked
  expect((await apply('paid', '2', '')).data).toMatchObject({ settled: 0, passed: 1 })
  expect((await apply('paid', '2')).data).toMatchObject({ settled: 1 })
  expect(await holds(before)).toEqual({
    'cash konto PLN': '-42.0400',
    'fx_position PLN': '40.0400',
    'fx_position USD': '-10.0100',
    'bank_fee konto PLN': '2.0000',
  })
  await sound()
  expect((await apply('returned')).data).toMatchObject({ returned: 1 })
  expect(await holds(before)).toEqual({ 'cash konto PLN': '-2.0000', 'bank_fee konto PLN': '2.0000' })
  await sound()
})
