import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DIMENSION_IDS, dimensionOf, type DimensionId } from '#contract/traffic/dimension.ts'
import { isOfLeads, METRIC_IDS, metricOf, METRICS, type MetricId } from '#contract/traffic/metric.ts'
import { toUnits, UNITS } from '#contract/money/amount.ts'
import { CLICK_KINDS, clickApi } from '#contract/traffic/click.ts'
import { generalSetting } from '#contract/network/setting.ts'
import { haveSideInCommon, reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { storeTraffic, testClick, testFact, type TestClick, type TestFact } from '#test/support/make/traffic.ts'

/**
 * Reports against a recount of the raw rows by plain code that shares nothing with the engine: random groupings, scopes,
 * zones, ranges and filters, over two weeks in which Kyiv's clock goes back (25 October 2026) and days have 25 hours.
 */
const DAY = 86_400_000
const FIRST = Date.parse('2026-10-18T00:00:00Z')
const DAYS = 16
const NOW = Date.parse('2026-11-02T09:20:00Z')
const ZONES = ['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'America/New_York', 'Australia/Lord_Howe']
/** Whose days decide about rates. */
const NETWORK_ZONE = 'Europe/Kyiv'
/** Tenths of a USD for 1 EUR, in force for seven days: on the 20th and 21st of October there is none. */
const RATES: Readonly<Record<string, bigint>> = { '2026-10-13': 11n, '2026-10-22': 12n, '2026-10-26': 13n }
function rateOf(ms: number): bigint | undefined {
  const day = local(ms, NETWORK_ZONE).toPlainDate()
  for (let age = 0; age < 7; age++) {
    const rate = RATES[day.subtract({ days: age }).toString()]
    if (rate !== undefined) return rate
  }
  return undefined
}
const RUNS = Number(process.env['RECOUNT_RUNS'] ?? (process.env['TORTURE'] ? 40 : 12))

let api: TestApi
let clicks: TestClick[]
let facts: TestFact[]
const offers: { id: number; uuid: string; advertiser: number; currency: 'USD' | 'EUR'; title: string }[] = []
const affiliates: { id: number; uuid: string; manager: number | null }[] = []
const advertisers: { id: number; manager: number | null }[] = []
let callers: { name: string; caller: Caller; sees: (row: { affiliate: number; advertiser: number }) => boolean }[]

beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: new Date(NOW).toISOString() })
  const [admin, lead] = await Promise.all([api.as('admin'), api.as('team lead')])
  const manager = await api.as('manager', { teamLeadId: lead.managerId })
  const other = await api.as('manager')
  const owners = [manager.managerId, manager.managerId, other.managerId, lead.managerId, null]
  for (const owner of owners) {
    const account = await makeAccount(api.db, 'affiliate', { managerId: owner })
    affiliates.push({ id: account.affiliateId ?? 0, uuid: account.uuid, manager: owner })
  }
  const own = await api.as('affiliate', { managerId: manager.managerId })
  affiliates.push({ id: own.affiliateId ?? 0, uuid: own.uuid, manager: manager.managerId })
  for (const owner of [manager.managerId, other.managerId, null])
    advertisers.push({ id: (await makeAdvertiser(api.db, { managerId: owner })).id, manager: owner })
  for (const [index, currency] of (['USD', 'EUR', 'USD', 'EUR', 'USD'] as const).entries()) {
    const advertiser = advertisers[index % advertisers.length]!.id // there are three
    const title = `Offer ${'edcba'[index]}`
    const made = await api.db
      .insertInto('offer')
      .values({ type: 'direct', title, status: 'active', privacy: 'public', advertiser_id: advertiser, currency })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    offers.push({ ...made, advertiser, currency, title })
  }
  await api.db
    .insertInto('currency_rate')
    .values(Object.entries(RATES).map(([day, tenths]) => ({ base: 'USD', currency: 'EUR', day, rate: String(Number(tenths) / 10) })))
    .execute()
  await api.db
    .insertInto('setting')
    .values({ key: generalSetting.key, value: JSON.stringify({ time_zone: NETWORK_ZONE }) })
    .execute()
  ;({ clicks, facts } = traffic())
  await storeTraffic(api.clickhouse, { clicks, facts })

  const owned = (ids: readonly (number | null)[]) => (row: { affiliate: number; advertiser: number }) =>
    ids.includes(affiliates.find((one) => one.id === row.affiliate)?.manager ?? -1) ||
    ids.includes(advertisers.find((one) => one.id === row.advertiser)?.manager ?? -1)
  callers = [
    { name: 'admin', caller: admin, sees: () => true },
    { name: 'manager', caller: manager, sees: owned([manager.managerId]) },
    { name: 'team lead', caller: lead, sees: owned([lead.managerId, manager.managerId]) },
    { name: 'affiliate', caller: own, sees: (row) => row.affiliate === own.affiliateId },
  ]
})
afterAll(() => api.close())

const GROUPS: DimensionId[] = [
  'hour',
  'day',
  'week',
  'month',
  'weekday',
  'offer',
  'affiliate',
  'advertiser',
  'manager',
  'landing',
  'prelanding',
  'geo',
  'device',
  'os',
  'browser',
  'language',
  'currency',
  'goal',
  'source',
  'sub1',
  'sub2',
  'reason',
]
const STAFF_ONLY = new Set<string>(['affiliate', 'advertiser', 'manager'])
/** Of clicks and conversions; there are no leads here. */
const COUNTED = METRIC_IDS.filter((metric) => !isOfLeads(metric))

const question = fc.record({
  caller: fc.nat(3),
  group: fc
    .subarray(GROUPS, { maxLength: 4 })
    .filter(haveSideInCommon)
    .chain((chosen) => fc.shuffledSubarray(chosen, { minLength: chosen.length })),
  zone: fc.constantFrom(...ZONES),
  from: fc.nat(DAYS - 1),
  length: fc.integer({ min: 1, max: 9 }),
  time: fc.constantFrom('conversion' as const, 'click' as const),
  currency: fc.constantFrom('USD' as const, 'EUR' as const),
  pending: fc.boolean(),
  offer: fc.option(fc.nat(4), { freq: 3 }),
  affiliate: fc.option(fc.nat(5), { freq: 4 }),
  geo: fc.option(fc.constantFrom('UA', 'PL'), { freq: 4 }),
  source: fc.option(fc.constantFrom('FACE', 'oo'), { freq: 4 }),
  /** null = all there are. */
  metrics: fc.option(fc.shuffledSubarray(COUNTED, { minLength: 1, maxLength: 4 }), { freq: 3 }),
})

test('a report equals a recount of the raw rows, whoever asks, however grouped, in whatever zone', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      const { caller, name, sees } = callers[asked.caller]! // there are four
      const group = asked.group.filter((dimension) => name !== 'affiliate' || !STAFF_ONLY.has(dimension))
      const told = (asked.metrics ?? COUNTED).filter((metric) => name !== 'affiliate' || !('permission' in METRICS[metric]))
      const metrics: MetricId[] = told.length > 0 ? told : ['clicks']
      const from = dayText(FIRST + asked.from * DAY)
      const to = dayText(FIRST + (asked.from + asked.length - 1) * DAY)
      const offer = asked.offer === null ? null : offers[asked.offer]!
      const affiliate = asked.affiliate === null || name === 'affiliate' ? null : affiliates[asked.affiliate]!
      // a manager asking for a stranger by uuid asks for nobody
      const known =
        affiliate === null || name === 'admin' || (name === 'manager' ? [0, 1, 5] : [0, 1, 3, 5]).includes(affiliates.indexOf(affiliate))
      const body: ReportInput = {
        period: { preset: 'custom', from, to },
        zone: asked.zone,
        time: asked.time,
        currency: asked.currency,
        pending: asked.pending,
        group,
        metrics,
        count: 100,
        filters: {
          offer: offer === null ? [] : [offer.uuid],
          affiliate: affiliate === null ? [] : [affiliate.uuid],
          geo: asked.geo === null ? [] : [asked.geo],
          source: { contains: asked.source ?? '' },
        },
      }
      const keep = (row: TestClick | TestFact) =>
        sees(row) &&
        (offer === null || row.offer === offer.id) &&
        (affiliate === null || (known && row.affiliate === affiliate.id)) &&
        (asked.geo === null || row.geo === asked.geo) &&
        (asked.source === null || row.source.toLowerCase().includes(asked.source.toLowerCase()))
      const expected = recount({
        group,
        zone: asked.zone,
        from,
        to,
        time: asked.time,
        currency: asked.currency,
        pending: asked.pending,
        keep,
        metrics,
      })

      const got = new Map<string, Record<string, unknown>>()
      for (let page = 1, more = true; more; page++) {
        const answer = await caller.call(reportApi.run, { body: { ...body, page } })
        expect(answer.status, JSON.stringify(answer.errors)).toBe(200)
        for (const row of answer.data.list) {
          const key = row.keys.map((one) => one.id).join(' | ')
          expect(got.has(key), `${key} came twice`).toBe(false)
          got.set(key, row.values)
        }
        if (page === 1) {
          expect(answer.data.summary.rows).toBe(group.length === 0 ? 1 : expected.rows.size)
          expect(answer.data.summary.totals).toEqual(expected.total)
        }
        more = answer.data.list.length === 100
      }
      expect(Object.fromEntries(got)).toEqual(Object.fromEntries(expected.rows))
    }),
    {
      numRuns: RUNS,
      examples: [
        [
          {
            caller: 0,
            group: ['hour'],
            zone: 'Europe/Kyiv',
            from: 7,
            length: 1,
            time: 'conversion',
            currency: 'USD',
            pending: true,
            offer: null,
            affiliate: null,
            geo: null,
            source: null,
            metrics: null,
          },
        ],
      ],
    },
  )
})

/** One figure of each side, and one of two. */
const LONELY: readonly MetricId[] = ['clicks', 'payout', 'leads', 'cr']
const EVERYTHING = { period: { preset: 'custom', from: '2026-10-18', to: '2026-11-02' }, zone: 'UTC' } as const
const ONE_SIDED = DIMENSION_IDS.filter((id) => dimensionOf(id).side !== undefined)

test('by whatever is grouped one figure alone is answered', { timeout: 300_000 }, async () => {
  const { caller } = callers[0]!
  for (const dimension of DIMENSION_IDS.filter((id) => !ONE_SIDED.includes(id)))
    for (const metric of ['clicks', 'leads'] as const) {
      const { status, data } = await caller.call(reportApi.run, { body: { ...EVERYTHING, group: [dimension], metrics: [metric] } })
      expect([status, data.summary?.totals[metric] !== null], `${dimension}, ${metric}`).toEqual([200, true])
    }
})

test.each(ONE_SIDED)('by %s a figure of other rows is not known, wherever it is asked for', { timeout: 300_000 }, async (dimension) => {
  const { side, permission } = dimensionOf(dimension)
  for (const { name, caller } of permission === undefined ? [callers[0]!, callers[3]!] : [callers[0]!]) {
    for (const metric of LONELY) {
      const body = { ...EVERYTHING, compare: 'previous' as const, group: [dimension], metrics: [metric] }
      const [run, series] = [await caller.call(reportApi.run, { body }), await caller.call(reportApi.series, { body })]
      expect([run.status, series.status], `${metric} as ${name}`).toEqual([200, 200])
      if (metricOf(metric).sides.every((one) => one === side)) continue
      const { list, summary } = run.data
      for (const values of [...list.map((row) => row.values), summary.totals, summary.previous]) expect(values).toEqual({ [metric]: null })
      // what belongs to the grouping is shown all the same, and the course of everything without parts of it
      const keys = list.map(({ keys: [key] }) => key?.id).toSorted()
      if (side === 'conversion') expect(keys).toEqual(['1', '2'])
      if (side === 'click') expect(keys).toEqual(['no_access', 'targeting_geo'])
      expect(series.data.lines.map(({ key }) => key)).toEqual([null])
    }
  }
})

test('what neither clicks, conversions nor leads know together is no row', async () => {
  const { caller } = callers[0]!
  const body = { ...EVERYTHING, group: ['goal' as const], metrics: ['clicks' as const, 'payout' as const], filters: { product: ['1'] } }
  const { status, data } = await caller.call(reportApi.run, { body })
  expect(status).toBe(200)
  expect([data.list, data.summary.totals]).toEqual([[], { clicks: null, payout: null }])
  const alone = await caller.call(reportApi.run, { body: { ...body, group: [], metrics: ['clicks'] } })
  expect([alone.status, alone.data.summary.totals]).toEqual([200, { clicks: null }])
  expect((await caller.call(reportApi.series, { body })).status).toBe(200)
})

test('the period before is counted over the same rows', async () => {
  const { caller } = callers[0]!
  const period = { preset: 'custom' as const, from: '2026-10-26', to: '2026-11-02' }
  const asked: ReportInput = { period, zone: 'UTC', group: ['reason'], metrics: ['clicks', 'refused', 'filtered'] }
  const { data } = await caller.call(reportApi.run, {
    body: { ...asked, compare: 'custom', compare_days: { from: period.from, to: period.to } },
  })
  expect(data.summary.previous).toEqual(data.summary.totals)
  expect(data.summary.totals).toMatchObject({ clicks: 0, filtered: 0 })
})

test('the rows of a page and of all pages add up to the footer', async () => {
  const { caller } = callers[0]!
  const body: ReportInput = {
    period: { preset: 'custom', from: '2026-10-18', to: '2026-11-02' },
    zone: 'Europe/Kyiv',
    group: ['day', 'offer', 'affiliate'],
    metrics: ['clicks', 'conversions', 'payout', 'revenue', 'profit'],
    currency: 'each',
    count: 100,
    sort: 'profit',
  }
  const first = await caller.call(reportApi.run, { body: { ...body, filters: { currency: ['EUR'] } } })
  let clickSum = 0
  let profit = 0n
  for (let page = 1; (page - 1) * 100 < first.data.summary.rows; page++) {
    const { data } = await caller.call(reportApi.run, { body: { ...body, filters: { currency: ['EUR'] }, page } })
    clickSum += Number(data.total.clicks)
    profit += toUnits(String(data.total.profit))
    expect(data.total.clicks).toBe(data.list.reduce((sum, row) => sum + Number(row.values.clicks), 0))
  }
  expect(clickSum).toBe(first.data.summary.totals.clicks)
  expect(profit).toBe(toUnits(String(first.data.summary.totals.profit)))
})

type Kind = (typeof CLICK_KINDS)[number]

const clickQuestion = fc.record({
  caller: fc.nat(3),
  from: fc.nat(DAYS - 1),
  length: fc.integer({ min: 1, max: 9 }),
  /** The list ends with this click. */
  last: fc.nat(),
  zone: fc.constantFrom('UTC', 'Asia/Kolkata'),
  kinds: fc.oneof(
    { weight: 2, arbitrary: fc.constant<Kind[]>(['counted', 'refused']) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom<Kind>(...CLICK_KINDS), { maxLength: 4 }) },
  ),
  offer: sometimes(fc.nat(4)),
  geo: sometimes(fc.constantFrom('UA', 'PL')),
  device: sometimes(fc.constantFrom('mobile')),
})

function sometimes<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })
}

test('a list of raw clicks finds as many as a recount does, wherever its period is cut', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(clickQuestion, async (asked) => {
      const { caller, sees } = callers[asked.caller]! // there are four
      const offset = asked.zone === 'UTC' ? 0 : 5.5 * 3_600_000
      const from = FIRST + asked.from * DAY
      const end = from + asked.length * DAY - offset
      const inPeriod = clicks.filter((row) => row.ts >= from - offset && row.ts < end)
      const until = inPeriod[asked.last % inPeriod.length]!.ts // a day has some 150
      const body = {
        period: { preset: 'custom' as const, from: dayText(from), to: dayText(from + (asked.length - 1) * DAY) },
        zone: asked.zone,
        kinds: [...asked.kinds],
        until: new Date(until).toISOString(),
        count: 50,
        filters: {
          offer: asked.offer === null ? [] : [offers[asked.offer]!.uuid],
          geo: asked.geo === null ? [] : [asked.geo],
          device: asked.device === null ? [] : [asked.device],
        },
      }
      const expected = inPeriod.filter(
        (row) =>
          sees(row) &&
          row.ts <= until &&
          asked.kinds.includes(kindOf(row)) &&
          (asked.offer === null || row.offer === offers[asked.offer]!.id) &&
          (asked.geo === null || row.geo === asked.geo) &&
          (asked.device === null || row.device === asked.device),
      )
      const { data } = await caller.call(clickApi.list, { body })
      expect(data.summary.rows).toBe(expected.length)
      const newest = expected.toSorted((a, b) => b.ts - a.ts || b.affiliate - a.affiliate || b.rnd - a.rnd)
      expect(data.list.map((row) => row.at)).toEqual(newest.slice(0, 50).map((row) => new Date(row.ts).toISOString()))
    }),
    { numRuns: RUNS },
  )
})

function kindOf({ flags, reason }: TestClick): Kind {
  if ((flags & 8) !== 0) return 'test'
  if ((flags & 7) !== 0) return 'filtered'
  return reason === '' ? 'counted' : 'refused'
}

type Recount = {
  group: DimensionId[]
  zone: string
  from: string
  to: string
  time: 'conversion' | 'click'
  currency: 'USD' | 'EUR'
  pending: boolean
  metrics: MetricId[]
  keep: (row: TestClick | TestFact) => boolean
}
type Sums = {
  clicks: number
  visitors: Set<number>
  refused: number
  filtered: number
  approved: number
  hold: number
  pending: number
  declined: number
  trash: number
  payout: bigint
  held: bigint
  pendingPayout: bigint
  pendingRevenue: bigint
  revenue: bigint
  seconds: number
  unrated: number
}

function recount({ group, zone, from, to, time, currency, pending, keep, metrics }: Recount): {
  rows: Map<string, Record<string, unknown>>
  total: Record<string, unknown>
} {
  const rows = new Map<string, Sums>()
  const total = empty()
  const asksFor = (side: 'payout' | 'revenue') => metrics.some((metric) => MADE_OF[metric]?.some((part) => AMOUNTS[side].includes(part)))
  const inPeriod = (ms: number) => {
    const day = local(ms, zone).toPlainDate().toString()
    return day >= from && day <= to
  }
  const add = (key: string, change: (sums: Sums) => void) => {
    const sums = rows.get(key) ?? empty()
    rows.set(key, sums)
    change(sums)
    change(total)
  }
  if (!group.includes('goal')) {
    for (const click of clicks) {
      if (!keep(click) || !inPeriod(click.ts) || (click.flags & 8) !== 0) continue
      const bot = (click.flags & 7) !== 0
      if (group.includes('reason') && (bot || click.reason === '')) continue
      add(keyOf(click, click.ts, group, zone), (sums) => {
        if (bot) sums.filtered++
        else if (click.reason !== '') sums.refused++
        else {
          sums.clicks++
          sums.visitors.add(click.visitor)
        }
      })
    }
  }
  if (!group.includes('reason')) {
    for (const fact of facts) {
      const at = time === 'click' ? fact.click_ts : fact.ts
      if (!keep(fact) || !inPeriod(at) || fact.test !== 0) continue
      add(keyOf(fact, at, group, zone), (sums) => {
        sums[fact.status] += fact.sign
        if (fact.status === 'declined' || fact.status === 'trash') return
        sums.seconds += fact.sign * fact.ttc
        if (fact.status === 'pending') {
          sums.pendingPayout += worth(fact, fact.payout, currency)
          sums.pendingRevenue += worth(fact, fact.revenue, currency)
        }
        const counts = fact.status !== 'pending' || pending || metrics.includes('pending_payout') || metrics.includes('pending_revenue')
        if (counts && lacksRate(fact, currency, asksFor('payout'), asksFor('revenue'))) sums.unrated += fact.sign
        if (fact.status === 'pending' && !pending) return
        sums.payout += worth(fact, fact.payout, currency)
        sums.revenue += worth(fact, fact.revenue, currency)
        if (fact.status === 'hold') sums.held += worth(fact, fact.payout, currency)
      })
    }
  }
  const sides = { click: !group.includes('goal'), conversion: !group.includes('reason'), lead: false }
  const isKnown = (metric: MetricId) => metricOf(metric).sides.every((side) => sides[side])
  // where nothing is known that is asked for, a key is shown for whatever there is of it
  const shownBy = metrics.some(isKnown) ? metrics.flatMap((metric) => MADE_OF[metric] ?? []) : ALL_PARTS
  const isThere = (sums: Sums) =>
    sums.unrated !== 0 || shownBy.some((part) => (part === 'visitors' ? sums.visitors.size > 0 : Number(sums[part]) !== 0))
  const shown = (sums: Sums) =>
    Object.fromEntries(
      metrics.map((metric) => [
        metric,
        isKnown(metric) && (sums.unrated === 0 || (METRICS[metric].type !== 'money' && metric !== 'margin')) ? figure(sums, metric) : null,
      ]),
    )
  const filled = [...rows].filter(([, sums]) => isThere(sums))
  // without a grouping there is always one row
  if (group.length === 0) return { rows: new Map([['', shown(total)]]), total: shown(total) }
  return { rows: new Map(filled.map(([key, sums]) => [key, shown(sums)])), total: shown(total) }
}

function empty(): Sums {
  return {
    clicks: 0,
    visitors: new Set(),
    refused: 0,
    filtered: 0,
    approved: 0,
    hold: 0,
    pending: 0,
    declined: 0,
    trash: 0,
    payout: 0n,
    held: 0n,
    pendingPayout: 0n,
    pendingRevenue: 0n,
    revenue: 0n,
    seconds: 0,
    unrated: 0,
  }
}

// Amounts are counted in units of 1e-27, so that both ways of converting are exact here or agree to the nineteenth decimal of a rate.
const SCALE = 10n ** 19n
function worth(fact: TestFact, amount: string, currency: 'USD' | 'EUR'): bigint {
  const units = toUnits(amount) * BigInt(fact.sign)
  const rate = rateOf(fact.ts)
  if (fact.currency === currency) return units * SCALE
  if (rate === undefined) return 0n
  if (currency === 'USD') return (units * rate * SCALE) / 10n
  return units * rounded(10n * SCALE, rate)
}

/** Whether an amount that is asked for cannot be told in a currency. */
function lacksRate({ currency, ts, payout, revenue }: TestFact, asked: 'USD' | 'EUR', paid: boolean, earned: boolean): boolean {
  return currency !== asked && rateOf(ts) === undefined && ((paid && toUnits(payout) !== 0n) || (earned && toUnits(revenue) !== 0n))
}

/** What each figure is made of. */
const MADE_OF: Readonly<Partial<Record<MetricId, readonly (keyof Sums)[]>>> = {
  clicks: ['clicks'],
  uniques: ['visitors'],
  refused: ['refused'],
  filtered: ['filtered'],
  conversions: ['approved', 'hold', 'pending'],
  approved: ['approved'],
  hold: ['hold'],
  pending: ['pending'],
  declined: ['declined'],
  trash: ['trash'],
  cr: ['approved', 'hold', 'pending', 'clicks'],
  approval: ['approved', 'hold', 'declined'],
  epc: ['payout', 'clicks'],
  payout: ['payout'],
  hold_payout: ['held'],
  pending_payout: ['pendingPayout'],
  pending_revenue: ['pendingRevenue'],
  revenue: ['revenue'],
  revenue_epc: ['revenue', 'clicks'],
  profit: ['revenue', 'payout'],
  margin: ['revenue', 'payout'],
  time_to_conversion: ['approved', 'hold', 'pending', 'seconds'],
}
const ALL_PARTS = Object.values(MADE_OF).flat()
const AMOUNTS: Readonly<Record<'payout' | 'revenue', readonly (keyof Sums)[]>> = {
  payout: ['payout', 'held', 'pendingPayout'],
  revenue: ['revenue', 'pendingRevenue'],
}

function figure(sums: Sums, metric: MetricId): unknown {
  const conversions = sums.approved + sums.hold + sums.pending
  const share = (part: bigint | number, whole: bigint | number) =>
    Number(whole) === 0 ? null : Number(rounded(BigInt(part) * 1_000_000n, BigInt(whole))) / 10_000
  const money = (units: bigint, by = 1) => (by === 0 ? null : decimal(rounded(units, SCALE * BigInt(by))))
  const figures: Partial<Record<MetricId, unknown>> = {
    clicks: sums.clicks,
    uniques: sums.visitors.size,
    refused: sums.refused,
    filtered: sums.filtered,
    conversions,
    approved: sums.approved,
    hold: sums.hold,
    pending: sums.pending,
    declined: sums.declined,
    trash: sums.trash,
    cr: share(conversions, sums.clicks),
    approval: share(sums.approved + sums.hold, sums.approved + sums.hold + sums.declined),
    epc: money(sums.payout, sums.clicks),
    payout: money(sums.payout),
    hold_payout: money(sums.held),
    pending_payout: money(sums.pendingPayout),
    pending_revenue: money(sums.pendingRevenue),
    revenue: money(sums.revenue),
    revenue_epc: money(sums.revenue, sums.clicks),
    profit: money(sums.revenue - sums.payout),
    margin: share(sums.revenue - sums.payout, sums.revenue),
    time_to_conversion: conversions === 0 ? null : Math.round(sums.seconds / conversions),
  }
  return figures[metric]
}

function rounded(part: bigint, whole: bigint): bigint {
  const sign = part < 0n !== whole < 0n ? -1n : 1n
  const [p, w] = [part < 0n ? -part : part, whole < 0n ? -whole : whole]
  return sign * ((2n * p + w) / (2n * w))
}

/** Eight decimals, of which no zeros after the fourth are written. */
function decimal(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(9, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8, -4)}${digits.slice(-4).replace(/0+$/, '')}`
}

function keyOf(row: TestClick | TestFact, at: number, group: DimensionId[], zone: string): string {
  return group.map((dimension) => keyPart(row, at, dimension, zone)).join(' | ')
}

function keyPart(row: TestClick | TestFact, at: number, dimension: DimensionId, zone: string): string | number {
  const moment = local(at, zone)
  const day = moment.toPlainDate()
  switch (dimension) {
    case 'hour':
      return hourOf(moment)
    case 'day':
      return day.toString()
    case 'week':
      return day.subtract({ days: day.dayOfWeek - 1 }).toString()
    case 'month':
      return day.toString().slice(0, 7)
    case 'weekday':
      return day.dayOfWeek
    case 'manager':
      return affiliates.find((one) => one.id === row.affiliate)?.manager ?? 0
    case 'currency':
      return offers.find((one) => one.id === row.offer)?.currency ?? ''
    case 'language':
      return row.lang
    case 'goal':
      return 'goal' in row ? row.goal : 0
    case 'reason':
      return 'reason' in row ? row.reason : ''
    default:
      return row[dimension as 'offer'] // the rest are columns of both rows
  }
}

/** The full hour with its offset: the hour that comes twice is two hours. */
function hourOf(moment: Temporal.ZonedDateTime): string {
  return moment.with({ minute: 0, second: 0, millisecond: 0 }).toString({ smallestUnit: 'minute', timeZoneName: 'never' })
}

const zoned = new Map<string, Temporal.ZonedDateTime>()
function local(ms: number, zone: string): Temporal.ZonedDateTime {
  const key = `${ms} ${zone}`
  const known = zoned.get(key) ?? Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  zoned.set(key, known)
  return known
}

function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

/** Rows from a seed: every kind of click, and conversions whose status changed up to three times. */
function traffic(): { clicks: TestClick[]; facts: TestFact[] } {
  let state = 20_261_025
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const pick = <Value>(values: readonly Value[]): Value => values[next(values.length)]! // never empty
  // from whole units to all eight decimals
  const price = (most: number) => {
    const cut = 10n ** BigInt(next(9))
    return decimal(((BigInt(next(most)) * UNITS + BigInt(next(Number(UNITS)))) / cut) * cut)
  }
  const madeClicks: TestClick[] = []
  const madeFacts: TestFact[] = []
  for (let index = 0; index < 2_500; index++) {
    const offer = pick(offers)
    // every tenth lies within a minute of midnight somewhere
    const ts =
      FIRST +
      (next(10) === 0
        ? next(DAYS) * DAY + pick([0, -1, 5.5, 18.5, 21, 22, 4, 13, 13.5]) * 3_600_000 + next(60_000) - 30_000
        : next(DAYS * DAY))
    const click = testClick({
      ts,
      rnd: index + 1,
      affiliate: pick(affiliates).id,
      offer: offer.id,
      advertiser: offer.advertiser,
      landing: next(3),
      prelanding: next(8) === 0 ? 7 : 0,
      geo: pick(['UA', 'UA', 'PL', 'DE', 'ZZ']),
      device: pick(['mobile', 'desktop']),
      os: pick(['Android', 'iOS', 'Windows']),
      browser: pick(['Chrome', 'Safari']),
      lang: pick(['uk', 'en', '']),
      source: pick(['', 'facebook', 'Google', "it's; drop--"]),
      sub1: pick(['', 'a', 'b']),
      sub2: next(3) === 0 ? `u${index}` : '',
      visitor: next(900) + 1,
      reason: next(12) === 0 ? pick(['targeting_geo', 'no_access']) : '',
      flags: pick([0, 0, 0, 0, 0, 0, 16, 1, 2, 4, 8, 12]),
    })
    madeClicks.push(click)
    if (next(4) !== 0) continue
    const { rnd: _rnd, aff_click_id: _own, ip: _ip, ua: _ua, visitor: _visitor, reason: _reason, flags: _flags, ...shared } = click
    // nothing lies after the clock, which is where rates end
    const ttc = Math.min(next(3 * 86_400), Math.max(0, Math.floor((NOW - ts) / 1000)))
    let fact = testFact({
      ...shared,
      ts: ts + ttc * 1000,
      click_ts: ts,
      conversion: index,
      goal: 1 + next(2),
      currency: offer.currency,
      status: pick(['pending', 'hold', 'approved', 'declined', 'trash']),
      test: next(15) === 0 ? 1 : 0,
      payout: price(90),
      revenue: price(190),
      ttc,
    })
    madeFacts.push(fact)
    for (let change = next(4); change > 0; change--) {
      madeFacts.push({ ...fact, sign: -1 })
      fact = {
        ...fact,
        status: pick(['pending', 'hold', 'approved', 'declined', 'trash']),
        ...(next(3) === 0 ? { payout: price(90) } : {}),
      }
      madeFacts.push(fact)
    }
  }
  return { clicks: madeClicks, facts: madeFacts }
}
