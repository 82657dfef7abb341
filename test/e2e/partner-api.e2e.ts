import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { KEY_SCOPES } from '#contract/people/key-scope.ts'
import { expectAccessibleInBothSchemes } from '#test/support/browser/accessible.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeKey } from '#test/support/make/api-key.ts'

let panel: Panel
beforeAll(async () => {
  panel = await sharedPanel()
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('an affiliate opens the partner API from the account menu, and tries a call with its key', async () => {
  const person = await panel.api.as('affiliate', { name: 'Programmer' })
  const key = await makeKey(panel.api, person, KEY_SCOPES)
  const { page, problems } = await panel.open('/offers/all', { ...person, role: 'affiliate' })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Partner API' }).click()
  await page.getByLabel('API key').fill(key)
  await page.getByRole('button', { name: /^Balance/ }).click()
  const call = page.getByRole('region', { name: 'What you have and wait for, by currency.' })
  await call.getByText('Python', { exact: true }).click()
  expect(await call.getByLabel('Example of /api/partner/v1/balance').textContent()).toContain('urllib.request')
  await call.getByRole('button', { name: 'Try it' }).click()
  await call.getByText('Answer 200').waitFor()
  await expectAccessibleInBothSchemes(page)
  expect(problems).toEqual([])
})
