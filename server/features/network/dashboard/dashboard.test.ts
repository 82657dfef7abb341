import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { smtpSetting } from '#contract/network/smtp.ts'
import { storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { settingApi } from '#contract/network/setting.ts'
import { noteBackup } from '#server/platform/files/last-backup.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { managerApi } from '#contract/people/manager.ts'
import { CLICK_FLAG } from '#server/rules/click/click-row.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { storeTraffic, testClick, testFact } from '#test/support/make/traffic.ts'

const NOW = '2026-11-21T10:00:00Z'
const HOUR = 3_600_000

let dataDir: string
let api: TestApi
let manager: Caller
let affiliate: Caller
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ohma-test-health-'))
  api = await startApi({ clickhouse: true, at: NOW, env: { DATA_DIR: dataDir } })
  manager = await api.as('manager')
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const stranger = await makeAccount(api.db, 'affiliate')
  const advertiser = await makeAdvertiser(api.db)
  const offer = await api.db
    .insertInto('offer')
    .values({ type: 'direct', title: 'One', status: 'active', privacy: 'public', advertiser_id: advertiser.id, currency: 'USD' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const now = Date.parse(NOW)
  const shared = { affiliate: affiliate.affiliateId ?? 0, offer: offer.id, advertiser: advertiser.id }
  await storeTraffic(api.clickhouse, {
    clicks: [now - HOUR, now - 2 * HOUR, now - 25 * HOUR, now - 30 * 24 * HOUR].map((ts, index) =>
      testClick({ ...shared, ts, rnd: index }),
    ),
    facts: [
      testFact({ ...shared, ts: now - HOUR, click_ts: now - 2 * HOUR, payout: '3.5000', revenue: '5.0000' }),
      testFact({ ...shared, affiliate: stranger.affiliateId ?? 0, ts: now - HOUR, conversion: 2 }),
    ],
  })
})
afterAll(async () => {
  await api.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('staff see the figures of their scope, compared', async () => {
  const { data } = await manager.call(dashboardApi.staff)
  expect(data.today.values).toMatchObject({ clicks: 2, approved: 1, payout: '3.5000', revenue: '5.0000', profit: '1.5000', cr: 50 })
  expect(data.today.previous).toMatchObject({ clicks: 1, approved: 0 })
  expect(data.yesterday.values).toMatchObject({ clicks: 1 })
  expect(data.month.values).toMatchObject({ clicks: 3 })
  expect(data.series.steps).toHaveLength(30)
  expect(data.series.lines[0]?.points.clicks?.slice(-2)).toEqual([1, 2])
  expect(data.top_affiliates.map((row) => row.values.payout)).toEqual(['3.5000'])
  expect(data.top_offers[0]?.key.label).toBe('One')
  expect(data.top_geos[0]?.key.id).toBe('UA')
})

test('an affiliate sees its own figures without the network’s money, and its balance', async () => {
  const { data } = await affiliate.call(dashboardApi.affiliate, { body: { zone: 'Asia/Kolkata' } })
  expect(data.today.values).toMatchObject({ clicks: 2, payout: '3.5000' })
  expect(data.today.values).not.toHaveProperty('revenue')
  expect(data).toMatchObject({ zone: 'Asia/Kolkata', currency: 'USD', balance: [] })
})

test('the first steps are read from what there is, until somebody puts them away for all', async () => {
  const admin = await api.as('admin')
  const before = await admin.call(dashboardApi.firstSteps)
  expect(before.data.steps?.filter((step) => step.done).map((step) => step.id)).toEqual(['advertiser', 'offer', 'affiliate', 'click'])
  expect(before.data.offer_uuid).not.toBeNull()
  expect(before.data).toMatchObject({ click: 'counted', manager_uuid: null })
  const { data: general } = await admin.call(settingApi.general)
  await admin.call(settingApi.updateGeneral, { body: { ...general, time_zone: 'Europe/Kyiv' } })
  const after = await admin.call(dashboardApi.firstSteps)
  expect(after.data.steps?.filter((step) => !step.done).map((step) => step.id)).toEqual(['mail', 'postback'])
  const smtp = { ...smtpSetting.defaults, host: 'mail.example', sender_email: 'hello@network.example' }
  await storeSetting(api.db, api.clock.now(), smtpSetting.key, smtp)
  const missing = async () => (await admin.call(dashboardApi.firstSteps)).data.steps?.filter((step) => !step.done).map((step) => step.id)
  // a server nobody has tried may be any
  expect(await missing()).toEqual(['mail', 'postback'])
  await storeSetting(api.db, api.clock.now(), 'smtp_test', { at: NOW })
  expect(await missing()).toEqual(['postback'])

  expect((await manager.call(dashboardApi.dismissFirstSteps)).status).toBe(403)
  await admin.call(dashboardApi.dismissFirstSteps)
  const head = await api.as('head')
  expect((await head.call(dashboardApi.firstSteps)).data).toMatchObject({ steps: null, offer_uuid: null, advertiser_uuid: null })
})

test('health tells which process is silent, what waits, and whether statistics answer', async () => {
  const admin = await api.as('admin')
  const healthy = await admin.call(dashboardApi.health)
  expect(healthy.data).toMatchObject({
    // nothing is backed up
    state: 'warn',
    processes: [],
    ingest_lag_s: null,
    outbox: { rows: 0, oldest_s: null },
    statistics: { state: 'ok' },
  })
  const mail = {
    event: 'test',
    language: 'en',
    recipient: 'a@people.org',
    expires_at: new Date(NOW),
    next_at: new Date(NOW),
    created_at: new Date(NOW),
  }
  const refused = { status: 'refused', settled_at: new Date(NOW), error: 'recipient_refused: 550 No such user' } as const
  await api.db
    .insertInto('mail')
    .values([mail, mail, { ...mail, ...refused }])
    .execute()
  expect(healthy.data.mail).toEqual({ waiting: 0, last_problem: null })
  mkdirSync(join(dataDir, 'run'))
  const write = (name: string, status: object) => writeFileSync(join(dataDir, 'run', name), JSON.stringify(status))
  write('ingester.json', { at: Date.parse(NOW) - 400, lag_ms: 30_000, rows_quarantined: 0, engine_away_since: null })
  expect(healthy.data.last_backup_at).toBeNull()
  expect(healthy.data.places_of).toMatch(/^20\d\d-\d\d-\d\d$/)
  noteBackup(dataDir, new Date('2026-11-20T03:00:00Z'))
  write('tracker-a.json', { written_at: new Date(Date.parse(NOW) - 60_000).toISOString(), lost: 0 })
  write('tracker-gone.json', { written_at: '2026-10-01T00:00:00Z' })
  write('tracker-torn.json', {})
  writeFileSync(join(dataDir, 'run', 'tracker-torn.json'), '{"written')
  const { data } = await admin.call(dashboardApi.health)
  expect(data).toMatchObject({
    state: 'bad',
    ingest_lag_s: 30,
    last_backup_at: '2026-11-20T03:00:00.000Z',
    mail: { waiting: 2, last_problem: '550 No such user' },
    processes: [
      { name: 'ingester', state: 'warn', age_s: 0.4 },
      { name: 'tracker-a', state: 'bad', age_s: 60 },
    ],
  })
  expect((await manager.call(dashboardApi.health)).status).toBe(403)
})

test('a click is told to be counted only when it is, and otherwise why not', async () => {
  const empty = await startApi({ clickhouse: true, at: NOW })
  try {
    const admin = await empty.as('admin')
    const told = async () => (await admin.call(dashboardApi.firstSteps)).data.click
    const come = (minute: number, changes: object) =>
      storeTraffic(empty.clickhouse, { clicks: [testClick({ ts: Date.parse(NOW) - HOUR + minute * 60_000, rnd: minute, ...changes })] })
    expect(await told()).toBe('none')
    await come(1, { flags: CLICK_FLAG.bot })
    expect(await told()).toBe('program')
    await come(2, { flags: CLICK_FLAG.test })
    expect(await told()).toBe('test')
    await come(3, { reason: 'geo' })
    expect(await told()).toBe('refused')
    await come(4, {})
    await come(5, { flags: CLICK_FLAG.bot })
    expect(await told()).toBe('counted')
    const manager = await empty.as('manager')
    const { changed: _changed, ...settings } = (await admin.call(affiliateSettingApi.settings)).data
    const { uuid } = (await admin.call(managerApi.list, { body: {} })).data.list.find(({ role }) => role === 'manager') ?? { uuid: '' }
    await admin.call(affiliateSettingApi.updateSettings, { body: { ...settings, manager: 'one', manager_uuid: uuid } })
    expect(manager.managerId).not.toBeNull()
    expect((await admin.call(dashboardApi.firstSteps)).data.manager_uuid).toBe(uuid)
  } finally {
    await empty.close()
  }
})
