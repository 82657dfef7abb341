import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { billingApi } from '#contract/money/billing.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { objectionApi } from '#contract/money/objection.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { editable, makeInvoice, makePayable } from '#test/support/make/invoices.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const DAY = 86_400_000
let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(async () => {
  affiliate = await api.as('affiliate', { name: 'Iryna' })
})

async function makeWaiting(): Promise<InvoiceDetail> {
  const rows = await makePayable(api.db, affiliate.affiliateId ?? 0, ['10', '20'], { at: api.clock.now() - DAY })
  const draft = await makeInvoice(admin, rows)
  return (await admin.call(invoiceApi.send, { params: { uuid: draft.uuid }, body: { revision: draft.revision } })).data
}
const object = (uuid: string, reason = 'Two leads of 12 Nov are missing', by = affiliate) =>
  by.call(objectionApi.make, { params: { uuid }, body: { reason } })
const read = async ({ uuid }: { uuid: string }) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
const approve = async (one: { uuid: string }) =>
  admin.call(invoiceApi.approve, { params: { uuid: one.uuid }, body: { revision: (await read(one)).revision } })
const answer = async (one: { uuid: string }, text = 'They were duplicates') =>
  admin.call(objectionApi.answer, { params: { uuid: one.uuid }, body: { revision: (await read(one)).revision, answer: text } })
const bell = async (of: Caller) => (await of.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'invoice_objection')

describe('an objection to an invoice', () => {
  test('keeps it from being approved until staff answer, and both sides are told', async () => {
    const waiting = await makeWaiting()
    const made = await object(waiting.uuid)
    expect(made.data).toMatchObject({ open: false, list: [{ state: 'open', reason: 'Two leads of 12 Nov are missing', answer: '' }] })
    const refused = await approve(waiting)
    expect(refused).toMatchObject({ status: 409 })
    expect(refused.errors).toHaveProperty('1122')
    const [told] = await bell(admin)
    expect(told).toMatchObject({ status: waiting.uuid, reason: 'Two leads of 12 Nov are missing', affiliate: { name: 'Iryna' } })
    const answered = await answer(waiting)
    expect(answered.data.history.map(({ event }) => event)).toEqual(['made', 'edited', 'sent', 'objected', 'objection_answered'])
    expect(await bell(affiliate)).toMatchObject([{ status: waiting.uuid, reason: 'They were duplicates', affiliate: null }])
    const theirs = (await affiliate.call(objectionApi.own, { params: { uuid: waiting.uuid } })).data
    expect(theirs).toMatchObject({ open: true, list: [{ state: 'answered', answer: 'They were duplicates' }] })
    // who answered is nobody’s business but staff’s
    expect(JSON.stringify(theirs)).not.toContain('answered_by')
    expect((await approve(waiting)).data).toMatchObject({ status: 'approved' })
    expect((await object(waiting.uuid)).status).toBe(409)
    expect(await findDifferences(api.db)).toEqual([])
  })

  test('is made within the days of the settings, once at a time, by the owner alone', async () => {
    const { version } = (await admin.call(billingApi.rules, {})).data
    const rules = {
      four_eyes: false,
      four_eyes_limit: '0',
      receipt_limit: '0',
      object_days: 2,
      own_invoice: false,
      ask_first: false,
      version,
    }
    expect((await admin.call(billingApi.updateRules, { body: rules })).status).toBe(200)
    const [waiting, late] = [await makeWaiting(), await makeWaiting()]
    const until = new Date(api.clock.now() + 2 * DAY).toISOString()
    expect((await affiliate.call(objectionApi.own, { params: { uuid: waiting.uuid } })).data).toEqual({ until, open: true, list: [] })
    const [one, other] = await Promise.all([object(waiting.uuid), object(waiting.uuid)])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(other.data.list).toHaveLength(1)
    const stranger = await api.as('affiliate')
    expect((await object(waiting.uuid, 'x', stranger)).status).toBe(404)
    expect((await object(waiting.uuid, 'x', admin)).status).toBe(403)
    expect((await object(waiting.uuid, ' ')).fields).toHaveProperty('reason')
    api.clock.advance(2 * DAY)
    expect((await object(late.uuid)).errors).toHaveProperty('1123')
    api.clock.advance(-2 * DAY)
  })

  test('ends when the affiliate withdraws it, or staff take the invoice back and change it', async () => {
    const [withdrawn, changed] = [await makeWaiting(), await makeWaiting()]
    await object(withdrawn.uuid)
    const after = await affiliate.call(objectionApi.withdraw, { params: { uuid: withdrawn.uuid } })
    expect(after.data.list).toMatchObject([{ state: 'withdrawn' }])
    expect((await affiliate.call(objectionApi.withdraw, { params: { uuid: withdrawn.uuid } })).status).toBe(200)
    expect((await answer(withdrawn)).errors).toHaveProperty('1021')
    expect((await approve(withdrawn)).data.status).toBe('approved')

    await object(changed.uuid)
    const draft = (
      await admin.call(invoiceApi.takeBack, { params: { uuid: changed.uuid }, body: { revision: (await read(changed)).revision } })
    ).data
    const body = { ...editable(draft), note: 'As you asked', revision: draft.revision }
    const edited = (await admin.call(invoiceApi.update, { params: { uuid: draft.uuid }, body })).data
    await admin.call(invoiceApi.send, { params: { uuid: draft.uuid }, body: { revision: edited.revision } })
    const { list, open } = (await admin.call(objectionApi.list, { params: { uuid: draft.uuid } })).data
    expect(list).toMatchObject([{ state: 'ended', made_by: 'Iryna' }])
    expect(open).toBe(true)
    expect((await approve(draft)).data.status).toBe('approved')
  })

  test('does not make whoever answers an editor, so that they may approve where four eyes are asked for', async () => {
    const waiting = await makeWaiting()
    const head = await api.as('head')
    const { version } = (await admin.call(billingApi.rules, {})).data
    const rules = {
      four_eyes: true,
      four_eyes_limit: '0',
      receipt_limit: '0',
      object_days: 7,
      own_invoice: false,
      ask_first: false,
      version,
    }
    await admin.call(billingApi.updateRules, { body: rules })
    await object(waiting.uuid)
    const params = { params: { uuid: waiting.uuid } }
    const answered = await head.call(objectionApi.answer, { ...params, body: { revision: (await read(waiting)).revision, answer: 'No' } })
    expect((await head.call(invoiceApi.approve, { ...params, body: { revision: answered.data.revision } })).data.status).toBe('approved')
  })
})
