import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import type { Caller } from '#test/support/run/api.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { follow, startPanel, type Panel } from '#test/support/browser/panel.ts'
import { PHONE } from '#test/support/browser/phone.ts'
import { storeTraffic, testFact } from '#test/support/make/traffic.ts'

const GENERAL = '/statistic/direct-link/general'
const CONVERSIONS = '/statistic/direct-link/conversion'
const MINUTE = 60_000

let panel: Panel
let admin: Caller & { role: 'admin' }
let affiliate: Caller & { role: 'affiliate' }
/** The click of an approved conversion. */
let converted: string

// Two offers: kites have more clicks, sledges pay more. One conversion of the kites is approved, two wait.
beforeAll(async () => {
  // noon: what came a minute ago is of today in every zone asked for below
  panel = await startPanel({ clickhouse: true, at: `${new Date().toISOString().slice(0, 10)}T12:00:00Z` })
  const { api } = panel
  admin = { ...(await api.as('admin')), role: 'admin' }
  affiliate = { ...(await api.as('affiliate', { name: 'Nordlicht' })), role: 'affiliate' }
  const affiliateId = affiliate.affiliateId ?? 0
  const kites = await namedOffer('Autumn kites', '10')
  const sledges = await namedOffer('Winter sledges', '50')
  const keys = await makeClickKeys(api.db)
  const at = api.clock.now() - MINUTE
  const made = (offerId: number, geo: string) => ({ ...makeClick(keys, { offerId, affiliateId, at }), geo })
  const clicks = ['UA', 'UA', 'UA', 'PL'].map((geo) => made(kites.id, geo))
  const own = clicks.slice(0, 3)
  if (own[0] !== undefined) own[0].carried = { city: 'Lviv' }
  await storeClicks(api.clickhouse, [...clicks, made(sledges.id, 'UA')])
  await storeTraffic(api.clickhouse, {
    facts: [
      { conversion: 1, offer: kites.id, advertiser: kites.advertiserId, payout: '10', revenue: '15' },
      { conversion: 2, offer: sledges.id, advertiser: sledges.advertiserId, payout: '50', revenue: '60' },
    ].map((fact) => testFact({ ts: at, click_ts: at, affiliate: affiliateId, ...fact })),
  })
  const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
  const received_at = new Date(api.clock.now()).toISOString()
  for (const [index, { id }] of own.entries()) {
    const status = index === 0 ? 'approved' : 'pending'
    await receivePostback(parts, handOver({ click_id: id, token: kites.token, status, transaction_id: `order-${index}` }, { received_at }))
  }
  converted = own[0]?.id ?? ''
  await receivePostback(parts, handOver({ click_id: converted, token: 'wrong' }, { received_at }))
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

async function namedOffer(title: string, payout: string) {
  const offer = await makeOffer(panel.api.db, { payout })
  await panel.api.db.updateTable('offer').set({ title }).where('id', '=', offer.id).execute()
  return offer
}

/** The first cell of every row beneath the header, in order; read at one stroke, for a row that goes meanwhile would be waited for. */
function firstCells(page: Page): Promise<(string | undefined)[]> {
  const rows = page.getByRole('rowgroup').nth(1).getByRole('row')
  return rows.evaluateAll((all) => all.map((row) => row.querySelector('td')?.innerText))
}

const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })

test('a report is grouped, sorted and narrowed by clicks, and its address says all of it', async () => {
  const { page, problems } = await panel.open(GENERAL, admin)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Offer' }).click()
  await page.getByRole('button', { name: 'Remove Day' }).click()
  await expect.poll(() => firstCells(page)).toEqual(['Autumn kites', 'Winter sledges'])

  await page.getByRole('columnheader', { name: 'Payout' }).getByRole('button').first().click()
  await expect.poll(() => firstCells(page)).toEqual(['Winter sledges', 'Autumn kites'])
  expect(await page.getByRole('columnheader', { name: 'Payout' }).getAttribute('aria-sort')).toBe('descending')

  await page.getByTitle('Show only Autumn kites').click()
  await expect.poll(() => firstCells(page)).toEqual(['Autumn kites'])
  await page.reload()
  await page.getByRole('button', { name: 'Offer Autumn kites' }).waitFor()
  await expect.poll(() => firstCells(page)).toEqual(['Autumn kites'])
  await expectAccessible(page)
  // the way there is part of the link; and where even the choices do not come, the page stands and asks again
  await page.route(`**${reportApi.options.path}`, (route) => route.abort(), { times: 1 })
  await page.goto(page.url())
  await page.getByRole('heading', { name: 'Statistics', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('navigation', { name: 'Steps' }).getByText('Autumn kites').waitFor()
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('button', { name: 'Everything' }).click()
  await expect.poll(() => firstCells(page)).toEqual(['Winter sledges', 'Autumn kites'])

  // a text narrows by a part of it, whatever the report is grouped by; its values are found
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('cit')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Lviv' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('combobox', { name: 'How it is compared' }).selectOption('contains')
  await page.getByRole('textbox', { name: 'City' }).fill('VI')
  await page.keyboard.press('Enter')
  await expect.poll(() => firstCells(page)).toEqual(['Autumn kites'])
  // the chart comes after the rows, and is pale until then
  await page.getByRole('button', { name: 'Winter sledges', exact: true }).waitFor({ state: 'detached' })
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: 'City contains VI' }).waitFor()
  await page.getByRole('button', { name: 'Remove filter City contains' }).click()
  await expect.poll(() => firstCells(page)).toEqual(['Winter sledges', 'Autumn kites'])

  // a value is left out from its cell; filters, period and zone go along, and what a list cannot narrow by says so
  await page.goto(`${new URL(page.url()).origin}${GENERAL}?group=offer&period=today&is.sub1=~none&zone=Europe%2FKyiv&empty.reason=1`)
  await page.getByRole('button', { name: 'Remove filter Sub 1 contains' }).click()
  await page.getByTitle('Leave out Winter sledges').click()
  await expect.poll(() => firstCells(page)).toEqual(['Autumn kites'])
  await page.getByRole('link', { name: 'Conversions' }).click()
  await page.getByRole('button', { name: 'Offer is not Winter sledges' }).waitFor()
  await page.getByText('Refusal reason not used here').waitFor()
  expect(new URL(page.url()).search).toContain('period=today&zone=Europe%2FKyiv')
  await expect.poll(() => rowOf(page, 'Autumn kites').count()).toBe(3)
  await expectAccessible(page)
  expect(problems.filter((problem) => !problem.endsWith('net::ERR_FAILED'))).toEqual([])
})

test('the rows of a report stay where they are when its chart comes after them, on a desk and on a phone', async () => {
  const { page } = await panel.open('about:blank', admin, { cold: true })
  // Chromium's word under LANG=C, which Intl refuses
  await page.addInitScript(`Object.defineProperty(navigator, 'language', { value: 'en-US@posix', configurable: true })`)
  let answer = Promise.withResolvers<void>()
  await page.route('**/report/v1/series', async (route) => {
    await answer.promise
    await route.continue()
  })
  for (const width of [1440, 390]) {
    answer = Promise.withResolvers()
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${GENERAL}?group=offer&compare=1`)
    const kites = page.getByTitle('Show only Autumn kites')
    await kites.waitFor()
    const place = await kites.boundingBox()
    answer.resolve()
    await page.getByRole('img', { name: /^Clicks over time/ }).waitFor()
    expect(await kites.boundingBox(), String(width)).toEqual(place)
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('rowheader', { name: /, so far$/ }).waitFor()
  }
})

test('a report is worked with the keyboard alone', async () => {
  const { page, problems } = await panel.open(GENERAL, admin)
  await rowOf(page, '$60.00').first().waitFor()
  await page.keyboard.press('m')
  await page.getByRole('button', { name: 'This month' }).waitFor()
  expect(new URL(page.url()).searchParams.get('period')).toBe('this_month')

  await page.getByRole('button', { name: 'Add', exact: true }).focus()
  await page.keyboard.press('Enter')
  const country = page.getByRole('menuitem', { name: 'Country' })
  await country.waitFor()
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown')
      return country.and(page.locator(':focus')).count()
    })
    .toBe(1)
  await page.keyboard.press('Enter')
  await page.getByRole('columnheader', { name: 'Country' }).waitFor()

  // days of one’s choice, moved to the weekday the report begins on
  await page.getByRole('button', { name: 'No comparison' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Days of your choice' }).focus()
  await page.keyboard.press('Enter')
  const calendar = page.getByRole('dialog', { name: 'Days of your choice' })
  for (const day of ['9', '15']) {
    await calendar
      .getByRole('button', { name: new RegExp(`^${day} `) })
      .first()
      .focus()
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: /^Against / }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemcheckbox', { name: 'Begin on the same weekday' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('match_weekday')).toBe('1')
  expect(new URL(page.url()).searchParams.get('compare_to')).toMatch(/-15$/)
  await page.keyboard.press('Escape')
  await page.getByText(/^Compared with /).waitFor()
  await page.getByRole('figure').getByRole('button', { name: 'Days of your choice' }).waitFor()

  // the figures of a step, without those of a part that is switched off
  const ukraine = page.getByRole('figure').getByRole('button', { name: 'Ukraine' })
  await ukraine.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => ukraine.getAttribute('aria-pressed')).toBe('false')
  await page.getByRole('img', { name: /^Clicks over time.*Ukraine/ }).focus()
  await page.keyboard.press('End')
  const figures = page.getByRole('figure').getByRole('status')
  await figures.getByText(/, so far$/).waitFor()
  const last = await figures.innerText()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => figures.innerText()).not.toBe(last)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => figures.innerText()).toBe(last)
  // the same keys shift the period elsewhere on the page
  expect(new URL(page.url()).searchParams.get('period')).toBe('this_month')
  expect(last).toContain('Poland')
  expect(last).not.toContain('Ukraine')
  await page.keyboard.press('Escape')
  await figures.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show as table' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Show as chart' }).waitFor()

  // a filter is found, its value too, and both are chosen by Enter; it stands where it stood, and Escape takes it away
  const filter = page.getByRole('button', { name: 'Filter', exact: true })
  const row = (await filter.boundingBox())?.y
  await filter.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Find' }).waitFor()
  await page.locator('input:focus').waitFor()
  await page.keyboard.type('count')
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Poland' }).waitFor()
  await page.keyboard.type('Pol')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Country Poland' }).waitFor()
  expect(new URL(page.url()).searchParams.get('is.geo')).toBe('PL')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(Math.abs(Number((await filter.boundingBox())?.y) - Number(row))).toBeLessThan(4)
  await page.keyboard.press('Escape')
  await expect.poll(() => new URL(page.url()).searchParams.get('is.geo')).toBeNull()
  await page.keyboard.press('c')
  await page.getByRole('dialog', { name: 'Days of your choice' }).waitFor()
  expect(problems).toEqual([])
})

test('a filter that fits nothing says so and is taken away, and a report that fails can be asked again', async () => {
  const { page } = await panel.open(`${GENERAL}?is.geo=AQ`, admin)
  await page.getByText('No clicks and no conversions fit these filters').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove filters' }).click()
  await rowOf(page, '$60.00').first().waitFor()

  await page.route('**/report/v1/run', (route) => route.abort())
  await page.goto(`${GENERAL}?period=today&group=offer`)
  await page.getByText('The report could not be made').waitFor()
  await page.unroute('**/report/v1/run')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Winter sledges').waitFor()

  // another try cannot help an address that asks what cannot be answered; a name nobody knows is told
  await page.goto('/offers?sort=-clicks')
  await page.getByRole('link', { name: 'Reset filters' }).click()
  await rowOf(page, 'Winter sledges').waitFor()
  await page.goto(`${CONVERSIONS}?country=PL`)
  await page.getByText('country not used here').waitFor()
  await page.getByRole('button', { name: 'Remove filter country' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
})

test.each([
  ['goal', 'clicks', 'Not known by Goal: Clicks.'],
  ['reason', 'payout,conversions', 'Not known by Refusal reason: Payout, Conversions.'],
])(
  'a link that groups by %s and asks for %s only shows the rows and says in a sentence what is not known',
  async (group, metrics, said) => {
    const { page, problems } = await panel.open(`${GENERAL}?group=${group}&metrics=${metrics}`, admin)
    await expect.poll(() => page.getByRole('note').allInnerTexts()).toEqual([expect.stringContaining(said)])
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(problems).toEqual([])
  },
)

test('whoever opens an offer sees first how it is doing, and each line leads into statistics', async () => {
  const { uuid } = await panel.api.db.selectFrom('offer').select('uuid').where('title', '=', 'Autumn kites').executeTakeFirstOrThrow()
  const { page } = await panel.open('about:blank', admin)
  await page.route('**/report/v1/run', (route) => route.abort())
  await page.goto(`/offers/detail-direct-link/${uuid}`)
  const figures = page.getByRole('region', { name: 'Performance' })
  await figures.getByText('The figures could not be loaded').waitFor()
  await page.unroute('**/report/v1/run')
  await figures.getByRole('button', { name: 'Try again' }).click()
  await figures.getByRole('row', { name: /^Nordlicht 4 / }).waitFor()
  expect(await figures.locator('dl').innerText()).toMatch(/^Clicks\s+4\s+None before/)
  await expectAccessible(page)

  await figures.getByText('Yesterday', { exact: true }).click()
  await figures.getByRole('button', { name: 'Show 30 days' }).click()
  await figures.getByText('Country', { exact: true }).click()
  await figures.getByRole('link', { name: 'Poland' }).click()
  await page.getByRole('button', { name: 'Offer Autumn kites' }).waitFor()
  await page.getByRole('button', { name: 'Country Poland' }).waitFor()
  expect(new URL(page.url()).searchParams.get('period')).toBe('last_30_days')
})

test('the way from a conversion of the list to its why-page and back keeps the filter', async () => {
  const { page, problems } = await panel.open(`${CONVERSIONS}?status=pending`, admin)
  const waiting = rowOf(page, 'Pending')
  await expect.poll(() => waiting.count()).toBe(2)
  // from one to the next without closing, and back to the row that was looked at last
  const [first, second] = await waiting.evaluateAll((rows) => rows.map((row) => row.dataset['row']))
  await waiting.first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).waitFor()
  expect(new URL(page.url()).searchParams.get('life')).toBe(first)
  await page.keyboard.press('j')
  await expect.poll(() => new URL(page.url()).searchParams.get('life')).toBe(second)
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.locator('tr:focus').getAttribute('data-row')).toBe(second)
  await page.goto(new URL(`${CONVERSIONS}?status=approved`, page.url()).href)
  await rowOf(page, 'Autumn kites').waitFor()
  // what the click knew is a filter and a column, where somebody asks for it
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('button', { name: 'City', exact: true }).click()
  await page.getByRole('combobox', { name: 'How it is compared' }).selectOption('contains')
  await page.getByRole('textbox', { name: 'City' }).fill('vIV')
  await page.keyboard.press('Enter')
  await expect.poll(() => new URL(page.url()).searchParams.get('has.city')).toBe('vIV')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('group', { name: 'Place and network' }).getByRole('checkbox', { name: 'City' }).check()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await rowOf(page, 'Autumn kites').getByText('Lviv').waitFor()
  await expectAccessible(page)
  await rowOf(page, 'Autumn kites').getByRole('link').first().click()
  await page.getByRole('dialog').getByRole('link', { name: 'Open its page' }).click()
  await page.getByRole('heading', { name: /Autumn kites/, level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Decline' }).waitFor()
  await page.getByText('Advertiser owes').waitFor()
  await page.getByText(/^0 of \d+ days$/).waitFor()
  await page.getByText(/rule \d+: payout 10, revenue 15/).waitFor()
  await expectAccessible(page)
  await page.goBack()
  await page.getByRole('dialog').getByRole('link', { name: 'Open its page' }).waitFor()
  await page.keyboard.press('Escape')
  await rowOf(page, 'Autumn kites').waitFor()
  expect(new URL(page.url()).searchParams.getAll('status')).toEqual(['approved'])
  expect(new URL(page.url()).searchParams.get('has.city')).toBe('vIV')
  expect(await rowOf(page, 'Autumn kites').count()).toBe(1)
  expect(problems).toEqual([])
})

test('a conversion approved in the inbox by keyboard reaches the balance of its affiliate, and a declined one tells its reason', async () => {
  const { page: theirs } = await panel.open('/dashboard', affiliate)
  const balance = theirs.getByRole('region', { name: 'Balance' })
  await balance.getByText('$10.00').waitFor()
  await expectAccessible(theirs)

  const { page, problems } = await panel.open('/dashboard', admin)
  await page.getByRole('link', { name: '2 wait for a decision' }).press('Enter')
  const inbox = page.getByRole('region', { name: 'Inbox' })
  const asking = inbox.getByRole('list').getByRole('link')
  await expect.poll(() => asking.count()).toBe(2)
  await expectAccessible(page)
  // the decided row keeps its place: the second click of a double click neither decides about the next one nor takes it back
  await inbox
    .getByRole('button', { name: /^Approve/ })
    .first()
    .dblclick()
  await inbox.getByRole('listitem').first().getByRole('button', { name: 'Undo' }).waitFor()
  expect(await asking.count()).toBe(1)
  await expectAccessible(page)
  await inbox.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect.poll(() => asking.count()).toBe(2)
  await inbox.getByRole('list').locator('a:focus').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('a')
  await inbox
    .getByRole('listitem')
    .nth(1)
    .getByText(/^Conversion \d+ of Autumn kites approved$/)
    .waitFor()
  // the one that is left has the focus
  await expect.poll(() => asking.count()).toBe(1)
  await inbox.getByRole('list').locator('a:focus').waitFor()
  await page.keyboard.press('r')
  await page.getByRole('dialog').getByRole('textbox', { name: 'Reason' }).waitFor()
  await expectAccessible(page)
  await page.keyboard.type('By mistake')
  await page.keyboard.press('Control+Enter')
  // each of the two may be taken back
  await expect.poll(() => inbox.getByRole('button', { name: /^Undo: Conversion \d+ of Autumn kites/ }).count()).toBe(2)
  await inbox.getByRole('button', { name: /^Undo.*declined$/ }).press('Enter')
  await page.getByRole('link', { name: '1 waits for a decision' }).waitFor()
  await asking.first().waitFor()
  await theirs.reload()
  await balance.getByText('$20.00').waitFor()

  await follow(page, `${CONVERSIONS}?status=pending`)
  const waiting = rowOf(page, 'Pending')
  await waiting
    .first()
    .getByRole('button', { name: /^Status of conversion \d+: Pending/ })
    .click()
  await page.getByRole('menuitem', { name: 'Decline' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Autumn kites · Nordlicht').waitFor()
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Reason' }).and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.type('The order was sent back')
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await page.getByText('1 conversion declined').first().waitFor()
  await follow(theirs, CONVERSIONS)
  await rowOf(theirs, 'The order was sent back').getByText('Declined').waitFor()
  await expectAccessible(theirs)
  // it is told of the declined one behind the bell, also after a reload, and not of what was taken back; it has read what it follows
  await theirs.reload()
  await theirs.getByRole('button', { name: 'Notifications, one unread' }).press('Enter')
  const news = theirs.getByRole('dialog', { name: 'Notifications' })
  await news.getByText('1 of your conversions was declined').first().waitFor()
  await expectAccessible(theirs)
  await news.getByRole('link', { name: 'The order was sent back' }).press('Enter')
  await theirs.getByRole('button', { name: 'Notifications', exact: true }).waitFor()

  // an affiliate has no page of a conversion: its life opens over the list
  await rowOf(theirs, 'The order was sent back').getByRole('link').first().click()
  const life = theirs.getByRole('dialog')
  await life.getByText('The order was sent back').first().waitFor()
  await life.getByRole('heading', { name: 'Click' }).waitFor()
  expect(await life.innerText()).not.toMatch(/Advertiser owes|Revenue|Kite Shop/)
  await expectAccessible(theirs)
  await theirs.keyboard.press('Escape')
  await life.waitFor({ state: 'detached' })
  await rowOf(theirs, 'The order was sent back').waitFor()

  // what it gained is above zero for it, what was taken back below
  const { list } = (await admin.call(conversionApi.list, { body: { status: ['approved'] } })).data
  const uuid = list.find((one) => one.click_id !== converted)?.uuid ?? ''
  await admin.call(conversionApi.decide, { body: { uuids: [uuid], status: 'declined', reason: 'Cancelled' } })
  await theirs.goto(new URL(`${CONVERSIONS}?life=${uuid}`, theirs.url()).href)
  await life.getByText('Cancelled').first().waitFor()
  const booked = life.getByRole('listitem').filter({ hasText: 'Your balance, available' })
  expect(await booked.allInnerTexts()).toEqual([
    expect.stringMatching(/\+\$10\.00 added$/),
    expect.stringMatching(/[-−]\$10\.00 taken back$/),
  ])
  await expectAccessible(theirs)
  expect(problems).toEqual([])
})

test('an affiliate checks its history, keeps the proof, and checks that with the verifier it was handed', async () => {
  const { page, problems } = await panel.open(CONVERSIONS, affiliate)
  await page.getByRole('button', { name: 'Verify history' }).click()
  const dialog = page.getByRole('dialog', { name: 'Verify your history' })
  await dialog.getByRole('button', { name: 'Check now' }).click()
  await dialog.getByText(/entries of 3 conversions: none is missing, none was changed/).waitFor()
  await expectAccessible(page)
  const saved = async (click: Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), click])
    return download.path()
  }
  const verifier = await saved(dialog.getByRole('link', { name: 'Download verifier' }).click())
  const proof = await saved(dialog.getByRole('button', { name: 'Download proof' }).click())
  // what a browser saves here has no name of its own, so that Node.js has to be told that it is a module
  const told = execFileSync(process.execPath, ['--input-type=module', '-', proof], { input: await readFile(verifier), encoding: 'utf8' })
  expect(told).toMatch(/entries of 3 conversions\. None is missing and none was changed\./)
  expect(problems).toEqual([])
})

test('a click opens over its list by the keyboard and by its address, and leads to what came of it', async () => {
  const { page, problems } = await panel.open(`/statistic/direct-link/clicks?search=${converted}`, affiliate)
  await rowOf(page, 'Autumn kites').focus()
  await page.keyboard.press('Enter')
  const click = page.getByRole('dialog')
  await click.getByRole('heading', { name: 'The visitor' }).waitFor()
  await click.getByText('The visitor was sent on, and the click counts.').waitFor()
  expect(await click.innerText()).not.toMatch(/Revenue|Advertiser|203\.0\.113\.7/)
  await expectAccessible(page)
  await click.getByRole('link', { name: /^#/ }).click()
  await click.getByRole('heading', { name: 'What happened' }).waitFor()
  await page.goBack()
  await click.getByRole('heading', { name: 'The visitor' }).waitFor()
  await page.goBack()
  await click.waitFor({ state: 'detached' })
  expect(problems).toEqual([])
})

test('the other screens of statistics and postbacks are accessible', async () => {
  const { page, problems } = await panel.open('/dashboard', admin)
  await page.getByRole('region', { name: 'Top offers' }).getByText('Autumn kites').waitFor()
  await expectAccessible(page)
  await follow(page, '/statistic/direct-link/clicks')
  await rowOf(page, 'Autumn kites').first().waitFor()
  await expectAccessible(page)
  await follow(page, '/statistic/postbacks')
  await rowOf(page, 'The token is missing or wrong').waitFor()
  await expectAccessible(page)
  await page
    .getByRole('tab', { name: 'To affiliates' })
    .or(page.getByRole('link', { name: 'To affiliates' }))
    .first()
    .click()
  await page.getByText('No postbacks yet').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Unknown paths' }).click()
  await page.getByText('No calls on unknown paths').waitFor()
  await follow(page, `/roles/affiliates/edit/${affiliate.uuid}?tab=deliveries`)
  await page.getByText('Nothing was sent yet').waitFor()
  await expectAccessible(page)

  const { page: theirs, problems: also } = await panel.open('/settings/postback?tab=lab', affiliate, {
    viewport: PHONE,
  })
  await theirs.getByText(/^Macros \(\d+\)$/).click()
  await theirs.getByRole('button', { name: /\{click_id\}/ }).waitFor()
  await expectAccessible(theirs)
  await theirs.getByRole('button', { name: 'Add postback' }).first().click()
  await theirs.getByRole('dialog').getByRole('textbox', { name: 'Address' }).fill('https://tracker.example/hook#top')
  await theirs.getByText('No server gets #top').waitFor()
  await theirs.getByRole('combobox', { name: 'Method' }).click()
  await theirs.getByRole('option', { name: 'POST: JSON' }).click()
  await theirs.getByRole('button', { name: 'Begin with an example' }).click()
  await theirs.getByRole('button', { name: 'Add header' }).click()
  await theirs.getByRole('textbox', { name: 'Name', exact: true }).fill('Authorization')
  await theirs.getByRole('textbox', { name: 'Value', exact: true }).fill('Bearer top-secret')
  await theirs.getByRole('switch', { name: 'Secret' }).check()
  await theirs.getByText('Try it before saving').click()
  await theirs.getByRole('dialog').getByRole('button', { name: 'Show without sending' }).click()
  await theirs.getByText('authorization: ••••••').waitFor()
  await expectAccessible(theirs)
  await theirs.getByRole('button', { name: 'Create postback' }).click()
  await theirs.getByRole('dialog').waitFor({ state: 'detached' })
  await theirs.getByRole('navigation', { name: 'Postbacks' }).getByRole('link', { name: 'Postbacks' }).click()
  await theirs
    .getByRole('button', { name: /^Actions/ })
    .first()
    .click()
  await theirs.getByRole('menuitem', { name: 'Signature…' }).click()
  await theirs.getByRole('button', { name: 'Make a key' }).click()
  expect(await theirs.getByRole('textbox', { name: 'Signing key' }).inputValue()).toMatch(/^whsec_.{44}$/)
  await expectAccessible(theirs)
  expect([...problems, ...also]).toEqual([])
})
