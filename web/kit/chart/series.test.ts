import { describe, expect, it } from 'vitest'
import { describeSeries, markWords, timeLabels } from '#web/kit/chart/series.ts'

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

describe('the marks of a chart', () => {
  it('carry the year only where it is another one than at the mark before', () => {
    const days = timeLabels(
      ['2026-12-29', '2026-12-31', '2027-01-02', '2027-01-04'].map((day) => `${day}T00:00:00Z`),
      'UTC',
    )
    expect(days.labels[0]).toContain('2026')
    const marks = markWords(days, [0, 1, 2, 3])
    expect(marks.map((text) => /20\d\d/.exec(text)?.[0] ?? '')).toEqual(['', '', '2027', ''])
    expect(markWords(days, [0, 3])).toEqual([marks[0], days.labels[3]])
    expect(markWords({ labels: ['UA', 'PL'] }, [1])).toEqual(['PL'])
  })

  it('are moments where steps are hours, in the zone of the page', () => {
    const { labels, ticks } = timeLabels(['2026-12-31T22:00:00Z'], 'Europe/Kyiv', true)
    expect(labels[0]).toMatch(/1.*2027.*00:00/)
    expect(ticks).toEqual([{ text: expect.stringMatching(/^(?!.*2027).*1.*00:00/), year: '2027' }])
  })
})
