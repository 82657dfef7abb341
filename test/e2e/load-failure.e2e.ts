import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { clickApi } from '#contract/traffic/click.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { follow, sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'

let panel: Panel
let advertiser: string
beforeAll(async () => {
  panel = await sharedPanel()
  advertiser = (await makeAdvertiser(panel.api.db, { name: 'Loads badly' })).uuid
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** A screen, what it loads, and what stays above what could not be loaded. */
type Row = [screen: string, loads: { path: string }, kept: (page: Page) => ReturnType<Page['locator']>]
const toolbar = (page: Page) => page.getByRole('toolbar')
const search = (page: Page) => page.getByRole('searchbox').or(page.getByPlaceholder(/./)).first()
const tab = (name: string) => (page: Page) => page.locator('main').getByRole('link', { name })

async function failsOnce(role: 'admin' | 'affiliate', rows: Row[]) {
  const { page } = await panel.open('/profile', { ...(await panel.api.as(role)), role })
  await page.locator('main h1').first().waitFor()
  const retry = page.locator('main').getByRole('button', { name: 'Try again' })
  for (const [screen, { path }, kept] of rows) {
    const address = `**${path.replace(/:\w+/g, '*')}`
    await page.route(address, (route) => route.fulfill({ status: 500, body: 'broken' }))
    await follow(page, screen)
    await retry.waitFor()
    await kept(page).first().waitFor()
    expect(await page.locator('main [role=alert]').allInnerTexts(), screen).toEqual([
      expect.stringContaining('500: Server error. Please contact support.'),
    ])
    await page.unroute(address)
    await retry.click()
    await retry.waitFor({ state: 'detached' })
  }
}

test('what could not be loaded is said where it would stand, with another try; what is above it stays', () =>
  failsOnce('admin', [
    ['/statistic/direct-link/general?f.country=PL', reportApi.run, toolbar],
    ['/statistic/direct-link/clicks', clickApi.list, search],
    ['/billing?view=advertisers&part=invoices', advertiserInvoiceApi.list, tab('Receipts')],
    [`/roles/advertisers/edit/${advertiser}?tab=billing`, advertiserBillingApi.account, tab('Activity')],
    ['/billing?view=ledger', ledgerApi.trialSums, (page) => page.getByRole('combobox', { name: 'Month' })],
  ]))

test('so it is for an affiliate', () =>
  failsOnce('affiliate', [
    ['/payments', ledgerApi.ownAccounts, tab('Invoices')],
    ['/statistic/direct-link/conversion', conversionApi.list, search],
  ]))

test('the way out of an address nobody can answer leads to the same tab without its filters', async () => {
  const { page } = await panel.open('about:blank', { ...(await panel.api.as('admin')), role: 'admin' })
  await page.route(`**${advertiserInvoiceApi.list.path}`, (route) => route.fulfill({ status: 400, body: 'unread' }))
  await page.goto('/billing?view=advertisers&part=invoices&status=draft')
  await page.getByRole('link', { name: 'Reset filters' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?view=advertisers&part=invoices')
})

test('old rows stay where they are loaded anew and that fails', async () => {
  const { page } = await panel.open('/roles/advertisers', { ...(await panel.api.as('admin')), role: 'admin' })
  const row = page.getByRole('row', { name: /Loads badly/ })
  await row.waitFor()
  await page.route('**/api/advertiser/v1/list', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await page.locator('[data-notification=error]', { hasText: '500: Server error.' }).waitFor()
  expect(await row.count()).toBe(1)
})
