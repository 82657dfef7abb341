import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'

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

test('an affiliate gets link and form of an API offer; the form, put into a page, brings a lead and thanks its visitor', async () => {
  const { db, clock, url } = panel.api
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const affiliate = { ...(await panel.api.as('affiliate')), role: 'affiliate' as const }
  const advertiser = await makeAdvertiser(db, { name: 'Heron Bank' })
  const offer = await makeLeadOffer(db, admin, advertiser.uuid, [await makeMockProduct(db, advertiser.id, mock, clock.now())])
  const landing = await makeLanding(admin, { name: 'Form page', url: 'https://form.example/?k={click_id}' })
  await db.insertInto('offer_landing').values({ offer_id: offer.id, landing_id: landing.id, weight: 100, position: 0 }).execute()

  const targeting = { geo: { mode: 'include', values: ['IT'] } }
  await db
    .updateTable('offer')
    .set({ targeting: JSON.stringify(targeting) })
    .where('id', '=', offer.id)
    .execute()

  const { page: staff, problems } = await panel.open(`/offers/detail-api/${offer.uuid}`, admin)
  const theirs = staff.getByRole('region', { name: 'Form for a landing' })
  await theirs.getByRole('combobox', { name: 'Affiliate' }).click()
  await staff.getByRole('option', { name: new RegExp(`· ${affiliate.affiliateId}$`) }).click()
  await theirs.getByText(/^<form action=/).waitFor()
  await staff.getByRole('region', { name: 'Links' }).getByRole('heading', { name: 'Link of an affiliate' }).waitFor()
  await expectAccessible(staff)

  const { page, problems: others } = await panel.open(`/offers/api/detail/${offer.uuid}`, affiliate)
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toContain(`offer_id=${offer.id}`)
  const form = page.getByRole('region', { name: 'Form for a landing' })
  await form.getByRole('combobox', { name: 'Landing' }).click()
  await page.getByRole('option', { name: /Form page/ }).click()
  await form.getByText('?k={click_id}').waitFor()
  await expectAccessible(page)
  const html = await form.getByText(/^<form action=/).textContent()
  expect(await page.content()).not.toContain('Heron')

  const action = /action="([^"]+)"/.exec(html ?? '')?.[1] ?? ''
  await page.goto(`${url}/livez`)
  await page.setContent(html?.replace(action, `${url}${new URL(action).pathname}`) ?? '')
  await page.getByLabel('First name').fill('Vera')
  await page.getByLabel('Last name').fill('Long')
  await page.getByLabel('E-mail').fill('vera@mail.example')
  await page.getByLabel('Phone').fill('12')
  await page.getByLabel(/^I agree/).check()
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Phone: This is no telephone number of your country').waitFor()
  const sent = await page.request.post(`${url}${new URL(action).pathname}`, {
    form: PERSON,
    headers: { accept: 'text/html' },
    maxRedirects: 0,
  })
  expect(sent.status()).toBe(303)
  expect(sent.headers()['location']).toMatch(/\/in\/[\w-]{43}$/)
  expect(mock.leads.map(({ email }) => email)).toEqual([PERSON.email])
  expect([...problems, ...others].filter((text) => !text.includes('422'))).toEqual([])
}, 120_000)

const PERSON = {
  first_name: 'Vera',
  last_name: 'Long',
  email: 'vera@mail.example',
  phone: '+39 333 1234567',
  country: 'IT',
  consent: 'yes',
  consent_text: 'I agree',
}
