import { describe, expect, it } from 'vitest'
import { describeSeries } from '#web/kit/chart/series.ts'

describe('the words of a chart', () => {
  it('tell where each series begins and ends and its extremes', () => {
    const series = [
      { id: 'clicks', name: 'Clicks', values: [3, 9, null, 1, 4] },
      { id: 'none', name: 'Sales', values: [null, null] },
    ]
    expect(describeSeries({ labels: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], series, format: String })).toBe(
      'Clicks: 3 → 4; min 1 (Thu), max 9 (Tue). Sales: –',
    )
  })
})
