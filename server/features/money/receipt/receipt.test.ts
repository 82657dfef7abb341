import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { currencyApi } from '#contract/money/currency.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { receiptApi, type Receipt } from '#contract/money/receipt.ts'
import { settingApi } from '#contract/network/setting.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { bookReceipt, makeAdvertiserIssued, makeDebtor, receiptOf, receive } from '#test/support/make/receivables.ts'

let api: TestApi
let admin: Caller
const setZone = async (time_zone: string) =>
  admin.call(settingApi.updateGeneral, { body: { ...(await admin.call(settingApi.general)).data, time_zone } })

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())

const sound = async () => expect(await findDifferences(api.db)).toEqual([])
const read = async ({ uuid }: { uuid: string }) => (await admin.call(advertiserInvoiceApi.get, { params: { uuid } })).data
const DAY = 86_400_000
/** Somebody with one invoice of September (15) and one of October (30). */
async function twoInvoices() {
  const acme = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-09-10T00:00:00Z') })
  const old = await makeAdvertiserIssued(admin, acme, { period_to: '2026-09-30' })
  const affiliate = acme.conversions[0]?.affiliate_id ?? 0
  await makePayable(api.db, affiliate, ['20'], { at: Date.parse('2026-10-10T00:00:00Z'), advertiserId: acme.id })
  const young = await makeAdvertiserIssued(admin, acme, { period_to: '2026-10-31' })
  return { acme, old, young }
}
const owes = async ({ uuid }: { uuid: string }) => {
  const { list } = (await admin.call(ledgerApi.accounts, { body: { owner: 'advertiser', uuid } })).data
  return Object.fromEntries(
    list
      .filter(({ kind, amount }) => Number(amount) !== 0 && kind !== 'network_revenue')
      .map(({ kind, amount }) => [kind.replace('advertiser_', ''), amount]),
  )
}
const bounce = ({ uuid, revision }: Receipt) => admin.call(receiptApi.bounce, { params: { uuid }, body: { revision, reason: 'Recalled' } })

describe('what an advertiser paid', () => {
  test('pays the oldest invoice first; the rest is paid in advance, and runs down', async () => {
    const { acme, old, young } = await twoInvoices()
    const proposed = (await admin.call(receiptApi.propose, { body: { advertiser_uuid: acme.uuid, currency: 'USD', amount: '20' } })).data
    expect(proposed.list).toMatchObject([
      { invoice_uuid: old.uuid, open: '15.0000', amount: '15.0000' },
      { invoice_uuid: young.uuid, open: '30.0000', amount: '5.0000' },
    ])
    const first = await receive(admin, acme, '20')
    expect(first).toMatchObject({ amount: '20.0000', in_advance: '0.0000', parts: [{ amount: '15.0000' }, { amount: '5.0000' }] })
    expect([await read(old), await read(young)]).toMatchObject([
      { status: 'paid', open: '0.0000' },
      { status: 'partly_paid', open: '25.0000', receipts: [{ amount: '5.0000' }] },
    ])
    await sound()
    const rest = await receive(admin, acme, '100')
    expect(rest.in_advance).toBe('75.0000')
    expect(await owes(acme)).toEqual({ prepaid: '75.0000' })
    await makePayable(api.db, acme.conversions[0]?.affiliate_id ?? 0, ['40'], { at: api.clock.now() - DAY, advertiserId: acme.id })
    expect(await makeAdvertiserIssued(admin, acme)).toMatchObject({ status: 'paid', offset_prepaid: '60.0000', open: '0.0000' })
    expect(await owes(acme)).toEqual({ prepaid: '15.0000' })
    await sound()
    // paid back once, and no more than is left
    const back = (amount: string) =>
      admin.call(receiptApi.payBack, { params: { uuid: rest.uuid }, body: { revision: rest.revision, amount } })
    expect((await back('15.01')).fields).toHaveProperty('amount')
    expect((await back('15')).data).toMatchObject({ paid_back: '15.0000', in_advance: '60.0000' })
    expect((await back('1')).status).toBe(409)
    expect(await owes(acme)).toEqual({})
    await sound()
  })

  test('is given to invoices in whole units of its currency: less could neither be paid nor printed', async () => {
    const { acme, old } = await twoInvoices()
    const give = (amount: string) => bookReceipt(admin, receiptOf(acme, '20', { parts: [{ invoice_uuid: old.uuid, amount }] }))
    expect(await give('0.005')).toMatchObject({ status: 422, fields: { parts: 'More decimals than this currency has' } })
    const { data: booked } = await give('0.01')
    const parts = [{ invoice_uuid: old.uuid, amount: '14.995' }]
    const again = await admin.call(receiptApi.allot, { params: { uuid: booked.uuid }, body: { revision: booked.revision, parts } })
    expect(again).toMatchObject({ status: 422, fields: { parts: 'More decimals than this currency has' } })
    await sound()
  })

  test('in a currency nobody has made is refused in words', async () => {
    const acme = await makeDebtor(api.db, ['10'], { at: api.clock.now() - DAY })
    const booked = await admin.call(receiptApi.book, { body: receiptOf(acme, '20', { currency: 'XQX' }) })
    expect(booked).toMatchObject({ status: 422, fields: { currency: 'Choose an active currency' } })
  })

  test('in a currency that is switched off is refused too, and one that money stands in is not switched off', async () => {
    const acme = await makeDebtor(api.db, ['10'], { at: api.clock.now() - DAY })
    const off = await admin.call(receiptApi.book, { body: receiptOf(acme, '20', { currency: 'AED' }) })
    expect(off).toMatchObject({ status: 422, fields: { currency: 'Choose an active currency' } })
    await admin.call(currencyApi.setActive, { body: { code: 'AED', active: true } })
    expect((await admin.call(receiptApi.book, { body: receiptOf(acme, '20', { currency: 'AED' }) })).status).toBe(200)
    expect((await admin.call(currencyApi.setActive, { body: { code: 'AED', active: false } })).status).toBe(409)
    await sound()
  })

  test('arrived on a day of this century that has begun in the zone of the network', async () => {
    const acme = await makeDebtor(api.db, ['10'], { at: api.clock.now() - DAY })
    const on = async (day: string) => (await admin.call(receiptApi.book, { body: { ...receiptOf(acme, '1'), day } })).fields?.['day']
    expect(await on('0001-01-01')).toBe('Choose a day from 2000 to 2100')
    expect(await on('2999-01-01')).toBe('Choose a day from 2000 to 2100')
    expect(await on('2026-11-22')).toBe('A day until today')
    // where the network is, that day has begun
    await setZone('Pacific/Kiritimati')
    expect(await on('2026-11-22')).toBeUndefined()
    expect(await on('2026-11-23')).toBe('A day until today')
    await setZone('UTC')
    expect(await on('2026-10-01')).toBeUndefined()
  })

  test('is for the invoices that are named, and can be given to others later', async () => {
    const { acme, old, young } = await twoInvoices()
    const refused = async (parts: { invoice_uuid: string; amount: string }[]) =>
      (await admin.call(receiptApi.book, { body: receiptOf(acme, '20', { parts }) })).fields
    expect(await refused([{ invoice_uuid: old.uuid, amount: '15.01' }])).toHaveProperty('parts')
    expect(await refused([{ invoice_uuid: young.uuid, amount: '21' }])).toHaveProperty('parts')
    const stranger = await makeAdvertiserIssued(admin, await makeDebtor(api.db, ['10'], { at: api.clock.now() - DAY }))
    expect(await refused([{ invoice_uuid: stranger.uuid, amount: '1' }])).toHaveProperty('parts')
    const made = await receive(admin, acme, '20', { parts: [{ invoice_uuid: young.uuid, amount: '12' }] })
    expect(made).toMatchObject({ in_advance: '8.0000' })
    expect(await owes(acme)).toEqual({ invoiced: '33.0000', prepaid: '8.0000' })
    const other = { revision: made.revision, parts: [{ invoice_uuid: old.uuid, amount: '15' }] }
    const moved = await admin.call(receiptApi.allot, { params: { uuid: made.uuid }, body: other })
    expect(moved.data).toMatchObject({ in_advance: '5.0000', parts: [{ number: old.number, amount: '15.0000' }] })
    expect([await read(old), await read(young)]).toMatchObject([{ status: 'paid' }, { status: 'issued', open: '30.0000' }])
    const log = api.db.selectFrom('audit').select(['before', 'after']).where('entity', '=', 'receipt').where('action', '=', 'allot')
    expect(await log.where('entity_id', '=', String(made.id)).executeTakeFirst()).toMatchObject({
      before: { parts: [`${young.number}: 12.0000`] },
      after: { parts: [`${old.number}: 15.0000`] },
    })
    // the same again is answered as it is; another by what somebody saw before is refused, and so is what comes after others
    const allot = (body: typeof other) => admin.call(receiptApi.allot, { params: { uuid: made.uuid }, body })
    expect((await allot(other)).data.revision).toBe(moved.data.revision)
    expect((await allot({ ...other, parts: [] })).status).toBe(409)
    expect((await allot({ revision: moved.data.revision, parts: [] })).status).toBe(200)
    expect((await allot(other)).status).toBe(409)
    await sound()
  })

  test('in advance comes before any invoice, and bounced is open again where it was used, the latest first', async () => {
    const { acme, old, young } = await twoInvoices()
    const paid = await receive(admin, acme, '45')
    const advance = await receive(admin, acme, '30')
    await makePayable(api.db, acme.conversions[0]?.affiliate_id ?? 0, ['20'], { at: api.clock.now() - DAY, advertiserId: acme.id })
    const used = await makeAdvertiserIssued(admin, acme)
    expect(used.status).toBe('paid')
    expect((await bounce(advance)).data).toMatchObject({ state: 'bounced', reason: 'Recalled', in_advance: '0.0000' })
    expect(await read(used)).toMatchObject({ status: 'issued', open: '30.0000', offset_prepaid: '0.0000' })
    await sound()
    expect((await bounce(paid)).data.state).toBe('bounced')
    expect([await read(old), await read(young)]).toMatchObject([
      { status: 'issued' },
      { status: 'issued', receipts: [{ state: 'bounced' }] },
    ])
    expect(await owes(acme)).toEqual({ invoiced: '75.0000' })
    expect((await bounce(paid)).data.state).toBe('bounced')
    const otherwise = { params: { uuid: paid.uuid }, body: { revision: paid.revision, reason: 'Another' } }
    expect((await admin.call(receiptApi.bounce, otherwise)).status).toBe(409)
    await sound()
  })

  test('bounces after the rest was given up, and a credit note takes back both', async () => {
    const acme = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-09-10T00:00:00Z') })
    const issued = await makeAdvertiserIssued(admin, acme)
    const params = { uuid: issued.uuid }
    const part = await receive(admin, acme, '6')
    const reason = 'Bankrupt'
    const lost = await admin.call(advertiserInvoiceApi.writeOff, { params, body: { revision: issued.revision + 1, reason } })
    expect(lost.data).toMatchObject({ status: 'written_off', written_off: '9.0000' })
    await bounce(part)
    const open = await read(issued)
    expect(open).toMatchObject({ status: 'issued', open: '6.0000', written_off: '9.0000' })
    const credited = await admin.call(advertiserInvoiceApi.credit, { params, body: { revision: open.revision, kind: 'whole', reason } })
    expect(credited.data).toMatchObject({ status: 'credited', open: '0.0000', written_off: '0.0000', credited: '15.0000' })
    // the conversions can be invoiced again; nobody paid anything
    expect(await owes(acme)).toEqual({ receivable: '15.0000' })
    await sound()
  })

  test('is the same transfer with what nobody sees in its number', async () => {
    const { acme } = await twoInvoices()
    await receive(admin, acme, '5', { external_id: 'SWIFT-5 A' })
    for (const external_id of ['SWIFT-5\u00a0A\u200b', ' \ufeffSWIFT-5 A '])
      expect((await admin.call(receiptApi.book, { body: receiptOf(acme, '5', { external_id }) })).fields).toHaveProperty('external_id')
  })

  test('is booked once: by its call, and by the number of the bank, until it bounced', async () => {
    const { acme } = await twoInvoices()
    const body = receiptOf(acme, '10', { key: randomUUID(), external_id: `BANK-${randomUUID()}` })
    const answers = await Promise.all([1, 2, 3].map(() => bookReceipt(admin, body)))
    expect(new Set(answers.map(({ data }) => data.uuid)).size).toBe(1)
    expect((await admin.call(receiptApi.book, { body: { ...body, amount: '11' } })).status).toBe(409)
    for (const other of [{ note: 'x' }, { day: '2026-11-20' }, { external_id: 'B' }])
      expect((await admin.call(receiptApi.book, { body: { ...body, ...other } })).status).toBe(409)
    const again = { ...body, key: randomUUID() }
    expect((await admin.call(receiptApi.book, { body: again })).fields).toHaveProperty('external_id')
    const [{ data: first } = { data: undefined }] = answers
    if (first) await bounce(first)
    expect((await admin.call(receiptApi.book, { body: again })).status).toBe(200)
    for (const amount of ['0', '1.001'])
      expect((await admin.call(receiptApi.book, { body: receiptOf(acme, amount) })).fields).toHaveProperty('amount')
    await sound()
  })

  test('at the same moment for two advertisers is one receipt, by its call or the number of the bank, and the other is told why', async () => {
    const debtors = [await twoInvoices(), await twoInvoices()]
    const both = async (more: object) =>
      (await Promise.all(debtors.map(({ acme }) => admin.call(receiptApi.book, { body: receiptOf(acme, '1', more) }))))
        .map(({ status }) => status)
        .toSorted()
    for (let time = 0; time < 4; time++) {
      expect(await both({ key: randomUUID() })).toEqual([200, 409])
      expect(await both({ external_id: `BANK-${randomUUID()}` })).toEqual([200, 422])
    }
    await sound()
  })

  test('at the same moment never pays more of an invoice than is open', async () => {
    const { acme, old } = await twoInvoices()
    const parts = [{ invoice_uuid: old.uuid, amount: '10' }]
    const answers = await Promise.all([1, 2, 3].map(() => admin.call(receiptApi.book, { body: receiptOf(acme, '10', { parts }) })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => receive(admin, acme, '10')))
    expect(await owes(acme)).toEqual({ prepaid: '25.0000' })
    await sound()
  })

  test('is listed with what it was for, to admin and head alone', async () => {
    const { acme } = await twoInvoices()
    await receive(admin, acme, '50')
    const { data } = await admin.call(receiptApi.list, { body: { advertiser_uuid: [acme.uuid] } })
    expect(data).toMatchObject({
      list: [{ amount: '50.0000', in_advance: '5.0000' }],
      summary: { rows: 1, totals: { amounts: [{ currency: 'USD', amount: '50.0000' }] } },
    })
    for (const role of ['manager', 'team lead', 'affiliate'] as const) {
      const by = await api.as(role)
      expect((await by.call(receiptApi.list)).status).toBe(403)
      expect((await by.call(receiptApi.book, { body: receiptOf(acme, '1') })).status).toBe(403)
    }
  })
})
