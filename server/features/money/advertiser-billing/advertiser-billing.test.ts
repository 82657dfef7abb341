import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { remindOverdue } from '#server/features/money/advertiser-invoice/remind.service.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { readSnapshotOffers } from '#server/features/traffic/snapshot/snapshot-read.queries.ts'
import { makeAffiliateId } from '#test/support/make/money.ts'
import { judgeCredit } from './credit.service.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { makeAdvertiserIssued, makeDebtor, receive } from '#test/support/make/receivables.ts'

let api: TestApi
let admin: Caller

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())

const terms = async ({ uuid }: { uuid: string }) => (await admin.call(advertiserBillingApi.terms, { params: { uuid } })).data
const setTerms = async (of: { uuid: string }, changes: object) => {
  const { network: _network, ...stored } = await terms(of)
  return admin.call(advertiserBillingApi.updateTerms, { params: { uuid: of.uuid }, body: { ...stored, ...changes } })
}
const rowOf = async ({ uuid }: { uuid: string }) =>
  (await admin.call(advertiserBillingApi.list, { body: { advertiser_uuid: [uuid] } })).data.list

/** Invoices due 10, 45 and 75 days ago, and something of this month. */
async function lateDebtor() {
  const acme = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-08-01T00:00:00Z') })
  await setTerms(acme, { net_days: 0 })
  const earn = (amount: string, day: string) =>
    makePayable(api.db, acme.conversions[0]?.affiliate_id ?? 0, [amount], { at: Date.parse(`${day}T00:00:00Z`), advertiserId: acme.id })
  await makeAdvertiserIssued(admin, acme, { period_to: '2026-09-07' })
  await earn('20', '2026-09-20')
  await makeAdvertiserIssued(admin, acme, { period_to: '2026-10-07' })
  await earn('40', '2026-10-20')
  await makeAdvertiserIssued(admin, acme, { period_to: '2026-11-11' })
  await earn('8', '2026-11-20')
  return acme
}

describe('what advertisers owe', () => {
  test('is told by age, with exposure, prepaid and what they earn the network', async () => {
    const acme = await lateDebtor()
    expect(await rowOf(acme)).toMatchObject([
      {
        currency: 'USD',
        not_invoiced: '12.0000',
        invoiced: '105.0000',
        overdue: { '30': '60.0000', '60': '30.0000', '90': '15.0000', more: '0.0000' },
        prepaid: '0.0000',
        exposure: '117.0000',
        credit_limit: null,
        used_percent: null,
        credit: 'none',
        revenue: '117.0000',
        profit: '39.0000',
      },
    ])
    await receive(admin, acme, '110')
    const { balances } = (await admin.call(advertiserBillingApi.account, { params: { uuid: acme.uuid } })).data
    expect(balances).toMatchObject([{ received: '110.0000' }])
    expect(await rowOf(acme)).toMatchObject([
      {
        invoiced: '0.0000',
        prepaid: '5.0000',
        exposure: '7.0000',
        overdue: { '30': '0.0000', '60': '0.0000', '90': '0.0000', more: '0.0000' },
      },
    ])
    const { summary } = (await admin.call(advertiserBillingApi.list, { body: { search: 'no such', currency: ['USD'] } })).data
    expect(summary).toEqual({ rows: 0, totals: { amounts: [], ranking: { base: 'USD', without: [] } } })
  })

  test('is told by month and offer', async () => {
    const acme = await lateDebtor()
    await makePayable(api.db, acme.conversions[0]?.affiliate_id ?? 0, ['100'], {
      at: Date.parse('2026-10-20T00:00:00Z'),
      advertiserId: acme.id,
      holdDays: 90,
    })
    const { list } = (await admin.call(advertiserBillingApi.unbilled, { body: { advertiser_uuid: acme.uuid } })).data
    expect(list).toMatchObject([
      { month: '2026-11', conversions: 1, approved: '12.0000', hold: '0.0000', amount: '12.0000' },
      { month: '2026-10', conversions: 1, approved: '0.0000', hold: '150.0000', amount: '150.0000' },
    ])
  })

  test('can be sorted and filtered by whatever is shown', async () => {
    for (const sort of ['exposure', 'advertiser', 'not_invoiced', 'invoiced', 'overdue', 'prepaid', 'revenue', 'profit'] as const)
      expect((await admin.call(advertiserBillingApi.list, { body: { sort, direction: 'asc' } })).status, sort).toBe(200)
    const acme = await lateDebtor()
    await setTerms(acme, { limits: [{ currency: 'USD', amount: '120' }] })
    const found = async (body: object) => {
      const { list } = (await admin.call(advertiserBillingApi.list, { body: { ...body, advertiser_uuid: [acme.uuid] } })).data
      return list.map(({ credit, used_percent }) => [credit, used_percent])
    }
    expect(await found({})).toEqual([['near', 97]])
    expect(await found({ credit: ['near'], overdue: true })).toEqual([['near', 97]])
    expect(await found({ credit: ['good', 'blocked'] })).toEqual([])
  })

  test('is ranked across currencies by its worth in the base currency, with what has no rate last and named', async () => {
    const at = Date.parse('2026-11-10T00:00:00Z')
    const owed = { JPY: '5000', EUR: '100', USD: '90', UAH: '9999' }
    const uuids = await Promise.all(
      Object.entries(owed).map(async ([currency, amount]) => (await makeDebtor(api.db, [amount], { at, currency })).uuid),
    )
    for (const [currency, rate] of Object.entries({ JPY: '0.0065', EUR: '1.1' }))
      await api.db
        .insertInto('currency_rate')
        .values({ base: 'USD', currency, day: '2026-11-20', rate, source: 'hand' })
        .onConflict((row) => row.doNothing())
        .execute()
    for (const [direction, ranked] of [
      ['desc', 'EUR USD JPY UAH'],
      ['asc', 'JPY USD EUR UAH'],
    ] as const) {
      const { list, summary } = (await admin.call(advertiserBillingApi.list, { body: { advertiser_uuid: uuids, direction } })).data
      expect(list.map(({ currency }) => currency).join(' ')).toBe(ranked)
      expect(summary.totals?.ranking).toEqual({ base: 'USD', without: ['UAH'] })
    }
    for (const endpoint of [advertiserInvoiceApi.list, invoiceApi.list, receiptApi.list])
      for (const sort of endpoint === receiptApi.list ? (['amount'] as const) : (['total', 'open'] as const))
        expect((await admin.call(endpoint, { body: { sort } as never })).status).toBe(200)
  })

  test('is told to the manager of the advertiser, without profit, and to nobody else', async () => {
    const acme = await lateDebtor()
    const [manager, stranger, affiliate] = await Promise.all([api.as('manager'), api.as('manager'), api.as('affiliate')])
    const own = await api.db
      .selectFrom('manager as m')
      .innerJoin('account as a', 'a.id', 'm.account_id')
      .select('m.id')
      .where('a.uuid', '=', manager.uuid)
      .executeTakeFirstOrThrow()
    await api.db.updateTable('advertiser').set({ manager_id: own.id }).where('id', '=', acme.id).execute()
    const account = (by: Caller) => by.call(advertiserBillingApi.account, { params: { uuid: acme.uuid } })
    const told = (await account(manager)).data
    expect(told).toMatchObject({
      balances: [{ invoiced: '105.0000', received: '0.0000' }],
      invoices: [{ overdue_days: 10 }, { overdue_days: 45 }, { overdue_days: 75 }],
    })
    expect(JSON.stringify(told)).not.toMatch(/profit|revenue/)
    expect((await account(stranger)).status).toBe(404)
    expect((await account(affiliate)).status).toBe(403)
    for (const by of [manager, affiliate]) {
      expect((await by.call(advertiserBillingApi.list)).status).toBe(403)
      expect((await by.call(advertiserBillingApi.terms, { params: { uuid: acme.uuid } })).status).toBe(403)
    }
  })
})

describe('terms', () => {
  test('hold for one advertiser, and whoever saw older ones is refused', async () => {
    const acme = await makeDebtor(api.db, ['10'], { at: api.clock.now() - 86_400_000 })
    expect(await terms(acme)).toMatchObject({
      net_days: null,
      vat_category: 'O',
      limits: [],
      revision: 0,
      network: { net_days: 30, include_hold: false },
    })
    const limits = [{ currency: 'USD', amount: '500.0000' }]
    const saved = await setTerms(acme, { net_days: 7, vat_category: 'AE', email: 'Money@Acme.example', limits })
    expect(saved.data).toMatchObject({ net_days: 7, vat_category: 'AE', email: 'money@acme.example', limits, revision: 1 })
    expect(await makeAdvertiserIssued(admin, acme)).toMatchObject({
      due_day: '2026-11-28',
      vat_category: 'AE',
      vat: '0.0000',
      contact: 'money@acme.example',
    })
    const { network: _network, ...stored } = saved.data
    const stale = await admin.call(advertiserBillingApi.updateTerms, { params: { uuid: acme.uuid }, body: { ...stored, revision: 0 } })
    expect(stale.status).toBe(409)
    expect((await setTerms(acme, { limits: [{ currency: 'ZZZ', amount: '1' }] })).status).toBe(422)
    expect((await setTerms(acme, { limits: [] })).data.limits).toEqual([])
  })
})

describe('credit', () => {
  const blocked = async (offerId: number) => {
    const [offer] = await readSnapshotOffers(api.db, api.clock.now(), [offerId])
    return offer?.credit_blocked === true
  }
  const told = async (reason: string) =>
    await api.db
      .selectFrom('notification as n')
      .innerJoin('account as a', 'a.id', 'n.account_id')
      .select(['n.kind', 'a.role', 'n.count'])
      .where('n.reason', 'like', `${reason}%`)
      .orderBy('n.id')
      .execute()

  test('warns near its limit, sends clicks to trafficback at it, and lets them through when somebody pays', async () => {
    const acme = await makeDebtor(api.db, ['10'], { at: api.clock.now() - 86_400_000 })
    const { name } = await api.db.selectFrom('advertiser').select('name').where('id', '=', acme.id).executeTakeFirstOrThrow()
    const { offer_id } = acme.conversions[0] ?? { offer_id: 0 }
    await setTerms(acme, { limits: [{ currency: 'USD', amount: '18' }] })
    await judgeCredit(api.db, api.clock.now())
    expect([await blocked(offer_id), (await rowOf(acme))[0]?.credit]).toEqual([false, 'near'])
    expect(new Set((await told(name)).map(({ kind, count }) => `${kind} ${count}`))).toEqual(new Set(['credit_near 83']))
    // told once
    expect(await judgeCredit(api.db, api.clock.now())).toBe(0)

    await makePayable(api.db, acme.conversions[0]?.affiliate_id ?? 0, ['2'], { at: api.clock.now() - 86_400_000, advertiserId: acme.id })
    await Promise.all([judgeCredit(api.db, api.clock.now()), judgeCredit(api.db, api.clock.now())])
    expect([await blocked(offer_id), (await rowOf(acme))[0]?.credit]).toEqual([true, 'blocked'])
    const admins = (await told(name)).filter(({ role }) => role === 'admin').map(({ kind }) => kind)
    expect(admins.filter((kind) => kind === 'credit_blocked')).toHaveLength(admins.filter((kind) => kind === 'credit_near').length)
    await receive(admin, acme, '5')
    expect([await blocked(offer_id), (await rowOf(acme))[0]?.credit]).toEqual([false, 'good'])
  })

  test('of who pays in advance ends when it is used up', async () => {
    const acme = await makeDebtor(api.db, [], { at: api.clock.now() })
    await setTerms(acme, { limits: [{ currency: 'USD', amount: '0' }] })
    await judgeCredit(api.db, api.clock.now())
    expect((await rowOf(acme)).map(({ credit, used_percent }) => [credit, used_percent])).toEqual([['blocked', 100]])
    await receive(admin, acme, '100')
    expect((await rowOf(acme)).map(({ credit, used_percent }) => [credit, used_percent])).toEqual([['good', 0]])
    const [earned] = await makePayable(api.db, await makeAffiliateId(api.db), ['60'], {
      at: api.clock.now() - 86_400_000,
      advertiserId: acme.id,
    })
    await judgeCredit(api.db, api.clock.now())
    expect((await rowOf(acme)).map(({ credit, used_percent }) => [credit, used_percent])).toEqual([['near', 90]])
    // a limit that is gone blocks nobody
    await makePayable(api.db, earned?.affiliate_id ?? 0, ['60'], { at: api.clock.now() - 86_400_000, advertiserId: acme.id })
    await judgeCredit(api.db, api.clock.now())
    expect(await blocked(earned?.offer_id ?? 0)).toBe(true)
    await setTerms(acme, { limits: [] })
    expect(await blocked(earned?.offer_id ?? 0)).toBe(false)
  })
})

describe('reminders', () => {
  test('go out on the days of the settings, once each, to the address for invoices', async () => {
    const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
    await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
    const acme = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-10-01T00:00:00Z') })
    await setTerms(acme, { net_days: 0, email: 'pay@acme.example', language: 'uk' })
    const issued = await makeAdvertiserIssued(admin, acme, { period_to: '2026-11-19' })
    const mails = () =>
      api.db
        .selectFrom('mail')
        .select(['event', 'recipient', 'language'])
        .where('event', '=', 'invoice_overdue')
        .where('recipient', '=', 'pay@acme.example')
        .execute()
    const post = { mail: openMailQueue('a'.repeat(64)) }
    const onDay = async (day: string) => {
      const now = Date.parse(`${day}T09:00:00Z`)
      while (await remindOverdue(api.db, now, post));
      return (await mails()).length
    }
    expect(await onDay('2026-11-21')).toBe(0)
    expect(await onDay('2026-11-22')).toBe(1)
    expect(await onDay('2026-11-23')).toBe(1)
    // an outage of days is one letter, not three
    expect(await onDay('2026-12-10')).toBe(2)
    expect(await mails()).toContainEqual({ event: 'invoice_overdue', recipient: 'pay@acme.example', language: 'uk' })
    // the invoice goes along as it was handed out
    const along = api.db.selectFrom('mail as m').innerJoin('document as d', 'd.id', 'm.document_id').select('d.number')
    expect(await along.where('m.recipient', '=', 'pay@acme.example').execute()).toEqual([
      { number: issued.number },
      { number: issued.number },
    ])
    expect(await onDay('2026-12-31')).toBe(2)
    const { data } = await admin.call(advertiserInvoiceApi.get, { params: { uuid: issued.uuid } })
    expect(data.history.map(({ event }) => event)).toEqual(['made', 'issued', 'reminded', 'reminded'])
    const remind = () => admin.call(advertiserInvoiceApi.remind, { params: { uuid: issued.uuid }, body: { revision: data.revision } })
    expect((await remind()).fields).toHaveProperty('contact')
  })
})
