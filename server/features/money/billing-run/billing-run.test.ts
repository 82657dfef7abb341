import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingRunApi } from '#contract/money/billing-run.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { termsApi, type Terms } from '#contract/money/terms.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { workOffRow } from '#server/features/money/invoice/run.service.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeIssued, makePayable, makeSelfBilled } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { become } from '#test/support/make/receivables.ts'
import { proposeRuns, sendMade } from './propose.jobs.ts'

let api: TestApi
let admin: Caller
// the Monday after a week, before six
const MONDAY = '2026-11-23T05:00:00Z'
const DAY = 86_400_000
beforeAll(async () => {
  api = await startApi({ at: MONDAY })
  admin = await api.as('admin')
})
afterAll(() => api.close())

/** Somebody with a method and own terms, paid weekly unless said otherwise. */
async function partner(name: string, amounts: string[], more: Partial<Terms> & { method?: boolean } = {}) {
  const one = await api.as('affiliate', { name })
  const { method = true, ...terms } = more
  await makePayable(api.db, one.affiliateId ?? 0, amounts, { at: api.clock.now() - 2 * DAY })
  if (method) await makeMethod(api, one.affiliateId ?? 0)
  const { network } = (await admin.call(termsApi.get, { params: { uuid: one.uuid } })).data
  await admin.call(termsApi.update, { params: { uuid: one.uuid }, body: { own: { ...network, schedule: 'weekly', ...terms }, version: 0 } })
  return one
}
/** Sessions end meanwhile. */
async function weekLater() {
  api.clock.advance(7 * DAY)
  admin = await api.as('admin')
}
const runs = async (schedule: string) => (await admin.call(billingRunApi.list)).data.list.filter((run) => run.schedule === schedule)
/** Of the payment system. */
const MINIMUM = 50
const invoicesOf = async (uuid: string) => (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [uuid] } })).data.list

test('a week’s run is proposed at six of its Monday, previewed with reasons, made once by two at once, and lists what differs', async () => {
  const rich = await partner('Rich', ['60', '50'], { net: '7' })
  const poor = await partner('Poor', ['5'])
  const homeless = await partner('Without a method', ['500'], { method: false })
  const patient = await partner('On hold longer', ['200'], { hold_days: 30 })
  const monthly = await partner('Monthly', ['300'], { schedule: 'monthly' })
  await proposeRuns(api.db, api.clock.now())
  expect((await runs('weekly')).map(({ period_to }) => period_to)).not.toContain('2026-11-22')

  api.clock.advance(3_600_000)
  await Promise.all([1, 2].map(() => proposeRuns(api.db, api.clock.now())))
  await proposeRuns(api.db, api.clock.now())
  const [run, ...others] = (await runs('weekly')).filter(({ period_to }) => period_to === '2026-11-22')
  expect(others).toEqual([])
  expect(run).toMatchObject({ state: 'proposed', period_from: '2026-11-16', rows: 0, made_by: null })
  const params = { uuid: run?.uuid ?? '' }
  const preview = (await admin.call(billingRunApi.preview, { params })).data
  expect(preview.list.map(({ minimum }) => Number(minimum)).toSorted((a, b) => a - b)).toEqual([0, MINIMUM, MINIMUM])
  expect(
    preview.list.map(({ affiliate, net, due_day, payment_system, reasons: [left_out = null] }) => [
      affiliate?.name,
      net,
      due_day,
      payment_system,
      left_out,
    ]),
  ).toEqual([
    ['Rich', '110.0000', '2026-11-29', 'paypal', null],
    ['Without a method', '500.0000', expect.any(String), '', 'no_method'],
    ['Poor', '5.0000', expect.any(String), 'paypal', 'below_minimum'],
  ])
  // what comes before it is made is on it too, and the difference is told
  const both = await Promise.all([1, 2].map(() => admin.call(billingRunApi.make, { params })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const [invoice, ...more] = await invoicesOf(rich.uuid)
  expect(more).toEqual([])
  expect(invoice).toMatchObject({ status: 'draft', net: '110.0000', due_day: '2026-11-29', period_from: '2026-11-16' })
  expect((await runs('weekly'))[0]).toMatchObject({ state: 'done', made: 1, amounts: [{ currency: 'USD', net: '110.0000' }] })
  expect((await admin.call(invoiceApi.list, { body: { run_uuid: params.uuid } })).data.list).toHaveLength(1)
  for (const { uuid } of [poor, homeless, patient, monthly]) expect(await invoicesOf(uuid)).toEqual([])
  expect((await admin.call(billingRunApi.dismiss, { params })).status).toBe(409)
  expect(await findDifferences(api.db)).toEqual([])
})

test('a period in which everybody is left out is told with who and why, and one in which nobody had anything is not', async () => {
  const alone = await startApi({ at: '2026-11-23T07:00:00Z' })
  const head = await alone.as('admin')
  const list = async () => (await head.call(billingRunApi.list, { body: { side: ['affiliates'] } })).data.list
  const poor = await alone.as('affiliate', { name: 'Below it' })
  await makePayable(alone.db, poor.affiliateId ?? 0, ['5'], { at: alone.clock.now() - 30 * DAY })
  await makeMethod(alone, poor.affiliateId ?? 0)
  const { network } = (await head.call(termsApi.get, { params: { uuid: poor.uuid } })).data
  const own = { ...network, schedule: 'weekly' as const }
  await head.call(termsApi.update, { params: { uuid: poor.uuid }, body: { own, version: 0 } })
  expect(await proposeRuns(alone.db, alone.clock.now())).toBe(0)
  const [run, ...others] = await list()
  expect(others).toEqual([])
  expect(run).toMatchObject({ schedule: 'weekly', period_to: '2026-11-22', state: 'empty', rows: 1, made: 0, nothing: 1, amounts: [] })
  const params = { uuid: run?.uuid ?? '' }
  const why = { party: 'Below it', party_uuid: poor.uuid, state: 'nothing', expected: '5.0000', net: null, reason: 'below_minimum' }
  expect((await head.call(billingRunApi.failures, { params })).data.list).toMatchObject([why])
  // it is over: nothing is made of it by whatever way, and the next period takes what is left
  for (const endpoint of [billingRunApi.make, billingRunApi.dismiss]) expect((await head.call(endpoint, { params })).status).toBe(409)
  expect(await workOffRow(alone.db, alone.clock.now())).toBe(false)
  await alone.close()
})

test('terms that say so make drafts, or send invoices, without anybody; what could not be made is tried again', async () => {
  await weekLater()
  const drafts = await partner('Drafts', ['70'], { makes: 'drafts' })
  const sent = await partner('Sent', ['80'], { makes: 'send' })
  await proposeRuns(api.db, api.clock.now())
  const [run] = await runs('weekly')
  expect(run).toMatchObject({ period_to: '2026-11-29', rows: 2, waiting: 2 })
  await api.db.updateTable('billing_run_row').set({ state: 'failed', reason: 'no room' }).where('expected', '=', '70').execute()
  while (await workOffRow(api.db, api.clock.now())) {
    // all that waits
  }
  while (await sendMade(api.db, api.clock.now())) {
    // all that is to be sent
  }
  expect(await invoicesOf(sent.uuid)).toMatchObject([{ status: 'waiting', net: '80.0000' }])
  expect(await invoicesOf(drafts.uuid)).toEqual([])
  const params = { uuid: run?.uuid ?? '' }
  const odd = (await admin.call(billingRunApi.failures, { params })).data
  expect(odd.list).toMatchObject([{ party: 'Drafts', state: 'failed', expected: '70.0000', reason: 'no room' }])
  await admin.call(billingRunApi.retry, { params })
  expect(await invoicesOf(drafts.uuid)).toMatchObject([{ status: 'draft', net: '70.0000' }])
  expect(await sendMade(api.db, api.clock.now())).toBe(false)
  expect(
    (await admin.call(invoiceApi.get, { params: { uuid: (await invoicesOf(sent.uuid))[0]?.uuid ?? '' } })).data.history.map(
      ({ event, actor }) => [event, actor],
    ),
  ).toEqual([
    ['made', null],
    ['sent', null],
  ])
  expect(await findDifferences(api.db)).toEqual([])
})

test('VAT stands in a preview with the total, every reason to be left out is said, and what came otherwise is flagged with both figures', async () => {
  await weekLater()
  const billed = await partner('Billed', ['100'], { makes: 'drafts' })
  const { account_id: accountId } = await api.db
    .selectFrom('affiliate')
    .select('account_id')
    .where('id', '=', billed.affiliateId ?? 0)
    .executeTakeFirstOrThrow()
  await makeSelfBilled(api.db, { affiliateId: billed.affiliateId ?? 0, accountId }, { vat_category: 'S', vat_rate: '23' })
  const agreed = { agreed_at: new Date(api.clock.now()), agreed_from: '192.0.2.1', agreed_by: accountId }
  const unready = await partner('Unready', ['100'], { method: false })
  await api.db
    .insertInto('tax_profile')
    .values({
      affiliate_id: unready.affiliateId ?? 0,
      name: 'No Town',
      agreed_text: 'You let us bill.',
      ...agreed,
      updated_at: new Date(api.clock.now()),
    })
    .execute()
  const older = await partner('Older words', ['100'])
  await api.db
    .insertInto('tax_profile')
    .values({ affiliate_id: older.affiliateId ?? 0, agreed_text: 'Older words.', ...agreed, updated_at: new Date(api.clock.now()) })
    .execute()
  const body = { period_to: '2026-12-06', affiliate_uuids: [billed.uuid, unready.uuid, older.uuid] }
  const { list } = (await admin.call(invoiceApi.preview, { body })).data
  expect(list.map(({ affiliate: { name }, net, vat, total, mode, reasons }) => [name, net, vat, total, mode, reasons])).toEqual([
    ['Billed', '100.0000', '23.0000', '123.0000', 'self_billing', []],
    ['Unready', '100.0000', '0.0000', '100.0000', 'self_billing', ['no_method', 'profile_incomplete']],
    ['Older words', '100.0000', '0.0000', '100.0000', 'statement', ['not_agreed']],
  ])
  // of our company it asks what sending asks: no town, but its VAT id where there is VAT
  const company = (name: string, value: string) =>
    sql`update setting set value = jsonb_set(value::jsonb, ${`{${name}}`}::text[], to_jsonb(${value}::text)) where key = 'company'`.execute(
      api.db,
    )
  const reasons = async () =>
    (await admin.call(invoiceApi.preview, { body: { ...body, affiliate_uuids: [billed.uuid] } })).data.list.map((one) => one.reasons)
  await company('town', '')
  expect(await reasons()).toEqual([[]])
  await company('vat_id', '')
  expect(await reasons()).toEqual([['profile_incomplete']])
  await company('vat_id', 'IE6388047V')
  await proposeRuns(api.db, api.clock.now())
  const [run] = await runs('weekly')
  // it is not a row of what is proposed: its terms make it without asking
  const preview = (await admin.call(billingRunApi.preview, { params: { uuid: run?.uuid ?? '' } })).data
  expect(preview.list.map(({ affiliate }) => affiliate?.name)).not.toContain('Billed')
  // approved late, before it is made
  await makePayable(api.db, billed.affiliateId ?? 0, ['7'], { at: api.clock.now() - 2 * DAY })
  while (await workOffRow(api.db, api.clock.now())) {
    // all that waits
  }
  const odd = (await admin.call(billingRunApi.failures, { params: { uuid: run?.uuid ?? '' } })).data
  expect(odd.run).toMatchObject({ made: 1, differs: 1 })
  expect(odd.list).toMatchObject([{ party: 'Billed', state: 'made', expected: '100.0000', net: '107.0000' }])
  await api.db.deleteFrom('setting').where('key', '=', 'company').execute()
})

test('a run that is let be makes nothing, and its money goes into the next', async () => {
  await weekLater()
  const late = await partner('Late', ['90'])
  await proposeRuns(api.db, api.clock.now())
  const [run] = await runs('weekly')
  const params = { uuid: run?.uuid ?? '' }
  expect((await admin.call(billingRunApi.dismiss, { params })).status).toBe(200)
  expect((await admin.call(billingRunApi.make, { params })).status).toBe(409)
  await weekLater()
  await proposeRuns(api.db, api.clock.now())
  const [next] = await runs('weekly')
  await admin.call(billingRunApi.make, { params: { uuid: next?.uuid ?? '' } })
  expect(await invoicesOf(late.uuid)).toMatchObject([{ net: '90.0000' }])
})

test('a run takes what of earlier invoices was changed until its end; what changed after is for the next, in preview and drafts alike', async () => {
  await weekLater()
  const one = await api.as('affiliate', { name: 'Changed since' })
  const affiliateId = one.affiliateId ?? 0
  await makeMethod(api, affiliateId)
  const [early, late] = await makePayable(api.db, affiliateId, ['60', '50'], { at: api.clock.now() - 9 * DAY })
  api.clock.advance(-2 * DAY)
  await makeIssued(admin, [{ uuid: early?.uuid ?? '' }, { uuid: late?.uuid ?? '' }])
  api.clock.advance(2 * DAY)
  await makePayable(api.db, affiliateId, ['200'], { at: api.clock.now() - 2 * DAY })
  const end = api.clock.now() - (api.clock.now() % DAY)
  const period_to = new Date(end - 1).toISOString().slice(0, 10)
  await become(api.db, end - 1, { id: early?.id ?? '' }, { status: 'declined' })
  await become(api.db, end, { id: late?.id ?? '' }, { status: 'declined' })
  // what it earns alone is nothing of the affiliate's
  await become(api.db, end + 1, { id: early?.id ?? '' }, { revenue: '1.0000' })
  const preview = async (day: string) =>
    (await admin.call(invoiceApi.preview, { body: { period_to: day, affiliate_uuids: [one.uuid] } })).data.list
  expect(await preview(period_to)).toMatchObject([{ conversions: 1, corrections: 1, net: '140.0000' }])
  const next = new Date(end).toISOString().slice(0, 10)
  expect(await preview(next)).toMatchObject([{ corrections: 2, net: '90.0000' }])
  const body = { key: crypto.randomUUID(), period_to, affiliate_uuids: [one.uuid] }
  const { invoices } = (await admin.call(invoiceApi.createFromAffiliates, { body })).data
  expect(invoices.map(({ net, expected }) => [Number(net), Number(expected)])).toEqual([[140, 140]])
  // nor does adding to it take what is later
  const uuid = invoices[0]?.uuid ?? ''
  const { revision } = (await admin.call(invoiceApi.get, { params: { uuid } })).data
  expect((await admin.call(invoiceApi.addLines, { params: { uuid }, body: { revision } })).status).toBe(422)
  expect(await findDifferences(api.db)).toEqual([])
})

test('what of an earlier invoice was changed on both sides of the end of a run is on it as it stood then, in preview, drafts and what is added', async () => {
  await weekLater()
  const one = await api.as('affiliate', { name: 'Changed twice' })
  const affiliateId = one.affiliateId ?? 0
  await makeMethod(api, affiliateId)
  const [gone, risen] = await makePayable(api.db, affiliateId, ['60', '50'], { at: api.clock.now() - 9 * DAY })
  api.clock.advance(-2 * DAY)
  await makeIssued(admin, [{ uuid: gone?.uuid ?? '' }, { uuid: risen?.uuid ?? '' }])
  api.clock.advance(2 * DAY)
  const [extra] = await makePayable(api.db, affiliateId, ['200', '5'], { at: api.clock.now() - 2 * DAY })
  const end = api.clock.now() - (api.clock.now() % DAY)
  const period_to = new Date(end - 1).toISOString().slice(0, 10)
  await become(api.db, end - 1, { id: gone?.id ?? '' }, { status: 'declined' })
  await become(api.db, end - 1, { id: risen?.id ?? '' }, { payout: '70.0000' })
  // touched again after it
  await become(api.db, end, { id: gone?.id ?? '' }, { status: 'approved', payout: '10.0000' })
  await become(api.db, end + 1, { id: risen?.id ?? '' }, { payout: '90.0000' })
  const body = { period_to, affiliate_uuids: [one.uuid] }
  const rows = async () => (await admin.call(invoiceApi.preview, { body })).data.list
  // 205 − 60 + 20
  expect(await rows()).toMatchObject([{ conversions: 2, corrections: 2, net: '165.0000' }])
  const made = await admin.call(invoiceApi.createFromConversions, { body: { uuids: [extra?.uuid ?? ''], leave_debt: true } })
  const uuid = made.data.invoices[0]?.uuid ?? ''
  await api.db.updateTable('invoice').set({ period_to }).where('uuid', '=', uuid).execute()
  const read = async () => (await admin.call(invoiceApi.get, { params: { uuid } })).data
  await admin.call(invoiceApi.addLines, { params: { uuid }, body: { revision: (await read()).revision } })
  expect((await read()).net).toBe('165.0000')
  await admin.call(invoiceApi.remove, { params: { uuid }, body: { revision: (await read()).revision } })
  const { invoices } = (await admin.call(invoiceApi.createFromAffiliates, { body: { key: crypto.randomUUID(), ...body } })).data
  expect(invoices.map(({ net, expected }) => [Number(net), Number(expected)])).toEqual([[165, 165]])
  // computed anew it is as it is now, 205 − 50 + 40; no run to an earlier end takes that back, one to a later end what came since
  const [{ uuid: last = '' } = {}] = invoices
  const { revision } = (await admin.call(invoiceApi.get, { params: { uuid: last } })).data
  const anew = (await admin.call(invoiceApi.refresh, { params: { uuid: last }, body: { revision } })).data
  expect(anew.net).toBe('195.0000')
  const sent = (await admin.call(invoiceApi.send, { params: { uuid: last }, body: { revision: anew.revision } })).data
  await admin.call(invoiceApi.approve, { params: { uuid: last }, body: { revision: sent.revision } })
  api.clock.advance(1)
  await become(api.db, api.clock.now(), { id: risen?.id ?? '' }, { payout: '95.0000' })
  expect(await rows()).toEqual([])
  const today = { period_to: new Date(api.clock.now()).toISOString().slice(0, 10), affiliate_uuids: [one.uuid] }
  expect((await admin.call(invoiceApi.preview, { body: today })).data.list).toMatchObject([{ corrections: 1, net: '5.0000' }])
  expect(await findDifferences(api.db)).toEqual([])
})

test('what was earned and invoiced after the end of a run, and changed then, is no matter of it', async () => {
  await weekLater()
  const one = await api.as('affiliate', { name: 'Invoiced ahead' })
  await makeMethod(api, one.affiliateId ?? 0)
  const end = api.clock.now() - (api.clock.now() % DAY)
  await makePayable(api.db, one.affiliateId ?? 0, ['80'], { at: end - DAY })
  const [late] = await makePayable(api.db, one.affiliateId ?? 0, ['20'], { at: end + 1 })
  await makeIssued(admin, [{ uuid: late?.uuid ?? '' }])
  await become(api.db, api.clock.now(), { id: late?.id ?? '' }, { payout: '15.0000' })
  const preview = async (day: number) => {
    const body = { period_to: new Date(day).toISOString().slice(0, 10), affiliate_uuids: [one.uuid] }
    return (await admin.call(invoiceApi.preview, { body })).data.list.map(({ net }) => net)
  }
  expect(await preview(end - 1)).toEqual(['80.0000'])
  expect(await preview(end)).toEqual(['75.0000'])
})

test('what was approved after a draft was made, and added to it, is not taken back by another run to the same end', async () => {
  await weekLater()
  const one = await api.as('affiliate', { name: 'Added late' })
  await makeMethod(api, one.affiliateId ?? 0)
  const end = api.clock.now() - (api.clock.now() % DAY)
  const [, late] = await makePayable(api.db, one.affiliateId ?? 0, ['80', '20'], { at: end - DAY })
  await become(api.db, end - 1, { id: late?.id ?? '' }, { status: 'declined' })
  const body = { period_to: new Date(end - 1).toISOString().slice(0, 10), affiliate_uuids: [one.uuid] }
  const made = await admin.call(invoiceApi.createFromAffiliates, { body: { key: crypto.randomUUID(), ...body } })
  const params = { uuid: made.data.invoices[0]?.uuid ?? '' }
  api.clock.advance(1000)
  await become(api.db, api.clock.now(), { id: late?.id ?? '' }, { status: 'approved' })
  const { revision } = (await admin.call(invoiceApi.get, { params })).data
  const added = (await admin.call(invoiceApi.addLines, { params, body: { revision } })).data
  expect(added.net).toBe('100.0000')
  const sent = (await admin.call(invoiceApi.send, { params, body: { revision: added.revision } })).data
  await admin.call(invoiceApi.approve, { params, body: { revision: sent.revision } })
  // changed once more, which is for a later end
  await become(api.db, api.clock.now(), { id: late?.id ?? '' }, { payout: '15.0000' })
  await makePayable(api.db, one.affiliateId ?? 0, ['30'], { at: end - DAY })
  expect((await admin.call(invoiceApi.preview, { body })).data.list).toMatchObject([{ conversions: 1, corrections: 0, net: '30.0000' }])
})

test('a run by hand takes those on one schedule alone where it is asked, the network’s terms counting for whoever has none', async () => {
  const [weekly, monthly] = [await partner('By the week', ['60']), await partner('By the month', ['70'], { schedule: 'monthly' })]
  const usual = await api.as('affiliate', { name: 'As usual' })
  await makePayable(api.db, usual.affiliateId ?? 0, ['80'], { at: api.clock.now() - 2 * DAY })
  await makeMethod(api, usual.affiliateId ?? 0)
  const period_to = new Date(api.clock.now()).toISOString().slice(0, 10)
  const body = { period_to, affiliate_uuids: [weekly, monthly, usual].map(({ uuid }) => uuid) }
  const names = async (schedule: 'weekly' | 'monthly' | 'on_request' | null) =>
    (await admin.call(invoiceApi.preview, { body: { ...body, schedule } })).data.list.map(({ affiliate: { name } }) => name).toSorted()
  expect(await names(null)).toEqual(['As usual', 'By the month', 'By the week'])
  expect(await names('weekly')).toEqual(['By the week'])
  expect(await names('monthly')).toEqual(['As usual', 'By the month'])
  const made = await admin.call(invoiceApi.createFromAffiliates, { body: { key: crypto.randomUUID(), ...body, schedule: 'weekly' } })
  expect(made.data.invoices.map(({ party }) => party)).toEqual(['By the week'])
  expect(await invoicesOf(monthly.uuid)).toEqual([])
})

test('terms of one affiliate are changed by whoever saw the last ones, in currencies there are', async () => {
  const one = await partner('Terms', ['1'])
  const params = { uuid: one.uuid }
  const { own, network } = (await admin.call(termsApi.get, { params })).data
  expect(own?.schedule).toBe('weekly')
  const change = (terms: Terms | null, version: number) => admin.call(termsApi.update, { params, body: { own: terms, version } })
  expect((await change(own, 0)).status).toBe(409)
  expect((await change({ ...network, minimums: [{ currency: 'XXX', amount: '1' }] }, 1)).fields).toHaveProperty('minimums')
  expect((await change(null, 1)).data).toMatchObject({ own: null, version: 0 })
})
