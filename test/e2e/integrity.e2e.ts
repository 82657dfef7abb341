import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { USUAL_INTEGRITY } from '#contract/leads/integrity.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'

let mock: MockAdvertiser
let panel: Panel
beforeAll(async () => {
  mock = await startMockAdvertiser()
  panel = await startPanel({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
}, 180_000)
afterAll(async () => {
  await panel.close()
  await mock.close()
})
afterEach(() => panel.closePages())

test('a check is chosen on the offer, a held lead is decided at its story, and a file is added to the blacklist and taken back', async () => {
  const { db, clock } = panel.api
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const affiliate = await panel.api.as('affiliate')
  const advertiser = await makeAdvertiser(db, { name: 'Heron Bank' })
  const offer = await makeLeadOffer(db, admin, advertiser.uuid, [await makeMockProduct(db, advertiser.id, mock, clock.now())])

  const { page, problems } = await panel.open(`/offers/edit-api/${offer.uuid}`, admin)
  const mail = page.getByRole('group', { name: 'E-mail', exact: true })
  await mail.getByRole('combobox', { name: 'E-mail' }).click()
  await page.getByRole('option', { name: 'Hold for a decision' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  const saved = () => db.selectFrom('api_offer').select('integrity').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  await expect.poll(async () => (await saved()).integrity).toEqual({ ...USUAL_INTEGRITY, mail: { action: 'hold', roles: true } })

  const lead = leadOf(offer.uuid, { email: 'info@mailinator.com', phone: '+393331111118' })
  const sent = await affiliate.call(leadApi.send, { body: lead })
  expect(sent.status).toBe(202)
  await page.goto(`/statistic/api/user-session?session=${sent.data.session_uuid}`)
  const story = page.getByRole('dialog')
  await story.getByText('Throw-away e-mail').waitFor()
  await story.getByText('Telephone repeats digits').waitFor()
  await expectAccessible(page)
  await story.getByRole('button', { name: 'Let it go on' }).click()
  await story.getByText(/let it go on,/).waitFor()

  await page.goto('/statistic/api/user-session?tab=blacklist')
  await page.getByRole('button', { name: 'Import CSV' }).first().click()
  const file = page.getByRole('dialog', { name: 'Import a list' })
  const rows = 'kind,value\nemail,bad.man@mail.example\nip,203.0.113.0/24\nphone,12'
  await file.locator('input[type=file]').setInputFiles({ name: 'bad.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) })
  await file.getByText('2 new, 0 on the list already, 1 refused').waitFor()
  await expectAccessible(page)
  await file.getByRole('button', { name: 'Add 2' }).click()
  await file.getByText('One row was refused.').waitFor()
  await file.getByRole('button', { name: 'Take back' }).waitFor()
  await page.getByText('b***@m***.example').waitFor()
  await file.getByRole('button', { name: 'Take back' }).click()
  await page.getByText('b***@m***.example').waitFor({ state: 'detached' })
  await file.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Add', exact: true }).first().click()
  const add = page.getByRole('dialog', { name: 'Add to the blacklist' })
  await add.getByLabel('Value').fill('nobody')
  await add.getByRole('button', { name: 'Add' }).click()
  await add.getByText('This is not an e-mail address').first().waitFor()
  await expectAccessible(page)
  // what a browser says of a refusal
  expect(problems.filter((problem) => !problem.includes('422'))).toEqual([])
}, 120_000)
