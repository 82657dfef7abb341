import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { managerApi } from '#contract/people/manager.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const PASSWORD = 'correct horse battery'
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36'
const WEEK = 7 * 86_400_000
let api: TestApi
let key: string | null
let admin: Caller
let lead: Caller
beforeAll(async () => {
  api = await startApi()
  key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
  admin = await api.as('admin')
  lead = await api.as('team lead')
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const table of ['mail', 'setting'] as const) await api.db.deleteFrom(table).execute()
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
})

const noMail = () => api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
const mails = async () => {
  const rows = await api.db.selectFrom('mail').selectAll().orderBy('id').execute()
  return rows.map(({ sealed, ...row }) => {
    const values = JSON.parse(openSealer(key, 'mail').open(sealed ?? Buffer.alloc(0))) as Record<string, string>
    return { ...row, values, token: values['link']?.split('token=').at(-1) ?? '' }
  })
}
const alive = async (token: string) => (await api.guest.call(authApi.checkLink, { body: { token } })).status === 200
const tokenOf = (link: string | null) => link?.split('token=').at(-1) ?? ''

test('who makes an account sees no link where mail is set up: its owner is mailed it, for as long as it works', async () => {
  for (const by of [admin, lead]) {
    const input = affiliateInput()
    const made = await by.call(affiliateApi.create, { body: input })
    expect([made.status, made.data.link, made.data.mailed]).toEqual([200, null, true])
    const sent = (await mails()).at(-1)
    expect(sent).toMatchObject({ event: 'set_password', recipient: input.email, language: 'en', values: { name: input.name } })
    expect(sent?.expires_at.getTime()).toBe(api.clock.now() + WEEK)
    expect(await alive(sent?.token ?? '')).toBe(true)
  }
  // nobody is made, nobody is written to
  const taken = await admin.call(affiliateApi.create, { body: affiliateInput({ email: lead.email }) })
  expect(taken.status).toBe(409)
  expect(await mails()).toHaveLength(2)
})

test('a fresh link is mailed by whoever looks after somebody; admin and head may see it instead, others neither see nor end one', async () => {
  const manager = await api.as('manager', { teamLeadId: lead.managerId })
  const affiliate = await api.as('affiliate', { managerId: manager.managerId })
  for (const [by, whom, endpoint] of [
    [manager, affiliate, affiliateApi.passwordLink],
    [lead, manager, managerApi.passwordLink],
  ] as const) {
    const renew = (caller: Caller, show?: boolean) => caller.call(endpoint, { params: { uuid: whom.uuid }, body: { show } })
    expect((await renew(by)).data).toEqual({ link: null, mailed: true })
    const first = (await mails()).at(-1)
    expect(first).toMatchObject({ event: 'set_password', recipient: whom.email })
    const refused = await renew(by, true)
    expect([refused.status, Object.keys(refused.errors)]).toEqual([409, ['1007']])
    expect(await alive(first?.token ?? '')).toBe(true)
    const shown = await renew(admin, true)
    expect(shown.data).toEqual({ link: expect.stringMatching(/\/password-recovery\?token=/), mailed: false })
    expect([await alive(first?.token ?? ''), await alive(tokenOf(shown.data.link))]).toEqual([false, true])
  }
  expect(await mails()).toHaveLength(2)
})

test('of mailed links nobody asks for more than 30 an hour, nor fills one box with more than 5', async () => {
  const manager = await api.as('manager')
  const six = []
  for (let n = 0; n < 7; n++) six.push(await api.as('affiliate', { managerId: manager.managerId }))
  const mail = async (one: Caller) => (await manager.call(affiliateApi.passwordLink, { params: { uuid: one.uuid } })).status
  const statuses = []
  const [first, ...others] = six
  if (first === undefined) throw new Error('nobody was made')
  for (let n = 0; n < 6; n++) statuses.push(await mail(first))
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  const last = (await mails()).at(-1)
  expect(await alive(last?.token ?? '')).toBe(true) // the refused one ended nothing
  for (const one of others) for (let n = 0; n < 5; n++) statuses.push(await mail(one))
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1), (await mails()).length]).toEqual([30, 429, 30])
  // it is told how long that lasts
  api.clock.advance(3_000_000)
  const refused = await manager.call(affiliateApi.passwordLink, { params: { uuid: first.uuid } })
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600'])
  api.clock.advance(600_000)
  expect(await mail(first)).toBe(200)
})

test('before mail is set up admin and head are shown the link, and nobody is written to', async () => {
  await noMail()
  const shown = await admin.call(affiliateApi.create, { body: affiliateInput() })
  expect(shown.data.mailed).toBe(false)
  expect(await alive(tokenOf(shown.data.link))).toBe(true)
  expect((await lead.call(affiliateApi.create, { body: affiliateInput() })).data).toMatchObject({ link: null, mailed: false })
  expect(await mails()).toHaveLength(0)
})

test('the owner is told of another password, by change or link, but not of the first one', async () => {
  const owner = await api.as('manager')
  await api.db.updateTable('account').set({ language: 'uk' }).where('id', '=', owner.accountId).execute()
  const link = async () =>
    tokenOf((await admin.call(managerApi.passwordLink, { params: { uuid: owner.uuid }, body: { show: true } })).data.link)
  const set = async () => (await api.guest.call(authApi.setPassword, { body: { token: await link(), password: PASSWORD } })).status
  await api.db.updateTable('account').set({ password_hash: null }).where('id', '=', owner.accountId).execute()
  expect([await set(), (await mails()).length]).toEqual([200, 0])

  expect([await set(), (await mails()).length]).toEqual([200, 1])
  const told = { event: 'password_changed', recipient: owner.email, language: 'uk', account_id: owner.accountId }
  expect((await mails()).at(-1)).toMatchObject({ ...told, values: { address: '127.0.0.1', time: expect.stringMatching(/\d{4} р/) } })

  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', owner.accountId)
    .execute()
  const again = await api.guest.call(authApi.login, { body: { email: owner.email, password: PASSWORD } })
  const change = (current: string) =>
    fetch(`${api.url}${authApi.changePassword.path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${'token' in again.data ? again.data.token : ''}`,
        'content-type': 'application/json',
        'user-agent': CHROME,
      },
      body: JSON.stringify({ current, password: 'another password' }),
    })
  expect([(await change('not this one')).status, (await mails()).length]).toEqual([422, 1])
  expect([(await change(PASSWORD)).status, (await mails()).length]).toEqual([200, 2])
  expect((await mails()).at(-1)).toMatchObject({ ...told, values: { device: 'Chrome · Windows' } })

  await noMail()
  expect([await set(), (await mails()).length]).toEqual([200, 2])
})
