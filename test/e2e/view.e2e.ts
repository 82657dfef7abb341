import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { tableLayoutApi } from '#contract/traffic/view.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import type { Caller } from '#test/support/run/api.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'

/** The list with the rows of this file alone. */
const OWN = '/roles/affiliates?search=kept.example'

let panel: Panel
let admin: Caller & { role: 'admin' }
let head: Caller & { role: 'head' }
beforeAll(async () => {
  panel = await sharedPanel()
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  head = { ...(await panel.api.as('head')), role: 'head' }
  for (const body of [
    affiliateInput({ name: 'Silver Elk', email: 'elk@kept.example' }),
    affiliateInput({ name: 'Grey Owl', email: 'owl@kept.example', status: 'banned' }),
  ])
    await admin.call(affiliateApi.create, { body })
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('a list is kept under a name, shared, opened by a colleague, deleted and taken back', async () => {
  const { page, problems } = await panel.open(`${OWN}&status=banned&page=1`, admin)
  await page.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('dialog', { name: 'Views of “Affiliates”' })
  await views.getByText('No views yet').waitFor()
  await views.getByLabel('Keep what is shown now').fill('Banned')
  await views.getByLabel('Share with all staff').click()
  await views.getByRole('button', { name: 'Save' }).click()
  await views.getByRole('button', { name: 'Banned Shared with all staff', exact: true }).waitFor()
  expect(await views.getByRole('button', { name: /^Banned/ }).getAttribute('aria-current')).toBe('true')
  await expectAccessible(page)

  const other = await panel.open(OWN, head)
  await other.page.getByRole('link', { name: 'Silver Elk', exact: true }).waitFor()
  await other.page.getByRole('button', { name: 'Views' }).click()
  const shared = other.page.getByRole('dialog', { name: 'Views' })
  expect(await shared.getByRole('button', { name: 'Delete view Banned' }).count()).toBe(0)
  await shared.getByRole('button', { name: /^Banned by/ }).click()
  await expect.poll(() => new URL(other.page.url()).search).toBe('?search=kept.example&status=banned')
  await expect.poll(() => other.page.locator('tbody td[data-title]').allInnerTexts()).toEqual(['Grey Owl'])

  await views.getByRole('button', { name: 'Delete view Banned' }).click()
  await views.getByText('No views yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: /^Banned/ }).waitFor()
  expect([...problems, ...other.problems]).toEqual([])

  // how columns are arranged is the person's own, in whichever browser
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  const kept = page.waitForResponse((answer) => new URL(answer.url()).pathname === tableLayoutApi.save.path)
  await page.getByRole('checkbox', { name: 'E-mail' }).click()
  expect((await kept).status()).toBe(200)
  const elsewhere = await panel.open(OWN, admin)
  await elsewhere.page.getByRole('link', { name: 'Silver Elk', exact: true }).waitFor()
  await elsewhere.page.getByRole('columnheader', { name: 'E-mail' }).waitFor({ state: 'detached' })
  await other.page.getByRole('columnheader', { name: 'E-mail' }).waitFor()
})

test('a report is kept and opened again, and a name that is taken is replaced', async () => {
  const { page } = await panel.open('/statistic/direct-link/general?group=geo', admin)
  await page.getByRole('button', { name: 'Views' }).click()
  const views = page.getByRole('dialog', { name: 'Views' })
  for (const button of ['Save', 'Replace']) {
    await views.getByLabel('Keep what is shown now').fill('By country')
    await views.getByRole('button', { name: button }).click()
    await views.getByRole('button', { name: 'By country', exact: true }).waitFor()
    await expect.poll(() => views.getByLabel('Keep what is shown now').inputValue()).toBe('')
  }
  await page.keyboard.press('Escape')
  await page.goto(page.url().replace('group=geo', 'group=offer'))
  await page.getByRole('button', { name: 'Views' }).click()
  await views.getByRole('button', { name: 'By country', exact: true }).click()
  await expect.poll(() => new URL(page.url()).searchParams.getAll('group')).toEqual(['geo'])
})
