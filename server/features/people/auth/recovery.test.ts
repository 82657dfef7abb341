import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'
import { answerMailRequests } from './recovery.service.ts'

const NEW = 'four words in a row'
let api: TestApi
let key: string | null
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
  key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const table of ['mail', 'mail_request', 'call_count', 'setting'] as const) await api.db.deleteFrom(table).execute()
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
})

const ask = (email: string) => api.guest.call(authApi.passwordRecovery, { body: { email } })
const work = () => answerMailRequests({ db: api.db, mail: openMailQueue(key), publicUrl: 'https://panel.example' }, api.clock.now())
const links = async (email: string) => {
  const rows = await api.db.selectFrom('mail').select(['event', 'sealed']).where('recipient', '=', email).orderBy('id').execute()
  return rows.map(({ event, sealed }) => {
    const { link = '' } = JSON.parse(openSealer(key, 'mail').open(sealed ?? Buffer.alloc(0))) as { link?: string }
    return { event, link, token: link === '' ? '' : (new URL(link ?? '').searchParams.get('token') ?? '') }
  })
}
const login = (email: string, password: string) => api.guest.call(authApi.login, { body: { email, password } })

test('the link that is mailed sets another password once, within an hour, and ends all sessions', async () => {
  const owner = await withPassword(api.db, await api.as('manager'))
  await ask(owner.email)
  await work()
  const [mailed] = await links(owner.email)
  expect(mailed).toMatchObject({
    event: 'password_recovery',
    link: expect.stringMatching(/^https:\/\/panel\.example\/password-recovery\?token=/),
  })
  const token = mailed?.token ?? ''
  expect((await api.guest.call(authApi.checkLink, { body: { token } })).data).toEqual({ email: owner.email, setup: false })
  const both = await Promise.all([NEW, `${NEW} too`].map((password) => api.guest.call(authApi.setPassword, { body: { token, password } })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 410])
  expect((await owner.call(authApi.me)).status).toBe(401)
  expect((await login(owner.email, PASSWORD)).status).toBe(422)
})

test('a link is dead after an hour, once another was asked for, and once the password was changed', async () => {
  const owner = await withPassword(api.db, await api.as('manager'))
  const fresh = async () => {
    await ask(owner.email)
    await work()
    return (await links(owner.email)).at(-1)?.token ?? ''
  }
  const alive = async (token: string) => (await api.guest.call(authApi.checkLink, { body: { token } })).status
  const first = await fresh()
  const second = await fresh()
  expect([await alive(first), await alive(second)]).toEqual([410, 200])
  await owner.call(authApi.changePassword, { body: { current: PASSWORD, password: NEW } })
  expect(await alive(second)).toBe(410)
  const third = await fresh()
  api.clock.advance(3_600_001)
  expect(await alive(third)).toBe(410)
})

test('a link that confirms an address sets no password', async () => {
  const person = await api.as('affiliate')
  const admin = await api.as('admin')
  const { link } = (await admin.call(affiliateApi.passwordLink, { params: { uuid: person.uuid }, body: { show: true } })).data
  expect(link).toMatch(/\/password-recovery\?token=/)
  await api.db.updateTable('one_time_link').set({ purpose: 'confirm_email' }).where('account_id', '=', person.accountId).execute()
  const token = new URL(link ?? '').searchParams.get('token') ?? ''
  expect((await api.guest.call(authApi.checkLink, { body: { token } })).status).toBe(410)
  expect((await api.guest.call(authApi.setPassword, { body: { token, password: NEW } })).status).toBe(410)
})

test('known, unknown and blocked addresses are answered alike, and only who may sign in is written to', async () => {
  const known = await api.as('affiliate')
  const blocked = await api.as('affiliate', { status: 'inactive' })
  const answers = []
  for (const email of [known.email, blocked.email, 'nobody@example.com']) {
    const answer = await fetch(`${api.url}${authApi.passwordRecovery.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    })
    answers.push({ status: answer.status, body: await answer.text() })
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify({ status: 200, body: answers[0]?.body })]),
  )
  await work()
  expect((await api.db.selectFrom('mail').select('recipient').execute()).map(({ recipient }) => recipient)).toEqual([known.email])
})

// the table of people is closed meanwhile: a look into it would wait, and who asks could tell by the time it takes
test('whose address it is nobody looks while a link is asked for', async () => {
  const { email } = await api.as('affiliate')
  await api.db.transaction().execute(async (trx) => {
    await sql`lock table account in access exclusive mode`.execute(trx)
    expect((await ask(email)).status).toBe(200)
    expect((await ask('nobody@example.com')).status).toBe(200)
  })
})

test('one address gets three an hour, one line asks ten times; where no mail is set up the answer says so to everybody', async () => {
  const owner = await api.as('manager')
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await ask(owner.email)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  expect(statuses.at(-1)).toBe(429)
  await work()
  expect(await links(owner.email)).toHaveLength(3)
  await api.db.deleteFrom('setting').execute()
  await api.db.deleteFrom('call_count').execute()
  expect((await ask(owner.email)).data).toEqual({ mail: false })
  await work()
  expect(await links(owner.email)).toHaveLength(3)
  expect(await api.db.selectFrom('mail_request').select('id').execute()).toEqual([])
})

test('two workers answer each request once', async () => {
  const people = [await api.as('manager'), await api.as('manager'), await api.as('manager')]
  for (const { email } of people) await ask(email)
  await Promise.all([work(), work(), work()])
  expect(await api.db.selectFrom('mail').select('id').execute()).toHaveLength(3)
})
