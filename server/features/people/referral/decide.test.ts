import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerApi } from '#contract/money/ledger.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { referralApi, referralSettingApi } from '#contract/people/referral.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { readConfig } from '#server/platform/config.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { accrueReferrals } from './accrue.jobs.ts'
import { attachReferrer } from './referral.service.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
  const { changed: _changed, ...before } = (await admin.call(referralSettingApi.settings)).data
  const terms = { on: true, percent: '10', percent2: '2', percent3: '0.5' }
  await admin.call(referralSettingApi.updateSettings, { body: { ...before, ...terms } })
})
afterAll(() => api.close())

const OCTOBER = Date.parse('2026-10-05T12:00:00Z')
const idOf = (of: Caller) => of.affiliateId ?? 0
const run = () => accrueReferrals(api.db, api.clock.now(), readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey)
/** Somebody new who came by somebody's code. */
async function broughtBy(referrer: Caller): Promise<Caller> {
  const friend = await api.as('affiliate')
  const { code } = (await referrer.call(referralApi.own)).data
  await api.db.transaction().execute((trx) => attachReferrer(trx, OCTOBER, idOf(friend), code))
  return friend
}
const earns = (who: Caller, amount: string) => makePayable(api.db, idOf(who), [amount], { at: OCTOBER + 3_600_000 })
const has = async (who: Caller) =>
  (await who.call(ledgerApi.ownAccounts)).data.list.find(({ kind }) => kind === 'affiliate_referral')?.amount
const uuidOf = async (who: Caller) =>
  (await api.db.selectFrom('account').select('uuid').where('id', '=', who.accountId).executeTakeFirstOrThrow()).uuid
const listed = async (referrer: Caller) =>
  (await admin.call(referralApi.list, { body: { referrer_uuid: [await uuidOf(referrer)], sort: 'id', direction: 'asc' } })).data.list
const decide = (by: Caller, uuid: string, state: 'released' | 'refused', reason = '') =>
  by.call(referralApi.decide, { params: { uuid }, body: { state, reason } })
const signedIn = (who: Caller, address: string, device: string) =>
  api.db
    .insertInto('sign_in')
    .values({ account_id: who.accountId, at: new Date(OCTOBER), outcome: 'in', way: 'password', address, device })
    .execute()

test('three levels earn their share, and an affiliate reads of it no more than its share tells', async () => {
  const top = await api.as('affiliate')
  const middle = await broughtBy(top)
  const low = await broughtBy(middle)
  const last = await broughtBy(low)
  await broughtBy(last)
  await earns(last, '1000')
  await run()
  expect([await has(low), await has(middle), await has(top)]).toEqual(['100.0000', '20.0000', '5.0000'])
  expect((await listed(top)).map(({ level, percent, until }) => [level, percent, until])).toEqual([
    [1, '10.0000', '2027-10'],
    [2, '2.0000', '2027-10'],
    [3, '0.5000', '2027-10'],
  ])
  const own = (await low.call(referralApi.own)).data
  expect(own).toMatchObject({ signed_up: 1, active: 1, sums: [{ currency: 'USD', earned: '100.0000', invoiced: '0.0000' }] })
  expect(own.terms).toEqual({ percent: '10', deeper: ['2', '0.5'], months: 12 })
  // of deeper levels the sum alone
  expect((await top.call(referralApi.earned)).data.list).toEqual([
    { month: '2026-10', currency: 'USD', level: 3, referred: 1, amount: '5.0000', invoiced: '0.0000' },
  ])
  const told = (await low.call(referralApi.brought)).data.list
  expect(told).toMatchObject([{ paid: 'yes', earned: [{ currency: 'USD', amount: '100.0000' }] }])
  expect(JSON.stringify(told)).not.toContain(await uuidOf(last))
})

test('who is paid at the same place as who brought them is kept back, released by staff, and never asked about twice', async () => {
  const referrer = await api.as('affiliate')
  const friend = await broughtBy(referrer)
  for (const who of [referrer, friend]) await makeMethod(api, idOf(who), { values: { email: 'Same@Example.com' } })
  await earns(friend, '200')
  await run()
  expect(await has(referrer)).toBeUndefined()
  const [held] = await listed(referrer)
  expect(held).toMatchObject({ state: 'held', causes: ['method'], earned: [], kept: [{ currency: 'USD', amount: '20.0000' }] })
  expect((await referrer.call(referralApi.brought)).data.list).toMatchObject([{ paid: 'review', earned: [] }])
  const waiting = (await admin.call(inboxApi.list, { body: { kind: 'referrals' } })).data
  expect(waiting).toMatchObject({ rows: 1, list: [{ id: held?.uuid, affiliate: { uuid: await uuidOf(friend) } }] })
  const manager = await api.as('manager')
  expect((await manager.call(referralApi.list)).status).toBe(403)
  expect((await decide(manager, held!.uuid, 'released')).status).toBe(403)
  expect((await decide(admin, held!.uuid, 'refused')).fields).toEqual({ reason: 'Required' })

  // two at once are one decision
  const answers = await Promise.all([decide(admin, held!.uuid, 'released'), decide(admin, held!.uuid, 'released')])
  expect(answers.map(({ data }) => [data.state, data.kept, data.earned[0]?.amount])).toEqual([
    ['released', [], '20.0000'],
    ['released', [], '20.0000'],
  ])
  expect(await has(referrer)).toBe('20.0000')
  await run()
  expect((await listed(referrer))[0]?.state).toBe('released')
  const logged = await api.db
    .selectFrom('audit')
    .select('after')
    .where('action', '=', 'release_referral')
    .where('entity_id', '=', String(idOf(referrer)))
    .execute()
  expect(logged).toEqual([{ after: { state: 'released' } }])

  // another cause is another question
  await signedIn(referrer, '203.0.113.7', 'Firefox')
  await signedIn(friend, '203.0.113.7', 'Safari')
  await run()
  expect((await listed(referrer))[0]).toMatchObject({ state: 'held', causes: ['address', 'method'] })
  expect(await has(referrer)).toBe('0.0000')
  const refused = await decide(admin, held!.uuid, 'refused', 'The same person')
  expect(refused.data).toMatchObject({ state: 'refused', reason: 'The same person' })
  expect((await referrer.call(referralApi.brought)).data.list).toMatchObject([{ paid: 'no' }])
  expect(JSON.stringify((await referrer.call(referralApi.brought)).data)).not.toContain('same person')
  await run()
  expect((await listed(referrer))[0]?.state).toBe('refused')
  expect(await findDifferences(api.db)).toEqual([])
})

test.each([
  ['another browser in the same network', ['203.0.113.7', 'Firefox'], ['203.0.113.99', 'Safari'], []],
  ['the same browser in the same network', ['203.0.113.7', 'Firefox'], ['203.0.113.99', 'Firefox'], ['device']],
  ['the same browser elsewhere', ['203.0.113.7', 'Firefox'], ['198.51.100.7', 'Firefox'], []],
  ['the same address of IPv6', ['2001:db8::1', 'Firefox'], ['2001:db8::1', 'Safari'], ['address']],
  ['what is no address', ['unknown', 'Firefox'], ['', 'Firefox'], []],
] as [string, [string, string], [string, string], string[]][])('%s', async (_name, one, other, causes) => {
  const referrer = await api.as('affiliate')
  const friend = await broughtBy(referrer)
  await signedIn(referrer, ...one)
  await signedIn(friend, ...other)
  await run()
  expect((await listed(referrer))[0]).toMatchObject({ state: causes.length > 0 ? 'held' : 'clear', causes })
})

test('staff read on an affiliate who brought it and whom it brought, without names of others’ affiliates', async () => {
  const referrer = await api.as('affiliate', { name: 'Oles' })
  const friend = await broughtBy(referrer)
  const manager = await api.as('manager')
  await api.db.updateTable('affiliate').set({ manager_id: manager.managerId }).where('id', '=', idOf(friend)).execute()
  const of = async (by: Caller, who: Caller) => (await by.call(referralApi.of, { params: { uuid: await uuidOf(who) } })).data
  expect((await of(admin, friend)).brought_by).toMatchObject({
    who: { name: 'Oles' },
    percent: '10.0000',
    until: '2027-10',
    state: 'clear',
  })
  expect((await of(manager, friend)).brought_by).toMatchObject({ who: null })
  expect((await of(admin, referrer)).list).toMatchObject([{ who: { uuid: await uuidOf(friend) }, level: 1 }])
  expect((await manager.call(referralApi.of, { params: { uuid: await uuidOf(referrer) } })).status).toBe(404)
})
