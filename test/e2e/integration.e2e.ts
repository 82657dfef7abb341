import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'

let mock: MockAdvertiser
let panel: Panel
beforeAll(async () => {
  mock = await startMockAdvertiser()
  panel = await startPanel({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
}, 180_000)
afterAll(async () => {
  await panel.close()
  await mock.close()
})
afterEach(() => panel.closePages())

test('an integration is written without code, and a manager’s product is ready once the advertiser’s system accepted a test', async () => {
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const { page, problems } = await panel.open('/settings/test-api/integrations', admin)
  await page.getByRole('button', { name: 'New integration' }).first().click()
  const making = page.getByRole('dialog', { name: 'New integration' })
  await making.getByLabel('Name').fill('Kestrel CRM')
  await making.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { level: 1, name: 'Kestrel CRM' }).waitFor()
  await page.getByRole('button', { name: 'Show what would be sent' }).click()
  await page.getByRole('group', { name: 'The lead' }).getByText('POST https://advertiser.example/leads').waitFor()
  await page.getByLabel('What came back').fill('{"success": true, "id": 7}')
  await page.getByRole('button', { name: 'What would it mean?' }).click()
  await page.getByText('by rule 1').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish version 1' }).click()
  await page.getByText('Version 1', { exact: true }).waitFor()

  const manager = { ...(await panel.api.as('manager')), role: 'manager' as const }
  const { uuid } = await makeAdvertiser(panel.api.db, { name: 'Kestrel Bank', managerId: manager.managerId })
  const { page: own, problems: ownProblems } = await panel.open(`/roles/advertisers/edit/${uuid}?tab=products`, manager)
  await own.getByRole('button', { name: 'New product' }).first().click()
  await own.getByRole('combobox', { name: 'Integration' }).fill('kest')
  await own.getByRole('option', { name: /Kestrel CRM/ }).click()
  await own.getByLabel('API key').first().fill(mock.key)
  await own.getByLabel('Address').fill(mock.host)
  await own.getByRole('button', { name: 'Create product' }).click()
  await own.getByText('Not tested').waitFor()
  await own.getByLabel('First name').fill('Ada')
  await own.getByRole('button', { name: 'Send a test lead' }).click()
  const result = own.getByRole('group', { name: 'What it came to' })
  await result.getByText('Their id: M-1').waitFor()
  await own.getByText('Tested', { exact: true }).first().waitFor()
  await expectAccessible(own)
  expect(mock.leads).toMatchObject([{ id: 'M-1' }])
  expect(await own.content()).not.toContain(mock.key)
  expect([...problems, ...ownProblems]).toEqual([])
}, 120_000)
