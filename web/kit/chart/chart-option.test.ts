import { describe, expect, it } from 'vitest'
import { chartOption } from '#web/kit/chart/chart-option.ts'
import type { Series } from '#web/kit/chart/series.ts'

const COLOURS = { text: 'text', soft: 'soft', line: 'line', surface: 'surface', font: 'Inter', still: true, series: ['first', 'second'] }
const LABELS = ['Fri', 'Sat', 'Sun']

function drawn(kind: 'line' | 'bars', series: readonly Series[], soFar?: string) {
  return chartOption({ kind, labels: LABELS, series, format: String, soFar }, COLOURS)
}

describe('a step that is still running', () => {
  const clicks: Series = { id: 'clicks', name: 'Clicks', values: [4, 6, 1] }
  const earlier: Series = { id: 'earlier', name: 'Period before', values: [3, 5, 1], earlier: true }

  it('ends a line dashed, and the tooltip names each figure once', () => {
    const [whole, finished, before, ...more] = drawn('line', [clicks, earlier], 'Sun, so far')['series'] as object[] // as chartOption makes them
    expect(whole).toMatchObject({ name: 'Clicks', data: [4, 6, 1], lineStyle: { type: [3, 4] } })
    expect(finished).toMatchObject({ name: 'Clicks', data: [4, 6], lineStyle: { type: 'solid' }, tooltip: { show: false } })
    expect(before).toMatchObject({ name: 'Period before', data: [3, 5, 1], lineStyle: { type: 'dashed' } })
    expect(more).toEqual([])
  })

  it('is a pale part of the bars', () => {
    const [bars] = drawn('bars', [clicks], 'Sun, so far')['series'] as object[]
    expect(bars).toMatchObject({ data: [4, 6, { value: 1, itemStyle: { opacity: 0.5 } }] })
  })

  it('says so in the tooltip, and a finished one does not', () => {
    const header = (value: string, soFar?: string) =>
      (
        drawn('line', [clicks], soFar)['tooltip'] as { axisPointer: { label: { formatter(at: { value: string }): string } } }
      ).axisPointer.label // as chartOption makes it
        .formatter({ value })
    expect(header('Sun', 'Sun, so far')).toBe('Sun, so far')
    expect(header('Sat', 'Sun, so far')).toBe('Sat')
    expect(header('Sun')).toBe('Sun')
    expect(drawn('line', [clicks])['series']).toHaveLength(1)
  })
})

it('what the parts leave is grey', () => {
  const [, rest] = drawn('bars', [
    { id: '1', name: 'Kites', values: [1, 2, 3] },
    { id: 'others', name: 'Others', values: [0, 1, 2], rest: true },
  ])['series'] as object[]
  expect(rest).toMatchObject({ name: 'Others', stack: 'all', itemStyle: { color: 'soft' } })
})
