import { afterAll, beforeAll, expect, test } from 'vitest'
import { authApi } from '#contract/people/auth.ts'
import { ownProfileApi, staffProfileApi } from '#contract/people/own-profile.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
})
afterAll(() => api.close())

test('admin and head change their own name, language, zone and contacts; nobody else has such a page', async () => {
  const head = await api.as('head', { name: 'Hedda' })
  const { uuid: _uuid, email: _email, new_email: _new, mail: _mail, role, ...before } = (await head.call(staffProfileApi.get)).data
  expect(role).toBe('head')
  const input = { ...before, name: 'Hedda Gabler', language: 'uk' as const, contacts: { ...before.contacts, telegram: '@hedda' } }
  const saved = await head.call(staffProfileApi.update, { body: input })
  expect(saved.data).toMatchObject({ name: 'Hedda Gabler', language: 'uk', contacts: { telegram: '@hedda' } })
  // of two who save what both have read, one is taken
  expect((await head.call(staffProfileApi.update, { body: input })).status).toBe(409)
  expect((await head.call(authApi.me)).data).toMatchObject({ name: 'Hedda Gabler', language: 'uk' })
  const sneaky = await head.call(staffProfileApi.update, { body: { ...input, role: 'admin', version: saved.data.version } as never })
  expect(Object.keys(sneaky.fields)).toEqual(['role'])
  for (const other of [await api.as('manager'), await api.as('team lead'), await api.as('affiliate')]) {
    expect((await other.call(staffProfileApi.get)).status).toBe(403)
  }
  // the log tells that contacts changed, not which
  const entry = await api.db.selectFrom('audit').select(['entity', 'after']).orderBy('id', 'desc').executeTakeFirst()
  expect(entry).toMatchObject({ entity: 'account', after: { name: 'Hedda Gabler', contacts: '•••' } })
})

test('their address is changed by a mailed link, which a manager without the page cannot ask for', async () => {
  const admin = await withPassword(api.db, await api.as('admin'))
  const manager = await withPassword(api.db, await api.as('manager'))
  const body = { email: 'new@network.example', password: PASSWORD }
  expect((await manager.call(ownProfileApi.changeEmail, { body })).status).toBe(403)
  expect((await admin.call(ownProfileApi.changeEmail, { body })).status).toBe(200)
  expect((await admin.call(staffProfileApi.get)).data).toMatchObject({ email: admin.email, new_email: body.email })
  const [mail] = await api.db.selectFrom('mail').selectAll().where('recipient', '=', body.email).execute()
  const key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
  const { link = '' } = JSON.parse(openSealer(key, 'mail').open(mail?.sealed ?? Buffer.alloc(0))) as Record<string, string>
  expect(link).toContain('/settings/profile?email=')
  const token = link.split('?email=').at(-1) ?? ''
  expect((await manager.call(ownProfileApi.confirmEmail, { body: { token } })).status).toBe(403)
  expect((await admin.call(ownProfileApi.confirmEmail, { body: { token } })).data).toEqual({ email: body.email })
  expect((await api.guest.call(authApi.login, { body: { email: body.email, password: PASSWORD } })).status).toBe(200)
  const entry = await api.db.selectFrom('audit').select('entity').where('action', '=', 'change_email').executeTakeFirst()
  expect(entry).toEqual({ entity: 'account' })
})
