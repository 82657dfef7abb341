import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { follow, startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeMockProduct } from '#test/support/make/leads.ts'
import { makeProduct } from '#test/support/make/products.ts'

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
  // what was never published is not called active, neither here nor in the list
  await page.locator('main header').getByText('Not published', { exact: true }).waitFor()
  await follow(page, '/settings/test-api/integrations')
  await page
    .getByRole('row', { name: /Kestrel CRM/ })
    .getByText('Not published', { exact: true })
    .waitFor()
  await page.getByRole('link', { name: 'Kestrel CRM' }).click()
  await page.getByRole('button', { name: 'Show what would be sent' }).click()
  await page.getByRole('group', { name: 'The lead' }).getByText('POST https://advertiser.example/leads').waitFor()
  // a log-in that is kept says when what it gave ends
  await page.getByRole('button', { name: 'Add a call' }).click()
  const step = page.getByRole('group', { name: 'Calls before the lead, row 1' })
  await step.getByLabel('Keep what it gives, seconds').fill('3600')
  await step.getByLabel('Where it says when it ends').fill('expires_in')
  await step.getByRole('button', { name: 'Remove row' }).last().click()
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
  const head = own.locator('main header').filter({ hasText: 'Kestrel CRM' })
  await head.getByText('Untested', { exact: true }).waitFor()
  await own.getByLabel('First name').fill('Ada')
  await own.getByRole('button', { name: 'Send a test lead' }).click()
  const result = own.getByRole('group', { name: 'What it came to' })
  await result.getByText('Their id: M-1').waitFor()
  await own.getByText('Tested', { exact: true }).first().waitFor()
  // the head says what the cascade says of it
  await head.getByText('Works', { exact: true }).waitFor()
  for (const [move, state] of [
    ['Pause', 'Paused'],
    ['Take leads again', 'Works'],
  ] as const) {
    await head.getByRole('button', { name: /actions/i }).click()
    await own.getByRole('menuitem', { name: move }).click()
    await head.getByText(state, { exact: true }).waitFor()
  }
  // what it pays by its contract, and when it is left alone
  await own.getByRole('button', { name: 'Add price' }).click()
  const price = own.getByRole('group', { name: 'Price 1' })
  await own.getByLabel('Errors in a row').fill('3')
  await own.getByRole('button', { name: 'Save changes' }).click()
  await price.getByText('Required').waitFor()
  await price.getByLabel('Advertiser pays').fill('450,50')
  await own.getByRole('button', { name: 'Save changes' }).click()
  await own.getByText('Saved').first().waitFor()
  await own.reload()
  await expect.poll(() => price.getByLabel('Advertiser pays').inputValue()).toBe('450.5')
  expect(await own.getByLabel('Errors in a row').inputValue()).toBe('3')
  await expectAccessible(own)
  expect(mock.leads).toMatchObject([{ id: 'M-1' }])
  expect(await own.content()).not.toContain(mock.key)
  expect([...problems, ...ownProblems]).toEqual([])
}, 120_000)

test('an API offer is made of a tested product, and its simulator says who would be asked, and why nobody is', async () => {
  const manager = { ...(await panel.api.as('manager')), role: 'manager' as const }
  const affiliate = await panel.api.as('affiliate', { managerId: manager.managerId })
  const { db, clock } = panel.api
  const [one, two] = [
    await makeProduct(db, (await makeAdvertiser(db, { name: 'Heron Shop', managerId: manager.managerId })).id, clock.now()),
    await makeMockProduct(db, (await makeAdvertiser(db, { name: 'Finch Shop', managerId: manager.managerId })).id, mock, clock.now()),
  ]
  const tested = {
    tested_version_id: (await db.selectFrom('product').select('version_id').where('id', '=', one.id).executeTakeFirstOrThrow()).version_id,
  }
  await db
    .updateTable('product')
    .set({
      ...tested,
      tested_at: new Date(clock.now()),
      title: 'Heron',
      prices: JSON.stringify([{ goal: 'lead', geos: [], price: '24.0000' }]),
    })
    .where('id', '=', one.id)
    .execute()
  const untested = { title: 'Finch', tested_version_id: null, tested_at: null }
  const { integration_id } = await db
    .updateTable('product')
    .set(untested)
    .where('id', '=', two.id)
    .returning('integration_id')
    .executeTakeFirstOrThrow()
  await db.updateTable('integration').set({ type: 'generic' }).where('id', '=', integration_id).execute()

  const { page, problems } = await panel.open('/offers', manager)
  await page.getByRole('button', { name: 'Add offer' }).click()
  await page.getByRole('menuitem', { name: 'API offer' }).click()
  await page.getByRole('textbox', { name: 'Title', exact: true }).first().fill('Watches')
  const group = page.getByRole('region', { name: 'Group 1' })
  await group.getByRole('combobox', { name: 'Add product' }).fill('Finch')
  await page.getByRole('option', { name: /Finch/ }).click()
  // whoever edits the offer runs the test there, and the product is taken at once
  const first = page.getByRole('dialog', { name: 'Test Finch first' })
  expect(await first.getByRole('button', { name: 'Add to the offer' }).isDisabled()).toBe(true)
  await first.getByLabel('E-mail').fill('finch@mail.example')
  await first.getByRole('button', { name: 'Send a test lead' }).click()
  await first.getByRole('group', { name: 'What it came to' }).waitFor()
  await first.getByRole('button', { name: 'Add to the offer' }).click()
  await group.getByRole('group', { name: 'Finch' }).getByRole('button', { name: 'Remove Finch' }).click()
  await group.getByRole('combobox', { name: 'Add product' }).fill('Heron')
  await page.getByRole('option', { name: /Heron/ }).click()
  const member = group.getByRole('group', { name: 'Heron' })
  await member.getByRole('button', { name: 'Terms of Heron' }).press('Enter')
  await member.getByRole('button', { name: 'Add price' }).press('Enter')
  await member.getByLabel('Advertiser pays').fill('30')
  await member.getByLabel('Affiliate gets').fill('21')
  await member.getByRole('combobox', { name: 'Countries' }).first().fill('Ukraine')
  await page.getByRole('option', { name: 'Ukraine' }).click()
  await page.keyboard.press('Escape')
  await member.getByText(/^The product’s own, wherever nothing stands above: Lead \$24\.00$/).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { level: 1, name: 'Watches' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/offers\/detail-api\//)
  expect(await page.title()).toMatch(/Api$/)
  const leads = page.getByRole('region', { name: 'Leads' })
  for (const text of ['UA', /^Sale: brings \$30\.00, pays \$21\.00$/, /^the product’s own prices: Lead \$24\.00/])
    await leads.getByText(text, { exact: true }).first().waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'Simulator' }).click()
  const question = page.getByRole('form', { name: 'What would happen to a lead' })
  await question.getByRole('combobox', { name: 'Affiliate' }).fill(String(affiliate.affiliateId))
  await page.getByRole('option').first().click()
  await question.getByRole('combobox', { name: 'Country' }).fill('Poland')
  await page.getByRole('option', { name: 'Poland' }).click()
  const run = page.getByRole('button', { name: 'Simulate' })
  await run.click()
  await page.getByText('The offer is a draft.').waitFor()
  await page.getByText('It takes no leads from PL.').waitFor()
  await question.getByRole('combobox', { name: 'Country' }).fill('Ukraine')
  await page.getByRole('option', { name: 'Ukraine' }).click()
  await run.click()
  await page.getByText('Asked first').waitFor()
  await page.getByText('Sale: brings $30.00, pays $21.00').waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
}, 120_000)
