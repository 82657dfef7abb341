import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { legalApi } from '#contract/network/legal.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('who is signed in is led from every public page to the dashboard, and reads the texts in a dialog', async () => {
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const text = { kind: 'terms', language: 'en', version: 0, html: '<h2>1. Traffic</h2><p>Be fair.</p>', note: 'First' } as const
  expect((await admin.call(legalApi.publish, { body: text })).status).toBe(200)
  const { page } = await panel.open('/signup', admin)
  await page.waitForURL(/\/dashboard/)
  for (const path of ['/password-recovery', '/user-terms-and-conditions', '/user-agreement', '/user-privacy-policy', '/login']) {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.waitForURL(/\/dashboard/)
  }
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Legal texts' }).click()
  await page.getByRole('dialog').getByText('Be fair.').waitFor()
})
