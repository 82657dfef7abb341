import { expect, test } from 'vitest'
import { clickBody } from '#web/features/traffic/click/click-body.ts'

test('clicks of the last thirty days are asked for while no days are chosen', () => {
  expect(clickBody({ search: 'x' })).toEqual({ search: 'x', period: { preset: 'last_30_days' }, filters: {} })
})

test('days become a period; an open beginning reaches a year back', () => {
  expect(clickBody({ _days: '2026-11-01', _last_day: '2026-11-20' })['period']).toEqual({
    preset: 'custom',
    from: '2026-11-01',
    to: '2026-11-20',
  })
  expect(clickBody({ _last_day: '2026-11-20' })['period']).toEqual({ preset: 'custom', from: '2025-11-20', to: '2026-11-20' })
})

test('values of dimensions become filters', () => {
  expect(
    clickBody({ _offer: ['u'], _sub1: { is: ['a'], contains: '' }, _unread: { is: [], contains: 'utm' }, kinds: ['test'] }),
  ).toMatchObject({
    kinds: ['test'],
    filters: { offer: ['u'], sub1: { is: ['a'], contains: '' }, unread: { is: [], contains: 'utm' } },
  })
})
