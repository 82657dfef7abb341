import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { billingSetting } from '#contract/money/billing.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { ownDocumentApi } from '#contract/money/own-document.ts'
import { payoutApi } from '#contract/money/payout.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { makeIssued, makePayable, makeSelfBilled, paymentOf } from '#test/support/make/invoices.ts'
import { upload } from '#test/support/make/landings.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')
let api: TestApi
let admin: Caller
let affiliate: Caller
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'own-document-test-'))
  api = await startApi({ env: { DATA_DIR: dataDir } })
  admin = await api.as('admin')
})
afterAll(async () => {
  await api.close()
  await rm(dataDir, { recursive: true })
})
beforeEach(async () => {
  await api.db.deleteFrom('setting').execute()
  const value = JSON.stringify({ ...billingSetting.defaults, four_eyes: false, own_invoice: true })
  await api.db.insertInto('setting').values({ key: 'billing', value }).execute()
  affiliate = await api.as('affiliate', { name: 'Iryna' })
})

const issued = async (amount = '10'): Promise<InvoiceDetail> =>
  makeIssued(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, [amount], { at: api.clock.now() - 86_400_000 }))
const send = (by: Caller, bytes: Buffer = PDF, name = 'invoice.pdf') => upload(api, by, bytes, {}, { kind: 'own_invoice', name })
async function give(uuid: string, number = 'FV/1/2026', by = affiliate) {
  const { data } = await send(by)
  return by.call(ownDocumentApi.give, { params: { uuid }, body: { number, day: '2026-11-20', file_uuid: data.uuid } })
}
const read = async ({ uuid }: { uuid: string }) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
const pay = async (one: InvoiceDetail, more: { without_own_invoice?: boolean } = {}) =>
  admin.call(invoiceApi.pay, { params: { uuid: one.uuid }, body: { ...paymentOf(one.open, (await read(one)).revision), ...more } })
const refuse = async (one: { uuid: string }) =>
  admin.call(ownDocumentApi.refuse, { params: { uuid: one.uuid }, body: { revision: (await read(one)).revision, reason: 'Wrong company' } })
const show = (by: Caller, uuid: string) => fetch(`${api.url}/api/file/v1/get/${uuid}`, { headers: { authorization: `Bearer ${by.token}` } })
const bell = async (of: Caller) => (await of.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'own_invoice')

describe('the affiliate’s own invoice', () => {
  test('is due before a statement is paid: by hand it is asked about, a payout file leaves it out', async () => {
    const one = await issued()
    expect((await affiliate.call(ownDocumentApi.own, { params: { uuid: one.uuid } })).data).toEqual({ due: true, open: true, list: [] })
    expect((await pay(one)).errors).toHaveProperty('1124')
    const asked = { format: 'own' as const, source_id: 1, currency: 'USD', due_to: '2027-01-31' }
    const preview = async () =>
      (await admin.call(payoutApi.preview, { body: asked })).data.list.filter((row) => row.affiliate.uuid === affiliate.uuid)
    expect(await preview()).toMatchObject([{ left_out: 'no_own_invoice', invoices: 1 }])
    expect((await give(one.uuid)).data).toMatchObject({
      due: false,
      list: [{ number: 'FV/1/2026', state: 'given', file: { name: 'invoice.pdf' } }],
    })
    // the reason that is left is another one
    expect(await preview()).toMatchObject([{ left_out: 'no_method' }])
    expect((await pay(one)).data).toMatchObject({ status: 'paid' })
    const other = await issued()
    expect((await pay(other, { without_own_invoice: true })).data).toMatchObject({ status: 'paid' })
  })

  test('is not asked of those whose invoices we write, nor where the network does not want it', async () => {
    await makeSelfBilled(api.db, { ...affiliate, affiliateId: affiliate.affiliateId ?? 0 }, { vat_category: 'AE' })
    const one = await issued()
    expect((await affiliate.call(ownDocumentApi.own, { params: { uuid: one.uuid } })).data).toMatchObject({ due: false, open: false })
    expect((await give(one.uuid)).status).toBe(409)
    expect((await pay(one)).status).toBe(200)
    await api.db.deleteFrom('setting').where('key', '=', 'billing').execute()
    affiliate = await api.as('affiliate')
    expect((await pay(await issued())).status).toBe(200)
  })

  test('is refused with a reason before anything is paid, and another takes its place', async () => {
    const one = await issued()
    await give(one.uuid)
    expect(await bell(admin)).toMatchObject([{ status: one.uuid, reason: 'FV/1/2026' }, ...(await bell(admin)).slice(1)])
    expect((await refuse(one)).data.history.at(-1)).toMatchObject({ event: 'own_document_refused', reason: 'Wrong company' })
    expect(await bell(affiliate)).toMatchObject([{ reason: 'Wrong company', affiliate: null }])
    expect((await refuse(one)).errors).toHaveProperty('1021')
    expect((await affiliate.call(ownDocumentApi.own, { params: { uuid: one.uuid } })).data).toMatchObject({
      due: true,
      list: [{ state: 'refused' }],
    })
    await give(one.uuid, 'FV/2/2026')
    const replaced = await give(one.uuid, 'FV/3/2026')
    expect(replaced.data.list.map(({ number, state }) => `${number} ${state}`)).toEqual([
      'FV/3/2026 given',
      'FV/2/2026 replaced',
      'FV/1/2026 refused',
    ])
    await pay(one)
    expect((await refuse(one)).status).toBe(409)
  })

  test('has a number of its own, so that no invoice is paid twice', async () => {
    const [one, other] = [await issued(), await issued()]
    await give(one.uuid, 'FV/7')
    expect((await give(other.uuid, 'fv/7')).fields).toHaveProperty('number')
    expect((await affiliate.call(ownDocumentApi.own, { params: { uuid: other.uuid } })).data.list).toEqual([])
    const { data } = await send(affiliate)
    const ahead = { number: 'FV/8', day: '2027-11-20', file_uuid: data.uuid }
    expect((await affiliate.call(ownDocumentApi.give, { params: { uuid: other.uuid }, body: ahead })).fields).toHaveProperty('day')
    // the same call again is the same document
    const body = { ...ahead, day: '2026-11-20' }
    await affiliate.call(ownDocumentApi.give, { params: { uuid: other.uuid }, body })
    expect((await affiliate.call(ownDocumentApi.give, { params: { uuid: other.uuid }, body })).data.list).toHaveLength(1)
  })

  test('is a PDF or a picture by its content, and read by its affiliate and staff who see money alone', async () => {
    const one = await issued()
    for (const [bytes, name] of [
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'invoice.pdf'],
      [Buffer.from('just text'), 'invoice.txt'],
    ] as const)
      expect((await upload(api, affiliate, bytes, {}, { kind: 'own_invoice', name })).status).toBe(415)
    expect((await upload(api, admin, PDF, {}, { kind: 'own_invoice', name: 'x.pdf' })).status).toBe(403)
    expect((await send(affiliate, pngOf(40, 40), 'scan.png')).data.uuid).toBeTruthy()
    const given = await give(one.uuid)
    const file = given.data.list[0]?.file?.uuid ?? ''
    const read = await show(admin, file)
    expect(read.headers.get('content-disposition')).toContain('attachment')
    expect(Buffer.from(await read.arrayBuffer()).equals(PDF)).toBe(true)
    expect((await show(affiliate, file)).status).toBe(200)
    for (const by of [await api.as('affiliate'), await api.as('manager')]) expect((await show(by, file)).status).toBe(404)
    // a file of somebody else is nobody’s to give
    const stranger = await api.as('affiliate')
    const theirs = (await send(stranger)).data.uuid
    const body = { number: 'FV/9', day: '2026-11-20', file_uuid: theirs }
    expect((await affiliate.call(ownDocumentApi.give, { params: { uuid: one.uuid }, body })).fields).toHaveProperty('file_uuid')
  })
})
