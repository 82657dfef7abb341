import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { countSessions } from '#server/features/leads/session-fact/session-fact.jobs.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'

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

test('leads are counted by what became of them; one is found by its e-mail address, and its story told: to staff with whom it went to, to its affiliate without', async () => {
  const { db, clock } = panel.api
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const affiliate = { ...(await panel.api.as('affiliate')), role: 'affiliate' as const }
  const [heron, finch] = [await makeAdvertiser(db, { name: 'Heron Bank' }), await makeAdvertiser(db, { name: 'Finch Bank' })]
  const [closed, open] = [await makeMockProduct(db, heron.id, mock, clock.now()), await makeMockProduct(db, finch.id, mock, clock.now())]
  const offer = await makeLeadOffer(db, admin, finch.uuid, [{ ...closed, terms: { geos: ['DE'] } }, open])
  for (const first_name of ['Reject', 'Anna']) await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name }) })
  const body = leadOf(offer.uuid, { email: 'berta@mail.example', external_id: 'own-7' })
  await affiliate.call(leadApi.send, { body })

  // as a worker does
  while ((await countSessions(db)) > 0);
  await sendOutbox(db, panel.api.clickhouse)
  const { page, problems } = await panel.open('/statistic/api/general?group=lead_status', admin)
  const figures = page.getByRole('table')
  await figures.getByRole('row', { name: /^Accepted.* 2 / }).waitFor()
  await figures.getByRole('row', { name: /^Rejected.* 1 / }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'User sessions' }).click()
  await page.getByPlaceholder(/e-mail or phone/).fill('Berta@mail.example')
  await page.getByText('1–1 of 1').waitFor()
  await page.getByRole('link', { name: /^\d+$/ }).click()
  const story = page.getByRole('dialog')
  await story.getByText('It takes no leads from IT.').waitFor()
  await story.getByText(/· Finch Bank$/).waitFor()
  const { title } = await db.selectFrom('offer').select('title').where('id', '=', offer.id).executeTakeFirstOrThrow()
  for (const [name, address] of [
    [title, `/offers/detail-api/${offer.uuid}`],
    ['Finch Bank', `/roles/advertisers/edit/${finch.uuid}`],
  ] as const)
    expect(await story.getByRole('link', { name, exact: true }).getAttribute('href')).toBe(address)
  await story.getByText('b***@m***.example').first().waitFor()
  expect(await page.content()).not.toContain('berta@mail')
  await expectAccessible(page)

  await story.getByRole('button', { name: 'Show contacts' }).click()
  const ask = page.getByRole('dialog', { name: 'Show contacts' })
  await ask.getByText('50 of 50 leads are left within 24 hours.').waitFor()
  await ask.getByRole('button', { name: 'Show contacts' }).click()
  await ask.getByText('Choose a reason').first().waitFor()
  await ask.getByRole('combobox', { name: 'What for' }).click()
  await page.getByRole('option', { name: 'The affiliate asks about this lead' }).click()
  await ask.getByLabel('In your own words').fill('Ticket 12')
  await expectAccessible(page)
  await ask.getByRole('button', { name: 'Show contacts' }).click()
  await story.getByRole('button', { name: 'berta@mail.example' }).waitFor()
  await story.getByText('Hidden again after 5 minutes. 49 of 50').waitFor()
  await story.getByRole('heading', { name: 'Contacts shown' }).waitFor()
  await expectAccessible(page)
  await story.getByRole('button', { name: 'Hide' }).click()
  await story.getByRole('button', { name: 'berta@mail.example' }).waitFor({ state: 'detached' })

  // by who took them, and so again by the same address
  await page.goto('/statistic/api/user-session')
  await page.getByText('1–3 of 3').waitFor()
  await page.getByRole('search').getByRole('button', { name: 'Product', exact: true }).click()
  await page.getByRole('textbox', { name: 'Find…' }).fill('finch')
  await page.getByRole('checkbox', { name: / · Finch Bank · #/ }).check()
  await page.getByText('1–2 of 2').waitFor()
  await expectAccessible(page)
  expect(new URL(page.url()).searchParams.get('product_uuid')).toBe(open.uuid)
  await page.reload()
  await page.getByText('1–2 of 2').waitFor()
  await page.getByRole('button', { name: /Product.* · Finch Bank/ }).waitFor()

  await page.goto(`/offers/detail-api/${offer.uuid}`)
  const performance = page.getByRole('region', { name: 'Performance' })
  await performance.getByText(/^Leads3/).waitFor()
  expect(await performance.getByRole('link', { name: 'Open in statistics' }).getAttribute('href')).toMatch(/^\/statistic\/api\/general\?/)
  await expectAccessible(page)
  await page.goto('/statistic/api/conversion')
  await page.getByRole('columnheader', { name: 'Goal' }).waitFor()

  const { page: own, problems: ownProblems } = await panel.open('/statistic/api/user-session?status=rejected', affiliate)
  await own.getByRole('link', { name: /^\d+$/ }).click()
  const told = own.getByRole('dialog')
  await told.getByText('Everybody who was asked refused it').first().waitFor()
  expect(await told.getByRole('heading', { level: 3 }).allTextContents()).toEqual(['Received', 'Decided'])
  expect(await own.content()).not.toMatch(/Heron|Finch/)
  expect(await own.getByRole('search').getByRole('button', { name: 'Offer', exact: true }).count()).toBe(1)
  expect(await own.getByRole('search').getByRole('button', { name: 'Product', exact: true }).count()).toBe(0)
  await expectAccessible(own)
  expect(await own.getByRole('button', { name: 'Show contacts' }).count()).toBe(0)
  expect([...problems, ...ownProblems]).toEqual([])
}, 120_000)

test('a lead answered unclearly waits in its queue until somebody says they do not have it; stopped products stand beside, and how each is doing', async () => {
  const { db, clock } = panel.api
  const admin = { ...(await panel.api.as('admin')), role: 'admin' as const }
  const affiliate = { ...(await panel.api.as('affiliate')), role: 'affiliate' as const }
  const heron = await makeAdvertiser(db, { name: 'Grey Heron' })
  const product = await makeMockProduct(db, heron.id, mock, clock.now())
  const offer = await makeLeadOffer(db, admin, heron.uuid, [product])
  await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name: 'Broken', last_name: 'Zanetti' }) })
  const { page, problems } = await panel.open('/statistic/api/user-session?tab=unclear', admin)
  await page.getByRole('row').filter({ hasText: 'Grey Heron' }).getByRole('link', { name: /^\d+$/ }).click()
  const story = page.getByRole('dialog')
  // what it is decided by stands there, what was sent only where somebody asks
  await story.getByText('Internal error').waitFor()
  await story.getByRole('button', { name: 'What was sent' }).click()
  await story.getByText('Request', { exact: true }).waitFor()
  expect(await story.textContent()).not.toContain('Zanetti')
  await expectAccessible(page)
  await story.getByRole('button', { name: 'They do not have it' }).click()
  const ask = page.getByRole('dialog', { name: 'They do not have it' })
  await ask.getByLabel('How you know').fill('Asked by phone')
  await ask.getByRole('button', { name: 'They do not have it' }).click()
  await story.getByText('Asked by phone').first().waitFor()
  await db.updateTable('product').set({ blocked: true }).where('id', '=', product.id).execute()
  await page.goto(page.url().replace(/\?.*$/, '?tab=stopped'))
  await page.getByRole('row').filter({ hasText: 'Grey Heron' }).getByText('The account was refused: test it').waitFor()
  await expectAccessible(page)
  await page.getByRole('row').filter({ hasText: 'Grey Heron' }).getByRole('link').first().click()
  const health = page.getByRole('region', { name: 'How it is doing' })
  await health.getByText('rejected 1').waitFor()
  await expectAccessible(page)
  expect(problems).toEqual([])
}, 120_000)
