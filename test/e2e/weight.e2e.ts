import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startPanel, type Panel } from '#test/support/panel.ts'
import { fetchedBy, totalOf } from '#test/support/web-weight.ts'

let panel: Panel

beforeAll(async () => {
  panel = await startPanel()
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('sign-in fetches less than 200 KB in all', async () => {
  const { page } = await panel.open('/login')
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  await page.waitForLoadState('networkidle')
  const fetched = await fetchedBy(page)
  expect(totalOf(fetched), JSON.stringify(fetched, undefined, 1)).toBeLessThan(200_000)
})

test('the first screen of the panel fetches less than 450 KB in all, its chart included', async () => {
  const { page } = await panel.open('/dashboard', { ...(await panel.api.as('admin')), role: 'admin' })
  await page.getByRole('region', { name: 'Last 30 days', exact: true }).getByRole('img').locator('svg').waitFor()
  await page.waitForLoadState('networkidle')
  const fetched = await fetchedBy(page)
  expect(totalOf(fetched), JSON.stringify(fetched, undefined, 1)).toBeLessThan(450_000)
})
