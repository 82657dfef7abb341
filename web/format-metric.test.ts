import { expect, test } from 'vitest'
import { change } from '#web/format-metric.ts'

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
