import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { authApi } from '#contract/people/auth.ts'
import { ownProfileApi } from '#contract/people/own-profile.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let key: string | null
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const table of ['mail', 'setting'] as const) await api.db.deleteFrom(table).execute()
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
  affiliate = await newcomer()
})

const newcomer = async () => withPassword(api.db, await api.as('affiliate'))
const profile = async (of = affiliate) => (await of.call(ownProfileApi.get)).data
const fields = (all: Awaited<ReturnType<typeof profile>>) => {
  const { uuid: _uuid, id: _id, email: _email, new_email: _new, mail: _mail, status: _status, ...rest } = all
  return rest
}
async function mails() {
  const rows = await api.db.selectFrom('mail').selectAll().orderBy('id').execute()
  return rows.map(({ event, recipient, sealed }) => {
    const { link = '' } = JSON.parse(openSealer(key, 'mail').open(sealed ?? Buffer.alloc(0))) as Record<string, string>
    return { event, recipient, token: link.split('?email=').at(-1) ?? '' }
  })
}
const ask = (email: string, password = PASSWORD) => affiliate.call(ownProfileApi.changeEmail, { body: { email, password } })
const confirm = (token: string, by = affiliate) => by.call(ownProfileApi.confirmEmail, { body: { token } })

test('affiliates change what is theirs, nobody overwrites what somebody saved since, and staff have no such page', async () => {
  const before = fields(await profile())
  const input = { ...before, name: 'Ann', company: 'Ann Media', phone: '+380671234567', country: 'UA', time_zone: 'Europe/Kiev' }
  const saved = await affiliate.call(ownProfileApi.update, { body: input })
  expect(saved.data).toMatchObject({ name: 'Ann', company: 'Ann Media', phone: '+380 67 123 4567', time_zone: 'Europe/Kyiv' })
  expect((await affiliate.call(ownProfileApi.update, { body: input })).status).toBe(409)
  const wrong = await affiliate.call(ownProfileApi.update, { body: { ...fields(saved.data), phone: '+380 1' } })
  expect(Object.keys(wrong.fields)).toEqual(['phone'])
  // what staff decide is no part of it
  const sneaky = await affiliate.call(ownProfileApi.update, { body: { ...fields(saved.data), status: 'active', tags: ['vip'] } as never })
  expect(Object.keys(sneaky.fields).toSorted()).toEqual(['status', 'tags'])
  expect((await (await api.as('admin')).call(ownProfileApi.get)).status).toBe(403)
  // the log tells that a telephone changed, not which
  const entry = await api.db.selectFrom('audit').select('after').where('action', '=', 'update').orderBy('id', 'desc').executeTakeFirst()
  expect(entry?.after).toMatchObject({ company: 'Ann Media', phone: '•••' })
})

test('another address is taken by whoever follows the link signed in as the same person, once, and the old one is told', async () => {
  const old = affiliate.email
  expect(Object.keys((await ask('ann@else.example', 'a guess')).fields)).toEqual(['password'])
  expect((await ask('Ann@Else.example')).status).toBe(200)
  expect((await profile()).new_email).toBe('ann@else.example')
  const [sent] = await mails()
  expect(sent).toMatchObject({ event: 'email_change', recipient: 'ann@else.example' })
  expect((await profile()).email).toBe(old)

  const stranger = await newcomer()
  expect((await confirm(sent?.token ?? '', stranger)).status).toBe(410)
  const both = await Promise.all([confirm(sent?.token ?? ''), confirm(sent?.token ?? '')])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410])
  expect(await profile()).toMatchObject({ email: 'ann@else.example', new_email: null })
  expect((await mails()).slice(1)).toMatchObject([{ event: 'email_changed', recipient: old }])
  expect((await api.guest.call(authApi.login, { body: { email: 'ann@else.example', password: PASSWORD } })).status).toBe(200)
  expect((await api.guest.call(authApi.login, { body: { email: old, password: PASSWORD } })).status).not.toBe(200)
})

test('whose an address is, nobody finds out: asking for a taken one answers the same and mails nobody', async () => {
  const owner = await newcomer()
  expect((await ask(owner.email)).status).toBe(200)
  expect(await mails()).toEqual([])
  // taken between asking and confirming
  expect((await ask('late@else.example')).status).toBe(200)
  const [sent] = await mails()
  await api.db.updateTable('account').set({ email: 'late@else.example' }).where('id', '=', owner.accountId).execute()
  expect((await confirm(sent?.token ?? '')).status).toBe(409)
  expect((await profile()).email).toBe(affiliate.email)
})

test('a link is good for a day, the later one ends the earlier one, and without mail there is none', async () => {
  await ask('one@else.example')
  await ask('two@else.example')
  const [first, second] = await mails()
  expect((await confirm(first?.token ?? '')).status).toBe(410)
  api.clock.advance(25 * 3_600_000)
  expect((await confirm(second?.token ?? '')).status).toBe(410)
  await api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
  expect(Object.keys((await ask('three@else.example')).fields)).toEqual(['email'])
})
