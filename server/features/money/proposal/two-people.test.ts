import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { paymentSourceApi, payoutApi } from '#contract/money/payout.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { setBilling } from '#test/support/make/billing.ts'
import { makeInvoice, makePayable, makeSelfBilled, paymentOf } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { become, issue, makeAdvertiserDraft, makeDebtor, receiptOf, receive } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const PASSWORD = 'correct horse battery'
const DAY = 86_400_000
let api: TestApi
let anna: Caller
let hanna: Caller
let source = 0

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  ;[anna, hanna] = await Promise.all([api.as('admin', { name: 'Anna' }), api.as('head', { name: 'Hanna' })])
  const password_hash = await hashPassword(PASSWORD)
  await api.db.updateTable('account').set({ password_hash }).execute()
  const wallet = { name: 'PayPal', kind: 'paypal' as const, holder: '', iban: '', bic: '', currency: null, active: true }
  source = (await anna.call(paymentSourceApi.create, { body: wallet })).data.id
  // as a network that never touched them has them
  await setBilling(api.db, billingSetting.defaults)
})
afterAll(() => api.close())
// what one let advertisers off in another test does not count with what they do in this one
beforeEach(async () => {
  const created_at = new Date(api.clock.now() - 2 * DAY)
  await api.db.updateTable('advertiser_adjustment').set({ created_at }).execute()
  await api.db.updateTable('receipt').set({ created_at }).execute()
})

const affiliate = () => api.as('affiliate', { name: 'Iryna' })
const earn = async (amount: string) => makePayable(api.db, (await affiliate()).affiliateId ?? 0, [amount], { at: api.clock.now() - DAY })
const read = async (uuid: string) => (await anna.call(invoiceApi.get, { params: { uuid } })).data
const adjust = (by: Caller, uuid: string, body: object) =>
  by.call(adjustmentApi.create, {
    body: { key: randomUUID(), affiliate_uuid: uuid, currency: 'USD', day: '2026-11-21', note: 'x', ...body } as never,
  }) // each row of the table is one of its kinds
const writeOff = (by: Caller, uuid: string, kind: 'given_up' | 'forfeited', amount: string) =>
  by.call(adjustmentApi.writeOff, {
    body: { key: randomUUID(), affiliate_uuid: uuid, currency: 'USD', day: '2026-11-21', note: 'x', kind, amount },
  })
const send = async (by: Caller, amount: string) => {
  const { uuid, revision } = await makeInvoice(by, await earn(amount))
  return (await by.call(invoiceApi.send, { params: { uuid }, body: { revision } })).data
}
const approve = (by: Caller, { uuid, revision }: { uuid: string; revision: number }) =>
  by.call(invoiceApi.approve, { params: { uuid }, body: { revision } })
/** Approved by the other of the two, as the rule has it. */
const issued = async (by: Caller, amount: string) => (await approve(by === anna ? hanna : anna, await send(by, amount))).data
/** Booked while one person alone could. */
const received = async (maker: Caller, amount: string) => {
  await setBilling(api.db, { four_eyes: false })
  const receipt = await receive(maker, await makeDebtor(api.db, [], { at: api.clock.now() - DAY }), amount)
  await setBilling(api.db, { four_eyes: true })
  return receipt
}
type Done = { status: number; errors: Record<string, string>; data: unknown }
/** Makes what is to be done, and answers how one of the two does it. */
type Way = (maker: Caller, amount: string) => Promise<(by: Caller) => Promise<Done>>

/** Ways that are refused to who made it: somebody else does it. */
const REFUSED: Record<string, Way> = {
  'an approval': async (maker, amount) => {
    const sent = await send(maker, amount)
    return (by) => approve(by, sent)
  },
  'a release': async (maker, amount) => {
    const one = await affiliate()
    await makeMethod(api, one.affiliateId ?? 0)
    const rows = await makePayable(api.db, one.affiliateId ?? 0, [amount], { at: api.clock.now() - DAY })
    const { uuid, revision } = await makeInvoice(maker, rows)
    await maker.call(invoiceApi.send, { params: { uuid }, body: { revision } })
    await approve(maker === anna ? hanna : anna, { uuid, revision: revision + 1 })
    await api.db.updateTable('invoice').set({ due_day: '2026-11-20' }).where('uuid', '=', uuid).execute()
    const of = { format: 'paypal' as const, source_id: source, currency: 'USD', due_to: '2026-11-21', execution_day: '2026-11-23' }
    const file = (await maker.call(payoutApi.make, { body: { key: randomUUID(), ...of, affiliate_uuids: [one.uuid] } })).data
    return (by) => by.call(payoutApi.release, { params: { uuid: file.uuid }, body: { password: PASSWORD } })
  },
  'taking back what was given': async (maker, amount) => {
    const { uuid } = await affiliate()
    // given while one person alone could
    await setBilling(api.db, { four_eyes: false })
    await adjust(maker, uuid, { kind: 'bonus', amount })
    await setBilling(api.db, { four_eyes: true })
    const [given] = (await maker.call(adjustmentApi.list, { body: { affiliate_uuid: uuid } })).data.list
    return (by) => by.call(adjustmentApi.void, { params: { uuid: given?.uuid ?? '' }, body: { reason: 'x' } })
  },
  'a receipt paid back': async (maker, amount) => {
    const { uuid, revision } = await received(maker, amount)
    return (by) => by.call(receiptApi.payBack, { params: { uuid }, body: { revision, amount } })
  },
  'a receipt the bank is said to have taken back': async (maker, amount) => {
    const { uuid, revision } = await received(maker, amount)
    return (by) => by.call(receiptApi.bounce, { params: { uuid }, body: { revision, reason: 'x' } })
  },
  'a note that adds': async (maker, amount) => {
    const one = await affiliate()
    const of = { affiliateId: one.affiliateId ?? 0, accountId: one.accountId }
    // with VAT changes stand in notes
    await makeSelfBilled(api.db, of, { vat_category: 'S', vat_rate: '23' })
    const rows = await makePayable(api.db, of.affiliateId, ['1'], { at: api.clock.now() - DAY })
    await setBilling(api.db, { four_eyes: false })
    const { uuid, revision } = await makeInvoice(maker, rows)
    await maker.call(invoiceApi.send, { params: { uuid }, body: { revision } })
    await approve(maker, { uuid, revision: revision + 1 })
    await setBilling(api.db, { four_eyes: true })
    await become(api.db, api.clock.now(), rows[0] ?? { id: '' }, { payout: amount })
    const at = (await read(uuid)).revision
    return (by) => by.call(invoiceApi.creditChanges, { params: { uuid }, body: { revision: at, reason: 'x' } })
  },
  'a draft with discounts of one’s own': async (maker, amount) => {
    const draft = await makeAdvertiserDraft(maker, await makeDebtor(api.db, ['9000'], { at: api.clock.now() - DAY }))
    await setBilling(api.db, { four_eyes: false })
    const body = { revision: draft.revision, kind: 'discount' as const, amount: `-${amount}`, note: 'x' }
    const less = (await maker.call(advertiserInvoiceApi.adjust, { params: { uuid: draft.uuid }, body })).data
    await setBilling(api.db, { four_eyes: true })
    return (by) =>
      by.call(advertiserInvoiceApi.issue, { params: { uuid: less.uuid }, body: { revision: less.revision, net: less.now.net } })
  },
}

/** Ways that are proposed by who does them: somebody else confirms. */
const PROPOSED: Record<string, Way> = {
  'a bonus': async (_maker, amount) => {
    const { uuid } = await affiliate()
    return (by) => adjust(by, uuid, { kind: 'bonus', amount })
  },
  'a correction': async (_maker, amount) => {
    const { uuid } = await affiliate()
    return (by) => adjust(by, uuid, { kind: 'correction', amount: `-${amount}` })
  },
  'an opening balance': async (_maker, amount) => {
    const { uuid } = await affiliate()
    return (by) => adjust(by, uuid, { kind: 'opening', amount })
  },
  'a bonus on a draft': async (maker, amount) => {
    const { uuid, revision } = await makeInvoice(maker, await earn('1'))
    return (by) => by.call(invoiceApi.adjust, { params: { uuid }, body: { revision, kind: 'bonus', amount, note: 'x' } })
  },
  'a debt given up': async (_maker, amount) => {
    const { uuid } = await affiliate()
    await setBilling(api.db, { four_eyes: false })
    await adjust(anna, uuid, { kind: 'opening', amount: '-5000' })
    await setBilling(api.db, { four_eyes: true })
    await api.db
      .updateTable('adjustment')
      .set({ created_at: new Date(api.clock.now() - 2 * DAY) })
      .execute()
    return (by) => writeOff(by, uuid, 'given_up', amount)
  },
  'a balance forfeited': async (_maker, amount) => {
    const rows = await earn('5000')
    const { uuid } = await api.db
      .selectFrom('affiliate as f')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select('a.uuid')
      .where('f.id', '=', rows[0]?.affiliate_id ?? 0)
      .executeTakeFirstOrThrow()
    return (by) => writeOff(by, uuid, 'forfeited', amount)
  },
  'a payment in advance': async (_maker, amount) => {
    const { uuid } = await affiliate()
    const of = { affiliate_uuid: uuid, currency: 'USD', day: '2026-11-21', note: 'x', source_id: 1, amount }
    return (by) => by.call(adjustmentApi.prepay, { body: { key: randomUUID(), ...of } })
  },
  'a payment by hand of more than is open': async (maker, amount) => {
    const { uuid, revision } = await issued(maker, '1')
    const more = String(Number(amount) + 1)
    return (by) => by.call(invoiceApi.pay, { params: { uuid }, body: paymentOf(more, revision, { in_advance: true }) })
  },
  'a discount': async (maker, amount) => {
    const { uuid, revision } = await makeAdvertiserDraft(maker, await makeDebtor(api.db, ['9000'], { at: api.clock.now() - DAY }))
    const body = { revision, kind: 'discount' as const, amount: `-${amount}`, note: 'x' }
    return (by) => by.call(advertiserInvoiceApi.adjust, { params: { uuid }, body })
  },
  'a receipt': async (_maker, amount) => {
    const acme = await makeDebtor(api.db, [], { at: api.clock.now() - DAY })
    // its limit is ten times that of the others
    return (by) => by.call(receiptApi.book, { body: receiptOf(acme, `${amount}0`) })
  },
  'a write-off': async (maker, amount) => {
    const owed = (Number(amount) / 1.5).toFixed(4)
    const draft = await makeAdvertiserDraft(maker, await makeDebtor(api.db, [owed], { at: api.clock.now() - DAY }))
    const { uuid, revision, open } = await issue(maker, draft)
    expect(Math.round(Number(open) * 100)).toBe(Math.round(Number(amount) * 100))
    return (by) => by.call(advertiserInvoiceApi.writeOff, { params: { uuid }, body: { revision, reason: 'x' } })
  },
}
const open = async () => (await anna.call(proposalApi.list, { body: { state: ['open'] } })).data.list
const pairs = () => [
  { maker: anna, other: hanna, named: 'Hanna' },
  { maker: hanna, other: anna, named: 'Anna' },
]

test.each(Object.entries(REFUSED))('%s below the limit takes one person, above it another one, who is named', async (_name, way) => {
  const { status } = await (await way(anna, '400'))(anna)
  expect(status).toBe(200)
  for (const { maker, other, named } of pairs()) {
    const go = await way(maker, '1500')
    const refused = await go(maker)
    expect(refused.errors).toEqual({ 1082: expect.stringContaining(`Who may: ${named}.`) })
    expect((await go(other)).status).toBe(200)
  }
  expect(await findDifferences(api.db)).toEqual([])
})

test.each(Object.entries(PROPOSED))('%s below the limit takes one person, above it is confirmed by another one', async (_name, way) => {
  const done = await (await way(anna, '400'))(anna)
  expect([done.status, await open()]).toEqual([200, []])
  for (const { maker, other, named } of pairs()) {
    expect((await (await way(maker, '1500'))(maker)).status).toBe(200)
    const [one, ...more] = await open()
    expect(more).toEqual([])
    const confirm = (by: Caller) => by.call(proposalApi.confirm, { params: { uuid: one?.uuid ?? '' } })
    expect((await confirm(maker)).errors).toEqual({ 1082: expect.stringContaining(`Who may: ${named}.`) })
    expect((await confirm(other)).status).toBe(200)
    expect(await open()).toEqual([])
  }
  expect(await findDifferences(api.db)).toEqual([])
})

test('a payment by hand of what is open of an approved invoice takes no third person', async () => {
  const { uuid, revision } = await issued(anna, '1500')
  const paid = await hanna.call(invoiceApi.pay, { params: { uuid }, body: paymentOf('1500', revision) })
  expect(paid.data.status).toBe('paid')
})

test('one person alone is asked for nobody else', async () => {
  const others = api.db.updateTable('manager').where('account_id', '!=', anna.accountId)
  await others.set({ status: 'blocked' }).execute()
  expect((await anna.call(proposalApi.second)).data.exists).toBe(false)
  const { uuid } = await affiliate()
  expect((await adjust(anna, uuid, { kind: 'bonus', amount: '5000' })).data).toEqual({ proposed: false })
  expect((await approve(anna, await send(anna, '5000'))).data.status).toBe('approved')
  await others.set({ status: 'active' }).execute()
})
