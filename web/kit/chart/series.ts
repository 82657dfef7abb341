import { date, dateTime, yearOf } from '#web/format.ts'

/** One line or one part of the bars. Values are for drawing only; null is a gap. */
export type Series = {
  id: string
  name: string
  values: readonly (number | null)[]
  /** An earlier period to compare with: dashed and faint, never stacked. */
  earlier?: boolean
  /** What its own points stand at, where that is not what stands under them. */
  labels?: readonly string[]
  /** What the other parts leave of the whole: grey. */
  rest?: boolean
}

export type Tick = { text: string; year: string }

export type ChartData = {
  /** What stands under each point, already in the language and zone of the page. */
  labels: readonly string[]
  /** The same shorter, for the axis: a year is told only where it is another one than at the mark before. */
  ticks?: readonly Tick[]
  series: readonly Series[]
  /** How a value reads, on the axis, in the tooltip and in the table. */
  format: (value: number) => string
  /** The same at the marks of the axis, where it is shorter there. */
  axis?: (value: number) => string
  /** The step of the last point is still running: it is drawn dashed or pale, and its label reads so. */
  soFar?: string | undefined
}

/** A sentence that says what the picture shows, for those who do not see it: per series its first, last, lowest and highest value. */
export function describeSeries({ labels, series, format }: ChartData): string {
  return series
    .map(({ name, values, labels: own = labels }) => {
      const known = values.filter((value) => value !== null)
      if (known.length === 0) return `${name}: –`
      const [low, high] = [Math.min(...known), Math.max(...known)]
      const at = (value: number) => own[values.indexOf(value)] ?? ''
      return `${name}: ${format(known[0] ?? 0)} → ${format(known.at(-1) ?? 0)}; min ${format(low)} (${at(low)}), max ${format(high)} (${at(high)})`
    })
    .join('. ')
}

/** What stands under the steps of a chart along time, days or, with `hours`, moments. */
export function timeLabels(steps: readonly string[], zone: string, hours = false): Required<Pick<ChartData, 'labels' | 'ticks'>> {
  const text = hours ? dateTime : date
  return {
    labels: steps.map((step) => text(step, zone)),
    ticks: steps.map((step) => ({ text: text(step, zone, { yearless: true }), year: yearOf(step, zone) })),
  }
}

/** What the marks at some steps say, in their order. */
export function markWords({ labels, ticks }: Pick<ChartData, 'labels' | 'ticks'>, steps: readonly number[]): string[] {
  return steps.map((step, index) => {
    const tick = ticks?.[step]
    const before = ticks?.[steps[index - 1] ?? -1]
    return tick === undefined || (before !== undefined && before.year !== tick.year) ? (labels[step] ?? '') : tick.text
  })
}
