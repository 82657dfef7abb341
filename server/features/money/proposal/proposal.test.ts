import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { billingApi } from '#contract/money/billing.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { proposalApi, type ProposalRow } from '#contract/money/proposal.ts'
import { lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { setBilling } from '#test/support/make/billing.ts'
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
beforeEach(async () => {
  await limit('100')
  await dayLater()
})
afterEach(async () => {
  expect(await findDifferences(api.db)).toEqual([])
})

/** What was given so far no longer counts with what is given today. */
async function dayLater(): Promise<void> {
  const created_at = new Date(api.clock.now() - 2 * 86_400_000)
  await api.db.updateTable('adjustment').set({ created_at }).execute()
  await api.db.updateTable('advertiser_adjustment').set({ created_at }).execute()
}

const limit = (four_eyes_limit: string) => setBilling(api.db, { four_eyes: true, four_eyes_limit })
async function draftOf(amounts: string[], currency = 'USD'): Promise<InvoiceDetail> {
  affiliate = await api.as('affiliate', { name: 'Iryna' })
  return makeInvoice(admin, await makePayable(api.db, affiliate.affiliateId ?? 0, amounts, { at: api.clock.now() - 86_400_000, currency }))
}
const adjust = (by: Caller, { uuid, revision }: InvoiceDetail, amount: string, kind: 'bonus' | 'correction' = 'bonus') =>
  by.call(invoiceApi.adjust, { params: { uuid }, body: { revision, kind, amount, note: 'Good work' } })
const less = (amount: string, by: number) => (Number(amount) - by).toFixed(4)
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
    expect(mine?.whose?.name).toBe('Iryna')
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

  test('is nobody’s edit once two agreed on it: who proposed it may approve what the other made, and who made it may not', async () => {
    affiliate = await api.as('affiliate')
    const at = api.clock.now() - 86_400_000
    const draft = await makeInvoice(head, await makePayable(api.db, affiliate.affiliateId ?? 0, ['150'], { at }))
    await adjust(admin, draft, '100')
    const [one] = await waiting(head, draft)
    await confirm(head, one)
    const { uuid } = draft
    const sent = await admin.call(invoiceApi.send, { params: { uuid }, body: { revision: (await read(draft)).revision } })
    const approve = (by: Caller) => by.call(invoiceApi.approve, { params: { uuid }, body: { revision: sent.data.revision } })
    expect((await approve(head)).errors).toHaveProperty('1082')
    expect((await approve(admin)).data.status).toBe('approved')
  })

  test('is told beforehand to be one, with who may confirm it, by the same rule', async () => {
    const draft = await draftOf(['500'])
    const judge = async (by: Caller, amount: string, kind: 'bonus' | 'correction' = 'bonus') =>
      (await by.call(proposalApi.judge, { body: { kind, amount, currency: 'USD', affiliate_uuid: draft.affiliate.uuid } })).data
    expect(await judge(admin, '99.99')).toEqual({ proposed: false, who: [] })
    const said = await judge(admin, '100')
    expect(said.proposed).toBe(true)
    expect(said.who.length).toBeGreaterThan(0)
    expect((await adjust(admin, draft, '60')).data.net).toBe('560.0000')
    // what this person gave today counts, what somebody else would give does not
    expect((await judge(admin, '-40', 'correction')).proposed).toBe(true)
    expect((await judge(admin, '-39.99', 'correction')).proposed).toBe(false)
    expect((await judge(head, '90')).proposed).toBe(false)
    // who only asks waits for nobody: something of the same person is being booked
    await api.db.transaction().execute(async (trx) => {
      await lockAlone(trx, head.accountId)
      expect((await judge(head, '90')).proposed).toBe(false)
    })
    const stranger = { kind: 'bonus' as const, amount: '1', currency: 'USD', affiliate_uuid: crypto.randomUUID() }
    expect((await admin.call(proposalApi.judge, { body: stranger })).status).toBe(404)
    expect((await admin.call(proposalApi.judge, { body: { ...stranger, affiliate_uuid: null } })).status).toBe(404)
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
    expect([(await refuse(head, one)).status, (await refuse(head, one)).status]).toEqual([200, 200])
    const otherwise = { params: { uuid: one?.uuid ?? '' }, body: { reason: 'Another reason' } }
    expect((await head.call(proposalApi.refuse, otherwise)).status).toBe(409)
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
  test('is booked when a second person confirms it, at once or bit by bit, and once for its key', async () => {
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
    const [first = { uuid: '' }, second = { uuid: '' }] = issued
    const { revision } = await read(first)
    const input = { params: { uuid: first.uuid }, body: paymentOf('150', revision, { in_advance: true }) }
    const [once, twice] = [await admin.call(invoiceApi.pay, input), await admin.call(invoiceApi.pay, input)]
    for (const { data } of [once, twice]) expect(data).toMatchObject({ status: 'approved', open: '50.0000', revision: revision + 1 })
    expect(once.data.history.map(({ event }) => event)).toContain('payment_proposed')
    const elsewhere = { params: { uuid: second.uuid }, body: { ...input.body, revision: (await read(second)).revision } }
    expect((await admin.call(invoiceApi.pay, elsewhere)).status).toBe(409)
    const list = await waiting(head, first)
    expect(list).toMatchObject([{ kind: 'advance', amount: '150.0000', whose: { name: 'Petro' }, side: 'affiliate', four_eyes: null }])
    expect((await confirm(admin, list[0])).errors).toHaveProperty('1082')
    expect(await read(first)).toMatchObject({ open: '50.0000' })
    // below the limit one person pays; with what is paid in advance already it is above
    expect((await pay('179.99', second)).data).toMatchObject({ status: 'paid' })
    expect((await confirm(head, list[0])).status).toBe(200)
    expect(await read(first)).toMatchObject({ status: 'paid', open: '0.0000' })
    const paid = await api.db.selectFrom('payment').select(['amount', 'on_invoice', 'made_by']).where('key', '=', input.body.key).execute()
    expect(paid).toEqual([{ amount: '150.0000', on_invoice: '50.0000', made_by: admin.accountId }])
    expect((await admin.call(invoiceApi.pay, input)).status).toBe(200)
    expect(await waiting(head, first)).toEqual([])
  })

  test('lapses once its invoice is paid, and does not stand among what an affiliate was given', async () => {
    affiliate = await api.as('affiliate', { name: 'Olha' })
    const made = await makeInvoice(
      admin,
      await makePayable(api.db, affiliate.affiliateId ?? 0, ['50'], { at: api.clock.now() - 86_400_000 }),
    )
    await admin.call(invoiceApi.send, { params: { uuid: made.uuid }, body: { revision: made.revision } })
    await head.call(invoiceApi.approve, { params: { uuid: made.uuid }, body: { revision: made.revision + 1 } })
    const pay = async (amount: string) =>
      admin.call(invoiceApi.pay, {
        params: { uuid: made.uuid },
        body: paymentOf(amount, (await read(made)).revision, { in_advance: true }),
      })
    await pay('500')
    const [one] = await waiting(head, made)
    expect((await admin.call(adjustmentApi.list, { body: { affiliate_uuid: affiliate.uuid } })).data.list).toEqual([])
    expect((await pay('50')).data.status).toBe('paid')
    expect(await waiting(head, made)).toEqual([])
    expect((await confirm(head, one)).errors).toHaveProperty('1021')
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
    // sent twice it is one
    expect((await writeOff(admin, issued, issued.revision)).data).toEqual(data)
    const otherwise = { params: { uuid: issued.uuid }, body: { revision: issued.revision, reason: 'Another reason' } }
    expect((await admin.call(advertiserInvoiceApi.writeOff, otherwise)).status).toBe(409)
    expect((await writeOff(head, issued, data.revision)).errors).toHaveProperty('1121')
    const [one] = await waiting(head, issued)
    expect(one).toMatchObject({ kind: 'write_off', note: 'Bankrupt', whose: { uuid: acme.uuid } })
    expect((await confirm(head, one)).status).toBe(200)
    const after = (await admin.call(advertiserInvoiceApi.get, { params: { uuid: issued.uuid } })).data
    expect(after).toMatchObject({ status: 'written_off', open: '0.0000', reason: 'Bankrupt' })
  })

  test('counts what the same person gave up of other advertisers within a day, with what they let others off', async () => {
    const one = await api.as('admin')
    const lost = async () => {
      const acme = await makeDebtor(api.db, ['60'], { at: api.clock.now() - 86_400_000 })
      const issued = await makeAdvertiserIssued(one, acme)
      return (await writeOff(one, issued, issued.revision)).data.status
    }
    expect([await lost(), await lost(), await lost()]).toEqual(['written_off', 'written_off', 'written_off'])
    // 270 is just below three times the limit, and a discount is the last drop
    const acme = await makeDebtor(api.db, ['200'], { at: api.clock.now() - 86_400_000 })
    const draft = await makeAdvertiserDraft(one, acme)
    const off = (amount: string) =>
      one.call(advertiserInvoiceApi.adjust, {
        params: { uuid: draft.uuid },
        body: { revision: draft.revision, kind: 'discount', amount, note: 'Quality' },
      })
    expect((await off('-40')).data).toMatchObject({ net: draft.net })
    expect(await waiting(head, draft)).toMatchObject([{ kind: 'discount' }])
  })

  test('lapses once its invoice is paid', async () => {
    // so much of what came in takes two people as well
    const received = async (acme: { uuid: string }, amount: string) => {
      await setBilling(api.db, { four_eyes: false })
      await receive(admin, acme, amount)
      await setBilling(api.db, { four_eyes: true })
    }
    const acme = await makeDebtor(api.db, ['150'], { at: api.clock.now() - 86_400_000 })
    const issued = await makeAdvertiserIssued(admin, acme)
    await writeOff(admin, issued, issued.revision)
    await received(acme, '100')
    const [one] = await waiting(head, issued)
    expect(one).toMatchObject({ kind: 'write_off' })
    await received(acme, '125')
    expect(await waiting(head, issued)).toEqual([])
    const { list } = (await head.call(proposalApi.list, { body: { invoice_uuid: issued.uuid } })).data
    expect(list.map(({ state }) => state)).toEqual(['lapsed'])
    expect((await confirm(head, one)).errors).toHaveProperty('1021')
  })
})

describe('discounts above the limit', () => {
  test('are let off when a second person confirms them, however many they are, and keep their draft from being issued', async () => {
    const draft = await makeAdvertiserDraft(admin, await makeDebtor(api.db, ['500'], { at: api.clock.now() - 86_400_000 }))
    const { uuid } = draft
    const letOff = async (revision: number, kind: 'discount' | 'fee', amount: string) =>
      (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid }, body: { revision, kind, amount, note: 'Volume' } })).data
    const issued = async (by: Caller, { revision, now }: typeof draft) =>
      by.call(advertiserInvoiceApi.issue, { params: { uuid }, body: { revision, net: now.net } })
    const first = await letOff(draft.revision, 'discount', '-60')
    expect(first.net).toBe(less(draft.net, 60))
    const second = await letOff(first.revision, 'fee', '-40')
    expect(second).toMatchObject({ net: first.net, revision: first.revision + 1 })
    expect(second.history.map(({ event }) => event)).toContain('adjustment_proposed')
    expect((await issued(head, second)).errors).toHaveProperty('1121')
    const [one] = await waiting(head, { uuid })
    expect(one).toMatchObject({ kind: 'fee', amount: '-40.0000', note: 'Volume', side: 'advertiser' })
    expect((await confirm(admin, one)).errors).toHaveProperty('1082')
    const answers = await Promise.all([confirm(head, one), confirm(head, one)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const after = (await admin.call(advertiserInvoiceApi.get, { params: { uuid } })).data
    expect(after.net).toBe(less(draft.net, 100))
    // what two people let off, one of them may issue
    expect((await issued(admin, after)).data.status).toBe('issued')
  })

  test('lapse with their draft, and are not added by minima', async () => {
    const draft = await makeAdvertiserDraft(admin, await makeDebtor(api.db, ['500'], { at: api.clock.now() - 86_400_000 }))
    const { uuid } = draft
    const add = async (revision: number, kind: 'discount' | 'minimum', amount: string) =>
      (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid }, body: { revision, kind, amount, note: 'Volume' } })).data
    const more = await add(draft.revision, 'minimum', '900')
    expect(more.net).toBe(less(draft.net, -900))
    const after = await add(more.revision, 'discount', '-200')
    const [one] = await waiting(head, { uuid })
    expect((await admin.call(advertiserInvoiceApi.remove, { params: { uuid }, body: { revision: after.revision } })).status).toBe(200)
    expect(await waiting(head, { uuid })).toEqual([])
    expect((await confirm(head, one)).errors).toHaveProperty('1021')
  })

  test('below it are issued by one person', async () => {
    const { uuid, revision } = await makeAdvertiserDraft(admin, await makeDebtor(api.db, ['500'], { at: api.clock.now() - 86_400_000 }))
    const body = { revision, kind: 'discount' as const, amount: '-99.99', note: 'Volume' }
    const after = (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid }, body })).data
    expect((await issue(admin, after)).status).toBe('issued')
  })
})

describe('the rule of two people itself', () => {
  const rules = async () => (await admin.call(billingApi.rules, {})).data
  const change = async (
    by: Caller,
    values: { four_eyes?: boolean; four_eyes_limit?: string; receipt_limit?: string; object_days?: number },
  ) => {
    const { changed: _changed, ...before } = await rules()
    return by.call(billingApi.updateRules, { body: { ...before, ...values } })
  }
  const open = async (by = head) => (await by.call(proposalApi.list, { body: { kind: ['rules'], state: ['open'] } })).data.list

  test('is loosened by two people, and what else was changed with it is kept at once', async () => {
    expect((await change(admin, { four_eyes: false, object_days: 9 })).data).toMatchObject({ four_eyes: true, object_days: 9 })
    const [one] = await open()
    expect(one).toMatchObject({ kind: 'rules', four_eyes: false, whose: null, side: null, invoice: null, note: '100 → –' })
    expect((await confirm(admin, one)).errors).toHaveProperty('1082')
    // something else instead of it: there is one at a time
    await change(admin, { four_eyes_limit: '5000' })
    const list = await open()
    expect(list).toMatchObject([{ four_eyes: true, amount: '5000.0000', may: { confirm: true, refuse: true } }])
    expect((await confirm(head, one)).errors).toHaveProperty('1021')
    await change(admin, { object_days: 11 })
    expect(await open()).toHaveLength(1)
    const answers = await Promise.all([confirm(head, list[0]), confirm(head, list[0])])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await rules()).toMatchObject({ four_eyes: true, four_eyes_limit: '5000', object_days: 11 })
    const logged = await api.db
      .selectFrom('audit')
      .select(['actor_id', 'after'])
      .where('entity_id', '=', 'billing')
      .orderBy('id', 'desc')
      .execute()
    expect(logged[0]).toMatchObject({ actor_id: head.accountId, after: { four_eyes_limit: '5000' } })
  })

  test('is tightened by one, which ends what was proposed', async () => {
    await change(admin, { four_eyes: false })
    expect(await open()).toHaveLength(1)
    expect((await change(head, { four_eyes_limit: '50' })).data).toMatchObject({ four_eyes: true, four_eyes_limit: '50' })
    expect(await open()).toEqual([])
    await change(admin, { four_eyes_limit: '60' })
    const [one] = await open()
    expect((await refuse(admin, one)).status).toBe(200)
    // the limit of receipts is one of the rule too
    expect((await change(admin, { receipt_limit: '20000' })).data.receipt_limit).toBe('10000')
    const [more] = await open()
    expect(more?.note).toBe('50 / 10000 → 50 / 20000')
    expect((await confirm(head, more)).status).toBe(200)
    expect(await rules()).toMatchObject({ four_eyes: true, four_eyes_limit: '50', receipt_limit: '20000' })
  })

  test('is switched off by one person where nobody else may approve', async () => {
    await api.db.updateTable('manager').set({ status: 'blocked' }).where('account_id', '!=', admin.accountId).execute()
    expect((await change(admin, { four_eyes: false })).data.four_eyes).toBe(false)
    await api.db.updateTable('manager').set({ status: 'active' }).where('account_id', '!=', admin.accountId).execute()
    expect(await open(admin)).toEqual([])
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
