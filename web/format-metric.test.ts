import { expect, test } from 'vitest'
import { change, pendingBehind, pendingPart } from '#web/format-metric.ts'

test('a figure moves in percent of the one before, a rate in percentage points', () => {
  expect(change('clicks', 120, 100)).toEqual({ by: 20, unit: 'percent', news: 'good' })
  expect(change('cr', 3.5, 2.5)).toEqual({ by: 1, unit: 'points', news: 'good' })
  expect(change('epc', '0.0300', '0.0600')).toEqual({ by: -50, unit: 'percent', news: 'bad' })
})

test('more payout is neither good nor bad news, more refusals are bad', () => {
  expect(change('payout', '12.0000', '10.0000').news).toBe('neutral')
  expect(change('refused', 9, 3).news).toBe('bad')
  expect(change('declined', 3, 9).news).toBe('good')
  expect(change('cr', 0.8502, 0.8499)).toEqual({ by: 0, unit: 'points', news: 'neutral' })
  expect(change('clicks', 5, 5).news).toBe('neutral')
})

test('nothing before, or a rate of no clicks, is nothing to compare with', () => {
  expect(change('clicks', 5, 0).by).toBeNull()
  expect(change('cr', 5, null).by).toBeNull()
  expect(change('cr', 5, 0).by).toBe(5)
})

test('a fall that pending conversions may make up for is no bad news, one beyond them is', () => {
  const values = { payout: '4.0000', pending_payout: '7.0000', revenue: '6.0000', pending_revenue: '9.0000', clicks: 3 }
  const parts = (['payout', 'revenue', 'profit', 'epc', 'revenue_epc', 'cr'] as const).map((id) => pendingPart(id, values))
  expect(parts).toEqual(['7.0000', '9.0000', '2.0000', '2.33333333', '3.0000', null])
  expect(change('payout', '4.0000', '10.0000', true, parts[0]).news).toBe('neutral')
  expect(change('payout', '4.0000', '12.0000', true, parts[0]).news).toBe('bad')
  expect(pendingPart('payout', { pending_payout: '0.0000' })).toBeNull()
  expect(pendingBehind(['payout', 'epc', 'cr'])).toEqual(['pending_payout', 'clicks'])
})
