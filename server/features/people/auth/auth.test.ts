import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { actingApi } from '#contract/people/acting.ts'
import { authApi } from '#contract/people/auth.ts'
import { can } from '#contract/access.ts'
import { changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { savedViewApi, tableLayoutApi } from '#contract/traffic/view.ts'
import { API } from '#server/access/api.ts'
import { managerApi } from '#contract/people/manager.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { createSetupLink } from './auth.service.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => api.close())

/** The token of a sign-in that asked for no second step. */
const tokenIn = (data: object) => ('token' in data ? String(data.token) : 'none')
const login = (email: string, password: string, address = '198.51.100.1') =>
  fetch(`${api.url}${authApi.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email, password }),
  })

describe('signing in', () => {
  test('answers token, role, uuid, type and e-mail; the token works until logout', async () => {
    const lead = await withPassword(api.db, await api.as('team lead'))
    const answer = await api.guest.call(authApi.login, { body: { email: ` ${lead.email.toUpperCase()} `, password: PASSWORD } })
    expect(answer.data).toMatchObject({ user_role: 'team lead', type: 'manager', uuid: lead.uuid, email: lead.email })
    const headers = { authorization: `Bearer ${tokenIn(answer.data)}` }
    expect((await fetch(`${api.url}${authApi.me.path}`, { headers })).status).toBe(200)
    expect((await fetch(`${api.url}${authApi.logout.path}`, { headers })).status).toBe(200)
    expect((await fetch(`${api.url}${authApi.me.path}`, { headers })).status).toBe(401)
    expect((await fetch(`${api.url}${authApi.logout.path}`, { headers })).status).toBe(200)
  })

  test('an unknown address and a wrong password are told apart by nobody', async () => {
    const somebody = await withPassword(api.db, await api.as('manager'))
    const wrong = await login(somebody.email, 'nope')
    const unknown = await login('nobody@example.com', 'nope')
    expect([wrong.status, unknown.status]).toEqual([422, 422])
    expect(await wrong.text()).toBe(await unknown.text())
  })

  test.each([
    ['unverified', '1065'],
    ['moderation', '1066'],
    ['rejected', '1067'],
    ['inactive', '1003'],
  ] as const)('an affiliate that is %s is told what to do, and only with the right password', async (status, code) => {
    const { email, affiliateId } = await withPassword(api.db, await api.as('affiliate'))
    await api.db.updateTable('affiliate').set({ status }).where('id', '=', affiliateId).execute()
    const codes = async (password: string) => Object.keys((await api.guest.call(authApi.login, { body: { email, password } })).errors)
    expect([await codes('nope'), await codes(PASSWORD)]).toEqual([['1001'], [code]])
  })

  test('somebody who is not active is told so only with the right password, and their sessions end', async () => {
    const affiliate = await withPassword(api.db, await api.as('affiliate'))
    const admin = await api.as('admin')
    await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'banned' } })
    expect((await affiliate.call(authApi.me)).status).toBe(401)
    expect((await api.guest.call(authApi.login, { body: { email: affiliate.email, password: PASSWORD } })).errors).toHaveProperty('1003')
    expect((await api.guest.call(authApi.login, { body: { email: affiliate.email, password: 'nope' } })).errors).toHaveProperty('1001')
  })
})

describe('guessing', () => {
  beforeEach(() => api.db.deleteFrom('login_attempt').execute())

  test('ten wrong passwords of one account from one address close it for 15 minutes, also when sent at once; the owner elsewhere gets in', async () => {
    const owner = await withPassword(api.db, await api.as('manager'))
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await login(owner.email, 'guess')).status))
    expect(statuses.filter((status) => status === 422)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
    const refused = await login(owner.email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(800)
    expect((await login(owner.email, PASSWORD, '203.0.113.9')).status).toBe(200)
    api.clock.advance(15 * 60_000 + 1)
    expect((await login(owner.email, PASSWORD)).status).toBe(200)
  })

  test('an address that fails a hundred times within an hour is closed, whatever the accounts', async () => {
    const now = new Date(api.clock.now())
    await api.db
      .insertInto('login_attempt')
      .values(Array.from({ length: 100 }, (_none, index) => ({ email: `x${index}@example.com`, address: '192.0.2.77', at: now })))
      .execute()
    expect((await login('fresh@example.com', 'guess', '192.0.2.77')).status).toBe(429)
    expect((await login('fresh@example.com', 'guess', '192.0.2.78')).status).toBe(422)
  })

  test('a /64 of IPv6 is one address, and IPv4 in the clothes of IPv6 is IPv4', async () => {
    const tries = (email: string, address: (guess: number) => string) =>
      Promise.all(Array.from({ length: 12 }, async (_none, guess) => (await login(email, 'guess', address(guess))).status))
    const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length
    expect(refused(await tries('six@example.com', (guess) => `2001:db8:1:2:${guess}::${guess}`))).toBe(2)
    expect(refused(await tries('four@example.com', (guess) => (guess % 2 ? '192.0.2.4' : '::ffff:192.0.2.4')))).toBe(2)
  })

  test('an account that is guessed at answers strangers one after the other and then not at all; its owner gets in where they were before', async () => {
    const owner = await withPassword(api.db, await api.as('manager'))
    expect((await login(owner.email, PASSWORD, '2001:db8:9::1')).status).toBe(200)
    const at = new Date(api.clock.now())
    const guesses = (first: number, turn_at: Date | null) =>
      api.db
        .insertInto('login_attempt')
        .values(Array.from({ length: 20 }, (_none, index) => ({ email: owner.email, address: `10.${first}.0.${index}`, at, turn_at })))
        .execute()
    await guesses(1, null)
    const started = performance.now()
    const took = await Promise.all(
      ['203.0.113.1', '203.0.113.2'].map(async (address) => {
        expect((await login(owner.email, 'guess', address)).status).toBe(422)
        return performance.now() - started
      }),
    )
    expect(Math.max(...took)).toBeGreaterThan(740)
    await guesses(2, new Date(api.clock.now() + 20_000))
    expect((await login(owner.email, PASSWORD, '203.0.113.3')).status).toBe(429)
    expect((await login(owner.email, PASSWORD, '2001:db8:9::2')).status).toBe(200)
  })

  test('who has a session finds out the password no faster', async () => {
    const caller = await withPassword(api.db, await api.as('manager'))
    const change = (current: string) => caller.call(authApi.changePassword, { body: { current, password: 'another password' } })
    for (let guess = 0; guess < 10; guess++) expect((await change(`guess ${guess}`)).status).toBe(422)
    expect((await change(PASSWORD)).status).toBe(429)
    api.clock.advance(15 * 60_000)
    expect((await change(PASSWORD)).status).toBe(200)
  })
})

describe('sessions', () => {
  test('only a hash of the token is stored', async () => {
    const caller = await api.as('head')
    const row = await api.db.selectFrom('session').select('token_hash').where('account_id', '=', caller.accountId).executeTakeFirstOrThrow()
    expect(row.token_hash.equals(createHash('sha256').update(caller.token).digest())).toBe(true)
  })

  test('a session slides for 30 days, and one of them can be ended from another', async () => {
    const caller = await withPassword(api.db, await api.as('manager'))
    api.clock.advance(29 * 86_400_000)
    expect((await caller.call(authApi.me)).status).toBe(200)
    api.clock.advance(29 * 86_400_000)
    expect((await caller.call(authApi.me)).status).toBe(200)
    const second = await api.guest.call(authApi.login, { body: { email: caller.email, password: PASSWORD } })
    const { list } = (await caller.call(authApi.sessions)).data
    expect(list).toHaveLength(2)
    const other = list.find((session) => !session.current)
    expect((await caller.call(authApi.revokeSession, { body: { uuid: other?.uuid ?? '' } })).status).toBe(200)
    expect((await fetch(`${api.url}${authApi.me.path}`, { headers: { authorization: `Bearer ${tokenIn(second.data)}` } })).status).toBe(401)
    api.clock.advance(31 * 86_400_000)
    expect((await caller.call(authApi.me)).status).toBe(401)
  })

  test('changing the password needs the current one and ends the other sessions', async () => {
    const caller = await withPassword(api.db, await api.as('manager'))
    const other = await api.guest.call(authApi.login, { body: { email: caller.email, password: PASSWORD } })
    expect((await caller.call(authApi.changePassword, { body: { current: 'nope', password: 'another password' } })).fields).toHaveProperty(
      'current',
    )
    expect((await caller.call(authApi.changePassword, { body: { current: PASSWORD, password: 'another password' } })).status).toBe(200)
    expect((await caller.call(authApi.me)).status).toBe(200)
    expect((await fetch(`${api.url}${authApi.me.path}`, { headers: { authorization: `Bearer ${tokenIn(other.data)}` } })).status).toBe(401)
    expect((await login(caller.email, 'another password')).status).toBe(200)
  })

  test('nobody ends a session of somebody else', async () => {
    const caller = await api.as('manager')
    const stranger = await api.as('manager')
    const { uuid } = await api.db
      .selectFrom('session')
      .select('uuid')
      .where('account_id', '=', stranger.accountId)
      .executeTakeFirstOrThrow()
    expect((await caller.call(authApi.revokeSession, { body: { uuid } })).status).toBe(404)
  })
})

describe('one-time links', () => {
  const tokenOf = (link: string | null) => link?.split('token=').at(-1) ?? ''

  test('a set-password link works once, for a week, and a new one replaces it', async () => {
    const admin = await api.as('admin')
    const { data } = await admin.call(affiliateApi.create, { body: affiliateInput() })
    const first = tokenOf(data.link)
    const second = tokenOf((await admin.call(affiliateApi.passwordLink, { params: { uuid: data.uuid } })).data.link)
    expect((await api.guest.call(authApi.checkLink, { body: { token: first } })).status).toBe(410)
    expect((await api.guest.call(authApi.checkLink, { body: { token: second } })).data.setup).toBe(false)
    const uses = await Promise.all(
      [1, 2, 3].map(() => api.guest.call(authApi.setPassword, { body: { token: second, password: PASSWORD } })),
    )
    expect(uses.map((use) => use.status).sort()).toEqual([200, 410, 410])
    const email = uses.find((use) => use.status === 200)?.data.email ?? ''
    expect((await login(email, PASSWORD)).status).toBe(200)

    const third = tokenOf((await admin.call(affiliateApi.passwordLink, { params: { uuid: data.uuid } })).data.link)
    api.clock.advance(7 * 86_400_000 + 1)
    expect((await api.guest.call(authApi.setPassword, { body: { token: third, password: PASSWORD } })).status).toBe(410)
  })

  test('of links asked for at the same moment one is valid, and a change of password ends it', async () => {
    const admin = await api.as('admin')
    const manager = await withPassword(api.db, await api.as('manager'))
    const links = await Promise.all(
      Array.from({ length: 12 }, async () =>
        tokenOf((await admin.call(managerApi.passwordLink, { params: { uuid: manager.uuid } })).data.link),
      ),
    )
    const valid = async () => {
      const answers = await Promise.all(links.map((token) => api.guest.call(authApi.checkLink, { body: { token } })))
      return answers.filter(({ status }) => status === 200).length
    }
    expect(await valid()).toBe(1)
    await manager.call(authApi.changePassword, { body: { current: PASSWORD, password: 'another password' } })
    expect(await valid()).toBe(0)
  })

  test('a link for somebody else is shown to admin and head alone: whoever sees it can sign in as that person', async () => {
    const lead = await api.as('team lead')
    const manager = await api.as('manager', { teamLeadId: lead.managerId })
    const affiliate = await api.as('affiliate', { managerId: manager.managerId })
    const linkFor = (by: Caller, whom: Caller) =>
      by.call((whom === affiliate ? affiliateApi : managerApi).passwordLink, { params: { uuid: whom.uuid } })
    for (const [by, whom] of [
      [lead, manager],
      [lead, affiliate],
      [manager, affiliate],
    ] as const) {
      const answer = await linkFor(by, whom)
      expect([answer.status, answer.errors]).toEqual([409, { 1007: expect.stringContaining('admin or head') }])
    }
    for (const role of ['admin', 'head'] as const) expect((await linkFor(await api.as(role), affiliate)).status).toBe(200)
    const made = await lead.call(affiliateApi.create, { body: affiliateInput() })
    expect([made.status, made.data.link]).toEqual([200, null])
  })

  test('a new instance makes its first admin by a setup link, and only then', async () => {
    const fresh = await startApi()
    const token = (await createSetupLink(fresh.db, fresh.clock.now())) ?? ''
    expect((await fresh.guest.call(authApi.setPassword, { body: { token, password: PASSWORD } })).fields).toEqual({
      email: 'Required',
      name: 'Required',
    })
    expect(
      (await fresh.guest.call(authApi.setPassword, { body: { token, password: PASSWORD, email: 'first@example.com', name: 'First' } }))
        .status,
    ).toBe(200)
    const answer = await fresh.guest.call(authApi.login, { body: { email: 'first@example.com', password: PASSWORD } })
    expect(answer.data).toMatchObject({ user_role: 'admin' })
    expect(await createSetupLink(fresh.db, fresh.clock.now())).toBeUndefined()
    await fresh.close()
  })
})

describe('acting as an affiliate', () => {
  test('staff get a token of two hours for an affiliate in their scope; both people stand in the audit log; passwords stay out of reach', async () => {
    const manager = await api.as('manager')
    const mine = await api.as('affiliate', { managerId: manager.managerId })
    const theirs = await api.as('affiliate')
    expect((await manager.call(authApi.getAffiliateToken, { body: { uuid: theirs.uuid } })).status).toBe(404)
    const { data } = await manager.call(authApi.getAffiliateToken, { body: { uuid: mine.uuid } })
    const headers = { authorization: `Bearer ${data.token}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) => fetch(`${api.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(await (await fetch(`${api.url}${authApi.me.path}`, { headers })).json()).toMatchObject({
      data: { user_role: 'affiliate', uuid: mine.uuid },
    })
    expect((await post(authApi.changePassword.path, { current: 'x', password: 'xxxxxxxx' })).status).toBe(403)
    await post(actingApi.allowChanges.path, { reason: 'They asked for it' })
    await post(authApi.updateProfile.path, { name: 'By staff', language: 'uk', time_zone: 'Europe/Kyiv' })
    const entry = await api.db
      .selectFrom('audit')
      .select(['actor_id', 'acting_id'])
      .where('entity', '=', 'account')
      .where('entity_id', '=', String(mine.accountId))
      .executeTakeFirstOrThrow()
    expect(entry).toEqual({ actor_id: mine.accountId, acting_id: manager.accountId })
    api.clock.advance(2 * 3_600_000 + 1)
    expect((await fetch(`${api.url}${authApi.me.path}`, { headers })).status).toBe(401)
  })

  const acting = async () => {
    const manager = await withPassword(api.db, await api.as('manager'))
    const affiliate = await api.as('affiliate', { managerId: manager.managerId })
    const act = async () => (await manager.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })).data.token
    const works = async (token: string) => (await caller(api.url, token)(authApi.me)).status === 200
    return { manager, affiliate, act, works }
  }

  test('looks only until a reason was given, which the log keeps; what one only looks at is remembered for nobody', async () => {
    const { affiliate, act } = await acting()
    const by = caller(api.url, await act())
    const rename = { body: { name: 'By staff', language: 'en' as const, time_zone: 'UTC' } }
    const mayChange = async () => (await by(authApi.me)).data.acting?.may_change
    expect(await mayChange()).toBe(false)
    const refused = await by(authApi.updateProfile, rename)
    expect({ status: refused.status, errors: Object.keys(refused.errors) }).toEqual({ status: 403, errors: ['1064'] })
    expect((await by(savedViewApi.list, { body: { screen: 'offers' } })).status).toBe(200)
    expect((await by(tableLayoutApi.save, { body: { list: 'offers', widths: { name: 200 } } })).status).toBe(200)
    expect((await by(tableLayoutApi.list)).data.list).toEqual([])
    expect((await by(actingApi.allowChanges, { body: { reason: ' ' } })).fields).toEqual({ reason: 'Required' })
    expect((await by(actingApi.allowChanges, { body: { reason: 'They asked by phone' } })).status).toBe(200)
    expect(await mayChange()).toBe(true)
    expect((await by(authApi.updateProfile, rename)).status).toBe(200)
    expect((await by(actingApi.onlyLook)).status).toBe(200)
    expect(Object.keys((await by(authApi.updateProfile, rename)).errors)).toEqual(['1064'])
    const logged = await api.db
      .selectFrom('audit')
      .select(['action', 'after', 'acting_id'])
      .where('entity', '=', 'affiliate')
      .where('entity_id', '=', String(affiliate.affiliateId))
      .orderBy('id')
      .execute()
    expect(logged.map(({ action }) => action)).toEqual(['act_as', 'allow_changes', 'only_look'])
    expect(logged[1]).toMatchObject({ after: { reason: 'They asked by phone' }, acting_id: expect.any(Number) })
    expect((await affiliate.call(actingApi.allowChanges, { body: { reason: 'I am nobody else' } })).status).toBe(409)
    expect((await affiliate.call(authApi.updateProfile, rename)).status).toBe(200)
  })

  test('every endpoint that changes something refuses who only looks', async () => {
    const { act } = await acting()
    const by = caller(api.url, await act())
    const guarded = Object.entries(API).flatMap(([feature, group]) =>
      Object.entries<Endpoint>(group)
        .filter(([, endpoint]) => changesSomething(endpoint) && endpoint.access !== 'public' && can('affiliate', endpoint.access))
        .map(([name, endpoint]) => ({ id: `${feature}.${name}`, endpoint })),
    )
    const letIn: string[] = []
    for (const { id, endpoint } of guarded) {
      const { errors } = await by(endpoint, { params: { uuid: '00000000-0000-4000-8000-000000000000' } })
      if (!('1064' in errors)) letIn.push(id)
    }
    expect(letIn.toSorted()).toEqual(
      [
        'acting.allowChanges',
        'acting.onlyLook',
        'news.read',
        'news.readAll',
        'notification.read',
        'notification.readAll',
        'tableLayout.save',
        'ticket.read',
      ].toSorted(),
    )
  })

  test('an acting session ends with the one it came from: by logout, by hand, and whenever the password changes', async () => {
    const { manager, act, works } = await acting()
    const token = await act()
    expect(await works(token)).toBe(true)
    expect((await manager.call(authApi.changePassword, { body: { current: PASSWORD, password: 'another password' } })).status).toBe(200)
    expect(await works(token)).toBe(false)

    const again = await act()
    await manager.call(authApi.logout)
    expect(await works(again)).toBe(false)

    const other = await acting()
    const admin = await api.as('admin')
    const fresh = await other.act()
    const { link } = (await admin.call(managerApi.passwordLink, { params: { uuid: other.manager.uuid } })).data
    await api.guest.call(authApi.setPassword, { body: { token: link?.split('token=').at(-1) ?? '', password: PASSWORD } })
    expect(await other.works(fresh)).toBe(false)
  })

  test('each of its calls asks again whether the person may: scope, role and status of the one behind it', async () => {
    const { manager, affiliate, act, works } = await acting()
    const token = await act()
    const update = (table: 'affiliate' | 'manager', values: object, accountId: number) =>
      api.db.updateTable(table).set(values).where('account_id', '=', accountId).execute()
    await update('affiliate', { manager_id: null }, affiliate.accountId)
    expect(await works(token)).toBe(false)
    await update('affiliate', { manager_id: manager.managerId }, affiliate.accountId)
    expect(await works(token)).toBe(true)
    await api.db.updateTable('account').set({ role: 'team lead' }).where('id', '=', manager.accountId).execute()
    expect(await works(token)).toBe(false)
    await api.db.updateTable('account').set({ role: 'manager' }).where('id', '=', manager.accountId).execute()
    const admin = await api.as('admin')
    for (const status of ['blocked', 'active'] as const) await admin.call(managerApi.setStatus, { body: { uuids: [manager.uuid], status } })
    expect(await works(token)).toBe(false)
  })

  test('it stands among the sessions of the person behind it, who can end it, and not among the affiliate’s', async () => {
    const { manager, affiliate, act, works } = await acting()
    const token = await act()
    const { list } = (await manager.call(authApi.sessions)).data
    const found = list.find((session) => session.acting_as !== null)
    const { name } = await api.db.selectFrom('account').select('name').where('id', '=', affiliate.accountId).executeTakeFirstOrThrow()
    expect(found).toMatchObject({ acting_as: name, current: false })
    expect((await affiliate.call(authApi.sessions)).data.list).toHaveLength(1)
    expect((await affiliate.call(authApi.revokeSession, { body: { uuid: found?.uuid ?? '' } })).status).toBe(404)
    expect((await manager.call(authApi.revokeSession, { body: { uuid: found?.uuid ?? '' } })).status).toBe(200)
    expect(await works(token)).toBe(false)
    expect((await manager.call(authApi.me)).status).toBe(200)
  })

  test('an affiliate who was blocked signs in again once unblocked: the sessions from before have ended', async () => {
    const affiliate = await api.as('affiliate')
    const admin = await api.as('admin')
    for (const status of ['banned', 'active'] as const)
      await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status } })
    expect((await affiliate.call(authApi.me)).status).toBe(401)
  })
})

test('where signatures are required, a call without one, with an old or a changed one is refused', async () => {
  const strict = await startApi({ env: { REQUIRE_SIGNATURE: '1' } })
  const admin = await strict.as('admin')
  const body = JSON.stringify({ count: 1 })
  const send = (timestamp: number, signed: string) => {
    const signature = createHash('sha256').update(`${timestamp}.${admin.token}.${signed}`).digest('hex')
    return fetch(`${strict.url}${affiliateApi.list.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': 'application/json',
        'x-timestamp': String(timestamp),
        'x-signature': signature,
      },
      body,
    })
  }
  const now = strict.clock.now()
  expect((await admin.call(affiliateApi.list)).status).toBe(400)
  expect((await send(now, body)).status).toBe(200)
  expect((await send(now - 6 * 60_000, body)).status).toBe(400)
  expect((await send(now, '{"count":2}')).status).toBe(400)
  await strict.close()
})
