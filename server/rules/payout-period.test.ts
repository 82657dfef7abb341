import { expect, test } from 'vitest'
import { lastPeriod, periodEnd } from './payout-period.ts'

const at = (text: string, schedule: 'weekly' | 'twice_a_month' | 'monthly', zone = 'UTC') => {
  const { from, to } = lastPeriod(schedule, Date.parse(text), zone)
  return `${from} ${to}`
}

test('a period is over at six in the morning of the day after it, by the clock of the zone', () => {
  expect(at('2026-11-23T05:59:00Z', 'weekly')).toBe('2026-11-09 2026-11-15')
  expect(at('2026-11-23T06:00:00Z', 'weekly')).toBe('2026-11-16 2026-11-22')
  expect(at('2026-11-23T04:00:00Z', 'weekly', 'Europe/Kyiv')).toBe('2026-11-16 2026-11-22')
  expect(at('2026-11-29T23:00:00Z', 'weekly')).toBe('2026-11-16 2026-11-22')
})

test('months have two halves, the second as long as the month', () => {
  expect(at('2026-11-16T06:00:00Z', 'twice_a_month')).toBe('2026-11-01 2026-11-15')
  expect(at('2026-11-30T12:00:00Z', 'twice_a_month')).toBe('2026-11-01 2026-11-15')
  expect(at('2026-03-01T06:00:00Z', 'twice_a_month')).toBe('2026-02-16 2026-02-28')
  expect(at('2026-03-01T06:00:00Z', 'monthly')).toBe('2026-02-01 2026-02-28')
  expect(at('2026-01-01T05:00:00Z', 'monthly')).toBe('2025-11-01 2025-11-30')
})

test('a day lies in the period that ends on or after it', () => {
  expect([periodEnd('weekly', '2026-11-22'), periodEnd('weekly', '2026-11-23')]).toEqual(['2026-11-22', '2026-11-29'])
  expect([periodEnd('twice_a_month', '2026-11-15'), periodEnd('twice_a_month', '2026-11-16')]).toEqual(['2026-11-15', '2026-11-30'])
  expect(periodEnd('monthly', '2026-02-03')).toBe('2026-02-28')
})
