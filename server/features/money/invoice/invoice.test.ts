import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { standingStill, waiting } from '#test/support/fault/stand-still.ts'
import { setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { editable, makeInvoice, makeIssued, makePayable, makeSelfBilled, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { startRun, workOffRow } from './run.service.ts'

let api: TestApi
let admin: Caller
let head: Caller
let affiliate: Caller
const NOW = '2026-11-21T10:00:00Z'

beforeAll(async () => {
  api = await startApi({ at: NOW })
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
})
afterAll(() => api.close())

/** Somebody with approved conversions. */
async function earn(amounts: string[], more: { currency?: string } = {}): Promise<ConversionRow[]> {
  affiliate = await api.as('affiliate', { name: 'Iryna' })
  return makePayable(api.db, affiliate.affiliateId ?? 0, amounts, { at: api.clock.now() - 86_400_000, ...more })
}
const sound = async () => expect(await findDifferences(api.db)).toEqual([])
const read = async ({ uuid }: { uuid: string }) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
type Step = 'send' | 'takeBack' | 'approve' | 'remove' | 'refresh' | 'addLines' | 'settle' | 'takeVat'
const step = (by: Caller, name: Step, { uuid, revision }: Pick<InvoiceDetail, 'uuid' | 'revision'>) =>
  by.call(invoiceApi[name], { params: { uuid }, body: { revision } })
/** What the affiliate has on its accounts, without what is nothing. */
const has = async () => {
  const { list } = (await affiliate.call(ledgerApi.ownAccounts)).data
  return Object.fromEntries(
    list.filter(({ amount }) => Number(amount) !== 0).map(({ kind, amount }) => [kind.replace('affiliate_', ''), amount]),
  )
}
/** What becomes of a conversion after it was put on an invoice. */
async function become(row: ConversionRow, changes: Partial<ConversionRow>, actorId: number | null = null) {
  await api.db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('conversion').selectAll().where('id', '=', row.id).forUpdate().executeTakeFirstOrThrow()
    const after = { ...before, ...changes, updated_at: new Date(api.clock.now()) }
    await recordChanges(trx, [{ before, after, origin: 'postback', actorId }], api.clock.now())
  })
}

describe('an invoice of conversions', () => {
  test('goes from draft to paid, and the affiliate’s money with it, to the cent', async () => {
    const rows = await earn(['10', '20.5', '3.3333'])
    expect(await has()).toEqual({ available: '33.8333' })
    const draft = await makeInvoice(admin, rows)
    expect(draft).toMatchObject({
      status: 'draft',
      number: null,
      net: '33.8300',
      total: '33.8300',
      open: '33.8300',
      affiliate: { name: 'Iryna' },
    })
    expect(await has()).toEqual({ invoiced: '33.8300' })
    await sound()
    // drafts are a sum to the affiliate
    expect((await affiliate.call(ownInvoiceApi.list)).data).toMatchObject({
      list: [],
      summary: { rows: 0, totals: { preparing: [{ currency: 'USD', amount: '33.8300' }] } },
    })
    expect((await affiliate.call(ownInvoiceApi.get, { params: { uuid: draft.uuid } })).status).toBe(404)

    const waiting = (await step(admin, 'send', draft)).data
    expect(waiting.status).toBe('waiting')
    expect((await affiliate.call(ownInvoiceApi.list)).data.list).toMatchObject([{ status: 'waiting', number: null, total: '33.8300' }])
    const issued = (await step(admin, 'approve', waiting)).data
    expect(issued).toMatchObject({ status: 'approved', number: `PS-${affiliate.affiliateId}-2026-1` })

    const part = (await admin.call(invoiceApi.pay, { params: { uuid: draft.uuid }, body: paymentOf('30', issued.revision) })).data
    expect(part).toMatchObject({ status: 'partly_paid', paid: '30.0000', open: '3.8300' })
    const sent = (
      await admin.call(invoiceApi.pay, { params: { uuid: draft.uuid }, body: paymentOf('3.83', part.revision, { settled: false }) })
    ).data
    expect(sent).toMatchObject({ status: 'partly_paid', sent: '3.8300', open: '0.0000' })
    expect(await has()).toEqual({ transit: '3.8300' })
    await sound()
    const paid = (await step(admin, 'settle', sent)).data
    expect(paid).toMatchObject({
      status: 'paid',
      paid: '33.8300',
      sent: '0.0000',
      open: '0.0000',
      payments: [{ state: 'settled' }, { state: 'settled' }],
    })
    const again = await admin.call(invoiceApi.pay, {
      params: { uuid: draft.uuid },
      body: paymentOf('1', paid.revision, { in_advance: true }),
    })
    expect([again.status, Object.values(again.errors)]).toEqual([409, ['A payment for this invoice is on its way or done.']])
    expect(await has()).toEqual({})
    const states = await api.db
      .selectFrom('conversion')
      .select('payment_state')
      .where('affiliate_id', '=', affiliate.affiliateId ?? 0)
      .execute()
    expect(states.map(({ payment_state }) => payment_state)).toEqual(['paid', 'paid', 'paid'])
    expect(paid.history.map(({ event }) => event)).toEqual([
      'made',
      'edited',
      'sent',
      'approved',
      'payment_settled',
      'payment_sent',
      'payment_settled',
    ])
    expect((await affiliate.call(ownInvoiceApi.payments)).data.list.map(({ amount }) => amount)).toEqual(['3.8300', '30.0000'])
    await sound()
  })

  test('is told to its affiliate without revenue, advertiser, internal notes or names of staff', async () => {
    const rows = await earn(['10'])
    const draft = await makeInvoice(admin, rows)
    await admin.call(invoiceApi.update, {
      params: { uuid: draft.uuid },
      body: { ...editable(draft), internal_note: 'Slow payer', note: 'Thank you', revision: draft.revision },
    })
    await step(admin, 'send', { ...draft, revision: draft.revision + 1 })
    const own = (await affiliate.call(ownInvoiceApi.get, { params: { uuid: draft.uuid } })).data
    const lines = (await affiliate.call(ownInvoiceApi.lines, { body: { uuid: draft.uuid } })).data
    expect(own).toMatchObject({ note: 'Thank you', lines: [{ kind: 'conversion', rows: 1, amount: '10.0000' }] })
    expect(lines.list).toMatchObject([{ kind: 'conversion', amount: '10.0000', conversion: { uuid: rows[0]?.uuid } }])
    expect(JSON.stringify([own, lines])).not.toMatch(/Slow payer|revenue|advertiser|admin|15\.0/i)
    const stranger = await api.as('affiliate')
    expect((await stranger.call(ownInvoiceApi.get, { params: { uuid: draft.uuid } })).status).toBe(404)
    for (const role of ['manager', 'team lead'] as const) expect((await (await api.as(role)).call(invoiceApi.list)).status).toBe(403)
  })

  test('frees its conversions when it is declined or deleted, and then they can be put on another', async () => {
    const rows = await earn(['10', '20'])
    const draft = await makeInvoice(admin, rows)
    const waiting = (await step(admin, 'send', draft)).data
    const declined = await admin.call(invoiceApi.decline, {
      params: { uuid: draft.uuid },
      body: { revision: waiting.revision, reason: 'Wrong month' },
    })
    expect(declined.data).toMatchObject({ status: 'declined', reason: 'Wrong month', open: '0.0000' })
    const again = async (reason: string) =>
      (await admin.call(invoiceApi.decline, { params: { uuid: draft.uuid }, body: { revision: waiting.revision, reason } })).status
    expect([await again('Wrong month'), await again('Wrong affiliate')]).toEqual([200, 409])
    expect(await has()).toEqual({ available: '30.0000' })
    const next = await makeInvoice(admin, rows)
    expect((await step(admin, 'remove', next)).status).toBe(200)
    expect(await has()).toEqual({ available: '30.0000' })
    await sound()
    const { list } = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [affiliate.uuid] } })).data
    expect(list.map(({ status }) => status)).toEqual(['declined'])
    expect((await admin.call(invoiceApi.list, { body: { affiliate_uuid: [affiliate.uuid], deleted: true } })).data.list).toMatchObject([
      { id: next.id },
    ])
  })

  test('that is issued ends by a credit note alone, which has a series of its own', async () => {
    const issued = await makeIssued(admin, await earn(['10', '20']))
    for (const name of ['remove', 'refresh'] as const) expect((await step(admin, name, issued)).errors).toHaveProperty('1084')
    const changed = { ...editable(issued), note: 'Other', revision: issued.revision }
    expect((await admin.call(invoiceApi.update, { params: { uuid: issued.uuid }, body: changed })).errors).toHaveProperty('1084')
    const noted = { ...editable(issued), internal_note: 'Called', revision: issued.revision }
    expect((await admin.call(invoiceApi.update, { params: { uuid: issued.uuid }, body: noted })).data.internal_note).toBe('Called')
    const cancel = { params: { uuid: issued.uuid }, body: { revision: issued.revision + 1, reason: 'Wrong party' } }
    expect((await admin.call(invoiceApi.cancel, cancel)).data).toMatchObject({
      status: 'cancelled',
      credited: '30.0000',
      credit_note: { number: `PSC-${affiliate.affiliateId}-2026-1`, total: '30.0000' },
    })
    expect(await has()).toEqual({ available: '30.0000' })
    await sound()
    // what was paid cannot be cancelled
    const again = await makeIssued(admin, await earn(['10']))
    const paid = (await admin.call(invoiceApi.pay, { params: { uuid: again.uuid }, body: paymentOf('4', again.revision) })).data
    const late = { params: { uuid: again.uuid }, body: { revision: paid.revision, reason: 'Late' } }
    expect((await admin.call(invoiceApi.cancel, late)).errors).toHaveProperty('1083')
  })

  test('in a currency without decimals is rounded once, and the rest is booked as that', async () => {
    const rows = await earn(['10.4', '10.3', '10.2'], { currency: 'JPY' })
    const draft = await makeInvoice(admin, rows)
    expect(draft.net).toBe('31.0000')
    expect(draft.bookings.flatMap(({ entries }) => entries).filter(({ account }) => account === 'rounding')).toEqual([
      { account: 'rounding', amount: '0.1000', currency: 'JPY' },
    ])
    await sound()
    expect((await step(admin, 'remove', draft)).status).toBe(200)
    expect(await has()).toEqual({ available: '30.9000' })
    await sound()
  })

  test('with VAT owes it from its approval on, of the whole and not of its lines', async () => {
    const rows = await earn(['10.01', '10.01', '10.01'])
    await makeSelfBilled(api.db, { ...affiliate, affiliateId: affiliate.affiliateId ?? 0 }, { vat_category: 'S', vat_rate: '23' })
    const draft = await makeInvoice(admin, rows)
    expect(draft).toMatchObject({ vat_category: 'S', vat_rate: '23.000' })
    const taxed = { ...editable(draft), vat_category: 'S' as const, vat_rate: '20', revision: draft.revision }
    const with_ = (await admin.call(invoiceApi.update, { params: { uuid: draft.uuid }, body: taxed })).data
    expect(with_).toMatchObject({ net: '30.0300', vat: '6.0100', total: '36.0400', open: '30.0300' })
    // what was decided since is asked about, and taken by a click
    expect((await step(admin, 'send', with_)).errors).toHaveProperty('1142')
    const taken = (await step(admin, 'takeVat', with_)).data
    expect(taken).toMatchObject({ vat_rate: '23.000', total: '36.9400' })
    const waiting = (await step(admin, 'send', taken)).data
    const decide = (vat_rate: string) =>
      api.db
        .updateTable('tax_profile')
        .set({ vat_rate })
        .where('affiliate_id', '=', affiliate.affiliateId ?? 0)
        .execute()
    await decide('20')
    expect((await step(admin, 'approve', waiting)).errors).toHaveProperty('1142')
    const issued = (await step(admin, 'approve', (await step(admin, 'takeVat', waiting)).data)).data
    expect(issued.open).toBe('36.0400')
    expect(await has()).toEqual({ invoiced: '36.0400' })
    await sound()
  })
})

test('a period that ends where no midnight follows is refused in words', async () => {
  await earn(['10'])
  for (const period_to of ['9999-12-30', '9999-12-31', '0001-01-01']) {
    const fields = { period_to: 'Choose a day from 2000 to 2100' }
    expect(await admin.call(invoiceApi.preview, { body: { period_to } })).toMatchObject({ status: 400, fields })
    expect(await admin.call(invoiceApi.createFromAffiliates, { body: { key: randomUUID(), period_to } })).toMatchObject({
      status: 400,
      fields,
    })
  }
})

test('a sum beyond what is stored is refused, and the invoice stays as it was', async () => {
  const { uuid, ...made } = await makeInvoice(admin, await earn(['10']))
  let { revision } = made
  const give = () =>
    admin.call(invoiceApi.adjust, { params: { uuid }, body: { revision, kind: 'bonus', amount: '99999999999999', note: 'Much' } })
  for (let times = 0; times < 9; times++) revision = (await give()).data.revision
  expect((await give()).status).toBe(400)
  expect((await admin.call(invoiceApi.get, { params: { uuid } })).data).toMatchObject({ revision, net: '900000000000001.0000' })
  await sound()
})

test('a period that ends before it begins is refused in words', async () => {
  await earn(['10'])
  const body = { period_from: '2026-11-21', period_to: '2026-11-20' }
  const refused = { status: 422, fields: { period_to: 'The last day lies before the first' } }
  expect(await admin.call(invoiceApi.preview, { body })).toMatchObject(refused)
  expect(await admin.call(invoiceApi.createFromAffiliates, { body: { key: randomUUID(), ...body } })).toMatchObject(refused)
})

test('an invoice whose lines were taken off while it waited gets no number', async () => {
  const draft = await makeInvoice(admin, await earn(['10']))
  const waiting = (await step(admin, 'send', draft)).data
  const { list } = (await admin.call(invoiceApi.lines, { body: { uuid: draft.uuid } })).data
  const body = { revision: waiting.revision, lines: list.map(({ id }) => id) }
  const empty = (await admin.call(invoiceApi.removeLines, { params: { uuid: draft.uuid }, body })).data
  expect(empty).toMatchObject({ status: 'waiting', net: '0.0000' })
  expect((await step(admin, 'approve', empty)).errors).toHaveProperty('1086')
  await sound()
})

describe('what changed since', () => {
  test('is told, taken over by a refresh, and asked about before the number is given', async () => {
    const [first, second] = await earn(['10', '20'])
    if (!first || !second) throw new Error('no conversions')
    const draft = await makeInvoice(admin, [first, second])
    await become(first, { status: 'declined', reason: 'Fraud' })
    await become(second, { payout: '25.0000' })
    expect((await read(draft)).changed).toBe('-5.0000')
    const { list } = (await admin.call(invoiceApi.lines, { body: { uuid: draft.uuid, changed: true } })).data
    expect(list.map(({ amount, conversion }) => [amount, conversion?.payout])).toEqual([
      ['10.0000', '0.0000'],
      ['20.0000', '25.0000'],
    ])
    expect(list[0]?.change).toMatchObject({ reason: 'Fraud', origin: 'postback', by: '' })
    expect(Date.parse(list[0]?.change?.at ?? '')).toBeLessThanOrEqual(api.clock.now())
    const all = (await admin.call(invoiceApi.lines, { body: { uuid: draft.uuid } })).data.list
    expect(all.map(({ change }) => change)).toEqual([null, null])
    await sound()
    const waiting = (await step(admin, 'send', draft)).data
    expect((await step(admin, 'approve', waiting)).errors).toHaveProperty('1085')
    const fresh = (await step(admin, 'refresh', waiting)).data
    expect(fresh).toMatchObject({ changed: null, net: '25.0000', lines: [{ kind: 'conversion', rows: 1 }] })
    await sound()
    expect((await step(admin, 'approve', fresh)).status).toBe(200)
    expect(await has()).toEqual({ invoiced: '25.0000' })
  })

  test('after the number is a correction: available at once, and a line of the next invoice', async () => {
    const [first, second, third] = await earn(['10', '20', '30'])
    if (!first || !second || !third) throw new Error('no conversions')
    const issued = await makeIssued(admin, [first, second])
    await become(first, { payout: '4.0000' })
    expect(await has()).toEqual({ correction: '-6.0000', available: '30.0000', invoiced: '30.0000' })
    // more than is available: what is owed comes along
    const whole = await makeInvoice(admin, [third])
    expect(whole).toMatchObject({ net: '24.0000' })
    expect(whole.lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['conversion', '30.0000'],
      ['correction', '-6.0000'],
    ])
    expect(await has()).toEqual({ invoiced: '54.0000' })
    await sound()
    // it comes back: the difference is one again, and asked about though it is only a correction that changed
    await become(first, { payout: '10.0000' })
    const waiting = (await step(admin, 'send', whole)).data
    expect(waiting.changed).toBe('6.0000')
    expect((await step(admin, 'approve', waiting)).errors).toHaveProperty('1085')
    expect((await step(admin, 'refresh', waiting)).data).toMatchObject({ net: '30.0000', changed: null })
    expect((await read(issued)).net).toBe('30.0000')
    await sound()
  })
})

describe('bonuses and corrections', () => {
  test('stand on the invoice at once, end when they are taken off, and are for the next when it is deleted', async () => {
    const draft = await makeInvoice(admin, await earn(['10']))
    const adjust = (kind: 'bonus' | 'correction', amount: string, revision: number) =>
      admin.call(invoiceApi.adjust, { params: { uuid: draft.uuid }, body: { kind, amount, note: 'For May', revision } })
    expect((await adjust('bonus', '-1', draft.revision)).fields).toHaveProperty('amount')
    expect((await adjust('bonus', '1.001', draft.revision)).fields).toHaveProperty('amount')
    const more = (await adjust('bonus', '5', draft.revision)).data
    const less = (await adjust('correction', '-2.5', more.revision)).data
    expect(less.net).toBe('12.5000')
    expect((await adjust('correction', '-50', less.revision)).fields).toHaveProperty('lines')
    await sound()
    const lines = (await admin.call(invoiceApi.lines, { body: { uuid: draft.uuid, kind: ['adjustment'] } })).data.list
    const bonus = lines.find(({ adjustment }) => adjustment?.kind === 'bonus')?.id ?? 0
    const without = (
      await admin.call(invoiceApi.removeLines, { params: { uuid: draft.uuid }, body: { lines: [bonus], revision: less.revision } })
    ).data
    expect(without.net).toBe('7.5000')
    await sound()
    await step(admin, 'remove', without)
    expect(await has()).toEqual({ available: '10.0000', correction: '-2.5000' })
    await makeMethod(api, affiliate.affiliateId ?? 0)
    const preview = (
      await admin.call(invoiceApi.preview, { body: { period_to: '2026-11-21', minimum: '0', affiliate_uuids: [affiliate.uuid] } })
    ).data
    expect(preview.list).toMatchObject([{ net: '7.5000', conversions: 1, corrections: 1, later: null, left_out: null }])
    const yesterday = { period_to: '2026-11-20', minimum: '0', affiliate_uuids: [affiliate.uuid] }
    expect((await admin.call(invoiceApi.preview, { body: yesterday })).data.list).toMatchObject([{ corrections: 0, later: '-2.5000' }])
    await sound()
  })

  test('the same edit sent again is answered as the first time, and is one edit; another one is refused', async () => {
    const draft = await makeInvoice(admin, await earn(['10']))
    const body = { kind: 'bonus' as const, amount: '5', note: 'For May', revision: draft.revision }
    const adjust = (more: object = {}, by = admin) =>
      by.call(invoiceApi.adjust, { params: { uuid: draft.uuid }, body: { ...body, ...more } })
    const all = await Promise.all([adjust(), adjust(), adjust()])
    expect(all.map(({ status, data }) => [status, data.net])).toEqual(Array(3).fill([200, '15.0000']))
    const others = [await adjust({ amount: '6' }), await adjust({ note: '' }), await adjust({ kind: 'correction' }), await adjust({}, head)]
    expect(others.map(({ status }) => status)).toEqual([409, 400, 409, 409])
    const { list: lines } = (await admin.call(invoiceApi.lines, { body: { uuid: draft.uuid, kind: ['adjustment'] } })).data
    const remove = (ids: number[]) =>
      admin.call(invoiceApi.removeLines, { params: { uuid: draft.uuid }, body: { lines: ids, revision: draft.revision + 1 } })
    const off = [await remove(lines.map(({ id }) => id)), await remove(lines.map(({ id }) => id))]
    expect(off.map(({ status, data }) => [status, data.net])).toEqual(Array(2).fill([200, '10.0000']))
    expect((await remove([1])).status).toBe(409)
    const asked = { period_from: null, period_to: draft.period_to, payment_system: '', due_day: null, vat_category: 'O' as const }
    const input = { ...asked, vat_rate: '0', note: '', internal_note: 'Seen', revision: draft.revision + 2 }
    const edit = (more: object = {}) => admin.call(invoiceApi.update, { params: { uuid: draft.uuid }, body: { ...input, ...more } })
    expect([(await edit()).status, (await edit()).status, (await edit({ internal_note: 'x' })).status]).toEqual([200, 200, 409])
    // somebody else's step since: nothing is taken for what it is not
    await step(admin, 'refresh', (await edit()).data)
    expect((await edit()).status).toBe(409)
    await sound()
  })

  test('made after the end of a period are for the next', async () => {
    affiliate = await api.as('affiliate')
    await makeMethod(api, affiliate.affiliateId ?? 0)
    const old = Date.parse('2026-10-15T12:00:00Z')
    const draft = await makeInvoice(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, ['10'], { at: old }))
    const body = { kind: 'bonus' as const, amount: '5', note: 'For May', revision: draft.revision }
    await step(admin, 'remove', (await admin.call(invoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data)
    const asked = (period_to: string) => ({ period_to, minimum: '0', affiliate_uuids: [affiliate.uuid] })
    const worth = async (day: string) => (await admin.call(invoiceApi.preview, { body: asked(day) })).data.list.map(({ net }) => net)
    expect([await worth('2026-10-31'), await worth('2026-11-21')]).toEqual([['10.0000'], ['15.0000']])
    const started = await admin.call(invoiceApi.createFromAffiliates, {
      body: { key: randomUUID(), ...asked('2026-10-31') },
    })
    expect(started.data).toMatchObject({ rows: 1, made: 1 })
    const { list } = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [affiliate.uuid] } })).data
    const [made] = list.filter(({ status }) => status === 'draft')
    expect(made).toMatchObject({ net: '10.0000', period_to: '2026-10-31' })
    const more = await admin.call(invoiceApi.addLines, { params: { uuid: made?.uuid ?? '' }, body: { revision: made?.revision ?? 0 } })
    expect(more.errors).toHaveProperty('1086')
    expect(await worth('2026-11-21')).toEqual(['5.0000'])
    await sound()
  })
})

describe('payments', () => {
  test('of more than is open are asked about, paid in advance, and run down by the next invoice', async () => {
    const [first, second] = await earn(['10', '20'])
    if (!first || !second) throw new Error('no conversions')
    const issued = await makeIssued(admin, [first])
    const pay = (amount: string, more = {}) =>
      admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf(amount, issued.revision, more) })
    for (const amount of ['0', '10.001', '15']) expect((await pay(amount)).fields).toHaveProperty('amount')
    expect((await pay('15', { in_advance: true })).data).toMatchObject({
      status: 'paid',
      payments: [{ amount: '15.0000', on_invoice: '10.0000' }],
    })
    expect(await has()).toEqual({ available: '20.0000', prepaid: '5.0000' })
    await sound()
    const next = await makeIssued(admin, [second])
    expect(next).toMatchObject({ status: 'approved', offset_prepaid: '5.0000', open: '15.0000' })
    expect(await has()).toEqual({ invoiced: '15.0000' })
    await sound()
    // a credit note gives what was prepaid back
    await admin.call(invoiceApi.cancel, { params: { uuid: next.uuid }, body: { revision: next.revision, reason: 'Again' } })
    expect(await has()).toEqual({ available: '20.0000', prepaid: '5.0000' })
    await sound()
  })

  test('that do not arrive leave the invoice open, and take back what later ones used of them', async () => {
    const [first, second] = await earn(['10', '20'])
    if (!first || !second) throw new Error('no conversions')
    const issued = await makeIssued(admin, [first])
    const body = paymentOf('18', issued.revision, { settled: false, in_advance: true })
    const sent = (await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body })).data
    expect(sent).toMatchObject({ status: 'approved', sent: '10.0000' })
    const next = await makeIssued(admin, [second])
    expect(next).toMatchObject({ offset_prepaid: '8.0000', open: '12.0000' })
    const failed = await admin.call(invoiceApi.fail, {
      params: { uuid: issued.uuid },
      body: { revision: sent.revision, reason: 'Wrong IBAN' },
    })
    expect(failed.data).toMatchObject({ status: 'approved', sent: '0.0000', open: '10.0000', payments: [{ state: 'failed' }] })
    expect(await read(next)).toMatchObject({ offset_prepaid: '0.0000', open: '20.0000' })
    expect(await has()).toEqual({ invoiced: '30.0000' })
    await sound()
  })

  test('are booked once, whatever is sent again', async () => {
    const issued = await makeIssued(admin, await earn(['10']))
    const body = paymentOf('10', issued.revision, { external_id: `bank-${issued.id}` })
    const pay = () => admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body })
    const answers = await Promise.all([pay(), pay(), pay()])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    expect((await pay()).data).toMatchObject({ status: 'paid', payments: [{ amount: '10.0000' }] })
    const other = await makeIssued(admin, await earn(['10']))
    const same = paymentOf('10', other.revision, { external_id: `bank-${issued.id}` })
    expect((await admin.call(invoiceApi.pay, { params: { uuid: other.uuid }, body: same })).fields).toHaveProperty('external_id')
    await sound()
    // by the same key another amount, day or source is another payment
    for (const more of [{ amount: '9' }, { day: '2026-11-20' }, { source_id: 2 }])
      expect((await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: { ...body, ...more } })).status).toBe(409)
    // another payment by who saw the same is no repetition, and a key is of one call
    const second = { ...body, key: randomUUID(), external_id: '' }
    expect((await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: second })).errors).toHaveProperty('1080')
  })
})

describe('where the money goes', () => {
  const method = (more: Parameters<typeof makeMethod>[2]) => makeMethod(api, affiliate.affiliateId ?? 0, more)
  const pay = (issued: InvoiceDetail, amount: string) =>
    admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf(amount, issued.revision) })

  test('a method that was changed is paid to from the moment its lock ends', async () => {
    const issued = await makeIssued(admin, await earn(['40']))
    const until = new Date(api.clock.now() + 3_600_000)
    await method({ locked_until: until })
    const refused = await pay(issued, '40')
    expect([refused.status, refused.errors]).toEqual([
      409,
      { 1089: `The payment method was changed. It can be used from ${until.toISOString()}.` },
    ])
    expect((await read(issued)).open).toBe('40.0000')
    api.clock.advance(3_600_000)
    expect((await pay(issued, '40')).status).toBe(200)
    await sound()
  })

  test('a method that holds what cannot be, or whose system takes no such currency, is not paid to', async () => {
    const issued = await makeIssued(admin, await earn(['40']))
    await method({ values: { email: 'ann@' } })
    const refused = await pay(issued, '40')
    expect([refused.status, refused.errors]).toEqual([422, { 1090: 'email is not valid: This is not an e-mail address.' }])
    const zloty = await makeIssued(admin, await earn(['40'], { currency: 'GBP' }))
    await method({})
    expect((await pay(zloty, '40')).errors).toEqual({ 1090: 'Currency is not valid: PayPal does not pay GBP.' })
  })

  test('an affiliate is told no number that counts the invoices and payments of others', async () => {
    const issued = await makeIssued(admin, await earn(['40']))
    await pay(issued, '40')
    const told = [
      await affiliate.call(ownInvoiceApi.list),
      await affiliate.call(ownInvoiceApi.get, { params: { uuid: issued.uuid } }),
      await affiliate.call(ownInvoiceApi.payments),
      await affiliate.call(ledgerApi.ownEntries, { body: { currency: 'USD' } }),
    ]
    expect(told.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(JSON.stringify(told.map(({ data }) => data))).toContain(issued.number)
    expect(JSON.stringify(told.map(({ data }) => data))).not.toMatch(new RegExp(`"id":${issued.id}[,}]`))
    expect((await affiliate.call(ownInvoiceApi.get, { params: { uuid: String(issued.id) } })).status).toBe(404)
  })
})

describe('two at once', () => {
  test('put the same conversions on one invoice only', async () => {
    const rows = await earn(['10', '20', '30'])
    const uuids = rows.map(({ uuid }) => uuid)
    const answers = await Promise.all(
      [admin, head, admin, head].map((by) => by.call(invoiceApi.createFromConversions, { body: { uuids } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ errors }) => '1081' in errors)).toHaveLength(3)
    expect(await has()).toEqual({ invoiced: '60.0000' })
    await sound()
  })

  test('approve once; the same again by the same person is answered as the first time', async () => {
    const draft = await makeInvoice(admin, await earn(['10']))
    const waiting = (await step(admin, 'send', draft)).data
    const answers = await Promise.all([admin, admin, head].map((by) => step(by, 'approve', waiting)))
    const numbers = answers.flatMap(({ status, data }) => (status === 200 ? [data.number] : []))
    expect(new Set(numbers)).toEqual(new Set([`PS-${affiliate.affiliateId}-2026-1`]))
    expect(answers.some(({ errors }) => '1080' in errors)).toBe(true)
    const asked = { params: { uuid: draft.uuid }, body: { revision: waiting.revision, leave_changed: true } }
    expect((await admin.call(invoiceApi.approve, asked)).status).toBe(409)
    expect((await read(draft)).history.filter(({ event }) => event === 'approved')).toHaveLength(1)
    await sound()
  })

  test('give numbers without gaps or doubles, whatever fails in between', async () => {
    const rows = await earn(Array.from({ length: 12 }, (_one, index) => String(index + 1)))
    const waiting: InvoiceDetail[] = []
    for (const row of rows) waiting.push((await step(admin, 'send', await makeInvoice(admin, [row]))).data)
    // of every other one the conversion changes, so that its approval is refused
    for (const [index, row] of rows.entries()) if (index % 2 === 1) await become(row, { payout: '99.0000' })
    const answers = await Promise.all(waiting.map((one) => step(admin, 'approve', one)))
    const numbers = answers.flatMap(({ status, data }) => (status === 200 ? [Number(data.number?.split('-').at(-1))] : []))
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6])
    await sound()
  })

  test('make what a postback changes meanwhile right either way', async () => {
    const rows = await earn(Array.from({ length: 20 }, () => '10'))
    const uuids = rows.map(({ uuid }) => uuid)
    await Promise.all([
      admin.call(invoiceApi.createFromConversions, { body: { uuids } }),
      ...rows.slice(0, 10).map((row) => become(row, { status: 'declined', reason: 'Late' })),
      admin.call(conversionApi.decide, { body: { uuids: uuids.slice(10, 15), status: 'declined', reason: 'Twice' } }),
    ])
    await sound()
  })
})

describe('invoices of a period', () => {
  test('are previewed with who is left out and why, and made once', async () => {
    const rich = await api.as('affiliate', { name: 'Rich' })
    const poor = await api.as('affiliate', { name: 'Poor' })
    const gone = await api.as('affiliate', { name: 'Gone', status: 'inactive' })
    const at = Date.parse('2026-10-10T12:00:00Z')
    for (const one of [rich, poor, gone]) await makeMethod(api, one.affiliateId ?? 0)
    await makePayable(api.db, rich.affiliateId ?? 0, ['60', '50'], { at })
    await makePayable(api.db, rich.affiliateId ?? 0, ['200'], { at, currency: 'EUR' })
    await makePayable(api.db, rich.affiliateId ?? 0, ['1000'], { at: Date.parse('2026-11-01T00:00:00Z') })
    await makePayable(api.db, poor.affiliateId ?? 0, ['5'], { at })
    await makePayable(api.db, gone.affiliateId ?? 0, ['500'], { at })
    const asked = {
      period_from: '2026-10-01',
      period_to: '2026-10-31',
      minimum: '50',
      affiliate_uuids: [rich.uuid, poor.uuid, gone.uuid],
    }
    const { list } = (await admin.call(invoiceApi.preview, { body: asked })).data
    expect(list.map(({ affiliate: { name }, currency, net, left_out }) => [name, currency, net, left_out].join(' '))).toEqual([
      'Rich EUR 200.0000 ',
      'Rich USD 110.0000 ',
      'Gone USD 500.0000 not_active',
      'Poor USD 5.0000 below_minimum',
    ])
    const key = randomUUID()
    const runs = await Promise.all([1, 2].map(() => admin.call(invoiceApi.createFromAffiliates, { body: { key, ...asked } })))
    // the key of one call answers no other
    const other = await admin.call(invoiceApi.createFromAffiliates, { body: { key, ...asked, minimum: '60' } })
    expect(other.status).toBe(409)
    const run = (await admin.call(invoiceApi.run, { params: { uuid: runs[0]?.data.uuid ?? '' } })).data
    expect(run).toMatchObject({ rows: 2, made: 2, waiting: 0, failed: 0 })
    expect(run.invoices.map(({ net }) => net).toSorted()).toEqual(['110.0000', '200.0000'])
    const made = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [rich.uuid] } })).data.list
    expect(made).toHaveLength(2)
    expect(made[0]).toMatchObject({ period_from: '2026-10-01', period_to: '2026-10-31', due_day: '2026-11-15', payment_system: 'paypal' })
    // without a word the minimum of the payment system counts, and none where somebody says so
    const of = { period_to: '2026-10-31', affiliate_uuids: [poor.uuid] }
    const reasons = async (minimum?: string) =>
      (await admin.call(invoiceApi.preview, { body: { ...of, ...(minimum !== undefined && { minimum }) } })).data.list.flatMap(
        (one) => one.reasons,
      )
    expect([await reasons(), await reasons('0')]).toEqual([['below_minimum'], []])
    expect((await admin.call(invoiceApi.createFromAffiliates, { body: { key: randomUUID(), ...of } })).errors).toHaveProperty('1086')
    const [left] = (await admin.call(invoiceApi.preview, { body: { ...asked, period_to: '2026-11-21', affiliate_uuids: [rich.uuid] } }))
      .data.list
    expect(left).toMatchObject({ net: '1000.0000', left_out: 'live_invoice' })
    await sound()
  })

  test('asked for again while they are made are the same ones: nothing is left, and that is not said', async () => {
    await earn(['80'])
    await makeMethod(api, affiliate.affiliateId ?? 0)
    const body = { key: randomUUID(), period_to: '2026-11-21', affiliate_uuids: [affiliate.uuid] }
    const slow = standingStill(api.db, 'billing_run')
    const actor = await actorOfAccount(api.db, admin.accountId)
    // it has looked for a run of its key, and not yet for what there is to be made
    const first = startRun(slow.db, api.clock.now(), actor!, invoiceApi.createFromAffiliates.body.parse(body))
    await slow.there
    const again = admin.call(invoiceApi.createFromAffiliates, { body })
    await waiting(api.db, 1, again)
    slow.go()
    const { uuid } = await first
    expect((await again).data).toMatchObject({ uuid })
    const run = (await admin.call(invoiceApi.run, { params: { uuid } })).data
    expect(run).toMatchObject({ rows: 1, made: 1, invoices: [{ net: '80.0000' }] })
    await sound()
  })

  test('of one affiliate come one after the other: what two runs find at once is on one, and for the other nothing is left', async () => {
    await earn([])
    const bonus = { kind: 'bonus' as const, amount: '30', note: 'For May', internal_note: '', day: '2026-11-20', currency: 'USD' }
    const given = await admin.call(adjustmentApi.create, { body: { ...bonus, key: randomUUID(), affiliate_uuid: affiliate.uuid } })
    expect(given.fields).toEqual({})
    const at = { period_to: '2026-11-21', time_zone: 'UTC', made_by: admin.accountId, created_at: new Date(api.clock.now()) }
    const runs = [1, 2].map(() => ({ key: randomUUID(), ...at }))
    const made = await api.db.insertInto('billing_run').values(runs).returning(['id', 'uuid']).execute()
    const whose = { affiliate_id: affiliate.affiliateId ?? 0, currency: 'USD', expected: '30' }
    await api.db
      .insertInto('billing_run_row')
      .values(made.map(({ id }) => ({ run_id: id, ...whose })))
      .execute()
    // neither writes before both have looked, unless one waits for the other before it looks
    const { both } = await api.db.transaction().execute(async (trx) => {
      await trx.selectFrom('affiliate').select('id').where('id', '=', whose.affiliate_id).forUpdate().execute()
      const asked = made.map(({ uuid }) => workOffRow(api.db, api.clock.now(), uuid))
      await waiting(api.db, 2)
      return { both: asked }
    })
    await Promise.all(both)
    const became = await Promise.all(made.map(async ({ uuid }) => (await admin.call(invoiceApi.run, { params: { uuid } })).data))
    const sum = (state: 'made' | 'nothing' | 'failed') => became.reduce((all, run) => all + run[state], 0)
    expect([sum('made'), sum('nothing'), sum('failed')]).toEqual([1, 1, 0])
    expect(await has()).toEqual({ invoiced: '30.0000' })
    await sound()
  })

  test('that a dying process left are made by the worker, each once', async () => {
    const people = await Promise.all([1, 2, 3].map(() => api.as('affiliate')))
    for (const { affiliateId } of people) await makePayable(api.db, affiliateId ?? 0, ['70'], { at: api.clock.now() - 86_400_000 })
    const run = await api.db
      .insertInto('billing_run')
      .values({
        key: randomUUID(),
        period_to: '2026-11-21',
        time_zone: 'UTC',
        made_by: admin.accountId,
        created_at: new Date(api.clock.now()),
      })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    await api.db
      .insertInto('billing_run_row')
      .values(people.map(({ affiliateId }) => ({ run_id: run.id, affiliate_id: affiliateId ?? 0, currency: 'USD', expected: '70' })))
      .execute()
    const works = async () => {
      while (await workOffRow(api.db, api.clock.now())) {
        // until nothing waits
      }
    }
    await Promise.all([works(), works(), works()])
    expect((await admin.call(invoiceApi.run, { params: { uuid: run.uuid } })).data).toMatchObject({ rows: 3, made: 3, waiting: 0 })
    await sound()
  })
})

test('its affiliate is told when it waits, is approved and paid, once each, with its number and sum', async () => {
  const draft = await makeInvoice(admin, await earn(['10']))
  const waiting = (await step(admin, 'send', draft)).data
  const approved = (await step(admin, 'approve', waiting)).data
  await step(admin, 'approve', waiting)
  await admin.call(invoiceApi.pay, { params: { uuid: draft.uuid }, body: paymentOf('10', approved.revision) })
  const { list } = (await affiliate.call(notificationApi.list)).data
  const told = list.filter(({ kind }) => kind === 'invoice_moved').map(({ status, reason }) => [status, reason])
  expect(told.toReversed()).toEqual([
    ['waiting', '10.00 USD'],
    ['approved', `${approved.number} · 10.00 USD`],
    ['paid', `${approved.number} · 10.00 USD`],
  ])
})

test('whoever saw an older invoice is refused', async () => {
  const draft = await makeInvoice(admin, await earn(['10']))
  await step(admin, 'send', draft)
  expect((await step(head, 'remove', draft)).errors).toHaveProperty('1080')
  expect((await step(head, 'approve', { ...draft, revision: draft.revision + 7 })).errors).toHaveProperty('1080')
})

test('with four eyes asked for, who made or edited an invoice does not approve it, unless nobody else may', async () => {
  await setBilling(api.db, { four_eyes: true, four_eyes_limit: '0' })
  const draft = await makeInvoice(admin, await earn(['10']))
  const waiting = (await step(admin, 'send', draft)).data
  expect((await step(admin, 'approve', waiting)).errors).toHaveProperty('1082')
  const { period_from, period_to, payment_system, due_day, vat_category, vat_rate } = waiting
  const same = { period_from, period_to, payment_system, due_day, vat_category, vat_rate, internal_note: '' }
  const edit = (by: Caller, { uuid, revision }: { uuid: string; revision: number }, more: object) =>
    by.call(invoiceApi.update, { params: { uuid }, body: { revision, ...same, note: '', ...more } })
  // nobody made what the network made; who brought in the results on it has not been seen by anybody else
  const rows = await makePayable(api.db, affiliate.affiliateId ?? 0, ['10'], {
    at: api.clock.now() - 86_400_000,
    broughtBy: head.accountId,
  })
  const own = (await step(admin, 'send', await makeInvoice(admin, rows))).data
  await api.db.updateTable('invoice').set({ made_by: null }).where('uuid', '=', own.uuid).execute()
  expect((await step(head, 'approve', own)).errors).toHaveProperty('1082')
  expect((await step(admin, 'approve', own)).status).toBe(200)
  // a word of thanks is no edit of what is approved, another day is
  const thanked = (await edit(head, waiting, { note: 'Thank you' })).data
  expect((await step(head, 'approve', thanked)).status).toBe(200)
  const other = (await step(admin, 'send', await makeInvoice(admin, await earn(['10'])))).data
  const later = (await edit(head, other, { due_day: '2027-01-31' })).data
  expect((await step(head, 'approve', later)).errors).toHaveProperty('1151')
})
