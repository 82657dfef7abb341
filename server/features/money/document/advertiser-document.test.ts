import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { companySetting, documentApi } from '#contract/money/document.ts'
import { fillPath } from '#contract/endpoint.ts'
import { become, issue, makeAdvertiserDraft, makeAdvertiserIssued, makeDebtor } from '#test/support/make/receivables.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(() => api.db.deleteFrom('setting').where('key', '!=', 'billing').execute())

type Way = 'advertiserInvoice' | 'advertiserNote' | 'advertiserLines'
async function load(by: Caller, way: Way, uuid: string, query = '') {
  const response = await fetch(`${api.url}${fillPath(documentApi[way].path, { uuid })}${query}`, {
    headers: { authorization: `Bearer ${by.token}` },
  })
  return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()), headers: response.headers }
}
const textOf = async (...asked: Parameters<typeof load>) => (await textOfPdf((await load(...asked)).bytes)).join(' ')
const debtor = (amounts: string[], currency?: string) =>
  makeDebtor(api.db, amounts, { at: api.clock.now() - 86_400_000, ...(currency && { currency }) })
const company = (changes: object) =>
  admin.call(documentApi.updateCompany, {
    body: {
      ...companySetting.defaults,
      name: 'Ohma Ltd',
      address: 'Main Road 1',
      country: 'IE',
      vat_id: 'IE6388047V',
      version: 0,
      ...changes,
    },
  })
const credit = async ({ uuid, revision }: AdvertiserInvoiceDetail, kind: 'whole' | 'changed') =>
  (await admin.call(advertiserInvoiceApi.credit, { params: { uuid }, body: { revision, kind, reason: 'As agreed' } })).data

describe('the document of an advertiser’s invoice', () => {
  test('is kept at issue, byte for byte, and says what the invoice says', async () => {
    await company({ payment_details: 'IBAN DE89 3704 0044 0532 0130 00' })
    const acme = await debtor(['10', '20.5', '3.3333'])
    const draft = await makeAdvertiserDraft(admin, acme)
    expect(await textOf(admin, 'advertiserInvoice', draft.uuid)).toContain('Draft: not issued yet')
    const issued = await issue(admin, draft)
    const first = await load(admin, 'advertiserInvoice', issued.uuid)
    expect(first.headers.get('content-disposition')).toContain(`${issued.number}.pdf`)
    const text = (await textOfPdf(first.bytes)).join(' ')
    for (const part of ['Invoice', issued.number ?? '', 'Acme GmbH', '10115 Berlin', 'DE123456789', 'Ohma Ltd', '$50.75', 'DE89 3704'])
      expect(text).toContain(part)
    expect(text).toContain('"Not subject to VAT"')
    expect(text).not.toMatch(/Draft|Self-billing|payout|margin|affiliate/i)
    await company({ version: 1, name: 'Renamed Ltd' })
    expect(Buffer.from((await load(admin, 'advertiserInvoice', issued.uuid)).bytes).equals(Buffer.from(first.bytes))).toBe(true)
    const kept = await api.db.selectFrom('document').selectAll().where('number', '=', issued.number).executeTakeFirstOrThrow()
    expect(kept).toMatchObject({ kind: 'advertiser_invoice' })
    expect(kept.sha256.toString('hex')).toBe(createHash('sha256').update(first.bytes).digest('hex'))
  })

  test('adds up to the cent with VAT, discounts and fees, in the language of the advertiser', async () => {
    await company({})
    const acme = await debtor(['10.005', '7.1', '0.333'], 'EUR')
    const terms = { advertiser_id: acme.id, vat_category: 'S' as const, vat_rate: '23', document_language: 'both' as const }
    await api.db
      .insertInto('advertiser_billing')
      .values({ ...terms, updated_at: new Date(api.clock.now()) })
      .execute()
    const draft = await makeAdvertiserDraft(admin, acme, { currency: 'EUR' })
    const body = { kind: 'discount' as const, amount: '-1.5', note: 'Volume {{x}} <b>', revision: draft.revision }
    const less = (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data
    const issued = await issue(admin, less)
    const text = await textOf(admin, 'advertiserInvoice', issued.uuid)
    const shown = (amount: string) => `€${Number(amount).toFixed(2)}`
    for (const part of [
      shown(issued.net),
      shown(issued.vat),
      shown(issued.total),
      'VAT / ПДВ 23 %',
      '−1.50',
      'Discount / Знижка: Volume {{x}} <b>',
    ])
      expect(text).toContain(part)
    expect(text).toContain('Invoice / Рахунок')
  })

  test('tells our VAT in the currency of our country, frozen with the document, and is not issued without a rate', async () => {
    await company({ country: 'PL', vat_id: 'PL5250001009' })
    await api.db.deleteFrom('currency_rate').execute()
    const acme = await debtor(['100'])
    const at = new Date(api.clock.now())
    const terms = { advertiser_id: acme.id, vat_category: 'S' as const, vat_rate: '23', document_language: 'uk' as const, updated_at: at }
    await api.db.insertInto('advertiser_billing').values(terms).execute()
    const draft = await makeAdvertiserDraft(admin, acme)
    const body = { revision: draft.revision, net: draft.now.net }
    const refused = await admin.call(advertiserInvoiceApi.issue, { params: { uuid: draft.uuid }, body })
    expect(refused.status).toBe(422)
    expect(refused.errors['1130']).toBe('There is no rate for PLN on 2026-11-21. Add it in settings.')
    expect(await textOf(admin, 'advertiserInvoice', draft.uuid)).not.toContain('PLN')
    const rate = { base: 'USD', currency: 'PLN', day: '2026-11-19' }
    await api.db
      .insertInto('currency_rate')
      .values({ ...rate, rate: '0.27' })
      .execute()
    const issued = await issue(admin, draft)
    // 34.50 × 3.70370370
    const told = 'ПДВ у валюті PLN: 127,78 zł. Курс на 21.11.2026: 1 USD = 3,7037037 PLN'
    expect(await textOf(admin, 'advertiserInvoice', issued.uuid)).toContain(told)
  })

  test('has a copy with the number of an e-invoicing system, beside the document, whose bytes stay', async () => {
    const { uuid, revision, number } = await makeAdvertiserIssued(admin, await debtor(['10']))
    const first = await load(admin, 'advertiserInvoice', uuid)
    expect((await load(admin, 'advertiserInvoice', uuid, '?which=copy')).status).toBe(404)
    const asked = { params: { uuid }, body: { official_number: '5252-20261121-A1', revision } }
    expect((await (await api.as('manager')).call(advertiserInvoiceApi.number, asked)).status).toBe(403)
    const entered = (await admin.call(advertiserInvoiceApi.number, asked)).data
    expect(entered.history.at(-1)).toMatchObject({ event: 'official_number', reason: '5252-20261121-A1', to: 'issued' })
    const copy = await textOf(admin, 'advertiserInvoice', uuid, '?which=copy')
    for (const part of ['Copy', 'Official number: 5252-20261121-A1', number ?? '', 'Acme GmbH']) expect(copy).toContain(part)
    expect(Buffer.from((await load(admin, 'advertiserInvoice', uuid)).bytes).equals(Buffer.from(first.bytes))).toBe(true)
  })

  test('of a credit note names what it takes back, whole or what changed', async () => {
    const acme = await debtor(['10', '20'])
    const issued = await makeAdvertiserIssued(admin, acme)
    await become(api.db, api.clock.now(), { id: acme.conversions[0]?.id ?? '' }, { status: 'declined' })
    const changed = await credit((await admin.call(advertiserInvoiceApi.get, { params: { uuid: issued.uuid } })).data, 'changed')
    const [part] = changed.credit_notes
    const text = await textOf(admin, 'advertiserNote', part?.uuid ?? '')
    for (const piece of ['Credit note', `Credit note for ${issued.number} of 21 Nov 2026`, part?.number ?? '', '$15.00', 'As agreed'])
      expect(text).toContain(piece)
    const whole = await credit(changed, 'whole')
    const rest = whole.credit_notes.find(({ kind }) => kind === 'whole')
    expect(await textOf(admin, 'advertiserNote', rest?.uuid ?? '')).toContain('$30.00')
    expect(await api.db.selectFrom('document').select('number').where('kind', '=', 'advertiser_credit_note').execute()).toHaveLength(2)
  })

  test('is for admin and head alone; its lines come as CSV that no spreadsheet computes', async () => {
    const acme = await debtor(['10', '20'])
    const { offer_id = 0 } = acme.conversions[0] ?? {}
    await api.db.updateTable('offer').set({ title: '=HYPERLINK("x")' }).where('id', '=', offer_id).execute()
    const issued = await makeAdvertiserIssued(admin, acme)
    const csv = Buffer.from((await load(admin, 'advertiserLines', issued.uuid)).bytes).toString()
    expect(csv.trim().split('\r\n')).toHaveLength(3)
    expect(csv).toContain('Kind,Conversion,Time (UTC),Click ID')
    expect(csv).toContain(`'=HYPERLINK`)
    for (const role of ['manager', 'team lead', 'affiliate'] as const)
      expect((await load(await api.as(role), 'advertiserInvoice', issued.uuid)).status).toBe(403)
    expect((await load(admin, 'advertiserNote', issued.uuid)).status).toBe(404)
  })
})
