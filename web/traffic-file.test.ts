import { expect, test } from 'vitest'
import { trafficFile } from '#web/traffic-file.ts'
import { todayIn } from '#web/zone-time.ts'

test('a file of traffic is named by its days, their zone and its currency', () => {
  const zone = 'Europe/Kyiv'
  const custom = { preset: 'custom', from: '2026-11-01', to: '2026-11-07' } as const
  expect(trafficFile({ what: 'conversions', days: custom, zone, currency: 'each' })).toBe(
    'conversions 2026-11-01 2026-11-07 Europe-Kyiv each',
  )
  expect(trafficFile({ what: 'conversions', days: null, zone, currency: 'each' })).toBe('conversions all time Europe-Kyiv each')
  // clicks have no money; a day is named once
  expect(trafficFile({ what: 'clicks', days: { preset: 'today', from: null, to: null }, zone })).toBe(`clicks ${todayIn(zone)} Europe-Kyiv`)
  expect(trafficFile({ what: 'statistics offer', days: ['2026-11-01', '2026-11-01'], zone: 'UTC', currency: 'EUR' })).toBe(
    'statistics offer 2026-11-01 UTC EUR',
  )
})
