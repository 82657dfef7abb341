import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { METRIC_IDS, METRICS } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { type CLICK_SORTS, clickApi } from '#contract/traffic/click.ts'
import { reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAccount, makeAdvertiser, type MadeAccount } from '#test/support/make/factories.ts'
import { storeTraffic, testClick, testFact } from '#test/support/make/traffic.ts'

/** 21 November 2026 is a Saturday; in Kyiv it is 12:00. */
const NOW = '2026-11-21T10:00:00Z'
const at = (text: string) => Date.parse(text)

let api: TestApi
let admin: Caller
let manager: Caller
let affiliate: Caller
let mine: MadeAccount
let theirs: MadeAccount
const offers: Record<'mine' | 'theirs' | 'secret', { id: number; uuid: string }> = {
  mine: { id: 0, uuid: '' },
  theirs: { id: 0, uuid: '' },
  secret: { id: 0, uuid: '' },
}

beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: NOW })
  ;[admin, manager] = await Promise.all([api.as('admin'), api.as('manager')])
  affiliate = await api.as('affiliate', { managerId: manager.managerId, name: 'Alpha' })
  mine = affiliate
  theirs = await makeAccount(api.db, 'affiliate', { name: 'Zulu' })
  const [own, foreign] = await Promise.all([
    makeAdvertiser(api.db, { managerId: manager.managerId, name: 'Own advertiser' }),
    makeAdvertiser(api.db, { name: 'Foreign advertiser' }),
  ])
  const offer = (title: string, advertiser: number, currency: 'USD' | 'PLN', privacy: 'public' | 'private') =>
    api.db
      .insertInto('offer')
      .values({ type: 'direct', title, status: 'active', privacy, advertiser_id: advertiser, currency })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
  offers.mine = await offer('Beta 100%', own.id, 'USD', 'public')
  offers.theirs = await offer('Alfa', foreign.id, 'PLN', 'public')
  offers.secret = await offer('Secret plan', foreign.id, 'USD', 'private')
  const [a, z] = [mine.affiliateId ?? 0, theirs.affiliateId ?? 0]
  const [o, f, s] = [offers.mine.id, offers.theirs.id, offers.secret.id]
  const clicks = [
    {
      ts: at('2026-11-21T08:00:00Z'),
      affiliate: a,
      offer: o,
      advertiser: own.id,
      visitor: 1,
      sub1: "o'clock",
      ip: '::ffff:203.0.113.77',
      source: 'facebook',
    },
    { ts: at('2026-11-21T08:30:00Z'), affiliate: a, offer: f, advertiser: foreign.id, visitor: 2, ip: '2001:db8:1:2:3::4' },
    { ts: at('2026-11-21T09:00:00Z'), affiliate: z, offer: o, advertiser: own.id, visitor: 3 },
    { ts: at('2026-11-21T09:10:00Z'), affiliate: z, offer: f, advertiser: foreign.id, visitor: 4 },
    { ts: at('2026-11-21T09:20:00Z'), affiliate: a, offer: s, advertiser: foreign.id, reason: 'no_access' },
    { ts: at('2026-11-21T09:30:00Z'), affiliate: a, offer: o, advertiser: own.id, flags: 1 },
    { ts: at('2026-11-21T09:31:00Z'), affiliate: a, offer: o, advertiser: own.id, flags: 8 },
    // yesterday in Kyiv, before and after the same time of day
    { ts: at('2026-11-20T09:00:00Z'), affiliate: a, offer: o, advertiser: own.id, visitor: 9 },
    { ts: at('2026-11-20T20:00:00Z'), affiliate: a, offer: o, advertiser: own.id, visitor: 9 },
    // today in Kyiv, yesterday in UTC
    { ts: at('2026-11-20T22:30:00Z'), affiliate: a, offer: o, advertiser: own.id, visitor: 9 },
  ].map((row, index) => testClick({ ...row, rnd: index + 1 }))
  const facts = [
    {
      conversion: 1,
      ts: at('2026-11-21T08:10:00Z'),
      click_ts: at('2026-11-21T08:00:00Z'),
      affiliate: a,
      offer: o,
      advertiser: own.id,
      goal: 1,
      payout: '10.0000',
      revenue: '15.0000',
      ttc: 600,
    },
    {
      conversion: 2,
      ts: at('2026-11-21T08:40:00Z'),
      click_ts: at('2026-11-21T08:30:00Z'),
      affiliate: a,
      offer: f,
      advertiser: foreign.id,
      currency: 'PLN',
      payout: '40.0000',
      revenue: '50.0000',
      status: 'hold' as const,
      ttc: 600,
    },
    {
      conversion: 3,
      ts: at('2026-11-20T23:00:00Z'),
      click_ts: at('2026-11-19T23:00:00Z'),
      affiliate: z,
      offer: o,
      advertiser: own.id,
      payout: '1.0000',
      revenue: '2.0000',
      status: 'declined' as const,
      ttc: 86_400,
    },
  ].map(testFact)
  await storeTraffic(api.clickhouse, { clicks, facts })
})
afterAll(() => api.close())

const run = async (caller: Caller, body: ReportInput) => {
  const answer = await caller.call(reportApi.run, { body: { zone: 'Europe/Kyiv', ...body } })
  expect(answer.status, JSON.stringify(answer)).toBe(200)
  return answer.data
}
const labels = (rows: { keys: { label: string }[] }[]) => rows.map((row) => row.keys.map((key) => key.label).join(' / '))

describe('who sees what', () => {
  test('staff are offered every metric, an affiliate none of the network’s money and nobody’s names', async () => {
    const staff = (await manager.call(reportApi.options)).data
    expect(staff.metrics.map((metric) => metric.id)).toEqual(METRIC_IDS)
    const own = (await affiliate.call(reportApi.options)).data
    expect(own.metrics.map((metric) => metric.id)).toEqual(METRIC_IDS.filter((id) => !('permission' in METRICS[id])))
    expect(own.dimensions.map((dimension) => dimension.id)).not.toEqual(expect.arrayContaining(['advertiser']))
    for (const hidden of ['affiliate', 'advertiser', 'manager'])
      expect(own.dimensions.map((dimension) => dimension.id)).not.toContain(hidden)
  })

  test('asking for them all the same is refused, whether as column, grouping, filter or order', async () => {
    const asks: ReportInput[] = [
      ...(['revenue', 'revenue_epc', 'profit', 'margin'] as const).flatMap((metric) => [{ metrics: [metric] }, { sort: metric }]),
      ...(['affiliate', 'advertiser', 'manager'] as const).map((dimension) => ({ group: [dimension] })),
      { filters: { advertiser: ['1'] } },
      { filters: { manager: ['1'] } },
    ]
    for (const body of asks) expect((await affiliate.call(reportApi.run, { body })).status, JSON.stringify(body)).toBe(403)
    expect((await affiliate.call(reportApi.series, { body: { metrics: ['profit'] } })).status).toBe(403)
    expect((await affiliate.call(clickApi.list, { body: { filters: { advertiser: ['1'] } } })).status).toBe(403)
  })

  test('a manager sees the rows of the own affiliates and of the own advertisers, with the other side masked', async () => {
    const rows = await run(manager, {
      period: { preset: 'today' },
      group: ['affiliate', 'advertiser'],
      metrics: ['clicks'],
      sort: 'clicks',
    })
    expect(rows.list.map((row) => [...row.keys.map((key) => key.label), row.values.clicks])).toEqual([
      ['Alpha', 'Own advertiser', 2],
      ['Alpha', `Advertiser #${rows.list[1]?.keys[1]?.id}`, 1],
      [`Affiliate #${theirs.affiliateId}`, 'Own advertiser', 1],
    ])
    expect(rows.list[2]?.keys[0]?.uuid).toBeNull()
    expect(rows.summary.totals.clicks).toBe(4)
    expect((await run(admin, { period: { preset: 'today' }, group: [], metrics: ['clicks'] })).summary.totals.clicks).toBe(5)
  })

  test('a stranger is not found by its uuid or by its name', async () => {
    const found = await run(manager, { group: ['affiliate'], metrics: ['clicks'], filters: { affiliate: [theirs.uuid] } })
    expect(found.list).toEqual([])
    expect(found.filtered).toEqual({ affiliate: [] })
    const named = await run(manager, {
      group: ['day'],
      metrics: ['clicks'],
      filters: { affiliate: [String(affiliate.affiliateId), String(theirs.affiliateId)] },
    })
    expect(named.filtered.affiliate?.map(({ label }) => label).toSorted()).toEqual([`Affiliate #${theirs.affiliateId}`, 'Alpha'])
    expect((await run(manager, { group: ['affiliate'], metrics: ['clicks'], search: 'Zulu' })).list).toEqual([])
    expect(labels((await run(admin, { group: ['affiliate'], metrics: ['clicks'], search: 'zul' })).list)).toEqual(['Zulu'])
  })

  test('nothing is found by leaving others out: what a filter excludes is taken from the own rows', async () => {
    const clicks = async (who: Caller, filters: ReportInput['filters']) =>
      (await run(who, { period: { preset: 'today' }, group: [], metrics: ['clicks'], filters })).summary.totals.clicks
    expect(await clicks(affiliate, {})).toBe(3)
    expect(await clicks(affiliate, { offer: { not: [offers.mine.uuid] } })).toBe(1)
    expect(await clicks(affiliate, { offer: { not: ['999999'] }, source: { not: ['nobody'] } })).toBe(3)
    // a stranger's uuid is no key, so that nothing is left out by it
    expect(await clicks(manager, { affiliate: { not: [theirs.uuid] } })).toBe(4)
    expect(await clicks(manager, { affiliate: { not: [String(theirs.affiliateId)] } })).toBe(3)
    expect(await clicks(admin, { affiliate: { not: [theirs.uuid] } })).toBe(3)
    const foreign = await affiliate.call(reportApi.run, { body: { filters: { affiliate: { not: ['1'] } } } })
    expect(foreign.status).toBe(403)
  })

  test('a filter asks for what is, is not, contains or is empty, in a roll-up as in the rows', async () => {
    const asked = async (filters: ReportInput['filters'], group: ReportInput['group'] = []) => {
      const { summary, timing } = await run(admin, { period: { preset: 'today' }, group, metrics: ['clicks', 'conversions'], filters })
      return [summary.totals.clicks, summary.totals.conversions, timing.source]
    }
    const [a, z] = [mine.affiliateId ?? 0, theirs.affiliateId ?? 0].map(String) as [string, string]
    expect(await asked({ offer: { not: [offers.mine.uuid] } })).toEqual([2, 1, 'click_by_offer'])
    expect(await asked({ affiliate: { is: [a, z], not: [z] } })).toEqual([3, 2, 'click_by_affiliate'])
    expect(await asked({ geo: { empty: true } })).toEqual(await asked({ geo: ['ZZ'] }))
    expect(await asked({ source: { empty: true } })).toEqual([4, 2, 'click'])
    expect(await asked({ source: { empty: false } })).toEqual([1, 0, 'click'])
    expect(await asked({ source: { contains: 'FACE', empty: true, not: ['facebook'] } })).toEqual([4, 2, 'click'])
    expect(await asked({ sub1: { not: ["'; DROP TABLE click; --", "o'clock"] } })).toEqual([4, 2, 'click'])
    expect(await asked({ manager: { not: [String(manager.managerId)] } })).toEqual([2, 0, 'click_by_affiliate'])
    expect(await asked({ manager: { empty: true } })).toEqual([2, 0, 'click_by_affiliate'])
    const named = await run(admin, { group: [], metrics: ['clicks'], filters: { offer: { not: [offers.theirs.uuid] } } })
    expect(named.filtered.offer?.map(({ label }) => label)).toEqual(['Alfa'])

    const refused = await admin.call(reportApi.run, { body: { filters: { geo: { contains: 'U' } } } })
    expect([refused.status, refused.fields]).toEqual([400, { 'filters.geo.contains': 'Only texts are searched for a part' }])
    const misspelt: object = { filters: { geo: { nto: ['UA'] } } }
    expect((await admin.call(reportApi.run, { body: misspelt })).fields).toHaveProperty(['filters.geo.nto'])
  })

  test('a filter names no landing to those who only count numbers', async () => {
    const landing = async (name: string, privacy: 'public' | 'private', offer?: number) => {
      const { id } = await api.db
        .insertInto('landing')
        .values({
          name,
          url: 'https://page.example/',
          type: 'landing',
          status: 'active',
          privacy,
          created_at: new Date(NOW),
          next_check_at: new Date(NOW),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      if (offer !== undefined)
        await api.db.insertInto('offer_landing').values({ offer_id: offer, landing_id: id, weight: 1, position: 0 }).execute()
      return String(id)
    }
    const [open, hidden, loose] = [
      await landing('Open', 'public', offers.mine.id),
      await landing('Hidden', 'private', offers.theirs.id),
      await landing('Loose', 'public'),
    ]
    const named = async (who: Caller) => {
      const { filtered } = await run(who, { group: [], metrics: ['clicks'], filters: { landing: [open, hidden, loose] } })
      return filtered.landing?.map(({ label }) => label).toSorted()
    }
    expect(await named(admin)).toEqual(['Hidden', 'Loose', 'Open'])
    expect(await named(manager)).toEqual([`Landing #${hidden}`, 'Loose', 'Open'])
    expect(await named(affiliate)).toEqual([`Landing #${hidden}`, `Landing #${loose}`, 'Open'])
    const access = { offer_id: offers.mine.id, affiliate_id: mine.affiliateId ?? 0 }
    await api.db
      .insertInto('offer_access')
      .values({ ...access, status: 'blocked' })
      .execute()
    expect(await named(affiliate)).toEqual([hidden, loose, open].map((id) => `Landing #${id}`).toSorted())
    await api.db
      .deleteFrom('offer_access')
      .where('offer_id', '=', access.offer_id)
      .where('affiliate_id', '=', access.affiliate_id)
      .execute()
  })

  test('a refused click does not tell an affiliate what a private offer is called', async () => {
    const own = await run(affiliate, { group: ['offer'], metrics: ['refused'] })
    expect(labels(own.list)).toEqual([`Offer #${offers.secret.id}`])
    expect(own.list[0]?.keys[0]?.uuid).toBeNull()
    expect(labels((await run(admin, { group: ['offer'], metrics: ['refused'] })).list)).toEqual(['Secret plan'])
  })

  test('of a hidden goal an affiliate is told the money it earned, and nothing else', async () => {
    const goal = (code: string, hidden: boolean) =>
      api.db.insertInto('goal').values({ offer_id: offers.mine.id, code, title: code, hidden }).returning('id').executeTakeFirstOrThrow()
    const [open, hidden] = [(await goal('open', false)).id, (await goal('hidden', true)).id]
    const ts = at('2026-08-03T10:00:00Z')
    const [paid, inner] = [
      { goal: open, payout: '10.0000' },
      { goal: hidden, payout: '0.0000' },
    ]
    const facts = [paid, inner, inner, { goal: hidden, payout: '3.0000' }].map((row, index) =>
      testFact({ ...row, conversion: 900 + index, ts, click_ts: ts, affiliate: mine.affiliateId ?? 0, offer: offers.mine.id }),
    )
    await storeTraffic(api.clickhouse, { facts })
    const period = { preset: 'custom' as const, from: '2026-08-03', to: '2026-08-03' }
    const asked = { period, group: ['goal' as const], metrics: ['conversions' as const, 'payout' as const] }
    const rowsFor = async (caller: Caller, more: ReportInput = {}) =>
      (await run(caller, { ...asked, ...more })).list.map(({ keys, values }) => [keys[0]?.id, values.conversions, values.payout])
    expect(await rowsFor(affiliate)).toEqual([
      ['0', 1, '3.0000'],
      [String(open), 1, '10.0000'],
    ])
    expect(await rowsFor(admin)).toEqual([
      [String(hidden), 3, '3.0000'],
      [String(open), 1, '10.0000'],
    ])
    expect(await rowsFor(affiliate, { filters: { goal: [String(hidden)] } })).toEqual([])
    expect(await rowsFor(affiliate, { search: 'hidden' })).toEqual([])
  })
})

describe('time', () => {
  test('a day is the day of the zone asked for', async () => {
    const kyiv = await run(affiliate, { period: { preset: 'today' }, group: ['day'], metrics: ['clicks'] })
    expect(kyiv).toMatchObject({
      period: { from: '2026-11-20T22:00:00.000Z', to: '2026-11-21T22:00:00.000Z' },
      list: [{ keys: [{ id: '2026-11-21' }], values: { clicks: 3 } }],
    })
    const utc = await run(affiliate, { period: { preset: 'today' }, zone: 'UTC', group: ['day'], metrics: ['clicks'] })
    expect(utc.list[0]?.values.clicks).toBe(2)
  })

  test('a day that is not over is compared with the same hours of the day before', async () => {
    const day = await run(affiliate, { period: { preset: 'today' }, group: ['day'], metrics: ['clicks', 'cr'], compare: 'previous' })
    expect(day.previous).toEqual({ from: '2026-11-19T22:00:00.000Z', to: '2026-11-20T10:00:00.000Z' })
    expect(day.list[0]).toMatchObject({ values: { clicks: 3 }, previous: { clicks: 1, cr: 0 } })
    expect(day.summary.previous).toEqual({ clicks: 1, cr: 0 })
    const week = await run(affiliate, {
      period: { preset: 'custom', from: '2026-11-20', to: '2026-11-20' },
      group: ['offer'],
      metrics: ['clicks'],
      compare: 'previous',
    })
    expect(week.list[0]).toMatchObject({ values: { clicks: 2 }, previous: { clicks: 0 } })
  })

  test('days are compared with others of one’s choice one by one, and those without one with nothing', async () => {
    const body = {
      zone: 'Europe/Kyiv',
      period: { preset: 'custom', from: '2026-11-19', to: '2026-11-20' },
      group: ['day'],
      metrics: ['clicks'],
      compare: 'custom',
      compare_days: { from: '2026-11-21', to: '2026-11-21' },
    } satisfies ReportInput
    const { list, previous } = await run(affiliate, { ...body, period: { ...body.period, from: '2026-11-20', to: '2026-11-21' } })
    expect(previous).toEqual({ from: '2026-11-20T22:00:00.000Z', to: '2026-11-21T22:00:00.000Z' })
    expect(list.map((row) => [row.keys[0]?.id, row.previous_keys, row.previous])).toEqual([
      ['2026-11-20', ['2026-11-21'], { clicks: 3 }],
      ['2026-11-21', null, null],
    ])
    const { data } = await affiliate.call(reportApi.series, { body })
    expect(data.previous_steps).toEqual(['2026-11-20T22:00:00.000Z'])
    expect(data.lines[0]).toMatchObject({ points: { clicks: [0, 2] }, previous: { clicks: [3] } })
    const many = { ...body, period: { preset: 'today' }, compare_days: { from: '2022-11-20', to: '2026-11-20' } } satisfies ReportInput
    expect((await affiliate.call(reportApi.series, { body: many })).data).toMatchObject({
      previous: { from: '2022-11-19T22:00:00.000Z', to: '2026-11-20T22:00:00.000Z' },
      previous_steps: { length: 13 },
    })
    const refused = async (changed: Partial<ReportInput>) => affiliate.call(reportApi.run, { body: { ...body, ...changed } })
    expect(await refused({ group: ['hour'], compare_days: { from: '2026-01-01', to: '2026-06-01' } })).toMatchObject({
      status: 422,
      fields: { compare_days: 'Choose a shorter period' },
    })
    expect(await refused({ compare_days: null })).toMatchObject({ status: 400, fields: { compare_days: 'Choose both days' } })
    expect(await refused({ compare_days: { from: '2026-06-01', to: '2026-01-01' } })).toMatchObject({ status: 400 })
  })

  test('a conversion counts at its own time, or at the time of its click', async () => {
    const body: ReportInput = { period: { preset: 'last_7_days' }, group: ['day'], metrics: ['declined'] }
    expect((await run(admin, { ...body, time: 'conversion' })).list.map((row) => row.keys[0]?.id)).toEqual(['2026-11-21'])
    expect((await run(admin, { ...body, time: 'click' })).list.map((row) => row.keys[0]?.id)).toEqual(['2026-11-20'])
  })

  test('a chart has every step, also those without figures, and none that has not begun', async () => {
    const { data } = await affiliate.call(reportApi.series, {
      body: {
        zone: 'Europe/Kyiv',
        period: { preset: 'last_7_days' },
        group: ['offer'],
        metrics: ['clicks', 'payout'],
        currency: 'USD',
        compare: 'previous',
      },
    })
    expect(data.grain).toBe('day')
    expect(data.steps).toHaveLength(7)
    expect(data.lines[0]).toMatchObject({
      key: null,
      points: { clicks: [0, 0, 0, 0, 0, 2, 3] },
      previous: { clicks: [0, 0, 0, 0, 0, 0, 0] },
    })
    expect(data.lines.slice(1).map((line) => [line.key?.label, line.points.clicks?.at(-1)])).toEqual([
      ['Beta 100%', 2],
      ['Alfa', 1],
    ])
    const hours = await affiliate.call(reportApi.series, { body: { zone: 'Europe/Kyiv', period: { preset: 'today' }, group: ['day'] } })
    expect(hours.data).toMatchObject({ grain: 'hour' })
    expect(hours.data.steps.at(-1)).toBe('2026-11-21T10:00:00.000Z')
  })

  test('a chart says whether its last step is still running', async () => {
    const unfinished = async (period: ReportInput['period'], group: ReportInput['group']) =>
      (await affiliate.call(reportApi.series, { body: { zone: 'Europe/Kyiv', period, group } })).data.unfinished
    expect(await unfinished({ preset: 'last_7_days' }, ['day'])).toBe(true)
    expect(await unfinished({ preset: 'last_7_days' }, ['month'])).toBe(true)
    expect(await unfinished({ preset: 'today' }, ['hour'])).toBe(true)
    expect(await unfinished({ preset: 'yesterday' }, ['hour'])).toBe(false)
    expect(await unfinished({ preset: 'last_week' }, ['day'])).toBe(false)
  })

  test('what the five largest leave of everything is a part of its own, of figures that are sums', async () => {
    const on = (day: string, source: string, visitor: number) =>
      testClick({ ts: at(`${day}T10:00:00Z`), affiliate: 900, source, visitor, rnd: 5_000 + visitor })
    const sources = ['a', 'b', 'c', 'd', 'e'].flatMap((source) => [source, source])
    await storeTraffic(api.clickhouse, {
      clicks: ['2026-08-10', '2026-08-11'].flatMap((day, nth) =>
        [...sources, 'f', ...(nth === 0 ? [] : ['g'])].map((source, index) => on(day, source, 100 * nth + index)),
      ),
      facts: [
        testFact({ ts: at('2026-08-11T10:00:00Z'), affiliate: 900, conversion: 501, source: 'a', payout: '1.0001', revenue: '2.0000' }),
        testFact({ ts: at('2026-08-11T10:00:00Z'), affiliate: 900, conversion: 502, source: 'g', payout: '0.2003', revenue: '0.1000' }),
      ],
    })
    const series = async (body: Pick<ReportInput, 'group' | 'period' | 'compare'>) =>
      (
        await admin.call(reportApi.series, {
          body: {
            period: { preset: 'custom', from: '2026-08-10', to: '2026-08-11' },
            metrics: ['clicks', 'uniques', 'payout', 'profit', 'cr'],
            currency: 'USD',
            filters: { affiliate: ['900'] },
            ...body,
            group: ['day', ...(body.group ?? [])],
          },
        })
      ).data
    const { lines, others } = await series({ group: ['source'] })
    expect(lines).toHaveLength(6)
    expect(others).toEqual({ points: { clicks: [1, 2], payout: ['0.0000', '0.2003'], profit: ['0.0000', '-0.1003'] }, previous: null })
    const after = { preset: 'custom', from: '2026-08-12', to: '2026-08-13' } as const
    expect((await series({ group: ['source'], period: after, compare: 'previous' })).others).toBeNull()
    const compared = await series({
      group: ['source'],
      period: { preset: 'custom', from: '2026-08-11', to: '2026-08-11' },
      compare: 'previous',
    })
    expect(compared.others?.previous?.clicks?.reduce<number>((sum, value) => sum + Number(value), 0)).toBe(1)
    expect((await series({ group: ['geo'] })).others).toBeNull()
    expect((await series({ group: [] })).others).toBeNull()
  })

  test('a period too long is told apart from one without figures', async () => {
    const long = await admin.call(reportApi.run, {
      body: { period: { preset: 'custom', from: '2026-01-01', to: '2026-06-01' }, group: ['hour'] },
    })
    expect(long).toMatchObject({ status: 422, errors: { 1017: 'The period is too long for this grouping. Choose a shorter one.' } })
    const empty = await run(admin, { period: { preset: 'custom', from: '2020-01-01', to: '2020-06-01' }, group: ['day'] })
    expect(empty).toMatchObject({ list: [], summary: { rows: 0, totals: { clicks: 0, payout: '0.0000' } } })
    const reversed = await admin.call(reportApi.run, { body: { period: { preset: 'custom', from: '2026-06-01', to: '2026-01-01' } } })
    expect(reversed).toMatchObject({ status: 400, fields: { 'period.to': 'The last day lies before the first' } })
  })
})

describe('money', () => {
  test('a sum with an amount without a rate is unsaid, and the day is named; one older than seven days is none', async () => {
    const body: ReportInput = { period: { preset: 'today' }, group: ['offer'], metrics: ['payout', 'hold_payout'], currency: 'USD' }
    const rated = (day: string) => api.db.insertInto('currency_rate').values({ base: 'USD', currency: 'PLN', day, rate: '0.25' }).execute()
    await rated('2026-11-14')
    const missing = await run(admin, body)
    expect(missing).toMatchObject({
      rates_missing: [{ currency: 'PLN', days: ['2026-11-21'], count: 1 }],
      summary: { totals: { payout: null, hold_payout: null } },
      total: { payout: null },
    })
    // the rows it does not concern are said, and come first whichever way they are sorted
    expect(missing.list.map(({ values }) => values.payout)).toEqual(['10.0000', null])
    const counts = { ...body, metrics: ['conversions' as const] }
    expect(await run(admin, counts)).toMatchObject({ rates_missing: [], summary: { totals: { conversions: 2 } } })
    await rated('2026-11-15')
    expect(await run(admin, body)).toMatchObject({ rates_missing: [], summary: { totals: { payout: '20.0000', hold_payout: '10.0000' } } })
    expect((await run(admin, { ...body, currency: 'PLN' })).summary.totals).toEqual({ payout: '80.0000', hold_payout: '40.0000' })
  })

  test('the largest amount there may be is exact at the largest rates', async () => {
    const largest = '999999999999999.99999999'
    await storeTraffic(api.clickhouse, {
      facts: [testFact({ ts: Date.parse('2026-03-02T10:00:00Z'), conversion: 90, currency: 'JPY', payout: largest, revenue: largest })],
    })
    const rates = [
      { currency: 'JPY', rate: '999999999.99999999' },
      { currency: 'KWD', rate: '0.00000001' },
    ] as const
    await api.db
      .insertInto('currency_rate')
      .values(rates.map((rate) => ({ base: 'USD' as const, day: '2026-03-01', ...rate })))
      .execute()
    const inCurrency = async (currency: Currency) =>
      (
        await run(admin, {
          period: { preset: 'custom', from: '2026-03-02', to: '2026-03-02' },
          group: ['day'],
          metrics: ['payout'],
          currency,
        })
      ).summary.totals
    expect(await inCurrency('USD')).toEqual({ payout: '999999999999999989999990.0000' })
    expect(await inCurrency('KWD')).toEqual({ payout: '99999999999999998999999000000000.00000001' })
  })

  test('each currency apart has a row of its own, and no sum across them', async () => {
    const data = await run(admin, {
      period: { preset: 'today' },
      group: ['day'],
      metrics: ['clicks', 'payout'],
      currency: 'each',
      compare: 'previous',
    })
    expect(data.list.map((row) => [row.keys.map((key) => key.id), row.values])).toEqual([
      [['2026-11-21', 'PLN'], { clicks: 2, payout: '40.0000' }],
      [['2026-11-21', 'USD'], { clicks: 3, payout: '10.0000' }],
    ])
    expect(data.summary.totals).toEqual({ clicks: 5, payout: null })
    expect(data.total).toEqual({ clicks: 5 })
  })

  test('what is divided by nothing is unsaid', async () => {
    const { summary } = await run(admin, {
      period: { preset: 'custom', from: '2020-01-01', to: '2020-01-01' },
      group: ['day'],
      metrics: ['cr', 'approval', 'epc', 'margin', 'time_to_conversion'],
    })
    expect(summary.totals).toEqual({ cr: null, approval: null, epc: null, margin: null, time_to_conversion: null })
  })
})

test('the states of a report add up to the list, and the money of pending conversions is apart until it is asked for', async () => {
  const states = ['approved', 'hold', 'pending', 'declined', 'trash'] as const
  const ts = at('2026-07-05T10:00:00Z')
  const facts = states.map((status, index) =>
    testFact({ status, conversion: 950 + index, ts, click_ts: ts, affiliate: mine.affiliateId ?? 0, payout: '2.0000', revenue: '3.0000' }),
  )
  await storeTraffic(api.clickhouse, { facts, clicks: [testClick({ ts, rnd: 951, affiliate: mine.affiliateId ?? 0 })] })
  const period = { preset: 'custom' as const, from: '2026-07-05', to: '2026-07-05' }
  const asked = { period, group: [], metrics: [...states, 'conversions' as const] }
  const { totals } = (await run(admin, asked)).summary
  expect(totals).toEqual({ conversions: 3, approved: 1, hold: 1, pending: 1, declined: 1, trash: 1 })
  const money = ['payout', 'pending_payout', 'revenue', 'pending_revenue', 'profit', 'epc'] as const
  const moneyOf = async (pending: boolean) => (await run(admin, { ...asked, metrics: [...money], pending })).summary.totals
  const apart = { pending_payout: '2.0000', pending_revenue: '3.0000' }
  expect(await moneyOf(false)).toEqual({ ...apart, payout: '4.0000', revenue: '6.0000', profit: '2.0000', epc: '4.0000' })
  expect(await moneyOf(true)).toEqual({ ...apart, payout: '6.0000', revenue: '9.0000', profit: '3.0000', epc: '6.0000' })
})

describe('order, search and pages', () => {
  test('offers are ordered by name, and pages past the end still tell the totals', async () => {
    const body: ReportInput = {
      period: { preset: 'today' },
      group: ['offer'],
      metrics: ['clicks'],
      sort: 'offer',
      direction: 'asc',
      count: 1,
    }
    expect(labels((await run(admin, body)).list)).toEqual(['Alfa'])
    expect(labels((await run(admin, { ...body, page: 2 })).list)).toEqual(['Beta 100%'])
    expect(await run(admin, { ...body, page: 9 })).toMatchObject({ list: [], summary: { rows: 2, totals: { clicks: 5 } } })
  })

  test('hostile texts in search, filters and order are values, never statements', async () => {
    for (const text of ["o'clock", "'; DROP TABLE click; --", '\\', '{p0:UInt32}', '%', '100%', '\u0000', '`', '🦊', "') OR 1=1 --"]) {
      const found = await run(affiliate, {
        period: { preset: 'today' },
        group: ['sub1'],
        metrics: ['clicks'],
        filters: { sub1: { is: [text], contains: text }, source: { is: [text] } },
      })
      expect(found.list).toEqual([])
      await run(affiliate, { group: ['sub1', 'offer', 'geo'], metrics: ['clicks'], search: text.replace('\u0000', '') })
    }
    const exact = await run(affiliate, {
      period: { preset: 'today' },
      group: ['sub1'],
      metrics: ['clicks'],
      filters: { sub1: { contains: "O'CL" } },
    })
    expect(exact.list.map((row) => [row.keys[0]?.id, row.values.clicks])).toEqual([["o'clock", 1]])
    for (const sort of ['clicks; drop table click', 'k0', 'payout desc, (select 1)']) {
      const answer = await admin.call(reportApi.run, { body: { sort: sort as 'clicks' } }) // what a browser may send all the same
      expect(answer.status).toBe(400)
    }
    expect((await admin.call(reportApi.run, { body: { group: ['day'], sort: 'geo' } })).fields).toEqual({
      sort: 'Sort by a column of the report',
    })
    expect((await run(admin, { period: { preset: 'today' }, group: [], metrics: ['clicks'] })).summary.totals.clicks).toBe(5)
  })
})

describe('raw clicks', () => {
  test('are listed newest first with kind and reason; bots and tests only when asked for', async () => {
    const { data } = await affiliate.call(clickApi.list, { body: { zone: 'Europe/Kyiv', period: { preset: 'today' } } })
    expect(data.list.map((row) => [row.at.slice(11, 16), row.kind, row.reason])).toEqual([
      ['09:20', 'refused', 'no_access'],
      ['08:30', 'counted', ''],
      ['08:00', 'counted', ''],
      ['22:30', 'counted', ''],
    ])
    expect(data.summary).toEqual({ rows: 4, totals: { counted: 3, refused: 1, filtered: 0, test: 0, uniques: 3 } })
    const all = await affiliate.call(clickApi.list, {
      body: { zone: 'Europe/Kyiv', period: { preset: 'today' }, kinds: ['filtered', 'test'] },
    })
    expect(all.data.list.map((row) => [row.kind, row.flags])).toEqual([
      ['test', ['test']],
      ['filtered', ['bot']],
    ])
  })

  test('an affiliate sees the network of an address, never the address, nor the advertiser', async () => {
    const { data } = await affiliate.call(clickApi.list, { body: { zone: 'Europe/Kyiv', period: { preset: 'today' } } })
    expect(data.list.map((row) => row.ip)).toEqual(['192.0.2.0', '2001:db8:1::', '203.0.113.0', '192.0.2.0'])
    expect(data.list[0]).not.toHaveProperty('advertiser')
    expect(data.list[0]).not.toHaveProperty('affiliate')
    const staff = await admin.call(clickApi.list, {
      body: { zone: 'Europe/Kyiv', period: { preset: 'today' }, filters: { source: { is: ['facebook'] } } },
    })
    expect(staff.data.list).toMatchObject([
      { ip: '203.0.113.77', affiliate: { label: 'Alpha' }, advertiser: { label: 'Own advertiser' }, offer: { label: 'Beta 100%' } },
    ])
  })

  test('are sorted by any column over the whole result, page by page, names as people read them', async () => {
    const body = { zone: 'Europe/Kyiv', period: { preset: 'last_7_days' as const } }
    const sorted = async (caller: Caller, sort: (typeof CLICK_SORTS)[number], page = 1) =>
      caller.call(clickApi.list, { body: { ...body, sort, direction: 'asc', count: 3, page } })
    for (const sort of ['at', 'source', 'offer'] as const) {
      const pages = await Promise.all([1, 2, 3].map((page) => sorted(admin, sort, page)))
      const rows = pages.flatMap(({ data }) => data.list)
      expect([sort, rows.length, pages[0]?.data.after]).toEqual([sort, pages[0]?.data.summary.rows, null])
      expect(new Set(rows.map((row) => row.at)).size).toBe(rows.length)
      const values = rows.map((row) => (sort === 'offer' ? row.offer.label : row[sort]))
      expect(values).toEqual(values.toSorted())
    }
    const others = ['kind', 'geo', 'language', 'landing', 'affiliate', 'advertiser'] as const
    const statuses = await Promise.all(others.map(async (sort) => (await sorted(affiliate, sort)).status))
    expect(statuses).toEqual([200, 200, 200, 200, 403, 403])
  })

  test('pages by cursor neither skip nor repeat, also when clicks come in between', async () => {
    const body = { zone: 'Europe/Kyiv', period: { preset: 'last_7_days' as const }, count: 2 }
    const seen: string[] = []
    let page = (await admin.call(clickApi.list, { body })).data
    const rows = page.summary.rows
    await storeTraffic(api.clickhouse, {
      clicks: [
        {
          ...testClick({ ts: at('2026-11-21T10:00:01Z'), rnd: 99, affiliate: mine.affiliateId ?? 0, reason: 'no_access' }),
          ad_id: 'Cj0Kq',
        },
      ],
    })
    for (;;) {
      seen.push(...page.list.map((row) => row.at))
      if (page.after === null) break
      page = (await admin.call(clickApi.list, { body: { ...body, after: page.after, until: page.until } })).data
      expect(page.summary.rows).toBe(rows)
    }
    // by what an ad network calls it, whole
    const named = async (search: string) =>
      (await admin.call(clickApi.list, { body: { ...body, search, until: '2026-11-21T10:01:00.000Z' } })).data.list.map((row) => row.ad_id)
    expect([await named('Cj0Kq'), await named('Cj0')]).toEqual([['Cj0Kq'], []])
    expect(seen).toHaveLength(rows)
    expect(seen).toEqual(seen.toSorted().toReversed())
    expect(new Set(seen).size).toBe(8)
    expect((await admin.call(clickApi.list, { body: { after: '1; drop' } })).status).toBe(400)
  })
})

describe('lists of what has traffic', () => {
  const body = { figures: true, count: 100 }
  const reported = async (caller: Caller, group: 'offer' | 'affiliate' | 'advertiser' | 'manager') => {
    const metrics = ['clicks', 'conversions', 'cr', 'epc', 'payout', 'revenue'] as const
    return run(caller, { group: [group], metrics: [...metrics], period: { preset: 'last_30_days' }, zone: null, count: 100 })
  }

  test.each([
    ['offer', offerApi.list],
    ['affiliate', affiliateApi.list],
    ['advertiser', advertiserApi.list],
    ['manager', managerApi.list],
  ] as const)('tell of each %s and of the whole result what the report of 30 days tells', async (group, list) => {
    const [{ list: rows, total }, { data }] = await Promise.all([reported(admin, group), admin.call(list, { body })])
    const known = new Map(rows.map(({ keys, values }) => [keys[0]?.id, values]))
    for (const { id, figures } of data.list) {
      const { clicks = 0, conversions = 0, cr = null, epc = null, payout = '0.0000', revenue = '0.0000' } = known.get(String(id)) ?? {}
      expect(figures).toMatchObject({ clicks, conversions, cr, epc, total_payout: payout, total_revenue: revenue, currency: 'USD' })
      expect(figures?.last_at === null).toBe(!known.has(String(id)))
    }
    if (group !== 'manager') expect(data.summary.totals?.clicks).toBe(total.clicks)
  })

  test('are sorted by any of the figures over the whole result, page by page, and narrowed as ever', async () => {
    for (const sort of ['epc', 'total_revenue', 'last_at'] as const) {
      const sorted = async (page: number) =>
        (await admin.call(affiliateApi.list, { body: { figures: true, sort, direction: 'asc', count: 1, page } })).data
      const { summary, list } = await sorted(1)
      const rows = [...list, ...(await sorted(2)).list]
      expect(rows.map(({ uuid }) => uuid)).toHaveLength(2)
      const values = rows.map(({ figures }) => figures?.[sort] ?? null).filter((value) => value !== null)
      expect(values).toEqual(values.toSorted((a, b) => Number(a) - Number(b) || String(a).localeCompare(String(b))))
      expect(summary.rows).toBeGreaterThan(1)
    }
    const found = (await admin.call(offerApi.list, { body: { search: 'Beta', sort: 'clicks' } })).data
    expect(found.list.map(({ id, figures }) => [id, figures?.clicks])).toEqual([[offers.mine.id, found.summary.totals?.clicks]])
    expect((await admin.call(offerApi.list, { body: { search: 'Beta' } })).data.list[0]?.figures).toBeNull()
  })

  test('count for a manager the traffic of their own partners only', async () => {
    const [{ list: rows }, { data }] = await Promise.all([reported(manager, 'offer'), manager.call(offerApi.list, { body })])
    const clicks = (id: number) => data.list.find((row) => row.id === id)?.figures?.clicks
    expect(rows.map(({ keys, values }) => [Number(keys[0]?.id), values.clicks])).toEqual(
      rows.map(({ keys }) => [Number(keys[0]?.id), clicks(Number(keys[0]?.id))]),
    )
    expect(clicks(offers.theirs.id)).toBe(1)
    expect(await affiliate.call(offerApi.list, { body })).toMatchObject({ status: 403 })
  })
})

test('when ClickHouse cannot be asked the answer says so, and everything else goes on', async () => {
  const alone = await startApi({ at: NOW })
  try {
    const caller = await alone.as('admin')
    await makeAccount(alone.db, 'affiliate', { name: 'Alpha' })
    const listed = await caller.call(affiliateApi.list, { body: { sort: 'epc' } })
    expect(listed.data).toMatchObject({ list: [{ name: 'Alpha', figures: null }], summary: { rows: 1 } })
    const answer = await caller.call(reportApi.run, { body: {} })
    expect(answer).toMatchObject({
      status: 503,
      errors: { 1018: 'Statistics cannot be reached at the moment. Nothing is lost; please try again.' },
    })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect((await caller.call(reportApi.options)).status).toBe(200)
  } finally {
    await alone.close()
  }
})

test('four groupings are the most, and a row has a key for each', async () => {
  const four = ['offer', 'geo', 'os', 'source'] as const
  const { list } = await run(admin, { group: [...four], metrics: ['clicks'], currency: 'each' })
  expect(list.map(({ keys }) => keys.length)).toEqual(list.map(() => 5))
  expect(list.length).toBeGreaterThan(0)
  expect(await admin.call(reportApi.run, { body: { group: [...four, 'sub1'] } })).toMatchObject({
    status: 400,
    fields: { group: expect.any(String) },
  })
})

test('groupings that clicks and conversions have not in common are refused in words', async () => {
  const admin = await api.as('admin')
  const answer = await admin.call(reportApi.run, { body: { group: ['reason', 'goal'] } })
  expect(answer).toMatchObject({ status: 400, fields: { group: expect.stringContaining('choose one of them') } })
})
