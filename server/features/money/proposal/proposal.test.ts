import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { proposalApi, type ProposalRow } from '#contract/money/proposal.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeInvoice, makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { issue, makeAdvertiserDraft, makeAdvertiserIssued, makeDebtor, receive } from '#test/support/make/receivables.ts'

let api: TestApi
let admin: Caller
let head: Caller
let affiliate: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
})
afterAll(() => api.close())
beforeEach(() => limit('100'))
afterEach(async () => {
  expect(await findDifferences(api.db)).toEqual([])
  await api.db.deleteFrom('setting').where('key', '=', 'billing').execute()
})

async function limit(four_eyes_limit: string) {
  const value = JSON.stringify({ four_eyes: true, four_eyes_limit })
  await api.db.insertInto('setting').values({ key: 'billing', value }).execute()
}
async function draftOf(amounts: string[], currency = 'USD'): Promise<InvoiceDetail> {
  affiliate = await api.as('affiliate', { name: 'Iryna' })
  return makeInvoice(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, amounts, { at: api.clock.now() - 86_400_000, currency }))
}
const adjust = (by: Caller, { uuid, revision }: InvoiceDetail, amount: string, kind: 'bonus' | 'correction' = 'bonus') =>
  by.call(invoiceApi.adjust, { params: { uuid }, body: { revision, kind, amount, note: 'Good work' } })
const read = async ({ uuid }: { uuid: string }) => (await admin.call(invoiceApi.get, { params: { uuid } })).data
const waiting = async (by: Caller, { uuid }: { uuid: string }) =>
  (await by.call(proposalApi.list, { body: { invoice_uuid: uuid, state: ['open'] } })).data.list
const confirm = (by: Caller, one: ProposalRow | undefined) => by.call(proposalApi.confirm, { params: { uuid: one?.uuid ?? '' } })
const refuse = (by: Caller, one: ProposalRow | undefined) =>
  by.call(proposalApi.refuse, { params: { uuid: one?.uuid ?? '' }, body: { reason: 'Too much' } })

describe('a bonus above the limit', () => {
  test('is booked when a second person confirms it, once, and the second person may still approve the invoice', async () => {
    const draft = await draftOf(['50'])
    const { data } = await adjust(admin, draft, '100')
    expect(data).toMatchObject({ net: '50.0000', revision: draft.revision + 1 })
    expect(data.history.map(({ event }) => event)).toContain('adjustment_proposed')
    const [mine] = await waiting(admin, draft)
    expect(mine).toMatchObject({ kind: 'bonus', amount: '100.0000', note: 'Good work', may: { confirm: false, refuse: true } })
    expect(mine?.whose.name).toBe('Iryna')
    expect((await confirm(admin, mine)).errors).toHaveProperty('1082')
    const [one] = await waiting(head, draft)
    expect(one?.may).toEqual({ confirm: true, refuse: true })
    const answers = await Promise.all([confirm(head, one), confirm(head, one)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await read(draft)).toMatchObject({ net: '150.0000', lines: [{ kind: 'adjustment', rows: 1 }, { kind: 'conversion' }] })
    expect(await waiting(head, draft)).toEqual([])
    const sent = await admin.call(invoiceApi.send, { params: { uuid: draft.uuid }, body: { revision: (await read(draft)).revision } })
    const { uuid, revision } = sent.data
    expect((await head.call(invoiceApi.approve, { params: { uuid }, body: { revision } })).data.status).toBe('approved')
  })

  test('is not made of small ones by one person within a day, up or down', async () => {
    const draft = await draftOf(['500'])
    const first = (await adjust(admin, draft, '60')).data
    expect(first.net).toBe('560.0000')
    const second = (await adjust(admin, first, '-40', 'correction')).data
    expect(second.net).toBe('560.0000')
    expect(await waiting(head, draft)).toHaveLength(1)
    // somebody else has given nothing yet
    const third = (await adjust(head, second, '90')).data
    expect(third.net).toBe('650.0000')
    api.clock.advance(25 * 3_600_000)
    ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
    expect((await adjust(admin, third, '90')).data.net).toBe('740.0000')
  })

  test('keeps its invoice from being approved, and lapses with it', async () => {
    const draft = await draftOf(['50'])
    await adjust(admin, draft, '500')
    const sent = (await admin.call(invoiceApi.send, { params: { uuid: draft.uuid }, body: { revision: draft.revision + 1 } })).data
    const step = { params: { uuid: draft.uuid }, body: { revision: sent.revision } }
    expect((await head.call(invoiceApi.approve, step)).errors).toHaveProperty('1121')
    const [one] = await waiting(head, draft)
    const declined = await head.call(invoiceApi.decline, { ...step, body: { ...step.body, reason: 'Wrong month' } })
    expect(declined.data.status).toBe('declined')
    expect(await waiting(head, draft)).toEqual([])
    expect((await confirm(head, one)).errors).toHaveProperty('1021')
  })

  test('is refused with a reason, or taken back, and nothing of it is booked', async () => {
    const draft = await draftOf(['50'])
    const next = (await adjust(admin, draft, '200')).data
    const [one] = await waiting(head, draft)
    expect((await refuse(head, one)).status).toBe(200)
    expect((await confirm(admin, one)).errors).toHaveProperty('1021')
    await adjust(admin, next, '300')
    const [again] = await waiting(admin, draft)
    expect((await refuse(admin, again)).status).toBe(200)
    expect(await read(draft)).toMatchObject({ net: '50.0000' })
    const { list } = (await head.call(proposalApi.list, { body: { invoice_uuid: draft.uuid } })).data
    expect(list.map(({ state, reason }) => [state, reason])).toEqual([
      ['refused', 'Too much'],
      ['refused', 'Too much'],
    ])
  })

  test('below the limit, and where nobody else could confirm, one person does it', async () => {
    const draft = await draftOf(['50'])
    expect((await adjust(admin, draft, '99.99')).data.net).toBe('149.9900')
    await api.db.updateTable('manager').set({ status: 'blocked' }).where('account_id', '!=', admin.accountId).execute()
    expect((await adjust(admin, await read(draft), '1000')).data.net).toBe('1149.9900')
    await api.db.updateTable('manager').set({ status: 'active' }).where('account_id', '!=', admin.accountId).execute()
  })
})

describe('a payment in advance above the limit', () => {
  test('is not made by one person, at once or bit by bit', async () => {
    affiliate = await api.as('affiliate', { name: 'Petro' })
    const at = api.clock.now() - 86_400_000
    const issued: { uuid: string }[] = []
    for (const amount of ['50', '80']) {
      const { uuid, revision } = await makeInvoice(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, [amount], { at }))
      await admin.call(invoiceApi.send, { params: { uuid }, body: { revision } })
      await head.call(invoiceApi.approve, { params: { uuid }, body: { revision: revision + 1 } })
      issued.push({ uuid })
    }
    const pay = async (amount: string, { uuid } = { uuid: '' }) =>
      admin.call(invoiceApi.pay, { params: { uuid }, body: paymentOf(amount, (await read({ uuid })).revision, { in_advance: true }) })
    expect((await pay('150', issued[0])).fields).toHaveProperty('amount')
    expect((await pay('110', issued[0])).status).toBe(200)
    expect((await pay('120', issued[1])).fields).toHaveProperty('amount')
    expect((await pay('119.99', issued[1])).status).toBe(200)
  })
})

describe('a write-off above the limit', () => {
  const writeOff = (by: Caller, { uuid }: { uuid: string }, revision: number) =>
    by.call(advertiserInvoiceApi.writeOff, { params: { uuid }, body: { revision, reason: 'Bankrupt' } })

  test('is a loss when a second person confirms it', async () => {
    const acme = await makeDebtor(api.db, ['150'], { at: api.clock.now() - 86_400_000 })
    const issued = await makeAdvertiserIssued(admin, acme)
    const { data } = await writeOff(admin, issued, issued.revision)
    expect(data).toMatchObject({ status: 'issued', written_off: '0.0000' })
    expect((await writeOff(head, issued, data.revision)).errors).toHaveProperty('1121')
    const [one] = await waiting(head, issued)
    expect(one).toMatchObject({ kind: 'write_off', note: 'Bankrupt', whose: { uuid: acme.uuid } })
    expect((await confirm(head, one)).status).toBe(200)
    const after = (await admin.call(advertiserInvoiceApi.get, { params: { uuid: issued.uuid } })).data
    expect(after).toMatchObject({ status: 'written_off', open: '0.0000', reason: 'Bankrupt' })
  })

  test('lapses once its invoice is paid', async () => {
    const acme = await makeDebtor(api.db, ['150'], { at: api.clock.now() - 86_400_000 })
    const issued = await makeAdvertiserIssued(admin, acme)
    await writeOff(admin, issued, issued.revision)
    await receive(admin, acme, '100')
    const [one] = await waiting(head, issued)
    expect(one).toMatchObject({ kind: 'write_off' })
    await receive(admin, acme, '125')
    expect(await waiting(head, issued)).toEqual([])
    const { list } = (await head.call(proposalApi.list, { body: { invoice_uuid: issued.uuid } })).data
    expect(list.map(({ state }) => state)).toEqual(['lapsed'])
    expect((await confirm(head, one)).errors).toHaveProperty('1021')
  })
})

describe('discounts above the limit', () => {
  test('are issued by somebody else than gave them, however many they are', async () => {
    const draft = await makeAdvertiserDraft(admin, await makeDebtor(api.db, ['500'], { at: api.clock.now() - 86_400_000 }))
    const { uuid } = draft
    const letOff = async (revision: number, kind: 'discount' | 'fee', amount: string) =>
      (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid }, body: { revision, kind, amount, note: 'Volume' } })).data
    const issued = async (by: Caller, { revision, now }: typeof draft) =>
      by.call(advertiserInvoiceApi.issue, { params: { uuid }, body: { revision, net: now.net } })
    const first = await letOff(draft.revision, 'discount', '-60')
    const second = await letOff(first.revision, 'fee', '-40')
    expect((await issued(admin, second)).errors).toHaveProperty('1082')
    expect((await issued(head, second)).data).toMatchObject({ status: 'issued', net: '650.0000' })
  })

  test('below it are issued by one person', async () => {
    const { uuid, revision } = await makeAdvertiserDraft(admin, await makeDebtor(api.db, ['500'], { at: api.clock.now() - 86_400_000 }))
    const body = { revision, kind: 'discount' as const, amount: '-99.99', note: 'Volume' }
    const after = (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid }, body })).data
    expect((await issue(admin, after)).status).toBe('issued')
  })
})

describe('an amount in another currency', () => {
  test('is not made small by a rate that the same person set today', async () => {
    const today = new Date(api.clock.now()).toISOString().slice(0, 10)
    const given = { base: 'USD', currency: 'EUR', source: 'feed' as const, set_at: new Date(api.clock.now()) }
    await api.db
      .insertInto('currency_rate')
      .values({ ...given, day: new Date(api.clock.now() - 2 * 86_400_000).toISOString().slice(0, 10), rate: '2' })
      .execute()
    const draft = await draftOf(['50'], 'EUR')
    expect((await admin.call(currencyRateApi.set, { body: { day: today, rates: [{ currency: 'EUR', rate: '0.01' }] } })).status).toBe(200)
    const first = (await adjust(admin, draft, '90')).data
    expect([first.net, (await waiting(head, draft)).length]).toEqual(['50.0000', 1])
    // somebody else has not made it small
    const second = (await adjust(head, first, '90')).data
    expect(second.net).toBe('140.0000')
    // with none before it, it cannot be told
    await api.db.deleteFrom('currency_rate').where('source', '=', 'feed').execute()
    expect((await adjust(admin, second, '10')).data.net).toBe('140.0000')
    api.clock.advance(25 * 3_600_000)
    ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
    expect((await adjust(admin, await read(draft), '10')).data.net).toBe('150.0000')
  })
})
