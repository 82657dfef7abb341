import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { invoiceApi } from '#contract/money/invoice.ts'
import { referralApi, referralSettingApi } from '#contract/people/referral.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { accrueReferrals } from '#server/features/people/referral/accrue.jobs.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import type { Caller } from '#test/support/run/api.ts'

let panel: Panel
let admin: Caller & { role: 'admin' }
let referrer: Caller & { role: 'affiliate' }

beforeAll(async () => {
  panel = await startPanel({ at: '2026-10-20T10:00:00Z' })
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  referrer = { ...(await panel.api.as('affiliate', { name: 'Iryna' })), role: 'affiliate' }
  const { changed: _changed, ...before } = (await admin.call(referralSettingApi.settings)).data
  await admin.call(referralSettingApi.updateSettings, { body: { ...before, on: true, percent: '10' } })
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('who signs up by a link earns, the month ends, and the commission stands on the invoice of who brought them', async () => {
  const { api } = panel
  const { db, clock } = api
  const { link } = (await referrer.call(referralApi.own)).data
  const { page } = await panel.open(new URL(link).pathname + new URL(link).search, undefined)
  await page.getByLabel('Name or company name').fill('Zoriana Media')
  await page.getByLabel('E-mail').fill('zoriana@partners.example')
  await page.getByLabel(/^Password/).fill('four words in a row')
  await page.getByRole('combobox', { name: 'Country', exact: true }).fill('Ukr')
  await page.getByRole('option', { name: 'Ukraine' }).click()
  await page.getByLabel('Telephone').fill('67 123 4567')
  await page.getByRole('combobox', { name: 'Traffic sources' }).click()
  await page.getByRole('option', { name: 'SEO' }).click()
  await page.keyboard.press('Escape')
  clock.advance(60_000)
  await page.getByRole('button', { name: 'Create account' }).click()
  const friend = () => db.selectFrom('referral').select('affiliate_id').executeTakeFirst()
  await expect.poll(friend, { timeout: 10_000 }).toBeDefined()
  const { affiliate_id } = (await friend())!
  await panel.closePages()

  // their conversions are approved in October, and the month ends
  await db.updateTable('affiliate').set({ status: 'active' }).where('id', '=', affiliate_id).execute()
  await makePayable(db, affiliate_id, ['120', '80'], { at: clock.now() + 60_000 })
  await makeMethod(api, referrer.affiliateId ?? 0)
  clock.advance(14 * 86_400_000)
  await accrueReferrals(db, clock.now(), null)

  const body = { key: randomUUID(), period_to: '2026-10-31', minimum: '0', affiliate_uuids: [referrer.uuid] }
  expect((await admin.call(invoiceApi.createFromAffiliates, { body })).status).toBe(200)
  const [invoice] = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [referrer.uuid] } })).data.list
  const staff = await panel.open(`/billing/invoice-detail/${invoice?.uuid}?tab=lines`, admin)
  await staff.page.getByText('Referral commission').first().waitFor()
  await staff.page.getByText('October 2026').first().waitFor()
  expect(await staff.page.locator('#content').innerText()).toContain('$20.00')
  expect(staff.problems).toEqual([])

  const own = await panel.open('/settings/referrals', referrer)
  await own.page.getByText('What it earned').waitFor()
  expect(await own.page.locator('#content').innerText()).toContain('$20.00')
  expect(own.problems).toEqual([])
  expect(await findDifferences(db)).toEqual([])
})
