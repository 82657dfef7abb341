import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { endProcess, identityOf } from '#server/platform/process/identity.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { caller, type Caller } from '#test/support/run/api.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { startInstance, until, type Instance } from '#test/support/run/instance.ts'
import { follow, openBrowser, problemsOf } from '#test/support/browser/panel.ts'

// The main job of the product from the first sign-in on, on a whole instance: every process, both databases, real HTTP.
const PASSWORD = 'yellow ship sings'
const PHONE = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'
const DESTINATION = 'https://shop.example/in?click={click_id}&mark={sub1}&offer={offer_id}&from={pid}&on={device}&by={os}'

const dataDir = mkdtempSync(join(tmpdir(), 'ohma-outcome-'))
// open to PostgreSQL's user, who would keep the cluster elsewhere and leave it there
chmodSync(dataDir, 0o755)
let instance: Instance
let browser: Browser
const opened: BrowserContext[] = []
let url: string

beforeAll(async () => {
  ;[instance, browser] = await Promise.all([startInstance({ dataDir }), openBrowser()])
  await instance.printed(/Ohma is ready/, 290_000)
  url = `http://127.0.0.1:${instance.port}`
}, 300_000)

afterAll(async () => {
  await Promise.all(opened.map((context) => context.close()))
  const identity = instance && identityOf(instance.pid)
  if (identity) {
    await endProcess(identity, [
      { signal: 'SIGTERM', waitMs: 25_000 },
      { signal: 'SIGKILL', waitMs: 2_000 },
    ])
  }
  rmSync(dataDir, { recursive: true, force: true })
}, 120_000)

type Person = { page: Page; problems: string[]; answers: { address: string; text: Promise<string> }[] }

/** A browser profile of somebody's own, with all it writes to the console and all it is told by the API. */
async function openProfile(): Promise<Person> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  opened.push(context)
  const page = await context.newPage()
  const answers: Person['answers'] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) answers.push({ address: response.url(), text: response.text().catch(() => '') })
  })
  return { page, problems: problemsOf(page), answers }
}

/** Names the first admin behind the link the terminal showed, and answers how to call the API in that person's name. */
async function makeFirstAdmin(page: Page): Promise<Caller['call']> {
  const link = /first admin at (\S+)/.exec(instance.output())?.[1] ?? ''
  await page.goto(new URL(link).pathname)
  await page.getByLabel('Your name').fill('Olena')
  await page.getByLabel('E-mail').fill('olena@network.example')
  await page.getByLabel('New password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create administrator' }).click()
  await page.getByRole('link', { name: 'To the dashboard' }).click()
  await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor()
  const token = (await page.context().cookies()).find(({ name }) => name === 'ohma_token')?.value ?? ''
  return caller(url, decodeURIComponent(token))
}

/** Makes an advertiser and answers the postback address to hand over to it. */
async function addAdvertiser(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Advertisers' }).first().click()
  await page.getByRole('link', { name: 'Add advertiser' }).first().click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kite Shop')
  await page.getByRole('button', { name: 'Create advertiser' }).click()
  await page.getByRole('heading', { name: 'Kite Shop', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Kite Shop' }).getByRole('link', { name: 'Postback' }).click()
  await page.getByRole('heading', { name: 'Postback URL' }).waitFor()
  return page.getByLabel('Address', { exact: true }).inputValue()
}

/** Writes a direct-link offer that affiliates have to ask for, and activates it. */
async function addOffer(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Offers', exact: true }).first().click()
  await page.getByRole('link', { name: 'Direct-link offer' }).first().click()
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Autumn kites')
  await page.getByRole('combobox', { name: 'Advertiser' }).fill('kite')
  await page.getByRole('option', { name: /Kite Shop/ }).click()
  await page.getByRole('textbox', { name: 'Tracking URL' }).fill(DESTINATION)
  const base = page.getByRole('group', { name: 'Sale, row 1' })
  await base.getByLabel('Payout, USD').fill('18')
  await base.getByLabel('Revenue, USD').fill('25')
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByRole('heading', { name: 'Autumn kites', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
}

/** An affiliate who has set a password, made without screens. */
async function makeAffiliate(admin: Caller['call']) {
  const { data } = await admin(affiliateApi.create, { body: affiliateInput({ name: 'Nordlicht', email: 'nord@partner.example' }) })
  const token = new URL(data.link ?? '').searchParams.get('token') ?? ''
  await caller(url)(authApi.setPassword, { body: { token, password: PASSWORD } })
  return data
}

/** Signs the affiliate in, asks for the offer, and copies its link once staff said yes. */
async function takeLink({ page }: Person, approve: () => Promise<unknown>): Promise<string> {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('nord@partner.example')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('link', { name: 'Offers', exact: true }).first().click()
  await page.getByRole('link', { name: 'Autumn kites' }).click()
  await page.getByRole('button', { name: 'Request access' }).click()
  await page.getByText('Your request is being looked at').waitFor()
  await approve()
  await page.reload()
  await page.getByText('$18.00').first().waitFor()
  await page.getByLabel('sub1', { exact: true }).fill('red & blue')
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toContain('sub1=red')
  await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  await page.getByText('Coppied!').waitFor()
  return String(await page.evaluate('navigator.clipboard.readText()'))
}

/** Clicks a link as a phone does and answers where it is led. */
async function visit(link: string, method: 'GET' | 'HEAD' = 'GET'): Promise<URL | undefined> {
  const response = await fetch(link, { method, redirect: 'manual', headers: { 'user-agent': PHONE, 'accept-language': 'uk' } })
  const location = response.headers.get('location')
  return response.status === 302 && location !== null ? new URL(location) : undefined
}

/** A figure of the statistics screen. */
const figure = (page: Page, name: string) =>
  page
    .locator('dl > div', { has: page.locator('dt', { hasText: name }) })
    .locator('dd')
    .first()

test('an offer is made, its link taken and clicked, the postback comes in, and everybody sees of it what is theirs', async () => {
  const [olena, nord] = await Promise.all([openProfile(), openProfile()])
  const admin = await makeFirstAdmin(olena.page)
  await expectAccessible(olena.page)
  const postback = await addAdvertiser(olena.page)
  await addOffer(olena.page)

  const affiliate = await makeAffiliate(admin)
  const { data: offers } = await admin(offerApi.list, {})
  const [offer] = offers.list
  const entries = [{ offer_uuid: offer?.uuid ?? '', affiliate_uuid: affiliate.uuid }]
  const link = await takeLink(nord, () => admin(offerApi.decideAccess, { body: { entries, status: 'approved' } }))
  expect(new URL(link).port).toBe(String(instance.trackerPort))

  // previews are answered like clicks and counted nowhere: the way to see that the tracker knows the affiliate by now
  await until('the tracker knows the offer and the affiliate', async () => (await visit(link, 'HEAD')) !== undefined)
  const arrived = await visit(link)
  const { click = '', ...marks } = Object.fromEntries(arrived?.searchParams ?? [])
  expect(click).not.toBe('')
  expect({ host: arrived?.host, ...marks }).toEqual({
    host: 'shop.example',
    mark: 'red & blue',
    offer: String(offer?.id),
    from: String(affiliate.id),
    on: 'mobile',
    by: 'Android',
  })

  const report = postback.replace('{click_id}', click).replace('{amount}', '').replace('{order_id}', 'order-1')
  expect((await fetch(report.replace(/token=[\w-]+/, 'token=wrong'))).status).toBe(401)
  expect([200, 202]).toContain((await fetch(report)).status) // 202: the click is still on its way to the statistics
  await until('the conversion exists', async () => (await admin(conversionApi.list, {})).data.list.length > 0)
  const { data: conversions } = await admin(conversionApi.list, {})
  expect(conversions.list).toMatchObject([
    {
      status: 'approved',
      click_id: click,
      transaction_id: 'order-1',
      payout: '18.0000',
      revenue: '25.0000',
      affiliate: { name: 'Nordlicht' },
    },
  ])
  await until('the statistics have both', async () => {
    const { data } = await admin(reportApi.run, { body: { metrics: ['clicks', 'conversions'] } })
    return Number(data.summary.totals.clicks) === 1 && Number(data.summary.totals.conversions) === 1
  })

  await seeAsAdmin(olena)
  await tryDirectLink(olena)
  expect((await admin(conversionApi.list, {})).data.summary.rows).toBe(1)
  await seeAsAffiliate(nord)
}, 600_000)

async function seeAsAdmin({ page, problems }: Person) {
  await follow(page, '/statistic/direct-link/general?period=last_7_days&group=offer,advertiser')
  const row = page.getByRole('row').filter({ hasText: 'Autumn kites' })
  await row.getByText('Kite Shop').waitFor()
  for (const amount of ['$25.00', '$18.00', '$7.00']) await row.getByText(amount).first().waitFor()
  const seen = Object.fromEntries(
    await Promise.all(
      ['Clicks', 'Conversions', 'Revenue', 'Payout'].map(async (name) => [name, await figure(page, name).innerText()] as const),
    ),
  )
  expect(seen).toEqual({
    Clicks: expect.stringMatching(/^1\b/),
    Conversions: expect.stringMatching(/^1\b/),
    Revenue: expect.stringMatching(/\$25\.00/),
    Payout: expect.stringMatching(/\$18\.00/),
  })
  await expectAccessible(page)
  await follow(page, '/offers')
  await page.getByRole('link', { name: 'Autumn kites' }).waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
}

/** A direct link is tried: the test link, the click it makes in a tab of its own, and a postback about it, of which nothing is booked. */
async function tryDirectLink({ page, problems }: Person) {
  await follow(page, '/settings/test-api')
  await page.getByText('No integrations yet').waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/test-api/integrations')
  const tabs = page.getByRole('navigation', { name: 'Test API' })
  await tabs.getByRole('link', { name: 'Offer' }).click()
  await page.getByRole('form', { name: 'Test lead' }).waitFor()
  await tabs.getByRole('link', { name: 'Direct link' }).click()
  await page.getByRole('button', { name: 'Make test link' }).waitFor()
  await page.getByRole('combobox', { name: 'Offer' }).fill('autumn')
  await page.getByRole('option', { name: /Autumn kites/ }).click()
  await page.getByRole('combobox', { name: 'Affiliate' }).fill('nord')
  await page.getByRole('option', { name: /Nordlicht/ }).click()
  await page.getByLabel('sub1', { exact: true }).fill('tried')
  await page.getByRole('button', { name: 'Make test link' }).click()
  // there is no shop: that the tab is led there is seen by what it asks for
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.context().waitForEvent('request', (asked) => /^https:\/\/shop\.example\/in\?.*mark=tried/.test(asked.url())),
    page.getByRole('link', { name: 'Click it' }).click(),
  ])
  await tab.close()
  const click = page.getByRole('region', { name: '2. Click' })
  await click.getByText('Sent to the offer').waitFor()
  await click.getByText('tried').waitFor()
  const call = page.getByRole('region', { name: '3. Test postback' })
  await call.getByLabel('Status', { exact: true }).fill('flourished')
  await call.getByRole('button', { name: 'Send test postback' }).click()
  await call.getByText('HTTP 422').waitFor()
  await call.getByLabel('Status', { exact: true }).fill('approved')
  await call.getByRole('button', { name: 'Send test postback' }).click()
  await call.getByText('Understood').waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
}

async function seeAsAffiliate({ page, problems, answers }: Person) {
  await follow(page, '/statistic/direct-link/general?period=last_7_days&group=offer')
  await page.getByRole('row').filter({ hasText: 'Autumn kites' }).getByText('$18.00').first().waitFor()
  expect(await figure(page, 'Clicks').innerText()).toMatch(/^1\b/)
  expect(await figure(page, 'Payout').innerText()).toMatch(/\$18\.00/)
  await expectTheirsOnly(page)
  await expectAccessible(page)

  await follow(page, '/dashboard')
  await page.getByRole('region', { name: 'Balance' }).getByText('$18.00').waitFor()
  await expectTheirsOnly(page)
  await expectAccessible(page)

  await follow(page, '/offers/all')
  await page.getByRole('link', { name: 'Autumn kites' }).waitFor()
  await expectTheirsOnly(page)
  await expectAccessible(page)

  // what the screen hides the network must not have sent either
  for (const { address, text } of answers) expect(await text, address).not.toMatch(/Kite Shop|"25\.0000"|"revenue/)
  expect(problems).toEqual([])
}

/** Nothing of the other side stands anywhere on an affiliate's page. */
async function expectTheirsOnly(page: Page) {
  // files of code are called as the features they belong to
  const shown = (await page.content()).replaceAll(/<link rel="modulepreload"[^>]*>/g, '')
  expect(shown).not.toMatch(/revenue|profit|advertiser|Kite Shop|25\.00/i)
}
