import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { termsApi } from '#contract/money/terms.ts'
import { proposeRuns } from '#server/features/money/billing-run/propose.jobs.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import type { Caller } from '#test/support/run/api.ts'

const DAY = 86_400_000
let panel: Panel
let admin: Caller & { role: 'admin' }
let affiliate: Caller & { role: 'affiliate' }

beforeAll(async () => {
  // a Saturday
  panel = await startPanel({ clickhouse: true, at: '2026-11-21T10:00:00Z' })
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  affiliate = { ...(await panel.api.as('affiliate', { name: 'Iryna' })), role: 'affiliate' }
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('one payout goes from the advertiser’s postback to paid, and its affiliate sees it', async () => {
  const { api } = panel
  const { db, clock } = api
  const affiliateId = affiliate.affiliateId ?? 0
  const offer = await makeOffer(db, { payout: '60', revenue: '90', holdDays: 1 })
  const click = makeClick(await makeClickKeys(db), { offerId: offer.id, affiliateId, at: clock.now() - 60_000 })
  await storeClicks(api.clickhouse, [click])
  const parts = { db, findClick: openClickFinder(api.clickhouse), clock }
  const call = { click_id: click.id, token: offer.token, transaction_id: click.id, status: 'approved' }
  await receivePostback(parts, handOver(call, { received_at: new Date(clock.now()).toISOString() }))
  await makeMethod(api, affiliateId)
  const { network } = (await admin.call(termsApi.get, { params: { uuid: affiliate.uuid } })).data
  await admin.call(termsApi.update, { params: { uuid: affiliate.uuid }, body: { own: { ...network, schedule: 'weekly' }, version: 0 } })

  const waiting = await panel.open('/payments', affiliate)
  await waiting.page.getByText('1 conversion wait out their hold').waitFor()
  await panel.closePages()

  // Monday: the hold is over since Sunday, and the week since six
  clock.advance(2 * DAY)
  await releaseHolds(db, clock.now())
  await proposeRuns(db, clock.now())
  const { page, problems } = await panel.open('/billing?view=runs', admin)
  await page.getByText('Proposed').first().waitFor()
  await page.getByRole('link', { name: 'Look and make' }).click()
  await page.getByRole('button', { name: 'Make 1 invoice' }).click()
  await page.getByRole('dialog', { name: 'Make these invoices?' }).getByRole('button', { name: 'Make 1 invoice' }).click()
  await page.getByText('Done').first().waitFor()

  const { uuid } = await db.selectFrom('invoice').select('uuid').executeTakeFirstOrThrow()
  await page.goto(`/billing/invoice-detail/${uuid}`)
  for (const step of ['Send', 'Approve']) {
    await page.getByRole('button', { name: step, exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: step, exact: true }).click()
  }
  await page.getByRole('button', { name: 'Book a payment' }).click()
  const paying = page.getByRole('dialog', { name: /Iryna/ })
  // Enter pays nothing by mistake, and no field of the dialog covers the others before it is asked
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Cancel')
  const onDay = paying.getByLabel('Day')
  await onDay.focus()
  expect(await page.locator('[data-dates-dropdown]').count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-dates-dropdown]').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('[data-dates-dropdown]').waitFor({ state: 'detached' })
  // the browser's clock may be days ahead of the server's
  await onDay.fill('23 Nov 2026')
  await page.keyboard.press('Tab')
  await paying.getByRole('button', { name: 'Book a payment' }).click()
  const invoice = () => db.selectFrom('invoice').select(['number', 'status', 'total']).executeTakeFirstOrThrow()
  await expect.poll(invoice).toMatchObject({ status: 'paid', total: '60.0000' })
  const { number } = await invoice()
  expect(problems).toEqual([])

  const own = await panel.open('/payments?view=payments', affiliate)
  await own.page
    .getByText(number ?? '')
    .first()
    .waitFor()
  expect(await own.page.locator('#content').innerText()).toContain('$60.00')
  await own.page.goto('/payments')
  await own.page.getByText('Available').first().waitFor()
  expect(own.problems).toEqual([])
  expect(await findDifferences(db)).toEqual([])
})
