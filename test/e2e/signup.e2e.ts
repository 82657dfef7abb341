import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { legalApi } from '#contract/network/legal.ts'
import { registrationApi, registrationSetting } from '#contract/people/registration.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { answerMailRequests } from '#server/features/people/auth/recovery.service.ts'
import { readConfig } from '#server/platform/config.ts'
import { openSealer } from '#server/platform/seal.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeOffer } from '#test/support/make/money.ts'

const EMAIL = 'zoriana@partners.example'
const PASSWORD = 'four words in a row'
let panel: Panel
let key: string | null
beforeAll(async () => {
  panel = await startPanel({ clickhouse: true, at: new Date().toISOString() })
  const { api } = panel
  key = readConfig({ DATABASE_URL: api.databaseUrl }, 'test').secretKey
  await api.db
    .insertInto('setting')
    .values({ key: 'smtp', value: JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' }) })
    .execute()
  const admin = await api.as('admin')
  const text = { kind: 'terms', language: 'en', version: 0, html: '<h2>1. Traffic</h2><p>Be fair.</p>', note: 'First' } as const
  expect((await admin.call(legalApi.publish, { body: text })).status).toBe(200)
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

/** The path of the link in the last message to an address. */
async function mailedPath(event: string): Promise<string> {
  const row = await panel.api.db
    .selectFrom('mail')
    .select('sealed')
    .where('recipient', '=', EMAIL)
    .where('event', '=', event)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const { link = '' } = JSON.parse(openSealer(key, 'mail').open(row.sealed ?? Buffer.alloc(0))) as { link?: string }
  const { pathname, search } = new URL(link)
  return pathname + search
}

test('somebody signs up, confirms the address, is approved with the answers before staff, and copies a first link', async () => {
  const { api } = panel
  const admin = { ...(await api.as('admin')), role: 'admin' as const }
  const { version } = (await admin.call(registrationApi.settings)).data
  const text = { en: 'What do you promote?', uk: '' }
  const questions = [{ id: 'plan', kind: 'paragraph' as const, required: true, text, options: [] }]
  await admin.call(registrationApi.updateSettings, { body: { ...registrationSetting.defaults, questions, version } })
  const offer = await makeOffer(api.db)
  await api.db.updateTable('offer').set({ title: 'First kites', privacy: 'public' }).where('id', '=', offer.id).execute()

  const guest = await panel.open('/login', undefined, { permissions: ['clipboard-read', 'clipboard-write'] })
  await guest.page.getByRole('link', { name: 'Sign up' }).click()
  await guest.page.getByLabel('Name or company name').fill('Zoriana Media')
  await guest.page.getByLabel('E-mail').fill(EMAIL)
  await guest.page.getByLabel(/^Password/).fill(PASSWORD)
  await guest.page.getByRole('combobox', { name: 'Country', exact: true }).fill('Ukr')
  await guest.page.getByRole('option', { name: 'Ukraine' }).click()
  // the code follows the country, named as the specification names it
  await expect.poll(() => guest.page.getByRole('combobox', { name: 'Country code' }).inputValue()).toBe('Ukraine: +380')
  await guest.page.getByLabel('Telephone').fill('67 123 45')
  await guest.page.getByText('There is no such telephone number').filter({ visible: true }).first().waitFor()
  await guest.page.getByLabel('Telephone').fill('67 123 4567')
  await guest.page.getByRole('combobox', { name: 'Traffic sources' }).click()
  await guest.page.getByRole('option', { name: 'SEO' }).click()
  await guest.page.keyboard.press('Escape')
  await guest.page.getByLabel('What do you promote?').fill('Kites, by search')
  await expectAccessible(guest.page)
  api.clock.advance(60_000)
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.getByText('Please accept them to go on').filter({ visible: true }).first().waitFor()
  await guest.page.getByRole('checkbox').check()
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.getByRole('heading', { name: 'Look into your mail' }).waitFor()

  await guest.page.goto(await mailedPath('email_confirmation'))
  await guest.page.getByRole('button', { name: 'Yes, this is my address' }).click()
  await guest.page.getByRole('heading', { name: 'Your application is with us' }).waitFor()

  const staff = await panel.open('/roles/affiliates?status=moderation', admin)
  await staff.page.getByRole('link', { name: 'Zoriana Media' }).click()
  await staff.page.getByRole('link', { name: 'Application' }).click()
  await staff.page.getByText('Kites, by search').waitFor()
  await staff.page.getByRole('button', { name: 'Approve' }).first().click()
  await staff.page.getByText('Active', { exact: true }).first().waitFor()
  await expect.poll(() => mailedPath('registration_approved').catch(() => 'no mail yet')).toBe('/login')

  await guest.page.goto('/login')
  await guest.page.getByLabel('E-mail').fill(EMAIL)
  await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await guest.page.getByRole('button', { name: 'Log in' }).click()
  // whoever signs in is led on to the dashboard: a click before that leads nowhere else
  await guest.page.waitForURL(/\/dashboard/)
  await guest.page.getByRole('link', { name: 'Offers', exact: true }).first().click()
  await guest.page.getByRole('link', { name: 'First kites' }).click()
  const link = guest.page.getByRole('textbox', { name: 'Link', exact: true })
  await expect.poll(() => link.inputValue()).toContain('/click?')
  await guest.page.getByRole('button', { name: 'Copy', exact: true }).first().click()
  await expect.poll(() => guest.page.evaluate('navigator.clipboard.readText()')).toBe(await link.inputValue())
  expect([...guest.problems, ...staff.problems]).toEqual([])
})

test('a forgotten password is set anew by the mailed link, which works once', async () => {
  const { api } = panel
  const { page } = await panel.open('/login')
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor()
  await page.getByLabel('E-mail').fill(EMAIL)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
  await answerMailRequests({ db: api.db, mail: openMailQueue(key), publicUrl: api.url }, api.clock.now())
  const path = await mailedPath('password_recovery')
  await page.goto(path)
  await page.getByLabel('New password').fill('another four words')
  await page.getByRole('button', { name: 'Save and log in' }).click()
  await page.waitForURL(/\/dashboard/)
  const again = await panel.open(path)
  await again.page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
})

test('who is signed in is led from every public page to the dashboard, and reads the texts in a dialog', async () => {
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const { page } = await panel.open('/signup', admin)
  await page.waitForURL(/\/dashboard/)
  for (const path of ['/password-recovery', '/user-terms-and-conditions', '/user-agreement', '/user-privacy-policy', '/login']) {
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`)
    await page.waitForURL(/\/dashboard/)
  }
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Legal texts' }).click()
  await page.getByRole('dialog').getByText('Be fair.').waitFor()
})
