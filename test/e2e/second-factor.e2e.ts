import { Secret, TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { hashPassword } from '#server/platform/secret.ts'
import { expectAccessibleInBothSchemes } from '#test/support/browser/accessible.ts'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'

const PASSWORD = 'yellow ship sings'

let panel: Panel
beforeAll(async () => {
  panel = await sharedPanel()
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('a second factor is set up in the account menu, asked for at sign-in, and replaced by a recovery code when the phone is lost', async () => {
  const { api } = panel
  const person = await api.as('admin', { name: 'Second Factor Holder' })
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', person.accountId)
    .execute()
  const { page } = await panel.open('/roles/managers', { ...person, role: 'admin' })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Security' }).click()
  await page.waitForURL('**/settings/security?tab=own')
  const dialog = page.getByRole('main')
  await dialog.getByRole('button', { name: 'Set up' }).click()
  await dialog.getByLabel('Your password').fill('not this one')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByText('This is not your current password').waitFor()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'The picture to scan with the app' }).waitFor()
  const secret = ((await dialog.getByRole('button', { name: /^Copy [A-Z2-7 ]+$/ }).textContent()) ?? '').replaceAll(' ', '')
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const code = () => app.generate({ timestamp: api.clock.now() })
  await expectAccessibleInBothSchemes(page)
  await dialog.getByLabel('Code').fill(code())
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const shown = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await shown.first().waitFor()
  const codes = await shown.allTextContents()
  expect(codes).toHaveLength(10)
  await dialog.getByLabel('I have kept the codes').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByText('10 recovery codes left').waitFor()

  api.clock.advance(30_000)
  const guest = await panel.open('/login')
  const logIn = async () => {
    await guest.page.getByLabel('E-mail').fill(person.email)
    await guest.page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await guest.page.getByRole('button', { name: 'Log in' }).click()
    await guest.page.getByRole('heading', { name: 'Enter the code' }).waitFor()
  }
  await logIn()
  await expectAccessibleInBothSchemes(guest.page)
  await guest.page.getByLabel('Code').fill('000000')
  await guest.page.keyboard.press('Enter')
  await guest.page.getByText('The code is wrong or was used already').waitFor()
  await guest.page.getByLabel('Code').fill(code())
  await guest.page.keyboard.press('Enter')
  await guest.page.waitForURL((url) => url.pathname !== '/login')
  await guest.page.getByRole('button', { name: /^Account/ }).click()
  await guest.page.getByRole('menuitem', { name: 'Log out' }).click()
  await guest.page.waitForURL('**/login')

  await logIn()
  await guest.page.getByRole('button', { name: 'Lost your phone? Use a recovery code' }).click()
  await guest.page.getByLabel('Recovery code').fill(codes[0] ?? '')
  await guest.page.keyboard.press('Enter')
  await guest.page.waitForURL((url) => url.pathname !== '/login')
})

test('who must have a second factor and has none sees nothing but its set-up', async () => {
  const { api } = panel
  const person = await api.as('team lead', { name: 'Must Have One' })
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', person.accountId)
    .execute()
  const before = await api.db.selectFrom('setting').select('value').where('key', '=', 'security').executeTakeFirst()
  const value = JSON.stringify({ second_factor: ['team lead'] })
  await api.db
    .insertInto('setting')
    .values({ key: 'security', value })
    .onConflict((row) => row.column('key').doUpdateSet({ value }))
    .execute()
  try {
    const { page } = await panel.open('/roles/affiliates', { ...person, role: 'team lead' })
    await page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
    expect(await page.locator('[data-notification]').count()).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    const secret = ((await page.getByRole('button', { name: /^Copy [A-Z2-7 ]+$/ }).textContent()) ?? '').replaceAll(' ', '')
    await page.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.clock.now() }))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByLabel('I have kept the codes').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('heading', { name: 'Affiliates', level: 1 }).waitFor()
  } finally {
    if (before === undefined) await api.db.deleteFrom('setting').where('key', '=', 'security').execute()
  }
})
