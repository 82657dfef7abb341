import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { notificationApi, productCapReason, type NotificationKind } from '#contract/network/notification.ts'
import { smtpSetting } from '#contract/network/smtp.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { openMailer } from '#server/features/network/mail/send.service.ts'
import { storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { openSealer } from '#server/platform/seal.ts'
import { makeOffer } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { startMailServer } from '#test/support/run/mail-server.ts'
import { mailNotifications } from './mail.jobs.ts'
import { tellAffiliates, tellOne } from './tell.queries.ts'
import { unsubscribeAddress } from './unsubscribe.ts'

const KEY = 'one key of an instance, long enough for it'
const MINUTE = 60_000

let api: TestApi
let affiliate: Caller
let offer: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi({ env: { SECRET_KEY: KEY } })
  offer = await makeOffer(api.db)
  await storeSetting(api.db, api.clock.now(), 'smtp', { ...smtpSetting.defaults, host: 'mail.network.org', sender_email: 'a@network.org' })
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.db.deleteFrom('notification').execute()
  await api.db.deleteFrom('mail').execute()
  api.clock.set('2026-11-21T10:00:00Z')
  affiliate = await api.as('affiliate', { name: 'Iryna' })
  await api.db.updateTable('account').set({ time_zone: 'Europe/Kyiv', language: 'uk' }).where('id', '=', affiliate.accountId).execute()
})

const unsubscribeAt = unsubscribeAddress(KEY, 'https://panel.example')
const one = () =>
  mailNotifications({ db: api.db, mail: openMailQueue(KEY), publicUrl: 'https://panel.example', unsubscribeAt }, api.clock.now())
const work = async () => {
  while ((await one()) > 0);
}
async function queued() {
  const rows = await api.db.deleteFrom('mail').returning(['recipient', 'event', 'language', 'sealed']).execute()
  return rows.map(({ sealed, ...row }) => ({
    ...row,
    values: JSON.parse(openSealer(KEY, 'mail').open(sealed ?? Buffer.alloc(0))) as Record<string, string>,
  }))
}
const tell = (kind: NotificationKind, times = 1) =>
  tellAffiliates(
    api.db,
    api.clock.now(),
    Array.from({ length: times }, (_, index) => ({
      kind,
      offerId: offer.id,
      affiliateId: affiliate.affiliateId ?? 0,
      count: 2,
      status: `${index}`,
    })),
  )

test('what is wanted at once is one mail a minute later, however much it is, and what was read meanwhile is none', async () => {
  await tell('offer_paused', 60)
  await work()
  expect(await queued()).toEqual([])
  api.clock.advance(MINUTE)
  await Promise.all([work(), work()])
  const mails = await queued()
  expect(mails).toMatchObject([{ recipient: affiliate.email, event: 'notifications', language: 'uk' }])
  const { items = '', count, unsubscribe } = mails[0]?.values ?? {}
  expect(count).toBe('60')
  expect(items.split('\n')[0]).toMatch(/^• «.+» призупинено$/)
  expect(items.split('\n')[1]).toBe(`https://panel.example/offers/direct-link/detail/${offer.uuid}`)
  expect(items.split('\n').at(-1)).toBe('+ 10')
  expect(unsubscribe).toMatch(/^https:\/\/panel\.example\/unsubscribe\/[\w-]{60,}$/)

  await tell('offer_paused')
  await affiliate.call(notificationApi.readAll, { body: { until: new Date(api.clock.now()).toISOString() } })
  api.clock.advance(2 * MINUTE)
  await work()
  expect(await queued()).toEqual([])
})

describe('the digest', () => {
  test('goes out once a day at the hour of the person, with all since, and not where there is nothing', async () => {
    await tell('conversions_declined') // 12:00 in Kyiv
    api.clock.advance(MINUTE)
    await work()
    api.clock.set('2026-11-22T05:59:00Z')
    await tell('news')
    await work()
    expect(await queued(), 'before eight').toEqual([])
    api.clock.set('2026-11-22T06:00:00Z')
    await Promise.all([work(), work()])
    const mails = await queued()
    expect(mails).toMatchObject([{ event: 'notification_digest', recipient: affiliate.email }])
    expect(mails[0]?.values['items']).toContain('Відхилено конверсій: 2')
    // what comes later in the day waits for tomorrow, also when the hour is moved to a later one
    await tell('conversions_declined')
    api.clock.advance(MINUTE)
    await work()
    const { hour: _hour, ...chosen } = (await affiliate.call(notificationApi.choices)).data
    const { email: _email, mail: _mail, time_zone: _zone, ...rest } = chosen
    expect((await affiliate.call(notificationApi.choose, { body: { ...rest, hour: 15 } })).status).toBe(200)
    api.clock.set('2026-11-22T13:30:00Z')
    await work()
    expect(await queued(), 'a second one on the same day').toEqual([])
    api.clock.set('2026-11-23T13:00:00Z')
    await work()
    expect((await queued()).map(({ event }) => event)).toEqual(['notification_digest'])
    api.clock.set('2026-11-24T13:00:00Z')
    await work()
    expect(await queued(), 'nothing happened').toEqual([])
  })

  test('comes once where the clock skips its hour or has it twice', async () => {
    await api.db.updateTable('account').set({ time_zone: 'Europe/Berlin' }).where('id', '=', affiliate.accountId).execute()
    const { stopped, choices } = (await affiliate.call(notificationApi.choices)).data
    await affiliate.call(notificationApi.choose, { body: { stopped, choices, hour: 2 } })
    // 2026-03-29 02:00 does not exist, 2026-10-25 02:00 is twice
    for (const [told, times] of [
      ['2026-03-28T12:00:00Z', ['2026-03-29T00:59:00Z', '2026-03-29T01:00:00Z', '2026-03-29T02:00:00Z']],
      ['2026-10-24T12:00:00Z', ['2026-10-24T23:59:00Z', '2026-10-25T00:00:00Z', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00Z']],
    ] as const) {
      api.clock.set(told)
      await tell('conversions_declined')
      api.clock.advance(MINUTE)
      await work()
      let sent = 0
      for (const at of times) {
        api.clock.set(at)
        await work()
        const mails = await queued()
        sent += mails.length
        await tell('conversions_declined')
        api.clock.advance(MINUTE)
        await work()
      }
      expect(sent, told).toBe(1)
      await api.db.deleteFrom('notification').execute()
      await api.db.updateTable('notification_digest').set({ next_at: null }).execute()
    }
  })

  test('of three days without a worker is one mail, and old news are none', async () => {
    await tell('conversions_declined')
    api.clock.advance(MINUTE)
    await work()
    api.clock.set('2026-11-24T10:00:00Z')
    await tell('news')
    api.clock.advance(MINUTE)
    await work()
    const mails = await queued()
    expect(mails).toHaveLength(1)
    expect(mails[0]?.values['items']).not.toContain('конверсій')
  })
})

test('a letter carries its way out where mail programs look for it', async () => {
  const server = await startMailServer()
  const smtp = { ...smtpSetting.defaults, host: 'localhost', port: server.port, security: 'none' as const, sender_email: 'a@network.org' }
  await storeSetting(api.db, api.clock.now(), 'smtp', smtp)
  const email = `${affiliate.uuid}@partner-of-ohma.org`
  await api.db.updateTable('account').set({ email }).where('id', '=', affiliate.accountId).execute()
  await tell('offer_paused')
  api.clock.advance(MINUTE)
  await work()
  const mailer = openMailer({ db: api.db, clock: api.clock, secretKey: KEY, publicUrl: 'https://panel.example' })
  await mailer.tick()
  await mailer.idle()
  await mailer.close()
  await server.close()
  const head = (server.received[0]?.raw.split('\r\n\r\n')[0] ?? '').replace(/\r\n[ \t]+/g, ' ')
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  const way = /^List-Unsubscribe: *<(https:\/\/panel\.example\/[^>]+)>$/m.exec(head)?.[1] ?? ''
  // what a mail program sends
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'List-Unsubscribe=One-Click'
  expect((await fetch(`${api.url}${new URL(way).pathname}`, { method: 'POST', headers, body })).status).toBe(200)
  expect((await affiliate.call(notificationApi.choices)).data.stopped).toBe(true)
})

test('each chooses for each kind the bell and the mail; what is off there does not come', async () => {
  const { choices, hour, stopped, email, time_zone, mail } = (await affiliate.call(notificationApi.choices)).data
  expect({ hour, stopped, email, time_zone, mail }).toEqual({
    hour: 8,
    stopped: false,
    email: affiliate.email,
    time_zone: 'Europe/Kyiv',
    mail: true,
  })
  expect(choices.map(({ kind }) => kind)).not.toContain('access_requested')
  const changed = choices.map((choice) => (choice.kind === 'offer_paused' ? { ...choice, bell: false, mail: 'off' as const } : choice))
  await affiliate.call(notificationApi.choose, {
    body: { stopped, hour, choices: [...changed, { kind: 'access_requested', bell: false, mail: 'now' }] },
  })
  expect((await affiliate.call(notificationApi.choices)).data.choices).toEqual(changed)
  await tell('offer_paused')
  await tell('payout_changed')
  expect((await affiliate.call(notificationApi.list, { body: {} })).data.list.map(({ kind }) => kind)).toEqual(['payout_changed'])
  expect((await affiliate.call(notificationApi.unread)).data.rows).toBe(1)
  api.clock.advance(MINUTE)
  await work()
  expect((await queued()).map(({ values }) => values['count'])).toEqual(['1'])
  expect((await affiliate.call(notificationApi.choose, { body: { stopped, hour: 24, choices } })).status).toBe(400)
  expect((await affiliate.call(notificationApi.choose, { body: { stopped: true, hour: 9, choices } })).data).toMatchObject({
    stopped: true,
  })
})

test('the link in a mail ends them by one post, never by a look; one nobody made does nothing', async () => {
  const path = new URL(unsubscribeAt(affiliate.uuid)).pathname
  const looked = await fetch(`${api.url}${path}`)
  expect([looked.status, looked.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await looked.text()).toContain('<form method="post">')
  expect((await affiliate.call(notificationApi.choices)).data.stopped).toBe(false)
  const post = (to: string) =>
    fetch(`${api.url}${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
  expect((await post(`${path.slice(0, -4)}AAAA`)).status).toBe(404)
  expect((await post('/unsubscribe/x')).status).toBe(404)
  expect((await post(path)).status).toBe(200)
  expect((await affiliate.call(notificationApi.choices)).data.stopped).toBe(true)
  await tell('offer_paused')
  api.clock.advance(MINUTE)
  await work()
  expect(await queued()).toEqual([])
  expect((await affiliate.call(notificationApi.list, { body: {} })).data.list).toHaveLength(1)
})

test('a limit of a product is mailed with its name, for one offer or over all of them', async () => {
  const admin = await api.as('admin')
  const tellCaps = () =>
    Promise.all(
      [true, false].map((whole) =>
        tellOne(api.db, api.clock.now(), admin.accountId, {
          kind: whole ? 'cap_full' : 'cap_nearly_full',
          offerId: offer.id,
          status: 'day',
          reason: productCapReason({ title: 'Prime https://evil.example', whole }),
          count: whole ? 100 : 80,
        }),
      ),
    )
  await admin.call(notificationApi.choose, {
    body: { stopped: false, hour: 8, choices: [{ kind: 'cap_nearly_full', bell: true, mail: 'now' }] },
  })
  const { title } = await api.db.selectFrom('offer').select('title').where('id', '=', offer.id).executeTakeFirstOrThrow()
  const lines = async () => {
    await tellCaps()
    api.clock.advance(MINUTE)
    await work()
    const [letter] = await queued()
    return (letter?.values['items'] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('•'))
      .toSorted()
  }
  const [placed, whole] = await lines()
  expect(placed).toMatch(/^• Prime \S+ in .+: 80 % of its limit is filled \(day\)$/)
  expect(placed).toContain(` in ${title}: `)
  expect(whole).toMatch(/^• Prime \S+: its limit over all offers is full \(day\)$/)
  expect(`${whole}${placed}`).not.toContain('https://')
  await api.db.updateTable('account').set({ language: 'uk' }).where('id', '=', admin.accountId).execute()
  expect((await lines()).map((line) => line.replace(/^• Prime .*?example/, ''))).toEqual(
    [` в офері «${title}»: ліміт заповнено на 80 % (день)`, ': ліміт на всі офери вичерпано (день)'].toSorted(),
  )
})
