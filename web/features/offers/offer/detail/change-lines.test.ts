import type { Say } from '#web/i18n/use-translation.ts'
import { expect, test } from 'vitest'
import { changeLines } from '#web/features/offers/offer/detail/change-lines.ts'

const t = ((key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ')) as unknown as Say<'offer'> // names of texts are enough here
const offer = { currency: 'USD', time_zone: 'Europe/Kyiv' }
const uuid = (digit: number) => `${digit}0000000-0000-4000-8000-000000000000`

test('a change tells whom and what it names as people know them, and what is gone by a piece of its uuid', () => {
  const named = [
    { kind: 'advertiser', uuid: uuid(1), id: 1, name: 'Acme' },
    { kind: 'affiliate', uuid: uuid(2), id: 12, name: 'Media' },
    { kind: 'affiliate', uuid: uuid(3), id: 13, name: '' },
    { kind: 'landing', uuid: uuid(4), id: 4, name: 'Summer' },
  ]
  const landings = [4, 5].map((digit) => ({ landing_uuid: uuid(digit), weight: 30 }))
  const lines = (after: Record<string, unknown>) =>
    changeLines(t, { before: null, after, named, network_names: {} }, offer).map(({ field, after: texts }) => [field, ...texts])
  expect(lines({ advertiser_uuid: uuid(1), landings })).toEqual([
    ['advertiser_uuid', 'Acme'],
    ['landings', 'landing.weighs Summer 30', 'landing.weighs 50000000 30'],
  ])
  expect(lines({ landing_uuid: uuid(4), reason: 'Old logo' })).toEqual([
    ['landing_uuid', 'Summer'],
    ['reason', 'Old logo'],
  ])
  expect(lines({ landing: 'Spring' })).toEqual([['landing', 'Spring']])
  expect(lines({ affiliate_id: 12 })).toEqual([['affiliate_id', '12 Media']])
  expect(lines({ affiliate_id: 13 })).toEqual([['affiliate_id', '13']])
})

test('a figure is told with what it counts, a moment in the zone the offer then had', () => {
  const lines = (after: Record<string, unknown>) =>
    changeLines(t, { before: null, after, named: [], network_names: {} }, offer).map(({ field, after: texts }) => [field, ...texts])
  expect(lines({ hold_days: 14, click_lifetime_days: 30, min_conversion_time: 5, daily_cap: 1000, max_conversion_time: null })).toEqual([
    ['hold_days', 'daysCount 14 14'],
    ['click_lifetime_days', 'daysCount 30 30'],
    ['min_conversion_time', 'secondsCount 5 5'],
    ['daily_cap', 'perDayCount 1000 1,000'],
  ])
  const start_at = '2026-12-01T00:00:00.000Z'
  expect(lines({ start_at })).toEqual([['start_at', expect.stringMatching(/02:00/)]])
  expect(lines({ start_at, time_zone: 'UTC' })[0]).toEqual(['start_at', expect.stringMatching(/00:00/)])
})
