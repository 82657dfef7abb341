import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { expectAccessibleInBothSchemes } from '#test/support/browser/accessible.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { caller } from '#test/support/run/api.ts'

const PASSWORD = 'small lamp glows'

let panel: Panel
beforeAll(async () => {
  panel = await sharedPanel()
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('a key is made in the account menu, shown once, used by a program within its scope, and refused once it is revoked', async () => {
  const { api } = panel
  const person = await api.as('manager', { name: 'Key Maker' })
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', person.accountId)
    .execute()
  const { page } = await panel.open('/roles/affiliates', { ...person, role: 'manager' })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  const dialog = page.getByRole('dialog', { name: 'Security' })
  await dialog.getByRole('tab', { name: 'API keys' }).click()
  await dialog.getByText('No keys yet.').waitFor()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  await dialog.getByText('Choose at least one').first().waitFor()
  await dialog.getByLabel('What it is for').fill('CRM')
  await dialog.getByRole('radiogroup', { name: 'People' }).getByText('Read', { exact: true }).click()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await expectAccessibleInBothSchemes(page)
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  const shown = dialog.getByLabel('Your key')
  await shown.waitFor()
  const key = await shown.inputValue()
  expect(await dialog.getByLabel('Example of a call').textContent()).toContain(`${api.url}${authApi.me.path}`)
  await expectAccessibleInBothSchemes(page)
  await dialog.getByLabel('I have kept the key').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText('People: read').waitFor()

  const call = caller(api.url, key)
  expect((await call(affiliateApi.list)).status).toBe(200)
  expect((await call(affiliateApi.setStatus, { body: { uuids: [person.uuid], status: 'banned' } })).errors).toHaveProperty('1060')
  await dialog.getByRole('button', { name: 'Revoke: CRM' }).click()
  await page.getByRole('dialog', { name: 'Revoke the key “CRM”?' }).getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByText('Revoked').waitFor()
  expect((await call(affiliateApi.list)).status).toBe(401)
})
