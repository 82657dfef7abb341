import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { expectAccessible, expectAccessibleInBothSchemes } from '#test/support/browser/accessible.ts'
import type { Caller } from '#test/support/run/api.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { follow, sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { PHONE } from '#test/support/browser/phone.ts'

/** The list with the rows of this file alone. */
const OWN = '/roles/affiliates?search=north.example'

let panel: Panel
let admin: Caller & { role: 'admin' }

beforeAll(async () => {
  panel = await sharedPanel()
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  const people = [
    affiliateInput({ name: 'Nordlicht', email: 'nord@north.example', country: 'DE', tags: ['vip'] }),
    affiliateInput({ name: 'Жовтий Кіт', email: 'cat@north.example', status: 'moderation' }),
    affiliateInput({ name: 'Blue Fox', email: 'fox@north.example', status: 'banned' }),
  ]
  for (const body of people) await admin.call(affiliateApi.create, { body })
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
const names = (page: Page) => page.locator('tbody td[data-title]').allInnerTexts()

test('an affiliate is made, let in by a copied link, found, and changed', async () => {
  const { page, problems } = await panel.open('/roles/affiliates', admin, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByRole('link', { name: 'Add affiliate' }).click()
  await page.getByRole('button', { name: 'Create affiliate' }).click()
  await page.getByText('2 fields need your attention').waitFor()
  expect(await page.locator('input:focus').getAttribute('id')).toMatch(/-name$/)

  await page.getByLabel('Name').fill('Kite & Co')
  await page.getByLabel('E-mail').fill('Kite@Example.com')
  await page.getByRole('combobox', { name: 'Country' }).fill('pol')
  await page.getByRole('option', { name: 'Poland' }).click()
  await page.getByRole('button', { name: 'Create affiliate' }).click()

  const dialog = page.getByRole('dialog', { name: 'Set-password link of Kite & Co' })
  // shown once: it stays until it is copied, or said to be done with
  await dialog.getByRole('button', { name: 'Copy' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  expect(await dialog.getByRole('button').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await page.getByText('Coppied!').waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toMatch(/\/password-recovery\?token=\S+$/)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Kite & Co' }).waitFor()
  expect(page.url()).toMatch(/\/roles\/affiliates\/edit\/[0-9a-f-]{36}$/)

  await page.getByRole('region', { name: 'Performance' }).getByRole('button', { name: 'Show 30 days' }).click()
  await page.getByText('Figures appear with the first click').waitFor()
  await page.getByRole('link', { name: 'Its offers' }).click()
  await page.getByText('Nobody here yet').waitFor()

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Telegram').fill('  @kite ')
  await page.getByText('Unsaved changes').waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  const leaving = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await leaving.getByText('You are leaving “Kite & Co”.').waitFor()
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Telegram' }).inputValue()).toBe('@kite') // as it was stored
  await page.getByRole('link', { name: 'email: kite@example.com' }).waitFor()
  expect(await page.getByRole('link', { name: 'telegram: @kite' }).getAttribute('href')).toBe('https://t.me/kite')

  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'Affiliates' }).click()
  await page.getByRole('searchbox').fill('kite')
  await expect.poll(() => names(page)).toEqual(['Kite & Co'])
  expect(new URL(page.url()).search).toBe('?search=kite')
  expect(problems).toEqual([])
})

test('who may not see the link of a new affiliate is told whom to ask for it, and is offered none later', async () => {
  const lead = { ...(await panel.api.as('team lead')), role: 'team lead' }
  const { page } = await panel.open('/roles/affiliates/create', lead)
  await page.getByLabel('Name').fill('Kite for later')
  await page.getByLabel('E-mail').fill('kite-later@example.com')
  await page.getByRole('combobox', { name: 'Country' }).fill('pol')
  await page.getByRole('option', { name: 'Poland' }).click()
  await page.getByRole('button', { name: 'Create affiliate' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set-password link' })
  await dialog.getByText('Only an admin or head is shown the link').waitFor()
  expect(await dialog.getByRole('button', { name: 'Copy' }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('heading', { name: 'Kite for later' }).waitFor()
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()
  expect(await page.getByRole('button', { name: 'Set-password link' }).count()).toBe(0)
})

test('where mail is set up the dialog says the link is on its way; admin and head may have it shown instead', async () => {
  const value = JSON.stringify({ host: 'mail.example', sender_email: 'hello@north.example' })
  await panel.api.db.insertInto('setting').values({ key: 'smtp', value }).execute()
  try {
    const { page, problems } = await panel.open('/roles/affiliates/create', admin)
    await page.getByLabel('Name').fill('Kite by mail')
    await page.getByLabel('E-mail').fill('kite-mailed@example.com')
    await page.getByRole('combobox', { name: 'Country' }).fill('pol')
    await page.getByRole('option', { name: 'Poland' }).click()
    await page.getByRole('button', { name: 'Create affiliate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Set-password link of Kite by mail' })
    await dialog.getByText('The link is on its way by mail').waitFor()
    expect(await dialog.getByRole('button', { name: 'Copy' }).count()).toBe(0)
    await expectAccessibleInBothSchemes(page)
    await dialog.getByRole('button', { name: 'Show the link instead' }).click()
    await dialog.getByRole('button', { name: 'Copy' }).waitFor()
    await dialog.getByText('It works once').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Kite by mail' }).waitFor()
    await page.getByRole('button', { name: 'Set-password link' }).click()
    await page.getByRole('dialog').getByText('The link is on its way by mail').waitFor()
    expect(problems).toEqual([])
  } finally {
    await panel.api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
  }
})

test('an e-mail that is taken is said at its field, and edits are not lost by leaving', async () => {
  await admin.call(affiliateApi.create, { body: affiliateInput({ email: 'taken@example.com' }) })
  const { page } = await panel.open('/roles/affiliates/create', admin)
  await page.getByLabel('Name').fill('Second')
  await page.getByLabel('E-mail').fill('taken@example.com')
  await page.getByRole('button', { name: 'Create affiliate' }).click()
  await expect.poll(() => page.getByRole('alert').innerText()).toContain('E-mail')
  expect(await page.getByLabel('E-mail').getAttribute('aria-invalid')).toBe('true')

  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'Affiliates' }).click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  expect(await page.getByLabel('Name').inputValue()).toBe('Second')
  await page.getByRole('navigation', { name: 'Where you are' }).getByRole('link', { name: 'Affiliates' }).click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL('**/roles/affiliates')
})

test('filters and sorting stand in the address and survive a reload', async () => {
  const { page } = await panel.open(OWN, admin)
  await page.getByRole('button', { name: 'Status' }).first().click()
  await page.getByRole('checkbox', { name: 'Banned' }).click()
  await page.getByRole('checkbox', { name: 'Moderation' }).click()
  await page.keyboard.press('Escape')
  const byName = page.getByRole('columnheader', { name: 'Name' })
  await byName.getByRole('button').click()
  await expect.poll(() => names(page)).toEqual(['Blue Fox', 'Жовтий Кіт'])
  await expect.poll(() => byName.getAttribute('aria-sort')).toBe('ascending')
  expect(new URL(page.url()).search).toBe('?search=north.example&status=banned&status=moderation&sort=name&direction=asc')
  await page.reload()
  await expect.poll(() => names(page)).toEqual(['Blue Fox', 'Жовтий Кіт'])
  await byName.getByRole('button').click()
  await expect.poll(() => names(page)).toEqual(['Жовтий Кіт', 'Blue Fox'])
  await page.getByText('Clear', { exact: true }).click()
  await expect.poll(async () => (await names(page)).length).toBeGreaterThan(2)
})

test('choices that follow each other faster than the page draws are all kept', async () => {
  const { page } = await panel.open('/roles/affiliates', admin)
  await page.getByRole('button', { name: 'Status' }).first().click()
  await page.getByRole('dialog', { name: 'Status' }).waitFor()
  await page.evaluate(`document.querySelectorAll('[role=dialog] [type=checkbox]').forEach((box) => box.click())`)
  const all = '?status=unverified&status=moderation&status=active&status=inactive&status=banned&status=rejected'
  await expect.poll(() => new URL(page.url()).search).toBe(all)
})

test('rows are walked, chosen and opened by keyboard, and one status for many can be taken back', async () => {
  const { page } = await panel.open(`${OWN}&sort=name&direction=asc`, admin)
  // a status is shown before the server has answered, and stands as it was where that says no
  let refuse = () => {}
  const answered = new Promise<void>((resolve) => (refuse = resolve))
  await page.route(`**${affiliateApi.setStatus.path}`, async (route) => {
    await answered
    await route.fulfill({ status: 409, json: { status: 'error', errors: { 409: 'Not now' }, data: {} } })
  })
  await rowOf(page, 'Blue Fox').getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Activate' }).click()
  await rowOf(page, 'Blue Fox').getByText('Active', { exact: true }).waitFor()
  refuse()
  await rowOf(page, 'Blue Fox').getByText('Banned').waitFor()
  await page.getByText('Not now').waitFor()
  await page.unroute(`**${affiliateApi.setStatus.path}`)

  await rowOf(page, 'Blue Fox').focus()
  await page.keyboard.press('x')
  await rowOf(page, 'Nordlicht').getByRole('checkbox').click()
  const bar = page.getByRole('region', { name: 'Actions for the selected rows' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Set status' }).click()
  await page.getByRole('menuitem', { name: 'Inactive', exact: true }).click()
  await page.getByText('2 affiliates are now: Inactive').waitFor()
  await rowOf(page, 'Blue Fox').getByText('Inactive').waitFor()
  const { data } = await admin.call(affiliateApi.list, { body: { search: 'nordlicht' } })
  const uuids = data.list.map((affiliate) => affiliate.uuid)
  await admin.call(affiliateApi.setStatus, { body: { uuids, status: 'rejected', reason: 'Sent by mistake' } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await rowOf(page, 'Blue Fox').getByText('Banned').waitFor()
  await rowOf(page, 'Nordlicht').getByText('Rejected').waitFor()
  await page.getByText('so left as they are: 1').waitFor()
  await admin.call(affiliateApi.setStatus, { body: { uuids, status: 'active' } })

  await rowOf(page, 'Blue Fox').focus()
  await page.keyboard.press('ArrowDown')
  const next = await page.locator('tr:focus td[data-title]').innerText()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: next }).waitFor()
})

test('many are rejected for a reason that is asked once, and a manager is told why an e-mail is locked', async () => {
  const manager = { ...(await panel.api.as('manager')), role: 'manager' as const }
  for (const name of ['Wave One', 'Wave Two'])
    await manager.call(affiliateApi.create, {
      body: affiliateInput({ name, email: `${name.replace(' ', '')}@wave.example`, status: 'moderation' }),
    })
  const { page, problems } = await panel.open('/roles/affiliates?search=wave.example', manager)
  for (const name of ['Wave One', 'Wave Two']) await rowOf(page, name).getByRole('checkbox').click()
  const ask = async () => {
    await page.getByRole('button', { name: 'Set status' }).click()
    await page.getByRole('menuitem', { name: 'Rejected' }).click()
    return page.getByRole('dialog', { name: 'Reject 2 affiliates' })
  }
  await (await ask()).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const dialog = await ask()
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  await dialog.getByText('Say why').waitFor()
  await dialog.getByLabel('Reason').fill('No site was named')
  const sent = page.waitForRequest((request) => request.url().endsWith(affiliateApi.setStatus.path))
  await dialog.getByRole('button', { name: 'Reject', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({ status: 'rejected', expected: 'moderation', reason: 'No site was named' })
  await page.getByText('2 affiliates are now: Rejected').waitFor()
  await rowOf(page, 'Wave Two').getByText('Rejected').waitFor()

  await rowOf(page, 'Wave One').getByRole('link', { name: 'Wave One' }).click()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByText('Only an admin or head changes it').waitFor()
  expect(await page.getByLabel('E-mail').isDisabled()).toBe(true)
  expect(problems).toEqual([])
})

test('staff act as an affiliate under a band that leads back', async () => {
  const { page } = await panel.open('/roles/affiliates?search=nordlicht', admin)
  await rowOf(page, 'Nordlicht').getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Act as affiliate' }).click()
  const band = page.getByRole('region', { name: 'Acting as an affiliate' })
  await band.getByText('You act as Nordlicht').waitFor()
  await band.getByRole('button', { name: 'Exit' }).click()
  await page.getByRole('link', { name: 'Affiliates' }).first().waitFor()
  await expect.poll(() => band.count()).toBe(0)
})

test('the palette finds a person by name and what can be done by its words; ? lists the keys', async () => {
  const { page } = await panel.open('/roles/affiliates', admin)
  await page.getByRole('heading', { name: 'Affiliates' }).waitFor()
  await page.keyboard.press('Control+k')
  const typed = page.getByPlaceholder('Screen, action')
  await typed.fill('export')
  await page.getByRole('dialog').getByText('Export as CSV').waitFor()
  await typed.fill('add offer')
  await page.getByRole('dialog').getByText('New direct-link offer').waitFor()
  await typed.fill('жовтий')
  await page.getByRole('dialog').getByText('Жовтий Кіт').waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Жовтий Кіт' }).waitFor()
  await page.getByRole('navigation', { name: 'Where you are' }).getByText('Жовтий Кіт').waitFor()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const what of ['Open the row', 'Reject, or dismiss', 'One before']) await keys.getByText(what).waitFor()
  await expectAccessible(page)
})

test('a list that cannot be loaded says so, names the request, and loads on another try', async () => {
  const { page } = await panel.open('about:blank', admin)
  await page.route('**/api/affiliate/v1/list', (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'req-4711' }, json: { status: 'error', errors: { 500: 'x' }, data: {} } }),
  )
  await page.goto(OWN)
  await page.getByRole('heading', { name: 'This list could not be loaded' }).waitFor()
  await page.getByText('req-4711').waitFor()
  await page.unroute('**/api/affiliate/v1/list')
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf(page, 'Nordlicht').waitFor()
})

test('on a phone rows are cards with four fields and nothing sticks out of the page', async () => {
  const { page } = await panel.open('/roles/affiliates?search=nordlicht', admin, { viewport: PHONE })
  const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'Nordlicht' }) })
  await card.waitFor()
  expect(await card.locator('dt').allInnerTexts()).toEqual(['Status', 'Conversions', 'Available', 'Last login'])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  await expectAccessible(page)

  // what the headers of the table do on a wide screen
  await page.goto(OWN)
  await page.getByRole('button', { name: 'Sort by: ID, descending' }).click()
  const names = () => page.getByRole('listitem').getByRole('link').allInnerTexts()
  const known = (await names()).toSorted((a, b) => a.localeCompare(b, 'en'))
  for (const [order, direction] of [
    [known, 'ascending'],
    [known.toReversed(), 'descending'],
  ] as const) {
    await page.getByRole('menuitem', { name: 'Name' }).click()
    await expect.poll(names).toEqual(order)
    await page.getByRole('button', { name: `Sort by: Name, ${direction}` }).click()
  }
  expect(new URL(page.url()).search).toContain('sort=name')
})

test('list and form are accessible in both schemes', async () => {
  const { page } = await panel.open(OWN, admin)
  await rowOf(page, 'Nordlicht').waitFor()
  await expectAccessibleInBothSchemes(page)
  await follow(page, '/roles/affiliates/create')
  await page.getByRole('button', { name: 'Create affiliate' }).click()
  await page.getByText('2 fields need your attention').waitFor()
  await expectAccessibleInBothSchemes(page)
})
