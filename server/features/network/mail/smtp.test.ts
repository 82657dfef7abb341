import { afterAll, beforeAll, expect, test } from 'vitest'
import { mailApi } from '#contract/network/mail.ts'
import { macrosOf, mailTemplateApi } from '#contract/network/mail-template.ts'
import { smtpApi, smtpSetting, type SmtpInput } from '#contract/network/smtp.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { textFor } from './template.service.ts'
import { startMailServer, type MailServer } from '#test/support/run/mail-server.ts'

let api: TestApi
let admin: Caller
let head: Caller
let mail: MailServer
beforeAll(async () => {
  ;[api, mail] = await Promise.all([startApi(), startMailServer({ password: 'right' })])
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
})
afterAll(() => Promise.all([api.close(), mail.close()]))

async function inputOf(values: Partial<SmtpInput> = {}): Promise<SmtpInput> {
  const { data } = await admin.call(smtpApi.read)
  const stored = Object.fromEntries(
    Object.keys(smtpSetting.defaults).map((name) => [name, data[name as keyof typeof data]]),
  ) as typeof smtpSetting.defaults // the very fields
  return { ...stored, password: null, dkim_key: null, version: data.version, ...values }
}
const own = () => ({ host: '127.0.0.1', port: mail.port, security: 'none' as const, user: 'robot', sender_email: 'hello@network.org' })

test('secrets go in and never come out', async () => {
  const before = await admin.call(smtpApi.read)
  expect(before.data).toMatchObject({
    host: '',
    sends: false,
    password_set: false,
    dkim_record: null,
    changed: null,
    may_set_secrets: true,
  })
  const saved = await admin.call(smtpApi.update, {
    body: await inputOf({ ...own(), password: 'right', dkim_domain: 'network.org', dkim_selector: 'ohma', dkim_key: 'new' }),
  })
  expect(saved.status).toBe(200)
  expect(saved.data).toMatchObject({ sends: true, password_set: true, changed: { by: expect.any(String) } })
  expect(saved.data.dkim_record).toMatchObject({
    name: 'ohma._domainkey.network.org',
    value: expect.stringMatching(/^v=DKIM1; k=rsa; p=MII/),
  })
  expect(JSON.stringify(saved.data)).not.toMatch(/right|PRIVATE/)
  const kept = await api.db.selectFrom('smtp_secret').selectAll().execute()
  expect(kept.map(({ name }) => name).toSorted()).toEqual(['dkim_key', 'password'])
  expect(kept.some(({ sealed }) => sealed.includes('right') || sealed.includes('PRIVATE'))).toBe(false)
  const logged = await api.db.selectFrom('audit').select('after').where('entity', '=', 'setting').execute()
  expect(JSON.stringify(logged)).not.toMatch(/right|PRIVATE/)
  expect(logged[0]?.after).toMatchObject({ host: '127.0.0.1', password: '•••', dkim_key: '•••' })
})

test('another server or user asks for the password anew: what was typed for one is never told to another', async () => {
  for (const moved of [{ host: 'other.org' }, { port: 26 }, { security: 'tls' as const }, { user: 'somebody' }]) {
    for (const endpoint of [smtpApi.update, smtpApi.check] as const) {
      const answer = await admin.call(endpoint, { body: await inputOf(moved) })
      expect(answer.status).toBe(422)
      expect(answer.fields['password']).toMatch(/Type the password again/)
    }
    const answer = await admin.call(smtpApi.test, { body: { ...(await inputOf(moved)), to: 'ann@people.org' } })
    expect(answer.fields['password']).toMatch(/Type the password again/)
  }
})

test('a head changes the sender and not the connection, by which links for admins leave', async () => {
  const moved = await head.call(smtpApi.update, { body: await inputOf({ host: 'heads.org', user: '', password: 'mine' }) })
  expect(moved.status).toBe(422)
  expect(moved.fields).toMatchObject({ host: 'Only an admin can change this', user: expect.any(String), password: expect.any(String) })
  const checked = await head.call(smtpApi.check, { body: await inputOf({ host: 'heads.org', user: '' }) })
  expect(checked.fields).toMatchObject({ host: 'Only an admin can change this' })
  const key = await head.call(smtpApi.update, { body: await inputOf({ dkim_key: 'new' }) })
  expect(key.fields).toMatchObject({ dkim_key: 'Only an admin can change this' })
  const without = await head.call(smtpApi.update, { body: await inputOf({ dkim_domain: '', dkim_selector: '' }) })
  expect(Object.keys(without.fields)).toEqual(['dkim_domain', 'dkim_selector'])
  const sender = await head.call(smtpApi.update, { body: await inputOf({ sender_name: 'The network' }) })
  expect(sender.data).toMatchObject({ sender_name: 'The network', may_set_secrets: false, password_set: true })
  for (const role of ['manager', 'team lead', 'affiliate'] as const)
    expect((await (await api.as(role)).call(smtpApi.read)).status).toBe(403)
})

test('a check goes as far as it comes, and tells what went wrong in the words of the server', async () => {
  const good = await admin.call(smtpApi.check, { body: await inputOf() })
  expect(good.data).toEqual({
    ok: true,
    steps: ['connect', 'sign_in'].map((step) => ({ step, ok: true, reason: null, detail: '' })),
  })
  const wrong = await admin.call(smtpApi.check, { body: await inputOf({ password: 'wrong' }) })
  expect(wrong.data.steps).toMatchObject([
    { step: 'connect', ok: true },
    { step: 'sign_in', ok: false, reason: 'sign_in_refused', detail: '535 5.7.8 Wrong user or password' },
  ])
  const encrypted = await admin.call(smtpApi.check, { body: await inputOf({ security: 'starttls', password: 'right' }) })
  expect(encrypted.data.steps).toMatchObject([
    { step: 'connect', ok: true },
    { step: 'encrypt', ok: false, reason: 'no_starttls' },
  ])
  const plain = await admin.call(smtpApi.check, { body: await inputOf({ security: 'tls', password: 'right' }) })
  expect(plain.data.steps.at(-1)).toMatchObject({ step: 'encrypt', ok: false, reason: 'not_tls' })
  const nobody = await admin.call(smtpApi.check, { body: await inputOf({ port: 1, password: 'right' }) })
  expect(nobody.data.steps).toMatchObject([{ step: 'connect', ok: false, reason: 'connection_refused' }])
  const nowhere = await admin.call(smtpApi.check, { body: await inputOf({ host: 'nowhere.invalid', password: 'right' }) })
  expect(nowhere.data.steps).toMatchObject([{ step: 'connect', ok: false, reason: 'host_not_found' }])
})

test('a test message arrives signed, stands in the log, and is not sent without end', async () => {
  const sent = await head.call(smtpApi.test, { body: { ...(await inputOf()), to: 'ann@people.org' } })
  expect(sent.data.ok).toBe(true)
  expect(mail.received.at(-1)).toMatchObject({ to: ['ann@people.org'], from: 'hello@network.org' })
  expect(mail.received.at(-1)?.raw).toContain('DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=network.org')
  mail.answers.set('gone@people.org', { code: 550, text: 'No such user', at: 'recipient' })
  const refused = await admin.call(smtpApi.test, { body: { ...(await inputOf()), to: 'gone@people.org' } })
  expect(refused.data.steps.at(-1)).toMatchObject({ step: 'send', ok: false, reason: 'recipient_refused', detail: '550 No such user' })
  const log = await head.call(mailApi.list, { body: { event: ['test'] } })
  expect(log.data.list.map(({ recipient, status }) => [recipient, status])).toEqual([
    ['gone@people.org', 'refused'],
    ['ann@people.org', 'sent'],
  ])
  expect((await head.call(smtpApi.read)).data.tested_at).toBe('2026-11-21T10:00:00.000Z')
  const statuses: number[] = []
  const body = await inputOf({ port: 1, password: 'right' })
  for (let index = 0; index < 16; index++) statuses.push((await admin.call(smtpApi.check, { body })).status)
  expect(statuses.at(-1)).toBe(429)
})

test('a text is changed, filled for a look, and goes back; macros nothing fills are refused by name', async () => {
  const usual = (await head.call(mailTemplateApi.list)).data.list.find(
    ({ event, language }) => event === 'set_password' && language === 'uk',
  )
  expect(usual).toMatchObject({ own: false, version: 0 })
  const text = {
    event: 'set_password',
    language: 'uk',
    subject: 'Привіт, {name}',
    body: 'Ось: [Пароль]({link})\n\n<b>{network}</b>',
  } as const
  const changed = await head.call(mailTemplateApi.update, { body: { ...text, version: 0 } })
  expect(changed.data).toMatchObject({ ...text, own: true, version: 1 })
  const late = await admin.call(mailTemplateApi.update, { body: { ...text, version: 0 } })
  expect(late.status).toBe(409)
  const { data } = await head.call(mailTemplateApi.preview, { body: text })
  expect(data.subject).toBe('Привіт, Олена Ковальчук')
  expect(data.html).toContain('&#60;b&#62;Ohma&#60;/b&#62;')
  expect(data.text).toContain('Пароль: http')
  const wrong = await head.call(mailTemplateApi.update, {
    body: { ...text, subject: '{link}', body: '{reason} and {constructor}', version: 1 },
  })
  expect(wrong.fields).toEqual({
    subject: 'The link belongs in the text: subjects are shown to others',
    body: 'Nothing fills the macro reason here',
  })
  const without = await head.call(mailTemplateApi.update, { body: { ...text, body: 'No way in', version: 1 } })
  expect(without.fields).toEqual({ body: 'The text needs {link}: without it the message is of no use' })
  // whoever owns the address around it would be handed the link of everybody who follows it
  for (const body of [
    '[Here](https://evil.example/?u={link})',
    'https://evil.example/{link}',
    '{link}.evil.example',
    // what reads as a link of its own is a part of the one around it
    '[Reset password](https://evil.example/?[x]({link})',
    '- [Reset password](https://evil.example/?[x]({link})',
    '**https://evil.example/?**{link}',
    '[Here](https://evil.example/?){link}',
    '[{link}](https://evil.example/)',
  ])
    expect((await head.call(mailTemplateApi.update, { body: { ...text, body, version: 1 } })).fields, body).toEqual({
      body: 'The macro {link} stands by itself, or is the whole address of a link',
    })
  // one that came here by another way is not sent
  const stored = { event: 'set_password', language: 'en', subject: 'Hello', body: '[Here](https://evil.example/?[x]({link})' } as const
  await api.db
    .insertInto('mail_template')
    .values({ ...stored, updated_at: new Date(api.clock.now()) })
    .execute()
  expect((await textFor(api.db, 'set_password', 'en')).body).not.toContain('evil.example')
  const back = await head.call(mailTemplateApi.reset, { body: { event: 'set_password', language: 'uk', version: 1 } })
  expect(back.data).toEqual(usual)
})

test('a preview fills every macro, and names the panel where mails lead', async () => {
  const domain = {
    host: 'panel.kites.org',
    kind: 'panel',
    is_default: true,
    certificate: 'proxy',
    token: 'x',
    verified_at: new Date(api.clock.now()),
    created_at: new Date(api.clock.now()),
    updated_at: new Date(api.clock.now()),
  } as const
  await api.db.insertInto('domain').values(domain).execute()
  const { list } = (await head.call(mailTemplateApi.list)).data
  for (const { event, language } of list) {
    const names = macrosOf(event).filter((name) => name !== 'contact')
    const body = names.map((name) => (name === 'link' ? '{link}' : `${name}=<{${name}}>`)).join('\n\n')
    const { data } = await head.call(mailTemplateApi.preview, { body: { event, language, subject: 'x', body } })
    expect(data.text, event).not.toContain('=<>')
    expect(data.text, event).toContain('panel=<http://panel.kites.org')
  }
  const text = { subject: 'x', body: '{problem}, {link}' }
  const { data } = await head.call(mailTemplateApi.preview, { body: { ...text, event: 'domain_failing', language: 'en' } })
  expect(data.text).toContain('its name leads to no address')
  await head.call(smtpApi.test, { body: { ...(await inputOf()), to: 'bob@people.org' } })
  expect(mail.received.at(-1)?.raw.replaceAll('=\r\n', '')).toContain('http://panel.kites.org')
})

test('the log is narrowed, never tells what filled a message, and sends again only what is of use', async () => {
  const row = (recipient: string, status: 'refused' | 'sent' | 'failed', sealed: Buffer | null, expires: string) => ({
    event: 'set_password',
    language: 'en',
    recipient,
    status,
    sealed,
    next_at: new Date('2026-11-21T09:00:00Z'),
    created_at: new Date('2026-11-21T09:00:00Z'),
    settled_at: new Date('2026-11-21T09:00:00Z'),
    expires_at: new Date(expires),
    error: status === 'sent' ? '' : 'recipient_refused: 550 Full',
  })
  const made = await api.db
    .insertInto('mail')
    .values([
      row('again@people.org', 'refused', Buffer.from('SEALED'), '2026-11-22T09:00:00Z'),
      row('late@people.org', 'failed', Buffer.from('SEALED'), '2026-11-21T09:30:00Z'),
      row('done@people.org', 'sent', null, '2026-11-22T09:00:00Z'),
    ])
    .returning('uuid')
    .execute()
  const found = await admin.call(mailApi.list, { body: { event: ['set_password'], sort: 'recipient', direction: 'asc' } })
  expect(found.data.list.map(({ recipient, again }) => [recipient, again])).toEqual([
    ['again@people.org', true],
    ['done@people.org', false],
    ['late@people.org', false],
  ])
  expect(found.data.list[0]).toMatchObject({ reason: 'recipient_refused', detail: '550 Full' })
  expect(JSON.stringify(found.data)).not.toMatch(/SEALED|sealed/)
  expect((await admin.call(mailApi.list, { body: { search: 'AGAIN@', status: ['refused'] } })).data.summary.rows).toBe(1)
  expect((await admin.call(mailApi.list, { body: { from: '2026-11-21T09:30:00Z', event: ['set_password'] } })).data.summary.rows).toBe(0)
  const { data } = await admin.call(mailApi.retry, { body: { uuids: made.map(({ uuid }) => uuid) } })
  expect(data).toEqual({ queued: 1 })
  expect((await admin.call(mailApi.list, { body: { search: 'again@' } })).data.list[0]).toMatchObject({ status: 'waiting' })
})
