import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { openRecoldWorker } from '#server/features/leads/recold/recold.jobs.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { readConfig } from '#server/platform/config.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { PHONE } from '#test/support/browser/phone.ts'
import { makeLeadList, makeUnsold } from '#test/support/make/cold.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'

let panel: Panel
let mock: MockAdvertiser
beforeAll(async () => {
  mock = await startMockAdvertiser()
  panel = await startPanel({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
}, 180_000)
afterAll(async () => {
  await panel.close()
  await mock.close()
})
afterEach(() => panel.closePages())

test('a list is made, filled with all that match, and says who is in it', async () => {
  const { db, clock } = panel.api
  const lead = { ...(await panel.api.as('team lead')), role: 'team lead' as const }
  const manager = await panel.api.as('manager', { teamLeadId: lead.managerId })
  const affiliate = await panel.api.as('affiliate', { managerId: manager.managerId })
  const advertiser = await makeAdvertiser(db, { name: 'Heron Bank' })
  const offer = await makeApiOffer(db, (await makeProduct(db, advertiser.id, clock.now())).id)
  const vault = openLeadVault(readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test').secretKey)
  const at = new Date(clock.now() - 86_400_000)
  for (const [place, status] of (['unsold', 'unsold', 'closed', 'unsold'] as const).entries()) {
    const suppressed_at = place === 3 ? at : null
    const person = await db
      .insertInto('person')
      .values({ email_hash: vault.hash('email', `p${place}`), country: 'IT', suppressed_at, first_seen_at: at, last_seen_at: at })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('user_session')
      .values({
        person_id: person.id,
        affiliate_id: affiliate.affiliateId ?? 0,
        offer_id: offer.id,
        click_id: `cold ${place}`,
        origin: 'api',
        status,
        country: 'IT',
        sealed: vault.sealTold({ first_name: 'Anna', email: `p${place}@mail.example`, phone: '' }),
        draw: 0.5,
        received_at: at,
        changed_at: at,
      })
      .execute()
  }

  const { page, problems } = await panel.open('/cold-api/lead-list', lead)
  await page.getByRole('button', { name: 'Create list' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Create list' })
  await dialog.getByLabel('Title').fill('Evening sale')
  await dialog.getByRole('button', { name: 'Create list' }).click()
  await page.getByRole('heading', { name: 'Add to “Evening sale”' }).waitFor()
  const { pathname, search } = new URL(page.url())
  expect(search).toBe('?status=unsold&status=rejected&status=closed')
  expect(pathname).toMatch(/^\/cold-api\/lead-list\/add\/[0-9a-f-]{36}\/user-session$/)
  await page.goto(`${pathname}?status=unsold`)
  await page.getByRole('button', { name: 'Select all 3 matching' }).click()
  const bar = page.getByRole('region', { name: 'Add leads' })
  await bar.getByText('1 skipped: 1 suppressed').waitFor()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Add 2' }).click()
  await page.getByText('2 people added').first().waitFor()
  // the fourth is suppressed: nobody is left to choose, and the way on leads to the list
  await bar.getByText('Nobody shown can be added any more').waitFor()
  expect(await bar.getByRole('button').count()).toBe(0)
  await page.getByRole('link', { name: 'Open the list' }).waitFor()
  await page.getByText('Already in this list').first().waitFor()

  // the index of the details leads on to the sessions
  await page.goto(pathname.replace('/add/', '/details/').replace('/user-session', ''))
  await page.getByRole('heading', { name: 'Evening sale' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/details\/[0-9a-f-]{36}\/user-session$/)
  await page.getByText('p***@m***.example').first().waitFor()
  expect(await page.title()).toContain('Lead-List')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Conversions' }).click()
  await page.getByText('Nobody is in this list').waitFor()
  expect(problems).toEqual([])
}, 120_000)

test('a list is sold a second time: set up from the list, started, watched as the first one goes out, and ended', async () => {
  const { api } = panel
  const { db, clock } = api
  const admin = { ...(await api.as('admin')), role: 'admin' as const }
  const affiliate = await api.as('affiliate')
  await admin.call(coldConsentSetting.update, { body: { eea: 'off', uk: 'off', ch: 'off', elsewhere: 'off', version: 0 } })
  const advertiser = await makeAdvertiser(db, { name: 'Second Heron' })
  const product = await makeMockProduct(db, advertiser.id, mock, clock.now())
  const offer = await makeLeadOffer(db, admin, advertiser.uuid, [{ ...product, terms: {} }])
  const nobody = await makeLeadOffer(db, admin, advertiser.uuid, [])
  const { id } = await db.selectFrom('offer').select('id').where('uuid', '=', offer.uuid).executeTakeFirstOrThrow()
  const sessions = await makeUnsold(db, affiliate, nobody.uuid, [{ first_name: 'Anna' }, { first_name: 'Maria' }])
  const list = await makeLeadList(db, clock.now(), sessions)

  const { page, problems } = await panel.open(`/cold-api/lead-list/details/${list.uuid}/user-session`, admin)
  await page.getByRole('link', { name: 'Send' }).click()
  const form = page.getByRole('form', { name: 'New distribution' })
  await form.getByLabel('Title').fill('Heron again')
  await form.getByRole('combobox', { name: 'Offer' }).fill(String(id))
  await page.getByRole('option', { name: `#${id}` }).click()
  await form.getByRole('switch', { name: 'Send at any time' }).click()
  const preview = form.getByRole('region', { name: 'What it would do' })
  await preview.getByText('Italy 2').waitFor()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Create draft' }).click()
  await page.getByRole('heading', { name: 'Heron again' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/cold-api\/re-cold-api\/list\/[0-9a-f-]{36}$/)
  // what it would do stands where it is started too
  await page.getByRole('region', { name: 'What it would do' }).getByText('Italy 2').waitFor()
  const begin = async () => {
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  }
  // what keeps it is said where no form stands
  const setProduct = (status: 'paused' | 'active') => db.updateTable('product').set({ status }).where('id', '=', product.id).execute()
  await setProduct('paused')
  await begin()
  await page.getByText('All of these products are paused').waitFor()
  await setProduct('active')
  expect(problems.splice(0).filter((problem) => !problem.startsWith('Failed to load resource'))).toEqual([])
  await begin()
  await page.getByRole('button', { name: 'Pause' }).waitFor()

  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const policy = { allow: [mock.host.slice('http://'.length)] }
  const worker = openRecoldWorker({ db, clock, policy, secretKey, findClick: async () => null, underWay: new Map() })
  // the first is due within the longest interval, the second not before the shortest after it
  for (
    let step = 0;
    step < 20 && (await db.selectFrom('recold_item').select('id').where('status', '=', 'accepted').execute()).length === 0;
    step += 1
  ) {
    while ((await worker.plan()) === 'more');
    await worker.send()
    await worker.idle()
    clock.advance(10_000)
  }
  // the page hears of it by itself
  const row = page.getByRole('row').filter({ hasText: 'Accepted' })
  await row.first().waitFor()
  await page.getByText('Nobody was sent yet.').waitFor({ state: 'detached' })
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await page.getByText('It is done').first().waitFor()

  // the index leads here, where it stands with one of two sent
  await page.goto('/cold-api')
  await page.getByRole('link', { name: 'Heron again' }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/cold-api/re-cold-api')
  expect(await page.title()).toContain('Re-Cold API')
  await page.getByText('1/2').first().waitFor()
  await expectAccessible(page)
  // and its page opens at its head, though a bar of tabs stands far below
  await page.setViewportSize({ width: 1440, height: 600 })
  await page.getByRole('link', { name: 'Heron again' }).first().click()
  await page.getByRole('heading', { name: 'Heron again' }).waitFor()
  await page.reload() // nothing of it is known: it is drawn once it comes
  await page.getByRole('row').filter({ hasText: 'Accepted' }).first().waitFor()
  expect(await page.locator('main').evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  // on a phone its tables scroll, by the keyboard too
  await page.setViewportSize(PHONE)
  await page.getByRole('region', { name: 'Age of the lead' }).getByText('A week').or(page.getByText('Up to a week')).first().waitFor()
  await expectAccessible(page, ['scrollable-region-focusable'])
  expect(problems).toEqual([])
}, 120_000)
