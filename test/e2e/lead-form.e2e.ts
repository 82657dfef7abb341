import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
  panel = await startPanel({ clickhouse: true, env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
}, 180_000)
afterAll(async () => {
  await panel.close()
  await mock.close()
})
afterEach(() => panel.closePages())

test('an affiliate tries a lead of an API offer, and gets its link and form; the form, put into a page, brings a lead and thanks its visitor', async () => {
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
  const countries = page.getByRole('table', { name: 'Countries, hours and payouts' })
  await countries.getByRole('row', { name: /^Italy Open At any time No limit/ }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Send a test lead' }).click()
  const trial = page.getByRole('dialog', { name: 'Send a test lead' })
  await trial.getByRole('button', { name: 'Send', exact: true }).click()
  await trial.getByText('A real one like it would be offered at once.').waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await trial.waitFor({ state: 'hidden' })
  expect(mock.leads).toEqual([])

  // a tab is an address: the keyboard opens it, and the way back leads to where one was
  await page.getByRole('link', { name: 'Link and form' }).press('Enter')
  await page.waitForURL(/\?tab=form$/)
  await page.goBack()
  await countries.waitFor()
  await page.goForward()
  await expect.poll(() => page.getByLabel('Link', { exact: true }).inputValue()).toContain(`offer_id=${offer.id}`)
  const form = page.getByRole('region', { name: 'Form for a landing' })
  await form.getByRole('combobox', { name: 'Landing' }).click()
  await page.getByRole('option', { name: /Form page/ }).click()
  await form.getByText('?k={click_id}').waitFor()
  await expectAccessible(page)
  const html = await form.getByText(/^<form action=/).textContent()
  expect(await page.content()).not.toContain('Heron')

  const action = /action="([^"]+)"/.exec(html ?? '')?.[1] ?? ''
  expect([...problems, ...others]).toEqual([])
  // a page of somebody else, with the form as it was copied
  const own = html?.replace(action, `${url}${new URL(action).pathname}`) ?? ''
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(`<!doctype html>${own}`))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server has one
  const submit = async (phone: string) => {
    await page.goto(`http://127.0.0.1:${port}/?k=of-somebody&sub1=spring`)
    await page.getByLabel('First name').fill('Vera')
    await page.getByLabel('Last name').fill('Long')
    await page.getByLabel('E-mail').fill('vera@mail.example')
    await page.getByLabel('Phone').fill(phone)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Send' }).click()
  }
  await submit('12')
  await page.getByText('Phone: This is no telephone number of your country').waitFor()
  await submit('+39 333 1234567')
  await expect.poll(() => mock.leads.map(({ email }) => email)).toEqual(['vera@mail.example'])
  const taken = db.selectFrom('user_session').where('offer_id', '=', offer.id).where('status', '!=', 'test')
  const [session] = await taken.select(['told', 'status', 'country']).execute()
  const told = { subs: expect.arrayContaining(['spring']), landing_url: `http://127.0.0.1:${port}/`, tz: expect.stringMatching(/./) }
  expect(session).toMatchObject({ status: 'accepted', country: 'IT', told })
  server.closeAllConnections()
  server.close()
}, 120_000)
