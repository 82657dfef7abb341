import uPlot from 'uplot'
import { markWords, type ChartData, type Series } from '#web/kit/chart/series.ts'

export type PlotLook = {
  /** The colour a CSS value stands for where the chart is. */
  colour: (css: string) => string
  font: string
  /** How wide a text is in that font, in CSS pixels. */
  width: (text: string) => number
}

/** The CSS colour of a series by its place among all: an earlier period and what the parts leave are grey. */
export function colourOf({ earlier = false, rest = false }: Series, index: number): string {
  if (earlier || rest) return SOFT
  const place = (index % 8) + 1
  return place === 1 ? 'var(--ohma-accent-text, var(--mantine-primary-color-filled))' : `var(--ohma-series-${place})`
}

const SOFT = 'var(--ohma-soft)'

/** What uPlot needs to draw the series that are not hidden: x counts the labels, parts of the bars stand on each other. */
export function plotOf(
  {
    kind,
    labels,
    ticks,
    series,
    format,
    axis = format,
    soFar,
    hidden,
  }: ChartData & { kind: 'line' | 'bars'; hidden?: ReadonlySet<string> },
  { colour, font, width }: PlotLook,
): { options: Omit<uPlot.Options, 'width' | 'height'>; data: uPlot.AlignedData } {
  const years = new Set(ticks?.map(({ year }) => year)).size
  const widest = Math.max(0, ...(years === 1 ? markWords({ labels, ticks }, [...labels.keys()]) : labels).map(width))
  const last = labels.length - 1
  // whole figures have no marks between whole numbers, which would read 0, 0, 1, 1
  const whole = series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)))
  const stack = stacking()
  const parts = series.flatMap((one, index): Part[] => {
    if (hidden?.has(one.id)) return []
    const stroke = colour(colourOf(one, index))
    if (kind === 'line' || one.earlier) return lineOf(one, stroke, soFar === undefined || one.earlier ? undefined : last)
    return barsOf(one, stroke, soFar === undefined ? undefined : last, stack)
  })
  const text = { stroke: colour(SOFT), font, ticks: { show: false } }
  const line = { stroke: colour('var(--ohma-line)'), width: 1 }
  const options: Omit<uPlot.Options, 'width' | 'height'> = {
    legend: { show: false },
    // the last label stands under its step, half of it beyond the edge
    padding: [8, Math.max(EDGE, Math.ceil(widest / 2)), 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      move: (plot, left, top) => [left < 0 ? left : plot.valToPos(plot.posToIdx(left), 'x'), top],
      points: kind === 'line' ? { size: 7 } : { show: false },
    },
    scales: { x: { time: false, range: xRange(kind, labels.length) }, y: { range: (_plot, low, high) => yRange(low, high, whole) } },
    axes: [
      {
        ...text,
        size: 24,
        gap: 8,
        // no closer than the widest label
        space: widest + 16,
        incrs: labels.map((_label, index) => index + 1),
        splits: (_plot, _axis, _from, _to, every) => fromLast(last, every),
        values: (_plot, splits) => markWords({ labels, ticks }, splits),
        grid: { show: false },
        border: { show: true, ...line },
      },
      {
        ...text,
        gap: 8,
        space: 32,
        size: (_plot, values: string[] | null) => Math.ceil(Math.max(widest / 2, ...(values ?? []).map(width)) + 12),
        splits: (_plot, _axis, low, high) => marksOf(low, high, whole),
        values: (_plot, splits) => splits.map(axis),
        grid: line,
      },
    ],
    series: [{}, ...parts.map(({ look }) => look)],
  }
  return { options, data: [labels.map((_label, index) => index), ...parts.map(({ values }) => values)] }
}

type Values = (number | null)[]
type Part = { look: uPlot.Series; values: Values }

/** Right of the last point at least, in CSS pixels. */
const EDGE = 12

/** The steps with a label, ascending: the last, which is the one looked for, and every so many before it. */
function fromLast(last: number, every: number): number[] {
  return Array.from({ length: Math.floor(last / every) + 1 }, (_none, index) => last - index * every).reverse()
}

/** A line has one pattern from end to end, so the way to a step that is still running is another one, dashed. */
function lineOf({ name, values, earlier = false }: Series, stroke: string, running: number | undefined): Part[] {
  const part = (of: Values, look: uPlot.Series): Part => ({
    values: of,
    look: { label: name, stroke, width: 2, ...look, points: { size: 6, fill: stroke, filter: () => lonely(of) } },
  })
  if (earlier) return [part([...values], { width: 1.5, dash: [5, 4], alpha: 0.6 })]
  if (running === undefined) return [part([...values], {})]
  return [
    part(only(values, 0, running - 1), {}),
    part(only(values, Math.max(0, values[running] === null ? running : running - 1), running), { dash: [3, 4], alpha: 0.7 }),
  ]
}

/** Parts below zero hang from it, the others stand on it; a step that is still running is pale. */
function barsOf({ name, values, rest = false }: Series, colour: string, running: number | undefined, stack: Stack): Part[] {
  const { base, top } = stack(values)
  const paths = uPlot.paths.bars?.({
    size: [0.7, 36],
    disp: { y0: { unit: 1, values: () => base }, y1: { unit: 1, values: (plot, index) => [...(plot.data[index] ?? [])] } },
  })
  const part = (of: Values, alpha: number): Part => ({
    values: of,
    look: { label: name, fill: colour, width: 0, alpha, points: { show: false }, ...(paths && { paths }) },
  })
  const alpha = rest ? 0.7 : 1
  if (running === undefined) return [part(top, alpha)]
  return [part(only(top, 0, running - 1), alpha), part(only(top, running, running), alpha / 2)]
}

type Stack = (values: readonly (number | null)[]) => { base: number[]; top: Values }

function stacking(): Stack {
  const above: number[] = []
  const below: number[] = []
  return (values) => {
    const base: number[] = []
    const top = values.map((value, index) => {
      const heap = (value ?? 0) < 0 ? below : above
      const from = heap[index] ?? 0
      base.push(from)
      heap[index] = from + (value ?? 0)
      return value === null ? null : from + value
    })
    return { base, top }
  }
}

/** The values of some steps, and gaps elsewhere. */
function only(values: readonly (number | null)[], from: number, to: number): Values {
  return values.map((value, index) => (index >= from && index <= to ? value : null))
}

/** Where a value has no neighbour, and so no line to be seen by. */
function lonely(values: Values): number[] {
  const known = (at: number) => typeof values[at] === 'number'
  return values.flatMap((_value, at) => (known(at) && !known(at - 1) && !known(at + 1) ? [at] : []))
}

/** Bars need room on both sides, a single point stands in the middle. */
function xRange(kind: 'line' | 'bars', steps: number): [number, number] {
  return kind === 'bars' || steps < 2 ? [-0.5, Math.max(steps, 1) - 0.5] : [0, steps - 1]
}

/** From or to zero, to the marks beyond the highest and the lowest: the line never leaves what the axis tells. */
function yRange(low: number | null, high: number | null, whole: boolean): [number, number] {
  const [least, most] = [Math.min(0, low ?? 0), Math.max(0, high ?? 0)]
  if (least === most) return [0, whole ? 2 : 1]
  const step = stepOf(most - least, whole)
  const beyond = (value: number) => (value === 0 ? 0 : (Math.floor(value / step) + 1) * step)
  return [-beyond(-least), beyond(most)]
}

/** The marks from one end of such an axis to the other, the finest that leave room for their figures: three at least, seven at most. */
function marksOf(low: number, high: number, whole: boolean): number[] {
  const fits = (value: number, step: number) => Math.abs(value / step - Math.round(value / step)) < 1e-6
  const power = 10 ** Math.floor(Math.log10((high - low) / 6))
  const steps = [1, 2, 5, 10, 20, 50].map((digit) => digit * power).filter((one) => !whole || one >= 1)
  const step = steps.find((one) => (high - low) / one < 6.5 && fits(low, one) && fits(high, one)) ?? high - low
  return Array.from({ length: Math.round((high - low) / step) + 1 }, (_none, index) => low + index * step)
}

/** The smallest of 1, 2, 5, 10 … (or of their tenths, where figures are not whole) that goes no more than four times into a height. */
function stepOf(height: number, whole: boolean): number {
  const power = 10 ** Math.floor(Math.log10(height / 4))
  const step = [1, 2, 5, 10].map((digit) => digit * power).find((one) => one >= height / 4) ?? 10 * power
  return whole ? Math.max(1, Math.round(step)) : step
}
