import { ACTIVATION_WARNINGS, OPEN_TARGETING } from '#contract/offers/offer-fields.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import type { Caller } from '#test/support/run/api.ts'
import { affiliateInput, makeAdvertiser } from '#test/support/make/factories.ts'
import { handOver, makeClick, makeClickKeys, storeClicks } from '#test/support/make/money.ts'
import { goalInput, makeOffer, ruleInput } from '#test/support/make/offers.ts'
import { until } from '#test/support/run/tracker.ts'
import { follow, sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { PHONE } from '#test/support/browser/phone.ts'

let panel: Panel
let admin: Caller & { role: 'admin' }
let advertiser: { uuid: string; postback_token: string }

beforeAll(async () => {
  panel = await sharedPanel()
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  advertiser = await makeAdvertiser(panel.api.db, { name: 'Balloon Shop', currency: 'EUR' })
  await admin.call(affiliateApi.create, { body: affiliateInput({ name: 'Morgenrot' }) })
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

async function choose(page: Page, field: string, typed: string, option: string | RegExp) {
  await page.getByRole('combobox', { name: field }).fill(typed)
  await page.getByRole('option', { name: option }).click()
}

test('an offer is written with its payout rows, told what it misses, and activated', async () => {
  const { page, problems } = await panel.open('/offers', admin)
  await page.getByRole('link', { name: 'Direct-link offer' }).first().click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('2 fields need your attention').waitFor()
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Spring balloons')
  await choose(page, 'Advertiser', 'balloon', /Balloon Shop/)

  // the advertiser's, until somebody chooses another
  await page.getByText('The currency of Balloon Shop').waitFor()
  await choose(page, 'Currency', 'usd', /USD/)

  const base = page.getByRole('group', { name: 'Sale, row 1' })
  await base.getByLabel('Payout, USD').fill('18,00')
  await base.getByLabel('Revenue, USD').fill('25')
  await base.getByText('Everybody: $18.00 for “Sale”').waitFor()
  await base.getByText('$7.00').waitFor()

  // Enter in a field is no wish to save: the form stays where it is
  await page.getByRole('textbox', { name: 'Title', exact: true }).first().press('Enter')
  await page.getByRole('button', { name: 'Add row to Sale' }).click()
  const second = page.getByRole('group', { name: 'Sale, row 2' })
  // said at the row at once, and refused there
  await second.getByText('Row 1 is for the same and stands above: this one can never win').waitFor()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await second.locator('input[aria-invalid=true]:focus').waitFor()
  await second.getByText('Row 1 is for the same and stands above: this one can never win').waitFor()
  await second.getByRole('combobox', { name: 'Applies to' }).pressSequentially('pol')
  await page.keyboard.press('Enter')
  await second.getByLabel('Payout, USD').fill('20')
  await second.getByText('From PL: $20.00 for “Sale”').waitFor()
  await second.getByText('Loss').or(second.getByLabel('Loss')).first().waitFor()

  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { name: 'Spring balloons' }).waitFor()
  await page.getByText('Enter the tracking URL').waitFor()
  expect(await page.getByRole('button', { name: 'Activate' }).isDisabled()).toBe(true)

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  const address = page.getByRole('textbox', { name: 'Tracking URL' })
  await address.fill('https://shop.example/?c=')
  await address.press('Home')
  await page.getByRole('button', { name: 'Insert a macro: Tracking URL' }).click()
  await page.getByRole('textbox', { name: 'Find a macro' }).fill('click_')
  await page.keyboard.press('Enter')
  await expect.poll(() => address.inputValue()).toBe('{click_id}https://shop.example/?c=')
  await address.fill('https://shop.example/?c={nope}')
  await page.getByText('There is no macro {nope}.').waitFor()
  await address.fill('https://shop.example/?c={click_id}')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
  await page.getByRole('link', { name: 'View offer' }).click()
  await page.getByText('Activating this offer will ask whether it is meant so').waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('dialog').getByText('A payout row pays more than it earns').waitFor()
  await page.getByRole('button', { name: 'Activate anyway' }).click()
  await page.getByText('1 offer is now: Active').waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()

  // saved with one more doubt while it is active: it asks, and whoever did not mean it goes on typing
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await address.fill('https://shop.example/')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').getByText('The destination lacks {click_id}').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('button', { name: 'Save anyway' }).click()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
  // the refusal that asked
  expect(problems.filter((problem) => !problem.includes('409'))).toEqual([])
})

test('an offer with two goals and a country takes 16 steps to be active, a click each or a box typed into, and four more for two countries and a cap', async () => {
  const { page } = await panel.open('/offers', admin)
  let steps = 0
  const click = async (name: string) => {
    steps += 1
    await page.getByRole('button', { name }).first().click()
  }
  const type = async (text: string) => {
    steps += 1
    await page.keyboard.type(text)
  }
  const fill = async (row: string, box: string, text: string) => {
    steps += 1
    await page.getByRole('group', { name: row }).getByLabel(box).fill(text)
  }
  const chosen = async (option: string) => {
    await page.getByRole('option').first().filter({ hasText: option }).waitFor()
    await page.keyboard.press('Enter')
  }
  const focused = () => page.evaluate('document.activeElement.id')
  await click('Add offer')
  steps += 1
  await page.getByRole('menuitem', { name: 'Direct-link offer' }).click()
  await expect.poll(focused).toMatch(/-title$/)
  await type('Quick offer')
  await page.keyboard.press('Tab')
  await type('balloon')
  await chosen('Balloon Shop')
  steps += 1
  await page.getByRole('textbox', { name: 'Tracking URL' }).fill('https://shop.example/?c={click_id}')
  await fill('Sale, row 1', 'Payout, EUR', '18')
  await fill('Sale, row 1', 'Revenue, EUR', '25')
  await click('Add row to Sale')
  await expect.poll(focused).toMatch(/rules-1$/)
  await type('pol')
  await chosen('Poland')
  await fill('Sale, row 2', 'Payout, EUR', '20')
  await fill('Sale, row 2', 'Revenue, EUR', '30')
  await click('Add goal')
  await expect.poll(focused).toMatch(/goals-1-title$/)
  await type('Second order')
  await fill('Second order, row 1', 'Payout, EUR', '2')
  await fill('Second order, row 1', 'Revenue, EUR', '3')
  expect(steps).toBe(15)
  for (const [typed, country] of [
    ['pol', 'Poland'],
    ['germ', 'Germany'],
  ] as const) {
    steps += 1
    await page.getByRole('combobox', { name: 'Country', exact: true }).fill(typed)
    await chosen(country)
  }
  // countries that are chosen are the ones it takes, until somebody turns that round
  expect(await page.getByRole('combobox', { name: 'Country: who is taken' }).inputValue()).toBe('Only these')
  await click('Add a cap')
  await expect.poll(focused).toMatch(/caps-0-limit$/)
  await type('50')
  await click('Save and activate')
  await page.getByText('1 offer is now: Active').waitFor()
  expect(steps).toBe(20)
  const { list } = (await admin.call(offerApi.list, { body: { search: 'Quick offer' } })).data
  const { data } = await admin.call(offerApi.get, { params: { uuid: list[0]?.uuid ?? '' } })
  expect(data).toMatchObject({ status: 'active', targeting: { geo: { mode: 'include', values: ['PL', 'DE'] } }, caps: [{ limit: '50' }] })
})

test('conditions of a payout row are found by what is typed, best match first, where the box stays; all by keyboard', async () => {
  const { page } = await panel.open('/offers/create-direct-link', admin)
  const base = page.getByRole('group', { name: 'Sale, row 1' })
  const box = base.getByRole('combobox', { name: 'Applies to' })
  await box.focus()
  const options = page.getByRole('option')
  const add = async (typed: string, first: string | RegExp) => {
    await box.pressSequentially(typed)
    await options.first().filter({ hasText: first }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => box.inputValue()).toBe('')
  }
  await add('Pol', 'Poland')
  await add('DE', 'Germany')
  await add('mob', 'Mobile')
  await add('morgen', /Morgenrot/)
  await add('UA', 'Ukraine')
  // it stands below what it edits, however many chips there are
  const [list, edited] = [await page.getByRole('listbox').boundingBox(), await box.boundingBox()]
  expect(list?.y).toBeGreaterThanOrEqual((edited?.y ?? Infinity) + (edited?.height ?? 0))
  // the last chip, which is the affiliate: places come before people
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await page.keyboard.type('12')
  await base.getByText('1. From PL, DE or UA, on mobile: $12.00 for “Sale”').waitFor()
})

test('rows are moved by keyboard and the new order is saved', async () => {
  const offer = await makeOffer(admin, advertiser.uuid, {
    title: 'Ordered',
    goals: [goalInput({ rules: [ruleInput(), ruleInput({ geos: ['PL'] }), ruleInput({ geos: ['CZ'] })] })],
  })
  const { page } = await panel.open(`/offers/edit-direct-link/${offer.uuid}`, admin)
  await page.getByRole('group', { name: 'Sale, row 3' }).getByRole('button', { name: 'to move' }).press('Alt+ArrowUp')
  await page.getByRole('group', { name: 'Sale, row 2' }).getByText('From CZ').first().waitFor()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const { data } = await admin.call(offerApi.get, { params: { uuid: offer.uuid } })
  expect(data.goals[0]?.rules.map(({ geos }) => geos)).toEqual([[], ['CZ'], ['PL']])
})

test('affiliates are added to a private offer and blocked with a reason', async () => {
  const offer = await makeOffer(admin, advertiser.uuid, { title: 'Secret', privacy: 'private' })
  const { page } = await panel.open(`/offers/detail-direct-link/${offer.id}?tab=access`, admin)
  await page.getByText('Nobody here yet').waitFor()
  await page.getByRole('button', { name: 'Add affiliates' }).first().click()
  await choose(page, 'Affiliates', 'morgen', /Morgenrot/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Give access' }).click()
  await page.getByText('Access given').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'Morgenrot' })
  await row.getByText('Approved').waitFor()
  await row.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Block' }).click()
  const dialog = page.getByRole('dialog', { name: 'Block Morgenrot at Secret?' })
  await expect.poll(() => dialog.getByLabel('Reason').and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.type('Brand bidding')
  await page.keyboard.press('Enter')
  await row.getByText('Blocked').waitFor()
  await row.getByText('Brand bidding').waitFor()
})

test('the simulator tells each check, and a change is shown and taken back', async () => {
  const targeting = { ...OPEN_TARGETING, geo: { mode: 'include' as const, values: ['PL'] } }
  const offer = await makeOffer(admin, advertiser.uuid, { title: 'Narrow', targeting })
  const { page, problems } = await panel.open(`/offers/detail-direct-link/${offer.uuid}?tab=simulator`, admin)
  await choose(page, 'Affiliate', 'morgen', /Morgenrot/)
  await choose(page, 'Country', 'germ', 'Germany')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByText('Refused', { exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Country fits' }).getByLabel('Failed').waitFor()
  await choose(page, 'Country', 'pola', 'Poland')
  await page.getByRole('button', { name: 'Simulate' }).click()
  await page.getByText('Goes to the offer').waitFor()
  await page.getByText('$10.00 to the affiliate, $15.00 to the network (row 1)').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('1 offer is now: Paused').waitFor()
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('The change was taken back').waitFor()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
})

test('a city and a version of a system are chosen, refused where they cannot be read, and are there again', async () => {
  const offer = await makeOffer(admin, advertiser.uuid, { title: 'Only Los Angeles' })
  const { page, problems } = await panel.open(`/offers/edit-direct-link/${offer.uuid}`, admin)
  await page.getByText('Region, city, OS version, network').click()
  const only = async (field: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).click()
    await page.getByRole('option', { name: 'Only these' }).click()
  }
  await only('City')
  await choose(page, 'City: taken', 'los ang', /^Los Angeles, California/)
  await page.keyboard.press('Escape')
  await only('OS version')
  await page.getByRole('button', { name: 'Add a condition' }).click()
  const row = page.getByRole('group', { name: 'Condition 1' })
  await row.getByRole('textbox', { name: 'Version' }).fill('ten')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await row.getByText('Choose a system and write its version').waitFor()
  await row.getByRole('combobox', { name: 'OS', exact: true }).fill('andr')
  await page.getByRole('option', { name: 'Android' }).click()
  await row.getByRole('textbox', { name: 'Version' }).fill('10')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Los Angeles, California, US').waitFor()
  expect(await row.getByRole('textbox', { name: 'Version' }).inputValue()).toBe('10')
  await follow(page, `/offers/detail-direct-link/${offer.uuid}`)
  await page.getByText('Android from 10').waitFor()
  expect(problems).toEqual([])
})

test('many offers are moved at once, and those that cannot go there are named; an active one is archived and a draft deleted in one step', async () => {
  const paused = await makeOffer(admin, advertiser.uuid, { title: 'Bulk one' })
  await makeOffer(admin, advertiser.uuid, { title: 'Bulk three' })
  await makeOffer(admin, advertiser.uuid, { title: 'Bulk two' }, false)
  const { page } = await panel.open('/offers?search=bulk', admin)
  await rowOf(page, 'Bulk one').getByRole('checkbox').click()
  await rowOf(page, 'Bulk two').getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Change status' }).click()
  await page.getByRole('menuitem', { name: 'Pause' }).click()
  await page.getByText('1 offer is now: Paused').waitFor()
  await page.getByText('1 offer could not be changed').waitFor()
  await rowOf(page, 'Bulk one').getByText('Paused').waitFor()

  await rowOf(page, 'Bulk three').getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await rowOf(page, 'Bulk three').waitFor({ state: 'detached' })
  await rowOf(page, 'Bulk two').getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete draft' }).click()
  await rowOf(page, 'Bulk two').waitFor({ state: 'detached' })

  // a list that finds nothing says what it leaves out
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: 'Search id or title' }))
    .fill('Bulk three')
  await page.getByRole('button', { name: '1 with the status “Archived” is not shown: show it' }).click()
  await rowOf(page, 'Bulk three').getByText('Archived').waitFor()

  // to affiliates it reads so, and gives no link
  const own = await panel.open(`/offers/direct-link/detail/${paused.uuid}`, { ...(await panel.api.as('affiliate')), role: 'affiliate' })
  await own.page
    .getByRole('note')
    .filter({ hasText: /paused/i })
    .waitFor()
  expect(await own.page.getByText('/click?offer_id=').count()).toBe(0)
  // what staff decide shows when the page is looked at again
  await admin.call(offerApi.setStatus, { body: { uuids: [paused.uuid], status: 'active', confirm: [...ACTIVATION_WARNINGS] } })
  await own.page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
  await own.page.getByRole('textbox', { name: 'Link', exact: true }).waitFor()
})

test.each([
  { title: 'in the dark', options: { colorScheme: 'dark' as const }, width: 1440 },
  { title: 'on a phone', options: { viewport: PHONE }, width: 390 },
])('list, editor and page are accessible $title, and nothing sticks out', async ({ title, options, width }) => {
  const caps = [
    { period: 'day', scope: 'offer', measure: 'conversions', limit: '60' },
    { period: 'month', scope: 'affiliate', measure: 'payout', limit: '500.5' },
  ] as const
  const offer = await makeOffer(admin, advertiser.uuid, { title, caps: [...caps] })
  const sender = { ...(await panel.api.as('affiliate')), role: 'affiliate' }
  await convert(offer.uuid, sender.affiliateId ?? 0)
  const { page } = await panel.open(`/offers?search=${encodeURIComponent(title)}`, admin, options)
  await page.getByRole('link', { name: title }).waitFor()
  await expectAccessible(page)
  await follow(page, `/offers/edit-direct-link/${offer.uuid}`)
  await page.getByRole('textbox', { name: 'KPI and rules' }).waitFor()
  await expectAccessible(page)
  await follow(page, `/offers/detail-direct-link/${offer.uuid}`)
  await page.getByRole('heading', { name: 'Terms' }).waitFor()
  const level = (of: Page, cap: string) => of.getByText(cap).locator('..').innerText()
  await page.getByText('Month · Each affiliate · Payout').waitFor()
  expect(await level(page, 'Day · Whole offer · Conversions')).toMatch(/\s1 \/ 60$/)
  expect(await level(page, 'Month · Each affiliate · Payout')).toMatch(/\s\$10\.00 \/ \$500\.50$/)
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)

  // the affiliate sees its own in figures, and of the whole offer the share
  const own = await panel.open(`/offers/direct-link/detail/${offer.uuid}`, sender, options)
  await own.page.getByText('Month · Each affiliate · Payout').waitFor()
  expect(await level(own.page, 'Day · Whole offer · Conversions')).toMatch(/\s1% of 60 taken$/)
  expect(await level(own.page, 'Month · Each affiliate · Payout')).toMatch(/\s\$10\.00 \/ \$500\.50$/)
  expect(await own.page.getByRole('progressbar', { name: 'Day · Whole offer · Conversions' }).getAttribute('aria-valuenow')).toBe('1')

  // the link carries the tokens of the tracker that is chosen, whose postback is saved with a button
  await own.page.getByRole('combobox', { name: 'Your tracker' }).click()
  await own.page.getByRole('option', { name: 'Keitaro' }).click()
  await own.page.getByRole('textbox', { name: 'Postback address of Keitaro' }).fill('https://track.example/a1b2c3d/postback')
  await own.page.getByRole('button', { name: 'Use as my postback' }).click()
  await own.page.getByRole('button', { name: 'This is your postback' }).waitFor()
  await until(async () =>
    /&source=\{source\}.*&click_id=\{subid\}/.test(await own.page.getByRole('textbox', { name: 'Link', exact: true }).inputValue()),
  )
  expect(await own.page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  await expectAccessible(own.page)
  await follow(own.page, '/settings/postback?tab=lab')
  await until(async () =>
    (await own.page.getByRole('textbox', { name: 'Address', exact: true }).inputValue()).includes('subid={aff_click_id}&tid='),
  )
})

/** A click of an affiliate whose conversion its advertiser reports. */
async function convert(offerUuid: string, affiliateId: number) {
  const { db, clickhouse, clock } = panel.api
  const offer = await db.selectFrom('offer').select('id').where('uuid', '=', offerUuid).executeTakeFirstOrThrow()
  const click = makeClick(await makeClickKeys(db), { offerId: offer.id, affiliateId, at: clock.now() - 60_000 })
  await storeClicks(clickhouse, [click])
  const received_at = new Date(clock.now()).toISOString()
  const parts = { db, findClick: openClickFinder(clickhouse), clock }
  await receivePostback(parts, handOver({ click_id: click.id, token: advertiser.postback_token }, { received_at }))
}

test('links of another tracker are kept a line each, told apart when they cannot be, and let go', async () => {
  const offer = await makeOffer(admin, advertiser.uuid, { title: 'Kept balloons' })
  const { page, problems } = await panel.open(`/offers/detail-direct-link/${offer.uuid}`, admin)
  await page.getByRole('button', { name: 'Keep old links' }).click()
  const form = page.getByRole('dialog', { name: 'Keep old links' })
  const lines = form.getByRole('textbox', { name: 'Addresses' })
  await lines.fill('https://trk.example.com/e2eAlias?sub_id_1={x}\nhttps://trk.example.com/click?offer_id=1&pid=2')
  await form.getByRole('button', { name: 'Keep', exact: true }).click()
  const refused = form.getByRole('alert')
  await refused.getByText('Nothing is kept yet: 2 lines cannot be').waitFor()
  expect(await refused.getByRole('listitem').allTextContents()).toEqual([
    'Line 1: https://trk.example.com/e2eAlias?sub_id_1={x}: no affiliate is named, and none is chosen for all',
    'Line 2: https://trk.example.com/click?offer_id=1&pid=2: it names its offer and affiliate, and leads here without being kept',
  ])
  await expectAccessible(page)
  await lines.fill(['/e2eAlias?sub_id_1={x}', ...[1, 2, 3, 4, 5].map((number) => `/e2eOther${number}`)].join('\n'))
  await form.getByRole('combobox', { name: 'Affiliate' }).fill('morgen')
  await page.getByRole('option', { name: /Morgenrot/ }).click()
  await form.getByRole('button', { name: 'Keep', exact: true }).click()
  await page.getByText('6 links kept.').waitFor()
  const kept = page.getByRole('list', { name: 'Links from another tracker' })
  await expect.poll(() => kept.getByRole('listitem').count()).toBe(5)
  const search = page.getByRole('searchbox', { name: 'Address or affiliate' })
  await search.fill('e2eal')
  await expect.poll(() => kept.getByRole('listitem').count()).toBe(1)
  await kept.getByRole('link', { name: /^Morgenrot · / }).waitFor()
  await kept.getByRole('button', { name: 'Remove link: /e2eAlias' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove link' }).click()
  await page.getByText('No kept link is like that.').waitFor()
  await search.press('Escape')
  await expect.poll(() => kept.getByRole('listitem').count()).toBe(5)
  expect(problems).toEqual([])
})
