import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ROLES, type Role } from '#contract/access.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { href, screenOf, screensFor, SCREENS, type ScreenId } from '#contract/screens.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { DESK, follow, startPanel, type Panel } from '#test/support/browser/panel.ts'
import { PHONE } from '#test/support/browser/phone.ts'
import { NOT_WRITTEN } from '#test/support/make/not-written.ts'
import { oneOfEverything } from '#test/support/make/one-of-everything.ts'
import { poison } from '#test/support/make/poison.ts'
import { makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'

const TICKET = { subject: 'Where is my money?', body: 'It is late.', category: 'finance' } as const

/** As narrow as WCAG asks for: 1280 pixels at four times the size. */
const NARROWEST = { viewport: { width: 320, height: 640 } }
/** 1440 × 900 at twice the size of everything. */
const ZOOMED = { viewport: { width: 720, height: 450 } }

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
}, 300_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** What stands on a page, once nothing is loading any more. */
async function settled(page: Page, path: string) {
  // a ticket covers the list on a phone, title and all
  await page
    .locator('main h1')
    .first()
    .waitFor({ state: path.includes('?ticket=') ? 'attached' : 'visible' })
  const loading = page.locator('[class*="Skeleton-root"], [aria-busy="true"], main [role="status"][aria-label]')
  // the gallery of parts shows skeletons for ever
  if (path !== SCREENS.ohmaGallery.path) await expect.poll(() => loading.count()).toBe(0)
  return page.evaluate<Stands>(`(() => {
    const said = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) said.push(texts.currentNode)
    return {
      headings: document.querySelectorAll('h1').length,
      notFound: said.filter(({ data, parentElement }) => data.trim() === '404' && !parentElement.matches('td')).length,
      beyond: ${BEYOND},
      taken: ${TAKEN},
      hostile: said.some(({ data }) => data.includes('data-stored')),
    }
  })()`)
}

/** What stands on a page; `hostile`: what people wrote is there, as text. */
type Stands = { headings: number; notFound: number; beyond: string[]; taken: string[]; hostile: boolean }

/** What stands out of the window sideways, where nothing but a table may be scrolled. */
const BEYOND = `(() => {
  const shown = [...document.querySelectorAll('main, main :is(button, a, input, h1, h2, label, p, dt, dd)')]
  const table = (element) => element.closest('[class*=scroll], [class*=Tabs], nav') !== null
  const out = shown.filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !table(element))
  const pages = [document.documentElement, document.querySelector('main')].filter((page) => page.scrollWidth > page.clientWidth)
  return [...pages, ...out].map((element) => element.localName + ' ' + element.textContent.slice(0, 30))
})()`
const beyond = (page: Page) => page.evaluate<string[]>(BEYOND)

/** What people wrote and a page took for its own, or ran. */
const TAKEN = `[
  ...[...document.querySelectorAll('[data-stored], [onerror], a[href^="javascript:"]')].map((e) => e.outerHTML.slice(0, 200)),
  ...(self.hit === undefined ? [] : ['ran']),
]`

/** On so many screens at least hostile text stands at once. */
const HOSTILE_SCREENS: Partial<Record<Role, number>> = { admin: 24, affiliate: 10 }

test('at twice the size of everything menus and dialogs are reached to their ends, no amount is broken, and a profile is saved', async () => {
  const { page } = await panel.open('/statistic/direct-link/general', { ...(await panel.api.as('admin')), role: 'admin' }, ZOOMED)
  const reached = async (thing: Locator) => {
    await thing.scrollIntoViewIfNeeded()
    const { y, height } = (await thing.boundingBox()) ?? { y: -1, height: 0 }
    return y >= 0 && y + height <= ZOOMED.viewport.height
  }
  await page.getByRole('button', { name: /^Last 7 days/ }).click()
  await page.getByRole('menuitemradio', { name: /^Days of your choice/ }).click()
  expect(await reached(page.getByRole('dialog').getByRole('button').last())).toBe(true)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /account/i }).click()
  expect(await reached(page.getByRole('menuitem', { name: 'Log out' }))).toBe(true)
  await page.getByRole('menuitem', { name: 'Preferences' }).click()
  const choose = async (field: string, value: string) => {
    await page.getByRole('combobox', { name: field }).click()
    await page.getByRole('option', { name: value, exact: true }).click()
  }
  await choose('Density of tables', 'Compact')
  await choose('First day of the week', 'Sunday')
  await choose('Default period', 'This week')
  await choose('Home', 'Statistics')
  await expectAccessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.locator('html[data-density=compact]').waitFor({ state: 'attached' })
  await page.goto('/')
  await page.waitForURL('**/statistic/direct-link/general?period=this_week')
  await page.getByRole('button', { name: 'This week' }).click()
  await page.getByRole('menuitemradio', { name: /^Days of your choice/ }).click()
  expect(await page.getByRole('dialog').getByRole('columnheader').first().innerText()).toBe('Su')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  expect(await reached(page.getByRole('dialog').getByRole('button', { name: 'Change password' }))).toBe(true)

  const own = await panel.open('about:blank', { ...(await panel.api.as('affiliate')), role: 'affiliate' }, NARROWEST)
  await own.page.route(`**${dashboardApi.affiliate.path}`, async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = await answer.json()
    const balance = [{ currency: 'UAH', available: '-20065.640000', hold: '1211791.170000', pending: '0.0000', releases: [], later: null }]
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, balance } } })
  })
  await own.page.goto('/dashboard')
  const amount = own.page.getByText('1,211,791.17').first()
  const { height = 0 } = (await amount.boundingBox()) ?? {}
  expect(height).toBeLessThan(40)
  expect(await beyond(own.page)).toEqual([])

  await follow(own.page, '/settings')
  await own.page.waitForURL('**/settings/profile')
  await own.page.getByLabel('Name').fill('Olena Nova')
  await own.page.getByRole('button', { name: 'Save' }).click()
  await own.page.getByRole('button', { name: 'Account of Olena Nova' }).waitFor()
})

/** The headers and the cells of figures that do not show all they hold. */
const cutFigures = (page: Page) =>
  page.evaluate<string[]>(`[...document.querySelectorAll('main table :is(th, td[data-numeric])')]
    .filter((cell) => [cell, ...cell.querySelectorAll('button')].some((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1 && getComputedStyle(one).overflowX !== 'visible'))
    .map((cell) => cell.textContent)`)

test('the order nobody chose is marked, and a table of a usual screen does not scroll sideways; in a narrow one no figure is cut', async () => {
  const { api } = panel
  const offer = await makeOffer(api.db)
  const affiliate = await api.as('affiliate', { name: 'Nordlicht' })
  const click = { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() - 60_000 }
  await storeClicks(api.clickhouse, [makeClick(await makeClickKeys(api.db), click)])
  const { page } = await panel.open('/statistic/direct-link/clicks', { ...(await api.as('admin')), role: 'admin' })
  const header = (name: string) => page.getByRole('columnheader', { name })
  const beyond = () =>
    page.evaluate("(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('main table').parentElement)")

  await expect.poll(() => header('Time').getAttribute('aria-sort')).toBe('descending')
  expect(await beyond()).toBe(0)
  await page.getByText(/^Total of \d+: \d+ counted, ≈ \d+ unique visitors/).waitFor()
  await header('Country').getByRole('button').click()
  await expect.poll(() => header('Country').getAttribute('aria-sort')).toBe('ascending')
  // an id has no order
  expect(await header('Click ID').locator('svg, button').count()).toBe(0)

  await page.setViewportSize({ width: 780, height: 900 })
  await expect.poll(beyond).toBeGreaterThan(0)
  await page.locator('main [data-under-right]:not([data-under-left])').waitFor()
  expect(await cutFigures(page)).toEqual([])
  await page.evaluate("document.querySelector('main table').parentElement.scrollTo(10000, 0)")
  const frame = page.locator('main [data-under-left]:not([data-under-right])')
  await frame.waitFor()
  // what names the row stays in sight
  const { x = 0 } = (await header('Time').boundingBox()) ?? {}
  const { x: edge = 0 } = (await frame.boundingBox()) ?? {}
  expect(x - edge).toBeLessThan(3)
  await page.setViewportSize(DESK)

  await follow(page, '/statistic/direct-link/general')
  await expect.poll(() => header('Day').getAttribute('aria-sort')).toBe('ascending')
  expect(await header('Day').locator('button svg').count()).toBe(1)
  expect(await beyond()).toBe(0)
  await follow(page, '/roles/managers')
  await expect.poll(() => header('ID').getAttribute('aria-sort')).toBe('descending')
  expect(await beyond()).toBe(0)
})

test('a long form scrolls inside of the frame, not with it', async () => {
  const { page } = await panel.open('/offers/create-direct-link', { ...(await panel.api.as('admin')), role: 'admin' })
  await page.getByRole('button', { name: 'Add goal' }).waitFor()
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(900)
})

test('the terms of an offer are cards on a phone', async () => {
  const { uuid } = await makeOffer(panel.api.db)
  const { page } = await panel.open(
    `/offers/detail-direct-link/${uuid}`,
    { ...(await panel.api.as('admin')), role: 'admin' },
    { viewport: PHONE },
  )
  const terms = page.getByRole('list', { name: 'Terms' }).getByRole('listitem')
  await expect.poll(() => terms.count()).toBe(1)
  expect(await terms.innerText()).toMatch(/Applies to\s+Everybody\s+Payout/)
})

test('roles and types of managers, the usual goals of an offer and the screens are those of the constants', async () => {
  const { page } = await panel.open('about:blank', { ...(await panel.api.as('head')), role: 'head' })
  await page.route('**/api/constant/v1/all', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = await answer.json()
    const manager_types = { support: 'Support', night: 'Night shift' }
    const page_access = data.page_access.filter((id: string) => id !== 'advertisers')
    const changed = { ...data, manager_types, goals: { test_drive: 'Test drive' }, page_access }
    await route.fulfill({ response: answer, json: { ...rest, data: changed } })
  })
  await page.goto('/roles/managers/create')
  const choices = async (field: string) => {
    await page.getByRole('combobox', { name: field }).click()
    await page.getByRole('option').first().waitFor()
    const texts = await page.getByRole('option').allInnerTexts()
    await page.keyboard.press('Escape')
    return texts
  }
  expect(await choices('Role')).toEqual(['Team lead', 'Manager'])
  expect(await choices('Looks after')).toEqual(['Support', 'Night shift'])

  await follow(page, '/roles/advertisers')
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await page.getByRole('link', { name: 'Managers', exact: true }).count()).toBeGreaterThan(0)
  expect(await page.getByRole('link', { name: 'Advertisers', exact: true }).count()).toBe(0)

  await follow(page, '/offers/create-direct-link')
  const goal = page.getByRole('group', { name: /^Goal 1/ })
  await goal.getByLabel('Title').fill('drive')
  await page.getByRole('option', { name: 'Test drive' }).click()
  expect(await goal.getByLabel('Title').inputValue()).toBe('Test drive')
  expect(await goal.getByLabel('Code').inputValue()).toBe('test_drive')
})

/** Where the page stands once a screen is open. */
const standsAt = (id: ScreenId): string => screenOf(id).redirect ?? id

/** Screens in an order in which none leads to where the page stands already: a link there changes nothing, and to load it takes far longer. */
function inTurn(ids: readonly ScreenId[]): ScreenId[] {
  const order: ScreenId[] = []
  let stands = ''
  // those that lead on first: enough others are left then to stand between two that lead to the same
  let left = ids.toSorted((a, b) => Number(standsAt(a) === a) - Number(standsAt(b) === b))
  while (left.length > 0) {
    const next = left.find((id) => standsAt(id) !== stands)
    if (next === undefined) throw new Error(`all that is left leads to ${stands}: ${left.join(', ')}`)
    order.push(next)
    stands = standsAt(next)
    left = left.filter((id) => id !== next)
  }
  return order
}

// last: it leaves hostile text behind
test('every screen of every role opens in the narrowest window, under LANG=C and without a store, without a mistake, and shows what people wrote as the letters they typed', async () => {
  const { page, problems } = await panel.open('about:blank', undefined, { ...NARROWEST, cold: true, locale: '' })
  expect(await page.evaluate('navigator.language')).toBe('en-US@posix')
  await page.addInitScript(`
    const refuse = () => { throw new DOMException('Access is denied for this document.', 'SecurityError') }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse })
  `)
  const fine = { headings: 1, notFound: 0, beyond: [], problems: [], taken: [] }
  let hostile = 0
  const seen: Record<string, unknown> = {}
  const opened: Record<string, unknown> = {}
  const look = async (name: string, path: string) => {
    const complaints = problems.splice(0).filter((problem) => !problem.startsWith('[@mantine/core] Local storage')) // the kit's word for no store
    const { hostile: there, ...stands } = await settled(page, path)
    if (there) hostile++
    seen[name] = { ...stands, problems: complaints }
    opened[name] = fine
  }
  for (const role of [undefined, ...ROLES]) {
    const { cookies, uuids } = await oneOfEverything(panel.api, role)
    const ticket = await (await panel.api.as('affiliate')).call(ticketApi.create, { body: { ...TICKET, key: randomUUID() } })
    const queries: Partial<Record<ScreenId, string>> = role === 'admin' ? { tickets: `?ticket=${ticket.data.uuid}` } : {}
    const { poisoned, unused } = await poison(panel.api.db, NOT_WRITTEN)
    expect(unused).toEqual([])
    // of what the makers of rows fill
    if (role === 'admin') expect(poisoned.length).toBeGreaterThan(60)
    hostile = 0
    await page.context().clearCookies()
    await page.context().addCookies(cookies)
    const screens = screensFor(role).filter((id) => (screenOf(id).area === 'guest') === (role === undefined))
    for (const [place, id] of inTurn(screens).entries()) {
      const path = href(id, { uuid: uuids[id] ?? '', token: uuids[id] ?? '' }, (message) => problems.push(message)) + (queries[id] ?? '')
      // guest pages are what people open by a link of a mail
      await (place === 0 || role === undefined ? page.goto(path) : follow(page, path))
      await look(`${role ?? 'guest'} ${SCREENS[id].path}`, path)
    }
    expect(hostile, role).toBeGreaterThanOrEqual((role && HOSTILE_SCREENS[role]) ?? 0)
  }
  expect(seen).toEqual(opened)
}, 600_000)
