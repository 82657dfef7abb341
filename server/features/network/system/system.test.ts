import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { smtpSetting } from '#contract/network/smtp.ts'
import { systemApi } from '#contract/network/system.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { applyReport } from '#server/features/traffic/conversion/apply-report.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { startMailServer } from '#test/support/run/mail-server.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { storeTraffic, testClick } from '#test/support/make/traffic.ts'
import { raiseAlarms } from './alarm.jobs.ts'
import { backUp } from './backup.service.ts'
import { askDueRuns } from './due.service.ts'
import { askRun } from './run.queries.ts'
import { workOnRuns } from './run.service.ts'
import { checkItself } from './self-check.service.ts'
import { measureSizes } from './size.jobs.ts'

const NOW = '2026-11-21T10:00:00Z'
const HOUR = 3_600_000
const MINUTE = 60_000

let dataDir: string
let api: TestApi
let admin: Caller
let head: Caller
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'ohma-test-system-'))
  mkdirSync(join(dataDir, 'run'))
  api = await startApi({ clickhouse: true, at: NOW, env: { DATA_DIR: dataDir } })
  admin = await api.as('admin')
  head = await api.as('head')
  const [offer, affiliateId, keys] = await Promise.all([makeOffer(api.db, { dailyCap: 5 }), makeAffiliateId(api.db), makeClickKeys(api.db)])
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)
  const goal = terms?.goals[0]
  if (terms === undefined || goal === undefined) throw new Error('the offer has no terms')
  const now = api.clock.now()
  for (const at of [now - HOUR, now - 2 * HOUR, now - 3 * HOUR]) {
    const click = makeClick(keys, { offerId: offer.id, affiliateId, at })
    const report = { status: 'approved', amount: null, currency: 'USD', transactionId: null, reason: '' } as const
    await api.db.transaction().execute((trx) =>
      applyReport(trx, { terms, goal, clickId: click.id, clickAt: at, transactionId: null }, click, report, {
        at,
        now: at,
        origin: 'postback',
        actorId: null,
      }),
    )
  }
  await storeTraffic(api.clickhouse, {
    clicks: [now - 5 * HOUR, now - 6 * HOUR].map((ts, rnd) =>
      testClick({ ts, rnd, affiliate: affiliateId, offer: offer.id, advertiser: 1 }),
    ),
    facts: [],
  })
})
afterAll(async () => {
  await api.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const parts = () => ({ db: api.db, clickhouse: api.clickhouse, dataDir, demo: false })
const write = (name: string, status: object) => writeFileSync(join(dataDir, 'run', name), JSON.stringify(status))
const tracker = (told: object) => write('tracker-t1.json', { written_at: new Date(api.clock.now()).toISOString(), lost: 0, ...told })
const read = async (caller = admin) => (await caller.call(systemApi.read)).data
const lineOf = async (id: string) => (await read()).lines.find((line) => line.id === id)
const works = {
  self_check: async () => ({ checks: await checkItself(parts(), api.clock.now(), async () => {}) }),
  backup: async () => ({}),
  trial: async () => ({}),
}
const check = async () => {
  await admin.call(systemApi.check)
  await workOnRuns(api.db, api.clock, works)
  return (await read()).runs.find(({ kind }) => kind === 'self_check')
}

test('admin and head see the system, nobody else does, and the dashboard says the same', async () => {
  tracker({})
  const status = await read()
  expect(status.may_back_up).toBe(true)
  expect((await read(head)).may_back_up).toBe(false)
  for (const role of ['manager', 'team lead', 'affiliate'] as const)
    expect((await (await api.as(role)).call(systemApi.read)).status).toBe(403)
  expect((await admin.call(dashboardApi.health)).data.state).toBe(status.state)
  expect(status.versions.map(({ part, version }) => [part, version !== ''])).toEqual(
    ['ohma', 'node', 'postgresql', 'clickhouse', 'system'].map((part) => [part, true]),
  )
  expect(await lineOf('last_click')).toMatchObject({ at: '2026-11-21T05:00:00.000Z' })
})

test('a tracker that loses clicks is told of as long as it is news, and silence at once', async () => {
  tracker({ lost: 3, lost_at: new Date(api.clock.now() - MINUTE).toISOString() })
  expect(await lineOf('tracker')).toMatchObject({ subject: 't1', state: 'bad', problem: 'losing', count: 3 })
  tracker({ lost: 3, lost_at: new Date(api.clock.now() - HOUR).toISOString() })
  expect(await lineOf('tracker')).toMatchObject({ state: 'warn', problem: 'lost' })
  tracker({ lost: 3, lost_at: new Date(api.clock.now() - 25 * HOUR).toISOString() })
  expect(await lineOf('tracker')).toMatchObject({ state: 'ok', problem: null })
  tracker({ spool_failing: true })
  expect(await lineOf('tracker')).toMatchObject({ problem: 'losing' })
  tracker({ written_at: new Date(api.clock.now() - 30_000).toISOString() })
  expect(await lineOf('tracker')).toMatchObject({ state: 'bad', problem: 'silent', seconds: 30 })
  tracker({})
})

test('mail that does not leave is no longer well, on the page and on the dashboard', async () => {
  const mail = { event: 'test', language: 'en', recipient: 'a@people.org', expires_at: new Date(api.clock.now() + HOUR) }
  const at = (ms: number) => ({ created_at: new Date(ms), next_at: new Date(ms) })
  const now = api.clock.now()
  await api.db
    .insertInto('mail')
    .values({ ...mail, ...at(now - MINUTE) })
    .execute()
  expect(await lineOf('mail')).toMatchObject({ state: 'warn', problem: 'not_set_up', count: 1 })
  await storeSetting(api.db, now, smtpSetting.key, { ...smtpSetting.defaults, host: 'mail.example', sender_email: 'hello@network.example' })
  expect(await lineOf('mail')).toMatchObject({ state: 'ok' })
  await api.db
    .updateTable('mail')
    .set({ attempts: 1, error: 'connection_refused: ECONNREFUSED', taken_at: new Date(now) })
    .execute()
  expect(await lineOf('mail')).toMatchObject({ state: 'warn', problem: 'failing', detail: 'ECONNREFUSED' })
  expect((await admin.call(dashboardApi.health)).data.state).not.toBe('ok')
  await api.db
    .updateTable('mail')
    .set({ created_at: new Date(now - HOUR) })
    .execute()
  expect(await lineOf('mail')).toMatchObject({ state: 'bad', problem: 'late' })
  // a recipient that puts us off for hours is no trouble of ours; that it is tried again too late is
  await api.db
    .updateTable('mail')
    .set({ error: 'recipient_refused: 451 Greylisted', next_at: new Date(now + MINUTE) })
    .execute()
  expect(await lineOf('mail')).toMatchObject({ state: 'ok', count: 1 })
  await api.db
    .updateTable('mail')
    .set({ next_at: new Date(now - HOUR) })
    .execute()
  expect(await lineOf('mail')).toMatchObject({ state: 'bad', problem: 'late' })
  await api.db.deleteFrom('mail').execute()
  expect(await lineOf('mail')).toMatchObject({ state: 'ok', count: 0 })
})

test('a test message goes to the one who asks, by the server as it is set', async () => {
  const server = await startMailServer()
  try {
    const setting = {
      ...smtpSetting.defaults,
      host: '127.0.0.1',
      port: server.port,
      security: 'none' as const,
      sender_email: 'hello@network.example',
    }
    await storeSetting(api.db, api.clock.now(), smtpSetting.key, setting)
    const { data } = await head.call(systemApi.testMail)
    expect(data).toMatchObject({ ok: true })
    expect(server.received.map(({ to }) => to).flat()).toEqual([head.email])
    for (let left = 4; left > 0; left -= 1) await head.call(systemApi.testMail)
    expect((await head.call(systemApi.testMail)).status).toBe(429)
  } finally {
    await server.close()
  }
})

test('books that agree are said to agree, and what was crooked by hand is found', async () => {
  const fine = await check()
  expect(fine).toMatchObject({ state: 'done', asked_by: expect.stringContaining('admin') })
  expect(fine?.result.checks?.map(({ id, different, skipped }) => [id, different, skipped])).toEqual(
    ['ledger', 'transfers', 'facts', 'caps', 'chain', 'clicks'].map((id) => [id, 0, '']),
  )
  expect(fine?.result.checks?.every(({ compared }) => compared > 0)).toBe(true)
  expect(await lineOf('self_check')).toMatchObject({ state: 'ok' })

  await api.db
    .updateTable('ledger_account')
    .set({ balance: sql`balance + 1` })
    .where('kind', '=', 'receivable')
    .execute()
  await api.db.updateTable('cap_counter').set({ used: '4' }).execute()
  await api.db
    .updateTable('history_head')
    .set({ chain_seq: sql`chain_seq + 1` })
    .execute()
  await api.clickhouse.command({ query: 'ALTER TABLE conversion_fact DELETE WHERE 1 SETTINGS mutations_sync = 1' })
  await api.clickhouse.command({ query: 'ALTER TABLE click_by_geo DELETE WHERE 1 SETTINGS mutations_sync = 1' })
  const found = await check()
  expect(found?.result.checks?.map(({ id, different }) => [id, different])).toEqual([
    // it is not what its entries say, nor what conversions stand for, and its currency sums to one more
    ['ledger', 3],
    ['transfers', 0],
    ['facts', 1],
    ['caps', 1],
    ['chain', 1],
    ['clicks', 1],
  ])
  expect(found?.result.checks?.find(({ id }) => id === 'caps')?.examples).toEqual([
    expect.stringMatching(/^offer \d+, conversions of day: 4 ≠ 3$/),
  ])
  expect(await lineOf('self_check')).toMatchObject({ state: 'bad', problem: 'differs', count: 7 })
})

test('a domain that fails is named with what fails, one that works is counted, and one nobody uses any more is left out', async () => {
  expect(await lineOf('domain')).toBeUndefined()
  const stamps = { created_at: new Date(api.clock.now()), updated_at: new Date(api.clock.now()) }
  const verified = {
    kind: 'tracking',
    certificate: 'proxy',
    verified_at: new Date(api.clock.now()),
    verified_by: 'dns',
    ...stamps,
  } as const
  const since = new Date(api.clock.now() - HOUR)
  const broken = { ...verified, failing: 'certificate', failing_since: since, failures: 2, told_at: since } as const
  await api.db
    .insertInto('domain')
    .values({ ...verified, host: 'fine.links.org', token: 'a' })
    .execute()
  expect(await lineOf('domain')).toMatchObject({ subject: '', state: 'ok', problem: null, count: 1 })
  await api.db
    .insertInto('domain')
    .values([
      { ...verified, host: 'late.links.org', token: 'b', failing: 'resolves', failing_since: since, failures: 1 },
      { ...broken, host: 'broken.links.org', token: 'c' },
      { ...broken, host: 'burnt.links.org', token: 'd', burnt_at: since },
    ])
    .execute()
  const { lines, state } = await read()
  expect(lines.filter(({ id }) => id === 'domain')).toMatchObject([
    { subject: 'broken.links.org', state: 'bad', problem: 'certificate', at: since.toISOString() },
    { subject: 'late.links.org', state: 'warn', problem: 'resolves' },
  ])
  expect([state, (await admin.call(dashboardApi.health)).data.state]).toEqual(['bad', 'bad'])
  await api.db.deleteFrom('domain').execute()
})

test('what was never done is not called good, and books nobody compares for two days are told of', async () => {
  await api.db.deleteFrom('system_run').execute()
  expect(await lineOf('self_check')).toMatchObject({ state: 'ok', problem: 'never', at: null })
  const measured = (hours: number) => ({ part: 'files', at: new Date(api.clock.now() - hours * HOUR), bytes: '1' })
  await api.db
    .insertInto('system_size')
    .values([measured(49), measured(1)])
    .execute()
  expect(await lineOf('self_check')).toMatchObject({ state: 'warn', problem: 'never' })
  await check()
  expect(await lineOf('self_check')).toMatchObject({ problem: 'differs' })
  await api.db.deleteFrom('system_size').execute()
})

test('long work asked for twice runs once, and what a worker that died had begun is given up', async () => {
  expect(await askRun(api.db, api.clock.now(), 'self_check', null)).toBe(true)
  expect(await askRun(api.db, api.clock.now(), 'self_check', null)).toBe(false)
  let begun = 0
  const once = { ...works, self_check: async () => ((begun += 1), {}) }
  await Promise.all([workOnRuns(api.db, api.clock, once), workOnRuns(api.db, api.clock, once)])
  expect(begun).toBe(1)
  await askRun(api.db, api.clock.now(), 'backup', null)
  await api.db
    .updateTable('system_run')
    .set({ state: 'running', leased_until: new Date(api.clock.now() + MINUTE) })
    .where('kind', '=', 'backup')
    .execute()
  await workOnRuns(api.db, api.clock, works)
  expect((await read()).runs.find(({ kind }) => kind === 'backup')).toMatchObject({ state: 'running' })
  api.clock.advance(2 * MINUTE)
  await workOnRuns(api.db, api.clock, works)
  expect((await read()).runs.find(({ kind }) => kind === 'backup')).toMatchObject({ state: 'failed', error: 'interrupted' })
  expect(await lineOf('backup')).toMatchObject({ state: 'bad', problem: 'failed' })
})

test('the disk has so many days left at the growth of the last week', async () => {
  await measureSizes(parts(), api.clock.now())
  const first = (await read()).storage
  expect(first.parts.map(({ part }) => part)).toEqual(['business', 'statistics', 'spool', 'quarantine', 'files', 'other'])
  expect(first.parts.find(({ part }) => part === 'business')?.bytes).toBeGreaterThan(1_000_000)
  expect(first.days_left).toBeNull()
  const free = first.free_bytes ?? 0
  const day = new Date(api.clock.now() - 2 * 24 * HOUR)
  const grown = (first.parts.find(({ part }) => part === 'statistics')?.bytes ?? 0) - Math.round(free / 2)
  await api.db
    .insertInto('system_size')
    .values({ part: 'statistics', at: day, bytes: String(grown) })
    .execute()
  expect((await read()).storage.days_left).toBeCloseTo(4, 0)
  expect(await lineOf('storage')).toMatchObject({ state: 'warn', problem: 'low' })
})

test('what stays wrong is told by bell and mail, once until it was well again', async () => {
  const raise = () =>
    raiseAlarms(
      { ...parts(), mail: openMailQueue('a key of tests that is long enough'), publicUrl: 'https://panel.example' },
      api.clock.now(),
    )
  const told = async () =>
    (await head.call(notificationApi.list)).data.list.filter(({ kind, status }) => kind === 'system_problem' && status === 'tracker').length
  const mailed = async () =>
    (await api.db.selectFrom('mail').select('recipient').where('event', '=', 'system_problem').execute()).map((one) => one.recipient)
  const silent = () => tracker({ written_at: new Date(api.clock.now() - HOUR).toISOString() })
  silent()
  await raise()
  expect(await told()).toBe(0)
  api.clock.advance(3 * MINUTE)
  silent()
  await Promise.all([raise(), raise()])
  expect(await told()).toBe(1)
  // heads read of it in the panel; who looks after the machine is mailed
  expect(await mailed()).toEqual([admin.email])
  api.clock.advance(MINUTE)
  silent()
  await raise()
  expect(await told()).toBe(1)
  api.clock.advance(11 * MINUTE)
  tracker({})
  await raise()
  silent()
  await raise()
  api.clock.advance(3 * MINUTE)
  silent()
  await raise()
  expect(await told()).toBe(2)
})

test('backups go where the server may write and not into the data folder; only an admin says where', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ohma-test-backups-'))
  const { data: before } = await admin.call(systemApi.backup)
  const save = async (changes: object) => admin.call(systemApi.updateBackup, { body: { ...before, ...changes } })
  expect((await save({ on: true })).fields).toEqual({ folder: 'Required' })
  expect((await save({ folder: 'backups' })).fields['folder']).toContain('A whole path')
  expect((await save({ folder: join(dataDir, 'backups') })).fields['folder']).toContain('outside of the data folder')
  expect((await save({ folder: join(dataDir, 'run/../backups') })).fields['folder']).toContain('outside of the data folder')
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
  expect((await save({ folder: join(dataDir, 'none/backups') })).fields['folder']).toContain('cannot be made')
  symlinkSync(dataDir, join(folder, 'link'))
  expect((await save({ folder: join(folder, 'link') })).fields['folder']).toContain('outside of the data folder')
  expect((await save({ folder: join(folder, 'link/zz') })).fields['folder']).toContain('outside of the data folder')
  expect(existsSync(join(dataDir, 'zz'))).toBe(false)
  expect((await save({ folder: '/proc/ohma' })).fields['folder']).toContain('cannot be made')
  expect((await head.call(systemApi.updateBackup, { body: { ...before, folder } })).status).toBe(403)
  expect((await head.call(systemApi.backUp, { body: { kind: 'backup' } })).status).toBe(403)
  expect((await admin.call(systemApi.backUp, { body: { kind: 'backup' } })).fields).toEqual({ folder: 'Required' })
  expect((await save({ folder, on: true, hour: 3, time_zone: 'Europe/Kyiv', daily: 1, weekly: 0 })).status).toBe(200)
  rmSync(join(folder, 'link'))

  // half a file of one that was killed, one that has had its time, and somebody's own
  writeFileSync(join(folder, 'ohma-20261119-010000.tar.zst.part'), 'half')
  writeFileSync(join(folder, 'ohma-20261119-010000.tar.zst'), 'old')
  writeFileSync(join(folder, 'photo.png'), 'mine')
  expect((await read()).backups.files.map(({ name }) => name)).toEqual(['ohma-20261119-010000.tar.zst'])
  const setting = (await admin.call(systemApi.backup)).data
  const write = (args: readonly string[]) => Promise.resolve(writeFileSync(args[1] ?? '', 'whole')).then(() => '')
  const own = { dataDir, sizes: async () => 1_000, run: write }
  const made = await backUp(own, setting, api.clock.now())
  expect(made).toMatchObject({ bytes: 5 })
  expect(readdirSync(folder).toSorted()).toEqual([basename(made.file ?? ''), 'photo.png'])
  await expect(backUp({ ...own, sizes: async () => 1e18 }, { ...setting, folder: join(folder, 'empty') }, api.clock.now())).rejects.toThrow(
    /there is no space: \d+ MB free, about \d+ MB wanted in \S+/,
  )
  rmSync(folder, { recursive: true })
})

test('the clock asks for a backup once a day at its hour, and for a trial once a week', async () => {
  await api.db.deleteFrom('system_run').execute()
  const open = async () => {
    await Promise.all([askDueRuns(api.db, api.clock.now()), askDueRuns(api.db, api.clock.now())])
    return (await api.db.selectFrom('system_run').select('kind').where('state', '=', 'waiting').orderBy('kind').execute()).map(
      ({ kind }) => kind,
    )
  }
  const none = { ...works, self_check: async () => ({}) }
  const finish = async () => {
    while (await workOnRuns(api.db, api.clock, none));
  }
  api.clock.set('2026-12-01T01:30:00Z')
  expect(await open()).toEqual(['backup', 'self_check'])
  await finish()
  expect(await open()).toEqual(['trial'])
  await finish()
  expect(await open()).toEqual([])
  api.clock.set('2026-12-02T00:59:00Z')
  expect(await open()).toEqual([])
  api.clock.set('2026-12-02T01:00:00Z')
  expect(await open()).toEqual(['backup'])
  await finish()
  api.clock.set('2026-12-08T02:00:00Z')
  expect(await open()).toEqual(['backup', 'self_check', 'trial'])
})
