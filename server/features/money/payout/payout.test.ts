import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { fillPath } from '#contract/endpoint.ts'
import { amountText } from '#contract/money/amount.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { paymentSetting } from '#contract/money/payment.ts'
import { paymentSourceApi, payoutApi, type PayoutFileDetail } from '#contract/money/payout.ts'
import { lookAtBooks } from '#server/features/money/ledger/books.service.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { makeInvoice, makeIssued, makePayable, makeSelfBilled, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { letOneDecide, setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { referenceOf } from './reference.ts'

const password = 'correct horse battery'
const SEPA = { holder: 'Ірина Мороз', iban: 'DE89370400440532013000', town: 'Kyiv' }
let api: TestApi
let admin: Caller
let head: Caller
let source: number
beforeAll(async () => {
  api = await startApi()
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(password) })
    .execute()
  const made = await admin.call(paymentSourceApi.create, {
    body: { name: 'Bank', kind: 'bank', holder: 'Ohma Ltd', iban: 'IE29 AIBK 9311 5212 3456 78', bic: '', currency: null, active: true },
  })
  source = made.data.id
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('setting').where('key', '!=', 'billing').execute()
})

/** An affiliate with approved invoices in euros, paid by SEPA. */
async function owed(amounts: string[], more: Parameters<typeof makeMethod>[2] = {}) {
  const affiliate = await api.as('affiliate', { name: 'Iryna' })
  const affiliateId = affiliate.affiliateId ?? 0
  await makeMethod(api, affiliateId, { system: 'sepa', values: SEPA, ...more })
  const invoices: string[] = []
  for (const amount of amounts) {
    const rows = await makePayable(api.db, affiliateId, [amount], { at: api.clock.now() - 86_400_000, currency: 'EUR' })
    const { uuid } = await makeIssued(admin, rows)
    await api.db.updateTable('invoice').set({ payment_system: 'sepa', due_day: '2026-11-20' }).where('uuid', '=', uuid).execute()
    invoices.push(uuid)
  }
  return { ...affiliate, invoices }
}
type Owed = Awaited<ReturnType<typeof owed>>
const asked = (of: Owed[], more: object = {}) => ({
  key: randomUUID(),
  format: 'sepa' as const,
  source_id: source,
  currency: 'EUR',
  due_to: '2026-11-21',
  execution_day: '2026-11-23',
  affiliate_uuids: of.map(({ uuid }) => uuid),
  ...more,
})
const make = async (of: Owed[], more: object = {}) => (await admin.call(payoutApi.make, { body: asked(of, more) })).data
const release = (by: Caller, { uuid }: { uuid: string }, typed = password) =>
  by.call(payoutApi.release, { params: { uuid }, body: { password: typed } })
const payments = async ({ uuid }: { uuid: string }) => (await admin.call(payoutApi.payments, { body: { uuid } })).data.list
const invoice = async (uuid: string) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
const sound = async () => expect(await findDifferences(api.db)).toEqual([])
const apply = (content: string, confirmed: string[] = []) => admin.call(payoutApi.applyResult, { body: { content, confirmed } })
async function download(by: Caller, { uuid }: { uuid: string }) {
  const answer = await fetch(`${api.url}${fillPath(payoutApi.download.path, { uuid })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}
const released = async (of: Owed[], more: object = {}): Promise<PayoutFileDetail> => (await release(head, await make(of, more))).data

describe('a payout file', () => {
  test('goes from what is due to money that arrived, one payment for all invoices of an affiliate, to the cent', async () => {
    const [one, two] = [await owed(['10.10', '20.20']), await owed(['5'])]
    const { key: _key, execution_day: _day, affiliate_uuids: _who, ...preview } = asked([one])
    const shown = (await admin.call(payoutApi.preview, { body: preview })).data
    expect(shown.proven).toBe(false)
    expect(shown.list.filter(({ affiliate }) => affiliate.uuid === one.uuid)).toMatchObject([
      { invoices: 2, amount: '30.3000', left_out: null, told: 'Iryna Moroz' },
    ])
    const file = await make([one, two])
    expect(file).toMatchObject({ state: 'draft', payments: 2, amount: '35.3000', sha256: null, may: { release: true } })
    expect(await invoice(one.invoices[0] ?? '')).toMatchObject({ status: 'approved', open: '0.0000', planned: '10.1000' })
    await sound()
    expect((await download(admin, file)).status).toBe(404)
    // nobody pays by hand what stands in a file
    const byHand = await admin.call(invoiceApi.pay, {
      params: { uuid: one.invoices[0] ?? '' },
      body: paymentOf('10.1', (await invoice(one.invoices[0] ?? '')).revision),
    })
    expect(byHand.errors).toHaveProperty('1083')
    expect((await one.call(ownInvoiceApi.payments)).data.list).toEqual([])
    const told = (await one.call(ownInvoiceApi.get, { params: { uuid: one.invoices[0] ?? '' } })).data
    expect(told).toMatchObject({ open: '10.1000', payments: [] })
    expect((await one.call(ledgerApi.ownAccounts)).data.due).toMatchObject([{ open: '10.1000' }, { open: '20.2000' }])

    const out = (await release(head, file)).data
    expect(out).toMatchObject({ state: 'released', sent: 2, released_by: expect.any(String) })
    const { bytes } = await download(admin, file)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(out.sha256)
    expect((await download(head, file)).bytes.equals(bytes)).toBe(true)
    const [first] = (await payments(file)).filter(({ affiliate }) => affiliate.uuid === one.uuid)
    expect(bytes.toString()).toContain(`<EndToEndId>${first?.reference}</EndToEndId>`)
    expect(bytes.toString()).toContain('<CtrlSum>35.30</CtrlSum>')
    // what leaves the instance is sealed where it is kept
    const kept = await api.db.selectFrom('payout_file').select('sealed').where('uuid', '=', file.uuid).executeTakeFirstOrThrow()
    expect(kept.sealed?.includes('DE8937')).toBe(false)
    await sound()

    const csv = `reference,status,amount,id,fee\n${first?.reference},settled,30.30,TX-${file.id},0.35\n`
    const seen = (await admin.call(payoutApi.previewResult, { body: { content: csv } })).data
    expect(seen.list).toMatchObject([{ becomes: 'settled', note: null, affiliate: 'Iryna', said_currency: '', currency: 'EUR' }])
    expect((await apply(csv)).data).toEqual({ settled: 1, failed: 0, returned: 0, passed: 0 })
    expect((await apply(csv)).data).toEqual({ settled: 0, failed: 0, returned: 0, passed: 1 })
    expect((await admin.call(payoutApi.preview, { body: preview })).data.proven, 'one has arrived').toBe(true)
    expect(await invoice(one.invoices[1] ?? '')).toMatchObject({ status: 'paid', paid: '20.2000', payments: [{ state: 'settled' }] })
    expect((await one.call(ownInvoiceApi.payments)).data.list).toMatchObject([
      { state: 'settled', external_id: `TX-${file.id}` },
      { state: 'settled' },
    ])
    await sound()
    const back = `reference,status,reason,id\n${first?.reference},returned,Closed account,BACK-1\n`
    expect((await apply(back)).data).toMatchObject({ returned: 1 })
    // the way there keeps its number, and when it arrived
    expect((await one.call(ownInvoiceApi.payments)).data.list[0]).toMatchObject({
      state: 'returned',
      external_id: `TX-${file.id}`,
      reason: 'Closed account · BACK-1',
      settled_at: expect.any(String),
    })
    expect(await invoice(one.invoices[1] ?? '')).toMatchObject({ status: 'approved', paid: '0.0000', open: '20.2000' })
    await sound()
    const [second] = (await payments(file)).filter(({ affiliate }) => affiliate.uuid === two.uuid)
    const unsaid = await admin.call(payoutApi.mark, { params: { uuid: second?.uuid ?? '' }, body: { becomes: 'failed', reason: ' ' } })
    expect(unsaid.fields).toHaveProperty('reason')
    const say = (reason: string) =>
      admin.call(payoutApi.mark, { params: { uuid: second?.uuid ?? '' }, body: { becomes: 'failed', reason } })
    const failed = await say('Unknown account')
    expect(failed.data).toMatchObject({ state: 'failed', reason: 'Unknown account' })
    const news = (await two.call(notificationApi.list, { body: {} })).data.list.filter(({ kind }) => kind === 'invoice_moved')
    expect(news[0]).toMatchObject({ status: 'failed', reason: expect.stringContaining('5.00 EUR · Unknown account') })
    const unpaid = (await two.call(ownInvoiceApi.payments)).data.list[0]
    expect(unpaid).toMatchObject({ state: 'failed', reason: 'Unknown account', settled_at: null })
    // the same again is answered as the first time, another is refused
    expect((await say('Unknown account')).data).toEqual(failed.data)
    expect((await say('Closed')).status).toBe(409)
    expect((await admin.call(payoutApi.get, { params: { uuid: file.uuid } })).data).toMatchObject({
      state: 'closed',
      settled: 0,
      failed: 2,
    })
    await sound()
  })

  test('leaves out, with the reason, whoever cannot be paid', async () => {
    const locked = await owed(['10'], { locked_until: new Date(api.clock.now() + 1000) })
    const wrong = await owed(['10'], { values: { ...SEPA, iban: 'DE89370400440532013001' } })
    const unreadable = await owed(['10'], { values: { ...SEPA, holder: '漢字' } })
    const banned = await owed(['10'])
    await api.db
      .updateTable('affiliate')
      .set({ status: 'banned' })
      .where('id', '=', banned.affiliateId ?? 0)
      .execute()
    const none = await owed(['10'])
    await api.db
      .deleteFrom('payment_method')
      .where('affiliate_id', '=', none.affiliateId ?? 0)
      .execute()
    const { key: _key, execution_day: _day, affiliate_uuids: _who, ...preview } = asked([])
    const { list } = (await admin.call(payoutApi.preview, { body: preview })).data
    const reasons = [locked, wrong, unreadable, banned, none].map(
      (of) => list.find(({ affiliate }) => affiliate.uuid === of.uuid)?.left_out,
    )
    expect(reasons).toEqual(['method_locked', 'method_invalid', 'method_invalid', 'not_active', 'no_method'])
    expect((await admin.call(payoutApi.make, { body: asked([locked, wrong, unreadable, banned, none]) })).errors).toHaveProperty('1095')
    expect((await admin.call(payoutApi.make, { body: asked([none], { currency: 'USD' }) })).fields).toEqual({
      currency: 'SEPA moves euros only',
    })
  })

  test('of chosen invoices pays these alone, and says why it leaves out others that were chosen', async () => {
    const one = await owed(['10', '20', '30', '40'])
    const [paid = '', later = '', other = '', planned = ''] = one.invoices
    const at = api.clock.now() - 86_400_000
    const { uuid: open } = await makeInvoice(admin, await makePayable(api.db, one.affiliateId ?? 0, ['50'], { at, currency: 'EUR' }))
    const set = (uuid: string, values: object) => api.db.updateTable('invoice').set(values).where('uuid', '=', uuid).execute()
    await set(later, { due_day: '2026-12-30' })
    await set(other, { payment_system: 'paypal' })
    await make([], { invoice_uuids: [planned] })
    const chosen = { invoice_uuids: [...one.invoices, open] }
    const { key: _key, execution_day: _day, affiliate_uuids: _who, ...preview } = asked([], chosen)
    const { data } = await admin.call(payoutApi.preview, { body: preview })
    expect(data).toMatchObject({ payments: 1, amount: '10.0000', list: [{ invoices: 1, left_out: null }] })
    const reasons = new Map(data.not_taken.map(({ uuid, reason }) => [uuid, reason]))
    expect([later, other, open, planned].map((uuid) => reasons.get(uuid))).toEqual(['due_later', 'system', 'draft', 'planned'])
    const file = await make([], chosen)
    expect((await payments(file)).flatMap(({ invoices }) => invoices.map(({ uuid }) => uuid))).toEqual([paid])
    // what is open and was not chosen is in none
    expect((await admin.call(payoutApi.make, { body: asked([], chosen) })).errors).toHaveProperty('1095')
    await admin.call(payoutApi.cancel, { params: { uuid: file.uuid } })
  })

  test('takes off who changed where they are paid before it is released, and is looked at again', async () => {
    const [one, two] = [await owed(['10']), await owed(['20'])]
    const file = await make([one, two])
    await api.db
      .updateTable('payment_method')
      .set({ removed_at: new Date(api.clock.now()) })
      .where('affiliate_id', '=', two.affiliateId ?? 0)
      .execute()
    const again = (await release(head, file)).data
    expect(again).toMatchObject({ state: 'draft', payments: 1, amount: '10.0000', dropped: 1 })
    expect(await invoice(two.invoices[0] ?? '')).toMatchObject({ open: '20.0000', planned: '0.0000' })
    expect((await release(head, file)).data).toMatchObject({ state: 'released', sent: 1 })
    await sound()
  })

  test('is released with the password, by somebody else than made it where the network asks for that from an amount on', async () => {
    const file = await make([await owed(['10'])])
    expect((await release(head, file, 'wrong')).status).toBe(422)
    await setBilling(api.db, { four_eyes: true, four_eyes_limit: '1000000' })
    // there is no rate of the euro: nobody knows whether it is below
    expect((await release(admin, file)).errors).toHaveProperty('1082')
    await letOneDecide(api.db)
    expect((await release(admin, file)).data.state).toBe('released')
    // and taken back by another one still
    const recall = (by: Caller) => by.call(payoutApi.recall, { params: { uuid: file.uuid }, body: { not_uploaded: true } })
    expect((await recall(admin)).errors).toHaveProperty('1082')
    expect((await recall(head)).data).toMatchObject({ state: 'recalled', failed: 1 })
    await sound()
    expect((await (await api.as('manager')).call(payoutApi.list)).status).toBe(403)
    expect((await (await api.as('affiliate')).call(payoutApi.list)).status).toBe(403)
  })

  test('is not released while the books differ, until an admin has noted a reason', async () => {
    const one = await owed(['10'])
    const file = await make([one])
    const shift = (by: number) =>
      api.db
        .updateTable('ledger_account')
        .set({ balance: sql`balance + ${by}` })
        .where('kind', '=', 'payout_cost')
        .where('owner_id', '=', one.affiliateId ?? 0)
        .execute()
    await shift(1)
    await lookAtBooks(api.db, api.clock.now())
    expect((await release(head, file)).errors).toHaveProperty('1094')
    const { seen } = (await admin.call(ledgerApi.books)).data
    await admin.call(ledgerApi.noteBooks, { body: { seen, reason: 'Seen' } })
    expect((await release(head, file)).data.state).toBe('released')
    await shift(-1)
    await lookAtBooks(api.db, api.clock.now())
  })

  test('that is cancelled gives its invoices back; released it is not', async () => {
    const one = await owed(['10'])
    const file = await make([one])
    const cancel = (of: { uuid: string }) => admin.call(payoutApi.cancel, { params: { uuid: of.uuid } })
    expect((await cancel(file)).data.state).toBe('cancelled')
    expect((await cancel(file)).data.state).toBe('cancelled')
    expect(await invoice(one.invoices[0] ?? '')).toMatchObject({ open: '10.0000', planned: '0.0000' })
    await sound()
    expect((await release(head, file)).errors).toHaveProperty('1021')
    expect((await cancel(await released([one]))).errors).toHaveProperty('1021')
  })

  test('has an invoice alone, also where more of it is open since', async () => {
    const one = await owed(['10'])
    const read = await invoice(one.invoices[0] ?? '')
    // 8 more than it is about: the next invoice uses them
    const ahead = { ...paymentOf('18', read.revision, { settled: false, in_advance: true }), source_id: source }
    const sent = (await admin.call(invoiceApi.pay, { params: { uuid: read.uuid }, body: ahead })).data
    const rows = await makePayable(api.db, one.affiliateId ?? 0, ['20'], { at: api.clock.now() - 86_400_000, currency: 'EUR' })
    const next = await makeIssued(admin, rows)
    await api.db.updateTable('invoice').set({ payment_system: 'sepa', due_day: '2026-11-20' }).where('uuid', '=', next.uuid).execute()
    await make([one])
    await admin.call(invoiceApi.fail, { params: { uuid: read.uuid }, body: { revision: sent.revision, reason: 'Wrong IBAN' } })
    const now = await invoice(next.uuid)
    expect(now).toMatchObject({ planned: '12.0000', open: '8.0000' })
    const body = { ...paymentOf('8', now.revision, { settled: false }), source_id: source }
    expect((await admin.call(invoiceApi.pay, { params: { uuid: next.uuid }, body })).errors).toHaveProperty('1083')
    await sound()
  })

  test('keeps back the fee the affiliate bears, and books both', async () => {
    const systems = paymentSetting.defaults.systems.map((one) =>
      one.code === 'sepa' ? { ...one, fee_by: 'affiliate' as const, fee_fixed: '1.5', fee_percent: '2' } : one,
    )
    await api.db
      .insertInto('setting')
      .values({ key: 'payments', value: JSON.stringify({ systems }) })
      .execute()
    const one = await owed(['40', '60.33'])
    const file = await released([one])
    const [payout] = await payments(file)
    expect(payout).toMatchObject({ amount: '100.3300', charged: '3.5100' })
    expect((await download(admin, file)).bytes.toString()).toContain('>96.82</InstdAmt>')
    await apply(`reference,status,amount,fee\n${payout?.reference},settled,96.82,0.2\n`)
    await sound()
    const fee = await api.db
      .selectFrom('ledger_account')
      .select('balance')
      .where('kind', '=', 'bank_fee')
      .where('owner_id', '=', source)
      .executeTakeFirstOrThrow()
    // of this test 3.51 kept (2 % of 100.33 in whole cents, and 1.50) and 0.2 paid; of the first one 0.35 paid
    expect(amountText(fee.balance)).toBe('-2.9600')
    const tooDear = await owed(['1'])
    expect((await admin.call(payoutApi.make, { body: asked([tooDear]) })).errors).toHaveProperty('1095')
  })
})

describe('a result', () => {
  test('of another amount is asked about; unknown, repeated and undecided rows change nothing', async () => {
    const file = await released([await owed(['10']), await owed(['20'])])
    const [one, two] = await payments(file)
    const content = [
      'reference,status,amount',
      `${one?.reference},settled,9.99`,
      `${one?.reference},failed,10`,
      `${two?.reference},pending,20`,
      `${referenceOf(1, 999_999)},settled,1`,
    ].join('\n')
    const { list } = (await admin.call(payoutApi.previewResult, { body: { content } })).data
    expect(list.map(({ note }) => note)).toEqual(['amount_differs', 'twice', 'nothing', 'unknown_reference'])
    // in what we paid, and of what is none of ours nobody knows
    expect(list.map(({ currency }) => currency)).toEqual(['EUR', 'EUR', 'EUR', null])
    expect((await apply(content)).data).toEqual({ settled: 0, failed: 0, returned: 0, passed: 4 })
    expect((await apply(content, [one?.reference ?? ''])).data).toMatchObject({ settled: 1, passed: 3 })
    expect((await admin.call(payoutApi.previewResult, { body: { content: 'hello' } })).fields).toHaveProperty('content')
    await sound()
  })

  test('is told of all at once where everything arrived: what was said before stays, and told twice it is booked once', async () => {
    const people = [await owed(['10']), await owed(['20']), await owed(['30'])]
    const file = await released(people)
    const [first] = await payments(file)
    await admin.call(payoutApi.mark, { params: { uuid: first?.uuid ?? '' }, body: { becomes: 'failed', reason: 'Closed account' } })
    expect((await admin.call(payoutApi.get, { params: { uuid: file.uuid } })).data).toMatchObject({ sent: 2, sent_amount: '50.0000' })
    const arrived = (by: Caller) => by.call(payoutApi.arrived, { params: { uuid: file.uuid } })
    expect((await arrived(await api.as('manager'))).status).toBe(403)
    const both = await Promise.all([arrived(admin), arrived(admin)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await arrived(admin)).data).toMatchObject({ state: 'closed', sent: 0, settled: 2, failed: 1, sent_amount: '0.0000' })
    expect((await payments(file)).map(({ state }) => state)).toEqual(['failed', 'settled', 'settled'])
    expect(await invoice(people[2]?.invoices[0] ?? '')).toMatchObject({ status: 'paid', paid: '30.0000' })
    // what is only planned has not left
    const draft = await make([await owed(['5'])])
    expect((await admin.call(payoutApi.arrived, { params: { uuid: draft.uuid } })).data).toMatchObject({ state: 'draft', settled: 0 })
    await sound()
  })

  test('that says a payment of a recalled file arrived is a loud question, and booked as what is open and prepaid; the file is not handed out', async () => {
    const [one, two] = [await owed(['10']), await owed(['20'])]
    const file = await released([one, two])
    const recalled = await head.call(payoutApi.recall, { params: { uuid: file.uuid }, body: { not_uploaded: true } })
    // released by the head: somebody else takes it back
    expect(recalled.errors).toHaveProperty('1082')
    await admin.call(payoutApi.recall, { params: { uuid: file.uuid }, body: { not_uploaded: true } })
    expect((await download(admin, file)).status).toBe(409)
    // the first is paid once more meanwhile
    const [again] = await payments(await released([one]))
    expect((await apply(`reference,status\n${again?.reference},settled\n`)).data).toMatchObject({ settled: 1 })
    const refs = (await payments(file)).map(({ reference }) => reference)
    const csv = ['reference,status', ...refs.map((reference) => `${reference},settled`)].join('\n')
    const whole = `<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">30</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls><Btch><PmtInfId>${file.uuid.replaceAll('-', '')}-1</PmtInfId></Btch></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
    for (const content of [csv, whole])
      expect((await admin.call(payoutApi.previewResult, { body: { content } })).data.list).toMatchObject([
        { note: 'recalled', becomes: 'settled' },
        { note: 'recalled', becomes: 'settled' },
      ])
    expect((await apply(csv)).data).toMatchObject({ settled: 0, passed: 2 })
    const booked = await Promise.all([apply(csv, refs), apply(csv, refs)])
    expect(booked.reduce((sum, { data }) => sum + data.settled, 0)).toBe(2)
    await sound()
    expect(await invoice(two.invoices[0] ?? '')).toMatchObject({ status: 'paid', open: '0.0000', paid: '20.0000' })
    expect(await invoice(one.invoices[0] ?? '')).toMatchObject({ status: 'paid', open: '0.0000', paid: '10.0000' })
    // paid twice: the next invoice uses it, and owes it again when the bank sends it back
    const rows = await makePayable(api.db, one.affiliateId ?? 0, ['15'], { at: api.clock.now() - 86_400_000, currency: 'EUR' })
    const next = await makeIssued(admin, rows)
    expect(await invoice(next.uuid)).toMatchObject({ open: '5.0000' })
    const back = (await payments(file)).map(({ reference }) => `${reference},returned`)
    expect((await apply(['reference,status', ...back].join('\n'))).data).toMatchObject({ returned: 2 })
    expect(await invoice(next.uuid)).toMatchObject({ open: '15.0000' })
    expect(await invoice(two.invoices[0] ?? '')).toMatchObject({ status: 'approved', open: '20.0000' })
    expect(await invoice(one.invoices[0] ?? '')).toMatchObject({ status: 'paid' })
    await sound()
  })

  /** Two lines and 20 % VAT in a released file, of which a note takes back the second, or both, while it is on its way. */
  async function notedOnItsWay(many: number, byHand = false) {
    const affiliate = await api.as('affiliate', { name: 'Iryna' })
    const affiliateId = affiliate.affiliateId ?? 0
    await makeMethod(api, affiliateId, { system: 'sepa', values: SEPA })
    await makeSelfBilled(api.db, { affiliateId, accountId: affiliate.accountId }, { vat_category: 'S', vat_rate: '20' })
    const rows = await makePayable(api.db, affiliateId, ['100', '50'], { at: api.clock.now() - 86_400_000, currency: 'EUR' })
    const { uuid, revision } = await makeIssued(admin, rows)
    await api.db.updateTable('invoice').set({ payment_system: 'sepa', due_day: '2026-11-20' }).where('uuid', '=', uuid).execute()
    const of = { ...affiliate, invoices: [uuid] }
    const params = { uuid }
    if (byHand) await admin.call(invoiceApi.pay, { params, body: { ...paymentOf('180', revision, { settled: false }), source_id: source } })
    const file = byHand ? null : await released([of])
    const changes = rows.toReversed().slice(0, many)
    await api.db.transaction().execute(async (trx) => {
      const now = api.clock.now()
      const before = await trx
        .selectFrom('conversion')
        .selectAll()
        .where(
          'id',
          'in',
          changes.map(({ id }) => id),
        )
        .execute()
      const declined = before.map((one) => ({ before: one, after: { ...one, status: 'declined' as const, updated_at: new Date(now) } }))
      await recordChanges(
        trx,
        declined.map((one) => ({ ...one, origin: 'staff' as const, actorId: null })),
        now,
      )
    })
    const { revision: seen } = await invoice(uuid)
    const noted = await admin.call(invoiceApi.creditChanges, { params, body: { revision: seen, reason: 'Wrong' } })
    const [payout] = file === null ? [] : await payments(file)
    /** The next invoice uses what is in advance. */
    const next = async () => {
      const more = await makePayable(api.db, affiliateId, ['10'], { at: api.clock.now() - 86_400_000, currency: 'EUR' })
      return (await makeIssued(admin, more)).uuid
    }
    return { of, file, noted: noted.data, payout: payout!, params, next }
  }
  const mark = (uuid: string, becomes: 'settled' | 'failed' | 'returned') =>
    admin.call(payoutApi.mark, { params: { uuid }, body: { becomes, reason: becomes === 'settled' ? '' : 'Unknown account' } })

  test('of a payment of which a note took back a part meanwhile books what is on its invoice, and the rest as paid in advance', async () => {
    const settled = await notedOnItsWay(1)
    expect(settled.noted).toMatchObject({ status: 'approved', sent: '120.0000', credited: '60.0000' })
    expect((await mark(settled.payout.uuid, 'settled')).status).toBe(200)
    expect(await invoice(settled.params.uuid)).toMatchObject({ status: 'paid', sent: '0.0000', paid: '120.0000', open: '0.0000' })
    await sound()
    const used = await settled.next()
    expect(await invoice(used)).toMatchObject({ open: '0.0000', offset_prepaid: '12.0000' })
    expect((await mark(settled.payout.uuid, 'returned')).status).toBe(200)
    expect(await invoice(settled.params.uuid)).toMatchObject({ status: 'approved', paid: '0.0000', open: '120.0000' })
    expect(await invoice(used)).toMatchObject({ open: '12.0000', offset_prepaid: '0.0000' })
    await sound()

    const failed = await notedOnItsWay(1)
    const next = await failed.next()
    expect(await invoice(next)).toMatchObject({ open: '0.0000' })
    expect((await mark(failed.payout.uuid, 'failed')).status).toBe(200)
    expect(await invoice(failed.params.uuid)).toMatchObject({ status: 'approved', sent: '0.0000', open: '120.0000' })
    expect(await invoice(next)).toMatchObject({ open: '12.0000', offset_prepaid: '0.0000' })
    await sound()
  })

  test('taken back after notes took back what it pays leaves nothing in advance, and a result read in says what came of it', async () => {
    const recalled = await notedOnItsWay(2)
    const next = await recalled.next()
    const file = { params: { uuid: recalled.file?.uuid ?? '' }, body: { not_uploaded: true as const } }
    expect((await admin.call(payoutApi.recall, file)).data).toMatchObject({ state: 'recalled' })
    expect(await invoice(recalled.params.uuid)).toMatchObject({ status: 'paid', sent: '0.0000', open: '0.0000', credited: '180.0000' })
    expect(await invoice(next)).toMatchObject({ open: '12.0000' })
    await sound()
    const read = await notedOnItsWay(2)
    expect((await apply(`reference,status\n${read.payout.reference},settled\n`)).data).toMatchObject({ settled: 1 })
    expect(await invoice(read.params.uuid)).toMatchObject({ status: 'paid', paid: '0.0000', credited: '180.0000' })
    await sound()
  })

  test('by hand ends although all of its invoice was credited meanwhile, which is not cancelled before', async () => {
    for (const end of ['settle', 'fail'] as const) {
      const { noted, params } = await notedOnItsWay(2, true)
      expect(noted).toMatchObject({ status: 'paid', sent: '0.0000', credited: '180.0000' })
      const body = { revision: noted.revision, reason: 'No' }
      expect((await admin.call(invoiceApi.cancel, { params, body })).errors).toHaveProperty('1083')
      const ended =
        end === 'fail'
          ? await admin.call(invoiceApi.fail, { params, body })
          : await admin.call(invoiceApi.settle, { params, body: { revision: noted.revision } })
      expect(ended.data).toMatchObject({ status: 'paid', payments: [{ state: end === 'fail' ? 'failed' : 'settled' }] })
      await sound()
    }
  })

  test('goes on past a payment that cannot be booked, and says so after', async () => {
    const [one, two] = [await owed(['10']), await owed(['20'])]
    const file = await released([one, two])
    const list = await payments(file)
    const content = ['reference,status', ...list.map(({ reference }) => `${reference},settled`)].join('\n')
    const breaks = list.find(({ affiliate }) => affiliate.uuid === one.uuid)
    const whole = (ok: boolean) =>
      sql`update invoice set sent = sent ${sql.raw(ok ? '+' : '-')} 10, paid = paid ${sql.raw(ok ? '-' : '+')} 10 where uuid = ${one.invoices[0] ?? ''}`
    // nothing is on its way of it: the database refuses less than nothing
    await whole(false).execute(api.db)
    expect((await apply(content)).status).toBe(500)
    expect(await invoice(two.invoices[0] ?? '')).toMatchObject({ status: 'paid' })
    await whole(true).execute(api.db)
    expect((await apply(content)).data).toMatchObject({ settled: 1, passed: 1 })
    expect(breaks).toBeDefined()
    await sound()
  })

  test('of the whole file fails all of it', async () => {
    const file = await released([await owed(['10']), await owed(['20'])])
    const pain = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt><OrgnlGrpInfAndSts><OrgnlMsgId>${file.uuid.replaceAll('-', '')}</OrgnlMsgId><GrpSts>RJCT</GrpSts></OrgnlGrpInfAndSts></CstmrPmtStsRpt></Document>`
    expect((await apply(pain)).data).toMatchObject({ failed: 2 })
    await sound()
  })

  test('of a statement settles what bears our reference, asks about what only account and amount tell, and leaves the rest alone', async () => {
    const file = await released([await owed(['10']), await owed(['20']), await owed(['37.11'])])
    const [one, two, three] = await payments(file)
    const xml = (await download(admin, file)).bytes.toString()
    const iban = new RegExp(`${three?.reference}[^]*?<CdtrAcct><Id><IBAN>(\\w+)<`).exec(xml)?.[1] ?? ''
    const entry = (amount: string, id: string, more = '', side = 'DBIT') =>
      `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${more}</TxDtls></NtryDtls></Ntry>`
    const to = (account: string) => `<RltdPties><CdtrAcct><Id><IBAN>${account}</IBAN></Id></CdtrAcct></RltdPties>`
    const statement = (entries: string) =>
      `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`
    const content = statement(
      entry('10.00', one?.reference ?? '') +
        entry('19.00', two?.reference ?? '') +
        entry('37.11', 'NOTPROVIDED', to(iban)) +
        entry('900.00', 'RENT', to('FR1420041010050500013M02606')) +
        entry('5000', 'INVOICE 7', '', 'CRDT'),
    )
    const { data } = await admin.call(payoutApi.previewResult, { body: { content } })
    expect(data).toMatchObject({ format: 'camt', rows: 3, others: 2 })
    expect(data.list.map(({ reference, note, becomes, affiliate }) => [reference, note, becomes, affiliate !== ''])).toEqual([
      [one?.reference, null, 'settled', true],
      [two?.reference, 'amount_differs', 'settled', true],
      [three?.reference, 'same_account', 'settled', true],
    ])
    expect((await apply(content)).data).toEqual({ settled: 1, failed: 0, returned: 0, passed: 2 })
    await sound()
    expect((await apply(content, [three?.reference ?? ''])).data).toMatchObject({ settled: 1, passed: 2 })
    // what is settled already is no payment on its way to that account any more
    expect((await admin.call(payoutApi.previewResult, { body: { content } })).data).toMatchObject({ rows: 2, others: 3 })
    const back = statement(entry('10.00', one?.reference ?? '', '<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>', 'CRDT'))
    expect((await apply(back)).data).toMatchObject({ returned: 1 })
    expect((await apply(back)).data).toMatchObject({ returned: 0, passed: 1 })
    await sound()
  })

  test.each(['5.00 EUR', '€5.00', '5e0', '(5)', '1.000.000', '5.000000001', 'n/a', 'NaN'])(
    'whose amount is said as %s is not settled by it',
    async (amount) => {
      const file = await released([await owed(['10'])])
      const [{ reference } = { reference: '' }] = await payments(file)
      const of = (said: string) => `reference;status;amount;currency\n${reference};paid;${said};EUR\n`
      const { list } = (await admin.call(payoutApi.previewResult, { body: { content: of(amount) } })).data
      expect(list).toMatchObject([{ note: 'amount_wrong', becomes: 'settled' }])
      expect((await apply(of(amount), [reference])).data).toMatchObject({ settled: 0, passed: 1 })
      expect((await apply(of('—'))).data).toMatchObject({ settled: 1 })
      await sound()
    },
  )

  test('that differs in more than one thing is answered by no one confirmation', async () => {
    const file = await released([await owed(['10'])])
    const [{ reference } = { reference: '' }] = await payments(file)
    const content = `reference,status,amount,currency,fee\n${reference},settled,5,EUR,9.99\n`
    const { list } = (await admin.call(payoutApi.previewResult, { body: { content } })).data
    expect(list).toMatchObject([{ note: 'several' }])
    expect((await apply(content, [reference])).data).toMatchObject({ settled: 0, passed: 1 })
    await sound()
  })

  test('of a statement that books a file as one settles all of it, and asks where the sum is another', async () => {
    const file = await released([await owed(['10']), await owed(['20'])])
    const batch = (amount: string, id = `${file.uuid.replaceAll('-', '')}-1`) =>
      `<Document><BkToCstmrStmt><Stmt><Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><NtryDtls><Btch><PmtInfId>${id}</PmtInfId></Btch></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
    expect((await admin.call(payoutApi.previewResult, { body: { content: batch('25') } })).data.list).toMatchObject([
      { note: 'amount_differs' },
      { note: 'amount_differs' },
    ])
    expect((await apply(batch('25'))).data).toMatchObject({ settled: 0, passed: 2 })
    expect((await admin.call(payoutApi.previewResult, { body: { content: batch('30', 'SALARY') } })).data).toMatchObject({
      rows: 0,
      others: 1,
    })
    expect((await apply(batch('30'))).data).toMatchObject({ settled: 2 })
    expect((await apply(batch('30'))).data).toMatchObject({ settled: 0, passed: 0 })
    await sound()
  })

  test('whose fee is none, of a wrong sign, too fine or more than the payment is refused by row; more than a tenth is asked about', async () => {
    const file = await released([await owed(['10'])])
    const [{ reference, uuid } = { reference: '', uuid: '' }] = await payments(file)
    const of = (fee: string) => `reference,status,amount,fee\n${reference},settled,10,${fee}\n`
    // the last two are thousands, or have three decimals
    for (const fee of ['99999999999999', '-5', '1e5', 'NaN', '0.12345678', '10.01', '1.000', '"1,000"']) {
      const { list } = (await admin.call(payoutApi.previewResult, { body: { content: of(fee) } })).data
      expect(list, fee).toMatchObject([{ note: 'fee_wrong' }])
      expect((await apply(of(fee), [reference])).data, fee).toMatchObject({ settled: 0, passed: 1 })
    }
    expect((await admin.call(payoutApi.previewResult, { body: { content: of('1.01') } })).data.list).toMatchObject([{ note: 'fee_odd' }])
    expect((await apply(of('1.01'))).data).toMatchObject({ settled: 0, passed: 1 })
    const mark = (fee: string, fee_sure = false) =>
      admin.call(payoutApi.mark, { params: { uuid }, body: { becomes: 'settled', fee, fee_sure } })
    for (const fee of ['99999999999999', '0.12345678', '10.01', '1.000']) expect((await mark(fee, true)).fields, fee).toHaveProperty('fee')
    expect((await mark('1.01')).fields).toHaveProperty('fee_sure')
    expect((await mark('1.01', true)).data).toMatchObject({ state: 'settled', fee: '1.0100' })
    // with what it took before, also of one that comes back
    const back = (fee: string, fee_sure = false) =>
      admin.call(payoutApi.mark, { params: { uuid }, body: { becomes: 'returned', reason: 'Closed', fee, fee_sure } })
    expect((await back('9', true)).fields).toHaveProperty('fee')
    expect((await back('0.1')).fields).toHaveProperty('fee_sure')
    expect((await back('0.1', true)).data).toMatchObject({ state: 'returned', fee: '1.1100' })
    await sound()
  })

  test('whose fee is in another currency than its account is asked about, and booked as it is said there, failed or settled', async () => {
    const today = new Date(api.clock.now()).toISOString().slice(0, 10)
    const rate = { base: 'USD', currency: 'EUR', day: today, rate: '0.8', source: 'feed' as const, set_at: new Date(api.clock.now()) }
    const known = ['base', 'currency', 'day'] as const
    // the VAT of an invoice may have asked for one before
    await api.db
      .insertInto('currency_rate')
      .values(rate)
      .onConflict((row) => row.columns(known).doUpdateSet({ rate: rate.rate }))
      .execute()
    const dollars = { name: 'Dollars', kind: 'bank' as const, holder: 'Ohma Ltd', iban: 'IE29 AIBK 9311 5212 3456 78', bic: '' }
    const made = await admin.call(paymentSourceApi.create, { body: { ...dollars, currency: 'USD', active: true } })
    const of = [await owed(['10']), await owed(['20']), await owed(['30'])]
    const file = await released(of, { source_id: made.data.id, format: 'own', systems: ['sepa'] })
    const [one, two, three] = await payments(file)
    expect(one?.fee_currency).toBe('USD')
    const csv = [
      'reference,status,amount,currency,fee,fee currency',
      `${one?.reference},settled,10,EUR,0.35,EUR`,
      // no currency of its own: that of the payment, which is not that of the account
      `${two?.reference},failed,19,EUR,0.5,`,
      `${three?.reference},settled,30,EUR,0.6,USD`,
    ].join('\n')
    const { list } = (await admin.call(payoutApi.previewResult, { body: { content: csv } })).data
    expect(list.map((row) => [row.note, row.otherwise, row.fee, row.fee_currency, row.fee_booked])).toEqual([
      ['fee_currency', null, '0.35', 'EUR', 'USD'],
      ['fee_currency', 'amount_differs', '0.5', 'EUR', 'USD'],
      [null, null, '0.6', 'USD', 'USD'],
    ])
    expect((await apply(csv, [one?.reference ?? '', two?.reference ?? ''])).data).toEqual({ settled: 1, failed: 0, returned: 0, passed: 2 })
    const fees = [
      { reference: one?.reference ?? '', fee: '0.44' },
      { reference: two?.reference ?? '', fee: '0.62' },
    ]
    const said = (confirmed: string[]) => admin.call(payoutApi.applyResult, { body: { content: csv, confirmed, fees } })
    // a fee by hand answers nothing about the amount
    expect((await said([])).data).toMatchObject({ settled: 1, failed: 0 })
    expect((await said([two?.reference ?? ''])).data).toMatchObject({ settled: 0, failed: 1 })
    expect(await api.db.selectFrom('payment').select('note').where('note', '!=', '').execute()).toContainEqual({ note: '≠ 19.0 EUR' })
    expect((await payments(file)).map(({ state, fee }) => [state, fee])).toEqual([
      ['settled', '0.4400'],
      ['failed', '0.6200'],
      ['settled', '0.6000'],
    ])
    const booked = await api.db
      .selectFrom('ledger_account')
      .select(['currency', 'balance'])
      .where('kind', '=', 'bank_fee')
      .where('owner_id', '=', made.data.id)
      .execute()
    expect(booked.map(({ currency, balance }) => [currency, Number(balance)])).toEqual([['USD', 1.66]])
    await sound()
    await api.db.deleteFrom('currency_rate').execute()
  })

  test('goes on past a number that is booked for another payment, and takes one that several payments share', async () => {
    const file = await released([await owed(['10']), await owed(['20']), await owed(['30']), await owed(['40'])])
    const [one, two, three, four] = (await payments(file)).map(({ reference }) => reference)
    const id = randomUUID()
    expect((await apply(`reference,status,id\n${one},settled,${id}\n`)).data).toMatchObject({ settled: 1 })
    const taken = `reference,status,id\n${two},settled,${id}\n${three},settled,B-${id}\n${four},settled,B-${id}\n`
    const mixed = taken.replace(`${two},settled,${id}`, `${two},settled,C-${id}`)
    const { list } = (await admin.call(payoutApi.previewResult, { body: { content: taken } })).data
    expect(list.map(({ note }) => note)).toEqual(['number_taken', null, null])
    expect((await apply(taken)).data).toMatchObject({ settled: 2, passed: 1 })
    expect((await apply(mixed)).data).toMatchObject({ settled: 1, passed: 2 })
    await sound()
  })

  test('said by hand of many at once by one number is booked once, the others are refused', async () => {
    const file = await released([await owed(['10']), await owed(['20']), await owed(['30']), await owed(['40'])])
    const id = randomUUID()
    const answers = await Promise.all(
      (await payments(file)).map(({ uuid }) =>
        admin.call(payoutApi.mark, { params: { uuid }, body: { becomes: 'settled', external_id: id } }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422])
    await sound()
  })

  test('with a transfer’s number that is booked already is refused', async () => {
    const file = await released([await owed(['10']), await owed(['20'])])
    const [one, two] = await payments(file)
    const mark = (uuid = '', more: object = {}) =>
      admin.call(payoutApi.mark, { params: { uuid }, body: { becomes: 'settled', external_id: 'ONE', ...more } })
    expect((await mark(one?.uuid)).status).toBe(200)
    expect((await mark(two?.uuid)).fields).toHaveProperty('external_id')
    expect((await mark(one?.uuid)).data).toMatchObject({ state: 'settled' })
    expect((await mark(one?.uuid, { fee: '1' })).errors).toHaveProperty('1021')
    // and by the invoice nobody settles one payment of a file
    const [only] = two?.invoices ?? []
    const settled = await admin.call(invoiceApi.settle, {
      params: { uuid: only?.uuid ?? '' },
      body: { revision: (await invoice(only?.uuid ?? '')).revision },
    })
    expect(settled.errors).toHaveProperty('1093')
  })
})

describe('at the same time', () => {
  test('an invoice is in one of two files', async () => {
    const of = [await owed(['10']), await owed(['20']), await owed(['30'])]
    const made = await Promise.all(Array.from({ length: 6 }, () => admin.call(payoutApi.make, { body: asked(of) })))
    expect(made.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(made.filter(({ errors }) => '1095' in errors)).toHaveLength(5)
    await sound()
  })

  test('the same call makes one file', async () => {
    const body = asked([await owed(['10'])])
    const made = await Promise.all(Array.from({ length: 5 }, () => admin.call(payoutApi.make, { body })))
    expect(new Set(made.map(({ data }) => data.uuid)).size).toBe(1)
    const other = await admin.call(payoutApi.make, { body: { ...body, execution_day: '2026-11-30' } })
    expect(other.status).toBe(409)
  })

  test('a file is released once, and its result applied once', async () => {
    const file = await make([await owed(['10', '15']), await owed(['20'])])
    const out = await Promise.all([release(head, file), release(admin, file), release(head, file)])
    expect(out.filter(({ status }) => status === 200).length).toBeGreaterThan(0)
    await sound()
    const all = await payments(file)
    const csv = ['reference,status', ...all.map(({ reference }) => `${reference},settled`)].join('\n')
    const applied = await Promise.all(Array.from({ length: 5 }, () => apply(csv)))
    expect(applied.reduce((sum, { data }) => sum + data.settled, 0)).toBe(2)
    await sound()
    const sent = await api.db.selectFrom('ledger_transfer').select('id').where('kind', '=', 'payment_sent').execute()
    expect(sent.length).toBeGreaterThan(2)
  })

  test('results that overlap, one that says otherwise, a payment said by hand and a recall leave each payment as one of them said', async () => {
    const file = await released([await owed(['10', '15']), await owed(['20']), await owed(['30'])])
    const all = await payments(file)
    const telling = (status: string, rows: typeof all) =>
      ['reference,status,id,fee', ...rows.map(({ reference }) => `${reference},${status},${file.id}-${reference},0.10`)].join('\n')
    const [hand, recall, ...results] = await Promise.all([
      admin.call(payoutApi.mark, { params: { uuid: all[0]?.uuid ?? '' }, body: { becomes: 'settled', external_id: `${file.id}-hand` } }),
      admin.call(payoutApi.recall, { params: { uuid: file.uuid }, body: { not_uploaded: true } }),
      apply(telling('settled', all)),
      apply(telling('settled', all.slice(0, 2))),
      apply(telling('failed', all.slice(1))),
      head.call(payoutApi.applyResult, { body: { content: telling('settled', all.slice(1)), confirmed: [] } }),
    ])
    expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const counted = results.reduce((sum, { data }) => sum + data.settled + data.failed + data.passed, 0)
    expect(counted).toBe(3 + 2 + 2 + 2)
    const done = results.reduce((sum, { data }) => sum + data.settled + data.failed, 0)
    const states = (await payments(file)).map(({ state }) => state)
    expect(states.filter((state) => state === 'settled' || state === 'failed')).toHaveLength(3)
    // whoever said it first ended it, and nobody else did
    expect(done + (hand.status === 200 ? 1 : 0) + (recall.status === 200 ? 3 : 0)).toBe(3)
    await sound()
  })

  test('a file is released or cancelled, and a payment by hand or a file has the invoice, never both', async () => {
    const one = await owed(['10'])
    const file = await make([one])
    const [out, ended] = await Promise.all([release(head, file), admin.call(payoutApi.cancel, { params: { uuid: file.uuid } })])
    expect([out.status, ended.status].toSorted()).toEqual([200, 409])
    const two = await owed(['10'])
    const uuid = two.invoices[0] ?? ''
    const { revision } = await invoice(uuid)
    const [made, paid] = await Promise.all([
      admin.call(payoutApi.make, { body: asked([two]) }),
      admin.call(invoiceApi.pay, { params: { uuid }, body: paymentOf('10', revision) }),
    ])
    expect([made.status, paid.status].filter((status) => status === 200)).toHaveLength(1)
    await sound()
  })
})
