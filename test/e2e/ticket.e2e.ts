import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sharedPanel, type Panel } from '#test/support/browser/panel.ts'
import type { Caller } from '#test/support/run/api.ts'

let panel: Panel
let manager: Caller & { role: 'manager' }
let affiliate: Caller & { role: 'affiliate' }
beforeAll(async () => {
  panel = await sharedPanel()
  manager = { ...(await panel.api.as('manager', { name: 'Taras Koval' })), role: 'manager' }
  affiliate = { ...(await panel.api.as('affiliate', { managerId: manager.managerId, name: 'Live Media' })), role: 'affiliate' }
})
afterAll(() => panel.close())
afterEach(() => panel.closePages())

test('a ticket between two browsers: asked, answered live with a file, its draft kept', async () => {
  const { page: own, problems } = await panel.open('/tickets', affiliate)
  await own.getByRole('button', { name: 'New ticket' }).click()
  await own.getByRole('textbox', { name: 'Subject' }).fill('Payout for October')
  await own.getByRole('textbox', { name: 'Message' }).fill('When? See https://partner.example/x')
  const form = own.getByRole('dialog', { name: 'New ticket' })
  await form.locator('input[type=file]').setInputFiles({ name: 'invoice.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n') })
  await form.getByRole('button', { name: 'Remove invoice.csv' }).waitFor()
  await own.getByRole('button', { name: 'Open ticket' }).click()
  await own.getByRole('heading', { name: 'Payout for October' }).waitFor()

  await own.getByRole('button', { name: 'Download invoice.csv' }).waitFor()

  const { page: staff } = await panel.open('/tickets?category=finance', manager)
  await staff.getByText('No ticket fits').waitFor()
  await staff.getByRole('combobox', { name: 'About' }).click()
  await staff.getByRole('option', { name: 'General' }).click()
  await staff.getByRole('link', { name: /Payout for October/ }).waitFor()
  // it shows what the address says, a moment after the click
  await staff.getByRole('checkbox', { name: 'Unread only' }).click()
  await staff.waitForURL(/category=general.*unread=yes/)
  await staff.getByRole('link', { name: /Payout for October/ }).click()
  await staff.getByRole('link', { name: 'https://partner.example/x', exact: true }).waitFor()
  await staff.getByRole('textbox', { name: 'Write an answer…' }).fill('Tomorrow by noon')
  // another look at the page: what was typed is still there
  await staff.reload()
  const box = staff.getByRole('textbox', { name: 'Write an answer…' })
  await expect.poll(() => box.inputValue()).toBe('Tomorrow by noon')
  await staff.locator('input[type=file]').setInputFiles({ name: 'plan.csv', mimeType: 'text/csv', buffer: Buffer.from('a;b\n') })
  await staff.getByRole('button', { name: 'Send', exact: true }).click()

  // nobody reloads: the other browser hears of it
  await own.getByText('Tomorrow by noon').last().waitFor()
  await own.getByRole('button', { name: 'Download plan.csv' }).waitFor()
  await own.getByRole('textbox', { name: 'Write an answer…' }).fill('Thank you')
  await own.getByRole('button', { name: 'Send', exact: true }).click()
  await staff.getByText('Thank you').last().waitFor()
  await staff.locator('section header').getByText('Waiting for us').waitFor()
  await staff.goto('/tickets?ticket=999999')
  await staff.getByText('There is no such ticket').waitFor()
  expect(problems).toEqual([])
})
