import { describe, expect, it } from 'vitest'
import { plotOf } from '#web/kit/chart/chart-plot.ts'
import type { Series } from '#web/kit/chart/series.ts'

const LOOK = { colour: (css: string) => css, font: '12px Inter', width: (text: string) => text.length * 6 }

function drawn(kind: 'line' | 'bars', series: readonly Series[], more: { labels?: string[]; soFar?: string; hidden?: Set<string> } = {}) {
  const { options, data } = plotOf({ kind, labels: ['Fri', 'Sat', 'Sun'], series, format: (value) => `${value} €`, ...more }, LOOK)
  return { options, x: data[0], parts: options.series.slice(1).map((look, index) => ({ ...look, values: data[index + 1] })) }
}

const clicks: Series = { id: 'clicks', name: 'Clicks', values: [4, 6, 1] }
const earlier: Series = { id: 'earlier', name: 'Period before', values: [3, 5, 1], earlier: true }
const soFar = 'Sun, so far'

describe('a line', () => {
  it('goes from edge to edge over its labels, an earlier period dashed, faint and grey', () => {
    const { options, x, parts } = drawn('line', [clicks, earlier])
    expect(x).toEqual([0, 1, 2])
    expect(options.scales?.['x']?.range).toEqual([0, 2])
    expect(parts).toMatchObject([
      { label: 'Clicks', values: [4, 6, 1], width: 2 },
      { label: 'Period before', values: [3, 5, 1], width: 1.5, dash: [5, 4], alpha: 0.6, stroke: 'var(--ohma-soft)' },
    ])
    expect(parts[0]?.dash).toBeUndefined()
  })

  it('ends dashed while its last step is still running, an earlier period does not', () => {
    const { parts } = drawn('line', [clicks, earlier], { soFar })
    expect(parts).toMatchObject([
      { values: [4, 6, null] },
      { values: [null, 6, 1], dash: [3, 4], alpha: 0.7 },
      { values: [3, 5, 1], dash: [5, 4] },
    ])
  })

  it('has a gap where nothing is known, and a point where a value stands alone', () => {
    const points = (values: (number | null)[], more?: { soFar: string }) =>
      drawn('line', [{ ...clicks, values }], more).parts.map((part) => {
        const { filter } = part.points ?? {}
        return typeof filter === 'function' ? Reflect.apply(filter, undefined, []) : filter
      })
    expect(drawn('line', [{ ...clicks, values: [4, null, 1] }]).parts[0]?.values).toEqual([4, null, 1])
    expect(points([4, null, 1])).toEqual([[0, 2]])
    expect(points([4, 6, null])).toEqual([[]])
    expect(points([null, null, 1], { soFar })).toEqual([[], [2]])
  })
})

describe('bars', () => {
  const kites: Series = { id: '1', name: 'Kites', values: [1, 2, 3] }
  const others: Series = { id: 'others', name: 'Others', values: [5, null, -2], rest: true }
  const returns: Series = { id: '2', name: 'Returns', values: [0, -1, -4] }

  it('stand on each other above zero and hang from each other below, with room on both sides', () => {
    const { options, parts } = drawn('bars', [kites, returns, others])
    expect(options.scales?.['x']?.range).toEqual([-0.5, 2.5])
    expect(parts).toMatchObject([{ values: [1, 2, 3] }, { values: [1, -1, -4] }, { values: [6, null, -6] }])
  })

  it('leave out what is hidden and keep the colours of the others', () => {
    const [first, second] = drawn('bars', [kites, others]).parts
    expect(drawn('bars', [kites, others], { hidden: new Set(['1']) }).parts).toMatchObject([{ values: [5, null, -2], fill: second?.fill }])
    expect(first?.fill).not.toBe(second?.fill)
  })

  it('are grey for what the parts leave', () => {
    expect(drawn('bars', [kites, others]).parts[1]).toMatchObject({ fill: 'var(--ohma-soft)', alpha: 0.7 })
  })

  it('are pale for a step that is still running', () => {
    const { parts } = drawn('bars', [kites, others], { soFar })
    expect(parts).toMatchObject([
      { values: [1, 2, null], alpha: 1 },
      { values: [null, null, 3], alpha: 0.5 },
      { values: [6, null, null], alpha: 0.7 },
      { values: [null, null, -2], alpha: 0.35 },
    ])
  })
})

describe('the axes', () => {
  /** The marks of the figures, from the lowest to the highest. */
  const marks = (values: (number | null)[], low: number | null, high: number | null) => {
    const { scales, axes } = drawn('line', [{ ...clicks, values }]).options
    const range = scales?.['y']?.range as (plot: undefined, low: number | null, high: number | null) => [number, number] // as plotOf makes it
    const splits = axes?.[1]?.splits as (plot: undefined, axis: number, low: number, high: number) => number[]
    return splits(undefined, 1, ...range(undefined, low, high))
  }

  it('begin at zero and end beyond the highest figure, with three marks at least', () => {
    expect(marks([8038], 0, 8038)).toEqual([0, 2000, 4000, 6000, 8000, 10_000])
    expect(marks([10], 4, 10)).toEqual([0, 5, 10, 15])
    expect(marks([1], 0, 1)).toEqual([0, 1, 2])
    expect(marks([0], 0, 0)).toEqual([0, 1, 2])
    expect(marks([null], null, null)).toEqual([0, 1, 2])
    expect(marks([-4], -4, -2)).toEqual([-5, -4, -3, -2, -1, 0])
    for (let most = 1; most < 400; most += 7) {
      for (const [low, high] of [
        [0, most],
        [-most / 3, most],
        [0, most / 1000],
      ] as const) {
        const all = marks([0.5], low, high)
        expect([all.length >= 3 && all.length <= 7, Number(all[0]) <= low, Number(all.at(-1)) > high], `${low} ${high}`).toEqual([
          true,
          true,
          true,
        ])
      }
    }
  })

  it('mark whole figures at whole numbers only', () => {
    for (let most = 1; most < 60; most++) expect(marks([most], 0, most).every(Number.isInteger), String(most)).toBe(true)
    expect(marks([0.5], 0, 0.5).map((mark) => mark.toFixed(1))).toEqual(['0.0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6'])
  })

  it('have a label under the last step, with room for half of it beyond', () => {
    const { options } = drawn('line', [clicks], { labels: ['1', '2', '3', '4', '5', '6', 'a very long label'] })
    const splits = options.axes?.[0]?.splits as (plot: undefined, axis: number, from: number, to: number, every: number) => number[] // as plotOf makes it
    expect(splits(undefined, 0, 0, 6, 1)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(splits(undefined, 0, 0, 6, 4)).toEqual([2, 6])
    expect(splits(undefined, 0, 0, 6, 7)).toEqual([6])
    expect(options.padding?.[1]).toBe(Math.ceil((17 * 6) / 2))
  })

  it('keep room for the widest label below and for the widest figure beside', () => {
    const [bottom, left] = drawn('line', [clicks]).options.axes ?? []
    expect(bottom?.space).toBe(18 + 16)
    const size = left?.size as (plot: undefined, texts: string[] | null) => number // as plotOf makes it
    expect(size(undefined, ['0 €', '1000000 €'])).toBe(9 * 6 + 12)
    expect(size(undefined, null)).toBe(9 + 12)
  })
})
