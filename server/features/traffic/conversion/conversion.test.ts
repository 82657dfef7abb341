import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { landingApi } from '#contract/offers/landing.ts'
import { VISITOR_FACTS } from '#contract/traffic/click-column.ts'
import { clickApi } from '#contract/traffic/click.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { postbackApi, type IncomingUpdate } from '#contract/traffic/postback.ts'
import { ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { CARRIED_COLUMNS, CLICK_FLAG, PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { verifyChain } from '#server/rules/conversion/history-chain.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { openClickFinder } from '../click/click.queries.ts'
import { receivePostback } from '../postback/incoming/receive.service.ts'

const HOUR = 3_600_000
let api: TestApi
let keys: ClickIdKeys
let admin: Caller

beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  keys = await makeClickKeys(api.db)
  admin = await api.as('admin')
})
afterAll(() => api.close())
beforeEach(() => api.clock.set('2026-11-21T10:00:00Z'))

type MadeOffer = Awaited<ReturnType<typeof makeOffer>>

/** Clicks of an affiliate on an offer, stored, and the advertiser's postback for each. */
async function convert(
  affiliate: Caller,
  offer: MadeOffer,
  count = 1,
  query: Record<string, string> = {},
  changes: Partial<MadeClick> = {},
): Promise<MadeClick[]> {
  const now = api.clock.now()
  const clicks = Array.from({ length: count }, () => ({
    ...makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: now - HOUR }),
    ...changes,
  }))
  await storeClicks(api.clickhouse, clicks)
  const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
  for (const click of clicks) {
    await receivePostback(
      parts,
      handOver({ click_id: click.id, token: offer.token, ...query }, { received_at: new Date(now).toISOString() }),
    )
  }
  return clicks
}

const listOf = async (who: Caller, body = {}) => (await who.call(conversionApi.list, { body })).data

describe('the list of conversions', () => {
  test('shows an affiliate its own, without revenue, advertiser and whole addresses', async () => {
    const affiliate = await api.as('affiliate')
    const stranger = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    await convert(affiliate, offer)
    const { list, total, summary } = await listOf(affiliate)
    expect(summary).toEqual({ rows: 1, totals: { amounts: [{ currency: 'USD', payout: '10.0000' }] } })
    expect(total).toEqual({ payout_USD: '10.0000' })
    expect(list[0]).toMatchObject({ payout: '10.0000', status: 'approved', ip: '203.0.113.0' })
    for (const field of ['revenue', 'amount', 'advertiser']) expect(list[0]).not.toHaveProperty(field)
    expect((await listOf(stranger)).list).toEqual([])
    expect((await listOf(admin, { affiliate_uuid: [affiliate.uuid] })).summary.totals?.amounts).toMatchObject([{ profit: '5.0000' }])
    // nor does the life of one tell it: who pays, how much, in which words, and who of the staff decided
    const life = (await affiliate.call(conversionApi.get, { params: { uuid: list[0]?.uuid ?? '' } })).data
    expect(life.postbacks_in.map(({ query, body, ip }) => query + body + ip)).toEqual([''])
    const { name } = await api.db.selectFrom('advertiser').select('name').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
    const told = JSON.stringify(life)
    expect(told).not.toMatch(/revenue|"advertiser"|margin|receivable|15\.0000/)
    expect(told).not.toContain(name)
    expect((await stranger.call(conversionApi.get, { params: { uuid: list[0]?.uuid ?? '' } })).status).toBe(404)
  })

  test('tells an affiliate on which day of its own zone what is held is free, to the last decimal, and what is pending', async () => {
    const affiliate = await api.as('affiliate')
    await api.db.updateTable('account').set({ time_zone: 'Pacific/Kiritimati' }).where('uuid', '=', affiliate.uuid).execute()
    const held = (holdDays: number, payout: string, currency = 'USD') => makeOffer(api.db, { holdDays, payout, currency })
    await convert(affiliate, await held(3, '10.05'), 2)
    for (const days of [4, 5, 6, 7]) await convert(affiliate, await held(days, '1'))
    for (const days of [20, 30]) await convert(affiliate, await held(days, '0.1'))
    await convert(affiliate, await held(3, '38', 'EUR'))
    await convert(affiliate, await held(0, '7', 'EUR'), 1, { status: 'pending' })
    await convert(await api.as('affiliate'), await held(3, '99'))

    const { list } = (await affiliate.call(ledgerApi.balance)).data
    expect(list).toEqual([
      {
        currency: 'EUR',
        available: '0.0000',
        hold: '38.0000',
        pending: '7.0000',
        // ten o'clock in London on the 24th is midnight there
        releases: [{ day: '2026-11-25', amount: '38.0000', conversions: 1 }],
        later: null,
      },
      {
        currency: 'USD',
        available: '0.0000',
        hold: '24.3000',
        pending: '0.0000',
        releases: [
          { day: '2026-11-25', amount: '20.1000', conversions: 2 },
          ...['26', '27'].map((day) => ({ day: `2026-11-${day}`, amount: '1.0000', conversions: 1 })),
        ],
        later: { day: '2026-12-22', amount: '2.2000', conversions: 4 },
      },
    ])
  })

  test('tells an affiliate that the advertiser declined, and staff in which words, without marks that turn text around', async () => {
    const affiliate = await api.as('affiliate')
    const { uuid: postback } = (
      await affiliate.call(ownPostbackApi.create, {
        body: { offer_uuid: null, goal: null, statuses: [], method: 'GET', url: 'https://tracker.example/?r={reason}' },
      })
    ).data
    await convert(affiliate, await makeOffer(api.db), 1, { status: 'declined', reason: 'ask \u202eelpmaxe.live\u0007' })
    const { list } = await listOf(affiliate)
    expect(list).toMatchObject([{ reason: 'by_postback' }])
    const told = 'by_postback: ask elpmaxe.live'
    expect((await listOf(admin, { affiliate_uuid: [affiliate.uuid] })).list).toMatchObject([{ reason: told }])
    const life = { params: { uuid: list[0]?.uuid ?? '' } }
    const reasons = async (who: Caller) => {
      const { conversion, history } = (await who.call(conversionApi.get, life)).data
      return [conversion.reason, ...history.map(({ reason }) => reason)]
    }
    expect([await reasons(affiliate), await reasons(admin)]).toEqual([
      ['by_postback', 'by_postback'],
      [told, told],
    ])
    const sent = await api.db
      .selectFrom('postback_delivery as d')
      .innerJoin('affiliate_postback as p', 'p.id', 'd.postback_id')
      .innerJoin('conversion_history as h', (on) => on.onRef('h.affiliate_id', '=', 'd.affiliate_id').onRef('h.seq', '=', 'd.history_seq'))
      .select(['d.url', 'h.body'])
      .where('p.uuid', '=', postback)
      .execute()
    expect(sent).toMatchObject([{ url: 'https://tracker.example/?r=by_postback', body: { reason: 'by_postback' } }])
  })

  test('shows a manager what is theirs on either side, and names only that side', async () => {
    const manager = await api.as('manager')
    const mine = await api.as('affiliate', { managerId: manager.managerId })
    const other = await api.as('affiliate')
    const myAdvertiser = await makeAdvertiser(api.db, { managerId: manager.managerId })
    await convert(mine, await makeOffer(api.db))
    await convert(other, await makeOffer(api.db, { advertiserId: myAdvertiser.id }))
    await convert(other, await makeOffer(api.db))
    const { list, summary } = await listOf(manager)
    expect(summary.rows).toBe(2)
    expect(list.map((one) => [one.affiliate?.uuid ?? null, one.advertiser?.uuid ?? null]).toSorted()).toEqual(
      [
        [null, myAdvertiser.uuid],
        [mine.uuid, null],
      ].toSorted(),
    )
    const lives = await Promise.all(
      list.map(async ({ uuid }) => (await manager.call(conversionApi.get, { params: { uuid } })).data.postbacks_in[0]),
    )
    // what the advertiser said is for those who see the advertiser
    expect(lives.map((postback) => [postback?.outcome, postback?.query !== '']).toSorted()).toEqual([
      ['created', false],
      ['created', true],
    ])
  })

  test('is frozen on page one: rows that come meanwhile are neither shown nor move the others', async () => {
    const [affiliate, offer] = [await api.as('affiliate'), await makeOffer(api.db)]
    await convert(affiliate, offer, 7)
    const seen: string[] = []
    let page = await listOf(affiliate, { count: 3 })
    seen.push(...page.list.map((one) => one.uuid))
    while (page.after !== null) {
      api.clock.advance(1_000)
      await convert(affiliate, offer)
      page = await listOf(affiliate, { count: 3, until: page.until, after: page.after })
      seen.push(...page.list.map((one) => one.uuid))
      expect(page.summary.rows).toBe(7)
    }
    expect(new Set(seen).size).toBe(7)
    expect(seen).toHaveLength(7)
    // the same by page numbers
    const second = await listOf(affiliate, { count: 3, page: 2, until: page.until })
    expect(second.list.map((one) => one.uuid)).toEqual(seen.slice(3, 6))
  })

  test('is sorted by what a row has, page by page, and by nothing the caller is not shown', async () => {
    const own = await api.as('affiliate')
    await convert(own, await makeOffer(api.db), 5)
    const page = async (page: number) => (await listOf(own, { sort: 'id', direction: 'asc', count: 3, page })).list
    const ids = [...(await page(1)), ...(await page(2))].map((one) => Number(one.id))
    expect([ids.length, ids]).toEqual([5, ids.toSorted((a, b) => a - b)])
    for (const sort of ['payment', 'goal', 'network', 'revenue', 'amount', 'reason', 'affiliate', 'advertiser'] as const) {
      const answers = await Promise.all([own, admin].map((who) => who.call(conversionApi.list, { body: { sort } })))
      expect([sort, ...answers.map(({ status }) => status)]).toEqual([sort, /^[pgn]/.test(sort) ? 200 : 403, 200])
    }
  })

  test('is searched by click id, transaction id and number, and filtered by status, goal and time', async () => {
    const [affiliate, offer] = [await api.as('affiliate'), await makeOffer(api.db)]
    const [click] = await convert(affiliate, offer, 1, { txn_id: "o'range" })
    await convert(affiliate, offer, 1, { status: 'pending' })
    const rows = async (body: object) => (await listOf(affiliate, body)).summary.rows
    expect(await rows({ search: click?.id.toUpperCase() })).toBe(1)
    expect(await rows({ search: "o'range" })).toBe(1)
    const id = (await listOf(affiliate, { search: "o'range" })).list[0]?.id
    expect(await rows({ search: id })).toBe(1)
    expect(await rows({ status: ['pending', 'trash'] })).toBe(1)
    expect(await rows({ goal: ['sale'] })).toBe(2)
    expect(await rows({ from: '2026-11-21T10:00:00Z', to: '2026-11-21T10:00:00.001Z' })).toBe(2)
    expect(await rows({ to: '2026-11-21T10:00:00Z' })).toBe(0)
    expect(await rows({ after: "garbage'; --" })).toBe(2)
  })

  test('shows and filters what its click knew, to each audience what the list of clicks shows it', async () => {
    expect([...CARRIED_COLUMNS, ...PERSONAL_COLUMNS].sort()).toEqual([...VISITOR_FACTS].sort())
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const carried = {
      os_version: '14',
      browser_version: '131.0',
      brand: 'Samsung',
      model: 'SM-S921B',
      region: 'Львівська',
      city: 'Львів',
      network: 'Kyivstar (AS15895)',
      connection: 'cellular',
      referrer: 'news.example',
      referrer_path: '/100%_off',
      ad_param: 'gclid',
      ad_id: `Cj0_${'k'.repeat(400)}`,
      hints: '"Chromium";v="131"|?1|"Android"',
      unread: 'utm_term=shoes',
    }
    await convert(affiliate, offer, 1, {}, { carried, subs: ['feed', 'Ten'] })
    await convert(affiliate, offer)
    const asked = { offer_uuid: [offer.uuid] }
    const ofClick = async (who: Caller) => (await who.call(clickApi.list, { body: { filters: { offer: [offer.uuid] } } })).data.list
    for (const who of [admin, affiliate]) {
      const [plain, full] = (await listOf(who, asked)).list
      expect(full).toMatchObject({ ...carried, ua: 'Mozilla/5.0' })
      expect(plain).toMatchObject({ city: '', ad_id: '', hints: '', connection: 'unknown' })
      const click = (await ofClick(who)).find(({ city }) => city !== '')
      for (const id of [...VISITOR_FACTS, 'ip', 'ua', 'geo', 'device', 'os', 'browser', 'source', 'aff_click_id'] as const)
        expect(full?.[id], id).toBe(click?.[id])
      expect(full?.lang).toBe(click?.language)
    }
    expect(JSON.stringify((await listOf(affiliate, asked)).list)).not.toMatch(/revenue|"advertiser"|"amount"|margin|15\.0000/)

    const rows = async (filters: object, search = '') => {
      const answer = await affiliate.call(conversionApi.list, { body: { ...asked, filters, search } })
      return answer.status === 200 ? answer.data.summary.rows : answer.status
    }
    expect(await rows({ city: { is: ['Львів'] } })).toBe(1)
    expect(await rows({ city: { is: ['львів'] } })).toBe(0)
    expect(await rows({ city: { contains: 'ЛЬВ' } })).toBe(1)
    expect(await rows({ city: { is: ['Kyiv'], contains: 'ьв' }, brand: { is: ['Samsung'] } })).toBe(1)
    expect(await rows({ network: { contains: 'as15895' }, referrer: { is: ['other.example'] } })).toBe(0)
    expect(await rows({ city: { is: [''] } })).toBe(1)
    expect(await rows({ connection: ['unknown'] })).toBe(1)
    expect(await rows({ connection: ['cellular', 'hosting'] })).toBe(1)
    expect(await rows({ ad_param: { is: ['gclid'] }, os_version: { contains: '1_' } })).toBe(0)
    expect(await rows({ sub1: { is: ['feed'] }, sub2: { contains: 'tE' }, device: ['mobile'], language: ['uk'] })).toBe(1)
    expect(await rows({ sub10: { is: ['feed'] } })).toBe(0)
    expect(await rows({}, carried.ad_id)).toBe(1)
    expect(await rows({}, carried.ad_id.slice(0, 20))).toBe(0)
    const stranger = await api.as('affiliate')
    expect(await listOf(stranger, { filters: { city: { is: ['Львів'] } } })).toMatchObject({
      list: [],
      summary: { rows: 0 },
    })
    expect(await rows({ city: { contains: 'x\0' } })).not.toBe(500)

    // what is of one click alone narrows the lists of conversions and of clicks alike, and no report
    for (const [filters, found] of [
      [{ referrer_path: { is: ['/100%_off'] } }, 1],
      [{ referrer_path: { contains: '%_OFF' } }, 1],
      [{ referrer_path: { contains: '1_0' } }, 0],
      [{ ad_id: { is: [carried.ad_id] } }, 1],
      [{ hints: { contains: 'chromium' }, city: { is: ['Львів'] } }, 1],
      [{ hints: { contains: 'chromium' }, city: { is: [''] } }, 0],
      [{ unread: { is: ['none'], contains: 'Term=' } }, 1],
      [{ unread: { is: [''] } }, 1],
    ] satisfies [object, number][])
      for (const who of [admin, affiliate, stranger]) {
        const clicks = await who.call(clickApi.list, { body: { filters: { offer: [offer.uuid], ...filters } } })
        const conversions = await who.call(conversionApi.list, { body: { ...asked, filters } })
        const expected = who === stranger ? 0 : found
        expect([clicks.data.summary.rows, conversions.data.summary.rows], JSON.stringify(filters)).toEqual([expected, expected])
        expect([clicks.data.list.length, conversions.data.list.length]).toEqual([expected, expected])
      }
    const others = { unread: { not: ['utm_term=shoes'] } }
    for (const [filters, found] of [
      [others, 1],
      [{ city: { empty: true } }, 1],
      [{ city: { empty: false }, sub1: { not: ['feed'] } }, 0],
      [{ connection: { empty: true }, offer: { not: [offer.uuid] } }, 0],
      [{ geo: { not: ['PL'] }, city: { not: ['Kyiv'], contains: 'ьв' } }, 1],
    ] satisfies [object, number][]) {
      const clicks = await affiliate.call(clickApi.list, { body: { filters } })
      expect([clicks.data.summary.rows, await rows(filters)], JSON.stringify(filters)).toEqual([found, found])
    }
    expect((await listOf(stranger, { filters: others })).summary.rows).toBe(0)
    expect(await rows({ advertiser: { not: ['1'] } })).toBe(403)
    const days = { period: { preset: 'yesterday' }, zone: 'Pacific/Kiritimati' } as const
    expect((await listOf(affiliate, { ...asked, ...days })).summary.rows).toBe(0)
    expect((await listOf(affiliate, { ...asked, ...days, period: { preset: 'today' } })).summary.rows).toBe(2)
    const ofReport: object = { filters: { unread: { contains: 'utm' } } }
    expect((await admin.call(reportApi.run, { body: ofReport })).status).toBe(400)
  })
})

test('a hidden goal is told to its affiliate nowhere: not in the list, by no filter, in no macro, not in the chain it verifies', async () => {
  const affiliate = await api.as('affiliate')
  const offer = await makeOffer(api.db)
  await api.db.updateTable('goal').set({ hidden: true, code: 'inner', title: 'Inner goal' }).where('id', '=', offer.goalId).execute()
  const add = (goal: string | null) =>
    affiliate.call(ownPostbackApi.create, {
      body: { offer_uuid: null, goal, statuses: [], method: 'GET', url: 'https://tracker.example/?g={goal}&n={goal_name}&s={status}' },
    })
  const { uuid } = (await add(null)).data
  await add('inner')
  await convert(affiliate, offer, 1, { goal: 'inner' })
  const { list } = await listOf(affiliate)
  expect(list).toMatchObject([{ goal: null, payout: '10.0000' }])
  expect((await listOf(affiliate, { goal: ['inner'] })).summary.rows).toBe(0)
  expect((await listOf(admin, { goal: ['inner'], affiliate_uuid: [affiliate.uuid] })).list).toMatchObject([{ goal: { code: 'inner' } }])
  const sentTo = api.db
    .selectFrom('postback_delivery')
    .select('url')
    .where('affiliate_id', '=', affiliate.affiliateId ?? 0)
  expect(await sentTo.execute()).toEqual([{ url: 'https://tracker.example/?g=&n=&s=approved' }])
  const conversion_uuid = list[0]?.uuid ?? ''
  const trial = { url: 'https://tracker.example/?g={goal}', method: 'GET' as const, conversion_uuid }
  expect((await affiliate.call(ownPostbackApi.expand, { body: trial })).data.url).toBe('https://tracker.example/?g=')
  await affiliate.call(ownPostbackApi.backfill, { body: { postback_uuid: uuid, conversion_uuids: [conversion_uuid] } })
  const sent = await sentTo.execute()
  expect(JSON.stringify(sent)).not.toContain('nner')
  await api.db.updateTable('payout_rule').set({ payout_fixed: '0' }).where('goal_id', '=', offer.goalId).execute()
  await convert(affiliate, offer, 1, { goal: 'inner' })
  const [unpaid, ...rest] = (await listOf(admin, { affiliate_uuid: [affiliate.uuid] })).list
  expect([rest.length, (await listOf(affiliate)).list.length]).toEqual([1, 1])
  expect((await affiliate.call(conversionApi.get, { params: { uuid: unpaid?.uuid ?? '' } })).status).toBe(404)
  expect(await sentTo.execute()).toEqual(sent)
  // the chain passes over it without a gap, and staff read its history all the same
  await convert(affiliate, await makeOffer(api.db))
  const { head, list: entries } = (await affiliate.call(conversionApi.chain, { body: {} })).data
  expect(verifyChain(entries)).toEqual({ head })
  const [inner, plain] = entries.map(({ body }) => JSON.parse(body) as object)
  expect([entries.length, inner, plain]).toMatchObject([
    2,
    { seq: 1, from: null, to: 'approved', goal: null, payout: '10.0000' },
    { seq: 2, goal: expect.any(Number) },
  ])
  const whole = await admin.call(conversionApi.get, { params: { uuid: unpaid?.uuid ?? '' } })
  expect(whole.data.history).toMatchObject([{ chain_seq: null, hash: '', to: 'approved' }])
})

describe('a decision of staff', () => {
  test('changes many at once, asks for a reason to decline, and tells which could not change', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    await convert(affiliate, offer, 3, { status: 'pending' })
    const uuids = (await listOf(affiliate)).list.map((one) => one.uuid)
    const unreasoned = await admin.call(conversionApi.decide, { body: { uuids, status: 'declined' } })
    expect([unreasoned.status, Object.keys(unreasoned.fields)]).toEqual([422, ['reason']])
    await admin.call(conversionApi.decide, { body: { uuids: uuids.slice(0, 1), status: 'trash', reason: 'test order' } })
    await api.db
      .updateTable('conversion')
      .set({ payment_state: 'paid' })
      .where('uuid', '=', uuids[0] ?? '')
      .execute()
    expect((await admin.call(conversionApi.decide, { body: { uuids: uuids.slice(0, 1), status: 'pending' } })).data.refused).toEqual([
      { uuid: uuids[0], reason: 'not_allowed' },
    ])
    const stranger = '00000000-0000-4000-8000-000000000000'
    const answer = await admin.call(conversionApi.decide, { body: { uuids: [...uuids, stranger], status: 'approved' } })
    expect(answer.data).toEqual({
      changed: 3,
      refused: [{ uuid: stranger, reason: 'not_found' }],
      decisions: uuids.toReversed().map((uuid) => ({ uuid, seq: expect.any(Number) })),
      hold_until: null,
    })
    const balance = [{ currency: 'USD', available: '30.0000', hold: '0.0000' }]
    expect((await affiliate.call(ledgerApi.balance)).data).toMatchObject({ list: balance })
    expect((await admin.call(affiliateApi.get, { params: { uuid: affiliate.uuid } })).data.balance).toEqual(balance)
    const again = await admin.call(conversionApi.decide, { body: { uuids: uuids.slice(1), status: 'approved' } })
    expect(again.data.refused.map((one) => one.reason)).toEqual(['same_status', 'same_status'])
  })

  test('is possible for a manager only on what is theirs', async () => {
    const affiliate = await api.as('affiliate')
    await convert(affiliate, await makeOffer(api.db), 1, { status: 'pending' })
    const uuids = (await listOf(affiliate)).list.map((one) => one.uuid)
    const manager = await api.as('manager')
    const refused = [{ uuid: uuids[0], reason: 'not_found' }]
    expect((await manager.call(conversionApi.decide, { body: { uuids, status: 'approved' } })).data).toMatchObject({ changed: 0, refused })
    expect((await affiliate.call(conversionApi.decide, { body: { uuids, status: 'approved' } })).status).toBe(403)
  })

  test('approves beyond a full cap, and the excess is shown', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db, { dailyCap: 1 })
    await convert(affiliate, offer, 2)
    const { list } = await listOf(affiliate)
    const winner = list.find((one) => one.status === 'approved')?.uuid ?? ''
    const loser = list.find((one) => one.reason === 'cap_reached')?.uuid ?? ''
    const decide = async (uuid: string, status: 'approved' | 'declined') =>
      (await admin.call(conversionApi.decide, { body: { uuids: [uuid], status, reason: 'checked' } })).data
    const levels = async () => (await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data.cap_levels
    expect(await levels()).toMatchObject([{ period: 'day', limit: '1', used: '1' }])
    expect(await decide(loser, 'approved')).toMatchObject({ changed: 1 })
    expect(await levels()).toMatchObject([{ used: '2' }])
    expect(await decide(winner, 'declined')).toMatchObject({ changed: 1 })
    expect(await levels()).toMatchObject([{ used: '1' }])
  })
})

test('a conversion stays in its currency whatever its offer is in by now: later amounts are converted into it, by postback, file and staff', async () => {
  const affiliate = await api.as('affiliate')
  const offer = await makeOffer(api.db, { payout: '0', revenue: '0', payoutPercent: '50', revenuePercent: '100' })
  const clicks = await convert(affiliate, offer, 4, { status: 'pending', amount: '100' })
  const rates = { day: '2026-11-20', rates: [{ currency: 'UAH', rate: '0.025' }] }
  await admin.call(currencyRateApi.set, { body: rates })
  await api.db.updateTable('offer').set({ currency: 'UAH' }).where('id', '=', offer.id).execute()
  const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
  const report = (click: MadeClick | undefined, query: Record<string, string>) =>
    receivePostback(parts, handOver({ click_id: click?.id ?? '', token: offer.token, status: 'approved', ...query }))
  const [named, unnamed, filed, decided] = clicks

  expect((await report(named, { amount: '8000', currency: 'UAH' })).body).toMatchObject({ outcome: 'changed' })
  expect((await report(unnamed, { amount: '100' })).body).toMatchObject({ outcome: 'changed' }) // only the status
  // without a currency: what was said last is no news, and another amount may be in either
  expect(await report(named, { amount: '8000.00' })).toMatchObject({ httpStatus: 200 })
  expect(await report(named, { amount: '8100' })).toMatchObject({
    httpStatus: 422,
    body: { reason: 'amount_ambiguous', parameter: 'amount', text: expect.stringContaining('8100 may be in USD or in UAH') },
  })
  const csv = `click_id,status,amount,deposit_currency\n${filed?.id},approved,8000,UAH`
  expect((await admin.call(conversionApi.import, { body: { csv } })).data).toMatchObject({ changed: 1 })
  const { list } = await listOf(admin, { affiliate_uuid: [affiliate.uuid] })
  const uuid = list.find((one) => one.click_id === decided?.id)?.uuid ?? ''
  await admin.call(conversionApi.decide, { body: { uuids: [uuid], status: 'approved' } })
  const told = async () =>
    new Map(
      (await listOf(admin, { affiliate_uuid: [affiliate.uuid] })).list.map((one) => [
        one.click_id,
        [one.status, one.amount, one.payout, one.revenue, one.currency].join(' '),
      ]),
    )
  const after = await told()
  expect(clicks.map((click) => after.get(click.id))).toEqual([
    'approved 200.0000 100.0000 200.0000 USD',
    'approved 100.0000 50.0000 100.0000 USD',
    'approved 200.0000 100.0000 200.0000 USD',
    'approved 100.0000 50.0000 100.0000 USD',
  ])
  await convert(affiliate, offer, 1, { amount: '4000' })
  expect([...(await told()).values()]).toContain('approved 4000.0000 2000.0000 4000.0000 UAH')
})

describe('landings of conversions', () => {
  test('pay by their rows and are named, in the list and on the why-page; an affiliate learns no name of one that is for others', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const shown = await makeLanding(admin, { name: 'Summer page' })
    const hidden = await makeLanding(admin, { name: 'For somebody else', type: 'prelanding', privacy: 'private' })
    for (const [position, landing_id] of [shown.id, hidden.id].entries())
      await api.db.insertInto('offer_landing').values({ offer_id: offer.id, landing_id, weight: 1, position }).execute()
    await api.db
      .insertInto('payout_rule')
      .values({ offer_id: offer.id, goal_id: offer.goalId, position: 1, landing_ids: [shown.id], payout_fixed: '25', revenue_fixed: '30' })
      .execute()
    await convert(affiliate, offer, 1, {}, { landing: shown.id, prelanding: hidden.id })
    await convert(affiliate, offer)
    const { list } = await listOf(affiliate)
    expect(list.map(({ payout }) => payout).toSorted()).toEqual(['10.0000', '25.0000'])
    const uuid = list.find(({ payout }) => payout === '25.0000')?.uuid ?? ''

    const landing = { id: String(shown.id), label: 'Summer page', uuid: shown.uuid }
    const prelanding = { id: String(hidden.id), label: 'For somebody else', uuid: hidden.uuid }
    const mine = async (who: Caller) => (await listOf(who, { search: uuid })).list
    expect(await mine(admin)).toMatchObject([{ landing, prelanding }])
    expect(await mine(affiliate)).toMatchObject([{ landing, prelanding: { label: `Pre-landing #${hidden.id}`, uuid: null } }])
    const { data } = await admin.call(conversionApi.get, { params: { uuid } })
    expect(data.conversion).toMatchObject({ landing, prelanding })
    expect(data.click).toMatchObject({ landing, prelanding })

    const rowsOf = async (who: Caller, body: object) => (await listOf(who, { offer_uuid: [offer.uuid], ...body })).summary.rows
    expect(await rowsOf(admin, {})).toBe(2)
    expect(await rowsOf(admin, { landing_uuid: [shown.uuid] })).toBe(1)
    expect(await rowsOf(admin, { prelanding_uuid: [hidden.uuid] })).toBe(1)
    expect(await rowsOf(admin, { landing_uuid: [hidden.uuid] })).toBe(0)
    expect(await rowsOf(affiliate, { landing_uuid: [shown.uuid] })).toBe(1)
    // it finds out by no filter which of its conversions passed one it may not know
    expect(await rowsOf(affiliate, { prelanding_uuid: [hidden.uuid] })).toBe(0)
    const options = async (type: 'landing' | 'prelanding') =>
      (await admin.call(landingApi.options, { body: { type: [type] } })).data.list.map(({ name }) => name)
    expect([await options('landing'), await options('prelanding')]).toEqual([['Summer page'], ['For somebody else']])
    expect((await affiliate.call(landingApi.options, { body: { type: ['prelanding'] } })).data.list).toEqual([])
  })
})

describe('the why-page', () => {
  test('shows click, verdicts, history, postbacks and money of one conversion', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db, { holdDays: 3 })
    const visitor = { os_version: '14', city: 'Lviv', network: 'Kyivstar (AS15895)', ad_param: 'gclid', ad_id: 'Cj0KCQ' }
    const [click] = await convert(affiliate, offer, 1, {}, { carried: visitor })
    const { list } = await listOf(admin, { search: click?.id })
    await admin.call(conversionApi.decide, { body: { uuids: [list[0]?.uuid ?? ''], status: 'declined', reason: 'fraud' } })
    const { data } = await admin.call(conversionApi.get, { params: { uuid: list[0]?.id ?? '' } })
    expect(data.conversion).toMatchObject({ uuid: list[0]?.uuid, status: 'declined', reason: 'fraud', revenue: '15.0000' })
    expect(data.click).toMatchObject({ geo: 'UA', ua: 'Mozilla/5.0', flags: [] })
    expect(data.conversion).toMatchObject({ ...visitor, region: '' })
    expect(data.verdicts.every((one) => one.passed)).toBe(true)
    expect(data.history.map((one) => [one.from, one.to, one.origin])).toEqual([
      [null, 'hold', 'postback'],
      ['hold', 'declined', 'staff'],
    ])
    expect(data.history[1]?.actor).toMatch(/^admin/)
    expect(data.postbacks_in).toMatchObject([{ outcome: 'created', query: expect.stringContaining('token=***') }])
    expect(data.money.map((one) => one.kind)).toEqual(['revenue', 'payout', 'revenue_reversal', 'payout_reversal'])
    expect(data.money[1]?.entries).toEqual([
      { account: 'payout_cost', amount: '10.0000' },
      { account: 'affiliate_hold', amount: '-10.0000' },
    ])
    expect((await (await api.as('team lead')).call(conversionApi.get, { params: { uuid: list[0]?.uuid ?? '' } })).status).toBe(404)

    // the affiliate is told the same, less what is the network’s and the advertiser’s
    const { data: theirs } = await affiliate.call(conversionApi.get, { params: { uuid: list[0]?.uuid ?? '' } })
    expect(theirs.conversion).toMatchObject({ status: 'declined', reason: 'fraud', payout: '10.0000', ip: '203.0.113.0' })
    expect(theirs.click).toMatchObject({ geo: 'UA', ip: '203.0.113.0' })
    expect(theirs.conversion).toMatchObject(visitor)
    expect(theirs.history.map((one) => [one.to, one.actor])).toEqual([
      ['hold', null],
      ['declined', null],
    ])
    expect(theirs.postbacks_in).toMatchObject([{ outcome: 'created', query: '', body: '', ip: '' }])
    expect(theirs.money.map((one) => [one.kind, one.entries])).toEqual([
      ['payout', [{ account: 'affiliate_hold', amount: '-10.0000' }]],
      ['payout_reversal', [{ account: 'affiliate_hold', amount: '10.0000' }]],
    ])
    expect(JSON.stringify(theirs)).not.toMatch(/revenue|"advertiser"|15\.0000|\*\*\*/)
    expect((await (await api.as('affiliate')).call(conversionApi.get, { params: { uuid: list[0]?.uuid ?? '' } })).status).toBe(404)
  })

  test('names the cap that was full and how far it is filled, to an affiliate as a share where it is everybody’s', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db, { dailyCap: 1 })
    const [, click] = await convert(affiliate, offer, 2)
    const [one] = (await listOf(admin, { search: click?.id })).list
    const capsFor = async (who: Caller) =>
      (await who.call(conversionApi.get, { params: { uuid: one?.uuid ?? '' } })).data.verdicts.filter(
        ({ check, passed }) => check === 'conversion_cap' && !passed,
      )
    const values = { period: 'day', scope: 'offer', measure: 'conversions', limit: '1', percent: '100', used: '1', currency: 'USD' }
    expect((await capsFor(admin)).map(({ detail }) => detail)).toEqual([{ kind: 'cap', values }])
    expect((await capsFor(affiliate)).map(({ detail }) => detail)).toEqual([{ kind: 'cap', values: { ...values, used: '' } }])
  })

  test('of a click says where it went and what came of it, also to whom shows no revenue', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const hidden = await api.db
      .insertInto('goal')
      .values({ offer_id: offer.id, code: 'secret', title: 'Secret deposit', hidden: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    await api.db
      .insertInto('payout_rule')
      .values({ offer_id: offer.id, goal_id: hidden.id, payout_fixed: '3', revenue_fixed: '4' })
      .execute()
    await affiliate.call(ownPostbackApi.create, {
      body: { offer_uuid: null, goal: null, statuses: [], method: 'GET', url: 'https://tracker.example/pb?p={payout}' },
    })
    const id = (await convert(affiliate, offer, 1, { status: 'pending' }))[0]?.id ?? ''
    await receivePostback(
      { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock },
      handOver({ click_id: id, token: offer.token, goal: 'secret', status: 'pending' }),
    )
    const { data } = await admin.call(clickApi.get, { params: { uuid: id.toUpperCase() } })
    expect(data.click).toMatchObject({
      click_id: id,
      kind: 'counted',
      reason: '',
      geo: 'UA',
      ip: '203.0.113.7',
      offer: { uuid: offer.uuid },
    })
    expect(data.conversions.map((one) => [one.goal?.code, one.status, one.payout, one.revenue])).toEqual([
      ['sale', 'pending', '10.0000', '15.0000'],
      ['secret', 'pending', '3.0000', '4.0000'],
    ])

    const { data: theirs } = await affiliate.call(clickApi.get, { params: { uuid: id } })
    expect([data, theirs].map((one) => one.postbacks_in.map(({ outcome }) => outcome))).toEqual([['created', 'created'], []])
    const sent = ['https://tracker.example/pb?p=10.00', 'https://tracker.example/pb?p=3.00']
    expect([data, theirs].map((one) => one.postbacks_out.map(({ url }) => url))).toEqual([sent, sent])
    const manager = await api.as('manager')
    // the rows of test clicks name the first advertiser
    await api.db.updateTable('advertiser').set({ manager_id: manager.managerId }).where('id', 'in', [1, offer.advertiserId]).execute()
    const { data: ofOffer } = await manager.call(clickApi.get, { params: { uuid: id } })
    expect([ofOffer.conversions.length, ofOffer.postbacks_out], 'who may not know whose click it is').toEqual([2, []])
    expect(theirs.click).toMatchObject({ click_id: id, ip: '203.0.113.0' })
    expect(theirs.conversions.map((one) => [one.goal?.code, one.payout])).toEqual([
      ['sale', '10.0000'],
      [undefined, '3.0000'],
    ])
    expect(JSON.stringify(theirs)).not.toMatch(/revenue|advertiser|15\.0000|4\.0000|ecret/)

    const strange = { ...makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() }) }
    for (const key of [strange.id, id.replace(/.$/, (last) => (last === '0' ? '1' : '0')), 'x'])
      expect((await admin.call(clickApi.get, { params: { uuid: key } })).status, key).toBe(404)
    for (const role of ['affiliate', 'team lead', 'manager'] as const)
      expect((await (await api.as(role)).call(clickApi.get, { params: { uuid: id } })).status, role).toBe(404)
  })
})

describe('a file', () => {
  test('changes and makes conversions line by line, and says which lines failed', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const [pending] = await convert(affiliate, offer, 1, { status: 'pending' })
    const fresh = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() - HOUR })
    await storeClicks(api.clickhouse, [fresh])
    const { list } = await listOf(affiliate)
    const csv = `\ufeffconversion_id;click_id;status;reason\r\n${list[0]?.id};;declined;"not paid; sorry"\r\n;${fresh.id};approved;\r\n;${fresh.id};approved;\r\n;nonsense;approved;\r\n99999999;;approved;\r\n`
    const { data } = await admin.call(conversionApi.import, { body: { csv } })
    expect(data).toMatchObject({ created: 1, changed: 1, unchanged: 1 })
    expect(data.failed.map((one) => one.line)).toEqual([5, 6])
    expect((await listOf(affiliate, { search: pending?.id })).list[0]).toMatchObject({ status: 'declined', reason: 'not paid; sorry' })
    expect((await admin.call(conversionApi.import, { body: { csv: 'a,b\n1,2' } })).status).toBe(422)
    const manager = await api.as('manager')
    expect((await manager.call(conversionApi.import, { body: { csv: `click_id,status\n${fresh.id},declined` } })).data).toMatchObject({
      changed: 0,
      failed: [{ line: 2 }],
    })
  })
})

test('a file that names a transaction and no goal is about the one conversion of the click that has it', async () => {
  const affiliate = await api.as('affiliate')
  const offer = await makeOffer(api.db)
  const [goal] = await api.db.insertInto('goal').values({ offer_id: offer.id, code: 'ftd', title: 'FTD' }).returning('id').execute()
  await api.db
    .insertInto('payout_rule')
    .values({ offer_id: offer.id, goal_id: goal?.id ?? 0, payout_fixed: '3' })
    .execute()
  const [click] = await convert(affiliate, offer, 1, { goal: 'ftd', txn_id: 'F1' })
  const csv = `click_id,transaction_id,status\n${click?.id},F1,declined\n${click?.id},,declined`
  const { data } = await admin.call(conversionApi.import, { body: { csv } })
  expect(data).toMatchObject({ created: 0, changed: 1, failed: [{ line: 3, reason: expect.stringContaining('ftd') }] })
  expect((await listOf(affiliate)).list.map((one) => [one.goal?.code, one.status])).toEqual([['ftd', 'declined']])
})

describe('a file of a manager', () => {
  test('books nothing against an advertiser of others, and tells strangers’ ids from unknown ones by nothing', async () => {
    const manager = await api.as('manager')
    const mine = await api.as('affiliate', { managerId: manager.managerId })
    const theirs = await makeOffer(api.db)
    const [click] = await convert(mine, theirs, 1, { status: 'pending' })
    const own = await makeOffer(api.db, { advertiserId: (await makeAdvertiser(api.db, { managerId: manager.managerId })).id })
    const [ownClick] = await convert(await api.as('affiliate'), own, 1, { status: 'pending' })
    const id = (await listOf(mine)).list[0]?.id
    const lines = [`${id};`, '99999999;', `;${click?.id}`, `;${click?.id.slice(0, -2)}zz`, `;${ownClick?.id}`]
    const csv = `conversion_id;click_id;status\n${lines.map((line) => `${line};approved`).join('\n')}`
    const { data } = await manager.call(conversionApi.import, { body: { csv } })
    expect(data).toMatchObject({ created: 0, changed: 1 })
    const [strange, unknown, strangeClick, unknownClick] = data.failed.map(({ reason }) => reason)
    expect(data.failed.map(({ line }) => line)).toEqual([2, 3, 4, 5])
    expect([strange, strangeClick]).toEqual([unknown, unknownClick])
  })

  test('makes no money of a test click', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const trial = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() - HOUR })
    await storeClicks(api.clickhouse, [trial], { flags: CLICK_FLAG.test })
    const { data } = await admin.call(conversionApi.import, { body: { csv: `click_id,status\n${trial.id},approved` } })
    expect(data).toMatchObject({ created: 0, changed: 0, unchanged: 0, failed: [{ line: 2, reason: 'A test click never becomes money.' }] })
    expect((await listOf(affiliate)).summary.rows).toBe(0)
  })
})

describe('postbacks as staff see them', () => {
  test('refused ones stand in the log with their reason, and can be applied once the mistake is mended', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const [click] = await convert(affiliate, offer, 1, { goal: 'deposit' })
    const log = async (who: Caller) => (await who.call(postbackApi.list, { body: { search: click?.id } })).data.list
    const [row] = await log(admin)
    expect(row).toMatchObject({
      direction: 'in',
      outcome: 'refused',
      reason: 'goal_unknown',
      parameter: 'goal',
      detail: 'goal=deposit',
      http_status: 422,
      affiliate: { uuid: affiliate.uuid },
    })
    expect(await log(await api.as('team lead'))).toEqual([])
    const outcomes = async (outcome: 'needs_mapping' | 'refused' | 'created') =>
      (await admin.call(postbackApi.list, { body: { search: click?.id, outcome: [outcome] } })).data.list.length
    expect([await outcomes('needs_mapping'), await outcomes('refused'), await outcomes('created')]).toEqual([1, 1, 0])
    expect((await admin.call(postbackApi.replay, { body: { direction: 'in', ids: [row?.id ?? ''] } })).data).toEqual({
      replayed: 0,
      unauthorized: 0,
      failed: [{ id: row?.id, reason: 'goal_unknown', parameter: 'goal' }],
    })
    const mapping = { outcome: ['needs_mapping' as const] }
    const waiting = (await admin.call(postbackApi.list, { body: mapping })).data.list
    expect(waiting.every((one) => one.needs_mapping)).toBe(true)
    await receivePostback(
      { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock },
      handOver({ x: '1' }, { path: '/postback2' }),
    )
    expect((await admin.call(postbackApi.list, { body: mapping })).data.list).toEqual(waiting)
    const goal = await api.db
      .insertInto('goal')
      .values({ offer_id: offer.id, code: 'deposit', title: 'Deposit' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await api.db.insertInto('payout_rule').values({ offer_id: offer.id, goal_id: goal.id, payout_fixed: '3', revenue_fixed: '4' }).execute()
    expect((await admin.call(postbackApi.replay, { body: { direction: 'in', ids: [row?.id ?? ''] } })).data).toEqual({
      replayed: 1,
      unauthorized: 0,
      failed: [],
    })
    expect(await log(admin)).toMatchObject([{ outcome: 'created', conversion: { uuid: expect.any(String) } }])
  })

  test('what came without the token is booked by an admin alone, with the figures in view', async () => {
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    const [click] = await convert(affiliate, { ...offer, token: 'not-the-token' }, 1)
    const { list } = (await admin.call(postbackApi.list, { body: { search: click?.id } })).data
    const ids = list.map(({ id }) => id)
    const head = await api.as('head')
    for (const who of [admin, head])
      expect((await who.call(postbackApi.replay, { body: { direction: 'in', ids } })).data).toEqual({
        replayed: 0,
        unauthorized: 1,
        failed: [],
      })
    expect([
      (await head.call(postbackApi.rehearse, { body: { ids } })).status,
      (await head.call(postbackApi.confirm, { body: { ids } })).status,
    ]).toEqual([403, 403])

    const { data: figures } = await admin.call(postbackApi.rehearse, { body: { ids } })
    expect(figures.list).toMatchObject([{ status: 'approved', currency: 'USD', conversions: 1 }])
    expect(Number(figures.list[0]?.payout)).toBe(10)
    expect((await listOf(affiliate)).list).toEqual([])
    expect((await admin.call(postbackApi.confirm, { body: { ids } })).data).toEqual({ replayed: 1, failed: [] })
    expect((await listOf(affiliate)).list).toMatchObject([{ status: 'approved', payout: '10.0000' }])
    const logged = await api.db
      .selectFrom('audit')
      .select('after')
      .where('entity', '=', 'postback')
      .where('action', '=', 'confirm')
      .execute()
    expect(logged).toEqual([{ after: { ids, replayed: 1 } }])
  })

  test('the network may have a token and statuses of its own', async () => {
    const save = async (body: Pick<IncomingUpdate, 'token'> & Partial<IncomingUpdate>) => {
      const { version } = (await admin.call(postbackApi.incoming)).data
      return admin.call(postbackApi.updateIncoming, { body: { allowed_ips: [], statuses: {}, version, ...body } })
    }
    const bad = await save({ token: 'new', allowed_ips: ['10.0.0.0/33'] })
    expect([bad.status, Object.keys(bad.fields)]).toEqual([422, ['allowed_ips']])
    const { data } = await save({ token: 'new', statuses: { ftd: 'approved' } })
    const affiliate = await api.as('affiliate')
    const offer = await makeOffer(api.db)
    await convert(affiliate, { ...offer, token: data.token ?? '' }, 1, { status: 'FTD' })
    expect((await listOf(affiliate)).list).toMatchObject([{ status: 'approved' }])

    const both = await Promise.all((['new', 'keep'] as const).map((token) => save({ token, version: data.version })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await save({ token: 'keep', allowed_ips: ['203.0.113.0/24'] })).data.allowed_ips).toEqual(['203.0.113.0/24'])
    expect((await save({ token: 'keep', version: data.version })).status).toBe(409)
    const saved = (await admin.call(postbackApi.incoming)).data
    expect(saved.allowed_ips).toEqual(['203.0.113.0/24'])
    expect((await save({ token: 'none' })).data).toMatchObject({ token: null, allowed_ips: [], statuses: {}, version: saved.version + 1 })
  })
})
