import { afterAll, beforeAll, expect, test } from 'vitest'
import { INVOICE_STATUSES } from '#contract/money/invoice.ts'
import { authApi } from '#contract/people/auth.ts'
import { constantApi } from '#contract/network/constant.ts'
import { runtimeApi } from '#contract/network/runtime.ts'
import { settingApi } from '#contract/network/setting.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { storeSetting } from './setting.queries.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ env: { COOKIE_TOKEN: 'white_label_token', ERROR_REPORTING_DSN: 'https://key@errors.example.com/1' } })
  admin = await api.as('admin')
})
afterAll(() => api.close())

test('title, colour and zone are changed once and seen by guests and in the constants', async () => {
  const before = (await admin.call(settingApi.general)).data
  expect(before).toMatchObject({ partner_title: 'Ohma', time_zone: 'UTC', base_currency: 'USD' })
  const saved = await admin.call(settingApi.updateGeneral, {
    body: { ...before, partner_title: 'Зірка', colour: '#AA0011', time_zone: 'Asia/Kolkata' },
  })
  expect(saved.data.partner_title).toBe('Зірка')
  expect((await api.guest.call(runtimeApi.runtime)).data).toMatchObject({ partner_title: 'Зірка', colour: '#AA0011' })
  expect((await admin.call(constantApi.all)).data.partner_settings).toEqual({ time_zone: 'Asia/Kolkata', zone_hours: '+05:30' })
  // whoever answers first lives in that zone too, and nobody else does by a later change
  expect((await admin.call(authApi.me)).data.time_zone).toBe('Asia/Kolkata')
  const { changed: _changed, ...later } = saved.data
  const other = await api.as('head')
  await other.call(settingApi.updateGeneral, { body: { ...later, language: 'uk' } })
  expect([(await admin.call(authApi.me)).data.language, (await other.call(authApi.me)).data.language]).toEqual(['en', 'en'])
  const { changed: _again, ...back } = (await admin.call(settingApi.general)).data
  await admin.call(settingApi.updateGeneral, { body: { ...back, language: 'en' } })
})

test('settings that somebody saved since they were read are not overwritten, not even by two at once', async () => {
  const before = (await admin.call(settingApi.general)).data
  const save = (partner_title: string) => admin.call(settingApi.updateGeneral, { body: { ...before, partner_title } })
  const answers = await Promise.all([save('One'), save('Other')])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const stored = (await admin.call(settingApi.general)).data
  expect(stored).toEqual(answers.find(({ status }) => status === 200)?.data)
  expect((await save('Late')).status).toBe(409)
})

test('settings stored under a looser rule are answered, and hold until somebody saves others', async () => {
  const of = (key: string) => api.db.selectFrom('setting').select('value').where('key', '=', key)
  const kept = (await of('general').executeTakeFirstOrThrow()).value
  const store = (key: string, value: object) => storeSetting(api.db, Date.now(), key, value)
  await store('general', { address_days: 5000, partner_title: 'x'.repeat(300) })
  expect((await api.guest.call(runtimeApi.runtime)).data.partner_title).toHaveLength(300)
  const before = (await admin.call(settingApi.general)).data
  expect(before.address_days).toBe(5000)
  expect(Object.keys((await admin.call(settingApi.updateGeneral, { body: before })).fields).toSorted()).toEqual([
    'address_days',
    'partner_title',
  ])
  await store('general', Object(kept))

  const allowed_ips = Array.from({ length: 300 }, (_, at) => `203.0.113.${at % 256}`)
  await store('postback', { allowed_ips })
  expect((await admin.call(postbackApi.incoming)).data).toMatchObject({ token: null, allowed_ips, statuses: {} })
})

test('the log tells that the logo is another one without keeping the picture', async () => {
  const logo = `data:image/png;base64,${pngOf(40, 20).toString('base64')}`
  const before = (await admin.call(settingApi.general)).data
  await admin.call(settingApi.updateGeneral, { body: { ...before, logo } })
  const entry = await api.db.selectFrom('audit').select('after').where('entity_id', '=', 'general').orderBy('id', 'desc').executeTakeFirst()
  expect(entry?.after).toEqual({ logo: expect.stringMatching(/^\(picture [0-9a-f]{8}\)$/) })
})

test('the names of the cookies come from the environment through the runtime settings', async () => {
  const { cookies, error_reporting_dsn } = (await api.guest.call(runtimeApi.runtime)).data
  expect(cookies).toMatchObject({ token: 'white_label_token', role: 'ohma_role', oldToken: 'ohma_old_token' })
  expect(error_reporting_dsn).toBe('https://key@errors.example.com/1')
})

test('a favicon is a real picture, served to everybody, and asked for again only when it is another one', async () => {
  const ask = (headers = {}) => fetch(`${api.url}/favicon`, { headers })
  const before = (await admin.call(settingApi.general)).data
  await admin.call(settingApi.updateGeneral, { body: { ...before, partner_title: '<Ж>&', colour: '#ffee00', favicon: null } })
  const drawn = await ask()
  expect(drawn.headers.get('content-type')).toBe('image/svg+xml')
  expect(await drawn.text()).toMatch(/fill="#ffee00".*fill="#000000">&#60;<\/text>/s)

  const picture = pngOf(64, 64)
  const save = async (favicon: string | null) => {
    const { version } = (await admin.call(settingApi.general)).data
    return admin.call(settingApi.updateGeneral, { body: { ...before, favicon, version } })
  }
  // the beginning of a picture is none
  const broken = await save(`data:image/png;base64,${picture.subarray(0, 60).toString('base64')}`)
  expect([broken.status, Object.keys(broken.fields)]).toEqual([422, ['favicon']])
  expect((await save(`data:image/png;base64,${picture.toString('base64')}`)).status).toBe(200)
  const served = await ask()
  expect(served.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await served.arrayBuffer())).toEqual(picture)
  const again = await ask({ 'if-none-match': served.headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect((await save(null)).status).toBe(200)
  expect((await ask({ 'if-none-match': served.headers.get('etag') ?? '' })).status).toBe(200)
})

test('people may choose the languages that are offered, and whoever had another gets the default', async () => {
  const before = (await admin.call(settingApi.general)).data
  const speaker = await api.as('affiliate')
  const me = { name: 'Ann', time_zone: 'UTC' }
  expect((await speaker.call(authApi.updateProfile, { body: { ...me, language: 'en' } })).status).toBe(200)
  const save = async (body: object) => {
    const { version } = (await admin.call(settingApi.general)).data
    return admin.call(settingApi.updateGeneral, { body: { ...before, ...body, version } })
  }
  expect(Object.keys((await save({ languages: ['uk'], language: 'en' })).fields)).toEqual(['language'])
  expect(Object.keys((await save({ languages: [] })).fields)).toEqual(['languages'])
  expect((await save({ languages: ['uk'], language: 'uk' })).status).toBe(200)
  expect((await api.guest.call(runtimeApi.runtime)).data).toMatchObject({ languages: ['uk'], language: 'uk' })
  expect((await speaker.call(authApi.me)).data.language).toBe('uk')
  const refused = await speaker.call(authApi.updateProfile, { body: { ...me, language: 'en' } })
  expect([refused.status, Object.keys(refused.fields)]).toEqual([422, ['language']])
  expect((await save({ languages: ['en', 'uk'], language: 'en' })).status).toBe(200)
})

test('a logo that is no picture, an unknown zone and a bad colour are refused at their fields', async () => {
  const before = (await admin.call(settingApi.general)).data
  const answer = await admin.call(settingApi.updateGeneral, {
    body: { ...before, logo: 'data:image/svg+xml;base64,PHN2Zz4=', time_zone: 'Mars/Olympus', colour: 'red' },
  })
  expect(answer.status).toBe(400)
  expect(Object.keys(answer.fields).toSorted()).toEqual(['colour', 'logo', 'time_zone'])
})

test('a zone has one name, whichever of its names is saved', async () => {
  const before = (await admin.call(settingApi.general)).data
  const after = await admin.call(settingApi.updateGeneral, { body: { ...before, time_zone: 'Europe/Kiev' } })
  expect(after.data.time_zone).toBe('Europe/Kyiv')
})

test('the constants hold real data and list exactly the screens of the role', async () => {
  const { data } = await admin.call(constantApi.all)
  expect(data.geos['UA']).toBe('Ukraine')
  expect(data.country_code_phone['UA']).toEqual({ name: 'Ukraine', code: '380' })
  expect(Object.keys(data.geos).length).toBeGreaterThan(230)
  expect(Object.keys(data.time_zones).length).toBeGreaterThan(400)
  expect(Object.keys(data.time_zones).filter((zone) => /Kiev|Kyiv/.test(zone))).toEqual(['Europe/Kyiv'])
  expect(data.currency).toMatchObject({ USD: expect.any(String), EUR: expect.any(String), UAH: expect.any(String) })
  expect(Object.keys(data.paid_statuses)).toEqual(INVOICE_STATUSES)
  expect(data.time).toMatchObject({ '00:30': '00:30', hour: 'Hours' })
  expect(data.macros.map((macro) => macro.name)).toContain('aff_click_id')
  expect(data.page_access).toContain('affiliates')
  const affiliate = await api.as('affiliate')
  expect((await affiliate.call(constantApi.all)).data.page_access).not.toContain('affiliates')
  const guest = await api.guest.call(constantApi.guest)
  expect(guest.data.country_code_phone['380']).toBe('Ukraine')
  expect(guest.data).toMatchObject({ verticals: data.verticals, geos: data.geos, traffic: data.traffic })
  expect([guest.data.verticals['nutra'], guest.data.geos['UA'], guest.data.traffic['push']]).toEqual(['Nutra', 'Ukraine', 'Push'])
})
