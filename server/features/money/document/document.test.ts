import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { companySetting, documentApi } from '#contract/money/document.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { taxProfileApi } from '#contract/money/tax-profile.ts'
import { fillPath } from '#contract/endpoint.ts'
import { makeInvoice, makeIssued, makePayable, makeSelfBilled } from '#test/support/make/invoices.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { printedDay } from './print-text.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('setting').where('key', '!=', 'billing').execute()
  affiliate = await api.as('affiliate', { name: 'Iryna' })
})

type Way = 'invoice' | 'ownInvoice' | 'invoiceLines' | 'ownInvoiceLines'
async function load(by: Caller, way: Way, uuid: string, which: 'invoice' | 'credit_note' | 'copy' | 'act' = 'invoice') {
  const address = `${api.url}${fillPath(documentApi[way].path, { uuid })}${way.endsWith('Lines') ? '' : `?which=${which}`}`
  const response = await fetch(address, { headers: { authorization: `Bearer ${by.token}` } })
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers }
}
const textOf = async (...asked: Parameters<typeof load>) => (await textOfPdf((await load(...asked)).bytes)).join(' ')
const earn = (amounts: string[], currency = 'USD') =>
  makePayable(api.db, affiliate.affiliateId ?? 0, amounts, { at: api.clock.now() - 86_400_000, currency })
const selfBilled = (vat: Parameters<typeof makeSelfBilled>[2]) =>
  makeSelfBilled(api.db, { ...affiliate, affiliateId: affiliate.affiliateId ?? 0 }, vat)
const step = (name: 'send' | 'approve', { uuid, revision }: Pick<InvoiceDetail, 'uuid' | 'revision'>) =>
  admin.call(invoiceApi[name], { params: { uuid }, body: { revision } })
const setRates = (rates: Record<string, string>) =>
  api.db
    .insertInto('currency_rate')
    .values(Object.entries(rates).map(([currency, rate]) => ({ base: 'USD', currency, day: '2026-11-20', rate })))
    .onConflict((conflict) => conflict.columns(['base', 'currency', 'day']).doUpdateSet((row) => ({ rate: row.ref('excluded.rate') })))
    .execute()

describe('the document of an invoice', () => {
  test('is kept at approval, byte for byte, and says what the invoice says', async () => {
    const issued = await makeIssued(admin, await earn(['10', '20.5', '3.3333']))
    const first = await load(affiliate, 'ownInvoice', issued.uuid)
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('application/pdf')
    expect(first.headers.get('content-disposition')).toContain(`${issued.number}.pdf`)
    const text = (await textOfPdf(first.bytes)).join(' ')
    for (const part of ['Payout statement', issued.number ?? '', '$33.83', 'Iryna']) expect(text).toContain(part)
    expect(text).not.toMatch(/VAT|Self-billing|Draft/)
    // whatever changes afterwards, these are the bytes
    await admin.call(documentApi.updateCompany, { body: { ...companySetting.defaults, name: 'Renamed Ltd', version: 0 } })
    const again = await load(admin, 'invoice', issued.uuid)
    expect(Buffer.from(again.bytes).equals(Buffer.from(first.bytes))).toBe(true)
    const kept = await api.db.selectFrom('document').selectAll().where('number', '=', issued.number).executeTakeFirstOrThrow()
    expect(kept.sha256.toString('hex')).toBe(createHash('sha256').update(first.bytes).digest('hex'))
    await expect(api.db.updateTable('document').set({ number: 'X' }).where('id', '=', kept.id).execute()).rejects.toThrow()
  })

  test('names the days of what stands on it, not those of the run it was made by, and so does the screen of either side', async () => {
    const at = api.clock.now()
    const old = await makePayable(api.db, affiliate.affiliateId ?? 0, ['5'], { at: at - 100 * 86_400_000 })
    const issued = await makeIssued(admin, [...old, ...(await earn(['10']))])
    const day = (days: number) => new Date(at - days * 86_400_000).toISOString().slice(0, 10)
    const supply = { from: day(100), to: day(1) }
    expect(issued).toMatchObject({ supply, period_from: null })
    expect((await affiliate.call(ownInvoiceApi.get, { params: { uuid: issued.uuid } })).data).toMatchObject({ supply })
    const told = (text: string) => printedDay(text, 'en')
    expect(await textOf(affiliate, 'ownInvoice', issued.uuid)).toContain(`${told(supply.from)} – ${told(supply.to)}`)
    // what is over takes nothing of it back
    const { revision, uuid } = issued
    await admin.call(invoiceApi.cancel, { params: { uuid }, body: { revision, reason: 'A mistake' } })
    expect((await admin.call(invoiceApi.get, { params: { uuid } })).data).toMatchObject({ status: 'cancelled', supply })
    expect(await textOf(affiliate, 'ownInvoice', uuid, 'credit_note')).toContain(`${told(supply.from)} – ${told(supply.to)}`)
  })

  test('is a draft until then, of which the affiliate sees nothing before it is sent', async () => {
    const draft = await makeInvoice(admin, await earn(['10']))
    expect((await load(affiliate, 'ownInvoice', draft.uuid)).status).toBe(404)
    expect(await textOf(admin, 'invoice', draft.uuid)).toContain('Draft: not issued yet')
    await step('send', draft)
    expect(await textOf(affiliate, 'ownInvoice', draft.uuid)).toContain('Draft: not issued yet')
    expect((await load(await api.as('affiliate'), 'ownInvoice', draft.uuid)).status).toBe(404)
    expect((await load(affiliate, 'invoice', draft.uuid)).status).toBe(403)
    expect((await load(await api.as('manager'), 'invoice', draft.uuid)).status).toBe(403)
    expect((await load(affiliate, 'ownInvoice', draft.uuid, 'credit_note')).status).toBe(404)
  })

  test('is self-billed with reverse charge where that was agreed and decided', async () => {
    await selfBilled({ vat_category: 'AE' })
    const issued = await makeIssued(admin, await earn(['100'], 'EUR'))
    expect(issued.number).toBe(`SB-${affiliate.affiliateId}-2026-1`)
    const text = await textOf(affiliate, 'ownInvoice', issued.uuid)
    for (const part of ['Self-billing', '"Reverse charge"', 'IE6388047V', 'PL5260250274', 'VAT 0 %', '€100.00', 'Żółw Media', 'Ohma Ltd'])
      expect(text).toContain(part)
    const cancelled = await admin.call(invoiceApi.cancel, {
      params: { uuid: issued.uuid },
      body: { revision: issued.revision, reason: 'Wrong month' },
    })
    expect(cancelled.data.credit_note?.number).toBe(`SBC-${affiliate.affiliateId}-2026-1`)
    const note = await textOf(affiliate, 'ownInvoice', issued.uuid, 'credit_note')
    for (const part of ['Credit note', `Credit note for ${issued.number} of 21 Nov 2026`, 'Wrong month', 'Credited', '€100.00'])
      expect(note).toContain(part)
  })

  test('tells its VAT in the currency of the supplier’s country by the rate of its day, and has no number without one', async () => {
    await selfBilled({ vat_category: 'S', vat_rate: '23' })
    await api.db.deleteFrom('currency_rate').execute()
    const waiting = (await step('send', await makeInvoice(admin, await earn(['100'], 'EUR')))).data
    const refused = await step('approve', waiting)
    expect(refused.status).toBe(422)
    expect(refused.errors['1130']).toBe('There is no rate for EUR on 2026-11-21. Add it in settings.')
    await setRates({ EUR: '1.1', PLN: '0.25' })
    const issued = (await step('approve', waiting)).data
    const told = 'VAT in PLN: 101.20 zł. Exchange rate of 21 Nov 2026: 1 EUR = 4.4000 PLN'
    expect(await textOf(affiliate, 'ownInvoice', issued.uuid)).toContain(told)
    // what was declared is taken back by the rate it was declared by
    await setRates({ EUR: '2', PLN: '0.5' })
    const body = { revision: issued.revision, reason: 'Wrong month' }
    expect((await admin.call(invoiceApi.cancel, { params: { uuid: issued.uuid }, body })).status).toBe(200)
    expect(await textOf(affiliate, 'ownInvoice', issued.uuid, 'credit_note')).toContain(told)
  })

  test('has a copy with the number of an e-invoicing system, beside the document, whose bytes stay', async () => {
    await selfBilled({ vat_category: 'AE' })
    const { uuid, revision } = await makeIssued(admin, await earn(['10'], 'EUR'))
    const first = await load(admin, 'invoice', uuid)
    expect((await load(admin, 'invoice', uuid, 'copy')).status).toBe(404)
    const enter = (by: Caller, seen: number, note: string | null = null) =>
      by.call(invoiceApi.number, { params: { uuid }, body: { official_number: 'KSeF 5252-\u202E20261121', note, revision: seen } })
    expect((await enter(affiliate, revision)).status).toBe(403)
    const entered = (await enter(admin, revision)).data
    expect(entered.history.at(-1)).toMatchObject({ event: 'official_number', from: 'approved', to: 'approved' })
    // the same call again is answered the same, another one is told what became of it since
    expect((await enter(admin, revision)).data).toEqual(entered)
    const other = { params: { uuid }, body: { official_number: 'KSeF 1', note: null, revision } }
    expect((await admin.call(invoiceApi.number, other)).status).toBe(409)
    // what the network is called since stands on neither
    await admin.call(documentApi.updateCompany, { body: { ...companySetting.defaults, name: 'Renamed Ltd', version: 0 } })
    const copy = await textOf(affiliate, 'ownInvoice', uuid, 'copy')
    for (const part of ['Copy', 'Official number: KSeF 5252-20261121', entered.number ?? '', '€10.00']) expect(copy).toContain(part)
    expect(copy).not.toContain('Renamed Ltd')
    expect(Buffer.from((await load(admin, 'invoice', uuid)).bytes).equals(Buffer.from(first.bytes))).toBe(true)
    expect((await load(await api.as('affiliate'), 'ownInvoice', uuid, 'copy')).status).toBe(404)
    // no two documents have the same, and a note has its own
    const cancel = { params: { uuid }, body: { revision: entered.revision, reason: 'Wrong month' } }
    const cancelled = (await admin.call(invoiceApi.cancel, cancel)).data
    const [note] = cancelled.credit_notes
    const twice = await enter(admin, cancelled.revision, note?.uuid)
    expect(twice).toMatchObject({ status: 422, fields: { official_number: 'Another document has this number already' } })
    const numbered = { params: { uuid }, body: { official_number: 'KSeF 7', note: note?.uuid ?? null, revision: cancelled.revision } }
    const told = (await admin.call(invoiceApi.number, numbered)).data
    expect(told.credit_notes).toMatchObject([{ official_number: 'KSeF 7' }])
    expect(told.history.at(-1)).toMatchObject({ event: 'official_number', reason: `${note?.number}: KSeF 7` })
    const ofNote = await affiliate.call(ownInvoiceApi.get, { params: { uuid } })
    expect(ofNote.data).toMatchObject({ official_number: 'KSeF 5252-20261121', credit_notes: [{ official_number: 'KSeF 7' }] })
    const noteCopy = await fetch(`${api.url}${fillPath(documentApi.ownNote.path, { uuid: note?.uuid ?? '' })}?which=copy`, {
      headers: { authorization: `Bearer ${affiliate.token}` },
    })
    expect((await textOfPdf(new Uint8Array(await noteCopy.arrayBuffer()))).join(' ')).toContain('Official number: KSeF 7')
    // a statement is no invoice, and a draft has no number
    await api.db.deleteFrom('setting').where('key', '!=', 'billing').execute()
    affiliate = await api.as('affiliate')
    const statement = await makeIssued(admin, await earn(['5']))
    for (const one of [statement, await makeInvoice(admin, await earn(['7']))]) {
      const refused = { params: { uuid: one.uuid }, body: { official_number: '1', revision: one.revision } }
      expect((await admin.call(invoiceApi.number, refused)).status).toBe(409)
    }
    const gone = { params: { uuid }, body: { official_number: '', revision: told.revision } }
    expect((await admin.call(invoiceApi.number, gone)).data).toMatchObject({ official_number: '' })
  })

  test('comes with an act of services that both sides sign, where the company or the affiliate has it so', async () => {
    const company = { ...companySetting.defaults, act: true, act_place: 'Київ', act_post: 'Директор', act_name: 'Олена Шевчук', version: 0 }
    expect((await admin.call(documentApi.updateCompany, { body: { ...company, name: 'ТОВ «Ома»' } })).status).toBe(200)
    await api.db
      .insertInto('tax_profile')
      .values({
        affiliate_id: affiliate.affiliateId ?? 0,
        name: 'ФОП Коваль',
        act_post: 'Підприємець',
        updated_at: new Date(api.clock.now()),
      })
      .execute()
    const draft = await makeInvoice(admin, await earn(['10', '10', '3.5']))
    expect((await load(admin, 'invoice', draft.uuid, 'act')).status).toBe(404)
    const waiting = (await step('send', draft)).data
    expect((await step('approve', waiting)).data.act).toBe(true)
    const act = await textOf(affiliate, 'ownInvoice', draft.uuid, 'act')
    const said = [
      'Акт наданих послуг',
      'Київ, 21.11.2026',
      'ФОП Коваль',
      'ТОВ «Ома», від імені якого діє Директор Олена Шевчук',
      'Підприємець',
    ]
    for (const part of [...said, 'Загальна вартість послуг: 23,50', 'Від Виконавця', 'Від Замовника', 'підпис']) expect(act).toContain(part)
    expect((await load(await api.as('affiliate'), 'ownInvoice', draft.uuid, 'act')).status).toBe(404)
    // staff have it otherwise for this one
    const { vat_category, vat_rate, vies_day, exemption, version } = (
      await admin.call(taxProfileApi.get, { params: { uuid: affiliate.uuid } })
    ).data
    const decided = { vat_category, vat_rate, vies_day, exemption, act: 'no' as const, version }
    expect((await admin.call(taxProfileApi.decide, { params: { uuid: affiliate.uuid }, body: decided })).data.act).toBe('no')
    const without = await makeIssued(admin, await earn(['5']))
    expect([without.act, (await load(admin, 'invoice', without.uuid, 'act')).status]).toEqual([false, 404])
  })

  test('is not sent while something the law wants is missing, or nobody has decided on its VAT', async () => {
    await selfBilled({ vat_category: 'E' })
    const draft = await makeInvoice(admin, await earn(['100'], 'EUR'))
    const refused = await step('send', draft)
    expect(refused).toMatchObject({ status: 422, fields: { exemption: 'Required' } })
    expect(refused.errors).toHaveProperty('1092')
    const profile = (await admin.call(taxProfileApi.get, { params: { uuid: affiliate.uuid } })).data
    expect(profile.proposed).toEqual({ category: 'AE', reason: 'both_ids' })
    const { vat_rate, vies_day, version } = profile
    const decided = { vat_category: 'E' as const, vat_rate, vies_day, exemption: 'Art. 113 VAT Act', version }
    expect((await admin.call(taxProfileApi.decide, { params: { uuid: affiliate.uuid }, body: decided })).status).toBe(200)
    expect((await admin.call(taxProfileApi.decide, { params: { uuid: affiliate.uuid }, body: decided })).status).toBe(409)
    expect((await step('send', draft)).status).toBe(200)
    expect(await textOf(affiliate, 'ownInvoice', draft.uuid)).toContain('"Exempt from VAT": Art. 113 VAT Act')
  })

  test('never tells a hidden goal, revenue or advertiser, and its lines come as CSV that no spreadsheet computes', async () => {
    const rows = await earn(['10', '7'])
    await api.db
      .updateTable('offer')
      .set({ title: '=HYPERLINK("x")' })
      .where('id', '=', rows[0]?.offer_id ?? 0)
      .execute()
    await api.db
      .updateTable('goal')
      .set({ hidden: true, title: 'Secret goal' })
      .where('id', '=', rows[0]?.goal_id ?? 0)
      .execute()
    const issued = await makeIssued(admin, rows)
    const csv = Buffer.from((await load(affiliate, 'ownInvoiceLines', issued.uuid)).bytes).toString()
    expect(csv.trim().split('\r\n')).toHaveLength(3)
    expect(csv).toContain(`'=HYPERLINK`)
    expect(csv + (await textOf(affiliate, 'ownInvoice', issued.uuid))).not.toMatch(/Secret goal|revenue|15\.0|10\.5/)
  })
})

describe('the data of an affiliate for invoices', () => {
  const own = { name: 'Iryna', address: 'vul. 1', postcode: '01001', town: 'Kyiv', country: 'UA', vat_id: '', registration: '' }

  test('is changed by its owner alone, who agrees to the text that was read; another name ends the agreement', async () => {
    const company = { ...companySetting.defaults, self_billing: true, agreement: 'You let us bill.', version: 0 }
    expect((await admin.call(documentApi.updateCompany, { body: company })).status).toBe(200)
    const empty = await affiliate.call(taxProfileApi.agree, { body: { agreement: 'You let us bill.' } })
    expect(empty).toMatchObject({ status: 422, fields: { name: 'Required' } })
    const saved = (await affiliate.call(taxProfileApi.saveOwn, { body: { ...own, version: 1 } })).data
    expect(saved).toMatchObject({ ...own, agreed_at: null, missing: [] })
    expect((await affiliate.call(taxProfileApi.saveOwn, { body: { ...own, version: 1 } })).status).toBe(409)
    expect((await affiliate.call(taxProfileApi.agree, { body: { agreement: 'Another text' } })).status).toBe(409)
    const agreed = (await affiliate.call(taxProfileApi.agree, { body: { agreement: 'You let us bill.' } })).data
    expect(agreed.agreed_at).toBe('2026-11-21T10:00:00.000Z')
    const told = (await admin.call(taxProfileApi.get, { params: { uuid: affiliate.uuid } })).data
    expect(told).toMatchObject({
      name: 'Iryna',
      missing: ['vat_category', 'company.name', 'company.address', 'company.country'],
    })
    const renamed = await affiliate.call(taxProfileApi.saveOwn, { body: { ...own, name: 'Olena', version: agreed.version } })
    expect(renamed.data.agreed_at).toBeNull()
    expect((await (await api.as('manager')).call(taxProfileApi.get, { params: { uuid: affiliate.uuid } })).status).toBe(403)
  })
})
