import { afterAll, beforeAll, expect, test } from 'vitest'
import { settingApi } from '#contract/network/setting.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('the network’s trafficback address is kept with its macros, logged, and may be taken away', async () => {
  const head = await api.as('head')
  expect((await head.call(settingApi.trafficback)).data).toEqual({ url: '', version: 0, changed: null })
  const url = 'https://else.example/?o={offer_id}&why={reason}'
  expect((await head.call(settingApi.updateTrafficback, { body: { url, version: 0 } })).data).toMatchObject({ url, version: 1 })
  expect((await head.call(settingApi.updateTrafficback, { body: { url: '', version: 1 } })).data).toMatchObject({ url: '', version: 2 })
  const entries = await api.db
    .selectFrom('audit')
    .select(['before', 'after'])
    .where('entity_id', '=', 'trafficback')
    .orderBy('id')
    .execute()
  expect(entries).toEqual([
    { before: { url: '' }, after: { url } },
    { before: { url }, after: { url: '' } },
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
  const answer = await admin.call(settingApi.updateTrafficback, { body: { url, version: 2 } })
  expect([400, 422]).toContain(answer.status)
  expect(Object.keys(answer.fields)).toEqual(['url'])
})
