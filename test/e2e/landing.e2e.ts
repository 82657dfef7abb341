import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { landingApi } from '#contract/offers/landing.ts'
import { BROKEN_AFTER } from '#contract/offers/offer-landing.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { startSnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { freePort } from '#server/platform/process/free-port.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import { expectAccessible } from '#test/support/browser/accessible.ts'
import type { Caller } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { INTERNAL_SECRET } from '#test/support/run/fake-api.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { goalInput, makeOffer, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'
import { follow, startPanel, type Panel } from '#test/support/browser/panel.ts'
import { pngOf } from '#test/support/make/picture.ts'
import { startTracker, until } from '#test/support/run/tracker.ts'

let panel: Panel
let dataDir: string
let admin: Caller & { role: 'admin' }

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'landing-e2e-'))
  panel = await startPanel({ env: { DATA_DIR: dataDir } })
  admin = { ...(await panel.api.as('admin')), role: 'admin' }
}, 180_000)
afterAll(async () => {
  await panel.close()
  await rm(dataDir, { recursive: true })
})
afterEach(() => panel.closePages())

test('a landing is made with its picture; a macro nobody fills is told at its field', async () => {
  const { page, problems } = await panel.open('/landings', admin)
  await page.getByRole('link', { name: 'Add landing' }).first().click()
  expect(await page.title()).toBe('Ohma | Landings')
  await page.getByLabel('Name').fill('Summer sale')
  await page.getByRole('textbox', { name: 'Address' }).fill('https://summer.example/?c={clickid}')
  await page.getByRole('button', { name: 'Create landing' }).click()
  await page
    .getByText(/\{clickid\}/)
    .first()
    .waitFor()
  await page.getByRole('textbox', { name: 'Address' }).fill('https://summer.example/?c={click_id}')
  await page.locator('input[type=file]').setInputFiles({ name: 'shop.png', mimeType: 'image/png', buffer: pngOf(320, 200) })
  await page.getByRole('img', { name: 'Preview picture' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create landing' }).click()
  await page.getByRole('heading', { name: 'Summer sale' }).waitFor()
  // the browser notes the refusal of the first try
  expect(problems.filter((text) => !text.includes('422'))).toEqual([])
})

test('head has the three screens, each titled Landings; a manager finds no page there', async () => {
  const head = { ...(await panel.api.as('head')), role: 'head' }
  const made = await makeLanding(admin, { name: 'Head page' })
  const { page } = await panel.open('/landings', head)
  for (const [path, heading] of [
    ['/landings', 'Landings'],
    ['/landings/create', 'New landing'],
    [`/landings/edit/${made.uuid}`, 'Head page'],
  ] as const) {
    if (path !== '/landings') await follow(page, path)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    expect(await page.title()).toBe('Ohma | Landings')
  }
  // another try finds no more than the first: the way leads back
  for (const nobody of ['abc', randomUUID()]) {
    await follow(page, `/landings/edit/${nobody}`)
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('heading', { name: 'Landings', level: 1 }).waitFor()
  }
  const manager = { ...(await panel.api.as('manager')), role: 'manager' }
  const { page: theirs } = await panel.open('/landings', manager)
  await theirs.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await theirs.getByRole('link', { name: 'Landings' }).count()).toBe(0)
})

test('a manager proposes a landing, admin approves it, and an affiliate’s link reaches it', async () => {
  const { api } = panel
  const affiliate = { ...(await api.as('affiliate')), role: 'affiliate' }
  const url = `http://127.0.0.1:${await freePort()}`
  const feed = await startSnapshotFeed({ db: api.db, databaseUrl: api.databaseUrl, clock: api.clock })
  const findClick = openClickFinder(api.clickhouse)
  const internal = await startInternal({
    url,
    secret: INTERNAL_SECRET,
    feed,
    receivePostbacks: async () => [],
    countStrays: async () => true,
    findClick,
  })
  const tracker = await startTracker({ url })
  try {
    await tracker.ready()
    const manager = { ...(await api.as('manager')), role: 'manager' }
    const advertiser = await makeAdvertiser(api.db, { managerId: manager.managerId })
    const offer = await makeOffer(admin, advertiser.uuid, { title: 'Autumn' })
    const turnedDown = await manager.call(landingApi.propose, {
      params: { uuid: offer.uuid },
      body: { name: 'Old logo', url: 'https://old.example/', type: 'landing', language: '', preview: null, weight: 1 },
    })
    await admin.call(landingApi.decide, { body: { uuids: [turnedDown.data.uuid], approve: false, reason: 'The logo is old' } })

    const { page: proposing } = await panel.open(`/offers/edit-direct-link/${offer.uuid}`, manager)
    const saves: string[] = []
    proposing.on('request', (request) => void (request.url().includes('/api/offer/v1/update/') && saves.push(request.url())))
    await proposing.getByText('Decision: The logo is old').waitFor()
    // what is typed but not saved has to outlive the proposal, which must neither send it nor make it stale
    await proposing.getByRole('textbox', { name: 'Title', exact: true }).first().fill('Late autumn')
    await proposing.getByRole('button', { name: 'Propose a landing' }).click()
    const form = proposing.getByRole('dialog')
    await form.getByLabel('Name').fill('Autumn page')
    await form.getByLabel('Name').press('Control+Enter')
    await form.getByRole('textbox', { name: 'Address' }).fill('https://autumn.example/?c={click_id}')
    await form.getByRole('button', { name: 'Propose a landing' }).click()
    await proposing.getByRole('group', { name: 'Autumn page' }).getByText('Waits for approval').waitFor()
    expect(saves).toEqual([])
    expect(await proposing.getByRole('textbox', { name: 'Title', exact: true }).first().inputValue()).toBe('Late autumn')
    await proposing.getByRole('button', { name: 'Save changes' }).click()
    await proposing.getByRole('heading', { name: 'Late autumn', level: 1 }).waitFor()
    await expect.poll(() => proposing.getByText('Unsaved changes').count()).toBe(0)
    expect(saves).toHaveLength(1)
    const { landings } = (await manager.call(offerApi.get, { params: { uuid: offer.uuid } })).data
    expect(landings).toMatchObject([{ name: 'Old logo' }, { name: 'Autumn page' }])

    // nor may it hide that somebody else saved in between; the landing that has a payout row of its own goes with it, once asked
    const goals = [
      goalInput({ rules: [ruleInput(), ruleInput({ landing_uuids: [turnedDown.data.uuid], payout_fixed: '90', revenue_fixed: '95' })] }),
    ]
    const theirs = landings.map(({ uuid, weight }) => ({ landing_uuid: uuid, weight }))
    await proposing.getByRole('textbox', { name: 'Title', exact: true }).first().fill('Mine')
    await saveOffer(admin, offer.uuid, offerForm(advertiser.uuid, { title: 'Theirs', landings: theirs, goals }))
    await proposing.getByRole('button', { name: 'Propose a landing' }).click()
    await form.getByLabel('Name').fill('Winter page')
    await form.getByRole('textbox', { name: 'Address' }).fill('https://winter.example/')
    await form.getByRole('button', { name: 'Propose a landing' }).click()
    await proposing.getByRole('group', { name: 'Winter page' }).waitFor()
    await proposing.getByRole('button', { name: 'Save changes' }).click()
    await proposing.getByRole('button', { name: 'Reload' }).click()
    await proposing.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor()
    await proposing.getByRole('group', { name: 'Sale, row 2' }).waitFor()
    await proposing.getByRole('button', { name: 'Remove Old logo' }).click()
    const question = proposing.getByRole('dialog', { name: 'Remove Old logo?' })
    await question.getByText('1 payout row is only for this landing').waitFor()
    await question.getByText('Old logo').last().waitFor()
    await question.getByRole('button', { name: 'Remove with its rows' }).click()
    await expect.poll(() => proposing.getByRole('group', { name: 'Sale, row 2' }).count()).toBe(0)
    await proposing.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => proposing.getByText('Unsaved changes').count()).toBe(0)
    expect((await manager.call(offerApi.get, { params: { uuid: offer.uuid } })).data).toMatchObject({
      landings: [{ name: 'Autumn page' }, { name: 'Winter page' }],
      goals: [{ rules: [{ landings: [] }] }],
    })

    // the page of one that waits has both decisions; a reason is typed at once, and must be
    const { page: leading } = await panel.open(`/landings?status=moderation&offer_uuid=${offer.uuid}`, admin)
    await leading.getByRole('search').getByText('Theirs', { exact: true }).waitFor()
    const outside = leading.getByRole('link', { name: 'Open the page: Winter page' })
    expect([await outside.getAttribute('href'), await outside.getAttribute('rel')]).toEqual([
      'https://winter.example/',
      'noopener noreferrer',
    ])
    await leading.getByRole('link', { name: 'Winter page', exact: true }).click()
    await leading.getByRole('button', { name: 'Approve' }).waitFor()
    const rejecting = leading.getByRole('button', { name: 'Reject' })
    await rejecting.click()
    const reason = leading.getByRole('dialog', { name: 'Reject Winter page?' }).getByRole('textbox', { name: 'Reason' })
    await until(() => isFocused(reason))
    // who thinks better of it goes on where the dialog was opened
    await leading.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await until(() => isFocused(rejecting))
    await rejecting.press('Enter')
    await until(() => isFocused(reason))
    await reason.press('Tab')
    await leading.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await until(() => isFocused(reason))
    await leading.keyboard.type('Snow in June')
    await leading.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await leading.getByText('decision: Snow in June').waitFor()
    expect(await leading.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    // the button that was pressed is gone: the next Tab begins at the page, not at the top of the window
    const heading = leading.getByRole('heading', { name: 'Winter page', level: 1 })
    await until(() => isFocused(heading))
    // once: saving further down stays there
    await leading.setViewportSize({ width: 1280, height: 600 })
    await leading.getByRole('textbox', { name: 'Notes' }).fill('Ask again in December')
    await leading.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => leading.getByText('Unsaved changes').count()).toBe(0)
    expect(await leading.getByRole('main').evaluate((main) => main.scrollTop)).toBeGreaterThan(0)
    expect(await isFocused(heading)).toBe(false)

    const { page: deciding } = await panel.open('/landings', admin)
    const row = deciding.getByRole('row', { name: /Autumn page/ })
    await row.getByText('Moderation').waitFor()
    await deciding
      .getByRole('row', { name: /Old logo/ })
      .getByText('The logo is old')
      .waitFor()
    await row.getByRole('button', { name: /actions/i }).click()
    await deciding.getByRole('menuitem', { name: 'Approve' }).click()
    await row.getByText('Active').waitFor()

    await api.db.updateTable('landing').set({ failures: BROKEN_AFTER }).where('name', '=', 'Autumn page').execute()
    const { page: linking } = await panel.open(`/offers/direct-link/detail/${offer.id}`, affiliate)
    await linking.getByRole('combobox', { name: 'Landing' }).click()
    await linking.getByRole('option', { name: 'Autumn page · Landing · Page does not answer' }).click()
    const link = linking.getByRole('textbox', { name: 'Link', exact: true })
    await until(async () => (await link.inputValue()).includes('landing='))
    const { pathname, search } = new URL(await link.inputValue())
    const reached = async () => (await fetch(`${tracker.url}${pathname}${search}`, { redirect: 'manual' })).headers.get('location') ?? ''
    await until(async () => (await reached()).startsWith('https://autumn.example/?c='))

    // what is counted is said where the shares are compared
    const { page: comparing } = await panel.open(`/offers/detail-direct-link/${offer.uuid}`, manager)
    const share = comparing.getByRole('columnheader', { name: 'Share it got' }).getByText('Share it got')
    const help = comparing.getByRole('tooltip', { name: /also of links that ask for a landing/ })
    // while figures come, the page may move on beneath the pointer
    await until(async () => {
      await comparing.mouse.move(0, 0)
      await share.hover()
      return help.waitFor({ timeout: 2_000 }).then(
        () => true,
        () => false,
      )
    }, 120_000)

    // many at once are asked about like one, and a no leaves them chosen
    await row.getByRole('checkbox').check()
    await deciding.getByRole('button', { name: 'Set status' }).click()
    await deciding.getByRole('menuitem', { name: 'Stopped' }).click()
    const asked = deciding.getByRole('dialog', { name: 'Running offers use' })
    await asked.getByText('One active offer sends visitors to it.').waitFor()
    await asked.getByRole('button', { name: 'Cancel' }).click()
    expect(await row.getByRole('checkbox').isChecked()).toBe(true)
    await deciding.getByRole('button', { name: 'Set status' }).click()
    await deciding.getByRole('menuitem', { name: 'Stopped' }).click()
    await asked.getByRole('button', { name: 'Take it out of use' }).click()
    await row.getByText('Stopped').waitFor()
    await until(async () => !(await reached()).includes('autumn.example'))
  } finally {
    await tracker.stop()
    await internal.stop()
    await feed.stop()
  }
  // three people and a tracker, one after the other
}, 120_000)

test('an offer is given only landings it may have: the rest are not found, or refused at their row', async () => {
  const [balloons, cakes] = [
    await makeAdvertiser(panel.api.db, { name: 'Landing balloons' }),
    await makeAdvertiser(panel.api.db, { name: 'Landing cakes' }),
  ]
  await makeLanding(admin, { name: 'Fitting: balloons', advertiser_uuid: balloons.uuid })
  await makeLanding(admin, { name: 'Fitting: cakes', advertiser_uuid: cakes.uuid })
  await makeLanding(admin, { name: 'Fitting: anybody' })
  const offer = await makeOffer(admin, balloons.uuid)
  const { page } = await panel.open(`/offers/edit-direct-link/${offer.uuid}`, admin)
  const find = page.getByRole('combobox', { name: 'Add a landing' })
  await find.fill('Fitting')
  await page.getByRole('option', { name: /Fitting: balloons/ }).click()
  const first = page.getByRole('group', { name: 'Fitting: balloons' })
  await first.getByRole('textbox', { name: 'Weight' }).fill('40')
  await find.fill('Fitting')
  await page.getByRole('option', { name: /Fitting: anybody/ }).waitFor()
  expect(await page.getByRole('option', { name: /Fitting: cakes/ }).count()).toBe(0)
  await page.getByRole('option', { name: /Fitting: anybody/ }).click()

  // it joins with an equal share, and the cursor stands where that is changed
  const added = page.getByRole('group', { name: 'Fitting: anybody' })
  await added.getByText('50.00%').waitFor()
  const weight = added.getByRole('textbox', { name: 'Weight' })
  await until(() => isFocused(weight))
  expect(await weight.inputValue()).toBe('40')
  await weight.fill('0')
  const none = page.getByText('None of these is drawn by weight: visitors go to the offer’s tracking URL')
  expect(await none.count()).toBe(0)
  await first.getByRole('textbox', { name: 'Weight' }).fill('0')
  await none.waitFor()

  await page.getByRole('combobox', { name: 'Advertiser' }).fill('Landing cakes')
  await page.getByRole('option', { name: /Landing cakes/ }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await first.getByText('This offer may not have this landing: remove it').waitFor()
  await page.getByRole('button', { name: 'Fitting: balloons', exact: true }).waitFor()
  await first.getByRole('button', { name: 'Remove Fitting: balloons' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(() => page.getByText('Unsaved changes').count()).toBe(0)
})

const isFocused = async (field: Locator) => (await field.and(field.page().locator(':focus')).count()) === 1
