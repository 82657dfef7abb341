import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endProcess, identityOf } from '#server/platform/process/identity.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { openBrowser, problemsOf } from '#test/support/browser/panel.ts'
import { startInstance, type Instance } from '#test/support/run/instance.ts'
import { startMailServer, type MailServer } from '#test/support/run/mail-server.ts'

// From an empty server to a click that is counted, as production begins: nothing is set but the ports.
const dataDir = mkdtempSync(join(tmpdir(), 'ohma-set-up-'))
chmodSync(dataDir, 0o755)
let instance: Instance
let browser: Browser
let context: BrowserContext | undefined
let post: MailServer

beforeAll(async () => {
  ;[instance, browser, post] = await Promise.all([startInstance({ dataDir, mode: 'serve' }), openBrowser(), startMailServer()])
  await instance.printed(/Ohma is ready/, 170_000)
}, 180_000)

afterAll(async () => {
  await context?.close()
  const identity = instance && identityOf(instance.pid)
  if (identity)
    await endProcess(identity, [
      { signal: 'SIGTERM', waitMs: 25_000 },
      { signal: 'SIGKILL', waitMs: 2_000 },
    ])
  await post?.close()
  rmSync(dataDir, { recursive: true, force: true })
}, 120_000)

const step = (page: Page, name: string) => page.getByRole('heading', { name, level: 2 })

test('an empty server becomes a network with its first counted click, step by step, and may be left in between', async () => {
  // as somebody's own browser calls itself: one without a window says so, and its clicks are not counted
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'
  context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB', timezoneId: 'Europe/Kyiv', userAgent })
  const page = await context.newPage()
  const problems = problemsOf(page)

  // the link the terminal shows leads to the first admin, and on into the set-up
  await page.goto(/first admin at (\S+)/.exec(instance.output())?.[1] ?? '')
  await page.getByLabel('Your name').fill('Olena')
  await page.getByLabel('E-mail').fill('olena@network.example')
  await page.getByLabel('New password', { exact: true }).fill('yellow ship sings')
  await page.getByRole('button', { name: 'Create administrator' }).click()

  await step(page, 'Your network').waitFor()
  await expectAccessible(page)
  await page.getByRole('textbox', { name: 'Partner title' }).fill('Nordlicht Partners')
  expect(await page.getByRole('combobox', { name: 'Time zone of the network' }).inputValue()).toContain('Kyiv')
  expect(await page.getByLabel('Contact e-mail').inputValue()).toBe('olena@network.example')
  await page.getByRole('button', { name: 'Save and continue' }).click()

  // names are added at once and shown to be the network's whenever their records are there
  await step(page, 'Domains').waitFor()
  await page.getByRole('form', { name: 'Tracking' }).getByLabel('Host').fill('go.network-of-ohma.org')
  await page.getByRole('form', { name: 'Tracking' }).getByRole('button', { name: 'Add domain' }).click()
  // where to point it, which a server started for this computer does not know, or what to write there
  await page.getByText('This server does not know its public address').waitFor()
  await page.getByRole('row', { name: /^A go\.network-of-ohma\.org .*the IP address of your server/ }).waitFor()
  await page.getByRole('row', { name: /^TXT .*ohma-verification=/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()

  await step(page, 'Mail').waitFor()
  await page.getByLabel('Server', { exact: true }).fill('127.0.0.1')
  await page.getByLabel('Port').fill(String(post.port))
  await page.getByRole('combobox', { name: 'Encryption' }).click()
  await page.getByRole('option', { name: 'None' }).click()
  await page.getByLabel('Address', { exact: true }).fill('partners@network.example')
  // the form is drawn anew once it is saved: a click before that may be lost
  await Promise.all([
    page.waitForResponse((answer) => answer.url().includes('update-smtp')),
    page.getByRole('button', { name: /^Save/ }).click(),
  ])
  await page.getByRole('button', { name: 'Send a test message' }).click()
  await expect.poll(() => post.received.length).toBeGreaterThan(0)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()

  // left here, the dashboard leads back to where it was left
  await step(page, 'First manager').waitFor()
  await page.getByRole('link', { name: 'To the dashboard' }).click()
  await page.getByRole('link', { name: 'Guided set-up' }).click()
  await step(page, 'First manager').waitFor()
  await page.getByLabel('Name').fill('Marko')
  await page.getByLabel('E-mail').fill('marko@network.example')
  await page.getByRole('button', { name: 'Add manager' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

  await step(page, 'First advertiser').waitFor()
  await page.getByLabel('Company').fill('Kite Shop')
  await page.getByRole('button', { name: 'Add advertiser' }).click()

  await step(page, 'First offer').waitFor()
  await page.getByLabel('Title').fill('Autumn kites')
  await page.getByLabel('Where visitors go').fill(`http://localhost:${instance.port}/login?click={click_id}`)
  await page.getByLabel('The advertiser pays you').fill('25')
  await page.getByLabel('The affiliate earns').fill('18')
  // one that loses money is asked about first, and who says no finds it as a draft that says why
  await page.getByLabel('The affiliate earns').fill('30')
  await page.getByRole('button', { name: 'Make and activate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('status').getByText('A payout row pays more than it earns').waitFor()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Activate anyway' }).click()

  await step(page, 'Link and first click').waitFor()
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('E-mail').fill('ann@partner-of-ohma.org')
  await page.getByRole('button', { name: 'Add affiliate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  // a program's click is told apart
  const link = await page.getByRole('link', { name: 'Open the link' }).getAttribute('href')
  await fetch(link ?? '', { redirect: 'manual', headers: { 'user-agent': 'curl/8.5.0' } })
  await page.getByText('seen as a program').waitFor({ timeout: 30_000 })
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Open the link' }).click()
  await (await opened).waitForURL(/click=\w+/)
  await page.getByText('The click is counted').waitFor({ timeout: 60_000 })
  await expectAccessible(page)

  // whoever was added was told by mail
  await expect.poll(() => post.received.flatMap(({ to }) => to), { timeout: 30_000 }).toContain('ann@partner-of-ohma.org')
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.getByText('6 of 7 done').waitFor()
  expect(await page.title()).toContain('Nordlicht Partners')
  // what is said to be counted is, and the first manager has whom to look after
  await page.goto(`http://localhost:${instance.port}/statistic`)
  await page
    .getByRole('row', { name: /^Total/ })
    .getByRole('cell', { name: '1', exact: true })
    .first()
    .waitFor()
  await page.goto(`http://localhost:${instance.port}/roles/managers`)
  await page.getByRole('row', { name: /Marko/ }).getByRole('cell', { name: '1', exact: true }).first().waitFor()
  // a doubtful offer is answered 409, which the browser says of each
  expect(problems.filter((one) => !one.includes('409'))).toEqual([])
}, 180_000)
