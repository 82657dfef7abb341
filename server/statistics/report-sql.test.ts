import { describe, expect, test } from 'vitest'
import type { ReportPlan } from './plan.ts'
import { dayNumber, rateTable } from './rates.ts'
import { RATE_SCALE } from './sums.ts'
import { reportStatement } from './report-sql.ts'

const PLAN: ReportPlan = {
  range: { from: Date.parse('2026-11-01T00:00:00Z'), to: Date.parse('2026-11-08T00:00:00Z') },
  zone: 'UTC',
  time: 'conversion',
  groups: ['day'],
  metrics: ['clicks'],
  conditions: [],
  search: [],
  scope: { kind: 'all' },
  lookups: { managerOf: new Map(), currencyOf: new Map(), hiddenGoals: [], leadGoals: [], asAffiliate: false },
  rates: null,
  order: { metric: 'clicks' },
  direction: 'desc',
  limit: 50,
  offset: 0,
}
const sourceOf = (changes: Partial<ReportPlan>) => reportStatement({ ...PLAN, ...changes }).source

describe('the narrowest table that holds the question is read', () => {
  test.each<[string, Partial<ReportPlan>]>([
    ['click_by_offer', {}],
    ['click_by_offer', { groups: ['offer', 'landing', 'day'] }],
    ['click_by_offer', { groups: ['currency', 'hour'], metrics: ['clicks', 'uniques'] }],
    ['click_by_affiliate', { groups: ['affiliate'], metrics: ['uniques'] }],
    ['click_by_affiliate', { groups: ['manager', 'weekday'] }],
    ['click_by_geo', { groups: ['geo', 'offer'] }],
    ['click_by_geo', { groups: ['day'], conditions: [{ dimension: 'geo', is: ['UA'] }] }],
    ['click_by_offer', { groups: ['offer'], scope: { kind: 'partners', affiliates: [], advertisers: [1] } }],
    ['click_by_affiliate', { groups: ['day'], scope: { kind: 'partners', affiliates: [1, 2, 3, 4], advertisers: [] } }],
    // neither holds both sides of a manager's scope
    ['click', { groups: ['offer'], scope: { kind: 'partners', affiliates: [1, 2, 3, 4], advertisers: [1] } }],
    ['click', { groups: ['geo'], metrics: ['uniques'] }],
    ['click', { groups: ['affiliate', 'offer'] }],
    ['click_by_affiliate', { groups: ['day'], metrics: ['uniques'], scope: { kind: 'affiliate', affiliate: 1 } }],
    ['click_by_affiliate', { groups: ['day'], conditions: [{ dimension: 'affiliate', is: [1] }] }],
    // an affiliate's own rows lie together in the raw table, not in the roll-up by country
    ['click', { groups: ['offer'], scope: { kind: 'affiliate', affiliate: 1 } }],
    ['click', { groups: ['day'], scope: { kind: 'affiliate', affiliate: 1 }, conditions: [{ dimension: 'geo', is: ['UA'] }] }],
    ['click', { groups: ['sub1'] }],
    ['click', { groups: ['offer'], search: [{ dimension: 'affiliate', is: [1] }] }],
    // a moment inside a quarter hour
    ['click', { range: { ...PLAN.range, to: PLAN.range.to + 1000 } }],
    // whether an offer takes leads is told by every one of them
    ['click_by_affiliate', { groups: ['affiliate'], ofType: { type: 'direct', leads: [7] } }],
    ['click_by_offer', { ofType: { type: 'api', leads: [] } }],
    ['conversion_fact', { groups: ['goal'], metrics: ['approved'] }],
    ['conversion_fact', { metrics: ['payout', 'approval'] }],
    ['session_by_quarter', { metrics: ['leads', 'answer_time'], ofType: { type: 'api', leads: [7] } }],
    ['session_by_offer', { metrics: ['sends'], groups: ['product', 'day'], ofType: { type: 'api', leads: [7] } }],
    ['session_by_offer', { metrics: ['leads'], scope: { kind: 'partners', affiliates: [], advertisers: [1] } }],
    ['session_by_affiliate', { metrics: ['leads'], groups: ['manager', 'hour'], ofType: { type: 'api', leads: [7] } }],
    ['session_by_affiliate', { metrics: ['leads'], scope: { kind: 'affiliate', affiliate: 1 } }],
    ['session_by_place', { metrics: ['leads'], groups: ['geo', 'offer'] }],
    ['session_by_device', { metrics: ['leads'], groups: ['os'], conditions: [{ dimension: 'device', is: ['mobile'] }] }],
    ['session_by_status', { metrics: ['leads'], groups: ['lead_status', 'lead_reason'] }],
    ['session_fact', { metrics: ['leads'], groups: ['os'], conditions: [{ dimension: 'offer', is: [7] }] }],
    ['session_fact', { metrics: ['leads'], groups: ['sub1'] }],
    ['session_fact', { metrics: ['sends'], groups: ['send_outcome'] }],
    ['session_fact', { metrics: ['leads'], groups: ['offer'], scope: { kind: 'affiliate', affiliate: 1 } }],
    ['session_fact', { metrics: ['leads'], range: { ...PLAN.range, to: PLAN.range.to + 1000 } }],
    // a send counts when its lead came: the roll-ups know only when it was made
    ['session_fact', { metrics: ['sends'], time: 'click' }],
    ['session_by_quarter', { metrics: ['leads'], time: 'click' }],
  ])('%s for %j', (table, changes) => {
    expect(sourceOf(changes)).toBe(table)
  })
})

test('nothing a caller wrote is part of the statement', () => {
  const hostile = "'); DROP TABLE click; --"
  const { query, values } = reportStatement({
    ...PLAN,
    groups: ['sub1', 'source', 'geo'],
    conditions: [
      { dimension: 'sub1', is: [hostile], contains: hostile },
      { dimension: 'geo', is: [hostile] },
    ],
    search: [{ dimension: 'source', is: [], contains: hostile }],
  })
  expect(query).not.toContain('DROP')
  expect(
    Object.values(values)
      .flat()
      .filter((value) => value === hostile),
  ).toHaveLength(4)
})

describe('rates', () => {
  const days = { first: dayNumber(Date.parse('2026-11-01')), last: dayNumber(Date.parse('2026-11-04')), zone: 'UTC' }
  const ratesOf = (table: { rates: bigint[][] }) => table.rates.map((row) => row.map((rate) => Number(rate) / Number(RATE_SCALE)))
  const known = [
    { currency: 'EUR', day: '2026-10-26', rate: '1.10000000' },
    { currency: 'EUR', day: '2026-11-03', rate: '1.25000000' },
    { currency: 'PLN', day: '2026-11-02', rate: '0.25000000' },
  ]

  test('hold for seven days or until the next one, and a day before the first has none', () => {
    expect(ratesOf(rateTable(known, 'USD', 'USD', ['USD', 'EUR', 'PLN', 'JPY'], days))).toEqual([
      [1, 1, 1, 1],
      [1.1, 0, 1.25, 1.25],
      [0, 0.25, 0.25, 0.25],
      [0, 0, 0, 0],
    ])
  })

  test('between two currencies go through the base, and need both', () => {
    expect(ratesOf(rateTable(known, 'USD', 'PLN', ['USD', 'EUR', 'PLN'], days))).toEqual([
      [0, 4, 4, 4],
      [0, 0, 5, 5],
      [1, 1, 1, 1],
    ])
  })

  test('know when the clock of their zone is changed', () => {
    const over = { first: dayNumber(Date.parse('2026-10-23')), last: dayNumber(Date.parse('2026-10-27')), zone: 'Europe/Kyiv' }
    expect(rateTable(known, 'USD', 'USD', ['USD'], over).offsets).toEqual([
      { from: Date.parse('2026-10-22') / 1000, seconds: 3 * 3600 },
      { from: Date.parse('2026-10-25T01:00:00Z') / 1000, seconds: 2 * 3600 },
    ])
  })
})
