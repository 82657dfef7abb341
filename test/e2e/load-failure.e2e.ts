import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { billingRunApi } from '#contract/money/billing-run.ts'
import { commissionApi } from '#contract/money/commission.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { payoutApi } from '#contract/money/payout.ts'
import { reconciliationApi } from '#contract/money/reconciliation.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { referralApi } from '#contract/people/referral.ts'
import { clickApi } from '#contract/traffic/click.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'

let panel: Panel
let advertiser: string
beforeAll(async () => {
  panel = await sharedPanel()
  advertiser = (await makeAdvertiser(panel.api.db, { name: 'Loads badly' })).uuid
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** What says that something failed: in the page, and as a notification. */
const said = (page: Page) =>
  page.evaluate<{ alerts: number; sentences: number; notifications: number; tries: number }>(`(() => {
    const count = (selector) => document.querySelectorAll(selector).length
    const sentence = '500: Server error. Please contact support.'
    return {
      alerts: count('main [role=alert]'),
      sentences: document.body.innerText.split(sentence).length - 1,
      notifications: count('[data-notification]'),
      tries: [...document.querySelectorAll('main button')].filter((one) => one.textContent === 'Try again').length,
    }
  })()`)
/** Counts from now on the notifications that are shown, those that stand there already too. */
const COUNT_NOTIFICATIONS = `(() => {
  const isOne = (node) => node instanceof Element && (node.matches('[data-notification]') || node.querySelector('[data-notification]') !== null)
  self.told = document.querySelectorAll('[data-notification]').length
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) self.told += [...addedNodes].filter(isOne).length
  }).observe(document.body, { childList: true, subtree: true })
})()`
const ONCE = { alerts: 1, sentences: 1, notifications: 0, tries: 1 }

/** A screen, what it loads, and what stays above what could not be loaded. */
type Row = [screen: string, loads: { path: string }, kept: (page: Page) => ReturnType<Page['locator']>]
const toolbar = (page: Page) => page.getByRole('toolbar')
const search = (page: Page) => page.getByRole('searchbox').or(page.getByPlaceholder(/./)).first()
const tab = (name: string) => (page: Page) => page.locator('main').getByRole('link', { name })

const STAFF: Row[] = [
  ['/statistic/direct-link/general?f.country=PL', reportApi.run, toolbar],
  ['/statistic/direct-link/clicks', clickApi.list, search],
  ['/statistic/direct-link/conversion', conversionApi.list, search],
  ['/statistic/api/general', reportApi.run, toolbar],
  ['/statistic/api/user-session', userSessionApi.list, search],
  ['/statistic/postbacks', postbackApi.list, search],
  ['/billing', invoiceApi.list, tab('Payout files')],
  ['/billing?view=runs', billingRunApi.list, tab('Payout files')],
  ['/billing?view=payouts', payoutApi.list, tab('Runs')],
  ['/billing?view=referrals', referralApi.list, tab('Payout files')],
  ['/billing?view=advertisers&part=invoices', advertiserInvoiceApi.list, tab('Receipts')],
  ['/billing?view=reconcile', reconciliationApi.list, tab('Reconcile')],
  ['/billing?view=ledger', ledgerApi.trialSums, (page) => page.getByRole('combobox', { name: 'Month' })],
  ['/billing?view=commission', commissionApi.list, tab('Ledger')],
]
const OWN: Row[] = [
  ['/payments', ledgerApi.ownAccounts, tab('Invoices')],
  ['/payments?view=invoices', ownInvoiceApi.list, tab('Balance')],
  ['/statistic/direct-link/conversion', conversionApi.list, search],
]

async function failsOnce(role: 'admin' | 'affiliate', [screen, { path }, kept]: Row) {
  const { page } = await panel.open('about:blank', { ...(await panel.api.as(role)), role })
  const address = `**${path.replace(/:\w+/g, '*')}`
  await page.route(address, (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.goto(screen)
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await kept(page).first().waitFor()
  await page.evaluate(COUNT_NOTIFICATIONS)
  // a notification would come after the page has said it: the next failure has come by then
  const again = page.waitForResponse(address)
  await page.getByRole('button', { name: 'Try again' }).click()
  await again
  await expect.poll(() => said(page)).toEqual(ONCE)
  await page.unroute(address)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(async () => (await said(page)).alerts).toBe(0)
  expect(await page.evaluate('self.told')).toBe(0)
}

test.each(STAFF)('%s says once that it could not be loaded, keeps what is above it, and tries again', (...row) => failsOnce('admin', row))

test.each(OWN)('%s of an affiliate does so too', (...row) => failsOnce('affiliate', row))

test('an advertiser’s money does so too, and its tabs stay', () =>
  failsOnce('admin', [`/roles/advertisers/edit/${advertiser}?tab=billing`, advertiserBillingApi.account, tab('Activity')]))

test('old rows stay where they are loaded anew and that fails: a notification says it', async () => {
  const { page } = await panel.open('/roles/advertisers', { ...(await panel.api.as('admin')), role: 'admin' })
  const row = page.getByRole('row', { name: /Loads badly/ })
  await row.waitFor()
  await page.route('**/api/advertiser/v1/list', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await row.getByRole('button').last().click()
  await page.getByRole('menuitem', { name: 'Deactivate' }).click()
  await page.locator('[data-notification=error]', { hasText: '500: Server error.' }).waitFor()
  expect(await row.count()).toBe(1)
})
