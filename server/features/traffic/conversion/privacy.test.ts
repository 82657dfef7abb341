import { afterAll, beforeAll, expect, test } from 'vitest'
import { generalSetting, settingApi } from '#contract/network/setting.ts'
import { applyReport } from '#server/features/traffic/conversion/apply-report.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { saveSetting } from '#server/features/network/setting/setting.service.ts'
import { forgetVisitors } from '#server/features/traffic/conversion/privacy.jobs.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-21T02:20:00Z')

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: new Date(NOW).toISOString() })
  admin = await api.as('admin')
})
afterAll(() => api.close())

const ask = async <Row>(query: string) => (await api.clickhouse.query({ query, format: 'JSONEachRow' })).json<Row>()
const stored = () =>
  ask<{ day: number; ip: string; told: string[]; sub1: string }>(
    `SELECT toInt32(dateDiff('day', ts, toDateTime('2026-11-21 02:20:00', 'UTC'))) AS day, IPv6NumToString(ip) AS ip, arrayDistinct([ua, ${PERSONAL_COLUMNS.join(', ')}]) AS told, sub1 FROM click ORDER BY ts DESC`,
  )
const parts = () =>
  ask<{ name: string }>(`SELECT name FROM system.parts WHERE active AND database = currentDatabase() AND table = 'click' ORDER BY name`)

test('addresses go after the days of the settings, single clicks after the months, totals stay; a second night changes nothing', async () => {
  const offer = await makeOffer(api.db)
  const [affiliateId, keys] = await Promise.all([makeAffiliateId(api.db), makeClickKeys(api.db)])
  const person = { ua: 'person', carried: Object.fromEntries(PERSONAL_COLUMNS.map((name) => [name, 'person'])) }
  const clickAt = (at: number) => ({ ...makeClick(keys, { offerId: offer.id, affiliateId, at }), ...person, subs: ['kept'] })
  // 21 October 2025 is thirteen months ago: its month stays whole, the one before goes
  const ages = [1, 89.9, 90.1, 120, 416, 418, 500]
  await storeClicks(
    api.clickhouse,
    ages.map((age) => clickAt(NOW - age * DAY)),
  )
  const total = 'SELECT sum(clicks) AS clicks FROM click_by_offer'
  const totals = await ask(total)

  await forgetVisitors(api.db, api.clickhouse, NOW)
  expect(await stored()).toEqual([
    { day: 1, ip: '::ffff:203.0.113.7', told: ['person'], sub1: 'kept' },
    { day: 90, ip: '::ffff:203.0.113.7', told: ['person'], sub1: 'kept' },
    ...[91, 120, 416].map((day) => ({ day, ip: '::', told: [''], sub1: 'kept' })),
  ])
  expect(await ask(total)).toEqual(totals)

  const before = await parts()
  await forgetVisitors(api.db, api.clickhouse, NOW)
  expect(await parts()).toEqual(before)

  const general = (await admin.call(settingApi.general)).data
  expect(general).toMatchObject({ address_days: 90, click_months: 13 })
  await admin.call(settingApi.updateGeneral, { body: { ...general, address_days: 1, click_months: 3 } })
  await forgetVisitors(api.db, api.clickhouse, NOW + DAY / 2)
  expect(await stored()).toEqual([1, 90, 91].map((day) => ({ day, ip: '::', told: [''], sub1: 'kept' })))
  expect(await ask(total)).toEqual(totals)
})

test('conversions and what was called because of them lose address and User-Agent, and nothing else', async () => {
  const offer = await makeOffer(api.db)
  const [affiliateId, keys] = await Promise.all([makeAffiliateId(api.db), makeClickKeys(api.db)])
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)!
  const report = { status: 'approved', amount: null, currency: 'USD', transactionId: null, reason: '' } as const
  const url =
    'https://partner.example/a/?i={ip}&r={_ip}&u={ua}&g={gclid}&x=11.203.0.113.75&s={sub1}&h={hints}&p={_referrer_path}&a={unread}&f={fbclid}&t={_ttclid}'
  const body =
    '{"i": "{_ip}", "r": {_ip}, "u": "{ua}", "g": {gclid}, "x": "11.203.0.113.75", "h": "{hints}", "p": "{referrer_path}", "s": {sub1}, "t": "{ttclid}"}'
  const headers = JSON.stringify([
    { name: 'X-Visitor', value: '{_ip} {_hints}' },
    { name: 'X-Key', value: null },
  ])
  const message = { method: 'POST' as const, body_type: 'json' as const, body, headers }
  await api.db
    .insertInto('affiliate_postback')
    .values({ affiliate_id: affiliateId, url, ...message })
    .execute()
  const place = { city: 'Lviv', ad_param: 'gclid' }
  // further ids of ad networks stand encoded among what nothing took, and are called by their own macros
  const unread = 'fbclid=IwAR_secret%2Dperson&ttclid=per%22son&a'
  for (const at of [NOW - 89 * DAY, NOW - 91 * DAY]) {
    const carried = { ...place, ad_id: 'Cj0KC', hints: '|?1|"Android"', referrer_path: '/', unread }
    const click = { ...makeClick(keys, { offerId: offer.id, affiliateId, at }), carried }
    const of = { terms, goal: terms.goals[0]!, clickId: click.id, clickAt: at, transactionId: null }
    await api.db.transaction().execute((trx) => applyReport(trx, of, click, report, { at, now: at, origin: 'postback', actorId: null }))
  }
  await saveSetting(api.db, NOW, null, generalSetting, { ...(await getGeneralSettings(api.db)), address_days: 90 })
  await forgetVisitors(api.db, api.clickhouse, NOW)
  const rows = await api.db
    .selectFrom('conversion')
    .select(['ip', 'ua', 'geo', 'payout', 'carried'])
    .where('offer_id', '=', offer.id)
    .orderBy('created_at', 'desc')
    .execute()
  const kept = { geo: rows[0]?.geo, payout: rows[0]?.payout }
  expect(rows).toEqual([
    {
      ...kept,
      ip: '203.0.113.7',
      ua: 'Mozilla/5.0',
      carried: { ...place, ad_id: 'Cj0KC', hints: '|?1|"Android"', referrer_path: '/', unread },
    },
    { ...kept, ip: '', ua: '', carried: place },
  ])
  expect(Number(kept.payout)).toBeGreaterThan(0)
  const called = await api.db
    .selectFrom('postback_delivery')
    .select(['url', 'body', 'headers'])
    .where('affiliate_id', '=', affiliateId)
    .orderBy('created_at', 'desc')
    .execute()
  expect(called.map(({ url }) => url.replace('https://partner.example/a/', ''))).toEqual([
    '?i=203.0.113.0&r=203.0.113.0&u=Mozilla%2F5.0&g=Cj0KC&x=11.203.0.113.75&s=one&h=%7C%3F1%7C%22Android%22&p=/&a=fbclid%3DIwAR_secret%252Dperson%26ttclid%3Dper%2522son%26a&f=IwAR_secret-person&t=per%22son',
    '?i=&r=&u=&g=&x=11.203.0.113.75&s=one&h=&p=&a=&f=&t=',
  ])
  const left = { x: '11.203.0.113.75', s: 'one' }
  const android = '|?1|"Android"'
  expect(called.map((row) => [JSON.parse(row.body), row.headers])).toEqual([
    [
      { ...left, i: '203.0.113.0', r: '203.0.113.0', u: 'Mozilla/5.0', g: 'Cj0KC', h: android, p: '/', t: 'per"son' },
      [
        { name: 'X-Visitor', value: `203.0.113.0 ${android}` },
        { name: 'X-Key', value: null },
      ],
    ],
    [
      { ...left, i: '', r: '', u: '', g: '', h: '', p: '', t: '' },
      [
        { name: 'X-Visitor', value: ' ' },
        { name: 'X-Key', value: null },
      ],
    ],
  ])
})

test('numbers of days and months that make no sense are refused at their fields', async () => {
  const general = (await admin.call(settingApi.general)).data
  const answer = await admin.call(settingApi.updateGeneral, { body: { ...general, address_days: 0, click_months: 1.5 } })
  expect(answer.status).toBe(400)
  expect(answer.fields).toEqual({ address_days: 'A whole number from 1 to 3650', click_months: 'A whole number from 1 to 120' })
})
