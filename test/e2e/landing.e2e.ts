import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '#test/support/accessible.ts'
import type { Caller } from '#test/support/api.ts'
import { startPanel, type Panel } from '#test/support/panel.ts'
import { pngOf } from '#test/support/picture.ts'

let panel: Panel
let dataDir: string
let admin: Caller & { role: 'admin' }

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'landing-e2e-'))
  panel = await startPanel({ env: { DATA_DIR: dataDir } })
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
}, 180_000)
afterAll(async () => {
  await panel.close()
  await rm(dataDir, { recursive: true })
})
afterEach(() => panel.closePages())

test('a landing is made with its picture; a macro nobody fills is told at its field', async () => {
  const { page, problems } = await panel.open('/landings', admin)
  await page.getByRole('link', { name: 'Add landing' }).first().click()
  expect(await page.title()).toBe('Ohma | Landings')
  await page.getByLabel('Name').fill('Summer sale')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://summer.example/?c={clickid}')
  await page.getByRole('button', { name: 'Create landing' }).click()
  await page
    .getByText(/\{clickid\}/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Address' }).fill('https://summer.example/?c={click_id}')
  await page.locator('input[type=file]').setInputFiles({ name: 'shop.png', mimeType: 'image/png', buffer: pngOf(320, 200) })
  await page.getByRole('img', { name: 'Preview picture' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create landing' }).click()
  await page.getByRole('heading', { name: 'Summer sale' }).waitFor()
  // the browser notes the refusal of the first try
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
})
