import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { newsApi } from '#contract/network/news.ts'
import { tellNews } from '#server/features/network/news/tell.jobs.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { pngOf } from '#test/support/make/picture.ts'

let panel: Panel
let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'news-e2e-'))
  panel = await startPanel({ env: { DATA_DIR: dataDir }, clickhouse: true, at: new Date().toISOString() })
}, 180_000)
afterAll(async () => {
  await panel.close()
  await rm(dataDir, { recursive: true })
})
afterEach(() => panel.closePages())

test('news with a picture and an audience are counted and read by those they are for, and by nobody else', async () => {
  const { api } = panel
  const admin = { ...(await api.as('admin')), role: 'admin' }
  const vip = { ...(await api.as('affiliate')), role: 'affiliate' }
  const other = { ...(await api.as('affiliate')), role: 'affiliate' }
  await api.db
    .updateTable('account')
    .set({ created_at: new Date('2026-01-01') })
    .execute()
  await api.db
    .updateTable('affiliate')
    .set({ tags: ['vip'] })
    .where('id', '=', vip.affiliateId)
    .execute()

  const { page, problems } = await panel.open('/settings/news', admin)
  await page.getByRole('link', { name: 'Write news' }).first().click()
  await page.getByLabel('Title in English').fill('Winter terms')
  const text = page.getByRole('textbox', { name: 'Text in English' })
  await text.click()
  await text.pressSequentially('Payouts rise on Monday.')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer: pngOf(320, 200) })
  await text.getByRole('textbox', { name: /What it shows/ }).fill('A rising chart')
  await page.getByRole('combobox', { name: 'Tags' }).fill('vip')
  await page.getByRole('combobox', { name: 'Tags' }).press('Enter')
  await page.getByText('Reaches 1 affiliate and 0 colleagues').waitFor()
  await page.getByRole('button', { name: 'Preview' }).click()
  const preview = page.getByRole('dialog', { name: 'As its audience reads it' })
  await preview.getByRole('img', { name: 'A rising chart' }).waitFor()
  await preview.getByText('Payouts rise on Monday.').waitFor()
  await page.keyboard.press('Escape')
  await preview.waitFor({ state: 'detached' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('heading', { name: 'Winter terms', level: 1 }).waitFor()
  expect(problems).toEqual([])

  while (await tellNews(api.db, api.clock.now()));
  const { page: theirs, problems: met } = await panel.open('/dashboard', vip)
  const count = theirs.getByRole('navigation', { name: 'Navigation' }).getByRole('link', { name: '1 unread' })
  await count.waitFor()
  await theirs.getByRole('region', { name: 'News' }).getByRole('link', { name: 'Winter terms' }).waitFor()
  await count.click()
  await theirs.getByRole('heading', { name: 'News', level: 1 }).waitFor()
  expect(await theirs.title()).toBe('Ohma | dashboard')
  await theirs.getByRole('link', { name: 'Winter terms' }).click()
  const article = theirs.getByRole('dialog')
  await article.getByText('Payouts rise on Monday.').waitFor()
  // its bytes came and are a picture
  await expect.poll(async () => (await article.getByRole('img', { name: 'A rising chart' }).boundingBox())?.height).toBe(200)
  await count.waitFor({ state: 'detached' })
  await expectAccessible(theirs)
  expect(met).toEqual([])

  const { page: stranger } = await panel.open('/dashboard/news', other)
  await stranger.getByText('No news yet').waitFor()
  expect((await other.call(newsApi.unread)).data.rows).toBe(0)
})
