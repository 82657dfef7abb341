import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { payoutApi } from '#contract/money/payout.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { editable, makeIssued, makePayable, makeSelfBilled, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const password = 'correct horse battery'
const OWES = '1111'
let api: TestApi
let admin: Caller
let head: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(password) })
    .execute()
})
afterAll(() => api.close())
afterEach(async () => expect(await findDifferences(api.db)).toEqual([]))

const earn = (by: Caller, amounts: string[]) => makePayable(api.db, by.affiliateId ?? 0, amounts, { at: api.clock.now() - 86_400_000 })
async function refund(row: ConversionRow): Promise<void> {
  await api.db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('conversion').selectAll().where('id', '=', row.id).forUpdate().executeTakeFirstOrThrow()
    const after = { ...before, status: 'declined' as const, updated_at: new Date(api.clock.now()) }
    await recordChanges(trx, [{ before, after, origin: 'postback', actorId: null }], api.clock.now())
  })
}
const pay = (one: InvoiceDetail, amount: string, more: object = {}) =>
  admin.call(invoiceApi.pay, { params: { uuid: one.uuid }, body: { ...paymentOf(amount, one.revision), ...more } })

/** Somebody who was paid 590 that were refunded since, and is paid by a table of ours. */
async function debtor(name: string) {
  const affiliate = await api.as('affiliate', { name })
  await makeMethod(api, affiliate.affiliateId ?? 0, { system: 'paypal', values: { email: 'fresh@example.com' } })
  const [row] = await earn(affiliate, ['590'])
  const issued = await makeIssued(admin, row === undefined ? [] : [row])
  expect((await pay(issued, '590')).data.status).toBe('paid')
  if (row !== undefined) await refund(row)
  return affiliate
}
const make = (rows: readonly { uuid: string }[], more: object = {}) =>
  admin.call(invoiceApi.createFromConversions, { body: { uuids: rows.map(({ uuid }) => uuid), ...more } })
const read = async (uuid: string) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
const drafts = async ({ uuid }: Caller) =>
  (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [uuid], status: ['draft'] } })).data.list
/** A draft until it is approved, by whatever is said. */
async function approve(uuid: string, more: object = {}) {
  const draft = await read(uuid)
  const body = { ...editable(draft), payment_system: 'paypal', due_day: '2026-11-20', revision: draft.revision }
  const { revision } = (await admin.call(invoiceApi.update, { params: { uuid }, body })).data
  const sent = (await admin.call(invoiceApi.send, { params: { uuid }, body: { revision } })).data
  return admin.call(invoiceApi.approve, { params: { uuid }, body: { revision: sent.revision, ...more } })
}
/** An approved invoice of somebody who owes, as somebody said it may be. */
async function issuedOf(affiliate: Caller, amounts: string[]): Promise<InvoiceDetail> {
  const made = await make(await earn(affiliate, amounts), { leave_debt: true })
  return (await approve(made.data.invoices[0]?.uuid ?? '', { leave_debt: true })).data
}
const asked = (more: object = {}) => ({ format: 'own' as const, source_id: 1, currency: 'USD', due_to: '2026-11-21', ...more })
const payees = async (of: Caller, more: object = {}) =>
  (await admin.call(payoutApi.preview, { body: asked(more) })).data.list.filter(({ affiliate }) => affiliate.uuid === of.uuid)
const file = (of: Caller, more: object = {}) =>
  admin.call(payoutApi.make, { body: { ...asked(more), key: randomUUID(), execution_day: '2026-11-21', affiliate_uuids: [of.uuid] } })
const release = ({ uuid }: { uuid: string }) => head.call(payoutApi.release, { params: { uuid }, body: { password } })

describe('a draft of chosen conversions of somebody who owes', () => {
  test('is not made of less than is owed: who owes how much is said, and somebody may leave it to the next', async () => {
    const fresh = await debtor('Fresh A')
    const rows = await earn(fresh, ['150'])
    const period = { period_to: '2026-11-21', affiliate_uuids: [fresh.uuid] }
    expect((await admin.call(invoiceApi.preview, { body: period })).data.list).toMatchObject([{ net: '-440.0000', left_out: 'negative' }])
    const filter = { affiliate_uuid: [fresh.uuid] }
    for (const refused of [await make(rows), await admin.call(invoiceApi.createFromConversions, { body: { filter } })]) {
      expect([refused.status, Object.keys(refused.errors)]).toEqual([409, [OWES]])
      expect(Object.values(refused.errors).join()).toContain('Fresh A 590.00 USD')
    }
    expect(await drafts(fresh)).toEqual([])

    const made = (await admin.call(invoiceApi.createFromConversions, { body: { filter, leave_debt: true } })).data
    expect(await read(made.invoices[0]?.uuid ?? '')).toMatchObject({ net: '150.0000', owed: '590.0000', lines: [{ kind: 'conversion' }] })
  })

  test('takes the corrections along where more was earned, and leaves them where enough else is available', async () => {
    const [fresh, other] = [await debtor('Fresh B'), await debtor('Fresh C')]
    const rows = [...(await earn(fresh, ['600', '0.5'])), ...(await earn(other, ['1000', '7']))]
    // 7 of one who has 1,007 less 590: nothing is owed beside it
    const made = (await make([...rows.slice(0, 2), ...rows.slice(3)])).data
    const invoices = await Promise.all(made.invoices.map(({ uuid }) => read(uuid)))
    expect(invoices.map(({ net, owed, lines }) => ({ net, owed, kinds: lines.map(({ kind }) => kind) }))).toEqual([
      { net: '10.5000', owed: null, kinds: ['conversion', 'correction'] },
      { net: '7.0000', owed: null, kinds: ['conversion'] },
    ])
    // a run of one filter takes them along as well
    const filter = { affiliate_uuid: [other.uuid] }
    const run = (await admin.call(invoiceApi.createFromConversions, { body: { filter } })).data
    expect(await read(run.invoices[0]?.uuid ?? '')).toMatchObject({ net: '410.0000', owed: null })
  })

  test('of many by a filter names each who owes and makes none of them', async () => {
    const [fresh, other] = [await debtor('Fresh D'), await debtor('Fresh E')]
    for (const [one, amount] of [[fresh, '600'] as const, [other, '589.99'] as const]) await earn(one, [amount])
    const filter = { affiliate_uuid: [fresh.uuid, other.uuid] }
    const refused = await admin.call(invoiceApi.createFromConversions, { body: { filter } })
    expect(Object.values(refused.errors).join()).toContain('Fresh E 590.00 USD.')
    expect([...(await drafts(fresh)), ...(await drafts(other))]).toEqual([])
    await earn(other, ['0.02'])
    const made = (await admin.call(invoiceApi.createFromConversions, { body: { filter } })).data
    expect((await Promise.all(made.invoices.map(({ uuid }) => read(uuid)))).map(({ net }) => net)).toEqual(['10.0000', '0.0100'])
  })

  test('is made once of two at the same moment, and the debt is taken off once', async () => {
    const fresh = await debtor('Fresh F')
    const [one, two] = [await earn(fresh, ['600']), await earn(fresh, ['600'])]
    const answers = await Promise.all([make(one), make(two)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const made = await Promise.all((await drafts(fresh)).map(({ uuid }) => read(uuid)))
    // the first leaves 10 of the other's 600 and nothing owed; the second comes to more than that
    expect(made.map(({ net }) => net).toSorted()).toEqual(['10.0000', '600.0000'])
  })

  test('keeps to credit notes where its invoices carry VAT: no line takes what a note has to take', async () => {
    const fresh = await api.as('affiliate', { name: 'Fresh V' })
    await makeSelfBilled(api.db, { affiliateId: fresh.affiliateId ?? 0, accountId: fresh.accountId }, { vat_category: 'S', vat_rate: '20' })
    const [row] = await earn(fresh, ['590'])
    const issued = await makeIssued(admin, row === undefined ? [] : [row])
    await pay(issued, '708')
    if (row !== undefined) await refund(row)
    const refused = await make(await earn(fresh, ['600']))
    expect(Object.values(refused.errors).join()).toContain('Fresh V 590.00 USD')
    await api.db.deleteFrom('setting').where('key', '=', 'company').execute()
  })
})

describe('approving an invoice whose affiliate owes', () => {
  test('names the debt, until that is left to the next one', async () => {
    const fresh = await debtor('Fresh G')
    const { invoices } = (await make(await earn(fresh, ['150']), { leave_debt: true })).data
    const uuid = invoices[0]?.uuid ?? ''
    const refused = await approve(uuid)
    expect([refused.status, Object.values(refused.errors).join()]).toEqual([409, expect.stringContaining('Fresh G 590.00 USD')])
    const { revision, status, owed } = await read(uuid)
    expect([status, owed]).toEqual(['waiting', '590.0000'])
    const approved = await admin.call(invoiceApi.approve, { params: { uuid }, body: { revision, leave_debt: true } })
    expect(approved.data).toMatchObject({ status: 'approved', open: '150.0000', owed: '590.0000' })
  })
})

describe('a payout to somebody who owes', () => {
  test('is left out with what is owed, and made where somebody says so', async () => {
    const fresh = await debtor('Fresh H')
    const issued = await issuedOf(fresh, ['150'])
    expect(await payees(fresh)).toMatchObject([{ amount: '150.0000', left_out: 'owes', owed: '590.0000' }])
    expect((await file(fresh)).errors).toHaveProperty('1095')
    const sure = { owing_uuids: [fresh.uuid] }
    expect(await payees(fresh, sure)).toMatchObject([{ amount: '150.0000', left_out: null, owed: '590.0000' }])
    const made = (await file(fresh, sure)).data
    expect(made).toMatchObject({ payments: 1, amount: '150.0000' })
    expect((await release(made)).data).toMatchObject({ state: 'released', sent: 1, dropped: 0 })
    expect(await read(issued.uuid)).toMatchObject({ sent: '150.0000', owed: null })
  })

  test('takes as much as is owed with the debt taken off, of two files at once no more than that together', async () => {
    const fresh = await debtor('Fresh I')
    const [one, two] = [await issuedOf(fresh, ['500']), await issuedOf(fresh, ['400'])]
    // 900 on invoices less 590 are 310
    for (const invoice of [one, two]) expect(await payees(fresh, { invoice_uuids: [invoice.uuid] })).toMatchObject([{ left_out: 'owes' }])
    const three = await issuedOf(fresh, ['300'])
    // and 1,200 less 590 are 610: either of the first two, but not both
    const files = await Promise.all([one, two].map(({ uuid }) => file(fresh, { invoice_uuids: [uuid] })))
    expect(files.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const held = files.find(({ status }) => status === 200)?.data
    expect(await payees(fresh, { invoice_uuids: [three.uuid] })).toMatchObject([{ left_out: 'owes' }])
    expect((await release(held ?? { uuid: '' })).data).toMatchObject({ state: 'released', sent: 1 })
  })

  test('is taken off its file where it came to owe before that was released', async () => {
    const fresh = await api.as('affiliate', { name: 'Fresh J' })
    await makeMethod(api, fresh.affiliateId ?? 0, { system: 'paypal', values: { email: 'fresh@example.com' } })
    const rows = await earn(fresh, ['100', '50'])
    const made = await make(rows)
    const issued = (await approve(made.data.invoices[0]?.uuid ?? '')).data
    const draft = (await file(fresh)).data
    if (rows[1] !== undefined) await refund(rows[1])
    const kept = (await release(draft)).data
    expect(kept).toMatchObject({ state: 'draft', payments: 0, dropped: 1 })
    const { list } = (await admin.call(payoutApi.payments, { body: { uuid: draft.uuid } })).data
    expect(list).toMatchObject([{ state: 'cancelled', reason: 'owes' }])
    expect(await read(issued.uuid)).toMatchObject({ open: '150.0000', owed: '50.0000' })

    // by hand as much as is owed, and more where somebody says so
    const open = await read(issued.uuid)
    expect(Object.values((await pay(open, '100.01')).errors).join()).toContain('Fresh J 50.00 USD')
    const part = (await pay(open, '100')).data
    expect(part).toMatchObject({ status: 'partly_paid', open: '50.0000' })
    expect((await pay(part, '50')).errors).toHaveProperty(OWES)
    expect((await pay(part, '50', { leave_debt: true })).data.status).toBe('paid')
  })
})
