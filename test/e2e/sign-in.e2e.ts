import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { authApi } from '#contract/people/auth.ts'
import { homeOf, href } from '#contract/screens.ts'
import { createLink } from '#server/features/people/auth/link.service.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#test/support/browser/accessible.ts'
import { follow, sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { PHONE } from '#test/support/browser/phone.ts'

const PASSWORD = 'yellow ship sings'
const HOME = `**${href(homeOf('admin'))}`
const UNKNOWN = '/roles/affiliates/no-such-screen/at-all'

let panel: Panel
let email: string

beforeAll(async () => {
  panel = await sharedPanel()
  const admin = await panel.api.as('admin')
  email = admin.email
  const token = await createLink(panel.api.db, panel.api.clock.now(), 'set_password', admin.accountId)
  await panel.api.guest.call(authApi.setPassword, { body: { token, password: PASSWORD } })
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

async function person(role: 'admin' | 'manager' | 'affiliate') {
  return { ...(await panel.api.as(role)), role }
}

async function logIn(page: Page, password = PASSWORD) {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

/** The name of the field the keyboard is at. */
const focused = (page: Page) => page.locator('input:focus').getAttribute('name')

const cookieNames = async (page: Page) => (await page.context().cookies()).map(({ name }) => name).sort()

test('a guest at a deep link logs in, by keyboard alone, and lands where they wanted to go', async () => {
  const { page, problems } = await panel.open('/roles/affiliates?search=olena')
  await page.waitForURL('**/login')
  await expect.poll(() => page.title()).toBe('Ohma | Log in')
  await expect.poll(() => focused(page)).toBe('email')
  await page.keyboard.type(email.toUpperCase())
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/roles/affiliates?search=olena')
  await expect.poll(() => page.title()).toBe('Ohma | affiliates')

  const cookies = await page.context().cookies()
  expect(Object.fromEntries(cookies.map(({ name, value }) => [name, decodeURIComponent(value)]))).toMatchObject({
    ohma_role: 'admin',
    ohma_type: 'manager',
    ohma_email: email,
    ohma_token: expect.stringMatching(/^.{20,}$/),
    ohma_uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  expect(cookies.every(({ sameSite, path, secure }) => sameSite === 'Strict' && path === '/' && !secure)).toBe(true)
  expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual(['ohma.login'])
  expect(problems).toEqual([])
})

test('the form names what is missing, shows the password, points out Caps Lock, and says once that a password is wrong', async () => {
  const { page } = await panel.open('/login')
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith(authApi.login.path)) asked++
  })
  await page.getByRole('button', { name: 'Log in' }).click()
  await expect.poll(() => page.getByText('Required').count()).toBe(2)
  expect(asked).toBe(0)

  const password = page.getByLabel('Password', { exact: true })
  await page.getByRole('button', { name: 'Show the password' }).click()
  expect(await password.getAttribute('type')).toBe('text')
  await page.getByRole('button', { name: 'Hide the password' }).click()
  expect(await password.getAttribute('type')).toBe('password')
  await password.dispatchEvent('keydown', { key: 'A', modifierCapsLock: true })
  await page.getByText('Caps Lock is on').waitFor()

  await logIn(page, 'not this one')
  await page.getByText('1001 - Wrong e-mail or password.').waitFor()
  expect(await page.locator('[data-notification]').count()).toBe(1)
  expect(await focused(page)).toBe('password')
  expect(asked).toBe(1)
})

// where each role is sent from each guest page: web/router.test.ts
test.each(['manager', 'affiliate'] as const)('a signed-in person who opens a guest page is sent to their start page: %s', async (role) => {
  const { page } = await panel.open('/login', await person(role))
  await page.waitForURL(HOME)
})

test('a reload keeps the session, also when only the cookies or only the session store are left', async () => {
  const { page } = await panel.open('about:blank')
  // under names of the network's own: what was set at the start of a process is read by everything that follows
  await page.route('**/api/setting/v1/runtime', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = await answer.json()
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, cookies: { ...data.cookies, token: 'house_token' } } } })
  })
  await page.goto('/login')
  await logIn(page)
  await page.waitForURL(HOME)
  await expect.poll(() => cookieNames(page)).toEqual(['house_token', 'ohma_email', 'ohma_role', 'ohma_type', 'ohma_uuid'])
  await page.evaluate('sessionStorage.clear()')
  await page.reload()
  await page.getByRole('button', { name: /account/i }).waitFor()
  await logInAgain(page)
  await page.context().clearCookies()
  await page.reload()
  await page.getByRole('button', { name: /account/i }).waitFor()
})

/** The session store is written at a sign-in only. */
async function logInAgain(page: Page) {
  await page.context().clearCookies()
  await page.goto('/login')
  await logIn(page)
  await page.waitForURL(HOME)
}

test('logging out clears all cookies and ends on /login, even if the call fails', async () => {
  const { page } = await panel.open('/roles/affiliates', await person('admin'))
  await page.route('**/api/auth/v1/logout', (route) => route.abort())
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  await expect.poll(() => cookieNames(page)).toEqual([])
})

test('logging out ends the session on the server', async () => {
  const admin = await person('admin')
  const { page } = await panel.open('/roles/affiliates', admin)
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.waitForURL('**/login')
  expect((await admin.call(authApi.me)).status).toBe(401)
})

test('a 401 clears the session, says why, and leads to /login', async () => {
  const admin = await person('admin')
  const { page } = await panel.open('/roles/affiliates', admin)
  await page.getByRole('heading', { name: 'Affiliates', exact: true }).waitFor()
  await page.waitForLoadState('networkidle') // a call still under way would hear of it before the page is loaded again
  await admin.call(authApi.logout)
  // looked for from the first answer on: it stays for some seconds only, which a busy machine may take to load the page
  await page.reload({ waitUntil: 'commit' })
  await page.getByText('401 - Unauthorized. Please log in.').waitFor()
  await page.waitForURL('**/login')
  await expect.poll(() => cookieNames(page)).toEqual([])

  // from where no screen stands, too
  const other = await person('admin')
  const lost = await panel.open(UNKNOWN, other)
  await lost.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await lost.page.waitForLoadState('networkidle')
  await other.call(authApi.logout)
  await lost.page.reload({ waitUntil: 'commit' })
  await lost.page.waitForURL('**/login')
})

test('an address that is no screen says not found: to guests, and inside the panel to those signed in', async () => {
  const guest = await panel.open(UNKNOWN)
  await guest.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await guest.page.title()).toBe('Ohma')
  const { page } = await panel.open(UNKNOWN, await person('admin'))
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
  await page.getByRole('link', { name: 'Go to the main page' }).click()
  await page.waitForURL(HOME)
})

test('guest pages wait behind the loader until the reference call ends, and open even when it fails', async () => {
  const { page } = await panel.open('about:blank')
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/constant/v1/guest', async (route) => {
    await answered
    await route.abort()
  })
  // a page without a gate shows that the app runs: what is seen next is the gate's loader and not that of the start
  await page.goto(UNKNOWN)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await page.evaluate(`history.pushState({ idx: 1 }, '', '/login'), dispatchEvent(new PopStateEvent('popstate'))`)
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(await page.getByLabel('E-mail').count()).toBe(0)
  answer()
  await page.getByLabel('E-mail').waitFor()
})

test('what is asked for before the app runs costs only itself where it is never answered', async () => {
  const { page, problems } = await panel.open('about:blank', undefined, { cold: true })
  // the limits of requests come fifty times sooner
  await page.addInitScript('const { timeout } = AbortSignal; AbortSignal.timeout = (limit) => timeout.call(AbortSignal, limit / 50)')
  await page.context().addCookies([{ name: 'ohma_token', value: '%E0%A4%A', url: panel.api.url }])
  let asked = 0
  await page.route('**/api/constant/v1/guest', (route) => (asked++ === 0 ? undefined : route.continue()))
  await page.goto('/login')
  await page.getByLabel('E-mail').waitFor()
  expect(asked).toBe(2)
  expect(problems).toEqual([])
})

test('the panel waits behind five squares for its constants, which the browser then keeps', async () => {
  const admin = await person('admin')
  const { page } = await panel.open('about:blank', admin)
  let asked = 0
  let answer = () => {}
  const answered = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/constant/v1/all', async (route) => {
    asked++
    await answered
    await route.continue()
  })
  // until the screen's code is there the start shows the same loader: by then it is the gate's
  const code = page.waitForResponse(/\/assets\/affiliate-list-.+\.js$/)
  await page.goto('/roles/affiliates')
  await (await code).finished()
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  const loader = page.getByRole('status', { name: 'Loading' })
  await loader.waitFor()
  expect(await page.getByRole('heading', { name: 'Affiliates', exact: true }).count()).toBe(0)
  expect(await loader.locator('span').count()).toBe(5)
  answer()
  await page.getByRole('heading', { name: 'Affiliates', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Affiliates', exact: true }).waitFor()
  expect(asked).toBe(1)
})

test('another version of the constants in any answer fetches them anew', async () => {
  const { page } = await panel.open('/roles/affiliates', await person('admin'))
  await page.getByRole('heading', { name: 'Affiliates', exact: true }).waitFor()
  const refetched = page.waitForRequest('**/api/constant/v1/all')
  await page.route('**/api/affiliate/v1/list', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-constants-version': 'newer' } })
  })
  await page.goto('/roles/affiliates?search=x')
  await refetched
})

test('constants that cannot be loaded leave a way on: try again, or log out', async () => {
  const { page } = await panel.open('about:blank', await person('admin'))
  await page.route('**/api/constant/v1/all', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page.goto('/roles/affiliates')
  await page.getByRole('heading', { name: 'The panel could not start' }).waitFor()
  await page.getByText('500: Server error. Please contact support.').waitFor()
  await page.unroute('**/api/constant/v1/all')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Affiliates', exact: true }).waitFor()
})

test('acting as an affiliate swaps the cookies, keeps the old ones, and gives them back', async () => {
  const admin = await person('admin')
  const affiliate = await person('affiliate')
  const { page } = await panel.open('/roles/affiliates', admin)
  await page.getByRole('button', { name: 'Actions' }).first().waitFor()
  const row = page.getByRole('row').filter({ hasText: affiliate.email })
  await row.getByRole('button', { name: 'Actions' }).click()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('menuitem', { name: 'Act as affiliate' }).click()
  await reloaded
  await page.getByRole('region', { name: 'Acting as an affiliate' }).waitFor()
  const acting = Object.fromEntries((await page.context().cookies()).map(({ name, value }) => [name, value]))
  expect(acting).toMatchObject({
    ohma_role: 'affiliate',
    ohma_type: 'affiliate',
    ohma_uuid: affiliate.uuid,
    ohma_old_role: 'admin',
    ohma_old_uuid: admin.uuid,
    ohma_old_token: admin.token,
  })
  expect(acting['ohma_token']).not.toBe(admin.token)

  const band = page.getByRole('region', { name: 'Acting as an affiliate' })
  await band.getByText('only looking').waitFor()
  await band.getByRole('button', { name: 'Allow changes' }).click()
  const dialog = page.getByRole('dialog', { name: /^Change something for/ })
  await dialog.getByRole('textbox', { name: 'Why' }).fill('They asked by phone')
  await dialog.getByRole('button', { name: 'Allow changes' }).click()
  await band.getByText('changes allowed').waitFor()
  await band.getByRole('button', { name: 'Only look' }).click()
  await band.getByText('only looking').waitFor()
  await band.getByRole('button', { name: 'Exit' }).click()
  await page.getByRole('region', { name: 'Acting as an affiliate' }).waitFor({ state: 'detached' })
  await page.waitForURL(HOME)
  const back = Object.fromEntries((await page.context().cookies()).map(({ name, value }) => [name, decodeURIComponent(value)]))
  expect(back).toEqual({
    ohma_token: admin.token,
    ohma_role: 'admin',
    ohma_uuid: admin.uuid,
    ohma_type: 'manager',
    ohma_email: admin.email,
  })
})

test('signing in as somebody else in another tab is followed when this tab is looked at again', async () => {
  const { page } = await panel.open('/roles/affiliates', await person('admin'))
  await page.getByRole('heading', { name: 'Affiliates', exact: true }).waitFor()
  const other = await person('manager')
  await page.context().addCookies([
    { name: 'ohma_token', value: other.token, url: panel.api.url },
    { name: 'ohma_role', value: 'manager', url: panel.api.url },
    { name: 'ohma_uuid', value: other.uuid, url: panel.api.url },
  ])
  const reloaded = page.waitForEvent('load')
  await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  await reloaded
})

test('a one-time link sets the password and signs in; a second use says it is over', async () => {
  const manager = await panel.api.as('manager')
  const token = await createLink(panel.api.db, panel.api.clock.now(), 'set_password', manager.accountId)
  const { page } = await panel.open(`/set-password/${token}`)
  await page.getByText(manager.email).waitFor()
  expect(await page.title()).toBe('Ohma | Set password')
  await page.getByLabel('New password').fill('short')
  await page.getByRole('button', { name: 'Save and log in' }).click()
  await page.getByText('At least 8 characters', { exact: true }).waitFor()
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByText('Strength: strong').waitFor()
  await page.getByRole('button', { name: 'Save and log in' }).click()
  await page.waitForURL(HOME)

  const again = await panel.open(`/set-password/${token}`)
  await again.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await again.page.getByRole('link', { name: 'Go to log in' }).click()
  await again.page.waitForURL('**/login')
})

test('a setup link makes the first administrator', async () => {
  const token = await createLink(panel.api.db, panel.api.clock.now(), 'setup', null)
  const { page } = await panel.open(`/set-password/${token}`)
  await page.getByRole('heading', { name: 'Set up Ohma' }).waitFor()
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByText('Required').first().waitFor()
  await page.getByLabel('Your name').fill('Олена Перша')
  await page.getByLabel('E-mail').fill('first@example.com')
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create administrator' }).click()
  // on into the guided set-up
  await page.waitForURL(`${HOME}?setup`)
  await page.getByRole('heading', { name: 'Set up your network' }).waitFor()
  await page.getByRole('list').locator('[aria-current=step]').waitFor()
})

test('the language changes at once and stays', async () => {
  const { page } = await panel.open('/login')
  await page.getByRole('button', { name: 'Language' }).click()
  await page.getByRole('menuitem', { name: 'Українська' }).click()
  await page.getByRole('heading', { name: 'Вхід' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Вхід' }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe('uk')
  await page.getByRole('button', { name: 'Увійти' }).click()
  await expect.poll(() => page.getByText('Обов’язкове поле').count()).toBe(2)
})

test('a browser that refuses every store signs in, and remembers choices as long as the page stays', async () => {
  const { page, problems } = await panel.open('about:blank', undefined, { cold: true })
  await page.addInitScript(`
    const refuse = () => { throw new DOMException('Access is denied for this document.', 'SecurityError') }
    for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refuse })
    Object.defineProperty(Document.prototype, 'cookie', { get: refuse, set: refuse })
  `)
  await page.goto('/roles/managers')
  await page.waitForURL('**/login')
  await logIn(page)
  await page.waitForURL('**/roles/managers')

  const header = (name: string) => page.getByRole('columnheader', { name })
  await page.getByRole('button', { name: 'Columns' }).click()
  const moved = page.getByRole('list', { name: /^Order of the columns/ }).getByRole('button', { name: 'Role' })
  await moved.press('ArrowLeft')
  await moved.press('ArrowLeft')
  const names = async () => (await page.getByRole('columnheader').allInnerTexts()).map((name) => name.trim())
  await expect.poll(async () => (await names()).indexOf('Role') < (await names()).indexOf('Name')).toBe(true)
  await page.getByRole('textbox', { name: 'Find a column' }).fill('e-m')
  await expect.poll(() => page.getByRole('dialog').getByRole('checkbox').count()).toBe(1)
  await page.getByRole('checkbox', { name: 'E-mail' }).click()
  await page.keyboard.press('Escape')
  await header('E-mail').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /account/i }).click()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByText('Українська', { exact: true }).click()
  await follow(page, '/dashboard')
  await page.getByRole('heading', { name: 'Огляд', exact: true }).waitFor()
  expect(await page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe('dark')
  await follow(page, '/roles/managers')
  await page.getByRole('columnheader').nth(2).waitFor()
  expect(await header('E-mail').count()).toBe(0)
  // the kit says on the console that it could not keep the scheme
  expect(problems.filter((problem) => !problem.startsWith('[@mantine/core] Local storage'))).toEqual([])
})

test('the guest pages have no accessibility faults in either scheme', async () => {
  const setup = await createLink(panel.api.db, panel.api.clock.now(), 'setup', null)
  const { page } = await panel.open('/login')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Required').first().waitFor()
  await expectAccessibleInBothSchemes(page)
  await page.goto(`/set-password/${setup}`)
  await page.getByLabel('New password').fill(PASSWORD)
  await expectAccessibleInBothSchemes(page)
  await page.goto(UNKNOWN)
  await page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await expectAccessibleInBothSchemes(page)
})

test.each([
  ['#ffe14d', 'light'],
  ['#0b0d12', 'dark'],
] as const)('an accent as hard to read as %s in the %s scheme leaves everything readable', async (colour, colorScheme) => {
  const { page } = await panel.open('about:blank', undefined, { colorScheme })
  await page.route('**/api/setting/v1/runtime', async (route) => {
    const response = await route.fetch()
    const envelope = (await response.json()) as { data: object } // the runtime settings
    await route.fulfill({ response, json: { ...envelope, data: { ...envelope.data, colour, demo: true } } })
  })
  await page.goto('/login')
  await page.getByText('This is a demo network.').waitFor()
  await expectAccessible(page)
})

test('the class of the viewport follows the window while it is resized', async () => {
  const { page } = await panel.open('/', await person('admin'))
  const sidebar = page.getByRole('link', { name: 'Affiliates', exact: true })
  await sidebar.waitFor()
  await page.setViewportSize({ width: 1023, height: 900 })
  await sidebar.waitFor({ state: 'detached' })
  await page.setViewportSize({ width: 1024, height: 900 })
  await sidebar.waitFor()
})

test('at 390 pixels nothing of the guest pages runs out of the window', async () => {
  const { page } = await panel.open('/login', undefined, { viewport: PHONE, hasTouch: true, isMobile: true })
  await page.getByLabel('E-mail').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
})
