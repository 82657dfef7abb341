import { readFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { runImports } from '#server/features/people/import/run.jobs.ts'
import { readConfig } from '#server/platform/config.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import type { Caller } from '#test/support/run/api.ts'

let panel: Panel
let admin: Caller & { role: 'admin' }
beforeAll(async () => {
  panel = await sharedPanel()
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** What the worker does, which the panel of the tests does not have. */
async function work(): Promise<void> {
  const { db, clickhouse, clock, databaseUrl } = panel.api
  const config = readConfig({ DATABASE_URL: databaseUrl }, 'test')
  const way = { mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl, panel: openPanelAddress(config) }
  const parts = { db, clickhouse, way }
  while (await runImports(parts, clock.now())) await Promise.resolve()
}

test('a file with two bad rows is imported, its bad rows are saved with their reasons, and what was made is taken back', async () => {
  const { page, problems } = await panel.open('/roles/affiliates?search=moved.example', admin)
  await page.getByRole('button', { name: 'Import' }).click()
  const drawer = page.getByRole('dialog', { name: 'Import affiliates' })
  await drawer.getByRole('button', { name: 'Choose a file' }).waitFor()
  const csv = [
    'Affiliate Name;E-mail;Country;Ref Code',
    'Moved One;one@moved.example;Poland;r1',
    'Moved Two;two@moved.example;UA;r2',
    '=Bad;not-an-address;PL;r3',
    'Lost;lost@moved.example;Narnia;r4',
  ].join('\r\n')
  const file = { name: 'partners.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.route('**/api/import/v1/read**', (route) => route.abort('connectionreset'), { times: 1 })
  await page.locator('input[type=file]').setInputFiles(file)
  await drawer.getByText('The connection was lost before the whole file had arrived.').waitFor()
  // that the browser complains of it is meant
  problems.length = 0
  await page.locator('input[type=file]').setInputFiles([])
  await page.locator('input[type=file]').setInputFiles(file)

  await drawer.getByText('partners.csv: 4 rows, read as UTF-8. Delimiter: Semicolon.').waitFor()
  expect(await drawer.getByRole('combobox', { name: 'Affiliate Name becomes' }).inputValue()).toBe('Name')
  await drawer.getByText('1 column is not imported.').waitFor()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Preview' }).click()
  await drawer.getByRole('row', { name: '4 E-mail not-an-address This is not an e-mail address' }).waitFor()
  await drawer.getByRole('row', { name: '5 Country Narnia No country is called "Narnia": write' }).waitFor()
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Import 2 affiliates' }).click()

  // it may be left, and stands where it was left
  await drawer.getByText('0 of 4 rows are done').waitFor()
  await page.reload()
  await page.getByText('0 of 4 rows are done').waitFor()
  await work()
  await drawer.getByText('partners.csv is imported').waitFor()
  const saving = page.waitForEvent('download')
  await drawer.getByRole('button', { name: 'Save 2 rows with their reasons' }).click()
  const saved = await saving
  expect(saved.suggestedFilename()).toBe('partners-errors.csv')
  expect(
    (await readFile(await saved.path(), 'utf8'))
      .replace(/^\ufeff/, '')
      .trim()
      .split('\r\n'),
  ).toEqual([
    'Row,Affiliate Name,E-mail,Country,Ref Code,Reason',
    "4,'=Bad,not-an-address,PL,r3,E-mail: This is not an e-mail address",
    '5,Lost,lost@moved.example,Narnia,r4,"Country: No country is called ""Narnia"": write its English name or its two letters, as in UA"',
  ])
  await page.locator('tbody td[data-title]', { hasText: 'Moved One' }).waitFor()

  await drawer.getByRole('button', { name: 'Take the import back' }).click()
  await page.getByRole('dialog', { name: 'Take this import back?' }).getByRole('button', { name: 'Take the import back' }).click()
  await drawer.getByText('0 of 2 are taken back').waitFor()
  await work()
  await drawer.getByText('The import of partners.csv is taken back').waitFor()
  await drawer.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByText('Nothing matches these filters').waitFor()
  expect(problems).toEqual([])
})

test('a file of results names whose conversions it is about, is bound to its advertiser by one click, and a preview that fails keeps what was chosen', async () => {
  const { db, clickhouse, clock } = panel.api
  const [keys, affiliateId] = [await makeClickKeys(db), await makeAffiliateId(db)]
  const [mine, other] = [await makeOffer(db), await makeOffer(db)]
  const made = [mine, mine, other].map(({ id }) => makeClick(keys, { offerId: id, affiliateId, at: clock.now() - 3_600_000 }))
  await storeClicks(clickhouse, made)
  const clicks = made.map(({ id }) => id)
  const called = (id: number, name: string) => db.updateTable('advertiser').set({ name }).where('id', '=', id).execute()
  await Promise.all([called(mine.advertiserId, 'Riverbank'), called(other.advertiserId, 'Hillside')])
  const { page } = await panel.open('/statistic/direct-link/conversion', admin)
  await page
    .getByRole('button', { name: /^Import/ })
    .first()
    .click()
  const drawer = page.getByRole('dialog', { name: 'Import results' })
  const csv = ['Click ID,Status,Order', ...clicks.map((id, at) => `${id},${at === 1 ? 'murky' : 'approved'},o-${at}`)].join('\n')
  await page.locator('input[type=file]').setInputFiles({ name: 'results.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await drawer.getByText('The rows are about conversions of several advertisers: ').waitFor()
  const owner = drawer.getByRole('combobox', { name: 'Advertiser whose file it is' })
  await owner.fill('hillside')
  await page.getByRole('option', { name: /Hillside/ }).click()
  await drawer.getByText(/^Refused, being about conversions of Riverbank · #\d+: 1 row$/).waitFor()
  await drawer.getByRole('button', { name: 'It is the file of Riverbank' }).click()
  await expect.poll(() => owner.inputValue()).toMatch(/^Riverbank/)
  await drawer.getByText(/^Refused, being about conversions of Hillside/).waitFor()
  await expectAccessible(page)

  await page.route('**/api/conversion-import/v1/preview/**', (route) => route.abort('connectionreset'), { times: 1 })
  await drawer.getByRole('combobox', { name: /murky/ }).click()
  await page.getByRole('option', { name: 'Declined' }).click()
  const failed = drawer.getByRole('alert')
  await failed.waitFor()
  const apply = drawer.getByRole('button', { name: /^Apply to/ })
  expect(await apply.isDisabled()).toBe(true)
  await failed.getByRole('button').click()
  await drawer.getByRole('button', { name: 'Apply to 2 conversions' }).waitFor()
  expect([await owner.inputValue(), await apply.isEnabled()]).toEqual([expect.stringMatching(/^Riverbank/), true])
})
