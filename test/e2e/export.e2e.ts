import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import type { Caller } from '#test/support/run/api.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'

/** The list with the rows of this file alone. */
const OWN = '/roles/affiliates?search=export.example'

let panel: Panel
let admin: Caller & { role: 'admin' }

beforeAll(async () => {
  panel = await sharedPanel()
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
  // one by one over the API they would cost as much as a test
  await sql`with made as (
      insert into account (role, email, name)
      select 'affiliate', 'partner-' || n || '@export.example', 'Partner ' || n from generate_series(0, 229) n returning id)
    insert into affiliate (account_id, status) select id, 'active' from made`.execute(panel.api.db)
  await admin.call(affiliateApi.create, { body: affiliateInput({ name: '=1+1, "quoted"', email: 'quoted@export.example' }) })
}, 120_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

const exportButton = (page: Page) => page.getByRole('button', { name: 'Export', exact: true })

/** Answers the given page of list requests of 100 rows only when `go` is called. */
async function holdPage(page: Page, wanted: number) {
  let go = () => {}
  const held = new Promise<void>((resolve) => (go = resolve))
  await page.route('**/api/affiliate/v1/list', async (route) => {
    const body: unknown = route.request().postDataJSON()
    if (typeof body === 'object' && body !== null && 'count' in body && body.count === 100 && 'page' in body && body.page === wanted)
      await held
    await route.continue()
  })
  return go
}

test('an export holds the whole result with its filters, quoted and neutralised, and the title says when it is done', async () => {
  const { page } = await panel.open(OWN, admin)
  await page.getByText('1–50 of 231').waitFor()
  const downloading = page.waitForEvent('download')
  await exportButton(page).click()
  const download = await downloading
  await expect.poll(() => page.title()).toBe('Export Complete!')
  expect(download.suggestedFilename()).toBe('affiliates.csv')
  const text = await readFile(await download.path(), 'utf8')
  const lines = text.replace('\ufeff', '').trimEnd().split('\r\n')
  expect(lines).toHaveLength(232)
  expect(lines[0]).toMatch(/^ID,Name,E-mail,External ID,Status,/)
  expect(lines[1]).toContain(`"'=1+1, ""quoted""",`)
  await expect.poll(() => page.title()).toBe('Ohma | affiliates')
})

test('there is nothing to export where the filters leave nothing', async () => {
  const { page } = await panel.open('/roles/affiliates?search=nobody-at-all', admin)
  await page.getByText('Nothing matches these filters').waitFor()
  await exportButton(page).click()
  await page.getByText('No data to export').waitFor()
})

test('leaving during an export is asked about', async () => {
  const { page } = await panel.open(OWN, admin)
  await page.getByText('1–50 of 231').waitFor()
  const go = await holdPage(page, 2)
  await exportButton(page).click()
  await page.getByText('Exporting 100 of 231').waitFor()
  await page.getByRole('link', { name: 'Add affiliate' }).click()
  const question = page.getByRole('dialog', { name: 'Export is in progress. Are you sure you want to leave?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await question.waitFor({ state: 'detached' })
  // the browser asks, in its own words, where it is the tab that is left; of a page that is busy for half a second it asks nothing
  await page.evaluate('new Promise((done) => requestIdleCallback(() => done(), { timeout: 20000 }))')
  const asked = page.waitForEvent('dialog')
  void page.close({ runBeforeUnload: true })
  expect((await asked).type()).toBe('beforeunload')
  await (await asked).dismiss()
  const downloading = page.waitForEvent('download')
  go()
  await downloading
  await page.getByRole('link', { name: 'Add affiliate' }).click()
  await page.waitForURL('**/create')
})

test('failed requests are counted, and another try asks only for them', async () => {
  const { page } = await panel.open(OWN, admin)
  await page.getByText('1–50 of 231').waitFor()
  let broken = true
  const asked: unknown[] = []
  await page.route('**/api/affiliate/v1/list', (route) => {
    const body: unknown = route.request().postDataJSON()
    const number = typeof body === 'object' && body !== null && 'page' in body ? body.page : undefined
    asked.push(number)
    return number === 2 && broken ? route.abort() : route.continue()
  })
  await exportButton(page).click()
  await page.getByText('Completed with 1 failed requests, you can try again.').waitFor()
  await page.getByText('Missing: rows 101–200').waitFor()
  broken = false
  asked.length = 0
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Try the failed ones again' }).click()
  const text = await readFile(await (await downloading).path(), 'utf8')
  expect(asked).toEqual([2])
  expect(text.trimEnd().split('\r\n')).toHaveLength(232)
})

test('an export of which nothing came has failed', async () => {
  const { page } = await panel.open(OWN, admin)
  await page.getByText('1–50 of 231').waitFor()
  await page.route('**/api/affiliate/v1/list', (route) => route.abort())
  await exportButton(page).click()
  await page.getByText('Export failed. Please try again.').waitFor()
})
