import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { smtpSetting } from '#contract/network/smtp.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { DIMENSION_IDS } from '#contract/traffic/dimension.ts'
import { METRIC_IDS } from '#contract/traffic/metric.ts'
import { reportInput } from '#contract/traffic/report.ts'
import { reportScheduleApi } from '#contract/traffic/report-schedule.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { openMailer } from '#server/features/network/mail/send.service.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { openSealer } from '#server/platform/seal.ts'
import { makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { storeTraffic, testFact } from '#test/support/make/traffic.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { startMailServer } from '#test/support/run/mail-server.ts'
import { sendScheduled } from './schedule.jobs.ts'
import { reportCsv } from './report-csv.ts'
import { reportHead } from './report-head.ts'
import { nextTime } from './schedule.queries.ts'

const KEY = 'one key of an instance, long enough for it'

let api: TestApi
let admin: Caller
let manager: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: '2026-11-21T10:00:00Z' })
  ;[admin, manager] = await Promise.all([api.as('admin', { name: 'Ada' }), api.as('manager', { name: 'Max' })])
  affiliate = await api.as('affiliate', { managerId: manager.managerId, name: '=Kite' })
  const other = await api.as('affiliate', { name: 'Other' })
  const offer = await makeOffer(api.db)
  const keys = await makeClickKeys(api.db)
  const of = (caller: Caller) =>
    makeClick(keys, { offerId: offer.id, affiliateId: caller.affiliateId ?? 0, at: api.clock.now() - 3_600_000 })
  await storeClicks(api.clickhouse, [of(affiliate), of(affiliate), of(other)])
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('report_schedule').execute()
  await api.db.deleteFrom('mail').execute()
  api.clock.set('2026-11-21T10:00:00Z')
  await setUp({ host: 'mail.network.org', sender_email: 'a@network.org' })
})

const setUp = (values: Partial<typeof smtpSetting.defaults>) =>
  storeSetting(api.db, api.clock.now(), 'smtp', { ...smtpSetting.defaults, ...values })
const question = { group: ['affiliate' as const], metrics: ['clicks' as const], period: { preset: 'last_7_days' as const } }
const form = { name: 'Who clicks', question, address: 'group=affiliate', every: 'day' as const, hour: 9 }
const run = () =>
  sendScheduled({ db: api.db, clickhouse: api.clickhouse, mail: openMailQueue(KEY), publicUrl: 'https://panel.example' }, api.clock.now())
async function queued() {
  const rows = await api.db.deleteFrom('mail').returning(['recipient', 'event', 'attachment', 'attachment_name']).execute()
  return rows
    .map(({ attachment, ...row }) => ({ ...row, csv: attachment && openSealer(KEY, 'mail').open(attachment) }))
    .toSorted((a, b) => a.recipient.localeCompare(b.recipient))
}

test('a report goes out once for each time that is due, to each with the figures they may see', async () => {
  const made = await admin.call(reportScheduleApi.create, { body: { ...form, recipient_uuids: [admin.uuid, manager.uuid] } })
  expect([made.status, made.errors, made.fields]).toEqual([200, {}, {}])
  expect(made.data).toMatchObject({ next_at: '2026-11-22T09:00:00.000Z', last_at: null, recipients: [{ name: 'Ada' }, { name: 'Max' }] })
  expect(await run()).toBe(0)
  api.clock.set('2026-11-22T09:00:00Z')
  expect((await Promise.all([run(), run()])).toSorted()).toEqual([0, 1])
  const mails = await queued()
  const csvOf = (who: Caller) => mails.find(({ recipient }) => recipient === who.email)?.csv ?? ''
  expect(mails).toHaveLength(2)
  expect(mails[0]).toMatchObject({ event: 'scheduled_report', attachment_name: 'Who clicks.csv' })
  expect(csvOf(admin).split('\r\n')).toEqual(['\uFEFFAffiliate,Clicks', "'=Kite,2", 'Other,1', 'Total,3', ''])
  expect(csvOf(manager).split('\r\n')).toEqual(['\uFEFFAffiliate,Clicks', "'=Kite,2", 'Total,2', ''])
  expect((await admin.call(reportScheduleApi.list)).data.list).toMatchObject([
    { next_at: '2026-11-23T09:00:00.000Z', last_at: '2026-11-22T09:00:00.000Z', last_sent: 2, last_problem: '' },
  ])
  expect(await run()).toBe(0)
  // three days without a worker are one run
  api.clock.set('2026-11-25T20:00:00Z')
  expect([await run(), await run()]).toEqual([1, 0])
  expect(await queued()).toHaveLength(2)
})

test('a worker that dies while it computes sends nothing; another begins anew when its time is over', async () => {
  await admin.call(reportScheduleApi.create, { body: form })
  api.clock.set('2026-11-22T09:00:00Z')
  const dying = { add: () => Promise.reject(new Error('killed')) }
  const died = sendScheduled({ db: api.db, clickhouse: api.clickhouse, mail: dying, publicUrl: '' }, api.clock.now())
  await expect(died).rejects.toThrow('killed')
  expect([await run(), await queued()]).toEqual([0, []])
  api.clock.advance(16 * 60_000)
  expect(await run()).toBe(1)
  expect(await queued()).toHaveLength(1)
})

test('a report longer than what is sent of it says so, in the language of who reads it', async () => {
  const csv = async (language: 'en' | 'uk') => {
    const actor = await actorOfAccount(api.db, admin.accountId)
    if (actor === undefined) throw new Error('nobody')
    return (
      await reportCsv(
        { db: api.db, clickhouse: api.clickhouse },
        { now: api.clock.now(), actor: { ...actor, language } },
        reportInput.parse(question),
        1,
      )
    ).csv
  }
  expect((await csv('en')).split('\r\n').slice(1, -1)).toEqual([
    "'=Kite,2",
    'Total,3',
    'The first 1 of 2 rows; the total is of all. Export the report in the panel to get the rest.',
  ])
  const uk = await csv('uk')
  expect(uk).toContain('Перші 1 рядків із 2')
  const head = (text: string) => text.slice(1).split('\r\n')[0]
  expect([head(await csv('en')), head(uk)]).toEqual(['Affiliate,Clicks', 'Партнер,Кліки'])
  expect(uk).toContain('\r\nУсього,3\r\n')
})

test('the file of a report tells its currency, and which days lack a rate', async () => {
  const ts = Date.parse('2026-11-20T10:00:00Z')
  await storeTraffic(api.clickhouse, {
    facts: [testFact({ ts, click_ts: ts, conversion: 77, currency: 'PLN', payout: '40', revenue: '50' })],
  })
  const actor = await actorOfAccount(api.db, admin.accountId)
  if (actor === undefined) throw new Error('nobody')
  const asked = { period: { preset: 'custom' as const, from: '2026-11-20', to: '2026-11-20' }, group: ['currency' as const] }
  const csv = async (currency: string, language: 'en' | 'uk' = 'en') =>
    (
      await reportCsv(
        { db: api.db, clickhouse: api.clickhouse },
        { now: api.clock.now(), actor: { ...actor, language } },
        reportInput.parse({ ...asked, metrics: ['conversions', 'payout'], currency }),
      )
    ).csv.slice(1)
  expect(await csv('PLN')).toBe('Currency,Conversions,"Payout, PLN"\r\nPLN,1,40.0000\r\nTotal,1,40.0000\r\n')
  expect((await csv('EUR')).split('\r\n')).toEqual([
    'Currency,Conversions,"Payout, EUR"',
    'PLN,1,',
    'Total,1,',
    'No exchange rate of PLN in force on 2026-11-20: sums with these amounts are empty.',
    '',
  ])
  expect(await csv('EUR', 'uk')).toContain('Немає чинного курсу PLN на 2026-11-20')
})

test('it is paused, sent at once and deleted by its owner alone, and never to who may not see it', async () => {
  const { uuid } = (await manager.call(reportScheduleApi.create, { body: form })).data
  for (const call of [
    await admin.call(reportScheduleApi.remove, { params: { uuid } }),
    await affiliate.call(reportScheduleApi.sendNow, { params: { uuid } }),
    await admin.call(reportScheduleApi.pause, { params: { uuid }, body: { paused: true } }),
  ])
    expect(call.status).toBe(404)
  await manager.call(reportScheduleApi.pause, { params: { uuid }, body: { paused: true } })
  api.clock.set('2026-11-23T09:00:00Z')
  expect(await run()).toBe(0)
  await manager.call(reportScheduleApi.sendNow, { params: { uuid } })
  expect([await run(), await run()]).toEqual([1, 0])
  expect((await queued()).map(({ recipient }) => recipient)).toEqual([manager.email])
  await manager.call(reportScheduleApi.remove, { params: { uuid } })
  expect((await manager.call(reportScheduleApi.list)).data.list).toEqual([])

  const own = { ...form, question: { ...question, group: ['offer' as const] } }
  expect((await affiliate.call(reportScheduleApi.create, { body: { ...own, recipient_uuids: [manager.uuid] } })).status).toBe(422)
  const secret = { ...own, question: { ...own.question, metrics: ['revenue' as const] } }
  expect((await affiliate.call(reportScheduleApi.create, { body: secret })).status).toBe(403)
  expect((await admin.call(reportScheduleApi.create, { body: { ...form, recipient_uuids: [affiliate.uuid] } })).status).toBe(422)
  expect((await affiliate.call(reportScheduleApi.people, { body: {} })).status).toBe(403)
  expect((await affiliate.call(reportScheduleApi.create, { body: own })).status).toBe(200)
  await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'inactive' } })
  api.clock.set('2026-11-25T09:00:00Z')
  await run()
  expect(await queued()).toEqual([])
  await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'active' } })
})

test('its times follow the clock of the zone, and the last day of short months', async () => {
  const next = async (after: string, zone: string, every: 'day' | 'week' | 'month', day: number, hour: number) =>
    (await nextTime(api.db, Date.parse(after), { zone, every, day, hour })).toISOString()
  expect(await next('2026-03-28T12:00:00Z', 'Europe/Berlin', 'day', 1, 2)).toBe('2026-03-29T01:00:00.000Z') // 02:00 does not exist
  expect(await next('2026-10-24T12:00:00Z', 'Europe/Berlin', 'day', 1, 2)).toBe('2026-10-25T01:00:00.000Z') // twice: the later one
  expect(await next('2026-11-21T10:00:00Z', 'Europe/Kyiv', 'week', 1, 9)).toBe('2026-11-23T07:00:00.000Z')
  expect(await next('2027-02-01T00:00:00Z', 'UTC', 'month', 31, 8)).toBe('2027-02-28T08:00:00.000Z')
  expect(await next('2027-02-28T08:00:00Z', 'UTC', 'month', 31, 8)).toBe('2027-03-31T08:00:00.000Z')
})

test('the file arrives with the letter, and is gone from the queue then', async () => {
  const server = await startMailServer()
  await setUp({ host: 'localhost', port: server.port, security: 'none', sender_email: 'a@network.org' })
  await api.db.updateTable('account').set({ email: 'boss@network.org' }).where('id', '=', admin.accountId).execute()
  const { uuid } = (await admin.call(reportScheduleApi.create, { body: form })).data
  await admin.call(reportScheduleApi.sendNow, { params: { uuid } })
  await run()
  const mailer = openMailer({ db: api.db, clock: api.clock, secretKey: KEY, publicUrl: 'https://panel.example' })
  await mailer.tick()
  await mailer.idle()
  await mailer.close()
  expect(server.received).toHaveLength(1)
  const raw = server.received[0]?.raw ?? ''
  expect(raw).toContain('filename="Who clicks.csv"')
  const sent = /filename="Who clicks\.csv"\r\n(?:[\w-]+:.*\r\n)*\r\n([\s\S]*?)\r\n--/.exec(raw)?.[1] ?? ''
  expect(Buffer.from(sent, 'base64').toString('utf8')).toContain("'=Kite,2")
  expect(await api.db.selectFrom('mail').select(['status', 'attachment']).executeTakeFirst()).toEqual({ status: 'sent', attachment: null })
  await server.close()
})

test.each(['en', 'uk'] as const)('in %s every column that is sent is called as its screen calls it', (language) => {
  const texts = ['dimension', 'metric'].map((file): Record<string, string> =>
    JSON.parse(readFileSync(join(import.meta.dirname, `../../../../web/i18n/${language}/${file}.json`), 'utf8')),
  )
  const onScreen = (id: string) => texts.map((one) => one[id]).find((text) => text !== undefined)
  const ids = [...DIMENSION_IDS, ...METRIC_IDS]
  expect(ids.map((id) => reportHead(id, language))).toEqual(ids.map(onScreen))
})
