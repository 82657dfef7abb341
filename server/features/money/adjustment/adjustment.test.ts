import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { letOneDecide, setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeInvoice, makeIssued, makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { broken } from '#test/money/invariants.ts'

let api: TestApi
let admin: Caller
let head: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
})
afterAll(() => api.close())
afterEach(async () => {
  expect([...(await findDifferences(api.db)), ...(await broken(api.db))]).toEqual([])
  await letOneDecide(api.db)
})

const about = (uuid: string) => ({ key: randomUUID(), affiliate_uuid: uuid, currency: 'USD', day: '2026-11-21', note: 'Told' })
const give = (uuid: string, kind: 'bonus' | 'correction' | 'opening', amount: string, more: object = {}, by = admin) =>
  by.call(adjustmentApi.create, { body: { ...about(uuid), kind, amount, internal_note: 'Not told', ...more } })
const end = (uuid: string, kind: 'given_up' | 'forfeited', amount: string, by = admin) =>
  by.call(adjustmentApi.writeOff, { body: { ...about(uuid), kind, amount } })
const prepay = (uuid: string, amount: string, more: object = {}, by = admin) =>
  by.call(adjustmentApi.prepay, { body: { ...about(uuid), amount, source_id: 1, ...more } })
const list = async (affiliate_uuid: string) => (await admin.call(adjustmentApi.list, { body: { affiliate_uuid } })).data.list
const takeBack = (uuid: string, by = admin) => by.call(adjustmentApi.void, { params: { uuid }, body: { reason: 'Typed wrong' } })
const accounts = async ({ uuid }: Caller) =>
  Object.fromEntries(
    (await admin.call(ledgerApi.accounts, { body: { owner: 'affiliate', uuid } })).data.list.map(({ kind, amount }) => [kind, amount]),
  )
/** People who have given nothing today. */
async function comeAnew(): Promise<void> {
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
}
const limit = (four_eyes_limit: string) => setBilling(api.db, { four_eyes: true, four_eyes_limit })

test('a bonus, a correction and an opening balance wait for the next invoice, which takes what counts until its last day', async () => {
  const one = await api.as('affiliate', { name: 'Iryna' })
  await makePayable(api.db, one.affiliateId ?? 0, ['100'], { at: Date.parse('2026-10-10T12:00:00Z') })
  await makeMethod(api, one.affiliateId ?? 0)
  expect((await give(one.uuid, 'bonus', '20', { day: '2026-10-31' })).data).toEqual({ proposed: false })
  await give(one.uuid, 'correction', '-5', { day: '2026-10-31' })
  await give(one.uuid, 'opening', '33', { day: '2026-11-01' })
  expect(await accounts(one)).toMatchObject({
    affiliate_bonus: '20.0000',
    affiliate_correction: '28.0000',
    affiliate_available: '100.0000',
  })
  const body = { key: randomUUID(), period_to: '2026-10-31', affiliate_uuids: [one.uuid] }
  const { invoices } = (await admin.call(invoiceApi.createFromAffiliates, { body })).data
  expect(invoices).toMatchObject([{ net: '115.0000' }])
  const rows = await list(one.uuid)
  expect(rows.map(({ kind, state, may_void }) => [kind, state, may_void])).toEqual([
    ['opening', 'open', true],
    ['correction', 'invoiced', false],
    ['bonus', 'invoiced', false],
  ])
  expect(rows[2]).toMatchObject({ day: '2026-10-31', internal_note: 'Not told', invoice: { uuid: invoices[0]?.uuid } })
  expect((await takeBack(rows[2]?.uuid ?? '')).status).toBe(409)
  // off the draft it waits again, for it was not made there
  const lines = (await admin.call(invoiceApi.lines, { body: { uuid: invoices[0]?.uuid ?? '', kind: ['adjustment'] } })).data.list
  const draft = (await admin.call(invoiceApi.get, { params: { uuid: invoices[0]?.uuid ?? '' } })).data
  const off = { revision: draft.revision, lines: lines.map(({ id }) => id) }
  expect((await admin.call(invoiceApi.removeLines, { params: { uuid: draft.uuid }, body: off })).data.net).toBe('100.0000')
  expect((await list(one.uuid)).map(({ state }) => state)).toEqual(['open', 'open', 'open'])
  const told = (await one.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'balance_changed')
  expect(told.map(({ status, reason }) => [status, reason])).toEqual([
    ['opening', '33.00 USD · Told'],
    ['correction', '-5.00 USD · Told'],
    ['bonus', '20.00 USD · Told'],
  ])
})

test('the same call twelve times at once is booked once, and another one by its key is refused', async () => {
  const one = await api.as('affiliate')
  const more = { key: randomUUID() }
  const all = await Promise.all(Array.from({ length: 12 }, () => give(one.uuid, 'bonus', '7', more)))
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await accounts(one)).toMatchObject({ affiliate_bonus: '7.0000' })
  expect((await give(one.uuid, 'bonus', '8', more)).status).toBe(409)
  expect((await give(one.uuid, 'correction', '7', more)).status).toBe(409)
  expect((await give(one.uuid, 'bonus', '7', { ...more, note: 'Another' })).status).toBe(409)
  expect((await give(one.uuid, 'bonus', '7', { ...more, day: '2026-11-20' })).status).toBe(409)
  expect((await give(one.uuid, 'bonus', '7', more, head)).status).toBe(409)
  const advance = { key: randomUUID() }
  const paid = await Promise.all(Array.from({ length: 4 }, () => prepay(one.uuid, '9', advance)))
  expect(paid.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await accounts(one)).toMatchObject({ affiliate_prepaid: '9.0000' })
  for (const other of [
    { external_id: 'T-1' },
    { source_id: 2 },
    { day: '2026-11-20' },
    { moved: { currency: 'USD', amount: '9', sure: true } },
  ])
    expect((await prepay(one.uuid, '9', { ...advance, ...other })).status).toBe(409)
  // what was only proposed as well, before and after it is confirmed
  await limit('10')
  const two = { key: randomUUID(), day: '2026-11-20' }
  for (let times = 0; times < 2; times++) expect((await prepay(one.uuid, '50', two)).data).toEqual({ proposed: true })
  expect((await prepay(one.uuid, '50', { ...two, external_id: 'T-2' })).status).toBe(409)
  await confirmAll(head)
  expect((await prepay(one.uuid, '50', two)).data).toEqual({ proposed: false })
  expect((await prepay(one.uuid, '50', { ...two, external_id: 'T-2' })).status).toBe(409)
  expect(await accounts(one)).toMatchObject({ affiliate_prepaid: '59.0000' })
})

test('what stands on no invoice is taken back once, with its reason, and the books are as before', async () => {
  const one = await api.as('affiliate')
  for (const kind of ['bonus', 'correction', 'opening'] as const) await give(one.uuid, kind, '12.5')
  const rows = await list(one.uuid)
  for (const { uuid } of rows) expect((await Promise.all([takeBack(uuid), takeBack(uuid)])).map(({ status }) => status)).toEqual([200, 200])
  expect((await list(one.uuid)).map(({ state, reason }) => [state, reason])).toEqual(rows.map(() => ['void', 'Typed wrong']))
  expect(await accounts(one)).toMatchObject({ affiliate_bonus: '0.0000', affiliate_correction: '0.0000' })
  expect((await takeBack(rows[0]?.uuid ?? '', head)).status).toBe(409)
})

test('a debt is given up and a balance forfeited only as far as there is one', async () => {
  const one = await api.as('affiliate')
  await give(one.uuid, 'opening', '-40')
  expect((await end(one.uuid, 'forfeited', '1')).fields).toHaveProperty('amount')
  expect((await end(one.uuid, 'given_up', '41')).fields).toHaveProperty('amount')
  expect((await end(one.uuid, 'given_up', '40')).status).toBe(200)
  expect(await accounts(one)).toMatchObject({ affiliate_correction: '0.0000', affiliate_write_off: '40.0000' })
  await give(one.uuid, 'bonus', '15')
  expect((await end(one.uuid, 'given_up', '1')).fields).toHaveProperty('amount')
  expect((await end(one.uuid, 'forfeited', '15')).status).toBe(200)
  expect(await accounts(one)).toMatchObject({
    affiliate_bonus: '15.0000',
    affiliate_correction: '-15.0000',
    affiliate_write_off: '25.0000',
  })
})

test('a payment in advance arrives at once, is read by its affiliate, and the next approved invoice uses it', async () => {
  const one = await api.as('affiliate')
  await makePayable(api.db, one.affiliateId ?? 0, ['100'], { at: Date.parse('2026-10-10T12:00:00Z') })
  await makeMethod(api, one.affiliateId ?? 0)
  const refusals = [prepay(one.uuid, '0'), prepay(one.uuid, '10', { source_id: 999 }), prepay(one.uuid, '10', { day: '2026-11-22' })]
  expect((await Promise.all(refusals)).map(({ fields }) => Object.keys(fields ?? {}))).toEqual([['amount'], ['source_id'], ['day']])
  await prepay(one.uuid, '60', { external_id: 'T-1', internal_note: 'Asked on the phone' })
  expect((await prepay(one.uuid, '60', { external_id: 'T-1' })).fields).toHaveProperty('external_id')
  const own = (await one.call(ownInvoiceApi.payments)).data.list
  expect(own).toMatchObject([{ amount: '60.0000', on_invoice: '0.0000', state: 'settled', invoice: null, note: 'Told' }])
  expect(JSON.stringify(own)).not.toContain('phone')
  const body = { key: randomUUID(), period_to: '2026-10-31', affiliate_uuids: [one.uuid] }
  const uuid = (await admin.call(invoiceApi.createFromAffiliates, { body })).data.invoices[0]?.uuid ?? ''
  const sent = (await admin.call(invoiceApi.send, { params: { uuid }, body: { revision: 2 } })).data
  const approved = (await head.call(invoiceApi.approve, { params: { uuid }, body: { revision: sent.revision } })).data
  expect(approved).toMatchObject({ offset_prepaid: '60.0000', open: '40.0000' })
  expect(await list(one.uuid)).toMatchObject([
    { kind: 'prepayment', state: 'settled', internal_note: 'Asked on the phone', may_void: false },
  ])
})

test('a payment in advance the bank gives back is gone once, with its fee, and the invoice that used it is open again', async () => {
  const one = await api.as('affiliate', { name: 'Daryna' })
  await prepay(one.uuid, '60', { external_id: 'T-9', day: '2026-11-20' })
  const issued = await makeIssued(admin, await makePayable(api.db, one.affiliateId ?? 0, ['100'], { at: api.clock.now() - 86_400_000 }))
  expect(issued).toMatchObject({ offset_prepaid: '60.0000', open: '40.0000' })
  const [row] = await list(one.uuid)
  expect(row).toMatchObject({ kind: 'prepayment', may_void: false, may_give_back: true, fee_currency: 'USD' })
  const back = (more: object = {}, by = admin) =>
    by.call(adjustmentApi.giveBack, {
      params: { uuid: row?.uuid ?? '' },
      body: { day: '2026-11-21', reason: 'Account closed', fee: '2', ...more },
    })
  for (const day of ['2026-11-19', '2026-11-22']) expect((await back({ day })).fields).toHaveProperty('day')
  expect((await back({ fee: '7' })).fields).toHaveProperty('fee_sure')
  expect((await back({}, await api.as('manager'))).status).toBe(403)
  expect((await Promise.all([back(), back()])).map(({ status }) => status)).toEqual([200, 200])
  expect((await back({ reason: 'Again' })).status).toBe(409)
  const open = (await admin.call(invoiceApi.get, { params: { uuid: issued.uuid } })).data
  expect(open).toMatchObject({ status: 'approved', offset_prepaid: '0.0000', open: '100.0000' })
  expect(open.history.at(-1)).toMatchObject({ event: 'offset_back', reason: 'T-9 · Account closed' })
  expect(await accounts(one)).toMatchObject({ affiliate_prepaid: '0.0000', affiliate_invoiced: '100.0000' })
  expect(await list(one.uuid)).toMatchObject([{ state: 'returned', reason: 'Account closed', may_give_back: false }])
  const told = (await one.call(notificationApi.list)).data.list.filter(({ status }) => status === 'returned')
  expect(told.map(({ reason }) => reason)).toContain('60.00 USD · T-9 · Account closed')
  // of one that is for an invoice, that invoice says it
  const paid = await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf('10', open.revision) })
  const other = { uuid: paid.data.payments[0]?.uuid ?? '' }
  const wrong = await admin.call(adjustmentApi.giveBack, { params: other, body: { day: '2026-11-21', reason: 'Closed' } })
  expect(wrong.status).toBe(404)
})

test('above the limit each is proposed, and booked when a second person confirms it, once', async () => {
  await comeAnew()
  await limit('50')
  const one = await api.as('affiliate', { name: 'Oleh' })
  await give(one.uuid, 'opening', '-49')
  expect((await give(one.uuid, 'bonus', '1')).data).toEqual({ proposed: true })
  expect((await prepay(one.uuid, '50')).data).toEqual({ proposed: true })
  expect((await end(one.uuid, 'given_up', '49')).data).toEqual({ proposed: true })
  expect(await accounts(one)).toMatchObject({ affiliate_correction: '-49.0000' })
  expect((await list(one.uuid)).map(({ state }) => state).toSorted()).toEqual(['open', 'proposed', 'proposed', 'proposed'])
  const waiting = (await head.call(proposalApi.list, { body: { state: ['open'] } })).data.list
  expect(waiting.map(({ kind, invoice, whose }) => [kind, invoice, whose?.name])).toEqual([
    ['given_up', null, 'Oleh'],
    ['prepayment', null, 'Oleh'],
    ['bonus', null, 'Oleh'],
  ])
  const [debt, advance, bonus] = waiting
  const confirm = (by: Caller, uuid = '') => by.call(proposalApi.confirm, { params: { uuid } })
  expect((await confirm(admin, debt?.uuid)).status).toBe(409)
  expect((await Promise.all([confirm(head, debt?.uuid), confirm(head, debt?.uuid)])).map(({ status }) => status)).toEqual([200, 200])
  await confirm(head, advance?.uuid)
  await head.call(proposalApi.refuse, { params: { uuid: bonus?.uuid ?? '' }, body: { reason: 'Not now' } })
  expect(await accounts(one)).toMatchObject({
    affiliate_correction: '0.0000',
    affiliate_prepaid: '50.0000',
    affiliate_write_off: '49.0000',
  })
  const rows = await list(one.uuid)
  expect(rows.map(({ kind, state }) => `${kind} ${state}`).toSorted()).toEqual([
    'bonus refused',
    'given_up open',
    'opening open',
    'prepayment settled',
  ])
  // whoever made it does not take back alone what took two
  await limit('10')
  const opening = rows.find(({ kind }) => kind === 'opening')?.uuid ?? ''
  expect((await takeBack(opening)).status).toBe(409)
  // nor who confirmed it
  const debtGone = rows.find(({ kind }) => kind === 'given_up')?.uuid ?? ''
  expect([(await takeBack(debtGone)).status, (await takeBack(debtGone, head)).status]).toEqual([409, 409])
  expect((await takeBack(opening, head)).status).toBe(200)
})

test('no more is proposed to be given up than is owed, nor confirmed than is still owed then', async () => {
  await comeAnew()
  await limit('50')
  const one = await api.as('affiliate')
  await give(one.uuid, 'opening', '-60', {}, head).then(() => confirmAll(admin))
  expect((await end(one.uuid, 'given_up', '61')).fields).toHaveProperty('amount')
  expect((await end(one.uuid, 'given_up', '60')).data).toEqual({ proposed: true })
  // it is less by now
  await give(one.uuid, 'bonus', '8')
  const [refused] = await confirmAll(head)
  expect([refused?.status, refused?.errors]).toEqual([409, { 1145: expect.stringContaining('Only 52.00 USD of it') }])
  expect(await accounts(one)).toMatchObject({ affiliate_correction: '-60.0000' })
  await give(one.uuid, 'opening', '-8')
  // two at once: one of them finds nothing left
  expect((await end(one.uuid, 'given_up', '60')).data).toEqual({ proposed: true })
  expect((await confirmAll(head)).map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await accounts(one)).toMatchObject({ affiliate_correction: '-8.0000', affiliate_bonus: '8.0000' })
  // nor is more forfeited than is there
  await give(one.uuid, 'correction', '55', {}, head).then(() => confirmAll(admin))
  expect((await end(one.uuid, 'forfeited', '56')).fields).toHaveProperty('amount')
  expect((await end(one.uuid, 'forfeited', '55')).data).toEqual({ proposed: true })
})

/** Confirms all that waits, at once. */
async function confirmAll(by: Caller) {
  const { list: waiting } = (await by.call(proposalApi.list, { body: { state: ['open'] } })).data
  return Promise.all(waiting.map(({ uuid }) => by.call(proposalApi.confirm, { params: { uuid } })))
}

test('what one person gives within a day counts together in whichever currencies', async () => {
  await comeAnew()
  await limit('100')
  const one = await api.as('affiliate')
  const set_at = new Date(api.clock.now())
  await api.db
    .insertInto('currency_rate')
    .values({ base: 'USD', currency: 'EUR', day: '2026-11-21', rate: '1.25', source: 'feed', set_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  // 50 and 50 dollars
  expect((await give(one.uuid, 'bonus', '40', { currency: 'EUR' })).data).toEqual({ proposed: false })
  expect((await give(one.uuid, 'bonus', '49')).data).toEqual({ proposed: false })
  expect((await give(one.uuid, 'bonus', '1')).data).toEqual({ proposed: true })
  expect((await prepay(one.uuid, '40', { currency: 'EUR' })).data).toEqual({ proposed: false })
  expect((await prepay(one.uuid, '50')).data).toEqual({ proposed: true })
})

test('what one person gives many affiliates within a day counts together: from three times the limit on a second one decides', async () => {
  api.clock.advance(86_401_000)
  await comeAnew()
  await limit('100')
  const all = await Promise.all(Array.from({ length: 6 }, () => api.as('affiliate')))
  const uuids = all.map(({ uuid }) => uuid)
  // four times 90 at once: three of them alone
  const came = await Promise.all(uuids.slice(0, 4).map((uuid) => give(uuid, 'bonus', '90')))
  expect(came.map(({ data }) => data.proposed).toSorted()).toEqual([false, false, false, true])
  expect((await prepay(uuids[4] ?? '', '30')).data).toEqual({ proposed: true })
  expect((await give(uuids[4] ?? '', 'correction', '-29')).data).toEqual({ proposed: false })
  const draft = await makeInvoice(admin, await makePayable(api.db, all[5]?.affiliateId ?? 0, ['10'], { at: api.clock.now() - 1000 }))
  const body = { kind: 'bonus' as const, amount: '1', note: 'For May', revision: draft.revision }
  expect((await admin.call(invoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data.net).toBe('10.0000')
  // nobody else is held up by it, and a day later nobody is
  expect((await give(uuids[4] ?? '', 'bonus', '90', {}, head)).data).toEqual({ proposed: false })
  api.clock.advance(86_401_000)
  await comeAnew()
  expect((await give(uuids[5] ?? '', 'bonus', '90')).data).toEqual({ proposed: false })
})

test('what leaves another account for it counts, not what it is called: far from the rate it is confirmed, and takes two above the limit', async () => {
  await limit('100')
  const one = await api.as('affiliate', { name: 'Hanna' })
  const set_at = new Date(api.clock.now())
  await api.db
    .insertInto('currency_rate')
    .values({ base: 'USD', currency: 'EUR', day: '2026-11-21', rate: '1.25', source: 'feed', set_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const moved = (amount: string, sure = true) => ({ moved: { currency: 'EUR', amount, sure } })
  // 0.80 EUR by the rate
  expect((await prepay(one.uuid, '1', moved('1000000', false))).fields).toHaveProperty('moved')
  expect((await prepay(one.uuid, '1', moved('0.5', false))).fields).toHaveProperty('moved')
  expect((await prepay(one.uuid, '1', moved('0.85', false))).data).toEqual({ proposed: false })
  expect((await prepay(one.uuid, '1', { ...moved('1000000'), external_id: 'T-77' })).data).toEqual({ proposed: true })
  expect((await prepay(one.uuid, '1', moved('60'))).data).toEqual({ proposed: false })
  expect((await prepay(one.uuid, '1', moved('60'))).data).toEqual({ proposed: true })
  const { list: waiting } = (await head.call(proposalApi.list, { body: { state: ['open'] } })).data
  const its = waiting.filter(({ whose }) => whose?.name === 'Hanna').at(-1)
  expect(its?.payment).toMatchObject({ day: '2026-11-21', external_id: 'T-77', moved: { currency: 'EUR', amount: '1000000.0000' } })
  expect(its?.payment?.source).not.toBe('')
  const drafted = await makeInvoice(admin, await makePayable(api.db, one.affiliateId ?? 0, ['10'], { at: api.clock.now() - 86_400_000 }))
  await admin.call(invoiceApi.send, { params: { uuid: drafted.uuid }, body: { revision: drafted.revision } })
  const approved = await head.call(invoiceApi.approve, { params: { uuid: drafted.uuid }, body: { revision: drafted.revision + 1 } })
  const { uuid, revision } = approved.data
  const pay = async (at: number, more: object) =>
    (await admin.call(invoiceApi.pay, { params: { uuid }, body: { ...paymentOf('1', at), ...more } })).data
  const open = approved.data.open
  expect(await pay(revision, { ...moved('1000000'), external_id: 'T-78' })).toMatchObject({ open, payments: [] })
  expect(await pay(revision + 1, moved('0.8'))).toMatchObject({ payments: [{ state: 'settled' }] })
  const [asked] = (await head.call(proposalApi.list, { body: { state: ['open'], invoice_uuid: uuid } })).data.list
  expect(asked).toMatchObject({ kind: 'advance', payment: { external_id: 'T-78', moved: { currency: 'EUR', amount: '1000000.0000' } } })
  expect((await head.call(proposalApi.confirm, { params: { uuid: asked?.uuid ?? '' } })).status).toBe(200)
  const { payments } = (await admin.call(invoiceApi.get, { params: { uuid } })).data
  expect(payments.map(({ external_id }) => external_id)).toContain('T-78')
})
