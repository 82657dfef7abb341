import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { DESK, sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { cutOff, PHONE } from '#test/support/browser/phone.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import type { Caller } from '#test/support/run/api.ts'

let panel: Panel
let admin: Caller & { role: 'admin' }
let clicks: MadeClick[]
let token: string
let uuid: string

beforeAll(async () => {
  panel = await sharedPanel()
  const { db, clickhouse, clock } = panel.api
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  const [keys, affiliateId, offer] = [await makeClickKeys(db), await makeAffiliateId(db), await makeOffer(db)]
  clicks = Array.from({ length: 6 }, () => makeClick(keys, { offerId: offer.id, affiliateId, at: clock.now() - 3_600_000 }))
  await storeClicks(clickhouse, clicks)
  token = offer.token
  const set = db.updateTable('advertiser').set({ name: 'Riddle Loans' }).where('id', '=', offer.advertiserId)
  ;({ uuid } = await set.returning('uuid').executeTakeFirstOrThrow())
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

const report = (query: string) => {
  const { db, clickhouse, clock } = panel.api
  const received = { ...handOver({}), query: `${query}&token=${token}`, received_at: new Date(clock.now()).toISOString() }
  return receivePostback({ db, findClick: openClickFinder(clickhouse), clock }, received)
}

test('calls nobody understands are mapped and booked by one click, and the next one is seen as it comes', async () => {
  for (const [index, { id }] of clicks.slice(0, 5).entries())
    expect(await report(`subid=${id}&stage=${['lead', 'reject', 'riddle'][index % 3]}&sum=7.50`)).toMatchObject({ httpStatus: 422 })
  const { page, problems } = await panel.open('/statistic/postbacks?tab=mapping', admin)
  const card = page.getByRole('listitem').filter({ hasText: 'Riddle Loans' })
  await card.getByText('5 calls').waitFor()
  await card.getByRole('button', { name: 'Map' }).click()
  const dialog = page.getByRole('dialog', { name: 'Calls of Riddle Loans' })
  // 7.50 is none of the agreed prices: nothing is booked before somebody has said what it is
  await dialog.getByText('Say what the amount is').waitFor()
  expect(await dialog.getByRole('button', { name: 'Save and apply' }).isDisabled()).toBe(true)
  const revenue = dialog.getByRole('radio', { name: 'book it as our revenue' })
  await dialog.getByText('2 × Pending: payout $20.00, revenue $15.00').waitFor()
  await revenue.focus()
  await page.keyboard.press('Space')
  await dialog.getByText('4 of 5 calls are understood').waitFor()
  await dialog.getByText('1 × stage: The status is unknown and not mapped.').waitFor()
  await expectAccessible(page)
  // on a phone each name is a small form: nothing has to be scrolled sideways, and each choice says what it is of
  const aligned = () => page.evaluate<string>("getComputedStyle(document.querySelector('[role=dialog] td[data-label=Calls]')).textAlign")
  expect(await aligned()).toBe('end')
  await page.setViewportSize(PHONE)
  expect(await aligned()).toBe('start')
  expect(await cutOff(page, '[role=dialog]')).toEqual([])
  const stage = dialog.getByRole('row').filter({ has: page.getByRole('combobox', { name: 'What stage says' }) })
  expect(await stage.locator('td:visible').evaluateAll((cells) => cells.map((one) => one.getAttribute('data-label')))).toEqual([
    null,
    'Values',
    'Read as',
  ])
  await expectAccessible(page)
  await page.setViewportSize(DESK)
  await dialog.getByRole('combobox', { name: 'What riddle means' }).click()
  await page.getByRole('option', { name: 'Approved' }).click()
  await dialog.getByText('5 of 5 calls are understood').waitFor()
  await dialog.getByRole('button', { name: /^Save and (apply|book)/ }).click()
  await page.getByText('Saved, 5 calls applied').waitFor()
  await card.waitFor({ state: 'detached' })
  const booked = await panel.api.db
    .selectFrom('conversion')
    .select('status')
    .where(
      'click_id',
      'in',
      clicks.map(({ id }) => id),
    )
    .execute()
  expect(booked.map(({ status }) => status).toSorted()).toEqual(['approved', 'declined', 'declined', 'pending', 'pending'])

  await page.goto(`/roles/advertisers/edit/${uuid}?tab=postback`)
  await page.getByRole('button', { name: 'Start waiting' }).click()
  await page.getByText('Waiting for the first call').waitFor()
  await report(`subid=${clicks[5]?.id}&stage=riddle&sum=3`)
  await page.getByText('Created', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'System' }).click()
  await page.getByRole('option', { name: 'Everflow' }).click()
  await page.getByRole('form', { name: 'How the system reports' }).getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.getByLabel('Address', { exact: true }).inputValue()).toContain('click_id={sub1}&payout={payout_amount}')
  await page.getByText('known from its documentation').waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
})
