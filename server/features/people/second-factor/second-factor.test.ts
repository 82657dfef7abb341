import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { actingApi } from '#contract/people/acting.ts'
import type { Role } from '#contract/access.ts'
import { authApi } from '#contract/people/auth.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { securityApi, securitySetting } from '#contract/people/security.ts'
import { openSealer } from '#server/platform/seal.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { readConfig } from '#server/platform/config.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { CONNECTIONS } from '#test/support/run/database.ts'
import { createLink } from '../auth/link.service.ts'

const STEP = 30_000

const ANYWHERE = securitySetting.defaults.allowed_ips
const { reveals, contact_exports } = securitySetting.defaults

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

type Holder = Caller & { code: (shift?: number) => string; recovery: string[] }

/** Somebody whose second factor is on; the code it was turned on with is used up. */
async function withFactor(role: Parameters<TestApi['as']>[0] = 'manager'): Promise<Holder> {
  const person = await withPassword(api.db, await api.as(role))
  const begun = await person.call(secondFactorApi.begin, { body: { password: PASSWORD } })
  const app = new TOTP({ secret: Secret.fromBase32(begun.data.secret) })
  const code = (shift = 0) => app.generate({ timestamp: api.clock.now() + shift * STEP })
  const confirmed = await person.call(secondFactorApi.confirm, { body: { code: code() } })
  expect(confirmed.status).toBe(200)
  return { ...person, code, recovery: confirmed.data.recovery_codes }
}

const nextCode = (holder: Holder) => {
  api.clock.advance(STEP)
  return holder.code()
}
async function passwordStep(person: Caller, password = PASSWORD): Promise<string> {
  const { data } = await api.guest.call(authApi.login, { body: { email: person.email, password } })
  if (!('second_factor' in data)) throw new Error('no second step was asked for')
  return data.second_factor
}
const secondStep = (token: string, code: string) => api.guest.call(secondFactorApi.signIn, { body: { token, code } })

describe('setting up', () => {
  test('takes the password, and a code that shows that the app holds the secret; ten recovery codes come once and other sessions end', async () => {
    const person = await withPassword(api.db, await api.as('affiliate'))
    const elsewhere = await api.guest.call(authApi.login, { body: { email: person.email, password: PASSWORD } })
    const wrong = await person.call(secondFactorApi.begin, { body: { password: 'nope' } })
    expect({ status: wrong.status, fields: wrong.fields }).toEqual({
      status: 422,
      fields: { password: 'This is not your current password' },
    })
    const { data } = await person.call(secondFactorApi.begin, { body: { password: PASSWORD } })
    expect(data.qr).toMatch(/^<svg /)
    expect(data.address).toContain(`secret=${data.secret}`)
    expect(decodeURIComponent(data.address)).toContain(`otpauth://totp/Ohma:${person.email}`)
    expect((await person.call(secondFactorApi.confirm, { body: { code: '000000' } })).errors).toHaveProperty('1040')
    expect((await person.call(secondFactorApi.state)).data.on).toBe(false)
    const app = new TOTP({ secret: Secret.fromBase32(data.secret) })
    // as apps show it
    const code = app.generate({ timestamp: api.clock.now() }).replace(/(...)/, '$1 ')
    const { data: given } = await person.call(secondFactorApi.confirm, { body: { code } })
    expect(new Set(given.recovery_codes).size).toBe(10)
    expect((await person.call(secondFactorApi.state)).data).toMatchObject({ on: true, recovery_codes_left: 10, compulsory: false })
    const token = 'token' in elsewhere.data ? elsewhere.data.token : ''
    expect((await caller(api.url, token)(authApi.me)).status).toBe(401)
    expect((await person.call(secondFactorApi.begin, { body: { password: PASSWORD } })).status).toBe(409)
  })

  test('the secret is sealed and the recovery codes are hashed', async () => {
    const holder = await withFactor()
    const row = await api.db.selectFrom('second_factor').selectAll().where('account_id', '=', holder.accountId).executeTakeFirstOrThrow()
    const opened = openSealer(readConfig({ DATABASE_URL: 'postgres://x' }, 'test').secretKey, 'second factor').open(row.secret)
    expect(new TOTP({ secret: Secret.fromBase32(opened) }).generate({ timestamp: api.clock.now() })).toBe(holder.code())
    expect(row.secret.toString('latin1')).not.toContain(opened)
    const codes = await api.db.selectFrom('recovery_code').select('code_hash').where('account_id', '=', holder.accountId).execute()
    expect(codes.every(({ code_hash }) => code_hash.length === 32)).toBe(true)
  })

  test('what was begun waits for a quarter of an hour', async () => {
    const person = await withPassword(api.db, await api.as('manager'))
    const { data } = await person.call(secondFactorApi.begin, { body: { password: PASSWORD } })
    api.clock.advance(15 * 60_000 + 1)
    const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate({ timestamp: api.clock.now() })
    expect((await person.call(secondFactorApi.confirm, { body: { code } })).errors).toHaveProperty('1041')
  })
})

describe('signing in', () => {
  test('the right password opens no session, the code does; the token is good for nothing else', async () => {
    const holder = await withFactor()
    const token = await passwordStep(holder)
    expect((await caller(api.url, token)(authApi.me)).status).toBe(401)
    expect((await secondStep(token, '123456')).errors).toHaveProperty('1040')
    const entered = await secondStep(token, nextCode(holder))
    expect(entered.data).toMatchObject({ uuid: holder.uuid, user_role: 'manager' })
    expect((await caller(api.url, entered.data.token)(authApi.me)).status).toBe(200)
  })

  test('a code of the step before or after is taken, none of two steps away, and none twice', async () => {
    const holder = await withFactor()
    api.clock.advance(10 * STEP)
    const token = await passwordStep(holder)
    for (const shift of [-2, 2]) expect((await secondStep(token, holder.code(shift))).status, String(shift)).toBe(422)
    const before = holder.code(-1)
    expect((await secondStep(token, before)).status).toBe(200)
    expect((await secondStep(token, before)).status).toBe(422)
    expect((await secondStep(token, holder.code(1))).status).toBe(200)
    // of a step that has passed since
    expect((await secondStep(token, holder.code())).status).toBe(422)
  })

  test('an instance with another SECRET_KEY lets nobody in by an app, and by a recovery code as before', async () => {
    const holder = await withFactor()
    const token = await passwordStep(holder)
    const secret = openSealer('another key, as an instance restored without its own has', 'second factor').seal('JBSWY3DPEHPK3PXP')
    await api.db.updateTable('second_factor').set({ secret }).where('account_id', '=', holder.accountId).execute()
    expect((await secondStep(token, nextCode(holder))).errors).toHaveProperty('1040')
    expect((await secondStep(token, holder.recovery[0] ?? '')).status).toBe(200)
  })

  test.each(['app', 'recovery'] as const)('a code of the %s sent five times at once lets in once', async (kind) => {
    const holder = await withFactor()
    const token = await passwordStep(holder)
    const code = kind === 'app' ? nextCode(holder) : (holder.recovery[0] ?? '')
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await secondStep(token, code)).status))
    expect(statuses.toSorted()).toEqual([200, 422, 422, 422, 422])
  })

  test('takes one connection: with one more in the hand of each, many at once would wait for each other', async () => {
    const holder = await withFactor()
    const token = await passwordStep(holder)
    const { promise: over, resolve: end } = Promise.withResolvers<void>()
    const others = Array.from({ length: CONNECTIONS - 1 }, () => api.db.connection().execute(() => over))
    const { status } = await secondStep(token, nextCode(holder)).finally(end)
    await Promise.all(others)
    expect(status).toBe(200)
  })

  test('a recovery code works once, however it is typed, and new ones end the old', async () => {
    const holder = await withFactor()
    const [first = '', second = '', third = ''] = holder.recovery
    const token = await passwordStep(holder)
    expect((await secondStep(token, first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await secondStep(token, first)).status).toBe(422)
    expect((await holder.call(secondFactorApi.state)).data.recovery_codes_left).toBe(9)
    const renew = (body: { password: string; code: string }) => holder.call(secondFactorApi.renewCodes, { body })
    expect((await renew({ password: 'nope', code: nextCode(holder) })).errors).toHaveProperty('1006')
    expect((await renew({ password: PASSWORD, code: first })).errors).toHaveProperty('1040')
    const renewed = await renew({ password: PASSWORD, code: second })
    expect((await secondStep(token, third)).status).toBe(422)
    expect((await secondStep(token, renewed.data.recovery_codes[0] ?? '')).status).toBe(200)
  })

  test('the second step waits five minutes, and ends with the password it began with', async () => {
    const holder = await withFactor()
    const late = await passwordStep(holder)
    api.clock.advance(5 * 60_000 + 1)
    expect((await secondStep(late, holder.code())).errors).toHaveProperty('1041')
    expect((await secondStep('not-a-token', holder.code())).errors).toHaveProperty('1041')
    const before = await passwordStep(holder)
    const link = await createLink(api.db, api.clock.now(), 'set_password', holder.accountId)
    await api.guest.call(authApi.setPassword, { body: { token: link, password: 'another long password' } })
    expect((await secondStep(before, nextCode(holder))).errors).toHaveProperty('1041')
    // and a password link does not get around it
    expect((await secondStep(await passwordStep(holder, 'another long password'), nextCode(holder))).status).toBe(200)
  })

  test('wrong codes count like wrong passwords, which a right password does not wipe away', async () => {
    const holder = await withFactor()
    const statuses: number[] = []
    for (let guess = 0; guess < 6; guess++) {
      const { data, status } = await api.guest.call(authApi.login, { body: { email: holder.email, password: PASSWORD } })
      statuses.push(status)
      if (status === 200 && 'second_factor' in data) statuses.push((await secondStep(data.second_factor, '000000')).status)
    }
    expect(statuses).toEqual([200, 422, 200, 422, 200, 422, 200, 422, 200, 422, 429])
    api.clock.advance(15 * 60_000 + 1)
    expect((await secondStep(await passwordStep(holder), holder.code())).status).toBe(200)
  })
})

test('who has session and password guesses no more codes by changing the password in between', async () => {
  const holder = await withFactor()
  const off = () => holder.call(secondFactorApi.turnOff, { body: { password: PASSWORD, code: '000000' } })
  const change = () => holder.call(authApi.changePassword, { body: { current: PASSWORD, password: PASSWORD } })
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    statuses.push((await off()).status)
    if (n % 4 === 3) await change()
  }
  expect(statuses).toContain(429)
})

describe('losing it', () => {
  test('admin takes it off somebody else: their sessions end, a mail is queued, it is logged, and the password alone lets in', async () => {
    const holder = await withFactor('affiliate')
    const admin = await api.as('admin')
    expect((await admin.call(secondFactorApi.of, { params: { uuid: holder.uuid } })).data).toMatchObject({ on: true })
    expect((await admin.call(secondFactorApi.reset, { params: { uuid: holder.uuid } })).status).toBe(200)
    expect((await admin.call(secondFactorApi.reset, { params: { uuid: holder.uuid } })).status).toBe(404)
    expect((await holder.call(authApi.me)).status).toBe(401)
    const { data } = await api.guest.call(authApi.login, { body: { email: holder.email, password: PASSWORD } })
    expect(data).toHaveProperty('token')
    const mails = await api.db.selectFrom('mail').select('event').where('recipient', '=', holder.email).execute()
    expect(mails).toEqual([{ event: 'second_factor_reset' }])
    const logged = await api.db.selectFrom('audit').select(['action', 'actor_id']).where('action', '=', 'second_factor_reset').execute()
    expect(logged).toContainEqual({ action: 'second_factor_reset', actor_id: admin.accountId })
  })

  test('head reaches managers and no admin, nobody themselves, and others nobody', async () => {
    const [head, admin, manager] = [await withFactor('head'), await withFactor('admin'), await withFactor('manager')]
    const reset = async (by: Caller, of: Caller) => (await by.call(secondFactorApi.reset, { params: { uuid: of.uuid } })).status
    expect(await reset(head, admin)).toBe(404)
    expect(await reset(admin, admin)).toBe(409)
    expect(await reset(manager, manager)).toBe(403)
    expect(await reset(head, manager)).toBe(200)
  })

  test('turning it off takes password and code, and ends other sessions', async () => {
    const holder = await withFactor()
    const other = await secondStep(await passwordStep(holder), nextCode(holder))
    const off = (password: string, code: string) => holder.call(secondFactorApi.turnOff, { body: { password, code } })
    expect((await off('nope', nextCode(holder))).errors).toHaveProperty('1006')
    expect((await off(PASSWORD, '000000')).errors).toHaveProperty('1040')
    expect((await off(PASSWORD, holder.code())).status).toBe(200)
    expect((await caller(api.url, other.data.token)(authApi.me)).status).toBe(401)
    expect((await holder.call(secondFactorApi.state)).data.on).toBe(false)
  })

  test('who acts as an affiliate reaches nothing of its second factor', async () => {
    const [admin, affiliate] = [await api.as('admin'), await withFactor('affiliate')]
    const { data } = await admin.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })
    const acting = caller(api.url, data.token)
    expect((await acting(secondFactorApi.state)).status).toBe(403)
    expect((await acting(secondFactorApi.turnOff, { body: { password: PASSWORD, code: affiliate.code() } })).status).toBe(403)
  })
})

describe('where a role must have one', () => {
  test('who has none is refused all but setting it up, and then let in; it cannot be turned off', async () => {
    const fresh = await startApi()
    const [admin, affiliate] = [await withPassword(fresh.db, await fresh.as('admin')), await fresh.as('affiliate')]
    const { version } = (await admin.call(securityApi.setting)).data
    const saved = await admin.call(securityApi.updateSetting, {
      body: { second_factor: ['admin'], allowed_ips: ANYWHERE, reveals, contact_exports, version },
    })
    expect(saved.data.second_factor).toEqual(['admin'])
    const refused = await admin.call(affiliateApi.list, { body: {} })
    expect({ status: refused.status, errors: Object.keys(refused.errors) }).toEqual({ status: 403, errors: ['1042'] })
    expect((await admin.call(authApi.me)).status).toBe(200)
    // somebody of another role is asked for nothing, unless by who must
    expect((await affiliate.call(authApi.sessions)).status).toBe(200)
    expect((await admin.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })).errors).toHaveProperty('1042')
    const begun = await admin.call(secondFactorApi.begin, { body: { password: PASSWORD } })
    const app = new TOTP({ secret: Secret.fromBase32(begun.data.secret) })
    expect((await admin.call(secondFactorApi.confirm, { body: { code: app.generate({ timestamp: fresh.clock.now() }) } })).status).toBe(200)
    expect((await admin.call(affiliateApi.list, { body: {} })).status).toBe(200)
    fresh.clock.advance(STEP)
    const off = { password: PASSWORD, code: app.generate({ timestamp: fresh.clock.now() }) }
    expect((await admin.call(secondFactorApi.turnOff, { body: off })).status).toBe(403)
    await fresh.close()
  })

  test('a head decides it for all but admins', async () => {
    const fresh = await startApi()
    const head = await fresh.as('head')
    const save = async (second_factor: Role[]) => {
      const { version } = (await head.call(securityApi.setting)).data
      return head.call(securityApi.updateSetting, { body: { second_factor, allowed_ips: ANYWHERE, reveals, contact_exports, version } })
    }
    expect((await save(['admin'])).fields).toEqual({ second_factor: 'Only an admin decides whether admins need one' })
    expect((await save(['manager', 'team lead', 'affiliate'])).status).toBe(200)
    await fresh.db
      .updateTable('setting')
      .set({ value: JSON.stringify({ second_factor: ['admin'] }) })
      .where('key', '=', 'security')
      .execute()
    expect((await save([])).fields).toHaveProperty('second_factor')
    expect((await save(['admin', 'manager'])).status).toBe(200)
    await fresh.close()
  })

  test('an acting session stands back too, once the role behind it must have one', async () => {
    const fresh = await startApi()
    const [admin, affiliate] = [await fresh.as('admin'), await fresh.as('affiliate')]
    const { data } = await admin.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })
    const acting = caller(fresh.url, data.token)
    const { status } = await acting(actingApi.allowChanges, { body: { reason: 'They asked for it' } })
    expect(status).toBe(200)
    expect((await acting(authApi.updateProfile, { body: { name: 'X', language: 'en', time_zone: 'UTC' } })).status).not.toBe(403)
    const { version } = (await admin.call(securityApi.setting)).data
    await admin.call(securityApi.updateSetting, {
      body: { second_factor: ['admin'], allowed_ips: ANYWHERE, reveals, contact_exports, version },
    })
    expect((await acting(authApi.updateProfile, { body: { name: 'X', language: 'en', time_zone: 'UTC' } })).errors).toHaveProperty('1042')
    await fresh.close()
  })
})
