import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'

// A receiver of error reports is configured, and signatures are required: what a network on the internet has.
// The browser believes to be at panel.test, not on localhost.
const RECEIVER = 'http://errors.test'

let panel: Panel

beforeAll(async () => {
  panel = await startPanel({
    env: { ERROR_REPORTING_DSN: `http://key@errors.test/1`, REQUIRE_SIGNATURE: 'true' },
    at: new Date().toISOString(),
  })
  await panel.api.as('affiliate') // an empty list has no search
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** A signed-in admin's page at a host that is not localhost, with everything the receiver of reports gets. */
async function openAway(path: string, { signedIn = true } = {}) {
  const admin = await panel.api.as('admin')
  const { page, problems } = await panel.open('about:blank', undefined, { cold: true })
  const reports: string[] = []
  await page.context().route(`${RECEIVER}/**`, async (route) => {
    reports.push(route.request().postDataBuffer()?.toString('latin1') ?? '')
    await route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '{}' })
  })
  if (signedIn) {
    const values = { token: admin.token, role: 'admin', uuid: admin.uuid }
    await page.context().addCookies(Object.entries(values).map(([name, value]) => ({ name: `ohma_${name}`, value, url: panel.awayUrl })))
  }
  await page.goto(panel.awayUrl + path)
  return { page, problems, reports, exceptions: () => reports.filter((report) => report.includes('"exception"')) }
}

const SCRIPTS = {
  noise: `window.dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }))`,
  resize: `window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop limit exceeded' }))`,
  syntax: `throw new SyntaxError('Unexpected token')`,
  network: `throw new TypeError('Failed to fetch')`,
  broken: `throw new Error('the broken part')`,
}

/** Runs a script in the page where nobody catches its error. */
const throwInPage = (page: Page, script: keyof typeof SCRIPTS) => page.evaluate(`setTimeout(() => { ${SCRIPTS[script]} }, 0); undefined`)

const affiliates = (page: Page) => page.getByRole('heading', { name: 'Affiliates', exact: true })

test('away from localhost every call is signed, also without crypto.subtle, and the server accepts it', async () => {
  const { page } = await openAway('/roles/affiliates')
  const request = page.waitForRequest('**/api/affiliate/v1/list')
  expect(await page.evaluate('typeof crypto.subtle')).toBe('undefined')
  expect((await request).headers()).toMatchObject({
    'x-timestamp': expect.stringMatching(/^\d{13}$/),
    'x-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  await affiliates(page).waitFor()
})

test('a device whose clock is wrong is corrected by the server', async () => {
  const { page } = await openAway('/login', { signedIn: false })
  await page.getByLabel('E-mail').waitFor()
  await page.clock.install({ time: Date.now() - 86_400_000 })
  const admin = await panel.api.as('admin')
  const values = { token: admin.token, role: 'admin', uuid: admin.uuid }
  await page.context().addCookies(Object.entries(values).map(([name, value]) => ({ name: `ohma_${name}`, value, url: panel.awayUrl })))
  await page.goto(`${panel.awayUrl}/roles/affiliates`)
  await affiliates(page).waitFor()
  expect(await page.locator('[data-notification="error"]').count()).toBe(0)
})

test('an uncaught error shows the error screen and is reported', async () => {
  const { page, problems, exceptions, reports } = await openAway('/roles/affiliates')
  await affiliates(page).waitFor()
  await expect.poll(() => reports.length).toBeGreaterThan(0)
  await throwInPage(page, 'broken')
  await page.getByRole('heading', { name: 'Something went wrong.' }).waitFor()
  await page.getByText('Please contact support.').waitFor()
  await expect.poll(() => exceptions().some((report) => report.includes('the broken part'))).toBe(true)
  expect(problems).toEqual(['the broken part']) // the content security policy had nothing to object to
  await page.getByRole('link', { name: 'Go to the main page' }).click()
  await page.getByRole('button', { name: /account/i }).waitFor()
})

test('noise and the network are neither reported nor do they hide the panel', async () => {
  const { page, exceptions, reports } = await openAway('/roles/affiliates')
  await affiliates(page).waitFor()
  await expect.poll(() => reports.length).toBeGreaterThan(0)
  await throwInPage(page, 'noise')
  await throwInPage(page, 'resize')
  await page.route('**/api/affiliate/v1/list', (route) => route.fulfill({ status: 500, body: 'broken' }))
  await page
    .getByPlaceholder(/search/i)
    .first()
    .fill('x')
  await page.locator('[data-notification]', { hasText: '500: Server error. Please contact support.' }).waitFor()
  expect(await affiliates(page).count()).toBe(1)
  await throwInPage(page, 'network')
  await page.getByRole('heading', { name: 'Something went wrong.' }).waitFor()
  await throwInPage(page, 'broken')
  await expect.poll(() => exceptions().some((report) => report.includes('the broken part'))).toBe(true)
  expect(exceptions()).toHaveLength(1)
})

test('a page whose code cannot be loaded reloads itself and then works', async () => {
  const { page } = await openAway('/roles/affiliates')
  await affiliates(page).waitFor()
  let asked = 0
  let loads = 0
  page.on('load', () => void loads++)
  await page.route('**/assets/affiliate-form-*.js', (route) => (loads === 0 && asked++ < 3 ? route.abort() : route.fallback()))
  await page.getByRole('link', { name: 'Add affiliate' }).first().click()
  await page.getByLabel(/^name/i).first().waitFor()
  expect(asked).toBeGreaterThan(0)
  expect(loads).toBe(1)
  expect(await page.getByText('Something went wrong.').count()).toBe(0)
})

test('a file the app itself stands on is asked for again: the page reloads before anything of the app runs', async () => {
  const { page } = await openAway('/login', { signedIn: false })
  await page.getByLabel('E-mail').waitFor()
  let loads = 0
  page.on('framenavigated', () => void loads++)
  await page.route('**/assets/react-*.js', (route) => (loads < 2 ? route.abort() : route.fallback()))
  await page.reload({ waitUntil: 'commit' })
  await page.getByLabel('E-mail').waitFor()
  expect(loads).toBeGreaterThan(1)
})

test('calls to another host than the page’s are blocked, where the settings name one', async () => {
  const { page } = await panel.open('about:blank', undefined, { cold: true })
  await page.route('**/api/setting/v1/runtime', async (route) => {
    const answer = await route.fetch()
    const { data, ...rest } = await answer.json()
    await route.fulfill({ response: answer, json: { ...rest, data: { ...data, api_origin: 'https://elsewhere.example' } } })
  })
  const foreign: string[] = []
  page.on('request', (request) => foreign.push(...(request.url().includes('elsewhere') ? [request.url()] : [])))
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('somebody@example.com')
  await page.getByLabel('Password', { exact: true }).fill('whatever it is')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('Cross-domain request blocked').first().waitFor()
  expect(foreign).toEqual([])
})

test('a syntax error reloads the page', async () => {
  const { page } = await openAway('/roles/affiliates')
  await affiliates(page).waitFor()
  const reloaded = page.waitForEvent('load')
  await throwInPage(page, 'syntax')
  await reloaded
})

test('on localhost nothing is reported and nothing reloads by itself: a missing page says so and offers to load again', async () => {
  const admin = { ...(await panel.api.as('admin')), role: 'admin' }
  const { page } = await panel.open('about:blank', admin)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.route('**/assets/affiliate-form-*.js', (route) => route.abort())
  // the signature is required here, and left out on localhost: the calls fail, the screens do not
  await page.goto('/roles/affiliates/create')
  await page.getByRole('heading', { name: /could not/ }).waitFor()
  await page.evaluate('window.stands = true')
  await throwInPage(page, 'syntax')
  // a timer set after that of a reload, and twice as long, ends after it
  await page.evaluate('new Promise((done) => setTimeout(done, 200))')
  expect(await page.evaluate('window.stands')).toBe(true)
  expect(asked.filter((url) => url.includes('errors.test') || url.includes('sentry'))).toEqual([])
})

test('the details of an error can be copied', async () => {
  const { page } = await panel.open('/login', undefined, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByLabel('E-mail').waitFor()
  await throwInPage(page, 'broken')
  await page.getByRole('button', { name: 'Copy error details' }).click()
  await page.getByText('Error details copied to clipboard!').waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toContain('Error: the broken part')
  expect(copied).toContain('/login')
})

test('no answer of the server to the start shows that, and the page goes on by itself once it answers', async () => {
  const { page, problems } = await panel.open('about:blank', undefined, { cold: true })
  let asked = 0
  const failure = { status: 500, json: { status: 'error', errors: { 1000: 'Broken' } } }
  await page.route('**/api/setting/v1/runtime', (route) => (asked++ === 0 ? route.fulfill(failure) : route.abort()))
  await page.goto('/login')
  await page.getByText('The server does not answer').waitFor()
  await page.unroute('**/api/setting/v1/runtime')
  await page.getByLabel('E-mail').waitFor()
  expect(problems.filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([])
})
