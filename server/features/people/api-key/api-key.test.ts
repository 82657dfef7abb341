import { createHash } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { constantApi } from '#contract/network/constant.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { apiKeyApi, CALLS_A_MINUTE, MOST_KEYS } from '#contract/people/api-key.ts'
import { authApi } from '#contract/people/auth.ts'
import type { KeyScope } from '#contract/people/key-scope.ts'
import { managerApi } from '#contract/people/manager.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { createLink } from '../auth/link.service.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => api.close())

const input = (scopes: KeyScope[], more: object = {}) => ({
  body: { name: 'Script', scopes, allowed_ips: [], days: null, password: PASSWORD, ...more },
})
/** A key of somebody, and how it calls. */
async function keyOf(person: Caller, scopes: KeyScope[], more: object = {}) {
  const { status, data } = await person.call(apiKeyApi.create, input(scopes, more))
  expect(status).toBe(200)
  return { ...data, call: caller(api.url, data.key) }
}
const errorsOf = async (answer: Promise<{ errors: object }>) => Object.keys((await answer).errors)

describe('a key', () => {
  test('ends with the password that a link sets, and with one changed in the panel where that is wanted; the mail says how many', async () => {
    const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
    await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
    const admin = await withPassword(api.db, await api.as('admin'))
    const [first, second] = [await keyOf(admin, ['people.read']), await keyOf(admin, ['people.read'])]
    const works = async () => [(await first.call(authApi.me)).status, (await second.call(authApi.me)).status]
    expect((await admin.call(authApi.changePassword, { body: { current: PASSWORD, password: PASSWORD } })).status).toBe(200)
    expect(await works()).toEqual([200, 200])
    await admin.call(authApi.changePassword, { body: { current: PASSWORD, password: PASSWORD, end_keys: true } })
    expect(await works()).toEqual([401, 401])
    const third = await keyOf(admin, ['people.read'])
    const token = await createLink(api.db, api.clock.now(), 'recovery', admin.accountId)
    const set = await api.guest.call(authApi.setPassword, { body: { token, password: 'four words in a row' } })
    expect(set.status).toBe(200)
    expect((await third.call(authApi.me)).status).toBe(401)
    const ended = await api.db
      .selectFrom('audit')
      .select('actor_id')
      .where('entity', '=', 'api_key')
      .where('action', '=', 'revoke')
      .execute()
    expect(ended.map(({ actor_id }) => actor_id)).toEqual([admin.accountId, admin.accountId, null])
    const sealer = openSealer(readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey, 'mail')
    const mails = await api.db.selectFrom('mail').select('sealed').where('event', '=', 'password_changed').orderBy('id').execute()
    const told = mails.map(({ sealed }) => (JSON.parse(sealer.open(sealed ?? Buffer.alloc(0))) as { keys: string }).keys)
    expect(told).toEqual(['0', '2', '1'])
    await api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
  })

  test('is shown once, kept as a hash, and calls in its owner’s name within its scopes', async () => {
    const admin = await withPassword(api.db, await api.as('admin'))
    const key = await keyOf(admin, ['people.read'])
    expect(key.key).toMatch(/^ohma_[\w-]{43}$/)
    const row = await api.db.selectFrom('api_key').selectAll().where('uuid', '=', key.uuid).executeTakeFirstOrThrow()
    expect(row.token_hash.equals(createHash('sha256').update(key.key).digest())).toBe(true)
    const { data } = await admin.call(apiKeyApi.own)
    expect(data.list).toMatchObject([
      { name: 'Script', hint: key.key.slice(-4), scopes: ['people.read'], state: 'active', last_used_at: null },
    ])
    expect(JSON.stringify(data)).not.toContain(key.key.slice(5, 40))
    expect((await key.call(authApi.me)).data).toMatchObject({ email: admin.email, user_role: 'admin' })
    expect((await key.call(constantApi.all)).status).toBe(200)
    expect((await key.call(affiliateApi.list)).status).toBe(200)
    expect(await errorsOf(key.call(affiliateApi.create, { body: affiliateInput() }))).toEqual(['1060'])
    expect(await errorsOf(key.call(partnerOfferApi.list))).toEqual(['403'])
  })

  test('that may write reads too, never shows a link that signs in, and the log says that it was the key', async () => {
    const admin = await withPassword(api.db, await api.as('admin'))
    const key = await keyOf(admin, ['people.write'])
    expect((await key.call(affiliateApi.list)).status).toBe(200)
    const made = await key.call(affiliateApi.create, { body: affiliateInput() })
    expect(made.data).toMatchObject({ link: null, mailed: false })
    const { id } = await api.db.selectFrom('api_key').select('id').where('uuid', '=', key.uuid).executeTakeFirstOrThrow()
    const entry = await api.db
      .selectFrom('audit')
      .select(['actor_id', 'key_id'])
      .where('entity', '=', 'affiliate')
      .where('entity_id', '=', String(made.data.id))
      .executeTakeFirstOrThrow()
    expect(entry).toEqual({ actor_id: admin.accountId, key_id: id })
    const { data: affiliate } = await key.call(affiliateApi.get, { params: { uuid: made.data.uuid } })
    const update = affiliateInput({ email: 'thief@example.com' })
    const refused = await key.call(affiliateApi.update, {
      params: { uuid: affiliate.uuid },
      body: { ...update, version: affiliate.version },
    })
    expect({ status: refused.status, errors: Object.keys(refused.errors) }).toEqual({ status: 403, errors: ['1061'] })
  })

  test('makes no keys, no people of the network, and touches nobody’s sign-in', async () => {
    const admin = await withPassword(api.db, await api.as('admin'))
    const affiliate = await api.as('affiliate')
    const { offered } = (await admin.call(apiKeyApi.own)).data
    const key = await keyOf(admin, offered)
    const uuid = affiliate.uuid
    for (const refused of [
      key.call(apiKeyApi.own),
      key.call(apiKeyApi.create, input(['people.read'])),
      key.call(authApi.changePassword, { body: { current: PASSWORD, password: 'another password' } }),
      key.call(authApi.sessions),
      key.call(authApi.getAffiliateToken, { body: { uuid } }),
      key.call(secondFactorApi.begin, { body: { password: PASSWORD } }),
      key.call(secondFactorApi.reset, { params: { uuid } }),
      key.call(affiliateApi.passwordLink, { params: { uuid } }),
      key.call(managerApi.setStatus, { body: { uuids: [uuid], status: 'blocked' } }),
    ])
      expect(await errorsOf(refused)).toEqual(['1061'])
  })

  test('takes the password, and a code where a second factor is on', async () => {
    const person = await withPassword(api.db, await api.as('manager'))
    expect((await person.call(apiKeyApi.create, input(['people.read'], { password: 'nope' }))).fields).toHaveProperty('password')
    const begun = await person.call(secondFactorApi.begin, { body: { password: PASSWORD } })
    const app = new TOTP({ secret: Secret.fromBase32(begun.data.secret) })
    const code = () => app.generate({ timestamp: api.clock.now() })
    await person.call(secondFactorApi.confirm, { body: { code: code() } })
    expect((await person.call(apiKeyApi.own)).data.second_factor).toBe(true)
    expect((await person.call(apiKeyApi.create, input(['people.read']))).fields).toHaveProperty('code')
    api.clock.advance(30_000)
    await keyOf(person, ['people.read'], { code: code() })
  })

  test('has no scope its owner’s role has no use for', async () => {
    const affiliate = await withPassword(api.db, await api.as('affiliate'))
    const manager = await withPassword(api.db, await api.as('manager'))
    const { offered } = (await affiliate.call(apiKeyApi.own)).data
    expect(offered.filter((scope) => scope.startsWith('money'))).toEqual(['money.read'])
    expect(offered).toContain('traffic.write')
    expect((await manager.call(apiKeyApi.create, input(['money.write']))).fields).toEqual({
      scopes: 'Choose among the scopes your role has',
    })
  })

  test('ends by its date, by its owner, by who looks after them, and with the account', async () => {
    const [admin, lead] = [await api.as('admin'), await api.as('team lead')]
    const affiliate = await withPassword(api.db, await api.as('affiliate'))
    const [dated, own, others, left] = [
      await keyOf(affiliate, ['traffic.read'], { days: 1 }),
      await keyOf(affiliate, ['traffic.read']),
      await keyOf(affiliate, ['traffic.read']),
      await keyOf(affiliate, ['traffic.read']),
    ]
    api.clock.advance(86_400_000)
    expect((await dated.call(authApi.me)).status).toBe(401)
    expect((await affiliate.call(apiKeyApi.revoke, { params: { uuid: own.uuid } })).status).toBe(200)
    expect((await own.call(authApi.me)).status).toBe(401)
    expect((await lead.call(apiKeyApi.of, { params: { uuid: affiliate.uuid } })).status).toBe(403)
    const seen = await admin.call(apiKeyApi.of, { params: { uuid: affiliate.uuid } })
    expect(seen.data.list.map(({ state }) => state)).toEqual(['active', 'active', 'revoked', 'expired'])
    expect((await admin.call(apiKeyApi.revokeOf, { params: { uuid: others.uuid } })).status).toBe(200)
    expect((await others.call(authApi.me)).status).toBe(401)
    expect((await left.call(authApi.me)).status).toBe(200)
    await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'banned' } })
    expect((await left.call(authApi.me)).status).toBe(401)
  })

  test('works from its own addresses only, and its last use is written once a minute', async () => {
    const manager = await withPassword(api.db, await api.as('manager'))
    const { key } = await keyOf(manager, ['people.read'], { allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] })
    const from = async (address: string) => {
      const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address }
      const answer = await fetch(`${api.url}${authApi.me.path}`, { headers })
      return { status: answer.status, ...((await answer.json()) as { errors?: object }).errors }
    }
    const used = async () =>
      (await manager.call(apiKeyApi.own)).data.list.map(({ last_address, last_used_at }) => ({ last_address, last_used_at }))
    expect(await from('198.51.100.1')).toMatchObject({ status: 403, '1063': expect.any(String) })
    expect(await used()).toEqual([{ last_address: '', last_used_at: null }])
    expect(await from('203.0.113.9')).toEqual({ status: 200 })
    const first = new Date(api.clock.now()).toISOString()
    api.clock.advance(59_000)
    expect(await from('2001:db8::5')).toEqual({ status: 200 })
    expect(await used()).toEqual([{ last_address: '203.0.113.9', last_used_at: first }])
    api.clock.advance(2_000)
    await from('2001:db8::5')
    expect((await used())[0]?.last_address).toBe('2001:db8::5')
  })

  test('makes so many calls a minute, and is told when to come back', async () => {
    const manager = await withPassword(api.db, await api.as('manager'))
    const key = await keyOf(manager, ['people.read'])
    const statuses = await Promise.all(Array.from({ length: CALLS_A_MINUTE }, async () => (await key.call(authApi.me)).status))
    expect(statuses.every((status) => status === 200)).toBe(true)
    api.clock.advance(10_000)
    const refused = await key.call(authApi.me)
    expect({ status: refused.status, errors: Object.keys(refused.errors) }).toEqual({ status: 429, errors: ['1062'] })
    const told = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => refused.headers.get(name))
    expect(told).toEqual(['50', String(CALLS_A_MINUTE), '0', '50'])
    expect((await manager.call(authApi.me)).status).toBe(200)
    api.clock.advance(50_000)
    expect((await key.call(authApi.me)).status).toBe(200)
  })

  test('is one of so many, also when they are made at the same moment', async () => {
    const manager = await withPassword(api.db, await api.as('manager'))
    for (let made = 0; made < MOST_KEYS - 1; made++) await api.db.insertInto('api_key').values(row(manager.accountId, made)).execute()
    const answers = await Promise.all([1, 2, 3].map(() => manager.call(apiKeyApi.create, input(['people.read']))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('needs no signature where the panel does', async () => {
    const strict = await startApi({ env: { REQUIRE_SIGNATURE: '1' } })
    try {
      const manager = await strict.as('manager')
      const key = `ohma_${'k'.repeat(43)}`
      const token_hash = createHash('sha256').update(key).digest()
      await strict.db
        .insertInto('api_key')
        .values({ ...row(manager.accountId, 1), token_hash })
        .execute()
      expect((await manager.call(authApi.me)).status).toBe(400)
      expect((await caller(strict.url, key)(authApi.me)).status).toBe(200)
    } finally {
      await strict.close()
    }
  })
})

const row = (account_id: number, number: number) => ({
  account_id,
  name: `Key ${number}`,
  token_hash: createHash('sha256').update(`${account_id} ${number}`).digest(),
  hint: 'abcd',
  scopes: ['people.read'],
  allowed_ips: [],
  created_at: new Date(api.clock.now()),
})

test('nobody sees or ends a key of somebody they do not look after', async () => {
  const [head, admin] = [await api.as('head'), await withPassword(api.db, await api.as('admin'))]
  const key = await keyOf(admin, ['people.read'])
  expect((await head.call(apiKeyApi.of, { params: { uuid: admin.uuid } })).status).toBe(404)
  expect((await head.call(apiKeyApi.revokeOf, { params: { uuid: key.uuid } })).status).toBe(404)
  const stranger = await api.as('manager')
  expect((await stranger.call(apiKeyApi.revoke, { params: { uuid: key.uuid } })).status).toBe(404)
  expect((await key.call(authApi.me)).status).toBe(200)
})
