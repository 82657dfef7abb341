import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeLogins } from '#test/support/fault/login-timing.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi({ env: { TRUST_PROXY: '127.0.0.1' } })
})
afterAll(() => api.close())

test('the medians of 500 sign-ins with and without somebody behind the address differ by less than 5 %', { timeout: 300_000 }, async () => {
  const apart = await timeLogins(api, 500, { share: 0.5, within: 1 })
  expect(apart).toBeLessThan(0.05)
})
