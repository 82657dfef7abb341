import { sql } from 'kysely'
import type { z } from 'zod'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advertiserBillingApi, receivableSettingApi } from '#contract/money/advertiser-billing.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { billingRunApi } from '#contract/money/billing-run.ts'
import { generalSetting } from '#contract/network/setting.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { workOffRow } from '#server/features/money/invoice/run.service.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { makeAffiliateId } from '#test/support/make/money.ts'
import { makeRates } from '#test/support/make/rates.ts'
import { makeDebtor } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { proposeRuns, sendMade } from './propose.jobs.ts'

let api: TestApi
let admin: Caller
const HOUR = 3_600_000
const DAY = 24 * HOUR
// Kyiv's clocks go back in the night to the 25th of October: the 1st of November begins at 22:00 of the last one, in UTC
const SIX = Date.parse('2026-11-01T04:00:00Z')

beforeAll(async () => {
  api = await startApi({ at: new Date(SIX - HOUR).toISOString() })
  admin = await api.as('admin')
  await makeRates(api.db)
  await sql`insert into setting (key, value) values (${generalSetting.key}, '{"time_zone": "Europe/Kyiv"}')
    on conflict (key) do update set value = setting.value || excluded.value`.execute(api.db)
})
afterAll(() => api.close())

type Changes = Partial<z.input<typeof advertiserBillingApi.updateTerms.body>>
/** Somebody who owes this since some days, and whose VAT was decided. */
async function debtor(
  amounts: string[],
  { days = 5, at, currency, ...terms }: Changes & { days?: number; at?: string; currency?: string } = {},
) {
  const one = await makeDebtor(api.db, amounts, {
    at: at === undefined ? api.clock.now() - days * DAY : Date.parse(at),
    ...(currency && { currency }),
  })
  await setTerms(one, terms)
  return one
}
async function setTerms({ uuid }: { uuid: string }, terms: Changes) {
  const { network: _network, ...stored } = (await admin.call(advertiserBillingApi.terms, { params: { uuid } })).data
  const set = await admin.call(advertiserBillingApi.updateTerms, { params: { uuid }, body: { ...stored, ...terms } })
  expect(set.status).toBe(200)
}
const runs = async (side: 'advertisers' | 'affiliates' = 'advertisers') =>
  (await admin.call(billingRunApi.list, { body: { side: [side] } })).data.list
const invoicesOf = async ({ uuid }: { uuid: string }) =>
  (await admin.call(advertiserInvoiceApi.list, { body: { advertiser_uuid: [uuid] } })).data.list
const sound = async () => expect(await findDifferences(api.db)).toEqual([])
async function workOff() {
  while (await workOffRow(api.db, api.clock.now())) {
    // all that waits
  }
}
async function toMonth(day: string) {
  api.clock.set(Date.parse(`${day}T10:00:00Z`))
  admin = await api.as('admin')
}

test('a month of advertisers is proposed at six of the first day after, previewed with reasons, and made once by two at once', async () => {
  const dollars = await debtor(['60', '40'], { net_days: 14 })
  const euros = await debtor(['200'], { currency: 'EUR', vat_category: 'S', vat_rate: '23' })
  const small = await debtor(['10'], { minimums: [{ currency: 'USD', amount: '100' }] })
  const undecided = await makeDebtor(api.db, ['60'], { at: api.clock.now() - 5 * DAY })
  const asleep = await debtor(['70'])
  await api.db.updateTable('advertiser').set({ status: 'inactive', company: '{}' }).where('id', '=', asleep.id).execute()
  const drafted = await debtor(['80'], { days: 15 })
  await makePayable(api.db, await makeAffiliateId(api.db), ['90'], { at: api.clock.now() - 5 * DAY, advertiserId: drafted.id })
  const rows = [{ advertiser_uuid: drafted.uuid, currency: 'USD' }]
  const kept = await admin.call(advertiserInvoiceApi.create, { body: { key: crypto.randomUUID(), period_to: '2026-10-20', rows } })
  expect(kept.status).toBe(200)
  const weekly = await debtor(['50'], { schedule: 'weekly' })
  // on either side of the cut-off: midnight of the 1st where the network is
  const [late, later] = [await debtor(['300'], { at: '2026-10-31T21:30:00Z' }), await debtor(['500'], { at: '2026-10-31T22:30:00Z' })]

  await proposeRuns(api.db, api.clock.now())
  expect((await runs()).filter(({ period_to }) => period_to === '2026-10-31')).toEqual([])
  api.clock.set(SIX)
  await Promise.all([1, 2].map(() => proposeRuns(api.db, api.clock.now())))
  const [run, ...others] = (await runs()).filter(({ schedule, period_to }) => schedule === 'monthly' && period_to === '2026-10-31')
  expect(others).toEqual([])
  expect(run).toMatchObject({ state: 'proposed', side: 'advertisers', period_from: '2026-10-01', rows: 0, made_by: null })
  const params = { uuid: run?.uuid ?? '' }
  const tasks = async () => (await admin.call(inboxApi.list, { body: { kind: 'money' } })).data.list.map(({ id, reason }) => [id, reason])
  expect(await tasks()).toContainEqual([params.uuid, 'advertiser_run'])

  const { list } = (await admin.call(billingRunApi.preview, { params })).data
  const of = ({ uuid }: { uuid: string }) => {
    const { net, vat, total, due_day, reasons, currency } = list.find(({ advertiser }) => advertiser?.uuid === uuid) ?? {}
    return [currency, net, vat, total, due_day, reasons]
  }
  expect(of(dollars)).toEqual(['USD', '150.0000', '0.0000', '150.0000', '2026-11-14', []])
  expect(of(euros)).toEqual(['EUR', '300.0000', '69.0000', '369.0000', '2026-11-30', []])
  expect(of(small)[5]).toEqual(['below_minimum'])
  expect(of(undecided)[5]).toEqual(['no_vat_profile'])
  expect(of(asleep)[5]).toEqual(['not_active', 'company_incomplete'])
  expect(of(drafted)[5]).toEqual(['live_invoice'])
  expect(of(late)).toEqual(['USD', '450.0000', '0.0000', '450.0000', '2026-11-30', []])
  expect(of(later)[0]).toBeUndefined()
  expect(list.map(({ affiliate }) => affiliate)).toEqual(list.map(() => null))
  expect(list.map(({ advertiser }) => advertiser?.uuid)).not.toContain(weekly.uuid)

  const both = await Promise.all([1, 2].map(() => admin.call(billingRunApi.make, { params })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(await invoicesOf(dollars)).toMatchObject([
    { status: 'draft', net: '150.0000', period_from: '2026-10-01', period_to: '2026-10-31', due_day: '2026-11-14' },
  ])
  expect(await invoicesOf(euros)).toMatchObject([{ status: 'draft', currency: 'EUR', total: '369.0000' }])
  for (const one of [small, undecided, asleep, weekly]) expect(await invoicesOf(one)).toEqual([])
  const sums = [
    { currency: 'EUR', net: '300.0000' },
    { currency: 'USD', net: '600.0000' },
  ]
  expect((await runs()).find(({ uuid }) => uuid === run?.uuid)).toMatchObject({ state: 'done', made: 3, amounts: sums })
  const listed = (await admin.call(advertiserInvoiceApi.list, { body: { run_uuid: params.uuid } })).data.list
  expect(listed.map(({ currency }) => currency).toSorted()).toEqual(['EUR', 'USD', 'USD'])
  expect(await tasks()).not.toContainEqual([params.uuid, 'advertiser_run'])
  await sound()
})

test('terms that say so make drafts, or issue them, without anybody; what a dead worker left is taken up, what failed tried again', async () => {
  await toMonth('2026-12-01')
  const drafts = await debtor(['60'], { makes: 'drafts' })
  const issued = await debtor(['80'], { makes: 'send' })
  const broken = await debtor(['90'], { makes: 'drafts' })
  await proposeRuns(api.db, api.clock.now())
  const run = (await runs()).find(({ schedule, period_to }) => schedule === 'monthly' && period_to === '2026-11-30')
  const params = { uuid: run?.uuid ?? '' }
  // made for three, of which one is made before the worker dies; one cannot be
  await api.db.updateTable('advertiser').set({ status: 'active' }).where('id', '=', broken.id).execute()
  await sql`update billing_run_row set state = 'failed', reason = 'no room' where advertiser_id = ${broken.id}`.execute(api.db)
  expect(await workOffRow(api.db, api.clock.now())).toBe(true)
  const left = await api.db.selectFrom('billing_run_row').select('id').where('state', '=', 'waiting').execute()
  expect(left).toHaveLength(1)
  await Promise.all([workOff(), workOff()])
  while (await sendMade(api.db, api.clock.now())) {
    // all that is to be issued
  }
  expect(await invoicesOf(drafts)).toMatchObject([{ status: 'draft', net: '90.0000' }])
  const [made, ...more] = await invoicesOf(issued)
  expect(more).toEqual([])
  expect(made).toMatchObject({ status: 'issued', net: '120.0000', number: expect.any(String) })
  const { history } = (await admin.call(advertiserInvoiceApi.get, { params: { uuid: made?.uuid ?? '' } })).data
  expect(history.map(({ event, actor }) => [event, actor])).toEqual([
    ['made', null],
    ['issued', null],
  ])
  expect(await invoicesOf(broken)).toEqual([])
  const odd = (await admin.call(billingRunApi.failures, { params })).data.list
  expect(odd).toMatchObject([{ state: 'failed', expected: '135.0000', reason: 'no room' }])
  expect((await admin.call(billingRunApi.retry, { params })).data).toMatchObject({ made: 3, failed: 0 })
  expect(await invoicesOf(broken)).toMatchObject([{ net: '135.0000' }])
  await sound()
})

test('what waits beyond its hold waits over a refresh of the draft too, and comes along when it has waited', async () => {
  await toMonth('2027-01-01')
  const one = await debtor(['60'], { hold_days: 20, days: 25, schedule: 'monthly' })
  await makePayable(api.db, await makeAffiliateId(api.db), ['40'], { at: api.clock.now() - 5 * DAY, advertiserId: one.id })
  await proposeRuns(api.db, api.clock.now())
  const run = (await runs()).find(({ schedule, period_to }) => schedule === 'monthly' && period_to === '2026-12-31')
  await admin.call(billingRunApi.make, { params: { uuid: run?.uuid ?? '' } })
  const refresh = async () => {
    const [draft] = await invoicesOf(one)
    const asked = { params: { uuid: draft?.uuid ?? '' }, body: { revision: draft?.revision ?? 0 } }
    return (await admin.call(advertiserInvoiceApi.refresh, asked)).data.net
  }
  expect(await invoicesOf(one)).toMatchObject([{ net: '90.0000' }])
  expect(await refresh()).toBe('90.0000')
  api.clock.advance(16 * DAY)
  admin = await api.as('admin')
  expect(await refresh()).toBe('150.0000')
  await sound()
})

test('rules say what holds for whoever has no terms of its own, in currencies there are', async () => {
  const { changed: _changed, ...rules } = (await admin.call(receivableSettingApi.rules)).data
  expect(rules).toMatchObject({ schedule: 'monthly', makes: 'propose', hold_days: 0, minimums: [] })
  const one = await debtor(['1'])
  const { network: _network, ...stored } = (await admin.call(advertiserBillingApi.terms, { params: { uuid: one.uuid } })).data
  const asked = { params: { uuid: one.uuid }, body: { ...stored, minimums: [{ currency: 'XXX', amount: '1' }] } }
  expect((await admin.call(advertiserBillingApi.updateTerms, asked)).fields).toHaveProperty('minimums')
  const body = { ...rules, schedule: 'on_request' as const, minimums: [{ currency: 'USD', amount: '5' }] }
  expect((await admin.call(receivableSettingApi.updateRules, { body })).status).toBe(200)
  await toMonth('2027-03-01')
  await debtor(['70'])
  await proposeRuns(api.db, api.clock.now())
  expect((await runs()).filter(({ schedule }) => schedule === 'monthly').map(({ period_to }) => period_to)).not.toContain('2027-02-28')
})
