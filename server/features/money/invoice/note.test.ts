import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillPath } from '#contract/endpoint.ts'
import { documentApi } from '#contract/money/document.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { makeInvoice, makeIssued, makePayable, makeSelfBilled, paymentOf } from '#test/support/make/invoices.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { letOneDecide, setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
let head: Caller
let affiliate: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
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
type Step = 'send' | 'approve' | 'addLines' | 'refresh'
const step = (by: Caller, name: Step, { uuid, revision }: Pick<InvoiceDetail, 'uuid' | 'revision'>) =>
  by.call(invoiceApi[name], { params: { uuid }, body: { revision } })
const approve = async (one: Pick<InvoiceDetail, 'uuid' | 'revision'>) =>
  (await step(admin, 'approve', (await step(admin, 'send', one)).data)).data
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

describe('what changed on an issued invoice', () => {
  test('of an invoice with VAT stand in a credit note of its own with its rate, and on no next invoice; what was paid is prepaid', async () => {
    const rows = await earn(['100', '200', '50'])
    const of = { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId }
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const issued = await makeIssued(admin, rows.slice(0, 2))
    expect(issued).toMatchObject({ net: '300.0000', vat: '69.0000', changes: { by: 'note', rows: 0 } })
    const paid = (await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf('369', issued.revision) })).data
    await become(rows[0]!, { status: 'declined' })
    await become(rows[1]!, { payout: '180' })
    // no next invoice takes them, whoever makes it
    const next = await makeInvoice(admin, rows.slice(2), { leave_debt: true })
    const added = await step(admin, 'addLines', next)
    expect(added.status).toBe(422)
    const changed = await read(issued)
    expect(changed).toMatchObject({ changed: '-120.0000', changes: { by: 'note', rows: 2, amount: '-120.0000' } })
    const body = { revision: paid.revision, reason: 'Two were wrong' }
    const noted = await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body })
    expect(noted.data).toMatchObject({
      status: 'paid',
      net: '300.0000',
      paid: '221.4000',
      open: '0.0000',
      credited: '147.6000',
      changed: null,
      changes: { rows: 0 },
      credit_notes: [{ number: `SBC-${of.affiliateId}-2026-1`, kind: 'changed', total: '147.6000', reason: 'Two were wrong' }],
    })
    expect(await has()).toEqual({ invoiced: '50.0000', prepaid: '147.6000' })
    await sound()
    // sent again it is the same; another one has nothing to take
    expect((await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body })).data.credit_notes).toHaveLength(1)
    const again = { revision: noted.data.revision, reason: 'Again' }
    expect((await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: again })).errors).toHaveProperty('1110')
    // what it is worth again is added, and paid by what is prepaid: nothing of it is paid twice
    await become({ ...rows[1]!, payout: '180' }, { payout: '200' })
    const grown = (await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: again })).data
    expect(grown).toMatchObject({ status: 'paid', open: '0.0000', offset_prepaid: '24.6000', credited: '123.0000' })
    expect(grown.credit_notes).toMatchObject([{ total: '147.6000' }, { total: '-24.6000' }])
    expect(await has()).toMatchObject({ prepaid: '123.0000' })
    await sound()
    const own = (await affiliate.call(ownInvoiceApi.get, { params: { uuid: issued.uuid } })).data
    expect(own.credit_notes.map(({ number }) => number)).toEqual(grown.credit_notes.map(({ number }) => number))
    const [note] = own.credit_notes
    const noteOf = (by: Caller) =>
      fetch(`${api.url}${fillPath(documentApi.ownNote.path, { uuid: note?.uuid ?? '' })}`, {
        headers: { authorization: `Bearer ${by.token}` },
      })
    const text = (await textOfPdf(new Uint8Array(await (await noteOf(affiliate)).arrayBuffer()))).join(' ')
    expect(text).toMatch(/Credit note for SB-\d+-2026-1 of 21 Nov 2026.*120\.00.*27\.60.*147\.60/s)
    const stranger = await api.as('affiliate')
    expect((await noteOf(stranger)).status).toBe(404)
    expect((await (await api.as('manager')).call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body })).status).toBe(403)
    // one that adds takes two above the limit: who made the invoice where systems changed it, else who changed it by hand
    await setBilling(api.db, { four_eyes: true, four_eyes_limit: '300' })
    await become({ ...rows[1]!, payout: '200' }, { payout: '260' })
    const credit = (by: Caller) =>
      by.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: { revision: grown.revision, reason: 'More' } })
    expect((await credit(admin)).errors).toHaveProperty('1082')
    await become({ ...rows[1]!, payout: '260' }, { payout: '270' }, head.accountId)
    expect((await credit(head)).errors).toHaveProperty('1082')
    expect((await credit(admin)).data.credit_notes).toHaveLength(3)
    await letOneDecide(api.db)
    await sound()
  })

  test('are taken to the cent by however many notes, and one that adds leaves open what no prepaid money covers', async () => {
    const rows = await earn(['10', '10', '10'])
    const of = { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId }
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const issued = await makeIssued(admin, rows)
    let { revision } = (await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf('36.9', issued.revision) })).data
    const credit = async () => {
      const called = await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: { revision, reason: 'Rates' } })
      if (called.status === 200) ({ revision } = called.data)
      return called
    }
    // less than half a cent is nothing yet, and waits
    await become(rows[0]!, { payout: '9.996' })
    expect((await credit()).errors).toHaveProperty('1110')
    for (const [at, payout] of ['9.985', '9.985', '9.985'].entries()) {
      await become({ ...rows[at]!, ...(at === 0 && { payout: '9.996' }) }, { payout })
      expect((await credit()).status).toBe(200)
    }
    // 29.955, with its VAT, and not three times two cents
    const noted = await read(issued)
    expect(noted.credit_notes.map(({ total }) => total)).toEqual(['0.0100', '0.0300', '0.0100'])
    expect(noted).toMatchObject({ credited: '0.0500', paid: '36.8500', changed: null })
    expect(await has()).toEqual({ prepaid: '0.0500' })
    await sound()
    // the nightly check follows them
    const off = async (cents: string) => {
      await sql`update credit_note set net = net + ${cents}::numeric, vat = vat - ${cents}::numeric where number = ${noted.credit_notes[1]?.number}`.execute(
        api.db,
      )
      return (await findDifferences(api.db)).map(({ kind }) => kind)
    }
    expect(await off('0.01')).toContain(`credit note ${noted.credit_notes[1]?.number}`)
    expect(await off('-0.01')).toEqual([])
    await become({ ...rows[0]!, payout: '9.985' }, { payout: '20' })
    expect((await credit()).data).toMatchObject({ status: 'partly_paid', offset_prepaid: '0.0500', open: '12.2600' })
    await sound()
  })

  test('of an unpaid invoice with VAT lessen what is open; the note that ends it then takes what is left', async () => {
    const rows = await earn(['100', '200'])
    await makeSelfBilled(
      api.db,
      { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId },
      { vat_category: 'S', vat_rate: '23' },
    )
    const issued = await makeIssued(admin, rows)
    await become(rows[0]!, { status: 'declined' })
    const credit = (revision: number) =>
      admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: { revision, reason: 'Wrong' } })
    const noted = (await credit(issued.revision)).data
    expect(noted).toMatchObject({ status: 'approved', open: '246.0000', credited: '123.0000' })
    await sound()
    // all that is left is taken back by ending it
    await become(rows[1]!, { status: 'declined' })
    expect((await credit(noted.revision)).errors).toHaveProperty('1084')
    const body = { revision: noted.revision, reason: 'All of it' }
    const ended = (await admin.call(invoiceApi.cancel, { params: { uuid: issued.uuid }, body })).data
    expect(ended).toMatchObject({ status: 'cancelled', credited: '369.0000', credit_note: { total: '246.0000' } })
    expect(await has()).toEqual({})
    await sound()
  })

  test('of one that was paid leave nothing to end twice, and its payment can still come back', async () => {
    const rows = await earn(['100'])
    const of = { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId }
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const issued = await makeIssued(admin, rows)
    const pay = (amount: string, revision: number) =>
      admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf(amount, revision) })
    const credit = (revision: number) =>
      admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: { revision, reason: 'Wrong' } })
    const end = (revision: number) => admin.call(invoiceApi.cancel, { params: { uuid: issued.uuid }, body: { revision, reason: 'End' } })
    const paid = (await pay('61.5', issued.revision)).data
    // what is left of it is what was open: the payment is in advance, and the rest is ended
    await become(rows[0]!, { payout: '40' })
    const less = (await credit(paid.revision)).data
    expect(less).toMatchObject({ status: 'paid', paid: '49.2000', open: '0.0000' })
    await become({ ...rows[0]!, payout: '40' }, { status: 'declined' })
    const none = (await credit(less.revision)).data
    expect(none).toMatchObject({ paid: '0.0000', credited: '123.0000' })
    expect((await end(none.revision)).errors).toHaveProperty('1110')
    expect((await read(issued)).credit_notes).toHaveLength(2)
    // it is worth something again, and is ended
    await become({ ...rows[0]!, status: 'declined' }, { status: 'approved' })
    const again = (await credit(none.revision)).data
    const ended = (await end(again.revision)).data
    expect(ended.status).toBe('cancelled')
    const body = { revision: ended.revision, payment_uuid: ended.payments[0]?.uuid ?? '', day: '2026-11-21', reason: 'Closed' }
    const back = await admin.call(invoiceApi.giveBack, { params: { uuid: issued.uuid }, body })
    expect(back.data).toMatchObject({ status: 'cancelled', open: '0.0000', payments: [{ state: 'returned' }] })
    expect(await has()).not.toHaveProperty('prepaid')
    await sound()
  })

  test('that come to more than is left of an invoice are taken as far as it goes, and the rest by the next one', async () => {
    const rows = await earn(['100', '80'])
    const of = { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId }
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const draft = await makeInvoice(admin, rows.slice(0, 1))
    const less = await admin.call(invoiceApi.adjust, {
      params: { uuid: draft.uuid },
      body: { kind: 'correction', amount: '-30', note: 'Of May', revision: draft.revision },
    })
    const waiting = (await step(admin, 'send', less.data)).data
    const issued = (await step(admin, 'approve', waiting)).data
    expect(issued).toMatchObject({ net: '70.0000', vat: '16.1000' })
    const paid = (await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf('86.1', issued.revision) })).data
    await become(rows[0]!, { status: 'declined' })
    const body = { revision: paid.revision, reason: 'Wrong' }
    const noted = (await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body })).data
    expect(noted).toMatchObject({
      credited: '86.1000',
      paid: '0.0000',
      open: '0.0000',
      changes: { by: 'line', rows: 1, amount: '-30.0000' },
    })
    const again = await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body: { ...body, revision: noted.revision } })
    expect(again.errors).toHaveProperty('1147')
    await sound()
    expect(await has()).toEqual({ prepaid: '86.1000', correction: '-30.0000', available: '80.0000' })
    const next = await makeInvoice(admin, rows.slice(1))
    expect(next).toMatchObject({ net: '50.0000' })
    await sound()
  })

  test('stand where was decided for the affiliate, but never at another rate', async () => {
    const rows = await earn(['100', '60'])
    const of = { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId }
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const issued = await makeIssued(admin, rows.slice(0, 1))
    await become(rows[0]!, { payout: '90' })
    const byOf = async () => (await read(issued)).changes?.by
    const set = (values: { corrections?: 'usual' | 'line' | 'note'; vat_rate?: string }) =>
      api.db.updateTable('tax_profile').set(values).where('affiliate_id', '=', of.affiliateId).execute()
    expect(await byOf()).toBe('note')
    await set({ corrections: 'line' })
    expect(await byOf()).toBe('line')
    const body = { revision: issued.revision, reason: 'Wrong' }
    expect((await admin.call(invoiceApi.creditChanges, { params: { uuid: issued.uuid }, body })).status).toBe(409)
    await set({ vat_rate: '20' })
    expect(await byOf()).toBe('note')
    await set({ vat_rate: '23' })
    const next = await makeInvoice(admin, rows.slice(1))
    expect(next).toMatchObject({ net: '50.0000', vat: '11.5000' })
    await sound()
  })

  test('that no note can take are on the next invoice, at another rate too', async () => {
    const rows = await earn(['100', '30', '80'])
    const of = { affiliateId: affiliate.affiliateId ?? 0, accountId: affiliate.accountId }
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const draft = await makeInvoice(admin, rows.slice(0, 2))
    const body = { kind: 'correction', amount: '-60', note: 'Of May', revision: draft.revision } as const
    await admin.call(invoiceApi.adjust, { params: { uuid: draft.uuid }, body })
    const issued = await approve(await read(draft))
    await become(rows[0]!, { status: 'declined' })
    const credit = { revision: issued.revision, reason: 'Wrong' }
    const paid = (
      await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf('86.1', issued.revision, { leave_debt: true }) })
    ).data
    const noted = await admin.call(invoiceApi.creditChanges, {
      params: { uuid: issued.uuid },
      body: { ...credit, revision: paid.revision },
    })
    expect(noted.data.changes).toEqual({ by: 'line', rows: 1, amount: '-30.0000' })
    await api.db.updateTable('tax_profile').set({ vat_rate: '20' }).where('affiliate_id', '=', of.affiliateId).execute()
    const next = await makeInvoice(admin, rows.slice(2))
    expect(next).toMatchObject({ net: '50.0000', vat: '10.0000' })
    // to take the present VAT leaves it there, and it is approved
    const taken = (await admin.call(invoiceApi.takeVat, { params: { uuid: next.uuid }, body: { revision: next.revision } })).data
    expect(taken).toMatchObject({ net: '50.0000', vat: '10.0000' })
    expect(await approve(taken)).toMatchObject({ status: 'paid', total: '60.0000', offset_prepaid: '60.0000' })
    await sound()
  })

  test('leave a draft with the invoice they were about: what is on neither is open again', async () => {
    const rows = await earn(['10', '50', '5'])
    // what is prepaid pays the invoice at once, and it can be taken back even so
    const first = await makeIssued(admin, rows.slice(2))
    const inAdvance = paymentOf('15', first.revision, { in_advance: true })
    await admin.call(invoiceApi.pay, { params: { uuid: first.uuid }, body: inAdvance })
    const issued = await makeIssued(admin, rows.slice(0, 1))
    const state = () => api.db.selectFrom('conversion').select('payment_state').where('id', '=', rows[0]!.id).executeTakeFirstOrThrow()
    expect([issued.status, await state()]).toEqual(['paid', { payment_state: 'paid' }])
    await become(rows[0]!, { status: 'declined' })
    const draft = await makeInvoice(admin, rows.slice(1, 2))
    expect(draft).toMatchObject({ net: '40.0000' })
    const cancel = { params: { uuid: issued.uuid }, body: { revision: issued.revision, reason: 'Wrong' } }
    expect((await admin.call(invoiceApi.cancel, cancel)).data.status).toBe('cancelled')
    expect(await has()).toEqual({ invoiced: '40.0000', correction: '10.0000', prepaid: '10.0000' })
    expect(await state()).toEqual({ payment_state: 'invoiced' })
    await sound()
    expect((await step(admin, 'refresh', await read(draft))).data).toMatchObject({ net: '50.0000' })
    await sound()
    expect(await state()).toEqual({ payment_state: 'open' })
    // it counts after all, and is for an invoice as if it had never been on one
    await become(rows[0]!, { status: 'approved' })
    expect(await has()).toEqual({ invoiced: '50.0000', available: '10.0000', prepaid: '10.0000' })
    expect(await makeInvoice(admin, rows.slice(0, 1))).toMatchObject({ net: '10.0000' })
    await sound()
  })

  test('are what their conversion stands on once its first invoice was taken back: it is paid with the next, and a note of that takes what it becomes', async () => {
    const rows = await earn(['10', '50'])
    const issued = await makeIssued(admin, rows.slice(0, 1))
    await become(rows[0]!, { payout: '12' })
    const draft = (await step(admin, 'addLines', await makeInvoice(admin, rows.slice(1)))).data
    expect(draft).toMatchObject({ net: '52.0000' })
    const cancel = { params: { uuid: issued.uuid }, body: { revision: issued.revision, reason: 'Wrong' } }
    await admin.call(invoiceApi.cancel, cancel)
    const next = await approve((await step(admin, 'refresh', await read(draft))).data)
    expect(next).toMatchObject({ net: '62.0000' })
    await admin.call(invoiceApi.pay, { params: { uuid: next.uuid }, body: paymentOf('62', next.revision) })
    const states = () =>
      api.db
        .selectFrom('conversion')
        .select('payment_state')
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute()
    expect(await states()).toEqual([{ payment_state: 'paid' }, { payment_state: 'paid' }])
    await become({ ...rows[0]!, payout: '12' }, { payout: '11' })
    expect(await read(next)).toMatchObject({ changes: { rows: 1, amount: '-1.0000' } })
    await sound()
  })
})
