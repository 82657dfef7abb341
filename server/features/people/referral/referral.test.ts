import { forgetVisits, openVisitCount } from './visit.service.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { applicationApi } from '#contract/people/application.ts'
import { referralApi, type referralSetting, referralSettingApi } from '#contract/people/referral.ts'
import { registrationApi } from '#contract/people/registration.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('call_count').execute()
  await api.db.deleteFrom('setting').where('key', '!=', 'billing').execute()
})

const terms = async (changes: Partial<typeof referralSetting.defaults>) => {
  const { changed: _changed, ...before } = (await admin.call(referralSettingApi.settings)).data
  return admin.call(referralSettingApi.updateSettings, { body: { ...before, on: true, ...changes } })
}
const own = async (of: Caller) => (await of.call(referralApi.own)).data
const choose = (of: Caller, code: string) => of.call(referralApi.choose, { body: { code } })
const brought = async (of: Caller) => (await of.call(referralApi.brought, { body: {} })).data
let counter = 0
/** Somebody signs up who came by a code. */
const signUp = async (ref: string, name = 'Zoriana Media') => {
  const { form } = (await api.guest.call(registrationApi.open, { body: { token: '' } })).data
  api.clock.advance(5_000)
  const email = `brought${++counter}@partners.example`
  const body = { form, email, name, password: 'correct horse battery', language: 'en' as const, time_zone: 'UTC', source: { ref } }
  const answer = await api.guest.call(registrationApi.register, { body: { ...body, country: 'UA', traffic_sources: ['facebook'] } })
  expect(answer.status, JSON.stringify(answer.fields)).toBe(200)
  return email
}
const uuidOf = async (email: string) =>
  (await api.db.selectFrom('account').select('uuid').where('email', '=', email).executeTakeFirstOrThrow()).uuid

test('who signs up by a link is kept with the terms of that day, and shown to who brought them by letter, country and month only', async () => {
  await terms({ percent: '5', months: 12 })
  const referrer = await api.as('affiliate')
  const { code, link } = await own(referrer)
  expect(code).toMatch(/^[0-9a-f]{12}$/)
  expect(new URL(link).pathname + new URL(link).search).toBe(`/signup?ref=${code}`)
  const email = await signUp(code.toUpperCase(), 'zoriana Media')
  await terms({ percent: '7.5', months: 3 })
  await signUp(code, 'Ýlmaz')

  const { list, summary } = await brought(referrer)
  expect(summary.rows).toBe(2)
  expect(list).toEqual([
    { letter: 'Ý', country: 'UA', month: '2026-11', state: 'waiting', percent: '7.5000', until: '2027-02', paid: 'yes', earned: [] },
    { letter: 'Z', country: 'UA', month: '2026-11', state: 'waiting', percent: '5.0000', until: '2027-11', paid: 'yes', earned: [] },
  ])
  expect(JSON.stringify(list)).not.toMatch(/oriana|media|partners\.example/i)
  // another affiliate sees nothing of it, staff see who brought them
  expect((await brought(await api.as('affiliate'))).summary.rows).toBe(0)
  const { application } = (await admin.call(applicationApi.get, { params: { uuid: await uuidOf(email) } })).data
  expect(application?.brought).toMatchObject({ who: { uuid: referrer.uuid }, percent: '5.0000', months: 12 })
})

test('a manager is not told the name of a referrer somebody else looks after', async () => {
  await terms({})
  const referrer = await api.as('affiliate')
  const email = await signUp((await own(referrer)).code)
  const manager = await api.as('manager')
  const uuid = await uuidOf(email)
  const account = api.db.selectFrom('account').select('id').where('uuid', '=', uuid)
  await api.db.updateTable('affiliate').set({ manager_id: manager.managerId }).where('account_id', '=', account).execute()
  const { application } = (await manager.call(applicationApi.get, { params: { uuid } })).data
  expect(application?.brought).toMatchObject({ who: null, percent: '5.0000' })
})

test('nobody is counted while it is off, by a code that is nobody’s, of an affiliate who is not active, or without the tag', async () => {
  const referrer = await api.as('affiliate')
  const { code, terms: none } = await own(referrer)
  expect(none).toBeNull()
  await signUp(code)
  await terms({ tags: ['vip'] })
  expect((await own(referrer)).terms).toBeNull()
  await signUp(code)
  await signUp('nobodys')
  await signUp("' or 1=1 --")
  await api.db
    .updateTable('affiliate')
    .set({ tags: ['vip'], status: 'banned' })
    .where('id', '=', referrer.affiliateId!)
    .execute()
  await signUp(code)
  await api.db.updateTable('affiliate').set({ status: 'active' }).where('id', '=', referrer.affiliateId!).execute()
  expect(await own(referrer)).toMatchObject({ terms: { percent: '5', months: 12 } })
  expect((await brought(referrer)).summary.rows).toBe(0)
  await signUp(code)
  expect((await brought(referrer)).summary.rows).toBe(1)
})

test('a code is chosen once, the one before goes on working, and two who want the same get one', async () => {
  await terms({})
  const [one, other] = [await api.as('affiliate'), await api.as('affiliate')]
  const { code: made } = await own(one)
  const answers = await Promise.all([choose(one, ' KyivAds '), choose(other, 'kyivads'), choose(one, 'kyivads')])
  const winner = answers[1].status === 200 ? other : one
  const loser = winner === one ? other : one
  expect(answers.filter(({ status }) => status === 200).length).toBe(winner === one ? 2 : 1)
  expect(await own(winner)).toMatchObject({ code: 'kyivads', may_choose: false })
  expect((await choose(loser, 'kyivads')).fields).toEqual({ code: 'Somebody else has this code' })
  expect((await choose(winner, 'another1')).fields).toEqual({ code: 'You have chosen your code already' })
  await signUp('KyivAds')
  const usual =
    winner === one
      ? made
      : (await api.db.selectFrom('affiliate').select('referral_code').where('id', '=', other.affiliateId!).executeTakeFirstOrThrow())
          .referral_code
  await signUp(usual)
  expect((await brought(winner)).summary.rows).toBe(2)
  const logged = await api.db.selectFrom('audit').select('after').where('action', '=', 'choose_code').execute()
  expect(logged).toEqual([{ after: { referral_code: 'kyivads' } }])
})

test.each(['abc', 'a'.repeat(21), 'with space', 'кириця', 'a-b-c-d', '0123456789ab', ''])('%s is no code', async (code) => {
  const answer = await choose(await api.as('affiliate'), code)
  expect([400, 422]).toContain(answer.status)
  expect(Object.keys(answer.fields)).toEqual(['code'])
})

test('a share above all of it, and months that are none, are refused at their fields', async () => {
  expect((await terms({ percent: '100.5', months: 0 })).fields).toEqual({
    percent: 'A percentage from 0 to 100',
    months: 'A whole number of months from 1 to 120',
  })
  const manager = await api.as('manager')
  expect((await manager.call(referralSettingApi.settings)).status).toBe(403)
  expect((await admin.call(referralApi.own)).status).toBe(403)
})

test('who opens the link is counted once a day, by day, and programs are not', async () => {
  await terms({})
  const referrer = await api.as('affiliate')
  const { code, visits } = await own(referrer)
  expect(visits).toEqual(Array.from({ length: 30 }, () => 0))
  const visit = (
    ref: string,
    ip: string,
    ua = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36',
  ) => count(api.db, api.clock.now(), { code: ref, ip, ua })
  const count = openVisitCount()
  await visit(code, '198.51.100.1')
  await visit(code.toUpperCase(), '198.51.100.1')
  await visit(code, '198.51.100.2')
  await visit(code, '198.51.100.3', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)')
  await visit(code, '198.51.100.4', '')
  await visit('nobodys', '198.51.100.5')
  expect((await own(referrer)).visits.at(-1)).toBe(2)
  api.clock.advance(86_400_000)
  await visit(code, '198.51.100.1')
  expect((await own(referrer)).visits.slice(-3)).toEqual([0, 2, 1])
  await terms({ on: false })
  await visit(code, '198.51.100.9')
  expect((await own(referrer)).visits.at(-1)).toBe(1)
  // through the door that is open to all, where the form itself asks
  await terms({ on: true })
  const opened = await api.guest.call(registrationApi.open, { body: { token: '', ref: code } })
  expect(opened.status).toBe(200)
  await forgetVisits(api.db, api.clock.now() + 800 * 86_400_000)
  expect((await own(referrer)).visits.at(-1)).toBe(0)
})
