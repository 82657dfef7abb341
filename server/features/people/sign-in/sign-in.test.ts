import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationApi } from '#contract/network/notification.ts'
import { allowListApi } from '#contract/people/allow-list.ts'
import { apiKeyApi } from '#contract/people/api-key.ts'
import { authApi } from '#contract/people/auth.ts'
import { managerApi } from '#contract/people/manager.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { securityApi, securitySetting } from '#contract/people/security.ts'
import { signInApi } from '#contract/people/sign-in.ts'
import { cleanUpSignIns } from '#server/features/people/auth/cleanup.jobs.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36'
const NEWER_CHROME = CHROME.replace('147', '148')
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => api.close())

type Envelope = { data?: Record<string, string>; errors?: object }
/** A call from an address and a browser, by whoever has the token. */
async function from(address: string, device: string, path: string, body?: object, token?: string) {
  const answer = await fetch(`${api.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-forwarded-for': address,
      'user-agent': device,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, errors } = (await answer.json()) as Envelope // as every endpoint answers
  return { status: answer.status, data: data ?? {}, errors: Object.keys(errors ?? {}) }
}
const logIn = (person: Caller, address: string, device = CHROME, password = PASSWORD) =>
  from(address, device, authApi.login.path, { email: person.email, password })
const historyOf = async (person: Caller) => (await person.call(signInApi.own)).data.list
const bellOf = async (person: Caller) =>
  (await person.call(notificationApi.list)).data.list.filter(({ kind }) => kind === 'new_device').map(({ reason }) => reason)

test('the history tells who came in, who tried, by what, from where; staff see that of those they look after', async () => {
  const [admin, head] = [await api.as('admin'), await api.as('head')]
  const manager = await withPassword(api.db, await api.as('manager'))
  await logIn(manager, '8.8.8.8', CHROME, 'wrong')
  await logIn(manager, '8.8.8.8')
  const list = await historyOf(manager)
  expect(list).toMatchObject([
    { outcome: 'in', way: 'password', device: CHROME, address: '8.8.8.8', new_device: false },
    { outcome: 'wrong_password', address: '8.8.8.8' },
  ])
  expect((await head.call(signInApi.of, { params: { uuid: manager.uuid } })).data.list).toEqual(list)
  expect((await head.call(signInApi.of, { params: { uuid: admin.uuid } })).status).toBe(404)
  expect((await manager.call(signInApi.of, { params: { uuid: manager.uuid } })).status).toBe(403)
})

test('a second factor and a recovery code are told apart, and a wrong code after the right password is told too', async () => {
  const person = await withPassword(api.db, await api.as('manager'))
  const begun = await person.call(secondFactorApi.begin, { body: { password: PASSWORD } })
  const app = new TOTP({ secret: Secret.fromBase32(begun.data.secret) })
  const code = () => app.generate({ timestamp: api.clock.now() })
  const { recovery_codes } = (await person.call(secondFactorApi.confirm, { body: { code: code() } })).data
  api.clock.advance(30_000)
  for (const typed of ['000000', code(), recovery_codes[0] ?? '']) {
    const { data } = await logIn(person, '198.51.100.7')
    await from('198.51.100.7', CHROME, secondFactorApi.signIn.path, { token: data['second_factor'], code: typed })
  }
  expect((await historyOf(person)).map(({ outcome, way }) => [outcome, way])).toEqual([
    ['in', 'recovery_code'],
    ['in', 'code'],
    ['wrong_code', 'code'],
  ])
})

test('a device not seen before is told by bell, once; an update of the browser and a new lease are none, nor is the first', async () => {
  const person = await withPassword(api.db, await api.as('affiliate'))
  await logIn(person, '203.0.113.10')
  await logIn(person, '203.0.113.99', NEWER_CHROME)
  expect(await bellOf(person)).toEqual([])
  await logIn(person, '203.0.113.10', FIREFOX)
  await logIn(person, '203.0.113.11', FIREFOX)
  expect(await bellOf(person)).toEqual(['Firefox · Linux · 203.0.113.10'])
  await Promise.all([logIn(person, '192.0.2.1'), logIn(person, '192.0.2.2')])
  expect(await bellOf(person)).toHaveLength(2)
  expect((await historyOf(person)).filter(({ new_device }) => new_device)).toHaveLength(2)
  const marks = await api.db.selectFrom('seen_device').selectAll().where('account_id', '=', person.accountId).execute()
  expect(marks).toHaveLength(3)
})

test('tries for nobody are kept for an hour, those of an account for 180 days and to a most', async () => {
  const person = await withPassword(api.db, await api.as('manager'))
  await from('198.51.100.8', CHROME, authApi.login.path, { email: 'nobody@example.com', password: 'x' })
  await logIn(person, '198.51.100.8')
  const noise = Array.from({ length: 310 }, () => ({ outcome: 'wrong_password' as const, way: 'password' as const }))
  const common = { account_id: person.accountId, at: new Date(api.clock.now()), device: '', address: '' }
  await api.db
    .insertInto('sign_in')
    .values(noise.map((one) => ({ ...one, ...common })))
    .execute()
  const count = async () => {
    const rows = await api.db.selectFrom('sign_in').select(['account_id', 'outcome']).execute()
    const own = rows.filter(({ account_id }) => account_id === person.accountId)
    return {
      nobody: rows.filter(({ account_id }) => account_id === null).length,
      in: own.filter(({ outcome }) => outcome === 'in').length,
      own: own.length,
    }
  }
  expect((await count()).nobody).toBe(1)
  api.clock.advance(3_600_001)
  await cleanUpSignIns(api.db, api.clock.now())
  expect(await count()).toEqual({ nobody: 0, in: 1, own: 301 })
  api.clock.advance(180 * 86_400_000)
  await cleanUpSignIns(api.db, api.clock.now())
  expect(await count()).toEqual({ nobody: 0, in: 0, own: 0 })
})

test('somebody bound to addresses comes in and works from there alone, by key too; only the right password tells why', async () => {
  const admin = await api.as('admin')
  const manager = await withPassword(api.db, await api.as('manager'))
  const { key } = (
    await manager.call(apiKeyApi.create, { body: { name: 'K', scopes: ['people.read'], allowed_ips: [], days: null, password: PASSWORD } })
  ).data
  const open = (await logIn(manager, '203.0.113.5')).data['token']
  const saved = await admin.call(allowListApi.save, {
    params: { uuid: manager.uuid },
    body: { allowed_ips: ['203.0.113.0/24', '2001:db8::/32'], before: [] },
  })
  expect(saved.data).toMatchObject({ allowed_ips: ['203.0.113.0/24', '2001:db8::/32'], of_role: [] })
  const outside = '198.51.100.3'
  expect((await logIn(manager, outside, CHROME, 'wrong')).errors).toEqual(['1001'])
  expect(await logIn(manager, outside)).toEqual({ status: 403, data: {}, errors: ['1063'] })
  for (const token of [key, open]) {
    expect((await from(outside, CHROME, authApi.me.path, undefined, token)).errors).toEqual(['1063'])
    expect((await from('2001:db8::9', CHROME, authApi.me.path, undefined, token)).status).toBe(200)
  }
  expect((await admin.call(signInApi.of, { params: { uuid: manager.uuid } })).data.list[0]).toMatchObject({
    outcome: 'address',
    address: outside,
  })
  const logged = await api.db
    .selectFrom('audit')
    .select(['action', 'entity'])
    .where('action', 'in', ['allow_list', 'sign_in_refused'])
    .execute()
  expect(logged).toEqual([
    { action: 'allow_list', entity: 'manager' },
    { action: 'sign_in_refused', entity: 'account' },
  ])
  const stale = await admin.call(allowListApi.save, { params: { uuid: manager.uuid }, body: { allowed_ips: [], before: [] } })
  expect(stale.status).toBe(409)
})

test('a role is bound by the settings, a person’s own list counts instead; nobody locks themself out, and head not the admins', async () => {
  const [admin, head] = [await api.as('admin'), await api.as('head')]
  const manager = await withPassword(api.db, await api.as('manager'))
  const save = async (who: Caller, changes: Partial<(typeof securitySetting)['defaults']['allowed_ips']>) => {
    const { version } = (await admin.call(securityApi.setting)).data
    return who.call(securityApi.updateSetting, {
      body: { ...securitySetting.defaults, allowed_ips: { ...securitySetting.defaults.allowed_ips, ...changes }, version },
    })
  }
  expect(Object.keys((await save(admin, { admin: ['192.0.2.0/24'] })).fields)).toEqual(['allowed_ips.admin'])
  expect(Object.keys((await save(head, { admin: ['127.0.0.1'] })).fields)).toEqual(['allowed_ips.admin'])
  expect((await save(head, { manager: ['nonsense'] })).status).toBe(400)
  expect((await save(head, { manager: ['203.0.113.0/24'] })).status).toBe(200)
  try {
    expect((await logIn(manager, '192.0.2.9')).errors).toEqual(['1063'])
    const list = { params: { uuid: manager.uuid }, body: { allowed_ips: ['192.0.2.9'], before: [] } }
    expect((await head.call(allowListApi.save, list)).data).toMatchObject({ of_role: ['203.0.113.0/24'] })
    expect((await logIn(manager, '192.0.2.9')).status).toBe(200)
    expect((await logIn(manager, '203.0.113.1')).errors).toEqual(['1063'])
    const own = await admin.call(allowListApi.save, { params: { uuid: admin.uuid }, body: { allowed_ips: ['192.0.2.9'], before: [] } })
    expect(Object.keys(own.fields)).toEqual(['allowed_ips'])
    expect((await admin.call(managerApi.list)).status).toBe(200)
    const affiliate = await api.as('affiliate')
    expect((await admin.call(allowListApi.of, { params: { uuid: affiliate.uuid } })).status).toBe(404)
  } finally {
    await save(admin, {})
  }
})

test('who acts as an affiliate is bound by their own addresses, not by the affiliate’s', async () => {
  const manager = await api.as('manager')
  const affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const { token } = (await manager.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })).data
  expect((await caller(api.url, token)(authApi.me)).status).toBe(200)
  await api.db
    .updateTable('account')
    .set({ allowed_ips: ['192.0.2.1'] })
    .where('id', '=', manager.accountId)
    .execute()
  expect((await caller(api.url, token)(authApi.me)).status).toBe(403)
})
