import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { readConfig } from '#server/platform/config.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import { startPanel, type Panel } from '#test/support/browser/panel.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'

let panel: Panel
beforeAll(async () => {
  panel = await startPanel({})
}, 180_000)
afterAll(() => panel.close())
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
  const { pathname } = new URL(page.url())
  expect(pathname).toMatch(/^\/cold-api\/lead-list\/add\/[0-9a-f-]{36}\/user-session$/)
  await page.goto(`${pathname}?status=unsold`)
  await page.getByRole('button', { name: 'Select all 3 matching' }).click()
  const bar = page.getByRole('region', { name: 'Add leads' })
  await bar.getByText('1 skipped: 1 suppressed').waitFor()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Add 2' }).click()
  await page.getByText('2 people added').first().waitFor()
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
