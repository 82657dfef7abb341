import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { paymentSourceApi } from '#contract/money/payout.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { makeAffiliateId } from '#test/support/make/money.ts'
import { letOneDecide, setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeIssued, makePayable, paymentOf } from '#test/support/make/invoices.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())
afterEach(async () => expect(await findDifferences(api.db)).toEqual([]))

const earn = (amounts: string[], currency = 'USD') =>
  makePayable(api.db, affiliate.affiliateId ?? 0, amounts, { at: api.clock.now() - 86_400_000, currency })
const read = async ({ uuid }: { uuid: string }) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
const pay = (one: InvoiceDetail, amount: string, more: object = {}) =>
  admin.call(invoiceApi.pay, { params: { uuid: one.uuid }, body: { ...paymentOf(amount, one.revision), ...more } })
const giveBack = (one: InvoiceDetail, more: object = {}, at = 0) =>
  admin.call(invoiceApi.giveBack, {
    params: { uuid: one.uuid },
    body: { revision: one.revision, payment_uuid: one.payments[at]?.uuid ?? '', day: '2026-11-21', reason: 'Account closed', ...more },
  })
const owes = async () => {
  const { list } = (await affiliate.call(ledgerApi.ownAccounts)).data
  return Object.fromEntries(
    list.filter(({ amount }) => Number(amount) !== 0).map(({ kind, amount }) => [kind.replace('affiliate_', ''), amount]),
  )
}
/** Cash and fees of a source by currency, without what is nothing. */
const atSource = async (id: number) => {
  const rows = await api.db
    .selectFrom('ledger_account')
    .select(['kind', 'currency', 'balance'])
    .where('kind', 'in', ['cash', 'bank_fee'])
    .where('owner_id', '=', id)
    .execute()
  return Object.fromEntries(
    rows.filter(({ balance }) => Number(balance) !== 0).map((one) => [`${one.kind} ${one.currency}`, Number(one.balance)]),
  )
}
const makeSource = async (currency: string | null) =>
  (
    await admin.call(paymentSourceApi.create, {
      body: { name: `Bank ${randomUUID()}`, kind: 'bank', holder: '', iban: '', bic: '', currency, active: true },
    })
  ).data.id

describe('a payment by hand that comes back', () => {
  test('makes what it was for owed again, with its fees, once, and its affiliate hears of it', async () => {
    affiliate = await api.as('affiliate', { name: 'Iryna' })
    const source = await makeSource(null)
    const rows = await earn(['60', '40'])
    const issued = await makeIssued(admin, rows)
    // paid on a day to come it could not come back before
    for (const day of ['2026-11-22', '2099-01-01']) expect((await pay(issued, '100', { day })).fields).toHaveProperty('day')
    const paid = (await pay(issued, '100', { source_id: source, fee: '1.5', charged: '2' })).data
    expect(paid).toMatchObject({ status: 'paid', payments: [{ fee: '1.5000', charged: '2.0000', fee_currency: 'USD', in_file: false }] })
    // 98 left for the affiliate, and 1.50 for the bank; 2 of it the affiliate bears
    expect(await atSource(source)).toEqual({ 'cash USD': -99.5, 'bank_fee USD': -0.5 })
    expect((await giveBack(paid, { day: '2026-11-20' })).fields).toHaveProperty('day')
    expect((await giveBack(paid, { day: '2026-11-22' })).fields).toHaveProperty('day')
    expect((await giveBack(paid, { fee: '11' })).fields).toHaveProperty('fee_sure')
    const two = await Promise.all([giveBack(paid, { fee: '3' }), giveBack(paid, { fee: '3' })])
    expect(two.map(({ status }) => status)).toEqual([200, 200])
    const back = await read(paid)
    expect(back).toMatchObject({ status: 'approved', open: '100.0000', paid: '0.0000', revision: paid.revision + 1 })
    expect(back.payments).toMatchObject([{ state: 'returned', ended_day: '2026-11-21', reason: 'Account closed', fee: '4.5000' }])
    expect(back.history.at(-1)).toMatchObject({ event: 'payment_returned', from: 'paid', to: 'approved', reason: 'Account closed' })
    expect(await atSource(source)).toEqual({ 'cash USD': -4.5, 'bank_fee USD': 4.5 })
    expect(await owes()).toEqual({ invoiced: '100.0000' })
    const states = await api.db
      .selectFrom('conversion')
      .select('payment_state')
      .where('affiliate_id', '=', affiliate.affiliateId ?? 0)
      .execute()
    expect(states.map(({ payment_state }) => payment_state)).toEqual(['invoiced', 'invoiced'])
    const { list } = (await affiliate.call(notificationApi.list)).data
    const told = list.filter(({ status }) => status === 'returned').map(({ reason }) => reason)
    expect(told).toEqual([`${paid.number} · 100.00 USD · Account closed`])
    expect((await giveBack(back)).errors).toHaveProperty('1021')
    expect((await (await api.as('manager')).call(invoiceApi.get, { params: { uuid: paid.uuid } })).status).toBe(403)
    expect((await pay(back, '100', { source_id: source })).data.status).toBe('paid')
  })

  test('counts its fees together: what is much, too much or takes two people is that in parts too', async () => {
    affiliate = await api.as('affiliate')
    const issued = await makeIssued(admin, await earn(['100']))
    const paid = (await pay(issued, '100', { fee: '9' })).data
    // 2 are little, and 11 of 100 are much
    expect((await giveBack(paid, { fee: '2' })).fields).toHaveProperty('fee_sure')
    expect((await giveBack(paid, { fee: '92', fee_sure: true })).fields).toHaveProperty('fee')
    await setBilling(api.db, { four_eyes: true, four_eyes_limit: '11' })
    const head = await api.as('head')
    expect((await giveBack(paid, { fee: '2', fee_sure: true })).fields).toHaveProperty('fee')
    const body = { revision: paid.revision, payment_uuid: paid.payments[0]?.uuid ?? '', day: '2026-11-21', reason: 'Closed' }
    const back = await head.call(invoiceApi.giveBack, { params: { uuid: paid.uuid }, body: { ...body, fee: '2', fee_sure: true } })
    await letOneDecide(api.db)
    expect(back.data.payments).toMatchObject([{ state: 'returned', fee: '11.0000' }])
  })

  test('opens the later invoices that used what it paid in advance, each of which says why', async () => {
    affiliate = await api.as('affiliate', { name: 'Oksana' })
    const first = await makeIssued(admin, await earn(['50']))
    const paid = (await pay(first, '80', { in_advance: true, external_id: 'TR-80' })).data
    const second = await makeIssued(admin, await earn(['20']))
    const third = await makeIssued(admin, await earn(['25']))
    expect([second.status, third.status, third.open]).toEqual(['paid', 'approved', '15.0000'])
    // its affiliate is told which is paid next, and how much of it
    const { next_day, period_to, due } = (await affiliate.call(ledgerApi.ownAccounts)).data
    expect(due).toMatchObject([{ uuid: third.uuid, number: third.number, open: '15.0000', due_day: next_day }])
    expect(period_to).toBeNull()
    expect((await giveBack(paid)).data).toMatchObject({ status: 'approved', open: '50.0000' })
    const [of2, of3] = [await read(second), await read(third)]
    expect([of2.status, of2.open, of3.status, of3.open]).toEqual(['approved', '20.0000', 'approved', '25.0000'])
    const why = `${first.number} · TR-80 · Account closed`
    expect(of2.history.at(-1)).toMatchObject({ event: 'offset_back', from: 'paid', to: 'approved', reason: why, actor: expect.any(String) })
    expect(of3.history.at(-1)).toMatchObject({ event: 'offset_back', reason: why })
    expect(of2.revision).toBe(second.revision + 1)
    const log = await api.db
      .selectFrom('audit')
      .select(['action', 'after'])
      .where('entity', '=', 'invoice')
      .where('entity_id', '=', String(of2.id))
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(log).toMatchObject({ action: 'offset_back', after: { payment_id: paid.payments[0]?.id, reason: why } })
    const { list } = (await affiliate.call(notificationApi.list)).data
    // its own invoices and sums, and no word of ours beside why its payment came back
    expect(
      list
        .filter(({ status }) => status === 'returned')
        .map(({ reason }) => reason)
        .toSorted(),
    ).toEqual([`${first.number} · 80.00 USD · Account closed`, `${of2.number} · 20.00 USD`, `${of3.number} · 10.00 USD`].toSorted())
    expect(await owes()).toEqual({ invoiced: '95.0000' })
  })

  test('gives back in the currency of its account what had left it, and its fee is booked in that one too', async () => {
    affiliate = await api.as('affiliate', { name: 'Olena' })
    const source = await makeSource('EUR')
    const day = new Date(api.clock.now()).toISOString().slice(0, 10)
    await api.db
      .insertInto('currency_rate')
      .values({ base: 'USD', currency: 'EUR', day, rate: '1.25', source: 'feed', set_at: new Date(api.clock.now()) })
      .execute()
    const issued = await makeIssued(admin, await earn(['100']))
    const moved = { currency: 'EUR', amount: '81' }
    const sent = (await pay(issued, '100', { source_id: source, settled: false, moved })).data
    const settled = await admin.call(invoiceApi.settle, { params: { uuid: issued.uuid }, body: { revision: sent.revision, fee: '0.5' } })
    expect(settled.data.payments).toMatchObject([{ state: 'settled', fee: '0.5000', fee_currency: 'EUR' }])
    expect(await atSource(source)).toEqual({ 'cash EUR': -81.5, 'bank_fee EUR': 0.5 })
    expect((await giveBack(settled.data, { fee: '2' })).data).toMatchObject({ status: 'approved', open: '100.0000' })
    expect(await atSource(source)).toEqual({ 'cash EUR': -2.5, 'bank_fee EUR': 2.5 })
    const again = (await pay(await read(issued), '100', { source_id: source, settled: false, moved })).data
    const body = { revision: again.revision, reason: 'Wrong IBAN', fee: '4' }
    expect((await admin.call(invoiceApi.fail, { params: { uuid: issued.uuid }, body })).data).toMatchObject({ open: '100.0000' })
    expect(await atSource(source)).toEqual({ 'cash EUR': -6.5, 'bank_fee EUR': 6.5 })
  })
})

describe('payments at once', () => {
  test('of many affiliates by one number of the bank, or one key, are one payment and refusals, and no failure', async () => {
    const issued: InvoiceDetail[] = []
    for (const _ of Array.from({ length: 12 })) {
      const id = await makeAffiliateId(api.db)
      issued.push(await makeIssued(admin, await makePayable(api.db, id, ['10'], { at: api.clock.now() - 86_400_000 })))
    }
    const named = await Promise.all(issued.map((one) => pay(one, '5', { external_id: 'TR-ONCE' })))
    expect(named.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(11).fill(422)])
    const key = randomUUID()
    const keyed = await Promise.all(issued.map(async (one) => pay(await read(one), '5', { key })))
    expect(keyed.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(11).fill(409)])
  })
})
