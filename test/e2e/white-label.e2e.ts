import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { settingApi } from '#contract/network/setting.ts'
import { writeLetter } from '#server/features/network/mail/letter.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { pngOf } from '#test/support/make/picture.ts'

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({ at: new Date().toISOString() })
}, 180_000)
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('name, logo, sign, colour and language are changed in the settings and met by guests and in mails', async () => {
  const { api } = panel
  const admin = { ...(await api.as('admin', { name: 'Ann Brand' })), role: 'admin' }
  const { page, problems } = await panel.open('/settings/general', admin)
  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: pngOf(64, 64) })
  await page.getByLabel('Partner title').fill('Зоря Медіа')
  const accent = page.getByRole('textbox', { name: 'Accent colour' })
  const reads = page
    .getByRole('group', { name: 'How the accent reads' })
    .getByText(/Light: black text on it has a contrast of 1\d\.\d : 1\. Links in it would have only 1\.\d : 1/)
  // typed while the settings still arrive it is what they say again
  const typed = async () => {
    await accent.fill('#ffcc00')
    await accent.press('Tab')
    return reads.isVisible()
  }
  await expect.poll(typed, { timeout: 20_000 }).toBe(true)
  const files = page.locator('input[type=file]')
  await files.nth(0).setInputFiles(picture('logo.png'))
  await page.getByRole('img', { name: 'The logo' }).waitFor()
  await files.nth(1).setInputFiles(picture('sign.png'))
  await page.getByRole('img', { name: 'The favicon' }).waitFor()
  await expectAccessible(page)

  // leaving loses nothing without a question
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Trafficback' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Changed by Ann Brand').waitFor()
  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog')
  await history.locator('ins', { hasText: 'Зоря Медіа' }).waitFor()
  await history.locator('del', { hasText: 'Ohma' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.title()).toBe('Зоря Медіа | Settings')

  // what is looked for is found by what stands there
  await page.getByRole('searchbox', { name: 'Find a setting' }).fill('dkim')
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Mail' }).click()
  await page.getByRole('heading', { name: 'Mail', level: 1 }).waitFor()
  expect(problems).toEqual([])

  const { page: guest, problems: met } = await panel.open('/login')
  await guest.getByRole('button', { name: 'Log in' }).waitFor()
  await guest.getByText('Зоря Медіа', { exact: true }).waitFor()
  expect(await guest.title()).toBe('Зоря Медіа | Log in')

  expect(await guest.evaluate(`getComputedStyle(document.querySelector('main button[type=submit]')).backgroundColor`)).toBe(
    'rgb(255, 204, 0)',
  )
  expect(await guest.locator('main img').getAttribute('src')).toMatch(/^data:image\/png;base64,/)
  const address = await guest.locator('link[rel=icon]').getAttribute('href')
  const sign = (await fetch(new URL(address ?? '', api.url))).headers.get('content-type')
  expect(sign).toBe('image/png')
  expect(met).toEqual([])

  const letter = writeLetter('test', { subject: '{network}', body: 'Hello' }, {}, await getGeneralSettings(api.db), api.url)
  expect(letter).toMatchObject({ subject: 'Зоря Медіа', logo: { contentType: 'image/png', content: pngOf(64, 64) } })

  // one language offered is no choice
  const { changed: _changed, ...general } = (await admin.call(settingApi.general)).data
  await admin.call(settingApi.updateGeneral, { body: { ...general, languages: ['uk'], language: 'uk' } })
  const { page: later } = await panel.open('/login')
  await later.getByRole('button', { name: 'Увійти' }).waitFor()
  expect(await later.getByRole('button', { name: 'Мова' }).count()).toBe(0)
})
