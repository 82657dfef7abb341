import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { legalApi } from '#contract/network/legal.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { applicationApi } from '#contract/people/application.ts'
import { authApi } from '#contract/people/auth.ts'
import { registrationApi, registrationSetting, type RegistrationSettings } from '#contract/people/registration.ts'
import { openSealer } from '#server/platform/seal.ts'
import { readConfig } from '#server/platform/config.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { cleanUpRegistrations } from './cleanup.jobs.ts'

const PASSWORD = 'correct horse battery'
let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('call_count').execute()
  await api.db.deleteFrom('mail').execute()
  await api.db.deleteFrom('setting').execute()
})

const setMail = async () => {
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db
    .insertInto('setting')
    .values({ key: 'smtp', value })
    .onConflict((known) => known.column('key').doUpdateSet({ value }))
    .execute()
}
const settings = async (changes: Partial<RegistrationSettings>) => {
  const { version } = (await admin.call(registrationApi.settings)).data
  const fields = { ...registrationSetting.defaults.fields, country: 'optional', traffic_sources: 'optional' } as const
  return admin.call(registrationApi.updateSettings, { body: { ...registrationSetting.defaults, fields, ...changes, version } })
}
const open = async (token = '') => (await api.guest.call(registrationApi.open, { body: { token } })).data
let counter = 0
const person = () => ({
  name: 'Zoriana Media',
  email: `zoriana${++counter}@partners.example`,
  password: PASSWORD,
  language: 'uk' as const,
  time_zone: 'Europe/Kyiv',
})
/** A form as somebody sends it who took a while. */
const filled = async (token = '') => {
  const { form } = await open(token)
  api.clock.advance(5_000)
  return { ...person(), form }
}
const send = (body: Awaited<ReturnType<typeof filled>> & Record<string, unknown>) => api.guest.call(registrationApi.register, { body })
const stands = async (email: string) =>
  (await api.db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select(['f.id', 'f.status', 'a.uuid', 'f.manager_id'])
    .where('a.email', '=', email)
    .executeTakeFirst()) ?? { id: 0, status: 'nobody', uuid: '', manager_id: null }
/** What was queued to an address, newest last, with the values its template is filled with. */
const mailTo = async (email: string) => {
  const key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
  const rows = await api.db
    .selectFrom('mail')
    .select(['event', 'language', 'sealed', 'next_at'])
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    values: JSON.parse(openSealer(key, 'mail').open(sealed ?? Buffer.alloc(0))) as Record<string, string>,
  }))
}
const tokenIn = (link = '') => new URL(link).searchParams.get('token') ?? ''

describe('who may sign up', () => {
  test('moderated: the address is confirmed by a link, then staff decide, are told, and so is the applicant', async () => {
    await setMail()
    await settings({ mode: 'moderated' })
    const input = await filled()
    const answer = await send(input)
    expect(answer.data).toEqual({ status: 'unverified', email: input.email })
    const [confirmation] = await mailTo(input.email)
    expect(confirmation).toMatchObject({ event: 'email_confirmation', language: 'uk', values: { name: input.name } })
    expect((await api.guest.call(authApi.login, { body: { email: input.email, password: PASSWORD } })).errors).toHaveProperty('1065')
    const token = tokenIn(confirmation?.values['link'])
    expect(confirmation?.values['link']).toMatch(/\/signup\?token=/)
    expect(await open(token)).toMatchObject({ link: 'confirmation', email: input.email })

    const told = async () =>
      (await admin.call(notificationApi.list, { body: {} })).data.list.filter((one) => one.kind === 'affiliate_registered').length
    const before = await told()
    expect((await api.guest.call(registrationApi.confirm, { body: { token } })).data).toEqual({ status: 'moderation', email: input.email })
    expect(await told()).toBe(before + 1)
    const { uuid } = await stands(input.email)
    const decided = await admin.call(affiliateApi.setStatus, { body: { uuids: [uuid], status: 'active', expected: 'moderation' } })
    expect(decided.data.changed).toBe(1)
    const events = await mailTo(input.email)
    expect(events.map(({ event }) => event)).toEqual(['email_confirmation', 'registration_received', 'registration_approved'])
    expect((await api.guest.call(authApi.login, { body: { email: input.email, password: PASSWORD } })).status).toBe(200)
  })

  test('who was entered by staff and has no password is mailed the link that sets one when approved, unless it is taken back at once', async () => {
    await setMail()
    const input = affiliateInput({ status: 'moderation' })
    const { data } = await admin.call(affiliateApi.create, { body: input })
    await api.db.deleteFrom('mail').where('recipient', '=', input.email.toLowerCase()).execute()
    const approve = () => admin.call(affiliateApi.setStatus, { body: { uuids: [data.uuid], status: 'active' } })
    await approve()
    await admin.call(affiliateApi.undo, { body: { uuids: [data.uuid], status: 'active' } })
    expect(await mailTo(input.email.toLowerCase())).toEqual([])
    await approve()
    const [letter, ...more] = await mailTo(input.email.toLowerCase())
    expect([letter?.event, more]).toEqual(['set_password', []])
    const token = tokenIn(letter?.values['link'])
    expect((await api.guest.call(authApi.setPassword, { body: { token, password: PASSWORD } })).status).toBe(200)
  })

  test('of many at once set-password links are mailed to who is active and has none, so often within an hour', async () => {
    await setMail()
    const inputs = [affiliateInput(), affiliateInput(), affiliateInput({ status: 'moderation' })]
    const made = await Promise.all(inputs.map(async (body) => (await admin.call(affiliateApi.create, { body })).data))
    const having = await api.as('affiliate')
    const whose = await api.db
      .selectFrom('affiliate as f')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select('a.uuid')
      .where('f.id', '=', having.affiliateId ?? 0)
      .executeTakeFirstOrThrow()
    await api.db.updateTable('account').set({ password_hash: 'x' }).where('uuid', '=', whose.uuid).execute()
    const uuids = [...made.map(({ uuid }) => uuid), whose.uuid]
    const ask = async (who = admin) => (await who.call(affiliateApi.passwordLinks, { body: { uuids } })).data
    const strangers = await ask(await api.as('manager'))
    expect(strangers).toEqual({ mailed: 0, with_password: 0, not_active: 0, later: 0 })
    const both = await Promise.all([ask(), ask()])
    for (const one of both) expect(one).toEqual({ mailed: 2, with_password: 1, not_active: 1, later: 0 })
    for (let again = 0; again < 3; again++) await ask()
    expect(await ask()).toEqual({ mailed: 0, with_password: 1, not_active: 1, later: 2 })
    const letters = await mailTo(inputs[0]?.email.toLowerCase() ?? '')
    expect(letters.every(({ event }) => event === 'set_password')).toBe(true)
    // each link ends the one before
    const opened = await Promise.all(
      letters.map(({ values }) => api.guest.call(authApi.setPassword, { body: { token: tokenIn(values['link']), password: PASSWORD } })),
    )
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(1)
    await api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
    expect((await admin.call(affiliateApi.passwordLinks, { body: { uuids } })).errors).toHaveProperty('1068')
  })

  test('open: the link lets in at once, and once only, also when opened twice at the same moment', async () => {
    await setMail()
    await settings({ mode: 'open' })
    const input = await filled()
    await send(input)
    const token = tokenIn((await mailTo(input.email))[0]?.values['link'])
    const answers = await Promise.all([1, 2, 3].map(() => api.guest.call(registrationApi.confirm, { body: { token } })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 410, 410])
    expect((await stands(input.email)).status).toBe('active')
    expect((await open(token)).link).toBe('expired')
  })

  test('open without confirming lets in at once, where mail is set up', async () => {
    await setMail()
    await settings({ mode: 'open', confirm_email: false })
    expect((await send(await filled())).data.status).toBe('active')
  })

  test('without mail nobody is let in unchecked: open is moderated, and the address stays unconfirmed', async () => {
    await settings({ mode: 'open', confirm_email: false })
    const input = await filled()
    expect((await open()).confirms).toBe(false)
    expect((await send(input)).data.status).toBe('moderation')
    const { uuid } = await stands(input.email)
    const { application } = (await admin.call(applicationApi.get, { params: { uuid } })).data
    expect(application).toMatchObject({ confirmed_at: null, decided_at: null })
    expect(await mailTo(input.email)).toEqual([])
    expect((await admin.call(registrationApi.state)).data).toEqual({ mail: false })
  })

  test('closed lets nobody in, not even who had the form open or an invitation', async () => {
    await settings({ mode: 'open' })
    const invited = await admin.call(applicationApi.invite, { body: { email: 'late@partners.example', language: 'en' } })
    const input = await filled()
    await settings({ mode: 'closed' })
    expect(await open()).toMatchObject({ mode: 'closed', form: '' })
    expect((await send(input)).fields).toEqual({ form: expect.stringContaining('Nobody can sign up') })
    expect((await open(tokenIn(invited.data.link ?? ''))).form).toBe('')
    expect((await admin.call(applicationApi.invite, { body: { email: 'later@partners.example', language: 'en' } })).status).toBe(422)
  })

  test('by invitation: the link works once, for its address only, and who was invited is let in', async () => {
    await setMail()
    await settings({ mode: 'invitation' })
    const manager = await api.as('manager')
    expect((await open()).form).toBe('')
    const { email } = person()
    const { data } = await manager.call(applicationApi.invite, { body: { email, language: 'uk' } })
    expect(data.link).toBeNull()
    const token = tokenIn((await mailTo(email))[0]?.values['link'])
    expect(await open(token)).toMatchObject({ link: 'invitation', email, confirms: false })
    const input = await filled(token)
    expect((await send(input)).fields).toHaveProperty('form')
    expect((await send({ ...input, invitation: token })).fields).toEqual({ email: 'The invitation is for another address' })
    const both = await Promise.all([await filled(token), await filled(token)].map((form) => send({ ...form, email, invitation: token })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect(await stands(email)).toMatchObject({ status: 'active', manager_id: manager.managerId })
    const { list } = (await manager.call(applicationApi.invitations, { body: {} })).data
    expect(list).toMatchObject([{ email, state: 'used', affiliate: { name: input.name } }])
    expect((await open(token)).link).toBe('expired')
  })

  test('an invitation can be taken back by who sees it, and ends when another goes to the same address', async () => {
    await settings({ mode: 'invitation' })
    const [manager, other] = [await api.as('manager'), await api.as('manager')]
    const { email } = person()
    const first = (await manager.call(applicationApi.invite, { body: { email, language: 'en' } })).data
    const second = (await manager.call(applicationApi.invite, { body: { email, language: 'en' } })).data
    expect((await open(tokenIn(first.link ?? ''))).link).toBe('expired')
    expect((await open(tokenIn(second.link ?? ''))).link).toBe('invitation')
    const again = await other.call(applicationApi.invite, { body: { email, language: 'en' } })
    expect(again.fields).toEqual({ email: 'Somebody else has invited this address' })
    expect((await open(tokenIn(second.link ?? ''))).link).toBe('invitation')
    expect((await other.call(applicationApi.revoke, { params: { uuid: second.uuid } })).status).toBe(404)
    expect((await manager.call(applicationApi.revoke, { params: { uuid: second.uuid } })).status).toBe(200)
    expect((await manager.call(applicationApi.revoke, { params: { uuid: second.uuid } })).status).toBe(404)
    expect((await open(tokenIn(second.link ?? ''))).link).toBe('expired')
  })
})

describe('robots', () => {
  beforeEach(() => settings({ mode: 'moderated' }))

  test('a form that was never opened, sent at once, too old or sent twice is refused in words', async () => {
    const { form } = await open()
    expect((await send({ ...person(), form: 'made-up' })).fields['form']).toContain('not opened here')
    expect((await send({ ...person(), form })).fields['form']).toContain('quicker than anybody types')
    api.clock.advance(5_000)
    const twice = await Promise.all([send({ ...person(), form }), send({ ...person(), form })])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 422])
    expect((await send({ ...person(), form })).fields['form']).toContain('sent already')
    const old = await open()
    api.clock.advance(12 * 3_600_000 + 1)
    expect((await send({ ...person(), form: old.form })).fields['form']).toContain('too long')
  })

  test('what fails leaves the form to be sent again', async () => {
    const input = await filled()
    expect((await send({ ...input, country: 'ZZ' })).fields).toEqual({ country: 'Choose from the list' })
    expect((await send(input)).status).toBe(200)
  })

  test('who fills what nobody sees is refused', async () => {
    expect((await send({ ...(await filled()), fax: '+1 555' })).fields).toHaveProperty('fax')
  })

  test('no more than twenty an hour come from one line, however the address is written', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 21; n++) {
      const answer = await fetch(`${api.url}${registrationApi.register.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `2001:db8:1:2::${n + 1}` },
        body: JSON.stringify({ ...person(), form: 'x' }),
      })
      statuses.push(answer.status)
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('what is asked', () => {
  test('two at once with one address make one account', async () => {
    await settings({ mode: 'moderated' })
    const { email } = person()
    const both = await Promise.all([await filled(), await filled()].map((form) => send({ ...form, email })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 409)?.fields).toEqual({ email: 'This e-mail is already in use' })
  })

  test('two at once with one telephone make one account, and it is kept as people write it', async () => {
    await settings({ mode: 'moderated' })
    const both = await Promise.all(
      [await filled(), await filled()].map((form, place) => send({ ...form, phone: place ? '+380 67 123-45-67' : '+380671234567' })),
    )
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    const row = await api.db.selectFrom('affiliate').select('phone').where('phone', '!=', '').executeTakeFirstOrThrow()
    expect(row.phone).toBe('+380 67 123 4567')
    expect((await send({ ...(await filled()), phone: '+380 12' })).fields['phone']).toContain('no such telephone')
  })

  test('fields are required, asked or not as the settings say, and choices are those of the list', async () => {
    await settings({ fields: { ...registrationSetting.defaults.fields, company: 'required', telegram: 'hidden', country: 'optional' } })
    const input = await filled()
    const refused = await send({ ...input, telegram: '@zoriana', traffic_sources: ['psychic'] })
    expect(refused.fields).toEqual({ company: 'Required', telegram: 'This is not asked here', traffic_sources: 'Choose from the list' })
    expect((await send({ ...input, company: 'Zoriana LLC', traffic_sources: ['seo'] })).status).toBe(200)
  })

  test('own questions are answered in either language and shown to staff with where somebody came from', async () => {
    const text = (en: string, uk: string) => ({ en, uk })
    const questions = [
      { id: 'how', kind: 'line', required: true, text: text('How did you hear of us?', 'Звідки ви про нас знаєте?'), options: [] },
      {
        id: 'volume',
        kind: 'choice',
        required: true,
        text: text('Clicks a day', 'Кліків на день'),
        options: [text('Up to 1,000', 'До 1000'), text('More', 'Більше')],
      },
    ] as const
    await settings({ mode: 'moderated', questions: questions.map((one) => ({ ...one, options: [...one.options] })) })
    const input = await filled()
    expect((await send({ ...input, answers: [{ question: 'volume', values: ['A lot'] }] })).fields).toEqual({
      'answers.how': 'Required',
      'answers.volume': 'Choose from the list',
    })
    const answers = [
      { question: 'how', values: ['<script>alert(1)</script>'] },
      { question: 'volume', values: ['До 1000'] },
    ]
    const source = { ref: 'p12', referrer: 'https://blog.example/post', landing: '/signup?ref=p12&utm_source=blog', utm_source: 'blog' }
    expect((await send({ ...input, answers, source })).status).toBe(200)
    const { uuid } = await stands(input.email)
    const { application } = (await admin.call(applicationApi.get, { params: { uuid } })).data
    expect(application?.answers).toEqual([
      { question: questions[0].text, values: [{ en: '<script>alert(1)</script>', uk: '<script>alert(1)</script>' }] },
      { question: questions[1].text, values: [text('Up to 1,000', 'До 1000')] },
    ])
    expect(application?.source).toMatchObject(source)
    const made = await admin.call(applicationApi.get, { params: { uuid: (await api.as('affiliate')).uuid } })
    expect(made.data.application).toBeNull()
  })

  test('settings that nobody could answer are refused', async () => {
    const question = { id: 'a', kind: 'choice', required: true, text: { en: 'Which?', uk: '' }, options: [] } as const
    expect((await settings({ questions: [{ ...question, options: [] }] })).fields).toHaveProperty(['questions.0.options'])
    expect((await settings({ questions: [{ ...question, kind: 'line', text: { en: '', uk: '' }, options: [] }] })).status).toBe(400)
  })

  test('in turn: each manager who looks after affiliates gets the next, also of those who come at once', async () => {
    await api.db.updateTable('manager').set({ type: 'support' }).execute()
    const managers = [await api.as('manager'), await api.as('manager'), await api.as('manager')]
    await settings({ mode: 'moderated' })
    const { data } = await admin.call(affiliateSettingApi.settings)
    await admin.call(affiliateSettingApi.updateSettings, { body: { ...data, manager: 'in_turn' } })
    const inputs = [await filled(), await filled(), await filled()]
    await Promise.all(inputs.map((input) => send(input)))
    const given = await Promise.all(inputs.map(async ({ email }) => (await stands(email)).manager_id))
    expect(given.toSorted()).toEqual(managers.map(({ managerId }) => managerId).toSorted())
  })
})

test('while one types, each thing is told to be free, taken or malformed, ten times a minute', async () => {
  const somebody = await api.as('affiliate', { email: 'taken@partners.example' })
  await api.db.updateTable('affiliate').set({ phone: '+48 512 345 678' }).where('id', '=', somebody.affiliateId).execute()
  const check = (body: Parameters<typeof api.guest.call<typeof registrationApi.checkUserData>>[1]) =>
    api.guest.call(registrationApi.checkUserData, body)
  expect((await check({ body: { email: ' Taken@Partners.example', phone: '+48512345678', login: 'nobody@x.example' } })).data).toEqual({
    email: 'taken',
    phone: 'taken',
    login: 'free',
  })
  expect((await check({ body: { email: 'nope', phone: '+48 1' } })).data).toEqual({ email: 'malformed', phone: 'malformed', login: null })
  for (let n = 0; n < 8; n++) expect((await check({ body: {} })).status).toBe(200)
  const refused = await check({ body: {} })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
  api.clock.advance(60_001)
  await settings({ mode: 'closed' })
  const nobodys = await check({ body: { email: 'taken@partners.example', login: 'taken@partners.example' } })
  expect(nobodys.data).toEqual({ email: null, phone: null, login: null })
})

test('the legal texts that hold are accepted, in the version that was shown, and kept with time and version', async () => {
  await settings({ mode: 'moderated' })
  const text = { kind: 'terms', language: 'uk', html: '<p>Перша</p><script>x</script>', note: 'First' } as const
  expect((await admin.call(legalApi.publish, { body: { ...text, version: 0 } })).data).toMatchObject({ version: 1, html: '<p>Перша</p>' })
  const { legal } = await open()
  expect(legal).toMatchObject([{ kind: 'terms' }])
  const input = await filled()
  expect((await send(input)).fields['accepted']).toContain('accept them')
  const accepted = legal.map(({ uuid }) => uuid)
  expect((await admin.call(legalApi.publish, { body: { ...text, html: '<p>Друга</p>', version: 0 } })).status).toBe(409)
  await admin.call(legalApi.publish, { body: { ...text, html: '<p>Друга</p>', version: 1 } })
  expect((await send({ ...input, accepted })).fields['accepted']).toContain('have changed')
  const fresh = (await open()).legal.map(({ uuid }) => uuid)
  expect((await send({ ...input, accepted: fresh })).status).toBe(200)
  const { list } = (await admin.call(legalApi.acceptances, { body: { search: input.email } })).data
  expect(list).toMatchObject([{ kind: 'terms', language: 'uk', version: 2, affiliate: { name: input.name } }])
  const { list: versions } = (await admin.call(legalApi.versions, { body: { kind: 'terms', language: 'uk' } })).data
  expect(versions).toMatchObject([
    { version: 2, accepted: 1 },
    { version: 1, accepted: 0, note: 'First' },
  ])
  expect((await api.guest.call(legalApi.read, { body: { kind: 'terms', language: 'en' } })).data.text).toMatchObject({
    language: 'uk',
    version: 2,
  })
  const old = versions[1]?.uuid ?? ''
  expect((await admin.call(legalApi.version, { params: { uuid: old } })).data.html).toBe('<p>Перша</p>')
  await api.db.deleteFrom('legal_acceptance').execute()
  await api.db.deleteFrom('legal_text').execute()
})

test('a draft of a legal text is seen by who writes it alone, until it is published', async () => {
  const which = { kind: 'privacy', language: 'en' } as const
  const save = (draft: string | null, html: string) => admin.call(legalApi.saveDraft, { body: { ...which, draft, html } })
  const current = async () => (await admin.call(legalApi.current, { body: which })).data
  const read = async () => (await api.guest.call(legalApi.read, { body: which })).data.text
  const first = (await save(null, '<p>One</p><script>x</script>')).data
  expect(first).toMatchObject({ version: 0, text: null, html: '<p>One</p>', draft: { saved_at: expect.any(String) } })
  expect(await read()).toBeNull()
  expect((await open()).legal).toEqual([])
  // of two who save over the same one, and of two who begin, one is taken
  expect((await save(null, '<p>Two</p>')).status).toBe(409)
  const both = await Promise.all(['<p>A</p>', '<p>B</p>'].map((html) => save(first.draft.revision, html)))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await admin.call(legalApi.preview, { body: { html: '<p>P</p><script>x</script>' } })).data).toEqual({ html: '<p>P</p>' })

  const publish = (draft: string | null) =>
    admin.call(legalApi.publish, { body: { ...which, version: 0, draft, html: '<p>Final</p>', note: 'First' } })
  expect((await publish(first.draft.revision)).status).toBe(409)
  expect((await publish((await current()).draft.revision)).data).toMatchObject({ version: 1, draft: { revision: null } })
  expect(await read()).toMatchObject({ version: 1, html: '<p>Final</p>' })

  // thrown away, what is published stays, and an old look at a draft is no look at the next one
  const thrown = (await save(null, '<p>Never</p>')).data.draft.revision ?? ''
  const discard = () => admin.call(legalApi.discardDraft, { body: { ...which, draft: thrown } })
  expect((await discard()).data).toMatchObject({ html: '<p>Final</p>', draft: { revision: null } })
  expect((await discard()).status).toBe(409)
  await save(null, '<p>Other</p>')
  expect((await save(thrown, '<p>Late</p>')).status).toBe(409)
  expect(await read()).toMatchObject({ version: 1 })
  const entries = await api.db.selectFrom('audit').select('action').where('entity_id', '=', 'privacy en').orderBy('id').execute()
  expect(entries.map(({ action }) => action)).toEqual(['save_draft', 'save_draft', 'publish', 'save_draft', 'discard_draft', 'save_draft'])
  await api.db.deleteFrom('legal_draft').execute()
  await api.db.deleteFrom('legal_text').execute()
})

test('a rejection tells the reason; taken back in time, nothing is sent', async () => {
  await setMail()
  await settings({ mode: 'moderated', confirm_email: false })
  const input = await filled()
  await send(input)
  const { uuid } = await stands(input.email)
  for (const reason of [{}, { reason: '' }, { reason: ' \n ' }]) {
    const wordless = await admin.call(affiliateApi.setStatus, { body: { uuids: [uuid], status: 'rejected', ...reason } })
    expect(Object.keys(wordless.fields)).toEqual(['reason'])
  }
  expect((await stands(input.email)).status).toBe('moderation')
  await admin.call(affiliateApi.setStatus, {
    body: { uuids: [uuid], status: 'rejected', expected: 'moderation', reason: 'No <b>site</b> given' },
  })
  const [, rejected] = await mailTo(input.email)
  expect(rejected).toMatchObject({ event: 'registration_rejected', values: { name: input.name, reason: 'No <b>site</b> given' } })
  expect(rejected?.next_at.getTime()).toBeGreaterThan(api.clock.now())
  expect((await admin.call(applicationApi.get, { params: { uuid } })).data.application).toMatchObject({ reason: 'No <b>site</b> given' })
  await admin.call(affiliateApi.undo, { body: { uuids: [uuid], status: 'rejected' } })
  expect((await stands(input.email)).status).toBe('moderation')
  expect((await mailTo(input.email)).map(({ event }) => event)).toEqual(['registration_received'])
  expect((await admin.call(applicationApi.get, { params: { uuid } })).data.application).toMatchObject({ reason: '', decided_at: null })
})

test('who has not confirmed an address for a week is forgotten, and the address free again', async () => {
  await setMail()
  await settings({ mode: 'moderated' })
  const input = await filled()
  await send(input)
  await cleanUpRegistrations(api.db, api.clock.now() + 6 * 86_400_000)
  expect((await stands(input.email)).status).toBe('unverified')
  await cleanUpRegistrations(api.db, api.clock.now() + 8 * 86_400_000)
  expect((await stands(input.email)).status).toBe('nobody')
  expect((await send({ ...(await filled()), email: input.email })).status).toBe(200)
})
