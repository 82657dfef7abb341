import { expect, test } from 'vitest'
import { daysToMoments } from '#web/kit/list/days.ts'

test('days of a zone become moments, the last day whole', () => {
  expect(daysToMoments({ search: 'x', _days: '2026-03-28', _last_day: '2026-03-29' }, 'Europe/Kyiv')).toEqual({
    search: 'x',
    from: '2026-03-27T22:00:00.000Z',
    to: '2026-03-29T21:00:00.000Z',
  })
})

test('an open or malformed day asks for nothing', () => {
  expect(daysToMoments({ _days: '2026-99-99', _last_day: 'soon' }, 'UTC')).toEqual({})
})
