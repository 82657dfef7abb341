import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingApi, trafficbackSetting } from '#contract/network/setting.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

const NONE = trafficbackSetting.defaults

test('the network’s trafficback addresses are kept with their macros, logged, and may be taken away', async () => {
  const head = await api.as('head')
  expect((await head.call(settingApi.trafficback)).data).toEqual({ ...NONE, version: 0, changed: null })
  const said = { ...NONE, url: 'https://else.example/?o={offer_id}&why={reason}', place_url: 'https://world.example/?geo={geo}' }
  expect((await head.call(settingApi.updateTrafficback, { body: { ...said, version: 0 } })).data).toMatchObject({ ...said, version: 1 })
  expect((await head.call(settingApi.updateTrafficback, { body: { ...NONE, version: 1 } })).data).toMatchObject({ ...NONE, version: 2 })
  const entries = await api.db
    .selectFrom('audit')
    .select(['before', 'after'])
    .where('entity_id', '=', 'trafficback')
    .orderBy('id')
    .execute()
  const { url, place_url } = said
  expect(entries).toEqual([
    { before: { url: '', place_url: '' }, after: { url, place_url } },
    { before: { url, place_url }, after: { url: '', place_url: '' } },
  ])
})

test.each([
  'ftp://else.example/',
  'https://else.example/?p={payout}',
  'https://{geo}.example/',
  'https://else.example/?x={nothing}',
  'https://good.example@evil.example/',
])('%s is refused at its field', async (url) => {
  const admin = await api.as('admin')
  for (const field of ['url', 'cap_url']) {
    const answer = await admin.call(settingApi.updateTrafficback, { body: { ...NONE, [field]: url, version: 2 } })
    expect([400, 422]).toContain(answer.status)
    expect(Object.keys(answer.fields)).toEqual([field])
  }
})
