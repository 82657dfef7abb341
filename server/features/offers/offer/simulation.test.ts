import { OPEN_TARGETING } from '#contract/offers/offer-fields.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { settingApi, trafficbackSetting } from '#contract/network/setting.ts'
import { isTestToken } from '#server/rules/click/test-click.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { goalInput, makeOffer, ruleInput } from '#test/support/make/offers.ts'
import { ensureTrackingKeys } from '#server/features/traffic/snapshot/tracking-key.queries.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi({ env: { TRACKING_URL: 'https://go.example' } })
  admin = await api.as('admin')
  affiliate = await api.as('affiliate')
})
afterAll(() => api.close())

const simulate = async (uuid: string, changes: object = {}, caller = admin) =>
  (
    await caller.call(offerApi.simulate, {
      params: { uuid },
      body: { affiliate_uuid: affiliate.uuid, geo: 'PL', device: 'mobile', os: 'Android', ...changes },
    })
  ).data

test('a click that passes is sent on, with the payout each goal would bring', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const goals = [
    goalInput({ rules: [ruleInput(), ruleInput({ geos: ['PL'], payout_fixed: '12.5' })] }),
    goalInput({ code: 'lead', title: 'Lead', is_default: false, rules: [ruleInput({ geos: ['DE'] }), ruleInput({ payout_fixed: '1' })] }),
  ]
  const offer = await makeOffer(admin, advertiser.uuid, {
    goals,
    tracking_url: 'https://shop.example/?c={click_id}&g={geo}&p={pid}&n={offer_name}',
    title: 'A & B',
  })
  const result = await simulate(offer.uuid)
  expect(result).toMatchObject({
    outcome: 'redirect',
    reason: '',
    destination: `https://shop.example/?c=${'0'.repeat(40)}&g=PL&p=${affiliate.affiliateId}&n=A%20%26%20B`,
  })
  expect(result.verdicts.every((verdict) => verdict.passed)).toBe(true)
  expect(result.payouts.map((payout) => [payout.goal.code, payout.rule, payout.payout_fixed])).toEqual([
    ['sale', 1, '12.5000'],
    ['lead', 1, '1.0000'],
  ])
  expect((await simulate(offer.uuid, { geo: 'DE' })).payouts.map((payout) => payout.rule)).toEqual([0, 0])
  expect((await simulate(offer.uuid, { affiliate_uuid: String(affiliate.affiliateId) })).outcome).toBe('redirect')
})

test('a moment no calendar of ours reaches is refused', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const offer = await makeOffer(admin, advertiser.uuid)
  for (const at of ['0000-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '2101-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
    const answer = await admin.call(offerApi.simulate, {
      params: { uuid: offer.uuid },
      body: { affiliate_uuid: affiliate.uuid, geo: 'PL', device: 'mobile', at },
    })
    expect([at, answer.status, Object.keys(answer.fields)]).toEqual([at, 400, ['at']])
  }
})

test('a refused click names the check that failed and goes to trafficback', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const offer = await makeOffer(admin, advertiser.uuid, {
    privacy: 'premoderation',
    stop_at: '2026-12-01T00:00:00Z',
    caps: [{ period: 'day', scope: 'offer', measure: 'conversions', limit: '1' }],
    targeting: { ...OPEN_TARGETING, geo: { mode: 'include', values: ['PL'] }, os: { mode: 'exclude', values: ['iOS'] } },
  })
  await admin.call(settingApi.updateTrafficback, {
    body: { ...trafficbackSetting.defaults, url: 'https://else.example/?r={reason}', version: 0 },
  })
  const reasonOf = async (changes: object = {}) => {
    const { outcome, reason, destination, verdicts } = await simulate(offer.uuid, changes)
    expect(verdicts.find((verdict) => !verdict.passed)?.check ?? '').toBe(reason)
    if (outcome === 'refused') expect(destination).toBe(`https://else.example/?r=${reason}`)
    return reason
  }
  expect(await reasonOf()).toBe('no_access')
  await admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [affiliate.uuid] } })
  expect(await reasonOf()).toBe('')
  expect(await reasonOf({ geo: 'DE' })).toBe('targeting_geo')
  expect(await reasonOf({ os: 'iOS', device: 'tablet' })).toBe('targeting_os')
  expect(await reasonOf({ at: '2026-12-01T00:00:00Z' })).toBe('outside_dates')
  const counter = { offer_id: offer.id, affiliate_id: 0, period: 'day', starts: new Date('2026-11-21'), measure: 'conversions' } as const
  await api.db
    .insertInto('cap_counter')
    .values({ ...counter, used: '1' })
    .execute()
  expect(await reasonOf()).toBe('conversion_cap')
  expect(await reasonOf({ at: '2026-11-22T00:00:00Z' })).toBe('')
  expect((await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data.cap_levels).toMatchObject([{ used: '1', limit: '1' }])
  await admin.call(advertiserApi.setStatus, { body: { uuids: [advertiser.uuid], status: 'inactive' } })
  expect(await reasonOf()).toBe('advertiser_inactive')
  await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'banned' } })
  expect(await reasonOf()).toBe('affiliate_inactive')
  await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'active' } })
})

test('a manager simulates with the own affiliates, and learns no address of a foreign offer', async () => {
  const manager = await api.as('manager')
  const mine = await api.as('affiliate', { managerId: manager.managerId })
  const offer = await makeOffer(admin, (await makeAdvertiser(api.db)).uuid)
  expect(await simulate(offer.uuid, { affiliate_uuid: mine.uuid }, manager)).toMatchObject({ outcome: 'redirect', destination: null })
  const answer = await manager.call(offerApi.simulate, {
    params: { uuid: offer.uuid },
    body: { affiliate_uuid: affiliate.uuid, geo: 'PL', device: 'mobile' },
  })
  expect(answer).toMatchObject({ status: 422, fields: { affiliate_uuid: expect.any(String) } })
})

test('a test link carries a token for this offer and affiliate that ends after a day', async () => {
  const offer = await makeOffer(admin, (await makeAdvertiser(api.db)).uuid)
  const { data } = await admin.call(offerApi.testLink, { params: { uuid: offer.uuid }, body: { affiliate_uuid: affiliate.uuid } })
  expect(data.expires_at).toBe('2026-11-22T10:00:00.000Z')
  const url = new URL(data.url)
  expect([url.origin, url.searchParams.get('offer_id'), url.searchParams.get('pid')]).toEqual([
    'https://go.example',
    String(offer.id),
    String(affiliate.affiliateId),
  ])
  const keys = await ensureTrackingKeys(api.db, api.clock.now())
  const token = url.searchParams.get('test') ?? ''
  expect(isTestToken(token, offer.id, affiliate.affiliateId ?? 0, api.clock.now(), keys)).toBe(true)
  expect(isTestToken(token, offer.id, affiliate.affiliateId ?? 0, Date.parse('2026-11-22T10:00:01Z'), keys)).toBe(false)
  expect(isTestToken(token, offer.id + 1, affiliate.affiliateId ?? 0, api.clock.now(), keys)).toBe(false)
})
